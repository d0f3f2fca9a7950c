//! The lab: reports of experiments, phases, plans, graphs and models.

mod experiments;
pub(super) mod models;
pub(crate) mod phases;
pub(super) mod plans;
pub(super) mod reports;

use hathi_learn::clusters::Clusters;
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::error::ApiError;
use crate::state::App;

/// What to look at.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct PositionParams {
    /// `g [64 characters]`, a8 to h1, a dot or a space for an empty square.
    #[param(example = "g [rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR]")]
    position: String,
}

fn shipped_clusters() -> Result<&'static Clusters, ApiError> {
    phases::CLUSTERS
        .as_ref()
        .ok_or_else(|| ApiError::internal("the clusters that are shipped are broken"))
}

/// All of its routes.
pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(reports::lab))
        .routes(routes!(phases::phase))
        .routes(routes!(phases::game_phases))
        .routes(routes!(phases::heat_maps))
        .routes(routes!(phases::heat_map))
        .routes(routes!(plans::plans))
        .routes(routes!(plans::graphs))
        .routes(routes!(plans::graph_svg))
        .routes(routes!(plans::trace))
        .routes(routes!(models::models))
        .routes(routes!(models::rank))
        .routes(routes!(models::measure))
        .merge(
            OpenApiRouter::new()
                .routes(routes!(experiments::list, experiments::start))
                .routes(routes!(experiments::stop))
                .layer(axum::middleware::from_fn(crate::client::know)),
        )
}

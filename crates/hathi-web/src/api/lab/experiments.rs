//! Experiments, started, followed and stopped.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::client::Client;
use crate::error::{ApiError, ErrorBody};
use crate::experiments::{RunView, laboratory};
use crate::extract::Body;
use crate::state::App;

/// An experiment that can be done here.
#[derive(Serialize, ToSchema)]
pub(crate) struct ExperimentView {
    name: &'static str,
    title: &'static str,
    about: &'static str,
    /// The smallest first.
    sizes: Vec<SizeView>,
    /// A finished report that came with the program, see `/lab`.
    example: Option<String>,
}

/// How large an experiment is.
#[derive(Serialize, ToSchema)]
pub(crate) struct SizeView {
    name: &'static str,
    about: &'static str,
}

/// The experiments, and the one that runs.
#[derive(Serialize, ToSchema)]
pub(crate) struct ExperimentList {
    experiments: Vec<ExperimentView>,
    /// The one that runs, or ran last.
    run: Option<RunView>,
}

/// What can be tried out, and what is being tried
#[utoipa::path(
    get, path = "/experiments", tag = "lab",
    responses((status = 200, body = ExperimentList), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn list(State(app): State<App>, client: Client) -> Json<ExperimentList> {
    let experiments = laboratory(&app).map_or(&[][..], |laboratory| laboratory.experiments());
    Json(ExperimentList {
        experiments: experiments
            .iter()
            .map(|experiment| ExperimentView {
                name: experiment.name,
                title: experiment.title,
                about: experiment.about,
                sizes: (experiment.sizes.iter())
                    .map(|size| SizeView {
                        name: size.name,
                        about: size.about,
                    })
                    .collect(),
                example: super::reports::example(experiment.name),
            })
            .collect(),
        run: app.experiments.last(&client),
    })
}

/// What to try.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct NewRun {
    /// One of the names of `/experiments`.
    #[schema(example = "nothing")]
    experiment: String,
    /// One of its sizes; the smallest if nothing is said.
    size: Option<String>,
}

/// Begin an experiment, or go on with one that was stopped; one at a time
#[utoipa::path(
    post, path = "/experiments", tag = "lab", request_body = NewRun,
    responses((status = 201, body = RunView), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn start(
    State(app): State<App>,
    client: Client,
    Body(new): Body<NewRun>,
) -> Result<(StatusCode, Json<RunView>), ApiError> {
    let run = (app.experiments).start(&app, &client, &new.experiment, new.size.as_deref())?;
    Ok((StatusCode::CREATED, Json(run)))
}

/// Stop the experiment that runs; begun again, it goes on from there
#[utoipa::path(
    post, path = "/experiments/stop", tag = "lab",
    responses((status = 200, body = RunView), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn stop(
    State(app): State<App>,
    client: Client,
) -> Result<Json<RunView>, ApiError> {
    Ok(Json(app.experiments.stop(&client)?))
}

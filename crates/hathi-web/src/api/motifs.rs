//! Motifs: named patterns, how often they happen and how they score.

use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use hathi_archive::GameId;
use hathi_store::Motif;
use hathi_view::{MotifTag, MotifView, TaggedGame};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::answer;
use super::games::stored;
use crate::error::{ApiError, ErrorBody};
use crate::extract::{Ask, GameName, Part};
use crate::filter::FilterParams;
use crate::state::App;

/// Examples of each.
const EXAMPLES: usize = 4;

/// All motifs.
#[derive(Serialize, ToSchema)]
pub(crate) struct MotifList {
    motifs: Vec<MotifView>,
}

/// Where a game has motifs.
#[derive(Serialize, ToSchema)]
pub(crate) struct MotifTags {
    tags: Vec<MotifTag>,
}

/// Those that come with Hathi, and people's own. A file that is no motif is left
/// out here; `hathi motifs` says why.
fn motifs() -> Vec<Motif> {
    Motif::all(Motif::usual_folder().as_deref()).0
}

/// Named patterns: how often they happen, and how they score for whoever has them
#[utoipa::path(
    get, path = "/motifs", tag = "search",
    params(FilterParams),
    responses((status = 200, body = MotifList), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn list(
    State(app): State<App>,
    Ask(games): Ask<FilterParams>,
    uri: Uri,
) -> Result<Response, ApiError> {
    let filter = games.filter()?;
    answer::cached(&app, &uri, move |store| {
        let all = motifs();
        let views = all
            .iter()
            .map(|motif| MotifView::ask(motif, store, &filter, EXAMPLES));
        Ok(MotifList {
            motifs: views.collect::<Result<_, _>>()?,
        })
    })
    .await
}

/// Where a game has which motifs
#[utoipa::path(
    get, path = "/games/{id}/motifs", tag = "games",
    params(("id" = String, Path, description = "Its number in the archive, or source and number such as sample:15", example = "sample:15")),
    responses((status = 200, body = MotifTags), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn of_game(
    State(app): State<App>,
    Part(GameName(id)): Part<GameName>,
    uri: Uri,
) -> Result<Response, ApiError> {
    answer::cached(&app, &uri, move |store| {
        let stored = stored(store, id)?;
        Ok(MotifTags {
            tags: MotifTag::of_game(&motifs(), &stored),
        })
    })
    .await
}

/// Games of a list at most.
const MOST: usize = 50;

/// Which games.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct TagParams {
    /// What they are known by, with commas between; up to 50.
    #[param(example = "sample:15,sample:16")]
    games: String,
}

/// Games of a list and where they have motifs.
#[derive(Serialize, ToSchema)]
pub(crate) struct TaggedGames {
    /// In the order asked for; games that are not there are left out.
    games: Vec<TaggedGame>,
}

/// Where games of a list have which motifs
#[utoipa::path(
    get, path = "/motif-tags", tag = "games", params(TagParams),
    responses((status = 200, body = TaggedGames), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn of_games(
    State(app): State<App>,
    Ask(params): Ask<TagParams>,
    uri: Uri,
) -> Result<Response, ApiError> {
    let ids: Result<Vec<GameId>, _> = (params.games.split(','))
        .map(str::trim)
        .filter(|id| !id.is_empty())
        .map(str::parse)
        .collect();
    let ids = ids.map_err(|error| ApiError::bad_request(format!("`games`: {error}")))?;
    if ids.len() > MOST {
        return Err(ApiError::bad_request(format!(
            "`games` names {}, at most {MOST} are looked at",
            ids.len()
        )));
    }
    answer::cached(&app, &uri, move |store| {
        let motifs = motifs();
        let mut games = Vec::with_capacity(ids.len());
        for id in ids {
            let row = store.row_of(id)?;
            let found = row.map(|row| store.game(row)).transpose()?.flatten();
            games.extend(found.map(|stored| TaggedGame {
                game: id.to_string(),
                tags: MotifTag::of_game(&motifs, &stored),
            }));
        }
        Ok(TaggedGames { games })
    })
    .await
}

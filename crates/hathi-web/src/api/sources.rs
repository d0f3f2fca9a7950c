//! Where the games are from, and taking them out again.

use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use axum::{Extension, Json};
use hathi_archive::GameSource;
use hathi_view::SourceList;
use serde::Serialize;
use utoipa::ToSchema;

use super::answer;
use crate::error::{ApiError, ErrorBody};
use crate::extract::{GameName, Part};
use crate::pool::blocking;
use crate::server::Peer;
use crate::state::App;

/// Where the games are from, and which of them count
#[utoipa::path(
    get, path = "/sources", tag = "games",
    responses((status = 200, body = SourceList), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn list(State(app): State<App>, uri: Uri) -> Result<Response, ApiError> {
    answer::cached(&app, &uri, |store| Ok(SourceList::of(store)?)).await
}

/// Games that were taken out.
#[derive(Serialize, ToSchema)]
pub(crate) struct Removed {
    games: u64,
}

/// What somebody else has remembered is not for visitors to forget.
fn check(peer: Option<Extension<Peer>>) -> Result<(), ApiError> {
    let local = |Extension(Peer(from)): Extension<Peer>| from.ip().to_canonical().is_loopback();
    if peer.is_none_or(local) {
        Ok(())
    } else {
        Err(ApiError::foreign(
            "games are taken out only on the machine that keeps them",
        ))
    }
}

/// Take all games of a source out of the memory; only on the machine that keeps it
#[utoipa::path(
    delete, path = "/sources/{source}", tag = "games",
    params(("source" = String, Path, description = "arimaa, sample, synth, play, arena, aei or file", example = "aei")),
    responses((status = 200, body = Removed), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn remove_source(
    State(app): State<App>,
    peer: Option<Extension<Peer>>,
    Part(source): Part<String>,
) -> Result<Json<Removed>, ApiError> {
    check(peer)?;
    let source: GameSource = source
        .parse()
        .map_err(|error| ApiError::not_found(format!("{error}")))?;
    blocking(move || {
        let games = app.pool.change(|store| store.remove_source(source))?;
        Ok(Json(Removed { games }))
    })
    .await
}

/// Take a game out of the memory; only on the machine that keeps it
#[utoipa::path(
    delete, path = "/games/{id}", tag = "games",
    params(("id" = String, Path, description = "Its number in the archive, or source and number such as sample:15", example = "aei:1")),
    responses((status = 200, body = Removed), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn remove_game(
    State(app): State<App>,
    peer: Option<Extension<Peer>>,
    Part(GameName(id)): Part<GameName>,
) -> Result<Json<Removed>, ApiError> {
    check(peer)?;
    blocking(move || {
        let games = app.pool.change(|store| match store.row_of(id)? {
            Some(row) => store.remove(&[row]),
            None => Ok(0),
        })?;
        if games == 0 {
            let message = format!("there is no game {id} in the store");
            return Err(ApiError::not_found(message));
        }
        Ok(Json(Removed { games }))
    })
    .await
}

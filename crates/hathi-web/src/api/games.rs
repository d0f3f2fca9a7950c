//! The games themselves.

use std::ops::ControlFlow;

use axum::Json;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::Uri;
use axum::response::Response;
use hathi_archive::{ArchiveWriter, GameId, plain};
use hathi_rules::Game;
use hathi_store::{GameRow, Memory, Moves, Page, StoredGame};
use hathi_view::{GameDetail, GameView};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::answer;
use crate::error::{ApiError, ErrorBody};
use crate::extract::{Ask, Body, GameName, Part};
use crate::filter::FilterParams;
use crate::read::{self, Pasted};
use crate::state::App;

/// Games on a page at most.
const MOST: usize = 500;

/// Which page.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct PageParams {
    /// Games on the page.
    #[serde(default = "fifty")]
    #[param(default = 50, minimum = 0, maximum = 500)]
    limit: usize,
    /// Which come first: those added last, or those added first.
    #[serde(default)]
    #[param(inline, default = "newest")]
    order: Order,
    /// `next` of the page before.
    after: Option<i64>,
}

const fn fifty() -> usize {
    50
}

/// Which come first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum Order {
    #[default]
    Newest,
    Oldest,
}

/// A page of games.
#[derive(Serialize, ToSchema)]
pub(crate) struct GamePage {
    /// Games that fit, on all pages.
    total: u64,
    games: Vec<GameView>,
    /// `after` of the next page; none on the last.
    next: Option<i64>,
}

/// The games of the store
#[utoipa::path(
    get, path = "/games", tag = "games",
    params(PageParams, FilterParams),
    responses((status = 200, body = GamePage), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn games(
    State(app): State<App>,
    uri: Uri,
    Ask(params): Ask<PageParams>,
    Ask(filter): Ask<FilterParams>,
) -> Result<Response, ApiError> {
    let limit = answer::limit(params.limit, MOST)?;
    let filter = filter.filter()?;
    answer::cached(&app, &uri, move |store| {
        // One more tells whether there is another page.
        let page = Page {
            limit: Some(limit as u64 + 1),
            newest_first: params.order == Order::Newest,
            after: params.after.map(GameRow::new),
            with_logs: false,
        };
        let mut rows = Vec::new();
        store.visit_page(&filter, page, &mut |game| {
            rows.push((game.row, GameView::from(&game)));
            ControlFlow::Continue(())
        })?;
        let more = rows.len() > limit;
        rows.truncate(limit);
        Ok(GamePage {
            total: store.count(&filter)?,
            next: rows.last().filter(|_| more).map(|(row, _)| row.get()),
            games: rows.into_iter().map(|(_, game)| game).collect(),
        })
    })
    .await
}

/// Whose names.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct PlayerParams {
    /// A part of the name, in letters of any case.
    #[param(example = "om")]
    name: String,
    /// Names to show.
    #[serde(default = "fifty")]
    #[param(default = 50, minimum = 0, maximum = 500)]
    limit: usize,
}

/// Names of players.
#[derive(Serialize, ToSchema)]
pub(crate) struct PlayerNames {
    /// Those that begin with it first.
    names: Vec<String>,
}

/// Players whose names contain something, for completing what is typed
#[utoipa::path(
    get, path = "/players", tag = "games", params(PlayerParams),
    responses((status = 200, body = PlayerNames), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn players(
    State(app): State<App>,
    uri: Uri,
    Ask(params): Ask<PlayerParams>,
) -> Result<Response, ApiError> {
    let limit = u32::try_from(answer::limit(params.limit, MOST)?).unwrap_or_default();
    answer::cached(&app, &uri, move |store| {
        Ok(PlayerNames {
            names: store.player_names(params.name.trim(), limit)?,
        })
    })
    .await
}

/// The game of a row, replayed.
pub(super) fn replayed(stored: &StoredGame) -> Result<Game, ApiError> {
    stored
        .moves
        .replay(stored.game.rules())
        .map_err(|error| ApiError::store(format!("game {}: {error}", stored.game.id)))
}

/// The game that is known by this, with its log.
pub(super) fn stored(store: &dyn Memory, id: GameId) -> Result<StoredGame, ApiError> {
    let missing = || ApiError::not_found(format!("there is no game {id} in the store"));
    let row = store.row_of(id)?.ok_or_else(missing)?;
    let mut stored = store.game(row)?.ok_or_else(missing)?;
    stored.game.events = store.log(row)?;
    Ok(stored)
}

/// One game, with every position
#[utoipa::path(
    get, path = "/games/{id}", tag = "games",
    params(("id" = String, Path, description = "Its number in the archive, or source and number such as sample:15", example = "sample:15")),
    responses((status = 200, body = GameDetail), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn game(
    State(app): State<App>,
    uri: Uri,
    Part(GameName(id)): Part<GameName>,
) -> Result<Response, ApiError> {
    answer::cached(&app, &uri, move |store| {
        let stored = stored(store, id)?;
        let game = replayed(&stored)?;
        let outcome = stored.game.recorded().or(game.outcome());
        let id = stored.game.id.to_string();
        let fault = stored.fault.clone();
        Ok(GameDetail {
            stored: Some(id),
            ..GameDetail::new(&stored.game, &game, outcome, fault)
        })
    })
    .await
}

/// One game as archive text, to keep or to import elsewhere
#[utoipa::path(
    get, path = "/games/{id}/archive", tag = "games",
    params(("id" = String, Path, description = "Its number in the archive, or source and number such as sample:15", example = "sample:15")),
    responses((status = 200, body = String, content_type = "text/plain"), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn archive(
    State(app): State<App>,
    Part(GameName(id)): Part<GameName>,
) -> Result<Response, ApiError> {
    let text = app
        .pool
        .ask(move |store| archive_text(std::iter::once(stored(store, id)?)))
        .await?;
    Ok(answer::attachment(
        &format!("game-{}.txt", id.file_stem()),
        text,
    ))
}

/// Games in the archive format.
pub(super) fn archive_text(games: impl Iterator<Item = StoredGame>) -> Result<Vec<u8>, ApiError> {
    let unwritten = |error: std::io::Error| ApiError::internal(error.to_string());
    let mut writer = ArchiveWriter::new(Vec::new()).map_err(unwritten)?;
    for game in games {
        // The store keeps moves, not text.
        let recorded = game.game.recorded();
        let played = replayed(&game)?;
        let written = game.game.with_game(&played, recorded);
        writer.write(&written).map_err(unwritten)?;
    }
    writer.finish().map_err(unwritten)
}

/// One game as a move list, below who played, when and how it ended
#[utoipa::path(
    get, path = "/games/{id}/notation", tag = "games",
    params(("id" = String, Path, description = "Its number in the archive, or source and number such as sample:15", example = "sample:15")),
    responses((status = 200, body = String, content_type = "text/plain"), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn notation(
    State(app): State<App>,
    Part(GameName(id)): Part<GameName>,
) -> Result<Response, ApiError> {
    let text = app
        .pool
        .ask(move |store| {
            let stored = stored(store, id)?;
            let game = replayed(&stored)?;
            let fault = stored.fault.as_deref();
            Ok(plain::notation(&stored.game, &game, fault))
        })
        .await?;
    Ok(answer::attachment(
        &format!("game-{}-moves.txt", id.file_stem()),
        text,
    ))
}

/// Text of a game.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct TextBody {
    /// A move list, a row of an archive, or a position.
    text: String,
}

/// Read a game: a pasted move list, a row of an archive, or a position; says whether it is in the store
#[utoipa::path(
    post, path = "/read", tag = "games", request_body = TextBody,
    responses((status = 200, body = GameDetail), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn read(
    State(app): State<App>,
    Body(body): Body<TextBody>,
) -> Result<Json<GameDetail>, ApiError> {
    let pasted = app.errand(move || read::game(&body.text)).await?;
    let (pasted, stored) = recognised(&app, pasted).await?;
    let outcome = pasted.outcome.or(pasted.game.outcome());
    Ok(Json(GameDetail {
        stored: stored.map(|id| id.to_string()),
        ..GameDetail::new(&pasted.about, &pasted.game, outcome, pasted.fault)
    }))
}

/// What a pasted game is known by, if it is in the store: the one it names, or
/// the first with the same moves.
pub(super) async fn recognised(
    app: &App,
    pasted: Pasted,
) -> Result<(Pasted, Option<GameId>), ApiError> {
    let Some(moves) = Moves::of_game(&pasted.game) else {
        return Ok((pasted, None));
    };
    app.pool
        .ask(move |store| {
            let known = store.with_moves(&moves)?;
            let named = known.iter().find(|&&id| id == pasted.about.id);
            let stored = named.or(known.first()).copied();
            Ok((pasted, stored))
        })
        .await
}

/// Routes that take long texts.
pub(super) fn pasting(most: usize) -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(read))
        .layer(DefaultBodyLimit::max(most))
}

//! Tournaments: start, watch, pause, go on.

use std::ops::ControlFlow;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use hathi_archive::{ArchiveReader, Replayer};
use hathi_view::{GameDetail, GameView};
use serde::Serialize;
use tokio::sync::broadcast::error::RecvError;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::arenas::{Arena, ArenaView, Settings, State as Standing};
use crate::error::{ApiError, ErrorBody};
use crate::extract::{Body, Part};
use crate::pool::blocking;
use crate::state::App;
use crate::stream;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list, start))
        .routes(routes!(one))
        .routes(routes!(events))
        .routes(routes!(pause))
        .routes(routes!(resume))
        .routes(routes!(stop))
        .routes(routes!(games))
        .routes(routes!(game))
}

/// All tournaments.
#[derive(Serialize, ToSchema)]
pub(crate) struct ArenaList {
    arenas: Vec<ArenaView>,
}

/// All tournaments, newest first
#[utoipa::path(get, path = "/arenas", tag = "watch", responses((status = 200, body = ArenaList), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)))]
pub(crate) async fn list(State(app): State<App>) -> Json<ArenaList> {
    let arenas = app.arenas.list();
    Json(ArenaList {
        arenas: arenas.iter().map(|arena| arena.view(false)).collect(),
    })
}

/// Start a tournament
#[utoipa::path(
    post, path = "/arenas", tag = "watch", request_body = Settings,
    responses((status = 201, body = ArenaView), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn start(
    State(app): State<App>,
    Body(settings): Body<Settings>,
) -> Result<(StatusCode, Json<ArenaView>), ApiError> {
    let arena = blocking(move || app.arenas.start(&app, settings)).await?;
    Ok((StatusCode::CREATED, Json(arena.view(true))))
}

/// One tournament
#[utoipa::path(
    get, path = "/arenas/{id}", tag = "watch", params(("id" = String, Path)),
    responses((status = 200, body = ArenaView), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn one(
    State(app): State<App>,
    Part(id): Part<String>,
) -> Result<Json<ArenaView>, ApiError> {
    Ok(Json(app.arenas.get(&id)?.view(true)))
}

/// Pause; resume goes on
#[utoipa::path(
    post, path = "/arenas/{id}/pause", tag = "watch", params(("id" = String, Path)),
    responses((status = 200, body = ArenaView), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn pause(
    State(app): State<App>,
    Part(id): Part<String>,
) -> Result<Json<ArenaView>, ApiError> {
    Ok(Json(app.arenas.halt(&id, Standing::Paused)?.view(true)))
}

/// Stop
#[utoipa::path(
    post, path = "/arenas/{id}/stop", tag = "watch", params(("id" = String, Path)),
    responses((status = 200, body = ArenaView), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn stop(
    State(app): State<App>,
    Part(id): Part<String>,
) -> Result<Json<ArenaView>, ApiError> {
    Ok(Json(app.arenas.halt(&id, Standing::Stopped)?.view(true)))
}

/// Go on with a tournament that was paused or stopped
#[utoipa::path(
    post, path = "/arenas/{id}/resume", tag = "watch", params(("id" = String, Path)),
    responses((status = 200, body = ArenaView), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn resume(
    State(app): State<App>,
    Part(id): Part<String>,
) -> Result<Json<ArenaView>, ApiError> {
    let arena = blocking(move || app.arenas.resume(&app, &id)).await?;
    Ok(Json(arena.view(true)))
}

/// The tournament as it goes on: events `arena`, `started`, `moved`, `finished`, `done`
#[utoipa::path(
    get, path = "/arenas/{id}/events", tag = "watch", params(("id" = String, Path)),
    responses((status = 200, body = String, content_type = "text/event-stream"), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn events(
    State(app): State<App>,
    Part(id): Part<String>,
) -> Result<Response, ApiError> {
    let arena = app.arenas.get(&id)?;
    let (sender, response) = stream::open(&app)?;
    tokio::spawn(async move {
        let mut heard = arena.events();
        let view = arena.view(true);
        let running = view.state == Standing::Running;
        if sender.send_async("arena", &view).await.is_err() {
            return;
        }
        loop {
            if !running {
                break;
            }
            let event = tokio::select! {
                event = heard.recv() => event,
                () = sender.closed() => return,
            };
            let sent = match event {
                Ok(("done", _)) | Err(RecvError::Closed) => break,
                Ok((name, data)) => sender.send_async(name, &*data).await,
                // Too slow for single moves: the whole again.
                Err(RecvError::Lagged(_)) => sender.send_async("arena", &arena.view(true)).await,
            };
            if sent.is_err() {
                return;
            }
        }
        sender.finish_async(Ok(serde_json::json!({}))).await;
    });
    Ok(response)
}

/// Games of a tournament.
#[derive(Serialize, ToSchema)]
pub(crate) struct ArenaGames {
    games: Vec<GameView>,
}

/// The finished games of a tournament; their numbers count from 1
#[utoipa::path(
    get, path = "/arenas/{id}/games", tag = "watch", params(("id" = String, Path)),
    responses((status = 200, body = ArenaGames), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn games(
    State(app): State<App>,
    Part(id): Part<String>,
) -> Result<Json<ArenaGames>, ApiError> {
    let arena = app.arenas.get(&id)?;
    blocking(move || {
        let mut games = Vec::new();
        let mut replayer = Replayer::new();
        for_each(&arena, |row| {
            let turns = replayer.replay(row).game.turns().len();
            games.push(GameView::new(&row.to_game(), turns, None));
            ControlFlow::Continue(())
        })?;
        Ok(Json(ArenaGames { games }))
    })
    .await
}

/// A game of a tournament, with every position
#[utoipa::path(
    get, path = "/arenas/{id}/games/{number}", tag = "watch",
    params(("id" = String, Path), ("number" = u64, Path, description = "From 1")),
    responses((status = 200, body = GameDetail), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn game(
    State(app): State<App>,
    Part((id, number)): Part<(String, u64)>,
) -> Result<Json<GameDetail>, ApiError> {
    let arena = app.arenas.get(&id)?;
    blocking(move || {
        let mut found = None;
        for_each(&arena, |row| {
            if row.id().number() != number {
                return ControlFlow::Continue(());
            }
            let about = row.to_game_with_events();
            let mut replayer = Replayer::new();
            let replayed = replayer.replay(row);
            let outcome = about.recorded().or(replayed.outcome);
            found = Some(GameDetail::new(&about, replayed.game, outcome, None));
            ControlFlow::Break(())
        })?;
        found
            .map(Json)
            .ok_or_else(|| ApiError::not_found(format!("game {number} is not finished")))
    })
    .await
}

fn for_each(
    arena: &Arena,
    mut visit: impl FnMut(&hathi_archive::RawRow<'_>) -> ControlFlow<()>,
) -> Result<(), ApiError> {
    let path = arena.folder.join("games.txt");
    if !path.is_file() {
        return Ok(());
    }
    let unreadable = |error: &dyn std::fmt::Display| ApiError::internal(error.to_string());
    let reader = ArchiveReader::open([&path]).map_err(|error| unreadable(&error))?;
    let _ = reader.for_each(|row| match row {
        Ok(row) => visit(&row),
        // The last one may be half written.
        Err(_) => ControlFlow::Continue(()),
    });
    Ok(())
}

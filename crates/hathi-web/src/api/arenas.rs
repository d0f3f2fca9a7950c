//! Tournaments: start, watch, pause, go on.

use std::ops::ControlFlow;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::middleware::from_fn;
use axum::response::Response;
use hathi_archive::{ArchiveReader, Replayer};
use hathi_view::{GameDetail, GameView};
use serde::{Deserialize, Serialize};
use tokio::sync::broadcast::error::RecvError;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::answer;
use super::plays::ListParams;
use crate::arenas::{Arena, ArenaView, Settings, State as Standing};
use crate::client::{Client, know};
use crate::error::{ApiError, ErrorBody};
use crate::extract::{Ask, Body, Part};
use crate::state::App;
use crate::stream;

/// Games on a page at most.
const MOST_GAMES: usize = 500;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list, start))
        .routes(routes!(one, delete))
        .routes(routes!(events))
        .routes(routes!(pause))
        .routes(routes!(resume))
        .routes(routes!(stop))
        .routes(routes!(games))
        .routes(routes!(game))
        .layer(from_fn(know))
}

/// All tournaments.
#[derive(Serialize, ToSchema)]
pub(crate) struct ArenaList {
    arenas: Vec<ArenaView>,
    /// On all pages.
    total: usize,
}

/// All tournaments, newest first
#[utoipa::path(get, path = "/arenas", tag = "watch", params(ListParams), responses((status = 200, body = ArenaList), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)))]
pub(crate) async fn list(
    State(app): State<App>,
    client: Client,
    Ask(page): Ask<ListParams>,
) -> Result<Json<ArenaList>, ApiError> {
    let arenas = app.arenas.list();
    Ok(Json(ArenaList {
        total: arenas.len(),
        arenas: page
            .page(arenas)?
            .map(|arena| arena.view(&client, false))
            .collect(),
    }))
}

/// Start a tournament
#[utoipa::path(
    post, path = "/arenas", tag = "watch", request_body = Settings,
    responses((status = 201, body = ArenaView), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn start(
    State(app): State<App>,
    client: Client,
    Body(settings): Body<Settings>,
) -> Result<(StatusCode, Json<ArenaView>), ApiError> {
    let (shared, owner) = (app.clone(), client.clone());
    let start = app.errand(move || shared.arenas.start(&shared, &owner, settings));
    let arena = start.await?;
    Ok((StatusCode::CREATED, Json(arena.view(&client, true))))
}

/// One tournament
#[utoipa::path(
    get, path = "/arenas/{id}", tag = "watch", params(("id" = String, Path)),
    responses((status = 200, body = ArenaView), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn one(
    State(app): State<App>,
    client: Client,
    Part(id): Part<String>,
) -> Result<Json<ArenaView>, ApiError> {
    Ok(Json(app.arenas.get(&id)?.view(&client, true)))
}

/// Delete a tournament and its games
#[utoipa::path(
    delete, path = "/arenas/{id}", tag = "watch", params(("id" = String, Path)),
    responses((status = 204), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn delete(
    State(app): State<App>,
    client: Client,
    Part(id): Part<String>,
) -> Result<StatusCode, ApiError> {
    let shared = app.clone();
    app.errand(move || shared.arenas.delete(&client, &id))
        .await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Pause; resume goes on
#[utoipa::path(
    post, path = "/arenas/{id}/pause", tag = "watch", params(("id" = String, Path)),
    responses((status = 200, body = ArenaView), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn pause(
    State(app): State<App>,
    client: Client,
    Part(id): Part<String>,
) -> Result<Json<ArenaView>, ApiError> {
    let arena = app.arenas.halt(&client, &id, Standing::Paused)?;
    Ok(Json(arena.view(&client, true)))
}

/// Stop
#[utoipa::path(
    post, path = "/arenas/{id}/stop", tag = "watch", params(("id" = String, Path)),
    responses((status = 200, body = ArenaView), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn stop(
    State(app): State<App>,
    client: Client,
    Part(id): Part<String>,
) -> Result<Json<ArenaView>, ApiError> {
    let arena = app.arenas.halt(&client, &id, Standing::Stopped)?;
    Ok(Json(arena.view(&client, true)))
}

/// Go on with a tournament that was paused or stopped
#[utoipa::path(
    post, path = "/arenas/{id}/resume", tag = "watch", params(("id" = String, Path)),
    responses((status = 200, body = ArenaView), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn resume(
    State(app): State<App>,
    client: Client,
    Part(id): Part<String>,
) -> Result<Json<ArenaView>, ApiError> {
    let (shared, owner) = (app.clone(), client.clone());
    let resume = app.errand(move || shared.arenas.resume(&shared, &owner, &id));
    Ok(Json(resume.await?.view(&client, true)))
}

/// The tournament as it goes on: events `arena`, `started`, `moved`, `finished`, `done`
#[utoipa::path(
    get, path = "/arenas/{id}/events", tag = "watch", params(("id" = String, Path)),
    responses((status = 200, body = String, content_type = "text/event-stream"), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn events(
    State(app): State<App>,
    client: Client,
    Part(id): Part<String>,
) -> Result<Response, ApiError> {
    let arena = app.arenas.get(&id)?;
    let (sender, response) = stream::open(&app)?;
    tokio::spawn(async move {
        let mut heard = arena.events();
        let mut changes = arena.changes();
        let view = arena.view(&client, true);
        let running = view.state == Standing::Running;
        if sender.send_async("arena", &view).await.is_err() {
            return;
        }
        loop {
            if !running {
                break;
            }
            let event = tokio::select! {
                // What has changed is told before that it is over.
                biased;
                Ok(()) = changes.changed() => {
                    if sender.send_async("arena", &arena.view(&client, true)).await.is_err() {
                        return;
                    }
                    continue;
                }
                event = heard.recv() => event,
                () = sender.closed() => return,
            };
            let sent = match event {
                Ok(("done", _)) | Err(RecvError::Closed) => break,
                Ok((name, data)) => sender.send_async(name, &*data).await,
                // Too slow for single moves: the whole again.
                Err(RecvError::Lagged(_)) => {
                    sender.send_async("arena", &arena.view(&client, true)).await
                }
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
    /// On all pages.
    total: usize,
}

/// Which page of games.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct GamesParams {
    /// How many.
    #[serde(default = "two_hundred")]
    #[param(default = 200, minimum = 0, maximum = 500)]
    limit: usize,
    /// How many to leave out first.
    #[serde(default)]
    #[param(default = 0, minimum = 0)]
    offset: usize,
    /// Which come first: those that ended last, or those that ended first.
    #[serde(default)]
    #[param(inline, default = "oldest")]
    order: Order,
}

/// Which come first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum Order {
    #[default]
    Oldest,
    Newest,
}

const fn two_hundred() -> usize {
    200
}

/// The finished games of a tournament; their numbers count from 1
#[utoipa::path(
    get, path = "/arenas/{id}/games", tag = "watch", params(("id" = String, Path), GamesParams),
    responses((status = 200, body = ArenaGames), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn games(
    State(app): State<App>,
    Part(id): Part<String>,
    Ask(page): Ask<GamesParams>,
) -> Result<Json<ArenaGames>, ApiError> {
    let arena = app.arenas.get(&id)?;
    let limit = answer::limit(page.limit, MOST_GAMES)?;
    app.errand(move || {
        let mut games = Vec::new();
        let mut replayer = Replayer::new();
        let mut total = 0;
        for_each(&arena, |_| {
            total += 1;
            ControlFlow::Continue(())
        })?;
        let first = page.offset.min(total);
        let last = first.saturating_add(limit).min(total);
        let wanted = match page.order {
            Order::Oldest => first..last,
            Order::Newest => total - last..total - first,
        };
        let mut number = 0;
        for_each(&arena, |row| {
            if wanted.contains(&number) {
                let turns = replayer.replay(row).game.turns().len();
                games.push(GameView::new(&row.to_game(), turns, None));
            }
            number += 1;
            ControlFlow::Continue(())
        })?;
        if page.order == Order::Newest {
            games.reverse();
        }
        Ok(Json(ArenaGames { games, total }))
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
    app.errand(move || {
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

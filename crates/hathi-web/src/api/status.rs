//! What this server is and has.

use axum::Json;
use axum::extract::State;
use hathi_engine::{EngineKind, OPTIONS};
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::{ApiError, ErrorBody};
use crate::state::App;

/// What this server is and has.
#[derive(Serialize, ToSchema)]
pub(crate) struct Status {
    name: &'static str,
    version: &'static str,
    /// The version of this API.
    api: u32,
    store: StoreStatus,
    arena_running: bool,
    /// Games against engines under way.
    plays: usize,
    limits: LimitsView,
}

/// The store.
#[derive(Serialize, ToSchema)]
pub(crate) struct StoreStatus {
    place: String,
    games: u64,
    positions: u64,
    players: u64,
    puzzles: u64,
    /// Can positions be found?
    ready: bool,
    /// What is wrong with the index, if anything is.
    trouble: Option<String>,
}

/// How much is too much.
#[derive(Serialize, ToSchema)]
pub(crate) struct LimitsView {
    plays_per_client: usize,
    think_seconds: u32,
    search_results: usize,
    arena_games: u64,
}

/// What this server is and has
#[utoipa::path(get, path = "/status", tag = "status", responses((status = 200, body = Status), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)))]
pub(crate) async fn status(State(app): State<App>) -> Result<Json<Status>, ApiError> {
    let place = app.pool.place().to_string();
    let store = app
        .pool
        .ask(move |store| {
            let totals = store.totals()?;
            Ok(StoreStatus {
                place,
                games: totals.games,
                positions: totals.positions,
                players: totals.players,
                puzzles: totals.puzzles,
                ready: store.is_ready(),
                trouble: store
                    .index_trouble()
                    .filter(|_| totals.games > 0)
                    .map(ToString::to_string),
            })
        })
        .await?;
    let limits = &app.config.limits;
    Ok(Json(Status {
        name: "hathi",
        version: env!("CARGO_PKG_VERSION"),
        api: 1,
        store,
        arena_running: app.arenas.is_running(),
        plays: app.plays.running(),
        limits: LimitsView {
            plays_per_client: limits.plays_per_client,
            think_seconds: limits.think_seconds,
            search_results: limits.search_results,
            arena_games: limits.arena_games,
        },
    }))
}

/// The engines there are.
#[derive(Serialize, ToSchema)]
pub(crate) struct Engines {
    engines: Vec<EngineView>,
    options: Vec<OptionView>,
}

/// An engine.
#[derive(Serialize, ToSchema)]
pub(crate) struct EngineView {
    name: &'static str,
    about: &'static str,
    /// Does it play from the store?
    memory: bool,
}

/// An option of engines.
#[derive(Serialize, ToSchema)]
pub(crate) struct OptionView {
    name: &'static str,
    about: &'static str,
}

/// The engines there are, and their options
#[utoipa::path(get, path = "/engines", tag = "engines", responses((status = 200, body = Engines), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)))]
pub(crate) async fn engines() -> Json<Engines> {
    Json(Engines {
        engines: EngineKind::ALL
            .into_iter()
            .map(|kind| EngineView {
                name: kind.name(),
                about: kind.about(),
                memory: kind.name().starts_with("mimic"),
            })
            .collect(),
        options: OPTIONS
            .iter()
            .filter(|option| option.is_for_anybody())
            .map(|option| OptionView {
                name: option.name,
                about: option.about,
            })
            .collect(),
    })
}

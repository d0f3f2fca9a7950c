//! What this server is and has.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::State;
use hathi_engine::{EngineKind, OPTIONS, PlayLevel, RATING_SCALE};
use hathi_store::Memory;
use hathi_view::{SourceList, SourceView};
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::{ApiError, ErrorBody};
use crate::pool::lock;
use crate::queue::{Places, Queue};
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
    /// Other engines of this machine that look at positions (`/analyse-by`).
    analysis_engines: Vec<String>,
    limits: LimitsView,
}

/// The store.
#[derive(Clone, Serialize, ToSchema)]
pub(crate) struct StoreStatus {
    place: String,
    /// Games that count where no source is chosen.
    games: u64,
    /// Their positions.
    positions: u64,
    /// Where the games are from, those that do not count among them.
    sources: Vec<SourceView>,
    players: u64,
    /// Puzzles that can be played.
    puzzles: u64,
    /// Can positions be found?
    ready: bool,
    /// Why the index cannot be built, if it cannot: the server keeps it in order itself.
    trouble: Option<String>,
}

/// How much is too much.
#[derive(Serialize, ToSchema)]
pub(crate) struct LimitsView {
    plays_per_client: usize,
    think_seconds: u32,
    search_results: usize,
    arena_games: u64,
    /// Threads an engine may have.
    engine_threads: usize,
    /// Megabytes an engine may have.
    engine_megabytes: usize,
}

/// How long what was seen of the store may be told again.
const FRESH: Duration = Duration::from_secs(1);

/// How long a look at the store is waited for when an older one is known.
const PATIENCE: Duration = Duration::from_millis(300);

/// What the store was like, when it was last looked at. Whether the server is
/// well is asked most when it is busy: the answer must not stand in a queue.
pub(crate) struct Seen {
    last: Mutex<Option<(u64, Instant, StoreStatus)>>,
    looking: Queue,
}

impl Default for Seen {
    fn default() -> Seen {
        Seen {
            last: Mutex::default(),
            // One looks, whoever else asks waits for it or takes the last one.
            looking: Queue::new(Places::of(1, 256)),
        }
    }
}

impl Seen {
    /// What is known of this version of the store, if it is not too old.
    fn fresh(&self, version: u64) -> Option<StoreStatus> {
        let last = lock(&self.last);
        let known = last.as_ref();
        known
            .filter(|(known, when, _)| *known == version && when.elapsed() < FRESH)
            .map(|(_, _, status)| status.clone())
    }
}

async fn seen(app: &App) -> Result<StoreStatus, ApiError> {
    if let Some(status) = app.seen.fresh(app.pool.version()) {
        return Ok(status);
    }
    let shared = app.clone();
    let look = app.seen.looking.run(app.config.limits.patience, move || {
        let version = shared.pool.version();
        // Somebody before may have looked.
        if let Some(status) = shared.seen.fresh(version) {
            return Ok(status);
        }
        let place = shared.discreet(shared.pool.place().to_string());
        let trouble = shared.pool.trouble().map(|words| shared.discreet(words));
        let status = look(&*shared.pool.borrow()?, place, trouble)?;
        *lock(&shared.seen.last) = Some((version, Instant::now(), status.clone()));
        Ok(status)
    });
    let old = lock(&app.seen.last).as_ref().map(|(.., old)| old.clone());
    match old {
        None => look.await,
        Some(old) => match tokio::time::timeout(PATIENCE, look).await {
            Ok(Ok(status)) => Ok(status),
            Ok(Err(error)) if error.code != "busy" => Err(error),
            _ => Ok(old),
        },
    }
}

fn look(
    store: &dyn Memory,
    place: String,
    trouble: Option<String>,
) -> Result<StoreStatus, ApiError> {
    let totals = store.totals()?;
    let counted = SourceList::of(store)?;
    Ok(StoreStatus {
        place,
        games: counted.games,
        positions: counted.positions,
        sources: counted.sources,
        players: totals.players,
        puzzles: totals.puzzles,
        ready: store.is_ready(),
        trouble,
    })
}

/// What this server is and has
#[utoipa::path(get, path = "/status", tag = "status", responses((status = 200, body = Status), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)))]
pub(crate) async fn status(State(app): State<App>) -> Result<Json<Status>, ApiError> {
    let store = seen(&app).await?;
    let limits = &app.config.limits;
    Ok(Json(Status {
        name: "hathi",
        version: env!("CARGO_PKG_VERSION"),
        api: 1,
        store,
        arena_running: app.arenas.is_running(),
        plays: app.plays.running(),
        analysis_engines: (app.config.analysis_engines().iter())
            .map(|engine| engine.name.clone())
            .collect(),
        limits: LimitsView {
            plays_per_client: limits.plays_per_client,
            think_seconds: limits.think_seconds,
            search_results: limits.search_results,
            arena_games: limits.arena_games,
            engine_threads: crate::engines::most_threads(),
            engine_megabytes: limits.hash,
        },
    }))
}

/// The engines there are.
#[derive(Serialize, ToSchema)]
#[allow(clippy::struct_field_names)] // the names are those of the API
pub(crate) struct Engines {
    /// For people to play against, weakest first.
    levels: Vec<LevelView>,
    /// What the ratings of levels are counted from.
    scale: &'static str,
    /// All others, weakest first.
    engines: Vec<EngineView>,
    options: Vec<OptionView>,
}

/// An engine.
#[derive(Serialize, ToSchema)]
pub(crate) struct EngineView {
    name: &'static str,
    about: &'static str,
    /// What it is like to play against.
    for_players: &'static str,
    /// Does it play from the store?
    memory: bool,
}

/// A level to play against.
#[derive(Serialize, ToSchema)]
pub(crate) struct LevelView {
    /// From 1.
    level: usize,
    /// The engine's name, such as `level-3`.
    engine: &'static str,
    /// What people call it.
    name: &'static str,
    about: &'static str,
    /// As it was measured.
    rating: i32,
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
        levels: PlayLevel::all()
            .map(|level| LevelView {
                level: level.number(),
                engine: level.engine(),
                name: level.name(),
                about: level.about(),
                rating: level.rating(),
            })
            .collect(),
        scale: RATING_SCALE,
        engines: EngineKind::ALL
            .into_iter()
            .map(|kind| EngineView {
                name: kind.name(),
                about: kind.about(),
                for_players: kind.for_players(),
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

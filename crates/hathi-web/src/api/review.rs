//! A game looked at again: what the memory knew, what the engine thinks.

use axum::Json;
use axum::extract::{DefaultBodyLimit, State};
use axum::response::Response;
use hathi_archive::unix_time;
use hathi_engine::{Engine, Limits, REVIEW_NODES, judge, last_moved};
use hathi_rules::{Game, Ply, Role, Turn};
use hathi_store::{GameRow, Kind, Memory, PositionQuestion, StoreError, nearest_trap};
use hathi_view::{JudgedView, ReviewCount, ReviewSummary, ReviewView};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::games::{recognised, replayed, stored};
use super::lab::phases::TurnPhase;
use crate::asker::Asker;
use crate::engines::{self, Purpose};
use crate::error::{ApiError, ErrorBody};
use crate::extract::{Ask, Body, GameName, Part};
use crate::pool::blocking;
use crate::read;
use crate::state::App;
use crate::stream::{self, Gone, Sender};

/// How to look.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ReviewParams {
    /// NAME or NAME:OPTION=VALUE,...; one that searches
    #[serde(default = "usual_engine")]
    #[param(default = "hathi:hash=32", example = "hathi:depth=2")]
    engine: String,
    /// For a turn.
    #[param(minimum = 0.001, maximum = 60.0, example = 0.01)]
    seconds: Option<f64>,
    /// Positions to look at for a turn: the same marks every time; 100,000 if
    /// nothing is said.
    nodes: Option<u64>,
    /// Look again, even if the same review is kept with the game.
    #[serde(default)]
    again: bool,
    /// Only what the memory knows: no engine looks, and `done` says null.
    #[serde(default)]
    memory: bool,
}

fn usual_engine() -> String {
    format!("{}:hash=32", hathi_engine::EngineKind::USUAL.name())
}

/// A pasted game, and how to look at it.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct ReviewBody {
    /// A move list or a row of an archive.
    text: String,
    #[serde(default = "usual_engine")]
    engine: String,
    /// For a turn.
    seconds: Option<f64>,
    /// Positions to look at for a turn.
    nodes: Option<u64>,
    /// Only what the memory knows: no engine looks, and `done` says null.
    #[serde(default)]
    memory: bool,
}

/// Review a game of the store: events `start`, `known` and `phase`..., `left`, `turn`..., `done`
#[utoipa::path(
    get, path = "/games/{id}/review", tag = "review",
    params(("id" = String, Path, description = "Its number in the archive, or source and number such as sample:15", example = "sample:15"), ReviewParams),
    responses((status = 200, body = String, content_type = "text/event-stream"), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn stored_game(
    State(app): State<App>,
    Part(GameName(id)): Part<GameName>,
    Ask(params): Ask<ReviewParams>,
) -> Result<Response, ApiError> {
    let (game, row, kept) = app
        .pool
        .ask(move |store| {
            let stored = stored(store, id)?;
            let kept = store.review(stored.row)?;
            Ok((replayed(&stored)?, stored.row, kept))
        })
        .await?;
    let kept = kept.and_then(ReviewView::read);
    let kept = kept.filter(|kept| kept.turns.len() == game.turns().len());
    review(&app, game, &params, Some(row), kept)
}

/// What is kept of a game's review.
#[derive(Serialize, ToSchema)]
pub(crate) struct KeptReviewView {
    /// None if nobody has reviewed the game yet.
    review: Option<ReviewView>,
}

/// The review that is kept with a game
#[utoipa::path(
    get, path = "/games/{id}/kept-review", tag = "review",
    params(("id" = String, Path, description = "Its number in the archive, or source and number such as sample:15", example = "sample:15")),
    responses((status = 200, body = KeptReviewView), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn kept_review(
    State(app): State<App>,
    Part(GameName(id)): Part<GameName>,
) -> Result<Json<KeptReviewView>, ApiError> {
    let kept = app
        .pool
        .ask(move |store| Ok(store.review(stored(store, id)?.row)?))
        .await?;
    Ok(Json(KeptReviewView {
        review: kept.and_then(ReviewView::read),
    }))
}

/// Review a pasted game: the same events
#[utoipa::path(
    post, path = "/review", tag = "review", request_body = ReviewBody,
    responses((status = 200, body = String, content_type = "text/event-stream"), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn pasted_game(
    State(app): State<App>,
    Body(body): Body<ReviewBody>,
) -> Result<Response, ApiError> {
    let text = body.text;
    let pasted = app.errand(move || read::game(&text)).await?;
    let (pasted, stored) = recognised(&app, pasted).await?;
    let params = ReviewParams {
        engine: body.engine,
        seconds: body.seconds,
        nodes: body.nodes,
        again: true,
        memory: body.memory,
    };
    let row = match stored {
        Some(id) => app.pool.ask(move |store| Ok(store.row_of(id)?)).await?,
        None => None,
    };
    review(&app, pasted.game, &params, row, None)
}

/// Routes that take long texts.
pub(super) fn pasting(most: usize) -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(pasted_game))
        .layer(DefaultBodyLimit::max(most))
}

fn review(
    app: &App,
    game: Game,
    params: &ReviewParams,
    row: Option<GameRow>,
    kept: Option<ReviewView>,
) -> Result<Response, ApiError> {
    let spec = engines::spec(app, &params.engine, Purpose::Long)?;
    let (sender, response) = stream::open(app)?;
    let nodes = match (params.seconds, params.nodes) {
        (None, None) => Some(REVIEW_NODES),
        (_, nodes) => nodes,
    };
    // As it is kept: reviews that nobody can make again are not.
    let engine_text = engines::read(app, &params.engine, Purpose::Long)?.to_string();
    let same = |kept: &ReviewView| {
        !params.again && nodes.is_some_and(|nodes| kept.answers(&engine_text, nodes))
    };
    let kept = kept.filter(same);
    let is_usual = spec.kind == hathi_engine::EngineKind::USUAL;
    let keep = row
        .filter(|_| is_usual && params.seconds.is_none())
        .zip(nodes)
        .map(|(row, nodes)| (row, engine_text, nodes));
    let limits = engines::limits(app, params.seconds, nodes, None, 0.5, &sender.stop)?;
    let memory_only = params.memory;
    let app = app.clone();
    let asker = Asker::current();
    tokio::spawn(asker.scope(async move {
        let result = async {
            let _place = app.reviews.place(asker).await?;
            let (events, asked) = (sender.clone(), game.clone());
            app.pool
                .ask(move |store| known(store, &asked, row.is_some(), &events))
                .await?
                .map_err(|Gone| ApiError::timeout("nobody listens"))?;
            if memory_only {
                return Ok(None);
            }
            if let Some(kept) = kept {
                for turn in &kept.turns {
                    if sender.send_async("turn", turn).await.is_err() {
                        break;
                    }
                }
                return Ok(Some(kept.summary));
            }
            let engine = blocking(move || {
                let mut engine = spec
                    .build()
                    .map_err(|error| ApiError::conflict(error.to_string()))?;
                engine.new_game(1);
                Ok(engine)
            })
            .await?;
            let (turns, summary) = evaluate(&app, &game, engine, limits, &sender).await?;
            if let Some((row, engine, nodes)) = keep
                && turns.len() == game.turns().len()
            {
                let pool = app.pool.clone();
                let review = ReviewView::new(&engine, nodes, unix_time(), turns, summary);
                // A store that cannot be written has its games all the same.
                let _ = blocking(move || Ok(pool.note(|store| keep_review(store, row, &review))?))
                    .await;
            }
            Ok(Some(summary))
        };
        // Who has left is not waited for.
        let result = tokio::select! {
            result = result => result,
            () = sender.closed() => return,
        };
        sender.finish_async(result).await;
    }));
    Ok(response)
}

fn keep_review(
    store: &mut dyn Memory,
    row: GameRow,
    review: &ReviewView,
) -> Result<(), StoreError> {
    if review.replaces(store.review(row)?.as_ref()) {
        store.keep_review(row, &review.kept())?;
    }
    Ok(())
}

/// How often the position before a turn was seen.
#[derive(Serialize, ToSchema)]
pub(super) struct Known {
    ply: usize,
    label: String,
    hits: LevelHits,
    played_before: u64,
}

/// By part of the board.
#[derive(Serialize, ToSchema)]
pub(super) struct LevelHits {
    full: u64,
    half: u64,
    area: u64,
    area_by_piece: u64,
}

/// The first turn nobody had played before.
#[derive(Serialize, ToSchema)]
pub(super) struct Left {
    side: Option<char>,
    ply: Option<usize>,
    label: Option<String>,
}

/// What the memory knows of every turn; a game of the store does not count
/// as a memory of itself.
fn known(
    store: &dyn Memory,
    game: &Game,
    in_store: bool,
    events: &Sender,
) -> Result<Result<(), Gone>, ApiError> {
    let plies = game.turns().len();
    if events
        .send("start", &serde_json::json!({ "moves": plies }))
        .is_err()
    {
        return Ok(Err(Gone));
    }
    let own = u64::from(in_store);
    let mut left = None;
    let mut so_far = restart(game);
    for (ply, turn) in game.turns().iter().enumerate() {
        let position = game.positions()[ply];
        let question = PositionQuestion::new(position, Kind::Full);
        let full = store.find(&question)?;
        let after = game.positions()[ply + 1];
        let played = full
            .turns
            .iter()
            .find(|stats| stats.after.board() == after.board());
        let played_before = played.map_or(0, |stats| stats.count).saturating_sub(own);
        let hits = |kind| -> Result<u64, ApiError> {
            let best = store.find(&question.with_kind(kind).best_hits(1000))?;
            Ok(best.hits.saturating_sub(own))
        };
        let trap = last_moved(&so_far).map(nearest_trap);
        let known = Known {
            ply,
            label: game.label_of(Ply::after(ply)).to_string(),
            hits: LevelHits {
                full: full.hits.saturating_sub(own),
                half: hits(Kind::Half)?,
                area: trap.map_or(Ok(0), |trap| hits(Kind::Area { trap }))?,
                area_by_piece: trap.map_or(Ok(0), |trap| {
                    let piece = moved_role(&position, turn);
                    hits(Kind::AreaByPiece { trap, piece })
                })?,
            },
            played_before,
        };
        if left.is_none() && played_before == 0 {
            left = Some((position.side_to_move(), ply, known.label.clone()));
        }
        let phase = TurnPhase::after(game, ply, &after);
        let sent = events.send("known", &known);
        if sent.and_then(|()| events.send("phase", &phase)).is_err() {
            return Ok(Err(Gone));
        }
        let _ = so_far.play(turn);
    }
    let left = match left {
        Some((side, ply, label)) => Left {
            side: Some(side.to_char()),
            ply: Some(ply),
            label: Some(label),
        },
        None => Left {
            side: None,
            ply: None,
            label: None,
        },
    };
    Ok(events.send("left", &left))
}

/// The piece a turn is about: the first own piece it moves.
fn moved_role(position: &hathi_rules::Position, turn: &hathi_rules::Turn) -> Role {
    let own = position.side_to_move();
    let step = turn.steps().iter().find(|step| step.side() == own);
    step.map_or(Role::Elephant, |step| step.piece().role())
}

/// The same game before the first turn.
fn restart(game: &Game) -> Game {
    let mut start = Game::new(game.rules());
    if let (Some(gold), Some(silver)) = game.setups()
        && start.set_up(gold).is_ok()
        && start.set_up(silver).is_ok()
    {
        return start;
    }
    match game.positions().first() {
        Some(&first) => Game::from_position(game.rules(), first),
        None => start,
    }
}

/// Judges every turn. Verdicts that time has cut short are not among those
/// handed back.
async fn evaluate(
    app: &App,
    game: &Game,
    engine: Box<dyn Engine>,
    limits: Limits,
    events: &Sender,
) -> Result<(Vec<JudgedView>, ReviewSummary), ApiError> {
    let mut count = ReviewCount::default();
    let mut turns = Vec::new();
    let mut engine = engine;
    let mut so_far = restart(game);
    for (ply, turn) in game.turns().iter().enumerate() {
        if events.stop.asked() {
            break;
        }
        // A place among the engines for each turn, not for the whole game.
        let place = app.thinking.place(Asker::current()).await?;
        let limits = Limits {
            started: std::time::Instant::now(),
            ..limits.clone()
        };
        let (asked, turn) = (so_far.clone(), *turn);
        let after: Vec<Turn> = game.turns()[ply + 1..].iter().take(2).copied().collect();
        let judged = blocking(move || {
            let _place = place;
            let judged = judge(&mut *engine, &asked, &turn, &after, &limits)
                .map_err(|error| ApiError::conflict(error.to_string()))?;
            let view = JudgedView::new(&asked, &turn, &judged);
            // Time ran out before the positions did: nobody could repeat it.
            let cut = limits.is_over();
            Ok((engine, judged, view, cut))
        });
        let (thought, judged, view, cut) = judged.await?;
        engine = thought;
        count.add(so_far.side_to_move(), &judged);
        if events.send_async("turn", &view).await.is_err() {
            break;
        }
        if !cut {
            turns.push(view);
        }
        so_far
            .play(&turn)
            .map_err(|error| ApiError::internal(error.to_string()))?;
    }
    Ok((turns, count.summary()))
}

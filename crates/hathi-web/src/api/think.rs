//! Engines thinking aloud.

use axum::extract::State;
use axum::response::Response;
use hathi_engine::{Choice, Decision, Limits, Thought};
use hathi_rules::{Game, RuleSet};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::asker::Asker;
use crate::engines::{self, Purpose};
use crate::error::{ApiError, ErrorBody};
use crate::extract::Ask;
use crate::read;
use crate::state::App;
use crate::stream;

/// Seconds if nothing else is said.
const USUAL: f64 = 5.0;

/// What to think about, and how long.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ThinkParams {
    /// `g [64 characters]`.
    #[param(example = "g [rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR]")]
    position: Option<String>,
    /// A move list instead: the engine knows then what would be a repetition.
    moves: Option<String>,
    /// NAME or NAME:OPTION=VALUE,...
    #[serde(default = "usual_engine")]
    #[param(default = "hathi", example = "hathi:depth=4")]
    engine: String,
    /// Seconds.
    #[param(minimum = 0.001, maximum = 60.0, example = 0.1)]
    seconds: Option<f64>,
    /// Positions to look at.
    nodes: Option<u64>,
    /// Steps to look ahead.
    #[param(minimum = 1, maximum = 400)]
    depth: Option<u32>,
}

fn usual_engine() -> String {
    hathi_engine::EngineKind::USUAL.name().to_owned()
}

/// How far an engine has come.
#[derive(Clone, Serialize, ToSchema)]
pub(crate) struct ThoughtView {
    pub(crate) depth: u32,
    pub(crate) nodes: u64,
    pub(crate) seconds: f64,
    /// For the side to move, in hundredths of a rabbit.
    pub(crate) score: i32,
    /// The turns expected.
    pub(crate) line: Vec<String>,
}

impl From<&Thought> for ThoughtView {
    fn from(thought: &Thought) -> ThoughtView {
        ThoughtView {
            depth: thought.depth,
            nodes: thought.nodes,
            seconds: thought.time.as_secs_f64(),
            score: thought.score,
            line: thought.line.iter().map(ToString::to_string).collect(),
        }
    }
}

/// What an engine would do.
#[derive(Serialize, ToSchema)]
pub(crate) struct DecidedView {
    turn: Option<String>,
    setup: Option<String>,
    score: Option<i32>,
    reasons: Vec<String>,
    position_after: Option<String>,
}

impl DecidedView {
    fn new(decision: Decision, game: &Game) -> DecidedView {
        let (turn, setup) = match decision.choice {
            Choice::Play(turn) => (Some(turn), None),
            Choice::SetUp(setup) => (None, Some(setup)),
        };
        let after = turn.and_then(|turn| game.position().check_turn(&turn).ok());
        DecidedView {
            turn: turn.map(|turn| turn.to_string()),
            setup: setup.map(|setup| setup.to_string()),
            score: decision.thought.map(|thought| thought.score),
            reasons: decision.reasons,
            position_after: after.map(|(_, after)| after.to_string()),
        }
    }
}

/// An engine thinks about a position: events `thought`..., `decided`, `done`
#[utoipa::path(
    get, path = "/think", tag = "engines", params(ThinkParams),
    responses((status = 200, body = String, content_type = "text/event-stream"), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn think(
    State(app): State<App>,
    Ask(params): Ask<ThinkParams>,
) -> Result<Response, ApiError> {
    let game = match (&params.position, &params.moves) {
        (Some(position), None) => Game::from_position(RuleSet::Modern, read::playable(position)?),
        (None, Some(moves)) => read::game(moves)?.game,
        _ => {
            return Err(ApiError::bad_request("give either `position` or `moves`"));
        }
    };
    let spec = engines::spec(&app, &params.engine, Purpose::Question)?;
    let (sender, response) = stream::open(&app)?;
    let limits = engines::limits(
        &app,
        params.seconds,
        params.nodes,
        params.depth,
        USUAL,
        &sender.stop,
    )?;
    let asker = Asker::current();
    tokio::spawn(async move {
        let place = tokio::select! {
            place = app.thinking.place(asker) => place,
            () = sender.closed() => return,
        };
        let place = match place {
            Ok(place) => place,
            Err(error) => return sender.finish_async::<()>(Err(error)).await,
        };
        let events = sender.clone();
        let thought = crate::pool::blocking(move || {
            let _place = place;
            // The time counts from here, not from when others were thinking.
            let limits = Limits {
                started: std::time::Instant::now(),
                ..limits
            };
            let unable = |error: hathi_engine::EngineError| ApiError::conflict(error.to_string());
            let mut engine = spec.build().map_err(unable)?;
            engine.new_game(fastrand::u64(..));
            let decision = engine
                .decide(&game, &limits, &mut |thought| {
                    events.offer("thought", &ThoughtView::from(thought));
                })
                .map_err(unable)?;
            let _ = events.send("decided", &DecidedView::new(decision, &game));
            Ok(serde_json::json!({}))
        });
        let result = thought.await;
        sender.finish_async(result).await;
    });
    Ok(response)
}

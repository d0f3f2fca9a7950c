//! The best several turns in a position, depth by depth, until nobody listens.

use std::time::{Duration, Instant};

use axum::extract::State;
use axum::response::Response;
use hathi_engine::{AnalysisRequest, Limits, MOST_LINES};
use hathi_rules::{Game, RuleSet, Turn};
use hathi_view::AnalysedView;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::asker::Asker;
use crate::engines::{self, Purpose};
use crate::error::{ApiError, ErrorBody};
use crate::extract::Ask;
use crate::read;
use crate::state::App;
use crate::stream;

/// What to analyse, and how long.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct AnalyseParams {
    /// `g [64 characters]` at the start of the turn.
    #[param(example = "g [rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR]")]
    position: Option<String>,
    /// A move list instead: it is known then what would be a repetition.
    moves: Option<String>,
    /// The steps of this turn that are taken already.
    #[serde(default)]
    #[param(example = "Ee2n Ee3n")]
    made: String,
    /// A turn to value beside the best ones, by the same search.
    #[param(example = "Ee2n Ee3n")]
    turn: Option<String>,
    /// How many turns.
    #[serde(default = "three")]
    #[param(default = 3, minimum = 1, maximum = 5)]
    lines: usize,
    /// NAME or NAME:OPTION=VALUE,...; one that searches
    #[serde(default = "usual_engine")]
    #[param(default = "hathi", example = "hathi:threads=2,hash=128")]
    engine: String,
    /// Seconds; as long as the server allows if no limit is given.
    #[param(minimum = 0.001, example = 0.1)]
    seconds: Option<f64>,
    /// Positions to look at.
    nodes: Option<u64>,
    /// Steps to look ahead.
    #[param(minimum = 1, maximum = 400)]
    depth: Option<u32>,
}

pub(super) const fn three() -> usize {
    3
}

fn usual_engine() -> String {
    hathi_engine::EngineKind::USUAL.name().to_owned()
}

/// Analyse a position: events `depth`..., `done`; it ends when the stream is closed
#[utoipa::path(
    get, path = "/analyse", tag = "engines", params(AnalyseParams),
    responses((status = 200, body = String, content_type = "text/event-stream"), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn analyse(
    State(app): State<App>,
    Ask(params): Ask<AnalyseParams>,
) -> Result<Response, ApiError> {
    let game = match (&params.position, &params.moves) {
        (Some(position), None) => Game::from_position(RuleSet::Modern, read::playable(position)?),
        (None, Some(moves)) => read::game(moves)?.game,
        _ => {
            return Err(ApiError::bad_request("give either `position` or `moves`"));
        }
    };
    let begun = match params.made.trim() {
        "" => Turn::EMPTY,
        steps => read::turn(steps)?,
    };
    let also = match &params.turn {
        Some(turn) => vec![legal(&game, turn)?],
        None => Vec::new(),
    };
    if !(1..=MOST_LINES).contains(&params.lines) {
        return Err(ApiError::bad_request(format!(
            "an analysis has 1 to {MOST_LINES} lines"
        )));
    }
    let spec = engines::spec(&app, &params.engine, Purpose::Question)?;
    let time = time(&app, params.seconds)?;
    let (sender, response) = stream::open(&app)?;
    let asker = Asker::current();
    tokio::spawn(async move {
        let place = tokio::select! {
            place = app.analyses.place(asker) => place,
            () = sender.closed() => return,
        };
        let place = match place {
            Ok(place) => place,
            Err(error) => return sender.finish_async::<()>(Err(error)).await,
        };
        let events = sender.clone();
        let analysed = crate::pool::blocking(move || {
            // Given back when the search has ended, not when nobody listens.
            let _place = place;
            let limits = Limits {
                started: Instant::now(),
                nodes: params.nodes,
                depth: params.depth,
                ..Limits::time(time).with_stop(events.stop.clone())
            };
            let unable = |error: hathi_engine::EngineError| ApiError::conflict(error.to_string());
            let mut engine = spec.build().map_err(unable)?;
            engine.new_game(1);
            let request = AnalysisRequest {
                game: &game,
                begun,
                lines: params.lines,
                also: &also,
            };
            let analysis = engine
                .analyse(&request, &limits, &mut |analysis| {
                    events.offer("depth", &AnalysedView::new(&game, analysis));
                })
                .map_err(unable)?;
            Ok(AnalysedView::new(&game, &analysis))
        });
        let result = analysed.await;
        sender.finish_async(result).await;
    });
    Ok(response)
}

/// A turn that can be played here.
fn legal(game: &Game, text: &str) -> Result<Turn, ApiError> {
    match game.check_turn(&read::turn(text)?) {
        Ok((turn, _)) => Ok(turn),
        Err(error) => Err(ApiError::bad_turn(error.to_string())),
    }
}

/// How long a position may be analysed: for those who use this machine alone
/// until they have seen enough, else as long as any engine may think.
pub(super) fn time(app: &App, asked: Option<f64>) -> Result<Duration, ApiError> {
    let limits = &app.config.limits;
    let most = if app.config.is_for_this_machine() {
        limits.stream
    } else {
        Duration::from_secs(limits.think_seconds.into())
    };
    match asked {
        None => Ok(most),
        Some(seconds) if (0.001..=most.as_secs_f64()).contains(&seconds) => {
            Ok(Duration::from_secs_f64(seconds))
        }
        Some(_) => Err(ApiError::bad_request(format!(
            "a position may be analysed for 0.001 to {} seconds",
            most.as_secs()
        ))),
    }
}

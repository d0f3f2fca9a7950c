//! What another AEI engine on this machine thinks of a position. Which ones there
//! are is said by who starts the server, and only to who uses this machine.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use hathi_arena::{KeptEngines, SaidAnalysis, SaidLine};
use hathi_engine::MOST_LINES;
use hathi_rules::{Game, RuleSet};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::analyse;
use crate::asker::Asker;
use crate::error::{ApiError, ErrorBody};
use crate::extract::Ask;
use crate::read;
use crate::state::App;
use crate::stream;

/// What to analyse, and by whom.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct AnalyseByParams {
    /// One of the `analysis_engines` of `/status`.
    #[param(example = "other")]
    name: String,
    /// `g [64 characters]` at the start of a turn.
    #[param(example = "g [rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR]")]
    position: String,
    /// How many turns, if it can show several (option `multipv`).
    #[serde(default = "analyse::three")]
    #[param(default = 3, minimum = 1, maximum = 5)]
    lines: usize,
    /// Seconds; as long as the server allows if left out.
    #[param(minimum = 0.001, example = 1)]
    seconds: Option<f64>,
}

/// What the engine has said so far.
#[derive(Serialize, ToSchema)]
pub(crate) struct SaidView {
    /// The name it gives itself.
    name: Option<String>,
    /// The best turns it named, best first.
    lines: Vec<SaidLineView>,
}

/// What it said about a turn; numbers in its own words.
#[derive(Serialize, ToSchema)]
pub(crate) struct SaidLineView {
    turn: String,
    /// How deep it looked.
    depth: Option<String>,
    /// What it thinks of the position, for the side to move.
    score: Option<String>,
    /// Positions it looked at.
    nodes: Option<String>,
    /// The turns it expects, this one first.
    line: Vec<String>,
}

impl SaidView {
    fn new(said: &SaidAnalysis) -> SaidView {
        let lines = said.lines.iter().filter_map(SaidLineView::new);
        SaidView {
            name: said.name.clone(),
            lines: lines.collect(),
        }
    }
}

impl SaidLineView {
    fn new(said: &SaidLine) -> Option<SaidLineView> {
        let line: Vec<String> = said.turns.iter().map(ToString::to_string).collect();
        Some(SaidLineView {
            turn: line.first()?.clone(),
            depth: said.depth.clone(),
            score: said.score.clone(),
            nodes: said.nodes.clone(),
            line,
        })
    }
}

/// Analyse a position by another engine on this machine: events `said`..., `done`
#[utoipa::path(
    get, path = "/analyse-by", tag = "engines", params(AnalyseByParams),
    responses((status = 200, body = String, content_type = "text/event-stream"), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn analyse_by(
    State(app): State<App>,
    Ask(params): Ask<AnalyseByParams>,
) -> Result<Response, ApiError> {
    let game = Game::from_position(RuleSet::Modern, read::playable(&params.position)?);
    if !(1..=MOST_LINES).contains(&params.lines) {
        return Err(ApiError::bad_request(format!(
            "an analysis has 1 to {MOST_LINES} lines"
        )));
    }
    let time = analyse::time(&app, params.seconds)?;
    let engine = app.config.analysis_engines();
    let engine = engine.iter().find(|engine| engine.name == params.name);
    let Some(engine) = engine.cloned() else {
        return Err(ApiError::not_found(
            "there is no such engine here: `hathi serve --analysis-engine` names those of this machine",
        ));
    };
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
        let engines = Arc::clone(&app.kept_engines);
        let said = crate::pool::blocking(move || {
            // Given back when its process has ended, not when nobody listens.
            let _place = place;
            let mut listener = |said: &SaidAnalysis| events.offer("said", &SaidView::new(said));
            let (command, lines) = (&engine.command, params.lines);
            engines
                .analyse(command, &game, lines, time, &events.stop, &mut listener)
                .map(|said| SaidView::new(&said))
                .map_err(|error| ApiError::conflict(format!("{}: {error}", engine.name)))
        });
        let result = said.await;
        sender.finish_async(result).await;
        // Nothing more is said: else whoever listens would wait, too.
        drop(sender);
        // The engine waits for the next position, but not for ever.
        tokio::time::sleep(KeptEngines::IDLE).await;
        let ended = crate::pool::blocking(move || {
            app.kept_engines.end_idle();
            Ok(())
        });
        let _ = ended.await;
    });
    Ok(response)
}

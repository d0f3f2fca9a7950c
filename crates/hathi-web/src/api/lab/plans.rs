//! What rat wants in a position, and what its graphs make of it.

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use hathi_engine::dpg::{Graph, shipped_graph, shipped_names};
use hathi_engine::{EngineOptions, Fired, Planned, PlannedTurn, plans_of, trace_graph};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::super::pictures::image;
use super::PositionParams;
use crate::engines;
use crate::error::{ApiError, ErrorBody};
use crate::extract::{Ask, Part};
use crate::read;
use crate::state::App;

/// Turns shown for a command of a graph.
const MOST_TURNS: usize = 20;

/// What rat wants.
#[derive(Serialize, ToSchema)]
pub(crate) struct Wanted {
    position: String,
    /// As rat sees it.
    phase: String,
    /// The most urgent first.
    plans: Vec<PlanView>,
}

/// Something rat wants to do.
#[derive(Serialize, ToSchema)]
struct PlanView {
    plan: String,
    /// Why, in words.
    reason: String,
    /// The lower, the more urgent.
    priority: u16,
    /// The flag that makes it less urgent, in words.
    lowered: Option<String>,
    /// The piece it is about, and where that stands, such as `hc6`.
    about: Option<String>,
    /// The trap it is about.
    trap: Option<String>,
    /// Its candidates, best first.
    turns: Vec<CandidateView>,
}

/// A turn, or a part of one, that serves a plan.
#[derive(Serialize, ToSchema)]
struct CandidateView {
    turn: String,
    /// How its plan rates it.
    rating: i32,
    /// The board after its steps, perhaps in the middle of the turn.
    board_after: String,
}

impl From<&PlannedTurn> for CandidateView {
    fn from(planned: &PlannedTurn) -> CandidateView {
        CandidateView {
            turn: planned.turn.to_string(),
            rating: planned.rating,
            board_after: planned.after.board().short_form(),
        }
    }
}

impl From<&Planned> for PlanView {
    fn from(planned: &Planned) -> PlanView {
        let plan = &planned.plan;
        PlanView {
            plan: plan.kind.name().to_owned(),
            reason: planned.reason.clone(),
            priority: plan.priority(),
            lowered: plan.lowered.map(|flag| flag.text().to_owned()),
            about: plan.about.map(|(piece, square)| format!("{piece}{square}")),
            trap: plan.trap.map(|trap| trap.to_string()),
            turns: planned.turns.iter().map(CandidateView::from).collect(),
        }
    }
}

/// The plans of rat in a position, each with its reason and its candidates
#[utoipa::path(
    get, path = "/plans", tag = "lab", params(PositionParams),
    responses((status = 200, body = Wanted), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn plans(
    State(app): State<App>,
    Ask(params): Ask<PositionParams>,
) -> Result<Json<Wanted>, ApiError> {
    let position = read::playable(&params.position)?;
    engines::work(&app, app.config.limits.request, move |_| {
        let (phase, planned) = plans_of(&position, &EngineOptions::default())
            .map_err(|error| ApiError::internal(error.to_string()))?;
        Ok(Json(Wanted {
            position: position.to_string(),
            phase: phase.name().to_owned(),
            plans: planned.iter().map(PlanView::from).collect(),
        }))
    })
    .await
}

/// Graphs that come with Hathi.
#[derive(Serialize, ToSchema)]
pub(crate) struct Graphs {
    /// The most specific first.
    graphs: Vec<GraphView>,
}

/// A graph.
#[derive(Serialize, ToSchema)]
struct GraphView {
    name: String,
    title: String,
    about: String,
    nodes: usize,
    edges: usize,
    commands: usize,
    svg: String,
    /// Commands that fire in the position, if one is given.
    fires: Option<usize>,
    /// Nodes that hold there, on the wing that has more of them.
    holds: Option<usize>,
}

/// A position, if any.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct LitParams {
    /// `g [64 characters]`: what holds there.
    #[param(example = "g [rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR]")]
    position: Option<String>,
}

/// The graphs of patterns that come with Hathi; for a position, what they make of it
#[utoipa::path(
    get, path = "/graphs", tag = "lab", params(LitParams),
    responses((status = 200, body = Graphs), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn graphs(
    State(app): State<App>,
    Ask(params): Ask<LitParams>,
) -> Result<Json<Graphs>, ApiError> {
    let position = params.position.as_deref().map(read::playable).transpose()?;
    app.errand(move || {
        let view = |name: &str| {
            let graph = shipped_graph(name)?;
            let holds = |mirrored| {
                let position = position.as_ref()?;
                Some(graph.matched_nodes(position, mirrored).len())
            };
            Some(GraphView {
                title: graph.name().to_owned(),
                about: graph.about().to_owned(),
                nodes: graph.nodes().len(),
                edges: graph.edges(),
                commands: graph.nodes().iter().filter(|n| n.is_command()).count(),
                svg: format!("/api/v1/graphs/{name}.svg"),
                fires: position.as_ref().map(|p| graph.matches(p).len()),
                holds: holds(false).max(holds(true)),
                name: name.to_owned(),
            })
        };
        Ok(Json(Graphs {
            graphs: shipped_names().filter_map(view).collect(),
        }))
    })
    .await
}

fn graph(name: &str) -> Result<Graph, ApiError> {
    shipped_graph(name).ok_or_else(|| {
        let names: Vec<&str> = shipped_names().collect();
        ApiError::not_found(format!(
            "there is no such graph; there are {}",
            names.join(", ")
        ))
    })
}

/// A graph as SVG; for a position, with the ways to its commands lit
#[utoipa::path(
    get, path = "/graphs/{name}", tag = "lab",
    params(("name" = String, Path, description = "`NAME.svg`, the name as in `/graphs`", example = "flash-kidnapping.svg"), LitParams),
    responses((status = 200, body = String, content_type = "image/svg+xml"), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn graph_svg(
    State(app): State<App>,
    Part(name): Part<String>,
    Ask(params): Ask<LitParams>,
) -> Result<Response, ApiError> {
    let graph = match name.strip_suffix(".svg") {
        Some(name) => graph(name)?,
        None => {
            return Err(ApiError::not_found(
                "a graph is drawn at its name with .svg behind it",
            ));
        }
    };
    let position = params.position.as_deref().map(read::playable).transpose()?;
    app.errand(move || {
        let svg = graph.svg(position.as_ref());
        Ok(image("image/svg+xml", svg.into_bytes()))
    })
    .await
}

/// What a graph makes of a position.
#[derive(Serialize, ToSchema)]
pub(crate) struct Traced {
    graph: String,
    position: String,
    /// Nodes that hold as the graph is written, in the order they are reached.
    matched: Vec<String>,
    /// The same with left and right changed.
    matched_mirrored: Vec<String>,
    /// Those that fire, the nearest first.
    commands: Vec<FiredView>,
}

/// A command that fires.
#[derive(Serialize, ToSchema)]
struct FiredView {
    /// As it is written.
    command: String,
    /// In words, with the squares of the board.
    sentence: String,
    /// Edges from the start.
    depth: usize,
    mirrored: bool,
    path: Vec<String>,
    /// Turns, or parts of turns, that carry it out, best first; 20 at most.
    turns: Vec<CandidateView>,
}

impl From<&Fired> for FiredView {
    fn from(fired: &Fired) -> FiredView {
        let turns = fired.turns.iter().take(MOST_TURNS);
        FiredView {
            command: fired.command.clone(),
            sentence: fired.sentence.clone(),
            depth: fired.depth,
            mirrored: fired.mirrored,
            path: fired.path.clone(),
            turns: turns.map(CandidateView::from).collect(),
        }
    }
}

/// Which nodes of a graph hold in a position, and which commands fire
#[utoipa::path(
    get, path = "/graphs/{name}/trace", tag = "lab",
    params(("name" = String, Path, description = "As in `/graphs`", example = "flash-kidnapping"), PositionParams),
    responses((status = 200, body = Traced), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn trace(
    State(app): State<App>,
    Part(name): Part<String>,
    Ask(params): Ask<PositionParams>,
) -> Result<Json<Traced>, ApiError> {
    let graph = graph(&name)?;
    let position = read::playable(&params.position)?;
    engines::work(&app, app.config.limits.request, move |_| {
        let traced = trace_graph(&graph, &position);
        Ok(Json(Traced {
            graph: name,
            position: position.to_string(),
            matched: traced.matched,
            matched_mirrored: traced.matched_mirrored,
            commands: traced.commands.iter().map(FiredView::from).collect(),
        }))
    })
    .await
}

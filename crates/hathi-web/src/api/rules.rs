//! What may be done, and why not.

use axum::Json;
use hathi_rules::{IllegalTurn, Outcome, Position, PushPull, RuleSet, Step, Turn};
use hathi_view::OutcomeView;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::error::{ApiError, ErrorBody};
use crate::extract::Ask;
use crate::read;

/// A position, perhaps in the middle of a turn.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct StepsParams {
    /// `g [64 characters]` at the start of the turn.
    #[param(example = "g [rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR]")]
    position: String,
    /// The steps made so far.
    #[serde(default)]
    #[param(example = "Ee2n Ee3n")]
    made: String,
    /// Look for a goal in what is left of the turn.
    #[serde(default)]
    hint: bool,
}

/// What may be done.
#[derive(Serialize, ToSchema)]
#[allow(clippy::struct_field_names)] // these are the names of the API
pub(crate) struct Steps {
    /// The board after the steps made, the same side to move.
    position: String,
    side: char,
    steps_left: u8,
    can_end_turn: bool,
    /// Why the turn cannot end now.
    why_not: Option<String>,
    /// A push is under way: this square must be stepped into.
    must_push: Option<PushView>,
    /// A weaker enemy may be pulled into this square.
    may_pull: Option<PullView>,
    steps: Vec<StepView>,
    /// Own pieces that cannot move as stronger enemies hold them.
    frozen: Vec<String>,
    /// A turn that reaches goal, if `hint` is set and there is one.
    goal: Option<String>,
    /// The game is over here.
    outcome: Option<OutcomeView>,
}

/// A push that must be completed.
#[derive(Serialize, ToSchema)]
pub(crate) struct PushView {
    square: String,
    /// By a piece stronger than this.
    stronger_than: char,
}

/// A pull that may be completed.
#[derive(Serialize, ToSchema)]
pub(crate) struct PullView {
    square: String,
    /// An enemy weaker than this.
    weaker_than: char,
}

/// A legal step.
#[derive(Serialize, ToSchema)]
pub(crate) struct StepView {
    step: String,
    from: String,
    to: String,
    kind: StepKind,
    removes: Option<RemovalView>,
}

/// What kind of step.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum StepKind {
    /// An own piece by itself.
    Step,
    /// An enemy, pushed; an own piece must follow.
    Push,
    /// An own piece that follows the pushed one.
    Pushed,
    /// An enemy, pulled.
    Pull,
}

/// A piece that falls into a trap.
#[derive(Serialize, ToSchema)]
pub(crate) struct RemovalView {
    piece: char,
    square: String,
}

/// The legal steps of a position, in the middle of a turn too
#[utoipa::path(
    get, path = "/steps", tag = "rules", params(StepsParams),
    responses((status = 200, body = Steps), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn steps(Ask(params): Ask<StepsParams>) -> Result<Json<Steps>, ApiError> {
    let start = read::position(&params.position)?;
    let made = read::turn(&params.made)?;
    let mut position = start;
    let mut played = Turn::EMPTY;
    for (number, &step) in made.steps().iter().enumerate() {
        let step = position.check_step(step).map_err(|reason| {
            ApiError::bad_turn(format!("step {} ({step}): {reason}", number + 1))
        })?;
        position.apply(step);
        let _ = played.push(step);
    }
    let why_not = start.check_turn(&played).err();
    let board = position.board();
    let side = position.side_to_move();
    let outcome = start_outcome(&start);
    let goal = (params.hint && outcome.is_none())
        .then(|| position.can_goal())
        .flatten();
    Ok(Json(Steps {
        position: position.to_string(),
        side: side.to_char(),
        steps_left: position.steps_left(),
        can_end_turn: why_not.is_none(),
        why_not: why_not.map(|reason| reason.to_string()),
        must_push: match position.push_pull() {
            PushPull::MustPush { into, pushed } => Some(PushView {
                square: into.to_string(),
                stronger_than: pushed.to_char().to_ascii_uppercase(),
            }),
            _ => None,
        },
        may_pull: match position.push_pull() {
            PushPull::MayPull { into, puller } => Some(PullView {
                square: into.to_string(),
                weaker_than: puller.to_char().to_ascii_uppercase(),
            }),
            _ => None,
        },
        steps: if outcome.is_some() {
            Vec::new()
        } else {
            let steps = position.legal_steps();
            steps
                .iter()
                .filter_map(|&step| view(&position, step))
                .collect()
        },
        frozen: board
            .frozen(side)
            .iter()
            .map(|square| square.to_string())
            .collect(),
        goal: goal.map(|turn| turn.to_string()),
        outcome: outcome.map(Into::into),
    }))
}

fn view(position: &Position, step: Step) -> Option<StepView> {
    let step = position.with_removal(step);
    let to = step.to()?;
    let own = step.side() == position.side_to_move();
    let kind = match position.push_pull() {
        PushPull::MustPush { .. } => StepKind::Pushed,
        PushPull::MayPull { into, puller }
            if !own && to == into && step.piece().role() < puller =>
        {
            StepKind::Pull
        }
        _ if own => StepKind::Step,
        _ => StepKind::Push,
    };
    Some(StepView {
        step: step.bare().to_string(),
        from: step.from().to_string(),
        to: to.to_string(),
        kind,
        removes: step.removed().map(|removal| RemovalView {
            piece: removal.piece.to_char(),
            square: removal.square.to_string(),
        }),
    })
}

/// Has the side to move lost or won already?
fn start_outcome(position: &Position) -> Option<Outcome> {
    let mover = position.side_to_move().opponent();
    Outcome::on_board(position.board(), mover, RuleSet::Modern)
}

/// A turn to check.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct CheckParams {
    /// `g [64 characters]`.
    #[param(example = "g [rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR]")]
    position: String,
    /// The turn.
    #[param(example = "Ee2n Ee3n Ee4n")]
    turn: String,
}

/// Whether a turn is legal.
#[derive(Serialize, ToSchema)]
pub(crate) struct Checked {
    legal: bool,
    /// With what falls into traps.
    turn: String,
    position_after: Option<String>,
    /// Why it is not legal.
    reason: Option<String>,
    /// The number of the step that is not, from 0.
    step: Option<usize>,
    /// The game ends with it.
    outcome: Option<OutcomeView>,
}

/// Is a turn legal, and why not?
#[utoipa::path(
    get, path = "/check", tag = "rules", params(CheckParams),
    responses((status = 200, body = Checked), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn check(Ask(params): Ask<CheckParams>) -> Result<Json<Checked>, ApiError> {
    let position = read::position(&params.position)?;
    let turn = read::turn(&params.turn)?;
    Ok(Json(match position.check_turn(&turn) {
        Ok((turn, after)) => {
            let mover = position.side_to_move();
            let outcome = Outcome::on_board(after.board(), mover, RuleSet::Modern);
            Checked {
                legal: true,
                turn: turn.to_string(),
                position_after: Some(after.to_string()),
                reason: None,
                step: None,
                outcome: outcome.map(Into::into),
            }
        }
        Err(reason) => Checked {
            legal: false,
            turn: turn.to_string(),
            position_after: None,
            step: match &reason {
                IllegalTurn::Step { index, .. } => Some(*index),
                _ => None,
            },
            reason: Some(reason.to_string()),
            outcome: None,
        },
    }))
}

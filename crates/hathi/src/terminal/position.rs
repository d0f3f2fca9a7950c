//! Who can do what in a position, for `show`: each side looked at as if it
//! were its turn.

use std::io::{self, Write};

use anstyle::Style;
use hathi_rules::{
    Bitboard, Board, CaptureThreat, Outcome, Piece, Position, Role, RuleSet, Side, Turn,
    TurnGenerator,
};
use hathi_view::numbers::{counted, grouped};
use serde::Serialize;

use crate::terminal::draw;

/// Everything `show` says about a position, in words or as JSON.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    /// `g [64 characters]`.
    position: String,
    side: char,
    /// Set when the game is over in this position.
    outcome: Option<OutcomeReport>,
    gold: SideReport,
    silver: SideReport,
    /// What it is worth as it stands, if that was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    worth: Option<Worth>,
}

/// What a position is worth to Gold with nothing looked ahead, in hundredths of a rabbit.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Worth {
    /// By the network of the engine `hathi`.
    pub(crate) hathi: i32,
    /// By the terms of the engine `fairy`.
    pub(crate) fairy: i32,
}

/// A result, with the letters of the game archive.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct OutcomeReport {
    winner: Option<char>,
    termination: char,
    text: String,
}

impl From<Outcome> for OutcomeReport {
    fn from(outcome: Outcome) -> OutcomeReport {
        OutcomeReport {
            winner: outcome.winner.map(Side::to_char),
            termination: outcome.termination.to_char(),
            text: outcome_text(outcome),
        }
    }
}

/// "Gold wins by goal"; a game that nobody won need not be a draw.
pub(crate) fn outcome_text(outcome: Outcome) -> String {
    if outcome.winner.is_some() || outcome == Outcome::DRAW {
        outcome.to_string()
    } else {
        format!("nobody won, {}", outcome.termination.phrase())
    }
}

/// What one side has and can do.
#[derive(Debug, Serialize)]
struct SideReport {
    material: Material,
    /// A shortest turn to goal.
    goal: Option<TurnReport>,
    captures: Vec<Capture>,
    frozen: Vec<String>,
    mobile: u32,
    /// Legal first steps.
    steps: usize,
    /// Distinct positions one turn can reach.
    turns: usize,
}

#[derive(Debug, Serialize)]
struct TurnReport {
    steps: usize,
    turn: String,
}

impl From<Turn> for TurnReport {
    fn from(turn: Turn) -> TurnReport {
        TurnReport {
            steps: turn.len(),
            turn: turn.to_string(),
        }
    }
}

#[derive(Debug, Serialize)]
struct Material {
    pieces: u32,
    elephants: u32,
    camels: u32,
    horses: u32,
    dogs: u32,
    cats: u32,
    rabbits: u32,
}

#[derive(Debug, Serialize)]
struct Capture {
    piece: char,
    square: String,
    trap: String,
    steps: u8,
    turn: String,
}

impl From<CaptureThreat> for Capture {
    fn from(threat: CaptureThreat) -> Capture {
        Capture {
            piece: threat.victim.to_char(),
            square: threat.square.to_string(),
            trap: threat.trap.to_string(),
            steps: threat.steps,
            turn: threat.turn.to_string(),
        }
    }
}

impl Material {
    fn new(board: &Board, side: Side) -> Material {
        let count = |role| board.pieces(Piece::new(side, role)).len();
        Material {
            pieces: board.side(side).len(),
            elephants: count(Role::Elephant),
            camels: count(Role::Camel),
            horses: count(Role::Horse),
            dogs: count(Role::Dog),
            cats: count(Role::Cat),
            rabbits: count(Role::Rabbit),
        }
    }

    /// With the letters of the roles, strongest first.
    fn by_letter(&self) -> [(char, u32, u32); 6] {
        let here = [
            self.rabbits,
            self.cats,
            self.dogs,
            self.horses,
            self.camels,
            self.elephants,
        ];
        let mut counts = Role::ALL.map(|role| {
            let letter = role.to_char().to_ascii_uppercase();
            (letter, here[role.index()], role.count_at_start())
        });
        counts.reverse();
        counts
    }

    /// `16 pieces: E M 2H 2D 2C 8R`, and what is missing.
    fn text(&self) -> String {
        let list = |count: &dyn Fn(u32, u32) -> u32| {
            let words: Vec<String> = self
                .by_letter()
                .into_iter()
                .filter_map(|(letter, here, at_start)| match count(here, at_start) {
                    0 => None,
                    1 => Some(letter.to_string()),
                    n => Some(format!("{n}{letter}")),
                })
                .collect();
            words.join(" ")
        };
        let here = list(&|here, _| here);
        let lost = list(&|here, at_start| at_start.saturating_sub(here));
        match (here.as_str(), lost.as_str()) {
            ("", _) => "none".to_owned(),
            (_, "") => format!("{here} (all 16)"),
            _ => format!("{here} (without {lost})"),
        }
    }
}

impl SideReport {
    fn new(position: &Position, side: Side, generator: &mut TurnGenerator) -> SideReport {
        let board = position.board();
        let position = position.with_side(side);
        let mut threats = position.capture_threats();
        // The dearest victim first, then the quickest way.
        threats.sort_by_key(|threat| {
            (
                std::cmp::Reverse(threat.victim.role()),
                threat.square,
                threat.steps,
            )
        });
        SideReport {
            material: Material::new(board, side),
            goal: position.can_goal().map(TurnReport::from),
            captures: threats.into_iter().map(Capture::from).collect(),
            frozen: named(board, board.frozen(side)),
            mobile: board.mobile(side).len(),
            steps: position.step_sets().len(),
            turns: generator.count(&position),
        }
    }

    fn write(&self, out: &mut impl Write, side: Side, to_move: bool) -> io::Result<()> {
        let style = draw::side_style(side);
        let when = if to_move {
            "to move"
        } else {
            "if it were to move"
        };
        writeln!(out, "{style}{}{style:#}, {when}", side.name())?;
        line(out, "pieces", &self.material.text())?;
        match &self.goal {
            Some(goal) => {
                let steps = counted(goal.steps, "step");
                line(
                    out,
                    "goal",
                    &format!("yes, in {steps}: {BOLD}{}{BOLD:#}", goal.turn),
                )?;
            }
            None => line(out, "goal", "no")?,
        }
        if self.captures.is_empty() {
            line(out, "captures", "none")?;
        }
        let mut label = "captures";
        for capture in &self.captures {
            let Capture {
                piece,
                square,
                trap,
                turn,
                ..
            } = capture;
            let steps = counted(capture.steps as usize, "step");
            line(
                out,
                label,
                &format!("{piece}{square} in {trap}, {steps}: {turn}"),
            )?;
            label = "";
        }
        let frozen = match self.frozen.as_slice() {
            [] => "none".to_owned(),
            some => some.join(" "),
        };
        line(out, "frozen", &frozen)?;
        line(
            out,
            "mobile",
            &format!("{} of {}", self.mobile, self.material.pieces),
        )?;
        line(out, "steps", &grouped(self.steps))?;
        line(out, "turns", &grouped(self.turns))
    }
}

const BOLD: Style = Style::new().bold();
const LABEL: Style = Style::new().dimmed();

fn line(out: &mut impl Write, label: &str, text: &str) -> io::Result<()> {
    writeln!(out, "  {LABEL}{label:<8}{LABEL:#}  {text}")
}

/// The pieces on these squares: `Hd4 Rb3`.
fn named(board: &Board, squares: Bitboard) -> Vec<String> {
    squares
        .into_iter()
        .filter_map(|square| Some(format!("{}{square}", board.piece_at(square)?)))
        .collect()
}

impl Report {
    pub(crate) fn new(position: &Position) -> Report {
        let mut generator = TurnGenerator::new();
        let mut side = |side| SideReport::new(position, side, &mut generator);
        Report {
            position: position.to_string(),
            side: position.side_to_move().to_char(),
            outcome: outcome_of(position).map(OutcomeReport::from),
            gold: side(Side::Gold),
            silver: side(Side::Silver),
            worth: None,
        }
    }

    /// Says what the position is worth, too.
    pub(crate) fn with_worth(mut self, worth: Worth) -> Report {
        self.worth = Some(worth);
        self
    }

    pub(crate) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        if let Some(outcome) = &self.outcome {
            writeln!(out, "The game is over: {}.\n", outcome.text)?;
        }
        for (report, side) in [(&self.gold, Side::Gold), (&self.silver, Side::Silver)] {
            report.write(out, side, side.to_char() == self.side)?;
            writeln!(out)?;
        }
        if let Some(worth) = self.worth {
            let rabbits = |hundredths: i32| f64::from(hundredths) / 100.0;
            writeln!(
                out,
                "As it stands, nothing looked ahead, it is worth to Gold {:+.2} rabbits by hathi's network, {:+.2} by fairy's terms.\n",
                rabbits(worth.hathi),
                rabbits(worth.fairy)
            )?;
        }
        writeln!(out, "{}", self.position)
    }
}

/// The result that stands on the board, by today's rules, the side not to
/// move having moved last.
pub(crate) fn outcome_of(position: &Position) -> Option<Outcome> {
    Outcome::on_board(
        position.board(),
        position.side_to_move().opponent(),
        RuleSet::Modern,
    )
}

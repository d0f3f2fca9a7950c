//! `hathi.Position`.

use std::ops::ControlFlow;

use hathi_engine::{Standing, Stop};
use hathi_model::features::{Context, Past};
use hathi_model::network::inputs::{self, Scene};
use hathi_model::phase;
use hathi_rules::{
    Bitboard, PackedBoard, Piece, Setup, Side, Square, Step, Symmetry, Turn, TurnGenerator,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::array;
use crate::asked;
use crate::errors::{illegal, of_engine, unreadable};
use crate::interrupt::interruptible;

/// A board and whose turn it is.
///
/// Reads `g [64 characters]` (a8 to h1; a dot or a space is an empty square) and drawn boards;
/// `side` is for texts that do not say whose turn it is. Positions do not change, compare equal
/// and can be keys of a dict.
///
/// >>> p = Position("g [rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR]")
/// >>> p.side, p.count_turns()
/// ('g', 3353)
#[pyclass(frozen, eq, hash, module = "hathi", skip_from_py_object)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Position(pub(crate) hathi_rules::Position);

#[pymethods]
impl Position {
    #[new]
    #[pyo3(signature = (text, side=None))]
    fn new(text: &str, side: Option<&str>) -> PyResult<Position> {
        let side = side.map(asked::side).transpose()?;
        let position = hathi_rules::Position::parse_with_side(text, side);
        position.map(Position).map_err(unreadable)
    }

    /// The position after both setups, such as `Ra1 Rb1 ... Hh2` and `ra8 ... hh7`, Gold to move.
    #[staticmethod]
    fn of_setups(gold: &str, silver: &str) -> PyResult<Position> {
        let mut game = hathi_rules::Game::new(hathi_rules::RuleSet::Modern);
        for text in [gold, silver] {
            let setup: Setup = text.parse().map_err(unreadable)?;
            game.set_up(&setup).map_err(illegal)?;
        }
        Ok(Position(game.position()))
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Position('{}')", self.0)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let class = py.get_type::<Position>().into_any();
        if self.0.at_turn_start() {
            Ok((class, (self.0.to_string(),)))
        } else {
            Err(unreadable("a position inside a turn has no text form"))
        }
    }

    /// The board drawn over several lines, the side to move first.
    fn draw(&self) -> String {
        self.0.long_form()
    }

    /// Whose turn it is: `g` or `s`.
    #[getter]
    fn side(&self) -> char {
        self.0.side_to_move().to_char()
    }

    /// Steps left of this turn, 4 at its start.
    #[getter]
    fn steps_left(&self) -> u8 {
        self.0.steps_left()
    }

    /// The piece on a square such as `e4`: one of `RCDHME` (Gold) and `rcdhme` (Silver), or None.
    fn piece_at(&self, square: &str) -> PyResult<Option<char>> {
        let square: Square = square.parse().map_err(unreadable)?;
        Ok(self.0.board().piece_at(square).map(Piece::to_char))
    }

    /// Every piece by its square, from a1 to h8.
    fn pieces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let pieces = PyDict::new(py);
        for square in self.0.board().occupied() {
            if let Some(piece) = self.0.board().piece_at(square) {
                pieces.set_item(square.to_string(), piece.to_char())?;
            }
        }
        Ok(pieces)
    }

    /// The legal single steps.
    fn steps(&self) -> Vec<String> {
        let steps = self.0.legal_steps();
        steps.iter().map(ToString::to_string).collect()
    }

    /// The legal turns, one of the shortest for each position that can be reached. Repetition is a
    /// matter of a `Game`.
    #[pyo3(signature = (limit=None))]
    fn turns(&self, py: Python<'_>, limit: Option<usize>) -> Vec<String> {
        let most = limit.unwrap_or(usize::MAX);
        py.detach(|| {
            let mut generator = TurnGenerator::new();
            let reached = generator.generate(&self.0).take(most);
            reached.map(|reached| reached.turn().to_string()).collect()
        })
    }

    /// How many different positions one turn can reach; with `distinct=False` how many sequences of
    /// steps there are, which takes a second or so in the middle game.
    #[pyo3(signature = (*, distinct=true))]
    fn count_turns(&self, py: Python<'_>, distinct: bool) -> PyResult<usize> {
        if distinct {
            return Ok(py.detach(|| TurnGenerator::new().count(&self.0)));
        }
        let stop = Stop::default();
        interruptible(py, &stop, || {
            let mut count = 0;
            let _ = self.0.for_each_turn(|_, _| {
                count += 1;
                if stop.asked() {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            });
            count
        })
    }

    /// A shortest turn to goal of the side to move, or None. Empty if it has a rabbit there already.
    fn goal(&self, py: Python<'_>) -> Option<String> {
        py.detach(|| self.0.can_goal()).map(|turn| turn.to_string())
    }

    /// What the side to move can capture this turn, strongest first, each with the fewest steps.
    fn captures<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let threats = py.detach(|| self.0.capture_threats());
        threats
            .iter()
            .map(|threat| {
                let dict = PyDict::new(py);
                dict.set_item("piece", threat.victim.to_char())?;
                dict.set_item("square", threat.square.to_string())?;
                dict.set_item("trap", threat.trap.to_string())?;
                dict.set_item("steps", threat.steps)?;
                dict.set_item("turn", threat.turn.to_string())?;
                Ok(dict)
            })
            .collect()
    }

    /// The position after a turn; raises `IllegalMove` and says why if it is not legal.
    fn play(&self, turn: &str) -> PyResult<Position> {
        self.checked(turn).map(|(_, after)| Position(after))
    }

    /// The turn in full, with what falls into traps, if it is legal here.
    fn check(&self, turn: &str) -> PyResult<String> {
        self.checked(turn).map(|(turn, _)| turn.to_string())
    }

    /// The position after one step, inside the turn.
    fn step(&self, step: &str) -> PyResult<Position> {
        let step: Step = step.parse().map_err(unreadable)?;
        let step = self.0.check_step(step).map_err(illegal)?;
        Ok(Position(self.0.after(step)))
    }

    /// The position after the steps taken so far, the opponent to move.
    fn end_turn(&self) -> PyResult<Position> {
        if self.0.at_turn_start() || !self.0.can_end_turn() {
            return Err(illegal("the turn cannot end here"));
        }
        Ok(Position(self.0.end_turn()))
    }

    /// The same board with the other side to move.
    fn other_side(&self) -> Position {
        Position(self.0.with_side(self.0.side_to_move().opponent()))
    }

    /// The mirror image, left for right.
    fn mirrored(&self) -> Position {
        Position(Symmetry::MIRROR.apply(self.0))
    }

    /// The same with Gold and Silver exchanged and the board turned accordingly.
    fn flipped(&self) -> Position {
        Position(Symmetry::FLIP.apply(self.0))
    }

    /// The squares of frozen pieces, of one side or of both.
    #[pyo3(signature = (side=None))]
    fn frozen(&self, side: Option<&str>) -> PyResult<Vec<String>> {
        self.squares_of(side, hathi_rules::Board::frozen)
    }

    /// The squares of camels and horses that are hostages, of one side or of both.
    #[pyo3(signature = (side=None))]
    fn hostages(&self, side: Option<&str>) -> PyResult<Vec<String>> {
        self.squares_of(side, hathi_rules::Board::hostages)
    }

    /// The squares of framed pieces, of one side or of both.
    #[pyo3(signature = (side=None))]
    fn framed(&self, side: Option<&str>) -> PyResult<Vec<String>> {
        self.squares_of(side, hathi_rules::Board::framed)
    }

    /// The phase of the game: `opening`, `middle` or `end`.
    #[getter]
    fn phase(&self) -> &'static str {
        phase::heuristic(&self.0).name()
    }

    /// What the position is worth as it stands, nothing looked ahead, in hundredths of a rabbit for
    /// Gold: by the network, and by the terms made by hand.
    fn evaluate<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let standing = py.detach(|| Standing::of(&self.0)).map_err(of_engine)?;
        let dict = PyDict::new(py);
        dict.set_item("network", standing.network)?;
        dict.set_item("by_hand", standing.by_hand)?;
        Ok(dict)
    }

    /// The board as 64 numbers, a1, b1 to h8: 0 for an empty square, 1 (rabbit) to 6 (elephant)
    /// for Gold's pieces, -1 to -6 for Silver's.
    fn squares<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let board = self.0.board();
        let numbers = (0..64).map(|index| {
            let piece = Square::from_index(index).and_then(|square| board.piece_at(square));
            piece.map_or(0, |piece| {
                let strength = piece.role().index() as i8 + 1;
                match piece.side() {
                    Side::Gold => strength,
                    Side::Silver => -strength,
                }
            })
        });
        array(py, numbers)
    }

    /// The board as four planes of 64 bits, a1 first: three bits of strength, then the side.
    fn planes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, PackedBoard::from(self.0.board()).planes())
    }

    /// The inputs of the evaluation network: rows of its first layer, as Gold sees the board and as
    /// Silver does.
    fn network_inputs<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let (mut gold, mut silver) = (Vec::new(), Vec::new());
        inputs::list(
            &Scene::of(self.0.board()),
            |[seen_by_gold, seen_by_silver]| {
                gold.push(seen_by_gold);
                silver.push(seen_by_silver);
            },
        );
        Ok((array(py, gold)?, array(py, silver)?))
    }

    /// The features of the position, as models of turns see it; of a turn, if one is given.
    #[pyo3(signature = (turn=None))]
    fn features<'py>(&self, py: Python<'py>, turn: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
        let context = Context::new(&self.0, &Past::default());
        let Some(turn) = turn else {
            return array(py, context.scene());
        };
        let (turn, after) = self.checked(turn)?;
        let mut features: Vec<u16> = Vec::new();
        context.list_turn(after.board(), turn.len() as u8, &mut features);
        array(py, features)
    }
}

impl Position {
    fn checked(&self, turn: &str) -> PyResult<(Turn, hathi_rules::Position)> {
        let turn: Turn = turn.parse().map_err(unreadable)?;
        self.0.check_turn(&turn).map_err(illegal)
    }

    fn squares_of(
        &self,
        side: Option<&str>,
        squares: impl Fn(&hathi_rules::Board, Side) -> Bitboard,
    ) -> PyResult<Vec<String>> {
        let board = self.0.board();
        let squares = match side.map(asked::side).transpose()? {
            Some(side) => squares(board, side),
            None => squares(board, Side::Gold) | squares(board, Side::Silver),
        };
        Ok(squares
            .into_iter()
            .map(|square| square.to_string())
            .collect())
    }
}

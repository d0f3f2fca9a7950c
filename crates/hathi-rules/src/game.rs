//! A game as it is played: setups, turns, repetition and the result.

use std::collections::HashMap;

use crate::{
    Board, BySide, Choice, Direction, IllegalChoice, IllegalTurn, Label, Outcome, Ply, Position,
    RuleSet, Setup, Side, Step, Termination, Turn, TurnGenerator,
};

/// A game with its history. Everything that needs more than one position is
/// decided here: third repetition, and the rule that a side with only illegal
/// turns has lost.
///
/// ```
/// use hathi_rules::{Game, RuleSet, Side};
/// let mut game = Game::new(RuleSet::Modern);
/// game.set_up(&"Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2".parse()?)?;
/// game.set_up(&"ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7".parse()?)?;
/// game.play(&"Ee2n Ee3n Ee4n".parse()?)?;
/// assert_eq!(game.position().side_to_move(), Side::Silver);
/// assert_eq!(game.ply_label(), "2s");
/// assert_eq!(game.outcome(), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    rules: RuleSet,
    gold: Option<Setup>,
    silver: Option<Setup>,
    /// The position after the setups, then after every turn.
    positions: Vec<Position>,
    /// What repetition needs to know of each of them.
    history: Vec<Seen>,
    /// How many of them stood on the board for the second time or more.
    repeats: usize,
    /// Where each hash stands, once there are too many to go through.
    places: Option<HashMap<u64, Vec<u32>>>,
    turns: Vec<Turn>,
    outcome: Option<Outcome>,
}

/// Positions that are gone through one by one when looking for repetitions.
const MANY: usize = 256;

/// A position of the history, boiled down for comparing.
#[derive(Clone, Copy, Debug)]
struct Seen {
    hash: u64,
    /// The first position from which this one could have come back: a capture
    /// cannot be undone.
    comparable_from: u32,
    /// How often it had occurred by then, itself included.
    occurrence: u32,
}

/// A turn that the game allows.
struct CheckedTurn {
    turn: Turn,
    after: Position,
    /// How often the position after it has occurred before.
    occurred: usize,
}

/// A setup was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// It is the other side's turn to set up.
    #[error("it is {}'s turn to set up", .0.name())]
    WrongSide(Side),
    /// Both sides have set up.
    #[error("both sides have set up already")]
    Done,
}

impl Game {
    /// A game before the first setup.
    pub fn new(rules: RuleSet) -> Game {
        Game {
            rules,
            gold: None,
            silver: None,
            positions: Vec::new(),
            history: Vec::new(),
            repeats: 0,
            places: None,
            turns: Vec::new(),
            outcome: None,
        }
    }

    /// A game that starts from a position instead of from setups.
    pub fn from_position(rules: RuleSet, position: Position) -> Game {
        let start = position.with_side(position.side_to_move());
        let mut game = Game::new(rules);
        game.enter(start, 0);
        game.outcome = Outcome::on_board(start.board(), start.side_to_move().opponent(), rules);
        game
    }

    /// Forgets everything but keeps the memory it holds, for replaying many
    /// games in a row.
    pub fn restart(&mut self, rules: RuleSet) {
        self.rules = rules;
        self.gold = None;
        self.silver = None;
        self.leave_all();
        self.turns.clear();
        self.outcome = None;
    }

    /// Adds a position to the history, in which it has occurred that often
    /// before.
    fn enter(&mut self, position: Position, before: usize) {
        let occurrence = before as u32 + 1;
        let captured = self
            .positions
            .last()
            .is_some_and(|last| last.board().occupied().len() != position.board().occupied().len());
        let comparable_from = match self.history.last() {
            Some(last) if !captured => last.comparable_from,
            _ => self.positions.len() as u32,
        };
        self.history.push(Seen {
            hash: position.board().hash(),
            comparable_from,
            occurrence,
        });
        self.repeats += usize::from(occurrence > 1);
        self.positions.push(position);
        self.note_places();
    }

    /// Keeps the places of hashes for a long stretch without captures, none
    /// for a short one.
    fn note_places(&mut self) {
        let newest = self.history.len();
        let from = self
            .history
            .last()
            .map_or(0, |last| last.comparable_from as usize);
        if newest - from <= MANY {
            self.places = None;
            return;
        }
        let first = if self.places.is_some() {
            newest - 1
        } else {
            from
        };
        let places = self.places.get_or_insert_default();
        for (i, seen) in self.history.iter().enumerate().skip(first) {
            places.entry(seen.hash).or_default().push(i as u32);
        }
    }

    /// Takes the last position off the history.
    fn leave(&mut self) {
        self.positions.pop();
        if let Some(seen) = self.history.pop() {
            self.repeats -= usize::from(seen.occurrence > 1);
            if let Some(places) = &mut self.places
                && let Some(found) = places.get_mut(&seen.hash)
            {
                found.pop();
            }
        }
        // A takeback of a capture brings a long stretch back.
        if self.places.is_none() {
            self.note_places();
        }
    }

    fn leave_all(&mut self) {
        self.positions.clear();
        self.history.clear();
        self.repeats = 0;
        self.places = None;
    }

    /// The rules it is played by.
    pub fn rules(&self) -> RuleSet {
        self.rules
    }

    /// The side that must set up next, until both have.
    pub fn must_set_up(&self) -> Option<Side> {
        match (self.positions.is_empty(), &self.gold) {
            (false, _) => None,
            (true, None) => Some(Side::Gold),
            (true, Some(_)) => Some(Side::Silver),
        }
    }

    /// Places a side's pieces.
    pub fn set_up(&mut self, setup: &Setup) -> Result<(), SetupError> {
        match self.must_set_up() {
            None => return Err(SetupError::Done),
            Some(side) if side != setup.side() => return Err(SetupError::WrongSide(side)),
            Some(Side::Gold) => self.gold = Some(*setup),
            Some(Side::Silver) => {
                self.silver = Some(*setup);
                self.enter(self.position(), 0);
            }
        }
        Ok(())
    }

    /// The setups made so far.
    pub fn setups(&self) -> (Option<&Setup>, Option<&Setup>) {
        (self.gold.as_ref(), self.silver.as_ref())
    }

    /// The position now. Before both setups are made: the board as far as it
    /// is set up, with the side to set up next to move.
    pub fn position(&self) -> Position {
        if let Some(last) = self.positions.last() {
            return *last;
        }
        let mut board = Board::EMPTY;
        for setup in [&self.gold, &self.silver].into_iter().flatten() {
            setup.place_on(&mut board);
        }
        let gold_is_next = self.gold.is_none() || self.silver.is_some();
        Position::composed(
            board,
            if gold_is_next {
                Side::Gold
            } else {
                Side::Silver
            },
        )
    }

    /// Whose move it is, setups included.
    #[inline]
    pub fn side_to_move(&self) -> Side {
        match self.positions.last() {
            Some(last) => last.side_to_move(),
            None => self.must_set_up().unwrap_or(Side::Gold),
        }
    }

    /// The position after the setups and after every turn.
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// The turns played, removals filled in.
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// The end of the game, once it has come.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// The label of the next move: `1g` for Gold's setup, `2g` for the first
    /// turn. A game from a position starts at `2`.
    pub fn ply_label(&self) -> String {
        self.next_label().to_string()
    }

    /// As [`ply_label`](Game::ply_label), as a value.
    pub fn next_label(&self) -> Label {
        if let Some(side) = self.must_set_up() {
            return Label { number: 1, side };
        }
        self.label_of(Ply::after(self.turns.len()))
    }

    /// The label of a turn of this game, played or not. A game from a
    /// position in which Silver moves starts at `2s`.
    pub fn label_of(&self, ply: Ply) -> Label {
        let silver_first = self
            .positions
            .first()
            .is_some_and(|first| first.side_to_move() == Side::Silver);
        Ply::after(ply.turns() + usize::from(silver_first)).label()
    }

    /// Plays a turn, if the rules allow it, and gives back the outcome if it
    /// ends the game.
    pub fn play(&mut self, turn: &Turn) -> Result<Option<Outcome>, IllegalTurn> {
        let CheckedTurn {
            turn,
            after,
            occurred,
        } = self.checked(turn)?;
        let mover = after.side_to_move().opponent();
        self.turns.push(turn);
        self.enter(after, occurred);
        self.outcome = Outcome::on_board(after.board(), mover, self.rules);
        if self.outcome.is_none() {
            if occurred >= 2 {
                let loss = Outcome::win(mover.opponent(), Termination::Repetition);
                self.outcome = Some(loss);
            } else if self.repeats > 0 && !self.has_legal_turn() {
                // Without repeats, being able to move is enough, and that has
                // just been looked at.
                self.outcome = Some(Outcome::win(mover, Termination::Immobilised));
            }
        }
        Ok(self.outcome)
    }

    /// Does what is due, a setup or a turn, and gives back the outcome if it
    /// ends the game.
    pub fn make(&mut self, choice: &Choice) -> Result<Option<Outcome>, IllegalChoice> {
        match choice {
            Choice::SetUp(setup) => {
                self.set_up(setup)?;
                Ok(None)
            }
            Choice::Play(turn) => Ok(self.play(turn)?),
        }
    }

    /// The turn, removals filled in, and the position after it, if
    /// [`play`](Game::play) would accept it: the steps are legal, the position
    /// changes, and it does not occur for the third time.
    ///
    /// ```
    /// use hathi_rules::{Game, RuleSet, Turn};
    /// let position = "g [r                                               E              R]".parse()?;
    /// let mut game = Game::from_position(RuleSet::Modern, position);
    /// for turn in ["Ea2n", "ra8e", "Ea3s", "rb8w", "Ea2n", "ra8e", "Ea3s"] {
    ///     game.play(&turn.parse()?)?;
    /// }
    /// let back: Turn = "rb8w".parse()?;
    /// assert!(game.position().check_turn(&back).is_ok());
    /// let error = game.check_turn(&back).unwrap_err();
    /// assert_eq!(error.to_string(), "the turn brings about the same position for the third time");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check_turn(&self, turn: &Turn) -> Result<(Turn, Position), IllegalTurn> {
        let checked = self.checked(turn)?;
        Ok((checked.turn, checked.after))
    }

    // Inlined: every archived turn passes here, and what it gives back is large.
    #[inline(always)]
    fn checked(&self, turn: &Turn) -> Result<CheckedTurn, IllegalTurn> {
        if let Some(side) = self.must_set_up() {
            return Err(IllegalTurn::SetupMissing(side));
        }
        if let Some(outcome) = self.outcome {
            return Err(IllegalTurn::GameOver(outcome));
        }
        let (turn, after) = self.position().check_turn(turn)?;
        let occurred = self.occurrences(&after);
        if occurred >= 2 && self.rules == RuleSet::Modern {
            return Err(IllegalTurn::ThirdRepetition);
        }
        Ok(CheckedTurn {
            turn,
            after,
            occurred,
        })
    }

    /// How many setups and turns each side has made.
    pub fn turns_of_each_side(&self) -> BySide<u32> {
        let turns = self.turns.len() as u32;
        let setups = |setup: &Option<Setup>| u32::from(setup.is_some());
        let gold_first = self
            .positions
            .first()
            .is_none_or(|first| first.side_to_move() == Side::Gold);
        let (first, second) = (turns.div_ceil(2), turns / 2);
        let (gold, silver) = if gold_first {
            (first, second)
        } else {
            (second, first)
        };
        BySide::new(gold + setups(&self.gold), silver + setups(&self.silver))
    }

    /// Takes back the last turn, or the last setup. Returns false when there
    /// is nothing to take back.
    pub fn take_back(&mut self) -> bool {
        if self.turns.pop().is_some() {
            self.leave();
            self.outcome = None;
            return true;
        }
        if self.silver.take().is_some() {
            self.leave_all();
            return true;
        }
        self.gold.take().is_some()
    }

    /// How often the position (board and side to move) has stood at the end
    /// of a turn, counted from the position after the setups.
    pub fn occurrences(&self, position: &Position) -> usize {
        let hash = position.board().hash();
        let from = match self.history.last() {
            Some(last) => last.comparable_from as usize,
            None => 0,
        };
        if let Some(places) = &self.places {
            let found = places.get(&hash).map_or(&[][..], Vec::as_slice);
            let same =
                |&&i: &&u32| i as usize >= from && self.positions.get(i as usize) == Some(position);
            return found.iter().filter(same).count();
        }
        // The sides take turns, so every other position has the same one to
        // move. Hashes are compared first; boards decide.
        let newest = self.positions.len();
        let skip = match self.positions.last() {
            Some(last) if last.side_to_move() != position.side_to_move() => 1,
            _ => 0,
        };
        (from..newest)
            .rev()
            .skip(skip)
            .step_by(2)
            .filter(|&i| {
                self.history[i].hash == hash && self.positions[i].board() == position.board()
            })
            .count()
    }

    /// Would this position, reached by a turn now, be an illegal third
    /// repetition? For those that list legal turns; a turn that somebody wants
    /// to play goes to [`check_turn`](Game::check_turn).
    pub fn is_third_repetition(&self, position: &Position) -> bool {
        self.rules == RuleSet::Modern && self.occurrences(position) >= 2
    }

    /// Has the side to move any legal turn, repetition considered?
    ///
    /// A single step, and a single push, always changes the position. So as
    /// long as nothing has occurred twice, whoever can move has a legal turn.
    /// Otherwise the first single step looked at settles it as a rule; only a
    /// side whose every single step would repeat has its turns listed.
    pub fn has_legal_turn(&self) -> bool {
        let position = self.position();
        let side = position.side_to_move();
        if self.repeats == 0 || self.rules == RuleSet::Before2008 {
            return position.board().can_move(side);
        }
        let may_play = |after: &Position| self.occurrences(after) < 2;
        let sets = position.step_sets();
        let single = Direction::ALL.into_iter().any(|direction| {
            sets.own(direction).into_iter().any(|from| {
                position.board().piece_at(from).is_some_and(|piece| {
                    let step = position.with_removal(Step::new(piece, from, direction));
                    may_play(&position.after(step).end_turn())
                })
            })
        });
        single
            || TurnGenerator::new()
                .generate(&position)
                .any(|reached| may_play(&reached.position()))
    }
}

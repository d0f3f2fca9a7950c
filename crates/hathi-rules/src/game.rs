//! A game as it is played: setups, turns, repetition and the result.

use crate::{
    Board, IllegalTurn, Outcome, Position, RuleSet, Setup, Side, Termination, Turn, TurnGenerator,
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
    turns: Vec<Turn>,
    outcome: Option<Outcome>,
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
            turns: Vec::new(),
            outcome: None,
        }
    }

    /// A game that starts from a position instead of from setups.
    pub fn from_position(rules: RuleSet, position: Position) -> Game {
        let start = position.with_side(position.side_to_move());
        let mut game = Game::new(rules);
        game.positions.push(start);
        game.outcome = Outcome::on_board(start.board(), start.side_to_move().opponent(), rules);
        game
    }

    /// Forgets everything but keeps the memory it holds, for replaying many
    /// games in a row.
    pub fn restart(&mut self, rules: RuleSet) {
        self.rules = rules;
        self.gold = None;
        self.silver = None;
        self.positions.clear();
        self.turns.clear();
        self.outcome = None;
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
                self.positions.push(self.position());
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
        Position::from_trusted(board, if gold_is_next { Side::Gold } else { Side::Silver })
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
        let side = self.position().side_to_move();
        match self.must_set_up() {
            Some(side) => format!("1{side}"),
            None => {
                let first = self.positions[0].side_to_move();
                let moves = (self.turns.len() + usize::from(first == Side::Silver)) / 2;
                format!("{}{side}", moves + 2)
            }
        }
    }

    /// Plays a turn, if the rules allow it, and gives back the outcome if it
    /// ends the game.
    pub fn play(&mut self, turn: &Turn) -> Result<Option<Outcome>, IllegalTurn> {
        if let Some(side) = self.must_set_up() {
            return Err(IllegalTurn::SetupMissing(side));
        }
        if let Some(outcome) = self.outcome {
            return Err(IllegalTurn::GameOver(outcome));
        }
        let before = self.position();
        let (turn, after) = before.check_turn(turn)?;
        let mover = before.side_to_move();
        let repeats = self.occurrences(&after) >= 2;
        if repeats && self.rules == RuleSet::Modern {
            return Err(IllegalTurn::ThirdRepetition);
        }
        self.turns.push(turn);
        self.positions.push(after);
        self.outcome = Outcome::on_board(after.board(), mover, self.rules);
        if self.outcome.is_none() {
            if repeats {
                let loss = Outcome::win(mover.opponent(), Termination::Repetition);
                self.outcome = Some(loss);
            } else if !self.has_legal_turn() {
                self.outcome = Some(Outcome::win(mover, Termination::Immobilised));
            }
        }
        Ok(self.outcome)
    }

    /// Takes back the last turn, or the last setup. Returns false when there
    /// is nothing to take back.
    pub fn take_back(&mut self) -> bool {
        if self.turns.pop().is_some() {
            self.positions.pop();
            self.outcome = None;
            return true;
        }
        if self.silver.take().is_some() {
            self.positions.clear();
            return true;
        }
        self.gold.take().is_some()
    }

    /// How often the position (board and side to move) has stood at the end
    /// of a turn, counted from the position after the setups.
    pub fn occurrences(&self, position: &Position) -> usize {
        let pieces = position.board().occupied().len();
        self.positions
            .iter()
            .rev()
            // A capture cannot be undone: nothing before it can come back.
            .take_while(|earlier| earlier.board().occupied().len() == pieces)
            .filter(|earlier| {
                earlier.side_to_move() == position.side_to_move()
                    && earlier.board().hash() == position.board().hash()
                    && earlier.board() == position.board()
            })
            .count()
    }

    /// Would this position, reached by a turn now, be an illegal third
    /// repetition?
    pub fn is_third_repetition(&self, position: &Position) -> bool {
        self.rules == RuleSet::Modern && self.occurrences(position) >= 2
    }

    /// Has the side to move any legal turn, repetition considered?
    ///
    /// A single step always changes the position, so as a rule the first one
    /// looked at settles it. Only a side whose every single step would repeat
    /// has its turns listed.
    pub fn has_legal_turn(&self) -> bool {
        let position = self.position();
        if self.rules == RuleSet::Before2008 {
            return position.board().can_move(position.side_to_move());
        }
        let sets = position.step_sets();
        let free = self.positions.len() < 5; // too early for a third repetition
        if free && crate::Direction::ALL.iter().any(|&d| sets.own(d).any()) {
            return true;
        }
        let mut found = false;
        position.for_each_step(|step| {
            if !found && step.side() == position.side_to_move() {
                found = self.occurrences(&position.after(step).end_turn()) < 2;
            }
        });
        found
            || TurnGenerator::new()
                .generate(&position)
                .any(|reached| self.occurrences(&reached.position()) < 2)
    }
}

//! A game and its clock, judged together: does a turn count, and is the game
//! over?
//!
//! Whoever lets people or engines play (the match runner, the page, the
//! terminal) keeps a [`TimedGame`], measures how long a player took and gives
//! both to [`TimedGame::make`]. Nobody else decides what a turn that was late
//! means. The order of judgement:
//!
//! 1. A turn that comes after its side has run out of time does not count, and
//!    the game is lost.
//! 2. One that comes after the game's time limit does not count; pieces decide.
//! 3. One that is not legal is refused: nothing has happened, and the clock
//!    goes on.
//! 4. Else it is made. What the board says comes first; then a limit that was
//!    reached with this turn, and pieces decide.

use std::num::NonZeroU32;
use std::time::Duration;

use crate::{
    Choice, Clock, Game, IllegalChoice, IllegalTurn, LastTurn, Outcome, PieceLead, Side,
    Termination, TurnKind, Verdict,
};

/// A game with its clock.
///
/// ```
/// use std::time::Duration;
/// use hathi_rules::{Choice, Clock, Game, RuleSet, Ruling, TimedGame, Timing};
///
/// let position = "g [r                                               E              R]".parse()?;
/// let game = Game::from_position(RuleSet::Modern, position);
/// let mut game = TimedGame::new(game, Timing::Clock(Clock::new("2s/1s".parse()?)));
///
/// let turn = Choice::Play("Ea2n".parse()?);
/// assert_eq!(game.make(&turn, Duration::from_secs(3)), Ok(Ruling::GoesOn));
/// let late = Choice::Play("ra8s".parse()?);
/// let ruling = game.make(&late, Duration::from_secs(4))?;
/// assert_eq!(ruling.outcome().map(|outcome| outcome.to_string()).as_deref(), Some("Gold wins on time"));
/// // The late turn was not made.
/// assert_eq!(game.game().turns().len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct TimedGame {
    game: Game,
    timing: Timing,
    /// Full moves after which pieces are counted.
    most_moves: Option<NonZeroU32>,
    charges: Vec<Charge>,
    outcome: Option<Outcome>,
}

/// What limits the time of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Timing {
    /// Nobody runs out of time.
    Untimed,
    /// Every setup and every turn has so much, and nothing is saved.
    EachTurn(Duration),
    /// A clock runs.
    Clock(Clock),
}

/// Time that was taken off a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Charge {
    /// Whose time.
    pub side: Side,
    /// How much of it.
    pub used: Duration,
    /// For what.
    pub kind: TurnKind,
}

/// What is said of a setup or a turn that was not refused.
#[must_use = "the game may be over"]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ruling {
    /// It counts, and the game goes on.
    GoesOn,
    /// It counts and ends the game: on the board, or since a limit is reached.
    Ended(Outcome),
    /// It does not count: its side had run out of time, and loses.
    OutOfTime {
        /// The end of the game.
        outcome: Outcome,
        /// How late it was.
        over_by: Duration,
    },
    /// It does not count: the game's time limit had stopped the game.
    CutShort(Outcome),
}

impl Ruling {
    /// The end of the game, if it is one.
    pub const fn outcome(self) -> Option<Outcome> {
        match self {
            Ruling::GoesOn => None,
            Ruling::Ended(outcome)
            | Ruling::OutOfTime { outcome, .. }
            | Ruling::CutShort(outcome) => Some(outcome),
        }
    }

    /// Was the setup or the turn made?
    pub const fn counts(self) -> bool {
        matches!(self, Ruling::GoesOn | Ruling::Ended(_))
    }
}

impl TimedGame {
    /// A game as it stands, whose clock begins to run.
    pub fn new(game: Game, timing: Timing) -> TimedGame {
        let outcome = game.outcome();
        TimedGame {
            game,
            timing,
            most_moves: None,
            charges: Vec::new(),
            outcome,
        }
    }

    /// The same game, ended by piece count after so many full moves, setups
    /// included.
    #[must_use]
    pub fn with_most_moves(mut self, moves: NonZeroU32) -> TimedGame {
        self.most_moves = Some(moves);
        if self.outcome.is_none() && self.is_too_long() {
            self.outcome = Some(self.by_piece_count());
        }
        self
    }

    /// A game that was interrupted: what was taken off its clock by then is
    /// taken off again. `outcome` is how it ended, if it had.
    pub fn resumed(
        game: Game,
        timing: Timing,
        charges: &[Charge],
        outcome: Option<Outcome>,
    ) -> TimedGame {
        let mut resumed = TimedGame::new(game, timing);
        if let Timing::Clock(clock) = &mut resumed.timing {
            for charge in charges {
                // The verdict was spoken then, and `outcome` is what came of it.
                let _ = clock.charge(charge.side, charge.used, charge.kind);
            }
            resumed.charges = charges.to_vec();
        }
        resumed.count_turns();
        resumed.outcome = outcome.or(resumed.outcome);
        resumed
    }

    /// The moves, and what the board says.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The game alone.
    pub fn into_game(self) -> Game {
        self.game
    }

    /// The clock, if one runs.
    pub fn clock(&self) -> Option<&Clock> {
        match &self.timing {
            Timing::Clock(clock) => Some(clock),
            Timing::Untimed | Timing::EachTurn(_) => None,
        }
    }

    /// What was taken off the clock so far, turns taken back included.
    pub fn charges(&self) -> &[Charge] {
        &self.charges
    }

    /// The end of the game, on the board or off it.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// What is due: a setup or a turn.
    pub fn turn_kind(&self) -> TurnKind {
        match self.game.must_set_up() {
            Some(_) => TurnKind::Setup,
            None => TurnKind::Play,
        }
    }

    /// The most `side` may use for a turn now, `None` when there is no limit.
    pub fn time_available(&self, side: Side) -> Option<Duration> {
        match &self.timing {
            Timing::Untimed => None,
            Timing::EachTurn(time) => Some(*time),
            Timing::Clock(clock) => clock.time_available(side, self.turn_kind()),
        }
    }

    /// The side to move has decided after `used`.
    ///
    /// A choice that is refused has cost nothing: the same side is still to
    /// move, and whoever measures its time goes on measuring.
    pub fn make(&mut self, choice: &Choice, used: Duration) -> Result<Ruling, IllegalChoice> {
        if let Some(outcome) = self.outcome {
            return Err(IllegalTurn::GameOver(outcome).into());
        }
        let side = self.game.side_to_move();
        let (timing, verdict) = self.charged(used);
        let too_late = match verdict {
            Verdict::OutOfTime { over_by, .. } => {
                let outcome = Outcome::win(side.opponent(), Termination::Time);
                Some(Ruling::OutOfTime { outcome, over_by })
            }
            Verdict::GameLimit(LastTurn::CutShort) => Some(Ruling::CutShort(self.by_piece_count())),
            Verdict::GameLimit(LastTurn::Completed) | Verdict::InTime { .. } => None,
        };
        let kind = self.turn_kind();
        if too_late.is_none() {
            self.game.make(choice)?;
        }
        self.timing = timing;
        if self.clock().is_some() {
            self.charges.push(Charge { side, used, kind });
        }
        let ruling = match (too_late, self.game.outcome()) {
            (Some(ruling), _) => ruling,
            (None, Some(outcome)) => Ruling::Ended(outcome),
            (None, None) if matches!(verdict, Verdict::GameLimit(_)) || self.is_too_long() => {
                Ruling::Ended(self.by_piece_count())
            }
            (None, None) => Ruling::GoesOn,
        };
        self.outcome = ruling.outcome();
        Ok(ruling)
    }

    /// The side to move has thought for `used` and said nothing yet: ends the
    /// game if no turn could count any more.
    pub fn look_at_clock(&mut self, used: Duration) -> Option<Outcome> {
        if self.outcome.is_some() {
            return self.outcome;
        }
        self.outcome = match self.charged(used).1 {
            Verdict::OutOfTime { side, .. } => {
                Some(Outcome::win(side.opponent(), Termination::Time))
            }
            Verdict::GameLimit(LastTurn::CutShort) => Some(self.by_piece_count()),
            Verdict::GameLimit(LastTurn::Completed) | Verdict::InTime { .. } => None,
        };
        self.outcome
    }

    /// `side` loses by something else than its moves: it resigns, breaks down,
    /// insists on an illegal turn. Gives the end of the game, which is another
    /// one if it had ended before.
    pub fn lose(&mut self, side: Side, why: Termination) -> Outcome {
        let loss = Outcome::win(side.opponent(), why);
        *self.outcome.get_or_insert(loss)
    }

    /// Takes back the last turn or setup, and the end of the game with it.
    /// Time that was used stays used. Returns false when there is nothing to
    /// take back.
    pub fn take_back(&mut self) -> bool {
        let taken = self.game.take_back();
        if taken {
            self.outcome = None;
            self.count_turns();
        }
        taken
    }

    /// The timing after a turn that took `used`, and what it says of it.
    fn charged(&self, used: Duration) -> (Timing, Verdict) {
        let side = self.game.side_to_move();
        let in_time = Verdict::InTime {
            reserve_left: Duration::ZERO,
        };
        let mut timing = self.timing.clone();
        let verdict = match &mut timing {
            Timing::Untimed => in_time,
            Timing::EachTurn(time) => match used.saturating_sub(*time) {
                Duration::ZERO => in_time,
                over_by => Verdict::OutOfTime { side, over_by },
            },
            Timing::Clock(clock) => clock.charge(side, used, self.turn_kind()),
        };
        (timing, verdict)
    }

    /// A limit in turns counts those that stand, not those taken back.
    fn count_turns(&mut self) {
        if let Timing::Clock(clock) = &mut self.timing {
            clock.set_turns_taken(self.game.turns_of_each_side());
        }
    }

    fn is_too_long(&self) -> bool {
        let next = self.game.next_label().number;
        self.most_moves.is_some_and(|most| next > most.get())
    }

    /// Who has, or most recently had, more pieces wins.
    fn by_piece_count(&self) -> Outcome {
        let mut lead = PieceLead::default();
        for position in self.game.positions() {
            let count = position.board().count();
            lead.record(count.gold, count.silver);
        }
        Outcome::win(lead.winner(), Termination::Score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BySide, RuleSet};
    use Side::{Gold, Silver};

    const GOLD: &str = "Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2";
    const SILVER: &str = "ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7";

    const fn secs(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn clock(control: &str) -> Timing {
        Timing::Clock(Clock::new(control.parse().expect("a time control")))
    }

    fn turn(text: &str) -> Choice {
        Choice::Play(text.parse().expect("a turn"))
    }

    /// A game that begins with setups made in no time.
    fn set_up(timing: Timing) -> TimedGame {
        let mut game = TimedGame::new(Game::new(RuleSet::Modern), timing);
        for setup in [GOLD, SILVER] {
            let setup = Choice::SetUp(setup.parse().expect("a setup"));
            assert_eq!(game.make(&setup, Duration::ZERO), Ok(Ruling::GoesOn));
        }
        game
    }

    /// Gold's rabbit is a step from goal, Silver's horse in danger on c6.
    fn near_goal(timing: Timing) -> TimedGame {
        let position = "g
            8| . . . . . . . . |
            7| R . . E . . . . |
            6| . d h . . x . . |
            5| . . . . . . . . |
            4| . . . . . . . . |
            3| . . x . . x . . |
            2| r . . . . . . . |
            1| . . . . . . . R |";
        let position = position.parse().expect("a position");
        TimedGame::new(Game::from_position(RuleSet::Modern, position), timing)
    }

    fn win(side: Side, why: Termination) -> Outcome {
        Outcome::win(side, why)
    }

    #[test]
    fn a_late_turn_is_not_made_and_loses() {
        let mut game = near_goal(clock("5s/2s"));
        let ruling = game.make(&turn("Ra7n"), secs(8)).expect("legal");
        let outcome = win(Silver, Termination::Time);
        let over_by = secs(1);
        assert_eq!(ruling, Ruling::OutOfTime { outcome, over_by });
        assert!(!ruling.counts());
        assert_eq!(game.outcome(), Some(outcome));
        assert!(game.game().turns().is_empty());
        let after = game.make(&turn("Ra7n"), secs(0));
        assert_eq!(after, Err(IllegalTurn::GameOver(outcome).into()));
    }

    #[test]
    fn the_last_turn_within_the_limit_counts_and_may_win() {
        // The game has ten seconds; a turn on the last of them is made.
        let mut game = near_goal(clock("20s/0/100/0/10s"));
        let ruling = game.make(&turn("Ra7n"), secs(10)).expect("legal");
        assert_eq!(ruling, Ruling::Ended(win(Gold, Termination::Goal)));
        // A turn that wins nothing ends it by piece count: 3 against 3, Silver.
        let mut game = near_goal(clock("20s/0/100/0/10s"));
        let ruling = game.make(&turn("Rh1w"), secs(10)).expect("legal");
        assert_eq!(ruling, Ruling::Ended(win(Silver, Termination::Score)));
        assert_eq!(game.game().turns().len(), 1);
        // A capture by that turn is counted.
        let mut game = near_goal(clock("20s/0/100/0/10s"));
        let pull = game.make(&turn("Ed7w Ec7w Eb7n db6n"), secs(10));
        assert_eq!(pull, Ok(Ruling::Ended(win(Gold, Termination::Score))));
    }

    #[test]
    fn a_turn_after_the_games_limit_does_not_count() {
        let mut game = near_goal(clock("20s/0/100/0/10s"));
        let ruling = game.make(&turn("Ra7n"), secs(11)).expect("legal");
        assert_eq!(ruling, Ruling::CutShort(win(Silver, Termination::Score)));
        assert!(game.game().turns().is_empty());
    }

    #[test]
    fn a_limit_in_turns_ends_it_after_the_last_of_them() {
        let mut game = set_up(clock("1/1/100/0/2t"));
        assert_eq!(game.make(&turn("Ee2n"), secs(1)), Ok(Ruling::GoesOn));
        let last = game.make(&turn("ed7s"), secs(1));
        assert_eq!(last, Ok(Ruling::Ended(win(Silver, Termination::Score))));
        assert_eq!(game.game().turns().len(), 2);
    }

    #[test]
    fn what_is_refused_costs_nothing() {
        let mut game = set_up(clock("5s/0"));
        let before = game.clone();
        assert!(game.make(&turn("Ra1s"), secs(3)).is_err());
        let setup = Choice::SetUp(GOLD.parse().expect("a setup"));
        assert!(game.make(&setup, secs(3)).is_err());
        assert_eq!(game.clock(), before.clock());
        assert_eq!(game.charges(), before.charges());
        assert_eq!(game.make(&turn("Ee2n"), secs(5)), Ok(Ruling::GoesOn));
    }

    #[test]
    fn illegal_and_late_is_late() {
        let mut game = set_up(clock("5s/0"));
        let ruling = game.make(&turn("Ra1s"), secs(6)).expect("judged");
        assert_eq!(ruling.outcome(), Some(win(Silver, Termination::Time)));
    }

    #[test]
    fn a_time_for_each_turn_saves_nothing() {
        let mut game = set_up(Timing::EachTurn(secs(2)));
        assert_eq!(game.time_available(Gold), Some(secs(2)));
        assert_eq!(game.make(&turn("Ee2n"), secs(0)), Ok(Ruling::GoesOn));
        assert_eq!(game.make(&turn("ed7s"), secs(0)), Ok(Ruling::GoesOn));
        let ruling = game.make(&turn("Ee3n"), secs(3)).expect("judged");
        assert_eq!(ruling.outcome(), Some(win(Silver, Termination::Time)));
        assert!(game.charges().is_empty());
    }

    #[test]
    fn a_clock_that_runs_out_ends_the_game_without_a_turn() {
        let mut game = near_goal(clock("5s/2s"));
        assert_eq!(game.look_at_clock(secs(7)), None);
        let lost = win(Silver, Termination::Time);
        assert_eq!(game.look_at_clock(secs(8)), Some(lost));
        assert_eq!(game.outcome(), Some(lost));
        // The game's own limit is nobody's fault.
        let mut game = near_goal(clock("20s/0/100/0/10s"));
        assert_eq!(game.look_at_clock(secs(10)), None);
        let counted = win(Silver, Termination::Score);
        assert_eq!(game.look_at_clock(secs(11)), Some(counted));
        let mut game = near_goal(Timing::Untimed);
        assert_eq!(game.look_at_clock(Duration::MAX), None);
    }

    #[test]
    fn so_many_moves_and_no_more() {
        let most = NonZeroU32::new(2).expect("not 0");
        let mut game = set_up(Timing::Untimed).with_most_moves(most);
        assert_eq!(game.make(&turn("Ee2n"), secs(0)), Ok(Ruling::GoesOn));
        let last = game.make(&turn("ed7s"), secs(0));
        assert_eq!(last, Ok(Ruling::Ended(win(Silver, Termination::Score))));
        // One that is too long already ends at once.
        let one = NonZeroU32::new(1).expect("not 0");
        let game = set_up(Timing::Untimed).with_most_moves(one);
        assert_eq!(game.outcome(), Some(win(Silver, Termination::Score)));
    }

    #[test]
    fn turns_taken_back_do_not_count_but_their_time_does() {
        let mut game = set_up(clock("1/1/0/0/2t"));
        for _ in 0..3 {
            assert_eq!(game.make(&turn("Ee2n"), secs(70)), Ok(Ruling::GoesOn));
            assert!(game.take_back());
        }
        let clock = game.clock().expect("a clock");
        assert_eq!(clock.reserve(Gold), secs(30));
        assert_eq!(clock.turns_taken(Gold), 1);
        let again = TimedGame::resumed(
            game.game().clone(),
            self::clock("1/1/0/0/2t"),
            game.charges(),
            None,
        );
        assert_eq!(again.clock(), game.clock());
        assert_eq!(again.outcome(), None);
    }

    #[test]
    fn who_resigns_loses_once() {
        let mut game = set_up(Timing::Untimed);
        let lost = game.lose(Gold, Termination::Resignation);
        assert_eq!(lost, win(Silver, Termination::Resignation));
        assert_eq!(game.lose(Silver, Termination::Forfeit), lost);
        assert!(game.take_back());
        assert_eq!(game.outcome(), None);
    }

    #[test]
    fn turns_of_each_side_are_counted_from_the_one_that_began() {
        let mut game = near_goal(Timing::Untimed);
        assert_eq!(game.game().turns_of_each_side(), BySide::new(0, 0));
        let _ = game.make(&turn("Rh1w"), secs(0)).expect("legal");
        assert_eq!(game.game().turns_of_each_side(), BySide::new(1, 0));
        let game = set_up(Timing::Untimed);
        assert_eq!(game.game().turns_of_each_side(), BySide::new(1, 1));
    }
}

//! Runs a [`TimeControl`] for both sides of one game.
//!
//! A [`TimedGame`](crate::TimedGame), and a replay of an archive's clock log,
//! calls [`Clock::charge`] once a turn; whoever thinks asks
//! [`Clock::time_available`] first. The clock measures nothing itself, so a
//! test or a replay runs as fast as it likes.
//!
//! With M, R, P, L, G and T as in a [`TimeControl`]:
//! - A turn may use M and then the whole reserve. Using exactly that much is
//!   still in time. T ends a turn earlier, however much reserve is left.
//! - Of what is left of M, P per cent go to the reserve; what is used beyond M
//!   comes out of it in full.
//! - The reserve does not grow beyond L. A reserve R above L is not cut: it
//!   gains nothing until it has fallen below L.
//! - A setup turn has at least a minute, even if M or T is less, and adds
//!   nothing to the reserve. What it uses beyond its own time comes out of the
//!   reserve, as in any other turn.
//! - The time limit G stops the game at once, in the middle of a turn. A limit
//!   in turns stops it when both sides have made that many, setup included.
//! - `0/0` has no time to run out of; only T and G hold.
//!
//! The match rules round what is added to the reserve to a whole second, which
//! suits a clock that ticks in seconds. This one keeps fractions, as rounding
//! would give away up to half a second a turn.

use std::time::Duration;

use crate::{BySide, GameLimit, Side, TimeControl};

/// The least a side has for its setup, however fast the game.
const SETUP_TIME: Duration = Duration::from_secs(60);

/// The clock of one game.
///
/// ```
/// use std::time::Duration;
/// use hathi_rules::{Clock, Side, TurnKind, Verdict};
///
/// let mut clock = Clock::new("2/0".parse()?);
/// let verdict = clock.charge(Side::Gold, Duration::from_secs(30), TurnKind::Play);
/// assert_eq!(verdict, Verdict::InTime { reserve_left: Duration::from_secs(90) });
/// # Ok::<(), hathi_rules::TimeControlError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clock {
    control: TimeControl,
    reserve: BySide<Duration>,
    time_used: BySide<Duration>,
    turns_taken: BySide<u32>,
}

/// What a turn is spent on, as far as the clock cares.
///
/// ```
/// use std::time::Duration;
/// use hathi_rules::{Clock, Side, TurnKind};
///
/// let clock = Clock::new("8s/0".parse()?);
/// let available = |kind| clock.time_available(Side::Gold, kind);
/// assert_eq!(available(TurnKind::Setup), Some(Duration::from_secs(60)));
/// assert_eq!(available(TurnKind::Play), Some(Duration::from_secs(8)));
/// # Ok::<(), hathi_rules::TimeControlError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TurnKind {
    /// Placing the pieces, a side's first turn.
    Setup,
    /// Any later turn.
    Play,
}

/// What the clock says of a turn.
///
/// ```
/// use std::time::Duration;
/// use hathi_rules::{Clock, Side, TurnKind, Verdict};
///
/// let mut clock = Clock::new("15s/10s".parse()?);
/// assert_eq!(
///     clock.charge(Side::Silver, Duration::from_secs(28), TurnKind::Play),
///     Verdict::OutOfTime { side: Side::Silver, over_by: Duration::from_secs(3) },
/// );
/// # Ok::<(), hathi_rules::TimeControlError>(())
/// ```
#[must_use = "the game may be over"]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The game goes on.
    InTime {
        /// The reserve of the side after the turn.
        reserve_left: Duration,
    },
    /// The side took too long and loses.
    OutOfTime {
        /// The side that loses.
        side: Side,
        /// The time used beyond what was available.
        over_by: Duration,
    },
    /// The game limit is reached: [`PieceLead`] knows the winner, unless the
    /// turn was [`Completed`](LastTurn::Completed) and won the game by itself.
    GameLimit(LastTurn),
}

/// What becomes of the turn during which the game limit was reached.
///
/// ```
/// use std::time::Duration;
/// use hathi_rules::{Clock, LastTurn, Side, TurnKind, Verdict};
///
/// let clock = Clock::new("2/2/100/0/1m".parse()?);
/// let charge = |seconds| clock.clone().charge(Side::Gold, Duration::from_secs(seconds), TurnKind::Play);
/// assert_eq!(charge(60), Verdict::GameLimit(LastTurn::Completed));
/// assert_eq!(charge(61), Verdict::GameLimit(LastTurn::CutShort));
/// # Ok::<(), hathi_rules::TimeControlError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LastTurn {
    /// It was made within the limit and counts.
    Completed,
    /// The game stopped before it was made: it does not count.
    CutShort,
}

impl Clock {
    /// A clock at the start of a game.
    pub fn new(control: TimeControl) -> Self {
        Clock {
            control,
            reserve: BySide::new(control.reserve(), control.reserve()),
            time_used: BySide::default(),
            turns_taken: BySide::default(),
        }
    }

    /// The time control this clock runs.
    pub const fn control(&self) -> &TimeControl {
        &self.control
    }

    /// The reserve of `side`.
    pub fn reserve(&self, side: Side) -> Duration {
        self.reserve[side]
    }

    /// The time `side` has used so far, setup included.
    pub fn time_used(&self, side: Side) -> Duration {
        self.time_used[side]
    }

    /// The number of turns `side` has been charged for, setup included.
    pub fn turns_taken(&self, side: Side) -> u32 {
        self.turns_taken[side]
    }

    /// Turns that were taken back are not counted; the time they took is.
    pub(crate) fn set_turns_taken(&mut self, turns: BySide<u32>) {
        self.turns_taken = turns;
    }

    /// What is left of the game's time limit, `None` when it has none.
    pub fn game_time_left(&self) -> Option<Duration> {
        let Some(GameLimit::Time(limit)) = self.control.game_limit() else {
            return None;
        };
        let used = self.time_used.gold.saturating_add(self.time_used.silver);
        Some(limit.saturating_sub(used))
    }

    /// The most `side` may use for a turn now, `None` when there is no limit.
    ///
    /// Beyond it the game is lost on time or stopped by the game limit.
    ///
    /// ```
    /// use std::time::Duration;
    /// use hathi_rules::{Clock, Side, TimeControl, TurnKind};
    ///
    /// let available = |control: TimeControl| {
    ///     Clock::new(control).time_available(Side::Gold, TurnKind::Play)
    /// };
    /// assert_eq!(available("2/3".parse()?), Some(Duration::from_secs(300)));
    /// assert_eq!(available("2/3/100/0/0/4".parse()?), Some(Duration::from_secs(240)));
    /// assert_eq!(available("0/0".parse()?), None);
    /// # Ok::<(), hathi_rules::TimeControlError>(())
    /// ```
    pub fn time_available(&self, side: Side, kind: TurnKind) -> Option<Duration> {
        smaller(self.own_time(side, kind), self.game_time_left())
    }

    /// Takes the time of a finished turn and tells what it means.
    ///
    /// When the own time of a side and the time of the game have both run out,
    /// the one that ran out first decides; the game's, if both did at once.
    /// The state after a verdict that ends the game is of no further use.
    ///
    /// ```
    /// use std::time::Duration;
    /// use hathi_rules::{Clock, Side, TurnKind, Verdict};
    ///
    /// // The setup takes 34 seconds more than its two minutes.
    /// let mut clock = Clock::new("2/2/100/10/8".parse()?);
    /// let verdict = clock.charge(Side::Silver, Duration::from_secs(154), TurnKind::Setup);
    /// assert_eq!(verdict, Verdict::InTime { reserve_left: Duration::from_secs(86) });
    /// # Ok::<(), hathi_rules::TimeControlError>(())
    /// ```
    pub fn charge(&mut self, side: Side, used: Duration, kind: TurnKind) -> Verdict {
        let own_time = self.own_time(side, kind);
        let game_time = self.game_time_left();

        self.reserve[side] = self.reserve_after(side, used, kind);
        self.time_used[side] = self.time_used[side].saturating_add(used);
        self.turns_taken[side] = self.turns_taken[side].saturating_add(1);

        if let Some(game_time) = game_time
            && used >= game_time
            && own_time.is_none_or(|own_time| game_time <= own_time)
        {
            let last_turn = if used == game_time {
                LastTurn::Completed
            } else {
                LastTurn::CutShort
            };
            return Verdict::GameLimit(last_turn);
        }
        if let Some(own_time) = own_time
            && used > own_time
        {
            let over_by = used.saturating_sub(own_time);
            return Verdict::OutOfTime { side, over_by };
        }
        if self.all_turns_taken() {
            return Verdict::GameLimit(LastTurn::Completed);
        }
        Verdict::InTime {
            reserve_left: self.reserve[side],
        }
    }

    /// The time for a turn before the reserve is touched.
    fn move_time(&self, kind: TurnKind) -> Duration {
        match kind {
            TurnKind::Setup => self.control.per_move().max(SETUP_TIME),
            TurnKind::Play => self.control.per_move(),
        }
    }

    /// What the side may use as far as M, its reserve and T go.
    fn own_time(&self, side: Side, kind: TurnKind) -> Option<Duration> {
        let turn_limit = self.control.turn_limit().map(|limit| match kind {
            TurnKind::Setup => limit.max(SETUP_TIME),
            TurnKind::Play => limit,
        });
        let move_and_reserve = self.move_time(kind).saturating_add(self.reserve[side]);
        let timed = !self.control.is_untimed();
        smaller(timed.then_some(move_and_reserve), turn_limit)
    }

    fn reserve_after(&self, side: Side, used: Duration, kind: TurnKind) -> Duration {
        let reserve = self.reserve[side];
        let move_time = self.move_time(kind);
        if used > move_time {
            return reserve.saturating_sub(used.saturating_sub(move_time));
        }
        if kind == TurnKind::Setup {
            return reserve;
        }
        let unused = move_time.saturating_sub(used);
        let added = unused.saturating_mul(self.control.reserve_percent()) / 100;
        let grown = reserve.saturating_add(added);
        match self.control.reserve_limit() {
            // A reserve above the limit from the start stays as it is.
            Some(limit) => grown.min(limit.max(reserve)),
            None => grown,
        }
    }

    fn all_turns_taken(&self) -> bool {
        let turns = self.turns_taken.gold.min(self.turns_taken.silver);
        matches!(self.control.game_limit(), Some(GameLimit::Turns(limit)) if turns >= limit)
    }
}

/// The smaller of two limits, where `None` is no limit.
fn smaller(a: Option<Duration>, b: Option<Duration>) -> Option<Duration> {
    a.into_iter().chain(b).min()
}

/// Remembers who has, or most recently had, more pieces.
///
/// That side wins a game stopped by its limit; when neither side was ever
/// ahead, Silver does. What counts is the board after each completed turn, not
/// what happens within a turn.
///
/// ```
/// use hathi_rules::{PieceLead, Side};
///
/// let mut lead = PieceLead::default();
/// assert_eq!(lead.winner(), Side::Silver);
/// lead.record(16, 15); // Gold captures,
/// lead.record(15, 15); // Silver evens it out:
/// assert_eq!(lead.winner(), Side::Gold); // Gold was the last to be ahead.
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PieceLead {
    last_ahead: Option<Side>,
}

impl PieceLead {
    /// Takes the number of pieces on the board after a completed turn.
    pub fn record(&mut self, gold_pieces: u32, silver_pieces: u32) {
        if gold_pieces > silver_pieces {
            self.last_ahead = Some(Side::Gold);
        } else if silver_pieces > gold_pieces {
            self.last_ahead = Some(Side::Silver);
        }
    }

    /// The side that wins if the game is stopped now.
    pub fn winner(&self) -> Side {
        self.last_ahead.unwrap_or(Side::Silver)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use Side::{Gold, Silver};
    use TurnKind::{Play, Setup};

    const COMPLETED: Verdict = Verdict::GameLimit(LastTurn::Completed);
    const CUT_SHORT: Verdict = Verdict::GameLimit(LastTurn::CutShort);

    const fn secs(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn in_time(reserve_left: u64) -> Verdict {
        let reserve_left = secs(reserve_left);
        Verdict::InTime { reserve_left }
    }

    fn out_of_time(side: Side, over_by: u64) -> Verdict {
        let over_by = secs(over_by);
        Verdict::OutOfTime { side, over_by }
    }

    fn clock(control: &str) -> Clock {
        Clock::new(control.parse().expect("a time control"))
    }

    /// What becomes of a first turn of Gold's that takes so many seconds.
    fn play(control: &str, used: u64) -> Verdict {
        clock(control).charge(Gold, secs(used), Play)
    }

    fn setup(control: &str, used: u64) -> Verdict {
        clock(control).charge(Gold, secs(used), Setup)
    }

    fn available(control: &str) -> Option<Duration> {
        clock(control).time_available(Gold, Play)
    }

    // McKee's example: two minutes a move, a move made in 30 seconds, so one
    // minute and thirty seconds go to the reserve.
    #[test]
    fn unused_time_goes_to_the_reserve() {
        assert_eq!(play("2/0", 30), in_time(90));
    }

    #[test]
    fn only_a_percentage_of_the_unused_time_is_added() {
        assert_eq!(play("2/1/50", 30), in_time(60 + 45));
        assert_eq!(play("2/1/0", 30), in_time(60));
    }

    #[test]
    fn time_beyond_the_move_comes_out_of_the_reserve_in_full() {
        assert_eq!(play("2/1/50", 140), in_time(40));
    }

    #[test]
    fn exactly_all_the_time_is_still_in_time() {
        assert_eq!(play("2/1", 180), in_time(0));
        assert_eq!(play("2/1", 181), out_of_time(Gold, 1));
    }

    #[test]
    fn the_turn_limit_holds_whatever_the_reserve() {
        assert_eq!(play("1/10/100/0/0/5", 300), in_time(360));
        assert_eq!(play("1/10/100/0/0/5", 302), out_of_time(Gold, 2));
    }

    #[test]
    fn the_reserve_stops_at_its_limit() {
        assert_eq!(play("2/2/100/3", 10), in_time(180));
    }

    /// 30 seconds a move, 5 minutes of reserve, at most 3: it only falls until
    /// it is below 3 minutes, and never rises above them again.
    #[test]
    fn a_reserve_above_its_limit_gains_nothing_until_it_is_below() {
        let mut clock = clock("0:30/5/100/3");
        assert_eq!(clock.charge(Gold, secs(10), Play), in_time(300));
        assert_eq!(clock.charge(Gold, secs(90), Play), in_time(240));
        assert_eq!(clock.charge(Gold, secs(10), Play), in_time(240));
        assert_eq!(clock.charge(Gold, secs(100), Play), in_time(170));
        assert_eq!(clock.charge(Gold, secs(10), Play), in_time(180));
    }

    /// The first turns of archived game 669212, as the server's log has them.
    #[test]
    fn an_archived_clock_log() {
        let mut clock = clock("2/2/100/10/8");
        for (side, kind, used, reserve) in [
            (Gold, Setup, 0, 120),
            (Silver, Setup, 154, 86),
            (Gold, Play, 5, 235),
            (Silver, Play, 67, 139),
            (Gold, Play, 6, 349),
            (Silver, Play, 19, 240),
            (Gold, Play, 6, 463),
            (Silver, Play, 22, 338),
            (Gold, Play, 6, 577),
            (Silver, Play, 40, 418),
        ] {
            assert_eq!(clock.charge(side, secs(used), kind), in_time(reserve));
        }
        assert_eq!(clock.time_used(Gold) + clock.time_used(Silver), secs(325));
        assert_eq!(clock.turns_taken(Silver), 5);
    }

    /// Archived game 669129 was set up in 47 seconds at 8 seconds a move.
    #[test]
    fn a_setup_has_at_least_a_minute_and_adds_nothing() {
        assert_eq!(setup("8s/0", 47), in_time(0));
        assert_eq!(setup("8s/0", 61), out_of_time(Gold, 1));
        assert_eq!(setup("8s/5s/100/0/0/10s", 60), in_time(5));
        assert_eq!(setup("2/2", 1), in_time(120));
    }

    #[test]
    fn the_time_limit_counts_both_sides() {
        let mut clock = clock("1/10/100/0/10m");
        assert_eq!(clock.charge(Gold, secs(250), Play), in_time(410));
        assert_eq!(clock.charge(Silver, secs(250), Play), in_time(410));
        assert_eq!(clock.time_available(Gold, Play), Some(secs(100)));
        assert_eq!(clock.clone().charge(Gold, secs(100), Play), COMPLETED);
        assert_eq!(clock.charge(Gold, secs(101), Play), CUT_SHORT);
    }

    #[test]
    fn what_ran_out_first_decides() {
        // Gold's 100 seconds end before the game's 120.
        assert_eq!(play("100s/0/100/0/2m", 500), out_of_time(Gold, 400));
        // The game's 60 seconds end before Gold's 100, or both at once.
        assert_eq!(play("100s/0/100/0/1m", 500), CUT_SHORT);
        assert_eq!(play("1/0/100/0/1m", 500), CUT_SHORT);
    }

    #[test]
    fn the_limit_in_turns_ends_the_game_after_silvers_last() {
        let mut clock = clock("1/1/0/0/2t");
        assert_eq!(clock.charge(Gold, secs(5), Setup), in_time(60));
        assert_eq!(clock.charge(Silver, secs(5), Setup), in_time(60));
        assert_eq!(clock.charge(Gold, secs(5), Play), in_time(60));
        assert_eq!(clock.charge(Silver, secs(5), Play), COMPLETED);
    }

    #[test]
    fn without_move_time_and_reserve_there_is_no_clock() {
        let mut untimed = clock("0/0");
        assert_eq!(untimed.charge(Gold, Duration::MAX, Play), in_time(0));
        assert_eq!(untimed.charge(Gold, Duration::MAX, Setup), in_time(0));
        assert_eq!(untimed.time_available(Gold, Play), None);
        // The other limits still hold.
        assert_eq!(available("0/0/100/0/0/5"), Some(secs(300)));
        assert_eq!(available("0/0/100/0/1"), Some(secs(3600)));
        // All in reserve is not the same as untimed, not even when it is gone.
        let mut sudden_death = clock("0/5");
        assert_eq!(sudden_death.charge(Gold, secs(300), Play), in_time(0));
        assert_eq!(sudden_death.time_available(Gold, Play), Some(secs(0)));
    }

    #[test]
    fn the_last_side_to_be_ahead_wins() {
        let mut lead = PieceLead::default();
        lead.record(16, 16);
        assert_eq!(lead.winner(), Silver, "nobody was ever ahead");
        lead.record(16, 15);
        lead.record(15, 15);
        assert_eq!(lead.winner(), Gold, "most recently ahead");
        lead.record(13, 14);
        assert_eq!(lead.winner(), Silver, "ahead now");
    }

    /// Small numbers, so that limits are met often.
    fn any_clock() -> impl Strategy<Value = Clock> {
        "[0-3]s/[0-5]s/(0|50|100|200)/[0-7]s/([0-3]?[0-9]s|[0-5]t)/[0-5]s"
            .prop_map(|control| clock(&control))
    }

    prop_compose! {
        fn any_turn()(
            side in prop_oneof![Just(Gold), Just(Silver)],
            kind in prop_oneof![1 => Just(Setup), 9 => Just(Play)],
            // Half seconds meet the limits exactly as often as they miss them.
            used in prop_oneof![
                9 => (0..12_u64).prop_map(|halves| Duration::from_millis(500 * halves)),
                1 => Just(secs(100)), 1 => Just(Duration::MAX),
            ],
        ) -> (Side, Duration, TurnKind) {
            (side, used, kind)
        }
    }

    proptest! {
        #[test]
        fn the_verdict_goes_by_the_time_available_and_the_reserve_by_its_limit(
            mut clock in any_clock(), turns in prop::collection::vec(any_turn(), 0..30),
        ) {
            for (side, used, kind) in turns {
                let before = clock.clone();
                let available = clock.time_available(side, kind);
                let beyond = available.is_some_and(|available| used > available);
                match clock.charge(side, used, kind) {
                    Verdict::InTime { reserve_left } => {
                        prop_assert!(!beyond);
                        prop_assert_eq!(reserve_left, clock.reserve(side));
                    }
                    Verdict::OutOfTime { side: loser, over_by } => {
                        prop_assert!(beyond);
                        prop_assert_eq!(available, used.checked_sub(over_by));
                        prop_assert_eq!(loser, side);
                    }
                    COMPLETED => {
                        prop_assert!(clock.all_turns_taken() || available == Some(used));
                    }
                    CUT_SHORT => prop_assert!(beyond),
                }
                if let Some(limit) = clock.control().reserve_limit() {
                    prop_assert!(clock.reserve(side) <= limit.max(before.reserve(side)));
                }
                let other = side.opponent();
                prop_assert_eq!(clock.reserve(other), before.reserve(other));
            }
        }
    }
}

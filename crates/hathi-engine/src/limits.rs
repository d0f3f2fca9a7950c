//! How long an engine may think.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use hathi_rules::{Clock, Side, TimedGame, TurnKind};

/// A request to stop, shared between who thinks and who waits.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Asks whoever watches to stop now.
    pub fn now(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Has anybody asked?
    #[inline]
    pub fn asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What ends the thinking about a turn: whichever comes first.
#[derive(Clone, Debug)]
pub struct Limits {
    /// When thinking began.
    pub started: Instant,
    /// What the turn should take: no new round of thinking is begun after
    /// this time.
    pub aim: Option<Duration>,
    /// Time that is not used is kept for later turns, so a settled turn should
    /// not use all of it.
    pub saves: bool,
    /// The answer is given by this time, whatever is left undone.
    pub most: Option<Duration>,
    /// Depth in steps.
    pub depth: Option<u32>,
    /// Positions to look at.
    pub nodes: Option<u64>,
    /// From outside.
    pub stop: Stop,
}

/// Kept back from every clock for what happens outside the engine.
const OVERHEAD: Duration = Duration::from_millis(20);

/// Turns a reserve is spread over.
const RESERVE_TURNS: u32 = 12;

impl Limits {
    /// None at all: only an engine's own options, or a stop, end its thinking.
    pub fn none() -> Limits {
        Limits {
            started: Instant::now(),
            aim: None,
            saves: false,
            most: None,
            depth: None,
            nodes: None,
            stop: Stop::default(),
        }
    }

    /// An answer within `time`.
    pub fn time(time: Duration) -> Limits {
        Limits {
            aim: Some(time),
            most: Some(time),
            ..Limits::none()
        }
    }

    /// A fixed number of positions, for results that do not depend on the
    /// machine.
    pub fn nodes(nodes: u64) -> Limits {
        Limits {
            nodes: Some(nodes),
            ..Limits::none()
        }
    }

    /// A fixed depth in steps.
    pub fn depth(steps: u32) -> Limits {
        Limits {
            depth: Some(steps),
            ..Limits::none()
        }
    }

    /// What a game's clock allows: the time a turn has, a part of the reserve,
    /// and a margin kept back, so that no move is late.
    ///
    /// `unlimited` is the time to take when the clock sets no limit.
    pub fn clock(clock: &Clock, side: Side, kind: TurnKind, unlimited: Duration) -> Limits {
        let Some(available) = clock.time_available(side, kind) else {
            return Limits::time(unlimited);
        };
        let margin = OVERHEAD.max(available.mul_f64(0.02)).min(available / 2);
        let most = available.saturating_sub(margin);
        let saved = clock.reserve(side) / RESERVE_TURNS;
        Limits::shared_out(clock.control().per_move(), saved, most)
    }

    /// For a turn that has time of its own every time, and a part of a reserve
    /// that is not there every time, but never more than `most`.
    pub fn shared_out(own: Duration, saved: Duration, most: Duration) -> Limits {
        let aim = own.saturating_add(saved).min(most);
        let most = most
            .min(own.saturating_add(saved.saturating_mul(3)))
            .max(aim);
        Limits {
            aim: Some(aim),
            saves: true,
            most: Some(most),
            ..Limits::none()
        }
    }

    /// What the clock of a game allows the side to move; none if no clock runs.
    pub fn of_game(game: &TimedGame, unlimited: Duration) -> Option<Limits> {
        let (side, kind) = (game.game().side_to_move(), game.turn_kind());
        let clock = game.clock()?;
        Some(Limits::clock(clock, side, kind, unlimited))
    }

    /// The same limits and no more than so many positions; 0 sets none.
    #[must_use]
    pub(crate) fn at_most(&self, nodes: u64) -> Limits {
        let mut limits = self.clone();
        if nodes > 0 {
            limits.nodes = Some(limits.nodes.map_or(nodes, |most| most.min(nodes)));
        }
        limits
    }

    /// The same limits under another's control.
    #[must_use]
    pub fn with_stop(mut self, stop: Stop) -> Limits {
        self.stop = stop;
        self
    }

    /// Time spent so far.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Must thinking end now?
    pub fn is_over(&self) -> bool {
        self.stop.asked() || self.most.is_some_and(|most| self.elapsed() >= most)
    }

    /// Is there time for a further round?
    pub(crate) fn has_time_for_more(&self) -> bool {
        !self.is_over() && self.aim.is_none_or(|aim| self.elapsed() < aim)
    }

    /// The same for a search that has had the same best turn for so many rounds:
    /// where time can be saved, a turn that keeps changing gets more of it, and
    /// one that stays the same less. A round takes about twice as long as all
    /// before it, so it is begun with that in mind.
    pub(crate) fn has_time_to_deepen(&self, rounds_settled: u32) -> bool {
        const SHARES: [f64; 5] = [0.9, 0.75, 0.6, 0.5, 0.45];
        if !self.saves {
            return self.has_time_for_more();
        }
        let share = SHARES[SHARES.len().min(rounds_settled as usize + 1) - 1];
        !self.is_over()
            && self
                .aim
                .is_none_or(|aim| self.elapsed() < aim.mul_f64(share))
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits::none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(control: &str) -> Limits {
        let clock = Clock::new(control.parse().expect("a time control"));
        Limits::clock(&clock, Side::Gold, TurnKind::Play, Duration::from_secs(7))
    }

    #[test]
    fn a_clock_leaves_a_margin() {
        for control in ["1s/0", "2/2/100/10/8", "15s/5s", "0/1", "3s/30s/100/60s/2h"] {
            let clock = Clock::new(control.parse().expect("a time control"));
            let available = clock
                .time_available(Side::Gold, TurnKind::Play)
                .expect("timed");
            let limits = limits(control);
            let most = limits.most.expect("a limit");
            assert!(most + OVERHEAD <= available, "{control}: {most:?}");
            assert!(limits.aim.expect("an aim") <= most, "{control}");
        }
    }

    #[test]
    fn a_reserve_is_not_spent_at_once() {
        let most = limits("15s/10").most.expect("a limit");
        assert!(most < Duration::from_secs(15 + 600 / 3), "{most:?}");
    }

    #[test]
    fn without_a_clock_the_given_time_counts() {
        assert_eq!(limits("0/0").most, Some(Duration::from_secs(7)));
    }

    #[test]
    fn a_settled_turn_saves_time_where_it_can_be_kept() {
        let ago = |limits: Limits, spent: Duration| Limits {
            started: Instant::now().checked_sub(spent).expect("the machine runs"),
            ..limits
        };
        let clock = Clock::new("10s/0".parse().expect("a time control"));
        let timed = Limits::clock(&clock, Side::Gold, TurnKind::Play, Duration::ZERO);
        let spent = Duration::from_secs(6);
        assert!(ago(timed.clone(), spent).has_time_to_deepen(0));
        assert!(!ago(timed, spent).has_time_to_deepen(9));
        // A flat time is lost if it is not used.
        let flat = Limits::time(Duration::from_secs(10));
        assert!(ago(flat, spent).has_time_to_deepen(9));
    }

    #[test]
    fn a_stop_reaches_every_copy() {
        let stop = Stop::default();
        let limits = Limits::none().with_stop(stop.clone());
        assert!(!limits.is_over());
        stop.now();
        assert!(limits.is_over());
    }
}

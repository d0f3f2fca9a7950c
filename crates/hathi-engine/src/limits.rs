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
    /// No new round of thinking is begun after this time.
    pub aim: Option<Duration>,
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
            most: None,
            depth: None,
            nodes: None,
            stop: Stop::default(),
        }
    }

    /// An answer within `time`.
    pub fn time(time: Duration) -> Limits {
        Limits {
            aim: Some(time.mul_f64(0.6)),
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
        // The time of the turn itself is there every time; the reserve is not.
        let own = clock.control().per_move();
        let saved = clock.reserve(side) / RESERVE_TURNS;
        let aim = own.mul_f64(0.8) + saved;
        Limits {
            aim: Some(aim.min(most).mul_f64(0.6)),
            most: Some(most.min((own + saved * 3).max(aim))),
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
    pub fn at_most(&self, nodes: u64) -> Limits {
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
    pub fn has_time_for_more(&self) -> bool {
        !self.is_over() && self.aim.is_none_or(|aim| self.elapsed() < aim)
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
    fn a_stop_reaches_every_copy() {
        let stop = Stop::default();
        let limits = Limits::none().with_stop(stop.clone());
        assert!(!limits.is_over());
        stop.now();
        assert!(limits.is_over());
    }
}

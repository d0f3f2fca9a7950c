//! The time options of the protocol, and what they allow for a turn.

use std::time::{Duration, Instant};

use hathi_engine::Limits;
use hathi_rules::{BySide, Side};

/// Time options in seconds, 0 for no limit, as a controller sets them.
///
/// Fractions of seconds are taken too. Reserves that a controller does not
/// send are kept up from the time the engine itself has used.
#[derive(Clone, Debug)]
pub struct Times {
    per_move: Duration,
    start_reserve: Duration,
    percent: u32,
    most_reserve: Duration,
    game: Duration,
    per_turn: Duration,
    reserve: BySide<Duration>,
    used: BySide<Option<Duration>>,
    /// Time of this turn that was gone before `go`.
    turn_used: Duration,
    game_started: Option<Instant>,
    /// When the turn now thought about was to be answered.
    planned: Option<Duration>,
    /// How much later than planned answers have come of late: what this
    /// machine is to be given on top of the usual margin.
    delay: Duration,
}

/// Kept back for the way to the controller, whose clock decides; and one part
/// in so many of a longer time, as a busy machine is late by more.
const MARGIN: Duration = Duration::from_millis(100);
const MARGIN_PART: u32 = 50;
/// At most this share of the time, for the quickest of games.
const MARGIN_SHARE: u32 = 4;
/// What is remembered of a delay from turn to turn.
const DELAY_KEPT: f64 = 0.8;
/// Turns a reserve is spread over.
const RESERVE_TURNS: u32 = 12;

impl Default for Times {
    fn default() -> Times {
        Times {
            per_move: Duration::ZERO,
            start_reserve: Duration::ZERO,
            percent: 100,
            most_reserve: Duration::ZERO,
            game: Duration::ZERO,
            per_turn: Duration::ZERO,
            reserve: BySide::default(),
            used: BySide::default(),
            turn_used: Duration::ZERO,
            game_started: None,
            planned: None,
            delay: Duration::ZERO,
        }
    }
}

impl Times {
    /// Sets an option. None if it is not one of these, otherwise whether the
    /// value could be read.
    pub fn set(&mut self, name: &str, value: &str) -> Option<bool> {
        let target = match name {
            "tcmove" => &mut self.per_move,
            "tcreserve" => &mut self.start_reserve,
            "tcmax" => &mut self.most_reserve,
            "tctotal" => &mut self.game,
            "tcturntime" => &mut self.per_turn,
            "greserve" => &mut self.reserve.gold,
            "sreserve" => &mut self.reserve.silver,
            "gused" => self.used.gold.get_or_insert_default(),
            "sused" => self.used.silver.get_or_insert_default(),
            "moveused" => &mut self.turn_used,
            "tcpercent" => {
                let percent = value.trim().parse::<u32>();
                self.percent = *percent.as_ref().unwrap_or(&self.percent);
                return Some(percent.is_ok());
            }
            // These say nothing about how long to think.
            "tcturns" | "lastmoveused" => return Some(seconds(value).is_some()),
            _ => return None,
        };
        let Some(time) = seconds(value) else {
            return Some(false);
        };
        *target = time;
        if name == "tcreserve" {
            self.reserve = BySide::new(time, time);
        }
        Some(true)
    }

    /// A new game: the same control, full reserves.
    pub fn new_game(&mut self) {
        self.reserve = BySide::new(self.start_reserve, self.start_reserve);
        self.used = BySide::default();
        self.turn_used = Duration::ZERO;
        self.game_started = None;
    }

    /// The most a side may use from now on for its turn; none for no limit.
    pub fn available(&self, side: Side) -> Option<Duration> {
        let timed = !self.per_move.is_zero() || !self.start_reserve.is_zero();
        let own = timed.then(|| self.per_move.saturating_add(self.reserve[side]));
        let turn = (!self.per_turn.is_zero()).then_some(self.per_turn);
        let game = (!self.game.is_zero()).then(|| self.game.saturating_sub(self.game_used()));
        // What is left of the game is measured now, the rest from the start
        // of the turn.
        let turn = own.into_iter().chain(turn).min();
        let turn = turn.map(|time| time.saturating_sub(self.turn_used));
        turn.into_iter().chain(game).min()
    }

    fn game_used(&self) -> Duration {
        match (self.used.gold, self.used.silver) {
            // Nobody tells: everything since the first turn counts.
            (None, None) => self.game_started.map_or(Duration::ZERO, |at| at.elapsed()),
            (gold, silver) => gold.unwrap_or_default() + silver.unwrap_or_default(),
        }
    }

    /// The limits of a turn, and the moment by which an answer must be given
    /// whatever the engine does. None if there is no limit.
    pub fn limits(&mut self, side: Side) -> Option<(Limits, Duration)> {
        self.game_started.get_or_insert_with(Instant::now);
        let available = self.available(side)?;
        let margin = (MARGIN + available / MARGIN_PART).min(available / MARGIN_SHARE);
        let last_moment = available.saturating_sub(margin + self.delay.min(available / 2));
        // The engine is to be done before somebody has to answer for it.
        let most = last_moment.saturating_sub(margin.min(last_moment / MARGIN_SHARE));
        let own = self.per_move.saturating_sub(self.turn_used);
        let saved = self.reserve[side] / RESERVE_TURNS;
        let limits = Limits::shared_out(own, saved, most);
        self.planned = limits.most;
        Some((limits, last_moment))
    }

    /// Our own turn took so long. A controller that keeps the clock will say
    /// so too, before the next one.
    pub fn charge(&mut self, side: Side, thought: Duration) {
        if let Some(planned) = self.planned.take() {
            // Forgotten again bit by bit once the machine is less busy.
            self.delay = thought
                .saturating_sub(planned)
                .max(self.delay.mul_f64(DELAY_KEPT));
        }
        let used = self.turn_used.saturating_add(thought);
        self.turn_used = Duration::ZERO;
        let reserve = self.reserve[side];
        self.reserve[side] = if used > self.per_move {
            reserve.saturating_sub(used.saturating_sub(self.per_move))
        } else {
            let added = self
                .per_move
                .saturating_sub(used)
                .saturating_mul(self.percent)
                / 100;
            let grown = reserve.saturating_add(added);
            if self.most_reserve.is_zero() {
                grown
            } else {
                grown.min(self.most_reserve.max(reserve))
            }
        };
    }
}

/// A hundred days are as good as for ever.
fn seconds(text: &str) -> Option<Duration> {
    const LONGEST: f64 = 8_640_000.0;
    let seconds: f64 = text.trim().parse().ok()?;
    if seconds.is_nan() {
        return None;
    }
    // Clocks that are overdrawn are sent as negative numbers by some.
    Some(Duration::from_secs_f64(seconds.clamp(0.0, LONGEST)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(options: &str) -> Times {
        let mut times = Times::default();
        for option in options.split_whitespace() {
            let (name, value) = option.split_once('=').expect("name=value");
            assert_eq!(times.set(name, value), Some(true), "{option}");
        }
        times
    }

    #[test]
    fn an_answer_is_always_in_time() {
        for options in [
            "tcmove=1 tcreserve=0",
            "tcmove=0 tcreserve=1",
            "tcmove=0.1",
            "tcmove=0.01",
            "tcmove=15 tcreserve=90 tcturntime=5",
            "tcmove=30 tctotal=1",
            "tcmove=3 tcreserve=10 greserve=0 moveused=2.5",
            "tcmove=5 moveused=7",
            "tcmove=120 tcreserve=600 gused=50 sused=60 tctotal=111",
        ] {
            let mut times = times(options);
            let available = times.available(Side::Gold).expect("timed");
            let (limits, last) = times.limits(Side::Gold).expect("timed");
            let (aim, most) = (limits.aim.expect("aim"), limits.most.expect("most"));
            assert!(
                aim <= most && most <= last && last <= available,
                "{options}"
            );
            if !available.is_zero() {
                assert!(
                    most < last && last < available,
                    "{options}: {most:?} {last:?}"
                );
            }
        }
    }

    #[test]
    fn nothing_set_is_no_limit() {
        assert!(Times::default().limits(Side::Gold).is_none());
        assert!(
            times("tcmove=0 tcreserve=0 tcpercent=50")
                .limits(Side::Silver)
                .is_none()
        );
    }

    #[test]
    fn a_new_game_keeps_the_control_and_fills_the_reserves() {
        let mut times = times("tcmove=2 tcreserve=60 greserve=5 gused=40");
        assert_eq!(times.available(Side::Gold), Some(Duration::from_secs(7)));
        times.new_game();
        assert_eq!(times.available(Side::Gold), Some(Duration::from_secs(62)));
    }

    #[test]
    fn our_own_clock_runs_when_nobody_tells() {
        let mut times = times("tcmove=10 tcreserve=5 tcpercent=50 tcmax=8");
        times.charge(Side::Gold, Duration::from_secs(8));
        assert_eq!(times.available(Side::Gold), Some(Duration::from_secs(16)));
        times.charge(Side::Gold, Duration::from_secs(2));
        assert_eq!(times.available(Side::Gold), Some(Duration::from_secs(18)));
        times.charge(Side::Gold, Duration::from_secs(17));
        assert_eq!(times.available(Side::Gold), Some(Duration::from_secs(11)));
    }

    #[test]
    fn a_busy_machine_is_given_more_room() {
        let mut times = times("tcmove=1 tcreserve=0");
        let mut plan = |used: Option<f64>| {
            if let Some(used) = used {
                times.charge(Side::Gold, Duration::from_secs_f64(used));
            }
            // What the turn left over is not to count here.
            assert_eq!(times.set("greserve", "0"), Some(true));
            let (limits, last) = times.limits(Side::Gold).expect("timed");
            let most = limits.most.expect("most");
            assert!(most < last, "{most:?} {last:?}");
            last
        };
        let at_first = plan(None);
        let warned = plan(Some(1.1));
        assert!(warned + Duration::from_millis(300) < at_first);
        // However late it was: there is some time left.
        assert!(plan(Some(5.0)) > Duration::from_millis(200));
        let forgotten = (0..60).map(|_| plan(Some(0.1))).last();
        assert!(forgotten.map(|last| last + Duration::from_millis(2)) > Some(at_first));
    }

    #[test]
    fn nonsense_is_refused_and_harmless() {
        let mut times = Times::default();
        for value in ["", "soon", "NaN", "1s"] {
            assert_eq!(times.set("tcmove", value), Some(false), "{value:?}");
        }
        for value in ["inf", "-3", "1e300", "0x1"] {
            let _ = times.set("greserve", value);
        }
        assert_eq!(times.set("colour", "1"), None);
        let _ = times.limits(Side::Gold);
    }
}

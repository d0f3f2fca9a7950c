//! No move is late.
//!
//! A test program of its own, so that no other test runs beside it and takes
//! the time of the engine it watches.

use std::time::{Duration, Instant};

#[path = "cli/conversation.rs"]
mod conversation;

use conversation::{Engine, SETUPS};

/// How long each of eight moves takes under a time control of so many seconds
/// a move.
fn times(seconds: f64) -> Vec<Duration> {
    let mut engine = Engine::start("fairy");
    engine.say("aei\nisready");
    engine.until("readyok");
    engine.say(&format!("setoption name tcmove value {seconds}\nnewgame"));
    engine.say(SETUPS);
    let mut times = Vec::new();
    for _ in 0..8 {
        let asked = Instant::now();
        engine.say("go");
        let heard = engine.until("bestmove");
        times.push(asked.elapsed());
        let best = heard.last().expect("a move");
        engine.say(&best.replace("bestmove", "makemove"));
    }
    engine.say("quit");
    assert_eq!(engine.end().0, Some(0));
    times
}

#[test]
fn no_move_is_late() {
    for seconds in [0.5, 1.0] {
        let allowed = Duration::from_secs_f64(seconds);
        let in_time = |times: &Vec<Duration>| times.iter().all(|time| *time < allowed);
        // A machine that stands still for a moment makes anybody late: only
        // an engine that is late time after time has itself to blame.
        let mut tries = Vec::new();
        while tries.len() < 4 && !tries.last().is_some_and(in_time) {
            tries.push(times(seconds));
        }
        assert!(tries.last().is_some_and(in_time), "{seconds} s: {tries:?}");
    }
}

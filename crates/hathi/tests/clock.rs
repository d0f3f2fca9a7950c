//! No move is late.
//!
//! A test program of its own, so that no other test runs beside it and takes
//! the time of the engine it watches.

use std::time::{Duration, Instant};

#[path = "cli/conversation.rs"]
mod conversation;

use conversation::{Engine, SETUPS};

/// A time control without a reserve at the start: seconds for a turn, and the
/// share of what a turn leaves over that is added to the reserve.
#[derive(Clone, Copy, Debug)]
struct Control {
    seconds: f64,
    percent: u32,
}

/// A turn on the controller's clock, which nobody tells the engine about.
#[derive(Debug)]
struct Turn {
    used: Duration,
    allowed: Duration,
}

/// Plays eight turns and keeps both sides' clocks as a server would.
fn turns(control: Control) -> Vec<Turn> {
    let mut engine = Engine::start("fairy");
    engine.say("aei\nisready");
    engine.until("readyok");
    let Control { seconds, percent } = control;
    engine.say(&format!(
        "setoption name tcmove value {seconds}\nsetoption name tcpercent value {percent}\nnewgame"
    ));
    engine.say(SETUPS);
    let per_turn = Duration::from_secs_f64(seconds);
    let mut reserves = [Duration::ZERO; 2];
    let mut turns = Vec::new();
    for number in 0..8 {
        let asked = Instant::now();
        engine.say("go");
        let heard = engine.until("bestmove");
        let used = asked.elapsed();
        let reserve = &mut reserves[number % 2];
        turns.push(Turn {
            used,
            allowed: per_turn + *reserve,
        });
        *reserve = (*reserve + per_turn.saturating_sub(used) * percent / 100)
            .saturating_sub(used.saturating_sub(per_turn));
        let best = heard.last().expect("a move");
        engine.say(&best.replace("bestmove", "makemove"));
    }
    engine.say("quit");
    assert_eq!(engine.end().0, Some(0));
    turns
}

#[test]
fn no_move_is_late() {
    // What a turn leaves over is lost, or saved for later turns.
    for (seconds, percent) in [(0.5, 0), (1.0, 0), (0.5, 100)] {
        let control = Control { seconds, percent };
        let in_time = |turns: &Vec<Turn>| turns.iter().all(|turn| turn.used < turn.allowed);
        // A machine that stands still for a moment makes anybody late: only
        // an engine that is late time after time has itself to blame.
        let mut tries = Vec::new();
        while tries.len() < 4 && !tries.last().is_some_and(in_time) {
            tries.push(turns(control));
        }
        assert!(tries.last().is_some_and(in_time), "{control:?}: {tries:?}");
    }
}

//! `hathi aei` by the letter of the protocol.

use std::io::Write;
use std::time::{Duration, Instant};

use crate::common::{START, folder, hathi, inside, stdout};
use crate::conversation::{Engine, SETUPS};

#[test]
fn it_introduces_itself_at_once_and_leaves_when_told() {
    let mut engine = Engine::start("fairy");
    engine.say("aei");
    let heard = engine.until("aeiok");
    assert_eq!(heard[0], "protocol-version 1");
    assert!(heard.contains(&"id name Hathi fairy".to_owned()));
    engine.say("isready");
    engine.until("readyok");
    engine.say("quit");
    assert_eq!(engine.end().0, Some(0));
    // The end of the input is as good.
    assert_eq!(Engine::start("fairy").end().0, Some(0));
}

#[test]
fn it_listens_while_it_thinks() {
    let mut engine = Engine::start("fairy");
    engine.say("aei\nisready\nsetoption name tcmove value 600\nnewgame");
    engine.until("readyok");
    engine.say(SETUPS);
    engine.say("go");
    engine.until("info depth");
    engine.say("isready");
    engine.until("readyok");
    let asked = Instant::now();
    engine.say("stop");
    let heard = engine.until("bestmove");
    // The machine that runs the tests may be busy; it had ten minutes.
    assert!(asked.elapsed() < Duration::from_secs(5));
    // What it thought is told, unless the machine did not let it answer in time.
    let told =
        |line: &str| line.starts_with("log Debug: ") || line == "log Warning: the engine is late";
    assert!(heard.iter().any(|line| told(line)), "{heard:?}");
    // A move made meanwhile: nothing more about the old position.
    engine.say("go");
    engine.until("info depth");
    engine.say("makemove Ee2n\nisready");
    engine.until("readyok");
    let heard = engine.heard_within(Duration::from_millis(400));
    assert!(heard.is_empty(), "{heard:?}");
    engine.say("go\nquit");
    assert_eq!(engine.end().0, Some(0));
}

#[test]
fn pondering_is_silent_until_it_is_asked() {
    let mut engine = Engine::start("fairy");
    engine.say("aei\nnewgame");
    engine.until("aeiok");
    engine.say(SETUPS);
    engine.say("go ponder");
    assert!(engine.heard_within(Duration::from_millis(300)).is_empty());
    engine.say("stop");
    engine.until("bestmove");
    // A finished search is held back, too.
    engine.say("setoption name depth value 1\ngo ponder");
    assert!(engine.heard_within(Duration::from_millis(300)).is_empty());
    engine.say("makemove Ee2n\nisready");
    assert_eq!(engine.until("readyok"), ["readyok"]);
    // A new go is the answer to a ponder hit.
    engine.say("go ponder\ngo");
    let heard = engine.until("bestmove");
    assert!(
        heard
            .last()
            .expect("a move")
            .contains(['e', 'r', 'm', 'h', 'd', 'c'])
    );
    engine.say("stop\nisready");
    assert_eq!(engine.until("readyok"), ["readyok"]);
}

#[test]
fn options_it_does_not_know_are_a_warning_only() {
    let mut engine = Engine::start("random");
    engine.say("aei\nsetoption name colour value red\nsetoption name tcmove value soon");
    engine.say("setoption name opponent value Ann\nsetoption name rated value 1");
    engine.say("setoption name engine value nobody\nsetoption name hash value x\nisready");
    let heard = engine.until("readyok");
    let warnings = heard
        .iter()
        .filter(|line| line.starts_with("log Warning: "));
    assert_eq!(warnings.count(), 4, "{heard:?}");
    engine.say("setoption name engine value step\naei");
    assert!(
        engine
            .until("aeiok")
            .contains(&"id name Hathi step".to_owned())
    );
}

#[test]
fn mistakes_end_it_with_a_reason() {
    for (said, reason) in [
        ("uci", "unknown message"),
        ("makemove Ee2n", "illegal move"),
        ("setposition g [nonsense]", "no position"),
        ("setoption tcmove 3", "expected `setoption name"),
        ("\u{0}\u{1}\u{7f}", "unknown message"),
    ] {
        let mut engine = Engine::start("random");
        engine.say(&format!("aei\n{said}\nisready"));
        let (code, heard) = engine.end();
        let last = heard.last().expect("a reason");
        assert!(
            last.starts_with("log Error: ") && last.contains(reason),
            "{last}"
        );
        assert_eq!(code, Some(1), "{said}");
    }
    let mut engine = Engine::start("random");
    let mut bytes = vec![0xff; 200_000];
    bytes.push(b'\n');
    let input = engine.input.as_mut().expect("open");
    input.write_all(&bytes).expect("it listens");
    let (code, heard) = engine.end();
    assert_eq!((code, heard.len()), (Some(1), 1), "{heard:?}");
}

#[test]
fn a_position_is_played_on_and_a_lost_one_resigned() {
    let mut engine = Engine::start("greedy");
    engine.say(&format!("aei\nsetposition {START}\ngo"));
    engine.until("bestmove ");
    let lost = format!("g [{}r{}R{}]", ".".repeat(59), "", ".".repeat(3));
    engine.say(&format!("setposition {lost}\ngo"));
    assert_eq!(
        engine.until("bestmove").last().expect("a move"),
        "bestmove resign"
    );
}

#[test]
fn games_are_learnt() {
    let store = inside(&folder("aei-learn"), "games.db");
    let mut engine = Engine::start("random");
    engine.say(&format!("aei\nsetoption name store value {store}"));
    engine.say("setoption name learn value true\nnewgame");
    engine.say(SETUPS);
    // Every answer is made, for both sides, until the game is over.
    loop {
        engine.say("go");
        let best = engine.until("bestmove").pop().expect("a move");
        if best == "bestmove resign" {
            break;
        }
        engine.say(&best.replace("bestmove", "makemove"));
    }
    engine.say("quit");
    assert_eq!(engine.end().0, Some(0));
    let stats = stdout(&["stats", "--store", &store]);
    assert!(stats.contains("games       1\n"), "{stats}");
    hathi(&["games", "--store", &store]).assert().success();
}

#[test]
fn what_was_asked_before_the_end_is_answered() {
    // The example of its own help, and the same without `quit`.
    for (text, rounds) in [
        ("aei\nisready\nnewgame\ngo\nquit\n", 10),
        ("isready\nnewgame\ngo\n", 2),
    ] {
        for round in 0..rounds {
            let output = hathi(&["aei", "--engine", "greedy:depth=1", "--movetime", "1"])
                .stdin(text)
                .output()
                .expect("it runs");
            let said = String::from_utf8_lossy(&output.stdout);
            assert_eq!(output.status.code(), Some(0), "{said}");
            assert_eq!(said.matches("readyok").count(), 1, "round {round}: {said}");
            assert_eq!(
                said.matches("bestmove ").count(),
                1,
                "round {round}: {said}"
            );
        }
    }
}

#[test]
fn several_lines_are_told_apart() {
    let mut engine = Engine::start("hathi");
    engine
        .say("aei\nisready\nsetoption name multipv value 3\nsetoption name depth value 5\nnewgame");
    engine.until("readyok");
    engine.say(SETUPS);
    engine.say("go");
    let heard = engine.until("bestmove");
    let lines: Vec<&str> = heard
        .iter()
        .filter_map(|line| line.strip_prefix("info multipv "))
        .collect();
    assert!(lines.ends_with(&["1", "2", "3"]), "{heard:?}");
    let pvs: Vec<&String> = heard
        .iter()
        .filter(|line| line.starts_with("info pv "))
        .collect();
    let last = &pvs[pvs.len() - 3..];
    assert!(last[0] != last[1] && last[1] != last[2], "{last:?}");
    let best = heard.last().and_then(|line| line.strip_prefix("bestmove "));
    let best = best.expect("a move");
    assert!(
        last[0].starts_with(&format!("info pv {best}")),
        "{best} {last:?}"
    );
    engine.say("setoption name multipv value 9\nisready");
    let heard = engine.until("readyok");
    assert!(
        heard.iter().any(|line| line.starts_with("log Warning")),
        "{heard:?}"
    );
    engine.say("quit");
    assert_eq!(engine.end().0, Some(0));
}

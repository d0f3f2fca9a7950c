//! `hathi aei` by the letter of the protocol.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use snapbox::cmd::cargo_bin;

use crate::common::{START, folder, hathi, inside, stdout};

/// A conversation.
struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

const SETUPS: &str = "makemove Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2\n\
                      makemove ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7";

impl Engine {
    fn start(engine: &str) -> Engine {
        let mut child = Command::new(cargo_bin!("hathi"))
            .args(["aei", "--engine", engine, "--seed", "5"])
            .env("HATHI_STORE", "/nowhere/at/all.db")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        let (sender, lines) = mpsc::channel();
        let stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        std::thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        let input = child.stdin.take();
        Engine {
            child,
            input,
            lines,
        }
    }

    fn say(&mut self, text: &str) {
        let input = self.input.as_mut().expect("still open");
        writeln!(input, "{text}").expect("it listens");
        input.flush().expect("it listens");
    }

    /// The lines up to one that begins so.
    fn until(&self, word: &str) -> Vec<String> {
        let started = Instant::now();
        let mut heard = Vec::new();
        while started.elapsed() < Duration::from_secs(20) {
            if let Ok(line) = self.lines.recv_timeout(Duration::from_millis(100)) {
                heard.push(line);
                if heard.last().is_some_and(|line| line.starts_with(word)) {
                    return heard;
                }
            }
        }
        panic!("no {word} in {heard:?}");
    }

    fn heard_within(&self, time: Duration) -> Vec<String> {
        std::thread::sleep(time);
        self.lines.try_iter().collect()
    }

    /// How it ends, once it is told or its input has ended.
    fn end(mut self) -> (Option<i32>, Vec<String>) {
        self.input = None;
        let started = Instant::now();
        while started.elapsed() < Duration::from_secs(10) {
            if let Some(status) = self.child.try_wait().expect("a child") {
                let heard = self.heard_within(Duration::from_millis(50));
                return (status.code(), heard);
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let _ = self.child.kill();
        panic!("it does not end");
    }
}

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
    assert!(asked.elapsed() < Duration::from_secs(1));
    assert!(
        heard.iter().any(|line| line.starts_with("log Debug: ")),
        "{heard:?}"
    );
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
fn no_move_is_late() {
    for (control, most) in [("0.5", 500), ("1", 1000)] {
        let mut engine = Engine::start("fairy");
        engine.say("aei\nisready");
        engine.until("readyok");
        engine.say(&format!("setoption name tcmove value {control}\nnewgame"));
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
        // The machine that runs the tests may be busy for a moment.
        times.sort();
        let allowed = Duration::from_millis(most);
        assert!(times[5] < allowed, "{control}: {times:?}");
        assert!(times[7] < allowed * 2, "{control}: {times:?}");
    }
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

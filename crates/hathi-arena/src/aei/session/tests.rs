use std::sync::{Arc, Mutex, PoisonError};

use hathi_engine::{Choice, Engine, EngineError, EngineKind, Limits, Thought};

use super::searching::info;
use super::*;

/// What an engine does wrong, whatever it is asked.
type Fault = Arc<dyn Fn() -> Decision + Send + Sync>;

struct Faulty(Fault);

impl Engine for Faulty {
    fn new_game(&mut self, _seed: u64) {}

    fn decide(
        &mut self,
        _game: &Game,
        _limits: &Limits,
        _listener: &mut dyn FnMut(&Thought),
    ) -> Result<Decision, EngineError> {
        Ok((self.0)())
    }
}

/// Passes on what is said, line by line.
struct Mouth {
    line: Vec<u8>,
    lines: Sender<String>,
}

impl Write for Mouth {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for &byte in bytes {
            if byte == b'\n' {
                let line = String::from_utf8_lossy(&self.line).into_owned();
                let _ = self.lines.send(line);
                self.line.clear();
            } else {
                self.line.push(byte);
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What is said when such an engine is asked twice, with so many seconds for
/// the first turn and a minute for the second. The second question comes
/// when the first is answered, and then the controller leaves: nothing here
/// depends on how fast things go.
fn talk_with(
    fault: impl Fn() -> Decision + Send + Sync + 'static,
    seconds: f64,
    position: &str,
) -> String {
    let (sender, events) = mpsc::channel();
    let setting = Setting {
        spec: EngineSpec::of(EngineKind::Step),
        seed: 1,
        unlimited: Duration::from_secs(1),
    };
    let (lines, heard) = mpsc::channel();
    let mouth = Mouth {
        line: Vec::new(),
        lines,
    };
    let mut nobody = |_: &_, _: ArchivedGame, _: &_| Ok(false);
    let mut session = Session::new(setting, sender.clone(), mouth, &mut nobody);
    let report = sender.clone();
    let fault: Fault = Arc::new(fault);
    session.worker = Worker::with(
        move || Ok(Box::new(Faulty(fault.clone()))),
        move |event| {
            let _ = report.send(Event::Engine(0, event));
        },
    );
    let time = format!("setoption name tcmove value {seconds}");
    for line in [time.as_str(), position, "go"] {
        sender.send(Event::Line(line.to_owned())).expect("open");
    }
    let controller = thread::spawn(move || {
        let mut text = String::new();
        let mut answers = 0;
        while let Ok(line) = heard.recv_timeout(Duration::from_secs(60)) {
            text += &line;
            text.push('\n');
            if line.starts_with("bestmove ") {
                answers += 1;
                // The engine that comes in place of this one has time enough.
                let next = match answers {
                    1 => ["setoption name tcmove value 60", "go"].as_slice(),
                    _ => &["quit"],
                };
                for line in next {
                    let _ = sender.send(Event::Line((*line).to_owned()));
                }
            }
        }
        let _ = sender.send(Event::End);
        text
    });
    let ending = session.run(&events).expect("memory");
    assert_eq!(ending, Ending::Quit);
    controller.join().expect("what was said")
}

const START: &str =
    "setposition g [rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR]";

#[test]
fn an_engine_that_does_not_come_back_is_answered_for_and_replaced() {
    // It waits until the test is over.
    let (over, wait) = mpsc::channel::<()>();
    let wait = Mutex::new(wait);
    let text = talk_with(
        move || {
            let wait = wait.lock().unwrap_or_else(PoisonError::into_inner);
            let _ = wait.recv();
            panic!("far too late");
        },
        0.5,
        START,
    );
    drop(over);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "log Warning: the engine is late", "{text}");
    assert!(lines[1].starts_with("bestmove "), "{text}");
    // The second time another engine is there, which is not late.
    assert_eq!(text.matches("late").count(), 1, "{text}");
    assert_eq!(text.matches("bestmove ").count(), 2, "{text}");
}

#[test]
fn crashes_and_illegal_choices_are_answered_for() {
    let text = talk_with(|| panic!("ouch"), 60.0, START);
    assert!(text.contains("the engine crashed: ouch"), "{text}");
    assert_eq!(text.matches("bestmove ").count(), 2, "{text}");
    let illegal = || {
        let turn: Turn = "Ra1s".parse().expect("a turn");
        Decision::because(Choice::Play(turn), "I like it")
    };
    let text = talk_with(illegal, 60.0, START);
    assert!(text.contains("the engine wants to play Ra1s"), "{text}");
    assert_eq!(text.matches("bestmove ").count(), 2, "{text}");
    assert!(!text.contains("bestmove Ra1s"), "{text}");
}

#[test]
fn the_expected_line_names_sides_after_the_first_turn() {
    let thought = Thought {
        depth: 9,
        unfinished: true,
        nodes: 1000,
        time: Duration::from_millis(1500),
        score: -120,
        line: vec![
            "Ee2n Ee3n".parse().expect("a turn"),
            "ed7s".parse().expect("a turn"),
            "Ee4n".parse().expect("a turn"),
        ],
        rank: 0,
    };
    assert_eq!(
        info(&thought, Side::Gold).join("\n"),
        "info depth 9+\ninfo nodes 1000\ninfo time 1.50\ninfo score -120\n\
         info pv Ee2n Ee3n s ed7s g Ee4n"
    );
}

#[test]
fn positions_before_the_setups_are_games_to_set_up() {
    let at = |text: &str| game_at(&text.parse().expect("a position")).must_set_up();
    let empty = ".".repeat(48);
    assert_eq!(
        at(&format!("g [{empty}{}]", ".".repeat(16))),
        Some(Side::Gold)
    );
    assert_eq!(
        at(&format!("s [{empty}HDCMECDHRRRRRRRR]")),
        Some(Side::Silver)
    );
    assert_eq!(at(&format!("g [{empty}HDCMECDHRRRRRRRR]")), None);
    assert_eq!(at(&format!("s [{empty}HDCMECDHRRRRRRR.]")), None);
}

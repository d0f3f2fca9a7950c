//! Talking AEI with the binary.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use snapbox::cmd::cargo_bin;

/// A conversation.
pub(crate) struct Engine {
    child: Child,
    pub(crate) input: Option<ChildStdin>,
    lines: Receiver<String>,
}

pub(crate) const SETUPS: &str = "makemove Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2\n\
                      makemove ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7";

impl Engine {
    pub(crate) fn start(engine: &str) -> Engine {
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

    pub(crate) fn say(&mut self, text: &str) {
        let input = self.input.as_mut().expect("still open");
        writeln!(input, "{text}").expect("it listens");
        input.flush().expect("it listens");
    }

    /// The lines up to one that begins so.
    pub(crate) fn until(&self, word: &str) -> Vec<String> {
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

    pub(crate) fn heard_within(&self, time: Duration) -> Vec<String> {
        std::thread::sleep(time);
        self.lines.try_iter().collect()
    }

    /// How it ends, once it is told or its input has ended.
    pub(crate) fn end(mut self) -> (Option<i32>, Vec<String>) {
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

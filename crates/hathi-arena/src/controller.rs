//! Runs an AEI engine as a child process, whatever it does: crash, hang,
//! flood, talk nonsense or never start.

use std::io::{self, BufReader, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use hathi_engine::Stop;

use crate::aei::Lines;

/// How long to wait for an engine outside its own turns.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// From its start to `aeiok`.
    pub start: Duration,
    /// From `isready` to `readyok`: engines load big things then.
    pub ready: Duration,
    /// From `quit` to its end; then it is killed.
    pub quit: Duration,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience {
            start: Duration::from_secs(10),
            ready: Duration::from_secs(60),
            quit: Duration::from_secs(1),
        }
    }
}

/// What an engine did wrong.
#[derive(Debug, thiserror::Error)]
pub enum ControllerError {
    /// The command is no command.
    #[error("`{0}` cannot be read as a command: a quote is not closed, or it is empty")]
    BadCommand(String),
    /// It could not be started.
    #[error("`{command}` cannot be started: {error}")]
    NotStarted {
        /// The command.
        command: String,
        /// Why.
        error: io::Error,
    },
    /// It has ended.
    #[error("the engine ended{}{}", ending(*.status), last_words(.stderr))]
    Died {
        /// Its exit status.
        status: Option<ExitStatus>,
        /// The end of what it wrote to standard error.
        stderr: String,
    },
    /// It did not say what it should in time.
    #[error("the engine did not say `{expected}` within {} s", .patience.as_secs_f64())]
    Silent {
        /// What it should have said.
        expected: &'static str,
        /// How long it was waited for.
        patience: Duration,
    },
    /// It reported an error itself.
    #[error("the engine reports: {0}")]
    Reported(String),
    /// Whoever asked does not want to know any more.
    #[error("interrupted")]
    Interrupted,
}

fn ending(status: Option<ExitStatus>) -> String {
    status.map_or(String::new(), |status| format!(" ({status})"))
}

fn last_words(stderr: &str) -> String {
    match stderr.trim().lines().last() {
        None => String::new(),
        Some(line) => format!("; its last words: {line}"),
    }
}

/// Lines that may wait to be read; an engine that floods has to wait.
const LINES_WAITING: usize = 1024;
/// Kept of what it writes to standard error.
const STDERR_KEPT: usize = 2048;
/// The variable by which everything that an engine starts is known.
const MARK: &str = "HATHI_ENGINE_OF_ARENA";
/// Engines started by this process.
static STARTED: AtomicU64 = AtomicU64::new(0);
/// How often a wait looks whether it is still wanted.
const LOOK_UP: Duration = Duration::from_millis(50);

/// A running engine. It is ended, and its process gone, when this is dropped.
#[derive(Debug)]
pub struct Controller {
    child: Child,
    /// In the environment of all that it starts.
    mark: String,
    patience: Patience,
    /// None once it is to end.
    input: Option<Sender<String>>,
    lines: Receiver<String>,
    stderr: Arc<Mutex<Vec<u8>>>,
    name: Option<String>,
    last_error: Option<String>,
}

impl Controller {
    /// Starts an engine and waits until it is ready. The command is split
    /// into words like a shell does, but no shell is run.
    pub fn start(
        command: &str,
        patience: Patience,
        stop: &Stop,
    ) -> Result<Controller, ControllerError> {
        let words = shlex::split(command).filter(|words| !words.is_empty());
        let Some((program, args)) = words.as_deref().and_then(<[String]>::split_first) else {
            return Err(ControllerError::BadCommand(command.to_owned()));
        };
        let mut child = Command::new(program);
        child
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        // A group of its own: Ctrl-C is for us alone, and its children can be
        // ended with it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut child, 0);
        // What it starts itself may leave the group, but has this from it.
        let mark = format!(
            "{}-{}-{:016x}",
            std::process::id(),
            STARTED.fetch_add(1, Ordering::Relaxed),
            fastrand::u64(..)
        );
        child.env(MARK, &mark);
        let mut child = child.spawn().map_err(|error| ControllerError::NotStarted {
            command: command.to_owned(),
            error,
        })?;
        let (input, to_write) = mpsc::channel::<String>();
        let (to_read, lines) = mpsc::sync_channel(LINES_WAITING);
        let stderr = Arc::new(Mutex::new(Vec::new()));
        // Pipes fill up and block, so each has a thread that only waits.
        if let Some(mut stdin) = child.stdin.take() {
            thread::spawn(move || {
                for line in to_write {
                    if writeln!(stdin, "{line}").is_err() || stdin.flush().is_err() {
                        return;
                    }
                }
            });
        }
        if let Some(stdout) = child.stdout.take() {
            thread::spawn(move || {
                let mut stdout = Lines(BufReader::new(stdout));
                while let Ok(Some(line)) = stdout.next() {
                    if to_read.send(line).is_err() {
                        return;
                    }
                }
            });
        }
        if let Some(pipe) = child.stderr.take() {
            let kept = Arc::clone(&stderr);
            thread::spawn(move || drain(pipe, &kept));
        }
        let mut engine = Controller {
            child,
            mark,
            patience,
            input: Some(input),
            lines,
            stderr,
            name: None,
            last_error: None,
        };
        engine.send("aei");
        engine.wait_for("aeiok", patience.start, stop, |_| {})?;
        engine.ready(stop)?;
        Ok(engine)
    }

    /// The name it gives itself.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Sends a line. That an engine has gone is noticed when it is to answer.
    pub fn send(&self, line: &str) {
        if let Some(input) = &self.input {
            let _ = input.send(line.to_owned());
        }
    }

    /// Sets an option.
    pub fn set_option(&self, name: &str, value: impl std::fmt::Display) {
        self.send(&format!("setoption name {name} value {value}"));
    }

    /// Waits until it has read and done everything sent so far.
    pub fn ready(&mut self, stop: &Stop) -> Result<(), ControllerError> {
        self.send("isready");
        self.wait_for("readyok", self.patience.ready, stop, |_| {})?;
        Ok(())
    }

    /// Waits for its move. `listener` hears its `info` and `log` lines.
    pub fn best_move(
        &mut self,
        patience: Duration,
        stop: &Stop,
        listener: impl FnMut(&str),
    ) -> Result<String, ControllerError> {
        let line = self.wait_for("bestmove", patience, stop, listener)?;
        Ok(line["bestmove".len()..].trim().to_owned())
    }

    /// The next line that begins with a word. Lines of another kind are
    /// looked at or passed over.
    fn wait_for(
        &mut self,
        expected: &'static str,
        patience: Duration,
        stop: &Stop,
        mut listener: impl FnMut(&str),
    ) -> Result<String, ControllerError> {
        let started = Instant::now();
        loop {
            if stop.asked() {
                return Err(ControllerError::Interrupted);
            }
            let left = patience.saturating_sub(started.elapsed());
            if left.is_zero() {
                return Err(ControllerError::Silent { expected, patience });
            }
            let line = match self.lines.recv_timeout(left.min(LOOK_UP)) {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => return Err(self.died()),
            };
            let line = line.trim();
            let word = line.split_whitespace().next().unwrap_or_default();
            if word == expected {
                return Ok(line.to_owned());
            }
            match word {
                "id" => {
                    if let Some(name) = line.strip_prefix("id name ") {
                        self.name = Some(name.trim().to_owned());
                    }
                }
                "log" => {
                    if line.contains("Error:") {
                        self.last_error = Some(line.chars().take(200).collect());
                    }
                    listener(line);
                }
                "info" => listener(line),
                _ => {}
            }
        }
    }

    /// Its output has ended, so it has or is about to.
    fn died(&mut self) -> ControllerError {
        if let Some(error) = self.last_error.take() {
            return ControllerError::Reported(error);
        }
        let status = self.wait(Duration::from_millis(500));
        let stderr = self.stderr.lock().unwrap_or_else(PoisonError::into_inner);
        ControllerError::Died {
            status,
            stderr: String::from_utf8_lossy(&stderr).into_owned(),
        }
    }

    fn wait(&mut self, patience: Duration) -> Option<ExitStatus> {
        let started = Instant::now();
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if started.elapsed() < patience => {
                    thread::sleep(Duration::from_millis(2));
                }
                _ => return None,
            }
        }
    }
}

impl Drop for Controller {
    fn drop(&mut self) {
        self.send("quit");
        self.input = None;
        self.wait(self.patience.quit);
        // Its own children may be left even if it has ended by itself.
        #[cfg(unix)]
        if let Ok(group) = i32::try_from(self.child.id()) {
            let group = nix::unistd::Pid::from_raw(group);
            let _ = nix::sys::signal::killpg(group, nix::sys::signal::Signal::SIGKILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
        #[cfg(target_os = "linux")]
        end_marked(&self.mark);
    }
}

/// Ends what an engine has started and put into groups or sessions of their
/// own: its processes are known by what they have inherited. Looked at again,
/// as one may start another while we look.
#[cfg(target_os = "linux")]
fn end_marked(mark: &str) {
    let entry = format!("{MARK}={mark}");
    for _ in 0..10 {
        let mut found = false;
        for process in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
            let Some(number) = process
                .file_name()
                .to_str()
                .and_then(|name| name.parse().ok())
            else {
                continue;
            };
            // Those of other users cannot be read, and are not ours.
            let environment = std::fs::read(process.path().join("environ")).unwrap_or_default();
            if environment
                .split(|&byte| byte == 0)
                .any(|one| one == entry.as_bytes())
            {
                found = true;
                let process = nix::unistd::Pid::from_raw(number);
                let _ = nix::sys::signal::kill(process, nix::sys::signal::Signal::SIGKILL);
            }
        }
        if !found {
            return;
        }
        thread::sleep(Duration::from_millis(5));
    }
}

/// Reads to the end, keeping only the last words.
fn drain(mut pipe: impl Read, kept: &Mutex<Vec<u8>>) {
    let mut buffer = [0; 4096];
    while let Ok(count @ 1..) = pipe.read(&mut buffer) {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(&buffer[..count]);
        let extra = kept.len().saturating_sub(STDERR_KEPT);
        kept.drain(..extra);
    }
}

//! An engine in a thread of its own, so that whoever asks it can go on
//! listening, and survives if it panics.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Sender};
use std::thread;

use hathi_engine::{Decision, Engine, EngineError, EngineSpec, Limits, Thought};
use hathi_rules::Game;

/// What an engine's thread reports.
#[derive(Debug)]
pub(crate) enum WorkerEvent {
    /// The engine is ready to think, or why not.
    Loaded(Result<(), Crash>),
    /// What it thinks about the job of this number.
    Thought(u64, Thought),
    /// Its answer to the job of this number.
    Decided(u64, Result<Decision, Crash>),
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Crash {
    /// The engine says so.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The engine broke down.
    #[error("the engine crashed: {0}")]
    Panic(String),
}

enum Job {
    Load,
    NewGame(u64),
    Think(u64, Box<Game>, Limits),
}

/// A handle on the thread. The thread ends when the handle is dropped and
/// its work is done.
#[derive(Debug)]
pub(crate) struct Worker {
    jobs: Sender<Job>,
}

impl Worker {
    /// Starts a thread for an engine. The engine is made when it is first
    /// needed, or by [`load`](Worker::load); `report` is called from the
    /// thread.
    pub(crate) fn start(spec: EngineSpec, report: impl Fn(WorkerEvent) + Send + 'static) -> Worker {
        Worker::with(move || spec.build(), report)
    }

    /// The same for an engine that is made in another way.
    pub(crate) fn with(
        build: impl Fn() -> Result<Box<dyn Engine>, EngineError> + Send + 'static,
        report: impl Fn(WorkerEvent) + Send + 'static,
    ) -> Worker {
        let (jobs, queue) = mpsc::channel();
        thread::spawn(move || {
            let mut bench = Bench {
                build: Box::new(build),
                engine: None,
                seed: 0,
            };
            while let Ok(job) = queue.recv() {
                match job {
                    Job::Load => report(WorkerEvent::Loaded(bench.load())),
                    Job::NewGame(seed) => bench.new_game(seed),
                    Job::Think(number, game, limits) => {
                        let decision = bench.think(&game, &limits, |thought| {
                            report(WorkerEvent::Thought(number, thought.clone()));
                        });
                        report(WorkerEvent::Decided(number, decision));
                    }
                }
            }
        });
        Worker { jobs }
    }

    /// Makes the engine now.
    pub(crate) fn load(&self) {
        self.send(Job::Load);
    }

    /// A new game begins.
    pub(crate) fn new_game(&self, seed: u64) {
        self.send(Job::NewGame(seed));
    }

    /// Asks for a decision; the number comes back with it.
    pub(crate) fn think(&self, number: u64, game: Game, limits: Limits) {
        self.send(Job::Think(number, Box::new(game), limits));
    }

    fn send(&self, job: Job) {
        // The thread catches panics, so it is there as long as we are.
        let _ = self.jobs.send(job);
    }
}

/// Where the engine sits.
struct Bench {
    build: Box<dyn Fn() -> Result<Box<dyn Engine>, EngineError>>,
    engine: Option<Box<dyn Engine>>,
    seed: u64,
}

impl Bench {
    fn load(&mut self) -> Result<(), Crash> {
        if self.engine.is_none() {
            let (build, seed) = (&self.build, self.seed);
            let engine = guarded(|| {
                let mut engine = build()?;
                engine.new_game(seed);
                Ok(engine)
            })?;
            self.engine = Some(engine);
        }
        Ok(())
    }

    fn new_game(&mut self, seed: u64) {
        self.seed = seed;
        if let Some(engine) = &mut self.engine {
            let reset = guarded(|| {
                engine.new_game(seed);
                Ok(())
            });
            if reset.is_err() {
                self.engine = None;
            }
        }
    }

    fn think(
        &mut self,
        game: &Game,
        limits: &Limits,
        mut listener: impl FnMut(&Thought),
    ) -> Result<Decision, Crash> {
        self.load()?;
        let Some(engine) = &mut self.engine else {
            return Err(Crash::Panic("it is not there".to_owned()));
        };
        let decision = guarded(|| engine.decide(game, limits, &mut listener));
        if matches!(decision, Err(Crash::Panic(_))) {
            // Who knows what state it is in; a new one is made next time.
            self.engine = None;
        }
        decision
    }
}

/// Runs code of an engine; a panic becomes an error.
fn guarded<T>(work: impl FnOnce() -> Result<T, EngineError>) -> Result<T, Crash> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(result) => Ok(result?),
        Err(payload) => {
            let message = payload
                .downcast_ref::<&str>()
                .map(|text| (*text).to_owned())
                .or_else(|| payload.downcast_ref::<String>().cloned());
            Err(Crash::Panic(message.unwrap_or_default()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error() {
        let crash = guarded::<()>(|| panic!("all is lost")).unwrap_err();
        assert_eq!(crash.to_string(), "the engine crashed: all is lost");
        let none = guarded::<()>(|| Err(EngineError::NoTurn)).unwrap_err();
        assert_eq!(none.to_string(), "there is no legal turn");
    }
}

//! Anybody who plays: an engine of ours in a thread, or a foreign one in a
//! process. A referee treats them alike.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use hathi_engine::{Choice, EngineError, Level, Limits, Stop};
use hathi_rules::{Action, Clock, Game, GameLimit, GameRecord, Side, TimeControl};

use crate::controller::{Controller, ControllerError, Patience};
use crate::referee::Thinking;
use crate::spec::{PlayerKind, PlayerSpec};
use crate::worker::{Crash, Worker, WorkerEvent};

/// A player that is there.
#[derive(Debug)]
pub struct Player(Inner);

#[derive(Debug)]
enum Inner {
    BuiltIn {
        worker: Worker,
        events: Receiver<WorkerEvent>,
        job: u64,
    },
    Program(Box<Controller>),
}

/// What a player says when it is its turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A setup or a turn, and where it came from.
    Choice(Choice, Source),
    /// It gives up.
    Resigns,
}

/// What an engine of ours tells about a choice; foreign ones tell nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// Where the choice came from, for engines that remember.
    pub level: Option<Level>,
    /// Depth reached in steps, for engines that search.
    pub depth: Option<u32>,
    /// What it thinks of the position, for its side, in hundredths of a rabbit.
    pub score: Option<i32>,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayerFault {
    /// It broke down, or was never there.
    #[error("{0}")]
    Crash(String),
    /// It said something that is no move.
    #[error("{0}")]
    Illegal(String),
    /// It did not answer.
    #[error("no answer within {} s", .0.as_secs_f64())]
    Silent(Duration),
    /// Somebody has stopped the game.
    #[error("interrupted")]
    Interrupted,
}

impl From<ControllerError> for PlayerFault {
    fn from(error: ControllerError) -> PlayerFault {
        match error {
            ControllerError::Interrupted => PlayerFault::Interrupted,
            ControllerError::Silent {
                expected: "bestmove",
                patience,
            } => PlayerFault::Silent(patience),
            error => PlayerFault::Crash(error.to_string()),
        }
    }
}

/// A turn to decide about.
#[derive(Debug)]
pub(crate) struct Request<'a> {
    pub(crate) game: &'a Game,
    pub(crate) limits: Limits,
    /// No answer by then is none.
    pub(crate) patience: Duration,
    pub(crate) clock: Option<&'a Clock>,
    /// What the opponent's last turn took.
    pub(crate) last_turn: Duration,
    pub(crate) stop: &'a Stop,
}

impl Player {
    /// Starts a player.
    pub fn start(spec: &PlayerSpec, stop: &Stop) -> Result<Player, PlayerFault> {
        Ok(Player(match &spec.kind {
            PlayerKind::BuiltIn(spec) => {
                let (sender, events) = mpsc::channel();
                let worker = Worker::start(spec.clone(), move |event| {
                    let _ = sender.send(event);
                });
                // Loading is not to be charged to the first turn.
                worker.load();
                loop {
                    match events.recv() {
                        Ok(WorkerEvent::Loaded(Ok(()))) => break,
                        Ok(WorkerEvent::Loaded(Err(crash))) => {
                            return Err(PlayerFault::Crash(crash.to_string()));
                        }
                        Ok(_) => {}
                        Err(_) => return Err(PlayerFault::Crash("it did not start".to_owned())),
                    }
                }
                Inner::BuiltIn {
                    worker,
                    events,
                    job: 0,
                }
            }
            PlayerKind::Program(command) => Inner::Program(Box::new(Controller::start(
                command,
                Patience::default(),
                stop,
            )?)),
        }))
    }

    /// A new game begins, the moves of its opening being made.
    pub(crate) fn new_game(
        &mut self,
        seed: u64,
        opening: &Game,
        thinking: &Thinking,
        stop: &Stop,
    ) -> Result<(), PlayerFault> {
        match &mut self.0 {
            Inner::BuiltIn { worker, .. } => worker.new_game(seed),
            Inner::Program(engine) => {
                for (name, value) in options(thinking) {
                    engine.set_option(name, value);
                }
                engine.send("newgame");
                if opening.setups().0.is_none()
                    && let Some(start) = opening.positions().first()
                {
                    engine.send(&format!("setposition {start}"));
                }
                for (_, action) in GameRecord::of_game(opening).moves {
                    match action {
                        Action::SetUp(setup) => engine.send(&format!("makemove {setup}")),
                        Action::Play(turn) => engine.send(&format!("makemove {turn}")),
                        _ => {}
                    }
                }
                engine.ready(stop)?;
            }
        }
        Ok(())
    }

    /// A move was made, by whom ever.
    pub(crate) fn made(&mut self, choice: &Choice) {
        if let Inner::Program(engine) = &mut self.0 {
            engine.send(&format!("makemove {choice}"));
        }
    }

    /// Asks for a move. The second value is the time it took.
    pub(crate) fn decide(
        &mut self,
        request: Request<'_>,
    ) -> (Result<Answer, PlayerFault>, Duration) {
        match &mut self.0 {
            Inner::BuiltIn {
                worker,
                events,
                job,
            } => {
                *job += 1;
                let started = Instant::now();
                let answer = ask(worker, events, *job, request);
                (answer, started.elapsed())
            }
            Inner::Program(engine) => {
                if let Some(clock) = request.clock {
                    send_clock(engine, clock, request.last_turn);
                }
                let started = Instant::now();
                engine.send("go");
                let text = engine.best_move(request.patience, request.stop, |_| {});
                let used = started.elapsed();
                let answer = text.map_err(PlayerFault::from);
                (answer.and_then(|text| read(&text, request.game)), used)
            }
        }
    }
}

fn ask(
    worker: &Worker,
    events: &Receiver<WorkerEvent>,
    job: u64,
    request: Request<'_>,
) -> Result<Answer, PlayerFault> {
    let (stop, patience) = (request.limits.stop.clone(), request.patience);
    let started = request.limits.started;
    worker.think(job, request.game.clone(), request.limits);
    loop {
        if request.stop.asked() {
            stop.now();
            return Err(PlayerFault::Interrupted);
        }
        let left = patience.saturating_sub(started.elapsed());
        if left.is_zero() {
            stop.now();
            return Err(PlayerFault::Silent(patience));
        }
        match events.recv_timeout(left.min(Duration::from_millis(50))) {
            Ok(WorkerEvent::Decided(done, decision)) if done == job => {
                return match decision {
                    Ok(decision) => {
                        let source = Source {
                            level: decision.level,
                            depth: decision.thought.as_ref().map(|thought| thought.depth),
                            score: decision.thought.map(|thought| thought.score),
                        };
                        Ok(Answer::Choice(decision.choice, source))
                    }
                    Err(Crash::Engine(EngineError::NoTurn)) => Ok(Answer::Resigns),
                    Err(crash) => Err(PlayerFault::Crash(crash.to_string())),
                };
            }
            Ok(_) | Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PlayerFault::Crash("its thread has ended".to_owned()));
            }
        }
    }
}

/// The move in a `bestmove`.
fn read(text: &str, game: &Game) -> Result<Answer, PlayerFault> {
    let illegal = |why: String| {
        let short: String = text.chars().take(80).collect();
        PlayerFault::Illegal(format!("`{short}`: {why}"))
    };
    if text.eq_ignore_ascii_case("resign") || text.eq_ignore_ascii_case("resigns") {
        return Ok(Answer::Resigns);
    }
    let choice = if game.must_set_up().is_some() {
        Choice::SetUp(text.parse().map_err(|e| illegal(format!("{e}")))?)
    } else {
        Choice::Play(text.parse().map_err(|e| illegal(format!("{e}")))?)
    };
    Ok(Answer::Choice(choice, Source::default()))
}

/// Limits as options, for engines that are told by the protocol.
fn options(thinking: &Thinking) -> Vec<(&'static str, String)> {
    let mut options = Vec::new();
    if let Some(control) = &thinking.control {
        options.extend(control_options(control));
    } else if let Some(time) = thinking.time {
        options.push(("tcmove", time.as_secs_f64().to_string()));
        options.push(("tcreserve", "0".to_owned()));
        options.push(("tcpercent", "0".to_owned()));
    }
    options.extend(thinking.depth.map(|depth| ("depth", depth.to_string())));
    options.extend(thinking.nodes.map(|nodes| ("nodes", nodes.to_string())));
    options
}

fn control_options(control: &TimeControl) -> [(&'static str, String); 7] {
    let seconds = |time: Option<Duration>| time.unwrap_or_default().as_secs().to_string();
    let (total, turns) = match control.game_limit() {
        Some(GameLimit::Time(time)) => (Some(time), 0),
        Some(GameLimit::Turns(turns)) => (None, turns),
        None => (None, 0),
    };
    [
        ("tcmove", seconds(Some(control.per_move()))),
        ("tcreserve", seconds(Some(control.reserve()))),
        ("tcpercent", control.reserve_percent().to_string()),
        ("tcmax", seconds(control.reserve_limit())),
        ("tctotal", seconds(total)),
        ("tcturns", turns.to_string()),
        ("tcturntime", seconds(control.turn_limit())),
    ]
}

fn send_clock(engine: &Controller, clock: &Clock, last_turn: Duration) {
    // Whole seconds, rounded down for reserves: what every engine can read.
    let whole = |time: Duration| time.as_secs();
    engine.set_option("greserve", whole(clock.reserve(Side::Gold)));
    engine.set_option("sreserve", whole(clock.reserve(Side::Silver)));
    engine.set_option("gused", whole(clock.time_used(Side::Gold)));
    engine.set_option("sused", whole(clock.time_used(Side::Silver)));
    engine.set_option("lastmoveused", whole(last_turn));
    engine.set_option("moveused", 0);
}

//! The engine's side of a conversation.
//!
//! Three threads: one reads lines, one thinks ([`Worker`]), and this one
//! hears both and does all the talking. So `stop`, `quit`, `isready` and
//! `makemove` are understood while thinking, and if the engine is late or
//! breaks down, a legal answer is given for it.

use std::io::{self, BufRead, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use hathi_archive::{ArchivedGame, FinishedGame, GameId, Occasion, Player, unix_time};
use hathi_engine::{Decision, EngineSpec, Stop};
use hathi_rules::{BySide, Game, Position, RuleSet, Setup, Side, Turn};

mod options;
mod searching;

use super::{Lines, Message, Times};
use crate::worker::{Worker, WorkerEvent};

/// What a session starts with; all of it can be changed by options.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The engine.
    pub spec: EngineSpec,
    /// The dice of the first game; each new game takes the next number.
    pub seed: u64,
    /// Time for a turn when no clock and no other limit is set.
    pub unlimited: Duration,
}

/// How a conversation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By `quit`, or as the controller went away.
    Quit,
    /// By an error, which was told.
    Error,
}

/// Takes a game that is over when the option `learn` is set: the engine that
/// played it, what is known about it, and the game. True if it is new; an error
/// says why it could not be kept.
pub type Keeper<'a> =
    dyn FnMut(&EngineSpec, ArchivedGame, &Game) -> Result<bool, Box<dyn std::error::Error>> + 'a;

/// An engine has this long to come back after a `stop`.
const STOP_PATIENCE: Duration = Duration::from_millis(300);

/// What was asked before `quit` is answered within this time, the loading of
/// the engine included.
const QUIT_PATIENCE: Duration = Duration::from_secs(5);

enum Event {
    Line(String),
    End,
    Engine(u64, WorkerEvent),
}

/// Talks AEI until the controller has enough. Games to learn from go to the
/// keeper. `Err` is about writing.
pub fn serve(
    setting: Setting,
    input: impl BufRead + Send + 'static,
    output: impl Write,
    keeper: &mut Keeper<'_>,
) -> io::Result<Ending> {
    let (sender, events) = mpsc::channel();
    let lines = sender.clone();
    thread::spawn(move || {
        let mut input = Lines(input);
        // A broken input is as good as its end.
        while let Ok(Some(line)) = input.next() {
            if lines.send(Event::Line(line)).is_err() {
                return;
            }
        }
        let _ = lines.send(Event::End);
    });
    Session::new(setting, sender, output, keeper).run(&events)
}

struct Session<'a, W> {
    out: W,
    keeper: &'a mut Keeper<'a>,
    setting: Setting,
    times: Times,
    depth: u32,
    nodes: u64,
    game: Game,
    events: Sender<Event>,
    worker: Worker,
    /// Workers are numbered, so that one left behind is not listened to.
    worker_number: u64,
    loaded: bool,
    /// `isready` that wait for the engine to load.
    waiting: usize,
    job: u64,
    search: Option<Search>,
    /// A search that had to be answered for and has not come back yet.
    late: Option<u64>,
    opponent: String,
    /// The side we have moved for.
    own_side: Option<Side>,
    /// When the game began, in seconds since 1970.
    started: i64,
    /// The controller has gone or is about to: what it asked for before is
    /// answered until then.
    leaving: Option<Instant>,
}

/// What the engine is thinking about.
struct Search {
    job: u64,
    ponder: bool,
    started: Instant,
    stop: Stop,
    /// When an answer must be given.
    deadline: Option<Instant>,
    in_mind: Option<Turn>,
    /// What pondering has come to, until somebody asks.
    decision: Option<Decision>,
}

/// A reason to end the conversation.
struct Fatal(String);

type Step = io::Result<Result<(), Fatal>>;

impl<'a, W: Write> Session<'a, W> {
    fn new(
        setting: Setting,
        events: Sender<Event>,
        out: W,
        keeper: &'a mut Keeper<'a>,
    ) -> Session<'a, W> {
        let worker = start_worker(&setting, &events, 0);
        Session {
            out,
            keeper,
            setting,
            times: Times::default(),
            depth: 0,
            nodes: 0,
            game: Game::new(RuleSet::Modern),
            events,
            worker,
            worker_number: 0,
            loaded: false,
            waiting: 0,
            job: 0,
            search: None,
            late: None,
            opponent: "opponent".to_owned(),
            own_side: None,
            started: unix_time(),
            leaving: None,
        }
    }

    fn run(mut self, events: &Receiver<Event>) -> io::Result<Ending> {
        loop {
            if self.leaving.is_some() && !self.owes_an_answer() {
                return Ok(self.end(Ending::Quit));
            }
            let deadline = self.search.as_ref().and_then(|search| search.deadline);
            let deadline = match (deadline, self.leaving) {
                (Some(one), Some(other)) => Some(one.min(other)),
                (one, other) => one.or(other),
            };
            let event = match deadline {
                Some(deadline) => {
                    let patience = deadline.saturating_duration_since(Instant::now());
                    match events.recv_timeout(patience) {
                        Ok(event) => event,
                        Err(RecvTimeoutError::Timeout) => {
                            if self.leaving.is_some_and(|last| last <= Instant::now()) {
                                self.waiting = 0;
                            }
                            self.late = self.search.as_ref().map(|search| search.job);
                            self.answer_for_engine("the engine is late")?;
                            continue;
                        }
                        Err(RecvTimeoutError::Disconnected) => return Ok(Ending::Quit),
                    }
                }
                None => match events.recv() {
                    Ok(event) => event,
                    Err(_) => return Ok(Ending::Quit),
                },
            };
            let step = match event {
                // Nobody has said that it should hurry.
                Event::End => {
                    self.leave(self.setting.unlimited);
                    continue;
                }
                Event::Line(_) if self.leaving.is_some() => continue,
                Event::Line(line) => match Message::read(&line) {
                    Ok(None) => continue,
                    Ok(Some(Message::Quit)) => {
                        self.stop_for_good()?;
                        self.leave(QUIT_PATIENCE);
                        continue;
                    }
                    Ok(Some(message)) => self.hear(message)?,
                    Err(error) => Err(Fatal(error.to_string())),
                },
                Event::Engine(number, event) if number == self.worker_number => {
                    self.hear_engine(event)?
                }
                Event::Engine(..) => continue,
            };
            if let Err(Fatal(why)) = step {
                self.log("Error", &why)?;
                return Ok(self.end(Ending::Error));
            }
        }
    }

    /// Is there a question that came before the end and has no answer yet?
    fn owes_an_answer(&self) -> bool {
        let thinks = self.search.as_ref().is_some_and(|search| !search.ponder);
        self.waiting > 0 || thinks
    }

    /// Ends when what was asked before is answered.
    fn leave(&mut self, patience: Duration) {
        if self.leaving.is_none() {
            self.leaving = Some(Instant::now() + patience.max(QUIT_PATIENCE));
        }
    }

    /// A search answers with what it has; one that has not begun has as long
    /// as the engine needs to load.
    fn stop_for_good(&mut self) -> io::Result<()> {
        match &self.search {
            Some(search) if !search.ponder && self.loaded => self.stop(),
            Some(search) if !search.ponder => {
                search.stop.now();
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Lets go of the engine.
    fn end(&mut self, ending: Ending) -> Ending {
        self.cancel();
        ending
    }

    fn hear(&mut self, message: Message) -> Step {
        match message {
            Message::Aei => self.introduce()?,
            Message::IsReady if self.loaded => self.say("readyok")?,
            Message::IsReady => {
                self.waiting += 1;
                self.worker.load();
            }
            Message::NewGame => {
                self.cancel();
                self.game = Game::new(RuleSet::Modern);
                self.own_side = None;
                self.started = unix_time();
                self.times.new_game();
                self.setting.seed = self.setting.seed.wrapping_add(1);
                self.worker.new_game(self.setting.seed);
            }
            Message::SetPosition(position) => {
                self.cancel();
                self.game = game_at(&position);
            }
            Message::SetOption { name, value } => self.set_option(&name, &value)?,
            Message::MakeMove(text) => {
                self.cancel();
                if let Err(why) = self.make_move(&text) {
                    return Ok(Err(Fatal(format!("illegal move {text:?}: {why}"))));
                }
                if self.game.outcome().is_some() && self.setting.spec.options.learn {
                    self.learn()?;
                }
            }
            Message::Go { ponder } => self.go(ponder)?,
            Message::Stop => self.stop()?,
            Message::Quit => {}
        }
        Ok(Ok(()))
    }

    fn introduce(&mut self) -> io::Result<()> {
        self.say("protocol-version 1")?;
        let name = format!("id name Hathi {}", self.setting.spec.kind.name());
        self.say(&name)?;
        self.say("id author the Hathi authors")?;
        self.say(concat!("id version ", env!("CARGO_PKG_VERSION")))?;
        self.say("aeiok")
    }

    fn make_move(&mut self, text: &str) -> Result<(), String> {
        if self.game.must_set_up().is_some() {
            let setup: Setup = text.parse().map_err(|e| format!("{e}"))?;
            self.game.set_up(&setup).map_err(|e| e.to_string())
        } else {
            let turn: Turn = text.parse().map_err(|e| format!("{e}"))?;
            self.game.play(&turn).map_err(|e| e.to_string())?;
            Ok(())
        }
    }

    /// The game is over, and goes to whoever keeps games.
    fn learn(&mut self) -> io::Result<()> {
        let own = Player::bot(format!("Hathi {}", self.setting.spec.kind.name()));
        let opponent = Player {
            name: self.opponent.clone(),
            ..Player::default()
        };
        let finished = FinishedGame {
            game: &self.game,
            outcome: self.game.outcome(),
            players: match self.own_side {
                Some(Side::Silver) => BySide::new(opponent, own),
                _ => BySide::new(own, opponent),
            },
            occasion: Occasion::Aei,
            time_control: "0/0".to_owned(),
            start: self.started,
            end: unix_time(),
            times: &[],
        };
        let about = finished.archived(GameId::own(finished.occasion, finished.end));
        match (self.keeper)(&self.setting.spec, about, &self.game) {
            Ok(true) => self.log("Debug", "the game is remembered"),
            Ok(false) => self.log("Debug", "the game was known already"),
            Err(error) => self.log("Warning", &format!("nothing learnt: {error}")),
        }
    }

    fn log(&mut self, level: &str, text: &str) -> io::Result<()> {
        // One line a message, whatever was quoted in it.
        let text = text.replace(char::is_control, " ");
        self.say(&format!("log {level}: {text}"))
    }

    fn say(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.out, "{line}")?;
        self.out.flush()
    }
}

fn start_worker(setting: &Setting, events: &Sender<Event>, number: u64) -> Worker {
    let events = events.clone();
    let worker = Worker::start(setting.spec.clone(), move |event| {
        let _ = events.send(Event::Engine(number, event));
    });
    worker.new_game(setting.seed);
    worker
}

/// The game that stands at a position. Before a setup is made, it is still to
/// be made.
fn game_at(position: &Position) -> Game {
    let board = position.board();
    let mut game = Game::new(RuleSet::Modern);
    let gold = Setup::of_board(board, Side::Gold);
    let silver_is_empty = board.side(Side::Silver).is_empty();
    match (position.side_to_move(), gold) {
        (Side::Gold, _) if board.occupied().is_empty() => game,
        (Side::Silver, Some(gold)) if silver_is_empty => {
            let _ = game.set_up(&gold);
            game
        }
        _ => Game::from_position(RuleSet::Modern, *position),
    }
}

#[cfg(test)]
mod tests;

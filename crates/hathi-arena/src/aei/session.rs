//! The engine's side of a conversation.
//!
//! Three threads: one reads lines, one thinks ([`Worker`]), and this one
//! hears both and does all the talking. So `stop`, `quit`, `isready` and
//! `makemove` are understood while thinking, and if the engine is late or
//! breaks down, a legal answer is given for it.

use std::fmt::Write as _;
use std::io::{self, BufRead, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use hathi_archive::{ArchivedGame, FinishedGame, GameId, Occasion, Player, unix_time};
use hathi_engine::{Choice, Decision, EngineError, EngineSpec, Limits, Stop, Thought};
use hathi_rules::{BySide, Game, Position, RuleSet, Setup, Side, Turn};

use super::{Lines, Message, Times};
use crate::fallback::legal_choice;
use crate::worker::{Crash, Worker, WorkerEvent};

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

    fn set_option(&mut self, name: &str, value: &str) -> io::Result<()> {
        if let Some(understood) = self.times.set(name, value) {
            if !understood {
                let text = format!("option {name} is {value:?}, expected a number; left as it was");
                self.log("Warning", &text)?;
            }
            return Ok(());
        }
        let number = value.trim().parse::<u64>();
        let refused = match (name, number) {
            ("opponent", _) => {
                value.clone_into(&mut self.opponent);
                None
            }
            ("opponent_rating" | "rating" | "rated" | "event", _) => None,
            ("depth", Ok(steps)) if steps <= 400 => {
                self.depth = steps as u32;
                None
            }
            ("nodes", Ok(nodes)) => {
                self.nodes = nodes;
                None
            }
            ("seed", Ok(seed)) => {
                self.setting.seed = seed;
                self.worker.new_game(seed);
                None
            }
            ("depth" | "nodes" | "seed", _) => Some(format!("{name} is {value:?}, no number")),
            ("movetime", _) => match value.trim().parse::<f64>() {
                Ok(seconds) if (0.001..1e6).contains(&seconds) => {
                    self.setting.unlimited = Duration::from_secs_f64(seconds);
                    None
                }
                _ => Some(format!("movetime is {value:?}, expected seconds")),
            },
            ("engine", _) => match value.parse::<EngineSpec>() {
                Ok(spec) => {
                    let mut spec = spec;
                    if spec.options.store.is_empty() {
                        spec.options
                            .store
                            .clone_from(&self.setting.spec.options.store);
                    }
                    self.change_engine(spec);
                    None
                }
                Err(error) => Some(error.to_string()),
            },
            _ => {
                let mut spec = self.setting.spec.clone();
                match spec.options.set(name, value) {
                    Ok(()) => {
                        self.change_engine(spec);
                        None
                    }
                    Err(error) => Some(error.to_string()),
                }
            }
        };
        match refused {
            Some(why) => self.log("Warning", &why),
            None => Ok(()),
        }
    }

    /// The new one is made when it is needed.
    fn change_engine(&mut self, spec: EngineSpec) {
        if spec != self.setting.spec {
            self.setting.spec = spec;
            self.cancel();
            self.replace_worker();
        }
    }

    fn replace_worker(&mut self) {
        self.worker_number += 1;
        self.worker = start_worker(&self.setting, &self.events, self.worker_number);
        self.loaded = false;
        self.late = None;
        if self.waiting > 0 {
            self.worker.load();
        }
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

    fn go(&mut self, ponder: bool) -> io::Result<()> {
        self.cancel();
        if let Some(outcome) = self.game.outcome() {
            if !ponder {
                self.log("Warning", &format!("the game is over: {outcome}"))?;
                self.say("bestmove resign")?;
            }
            return Ok(());
        }
        // An engine that has not come back from its last search is stuck.
        if self.late.is_some() {
            self.replace_worker();
        }
        self.job += 1;
        if !ponder {
            self.own_side = Some(self.game.side_to_move());
        }
        let stop = Stop::default();
        let mut limits = Limits::none();
        let mut deadline = None;
        if !ponder {
            if let Some((clock, last)) = self.times.limits(self.game.side_to_move()) {
                deadline = Some(clock.started + last);
                limits = clock;
            } else if self.depth == 0 && self.nodes == 0 && !self.has_own_limit() {
                limits = Limits::time(self.setting.unlimited);
            }
            limits.depth = (self.depth > 0).then_some(self.depth);
            limits.nodes = (self.nodes > 0).then_some(self.nodes);
        }
        let limits = limits.with_stop(stop.clone());
        self.search = Some(Search {
            job: self.job,
            ponder,
            started: limits.started,
            stop,
            deadline,
            in_mind: None,
            decision: None,
        });
        self.worker.think(self.job, self.game.clone(), limits);
        Ok(())
    }

    /// Is the engine itself told how deep to look?
    fn has_own_limit(&self) -> bool {
        let options = &self.setting.spec.options;
        options.depth > 0 || options.nodes > 0
    }

    /// Ends a search without an answer.
    fn cancel(&mut self) {
        if let Some(search) = self.search.take() {
            search.stop.now();
        }
    }

    fn stop(&mut self) -> io::Result<()> {
        let Some(search) = &mut self.search else {
            return Ok(());
        };
        search.stop.now();
        search.ponder = false;
        if let Some(decision) = search.decision.take() {
            return self.answer(&decision);
        }
        let soon = Instant::now() + STOP_PATIENCE;
        search.deadline = Some(search.deadline.map_or(soon, |deadline| deadline.min(soon)));
        Ok(())
    }

    fn hear_engine(&mut self, event: WorkerEvent) -> Step {
        match event {
            WorkerEvent::Loaded(Ok(())) => {
                self.loaded = true;
                for _ in 0..std::mem::take(&mut self.waiting) {
                    self.say("readyok")?;
                }
            }
            WorkerEvent::Loaded(Err(crash)) => return Ok(Err(Fatal(crash.to_string()))),
            WorkerEvent::Thought(job, thought) => {
                if let Some(search) = &mut self.search
                    && search.job == job
                {
                    if thought.rank == 0 {
                        search.in_mind = thought.line.first().copied();
                    }
                    if !search.ponder {
                        self.tell(&thought)?;
                    }
                }
            }
            WorkerEvent::Decided(job, decision) => {
                self.loaded = true;
                if self.late == Some(job) {
                    self.late = None;
                }
                if let Some(search) = &mut self.search
                    && search.job == job
                {
                    return self.decided(decision).map(Ok);
                }
            }
        }
        Ok(Ok(()))
    }

    fn decided(&mut self, decision: Result<Decision, Crash>) -> io::Result<()> {
        match decision {
            Ok(decision) => match &mut self.search {
                Some(search) if search.ponder => {
                    search.decision = Some(decision);
                    Ok(())
                }
                _ => self.answer(&decision),
            },
            Err(Crash::Engine(EngineError::NoTurn | EngineError::GameOver)) => {
                self.answer_for_engine("there is no legal turn")
            }
            Err(crash) => self.answer_for_engine(&crash.to_string()),
        }
    }

    /// The engine has decided, and what it wants is looked at.
    fn answer(&mut self, decision: &Decision) -> io::Result<()> {
        let Some(choice) = checked(&self.game, &decision.choice) else {
            let text = format!("the engine wants to play {}", decision.choice);
            return self.answer_for_engine(&text);
        };
        for reason in &decision.reasons {
            self.log("Debug", reason)?;
        }
        self.best_move(&choice)
    }

    /// Something legal in place of the engine's answer.
    fn answer_for_engine(&mut self, why: &str) -> io::Result<()> {
        let Some(search) = self.search.take() else {
            return Ok(());
        };
        search.stop.now();
        if search.ponder {
            return self.log("Warning", why);
        }
        let choice = legal_choice(&self.game, search.in_mind.as_ref());
        let started = search.started;
        self.log("Warning", why)?;
        self.times
            .charge(self.game.side_to_move(), started.elapsed());
        match choice {
            Some(choice) => self.say(&format!("bestmove {choice}")),
            // There is nothing to play: the rules say that we have lost.
            None => self.say("bestmove resign"),
        }
    }

    fn best_move(&mut self, choice: &Choice) -> io::Result<()> {
        if let Some(search) = self.search.take() {
            let used = search.started.elapsed();
            self.times.charge(self.game.side_to_move(), used);
            self.say(&format!("info time {:.2}", used.as_secs_f64()))?;
        }
        self.say(&format!("bestmove {choice}"))
    }

    fn tell(&mut self, thought: &Thought) -> io::Result<()> {
        if self.setting.spec.options.multipv > 1 {
            self.say(&format!("info multipv {}", thought.rank + 1))?;
        }
        for line in info(thought, self.game.side_to_move()) {
            self.say(&line)?;
        }
        Ok(())
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

/// A choice that the game allows, removals filled in.
fn checked(game: &Game, choice: &Choice) -> Option<Choice> {
    match choice {
        Choice::SetUp(setup) => game.clone().set_up(setup).ok().map(|()| *choice),
        Choice::Play(turn) => Some(Choice::Play(game.check_turn(turn).ok()?.0)),
    }
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

/// The lines about a thought.
fn info(thought: &Thought, mover: Side) -> Vec<String> {
    let mut lines = vec![
        format!(
            "info depth {}{}",
            thought.depth,
            if thought.unfinished { "+" } else { "" }
        ),
        format!("info nodes {}", thought.nodes),
        format!("info time {:.2}", thought.time.as_secs_f64()),
        format!("info score {}", thought.score),
    ];
    let mut line = String::from("info pv");
    let mut side = mover;
    for (i, turn) in thought.line.iter().enumerate() {
        // Turns after the first carry the letter of their side.
        if i > 0 {
            line.push(' ');
            line.push(side.to_char());
        }
        let _ = write!(line, " {turn}");
        side = side.opponent();
    }
    if !thought.line.is_empty() {
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex, PoisonError};

    use hathi_engine::{Engine, EngineKind};

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
}

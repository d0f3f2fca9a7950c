//! A game between a person and an engine, move by move.

use std::fs;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anstyle::{AnsiColor, Style};
use hathi_archive::{ArchivedGame, FinishedGame, GameId, Occasion, Player, unix_time};
use hathi_arena::{sound_setup, usual_setup};
use hathi_engine::{Engine, EngineError, Limits};
use hathi_rules::{
    BySide, Choice, Game, GameRecord, RuleSet, Setup, Side, Square, Termination, TimedGame, Timing,
    Turn,
};
use hathi_store::{Place, remember};

use super::advice;
use super::input::{self, Typed};
use super::words::{HELP, SETUP};
use crate::terminal::draw::{self, Charset};
use crate::terminal::output::printable;
use crate::terminal::position::outcome_text;

/// Who plays, and what becomes of the game.
#[derive(Debug)]
pub(super) struct Seat {
    pub(super) side: Side,
    pub(super) engine_name: String,
    pub(super) save: Option<PathBuf>,
    pub(super) learn: Option<Place>,
    pub(super) memory: Option<Place>,
    pub(super) ascii: bool,
}

/// A game in the terminal, and the engine.
pub(super) struct TerminalGame {
    seat: Seat,
    engine: Box<dyn Engine>,
    /// What the engine has for a turn if no clock runs.
    time: Duration,
    timed: TimedGame,
    /// When the side to move began to think.
    since: Instant,
    started: i64,
}

/// What comes after something typed.
enum Next {
    /// Ask again.
    Same,
    /// The other side is next, or the game is over.
    Moved,
    /// Leave.
    Leave,
}

const PROMPT: Style = AnsiColor::Green.on_default();

impl TerminalGame {
    pub(super) fn new(
        seat: Seat,
        engine: Box<dyn Engine>,
        time: Duration,
        timing: Timing,
    ) -> TerminalGame {
        TerminalGame {
            seat,
            engine,
            time,
            timed: TimedGame::new(Game::new(RuleSet::Modern), timing),
            since: Instant::now(),
            started: unix_time(),
        }
    }

    /// Plays until the game is over or the input ends.
    pub(super) fn play(mut self, lines: &mut impl BufRead, out: &mut impl Write) -> io::Result<()> {
        writeln!(
            out,
            "You play {}, {} plays {}. Type help to learn how moves are written.\n",
            self.seat.side.name(),
            printable(&self.seat.engine_name),
            self.seat.side.opponent().name()
        )?;
        while self.timed.outcome().is_none() {
            self.since = Instant::now();
            if self.game().side_to_move() == self.seat.side {
                match self.ask(lines, out)? {
                    Next::Same | Next::Moved => {}
                    Next::Leave => return writeln!(out, "Bye."),
                }
            } else {
                self.engine_moves(out)?;
            }
        }
        self.draw(out)?;
        if let Some(outcome) = self.timed.outcome() {
            writeln!(out, "\n{}.", outcome_text(outcome))?;
        }
        self.keep(out)
    }

    fn game(&self) -> &Game {
        self.timed.game()
    }

    /// For a turn of the engine, or a hint.
    fn limits(&self) -> Limits {
        Limits::of_game(&self.timed, self.time).unwrap_or_else(|| Limits::time(self.time))
    }

    /// The label of the next move, and the time for it if a clock runs.
    fn prompt(&self) -> String {
        let label = self.game().next_label();
        match self.timed.time_available(self.seat.side) {
            None => label.to_string(),
            Some(available) => {
                let left = available.saturating_sub(self.since.elapsed()).as_secs();
                format!("{label} {}:{:02}", left / 60, left % 60)
            }
        }
    }

    /// The person's move, or one of the other things that can be typed.
    fn ask(&mut self, lines: &mut impl BufRead, out: &mut impl Write) -> io::Result<Next> {
        if self.game().must_set_up().is_some() {
            self.show_setups(out)?;
        } else {
            self.draw(out)?;
        }
        loop {
            write!(out, "{PROMPT}{}>{PROMPT:#} ", self.prompt())?;
            out.flush()?;
            let mut line = Vec::new();
            if lines.read_until(b'\n', &mut line)? == 0 {
                writeln!(out)?;
                return Ok(Next::Leave);
            }
            match self.obey(&String::from_utf8_lossy(&line), out)? {
                Next::Same => {}
                next => return Ok(next),
            }
        }
    }

    fn obey(&mut self, line: &str, out: &mut impl Write) -> io::Result<Next> {
        match Typed::read(line) {
            Typed::Nothing if self.game().must_set_up().is_some() => {
                let setup = usual_setup(self.seat.side);
                return self.set_up(&setup, out);
            }
            Typed::Nothing => {}
            Typed::Help => writeln!(out, "{HELP}")?,
            Typed::Board => self.draw(out)?,
            Typed::Moves => write!(out, "{}", GameRecord::of_game(self.game()))?,
            Typed::Steps(square) => self.show_steps(square, out)?,
            Typed::Hint => {
                let limits = self.limits();
                let memory = self.seat.memory.as_ref();
                let game = self.timed.game();
                let hint = advice::hint(game, memory, self.engine.as_mut(), &limits);
                writeln!(out, "{hint}")?;
            }
            Typed::Undo => {
                if self.undo() {
                    return Ok(Next::Moved);
                }
                writeln!(out, "There is nothing to take back.")?;
            }
            Typed::Save(name) if name.is_empty() => writeln!(out, "Save where? save game.txt")?,
            Typed::Save(name) => self.save(Path::new(&name), out)?,
            Typed::Resign => {
                self.timed.lose(self.seat.side, Termination::Resignation);
                return Ok(Next::Moved);
            }
            Typed::Quit => return Ok(Next::Leave),
            Typed::Other(text) if self.game().must_set_up().is_some() => {
                return self.read_setup(&text, out);
            }
            Typed::Other(text) => return self.read_turn(&text, out),
        }
        Ok(Next::Same)
    }

    fn setups(&self) -> Vec<Setup> {
        let mut random = fastrand::Rng::with_seed(4);
        let mut setups = vec![usual_setup(self.seat.side)];
        while setups.len() < 4 {
            let setup = sound_setup(self.seat.side, &mut random);
            if !setups.contains(&setup) {
                setups.push(setup);
            }
        }
        setups
    }

    fn show_setups(&self, out: &mut impl Write) -> io::Result<()> {
        if self.game().setups().0.is_some() {
            self.draw(out)?;
        }
        writeln!(out, "{SETUP}")?;
        for (i, setup) in self.setups().iter().enumerate() {
            writeln!(out, "  {}  {setup}", i + 1)?;
        }
        Ok(())
    }

    fn read_setup(&mut self, text: &str, out: &mut impl Write) -> io::Result<Next> {
        let listed = text
            .parse::<usize>()
            .ok()
            .and_then(|number| self.setups().get(number.checked_sub(1)?).copied());
        match listed.map_or_else(|| text.parse(), Ok) {
            Ok(setup) => self.set_up(&setup, out),
            Err(error) => {
                writeln!(out, "That is no setup: {}.", printable(&error.to_string()))?;
                Ok(Next::Same)
            }
        }
    }

    fn set_up(&mut self, setup: &Setup, out: &mut impl Write) -> io::Result<Next> {
        match self
            .timed
            .make(&Choice::SetUp(*setup), self.since.elapsed())
        {
            Ok(_) => Ok(Next::Moved),
            Err(error) => {
                writeln!(out, "Not now: {error}.")?;
                Ok(Next::Same)
            }
        }
    }

    fn read_turn(&mut self, text: &str, out: &mut impl Write) -> io::Result<Next> {
        let turn = match input::turn(text, &self.game().position()) {
            Ok(turn) => turn,
            Err(error) => {
                let error = printable(&error).into_owned();
                writeln!(
                    out,
                    "I do not understand that: {error}.\nType help, or steps to see what can move."
                )?;
                return Ok(Next::Same);
            }
        };
        match self.timed.make(&Choice::Play(turn), self.since.elapsed()) {
            Ok(_) => Ok(Next::Moved),
            Err(error) => {
                writeln!(out, "Not allowed: {error}.")?;
                Ok(Next::Same)
            }
        }
    }

    fn show_steps(&self, square: Option<Square>, out: &mut impl Write) -> io::Result<()> {
        if self.game().must_set_up().is_some() {
            return writeln!(out, "Place your pieces first.");
        }
        let position = self.game().position();
        let steps: Vec<String> = position
            .legal_steps()
            .into_iter()
            .filter(|step| square.is_none_or(|square| step.from() == square))
            .filter_map(|step| Turn::from_steps([step]).ok())
            .map(|step| step.to_string())
            .collect();
        match (steps.is_empty(), square) {
            (false, _) => {
                for line in steps.chunks(10) {
                    writeln!(out, "  {}", line.join(", "))?;
                }
                Ok(())
            }
            (true, Some(square)) => writeln!(out, "Nothing on {square} can move now."),
            (true, None) => writeln!(out, "Nothing can move."),
        }
    }

    /// Back to the person's move before this one.
    fn undo(&mut self) -> bool {
        let mut timed = self.timed.clone();
        while timed.take_back() {
            if timed.game().side_to_move() == self.seat.side {
                self.timed = timed;
                return true;
            }
        }
        false
    }

    /// The engine's move, or the end of the game by what it does instead.
    fn engine_moves(&mut self, out: &mut impl Write) -> io::Result<()> {
        let limits = self.limits();
        let label = self.game().next_label();
        let engine = self.seat.side.opponent();
        let decision = match self.engine.decide(self.timed.game(), &limits, &mut |_| {}) {
            Ok(decision) => decision,
            Err(error) => {
                if !matches!(error, EngineError::NoTurn) {
                    writeln!(out, "The engine cannot go on: {error}.")?;
                }
                self.timed.lose(engine, Termination::Resignation);
                return Ok(());
            }
        };
        match self.timed.make(&decision.choice, self.since.elapsed()) {
            Err(error) => {
                writeln!(out, "The engine wanted {}: {error}.", decision.choice)?;
                self.timed.lose(engine, Termination::IllegalMove);
                return Ok(());
            }
            Ok(ruling) if !ruling.counts() => return Ok(()),
            Ok(_) => {}
        }
        let style = draw::side_style(engine);
        let why = decision.reasons.first().map_or("", String::as_str);
        writeln!(
            out,
            "\n{label} {style}{}{style:#}: {} ({})",
            printable(&self.seat.engine_name),
            decision.choice,
            printable(why)
        )
    }

    fn draw(&self, out: &mut impl Write) -> io::Result<()> {
        let charset = Charset::new(self.seat.ascii);
        draw::board(out, self.game().position().board(), charset)
    }

    fn archived(&self) -> ArchivedGame {
        let (person, engine) = (Player::human("you"), Player::bot(&*self.seat.engine_name));
        let clock = self.timed.clock();
        let finished = FinishedGame {
            game: self.game(),
            outcome: self.timed.outcome(),
            players: match self.seat.side {
                Side::Gold => BySide::new(person, engine),
                Side::Silver => BySide::new(engine, person),
            },
            occasion: Occasion::Play,
            time_control: clock.map_or("0/0".to_owned(), |clock| clock.control().to_string()),
            start: self.started,
            end: unix_time(),
            times: &[],
        };
        finished.archived(GameId::own(finished.occasion, finished.end))
    }

    fn keep(&self, out: &mut impl Write) -> io::Result<()> {
        if let Some(path) = &self.seat.save {
            self.save(path, out)?;
        }
        if let Some(store) = &self.seat.learn {
            match remember(store, self.archived(), self.game()) {
                Ok(true) => writeln!(out, "The game is in the store now.")?,
                Ok(false) => writeln!(out, "The game was in the store already.")?,
                Err(error) => writeln!(out, "The game is not in the store: {error}.")?,
            }
        }
        out.flush()
    }

    fn save(&self, path: &Path, out: &mut impl Write) -> io::Result<()> {
        let mut text = GameRecord::of_game(self.game()).to_string();
        let outcome = self.timed.outcome();
        if outcome.is_some_and(|outcome| outcome.termination == Termination::Resignation) {
            text += &self.game().ply_label();
            text += " resigns\n";
        }
        match fs::write(path, text) {
            Ok(()) => writeln!(out, "Saved to {}.", printable(&path.display().to_string())),
            Err(error) => writeln!(
                out,
                "Cannot write {}: {error}.",
                printable(&path.display().to_string())
            ),
        }
    }
}

//! A foreign AEI engine looks at a position: what it says about the best turns,
//! as it says it.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use hathi_engine::{MOST_LINES, Stop};
use hathi_rules::{Game, Turn};

use crate::controller::{Controller, ControllerError, Patience};

/// What an engine has said so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SaidAnalysis {
    /// The name it gives itself.
    pub name: Option<String>,
    /// Its best turns, by the number it gave them; one if it gave none.
    pub lines: Vec<SaidLine>,
}

/// What an engine has said about one of its turns. Numbers are in its own words:
/// every engine counts in its own way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SaidLine {
    /// How deep it looked.
    pub depth: Option<String>,
    /// What it thinks of the position, for the side to move.
    pub score: Option<String>,
    /// Positions it looked at.
    pub nodes: Option<String>,
    /// The turns it expects, as far as they can be played.
    pub turns: Vec<Turn>,
}

/// Characters kept of a number.
const LONGEST_NUMBER: usize = 20;

/// Turns kept of a line.
const LONGEST_LINE: usize = 6;

/// It answers so soon after its time is over, or is told to stop.
const GRACE: Duration = Duration::from_secs(5);

/// An engine that is to stop says its move so soon, or is ended.
const STOPPING: Duration = Duration::from_secs(1);

/// Engines without work are kept for so long, and so many of them.
const KEPT_FOR: Duration = Duration::from_secs(60);
const MOST_KEPT: usize = 2;

/// Engines that were started to look at a position, kept for the next one: some
/// take seconds to start.
#[derive(Debug, Default)]
pub struct KeptEngines(Mutex<Vec<Kept>>);

#[derive(Debug)]
struct Kept {
    command: String,
    engine: Controller,
    since: Instant,
}

impl KeptEngines {
    /// Without work for so long they are ended; whoever asks for analyses comes
    /// back after that and calls [`end_idle`](KeptEngines::end_idle).
    pub const IDLE: Duration = KEPT_FOR;

    /// Lets the engine of a command look at a position for so long and tells the
    /// listener what it says. It is started unless one is at hand.
    ///
    /// The position is given as the protocol knows it, at the start of a turn, so the
    /// engine does not know what would be a repetition.
    pub fn analyse(
        &self,
        command: &str,
        game: &Game,
        lines: usize,
        time: Duration,
        stop: &Stop,
        listener: &mut dyn FnMut(&SaidAnalysis),
    ) -> Result<SaidAnalysis, ControllerError> {
        let mut engine = match self.take(command, stop) {
            Some(engine) => engine,
            None => Controller::start(command, Patience::default(), stop)?,
        };
        let said = look_at(&mut engine, game, lines, time, stop, listener);
        let is_free = match &said {
            Ok(_) => true,
            Err(ControllerError::Interrupted) => {
                engine.send("stop");
                let never = Stop::default();
                engine.best_move(STOPPING, &never, |_| {}).is_ok()
            }
            Err(_) => false,
        };
        if is_free {
            self.keep(command, engine);
        }
        said
    }

    /// One that is at hand and answers.
    fn take(&self, command: &str, stop: &Stop) -> Option<Controller> {
        loop {
            let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let place = kept.iter().position(|one| one.command == command)?;
            let mut one = kept.swap_remove(place);
            drop(kept);
            if one.engine.ready(stop).is_ok() {
                return Some(one.engine);
            }
        }
    }

    fn keep(&self, command: &str, engine: Controller) {
        let one = Kept {
            command: command.to_owned(),
            engine,
            since: Instant::now(),
        };
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push(one);
        let oldest = (kept.len() > MOST_KEPT).then(|| kept.remove(0));
        // Ending a process takes a moment: not while others wait.
        drop(kept);
        drop(oldest);
    }

    /// Ends those that have had no work for a while.
    pub fn end_idle(&self) {
        self.end(|one| one.since.elapsed() >= KEPT_FOR);
    }

    /// Ends all that have no work.
    pub fn end_all(&self) {
        self.end(|_| true);
    }

    fn end(&self, mut which: impl FnMut(&Kept) -> bool) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let ended: Vec<Kept> = kept.extract_if(.., |one| which(one)).collect();
        drop(kept);
        drop(ended);
    }
}

/// Asks an engine that is ready.
fn look_at(
    engine: &mut Controller,
    game: &Game,
    lines: usize,
    time: Duration,
    stop: &Stop,
    listener: &mut dyn FnMut(&SaidAnalysis),
) -> Result<SaidAnalysis, ControllerError> {
    let seconds = time.as_secs().max(1);
    for (name, value) in [
        ("tcmove", seconds),
        ("tcturntime", seconds),
        ("tcreserve", 0),
        ("tcpercent", 0),
        ("greserve", 0),
        ("sreserve", 0),
    ] {
        engine.set_option(name, value);
    }
    // Who does not know it says one line, and that it does not know it.
    engine.set_option("multipv", lines.clamp(1, MOST_LINES));
    engine.send("newgame");
    let position = game.position().to_string().replace('.', " ");
    engine.send(&format!("setposition {position}"));
    engine.ready(stop)?;
    let mut said = Said::new(game, engine.name());
    engine.send("go");
    let best = engine.best_move(time + GRACE, stop, |line| {
        if said.hear(line) {
            listener(&said.analysis);
        }
    })?;
    said.decides(&best);
    Ok(said.analysis)
}

/// Listens to an engine.
struct Said<'a> {
    game: &'a Game,
    analysis: SaidAnalysis,
    /// The line it is talking about.
    rank: usize,
}

impl<'a> Said<'a> {
    fn new(game: &'a Game, name: Option<&str>) -> Said<'a> {
        Said {
            game,
            analysis: SaidAnalysis {
                name: name.map(|name| name.chars().take(80).collect()),
                lines: Vec::new(),
            },
            rank: 0,
        }
    }

    /// One line of its output. Is there a turn to show that was not there before?
    fn hear(&mut self, line: &str) -> bool {
        let mut words = line.split_whitespace();
        if words.next() != Some("info") {
            return false;
        }
        let Some(what) = words.next() else {
            return false;
        };
        if what == "multipv" {
            let rank = words.next().and_then(|word| word.parse::<usize>().ok());
            // What is beyond all lines is not listened to.
            self.rank = rank.map_or(0, |rank| rank.saturating_sub(1));
            return false;
        }
        if self.rank >= MOST_LINES || !matches!(what, "depth" | "score" | "nodes" | "pv") {
            return false;
        }
        while self.analysis.lines.len() <= self.rank {
            self.analysis.lines.push(SaidLine::default());
        }
        let about = &mut self.analysis.lines[self.rank];
        if what == "pv" {
            about.turns = expected(self.game, words);
            return !about.turns.is_empty();
        }
        let number: String = (words.next().unwrap_or_default().chars())
            .filter(|letter| !letter.is_control())
            .take(LONGEST_NUMBER)
            .collect();
        let number = Some(number).filter(|number| !number.is_empty());
        match what {
            "depth" => about.depth = number,
            "score" => about.score = number,
            _ => about.nodes = number,
        }
        false
    }

    /// Its decision is its best turn, whatever it said on the way.
    fn decides(&mut self, best: &str) {
        let lines = &mut self.analysis.lines;
        lines.retain(|line| !line.turns.is_empty());
        let Some(turn) = expected(self.game, best.split_whitespace())
            .first()
            .copied()
        else {
            return;
        };
        let same = |line: &SaidLine| line.turns.first() == Some(&turn);
        match lines.iter().position(same) {
            Some(rank) => lines[..=rank].rotate_right(1),
            None => lines.insert(
                0,
                SaidLine {
                    turns: vec![turn],
                    ..SaidLine::default()
                },
            ),
        }
        lines.truncate(MOST_LINES);
    }
}

/// The turns of a line, as far as they can be played. Engines write a letter of
/// the side between turns, a label such as `3s`, `pass`, or nothing at all; then a
/// turn is four steps.
fn expected<'a>(game: &Game, words: impl Iterator<Item = &'a str>) -> Vec<Turn> {
    let mut at = game.clone();
    let mut turns = Vec::new();
    let mut steps: Vec<&str> = Vec::new();
    let mut play = |steps: &mut Vec<&str>| {
        let text = std::mem::take(steps).join(" ");
        if text.is_empty() {
            return true;
        }
        let turn = (text.parse::<Turn>().ok()).and_then(|turn| at.check_turn(&turn).ok());
        let Some((turn, _)) = turn else {
            return false;
        };
        turns.push(turn);
        at.play(&turn).is_ok() && at.outcome().is_none() && turns.len() < LONGEST_LINE
    };
    for word in words {
        let is_removal = word.ends_with('x');
        let between =
            word == "pass" || word.trim_start_matches(|c: char| c.is_ascii_digit()).len() == 1;
        let moves = steps.iter().filter(|step| !step.ends_with('x')).count();
        let full = moves == 4 && !is_removal;
        if (between || full) && !play(&mut steps) {
            return turns;
        }
        if !between {
            steps.push(word);
        }
    }
    play(&mut steps);
    turns
}

#[cfg(test)]
mod tests {
    use super::*;
    use hathi_rules::RuleSet;

    const START: &str = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]";

    fn game() -> Game {
        Game::from_position(RuleSet::Modern, START.parse().expect("a position"))
    }

    fn texts(turns: &[Turn]) -> Vec<String> {
        turns.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn lines_are_read_however_turns_are_parted() {
        let game = game();
        let wanted = ["Ee2n Ee3n Ee4n Ee5n", "ed7s ed6s", "Ha2n"];
        for text in [
            "Ee2n Ee3n Ee4n Ee5n s ed7s ed6s g Ha2n",
            "Ee2n Ee3n Ee4n Ee5n 2s ed7s ed6s 3g Ha2n",
            "Ee2n Ee3n Ee4n Ee5n ed7s ed6s pass Ha2n pass",
        ] {
            assert_eq!(texts(&expected(&game, text.split_whitespace())), wanted);
        }
        // What cannot be played ends the line.
        for (text, count) in [("Ee2n s Ee3n", 1), ("Ra1s", 0), ("", 0), ("s", 0), ("x", 0)] {
            assert_eq!(
                expected(&game, text.split_whitespace()).len(),
                count,
                "{text}"
            );
        }
    }

    #[test]
    fn what_an_engine_says_is_kept_in_its_words() {
        let game = game();
        let mut said = Said::new(&game, Some("Other"));
        for line in [
            "info depth 3+",
            "info score +1.25",
            "log Debug: x",
            "info",
            "info pv",
            "nonsense",
        ] {
            assert!(!said.hear(line), "{line}");
        }
        assert!(said.hear("info pv Ee2n Ee3n"));
        said.hear("info multipv 2");
        said.hear("info score -7");
        assert!(said.hear("info pv Ha2n"));
        said.hear("info multipv 99");
        assert!(!said.hear("info pv Hh2n"));
        said.decides("Ha2n");
        let [first, second] = &said.analysis.lines[..] else {
            panic!("{:?}", said.analysis)
        };
        assert_eq!(texts(&first.turns), ["Ha2n"]);
        assert_eq!(first.score.as_deref(), Some("-7"));
        assert_eq!(texts(&second.turns), ["Ee2n Ee3n"]);
        assert_eq!(second.score.as_deref(), Some("+1.25"));
        assert_eq!(second.depth.as_deref(), Some("3+"));
        // One that only decides has one line; one that gives up, none.
        let mut silent = Said::new(&game, None);
        silent.decides("Hh2n");
        assert_eq!(silent.analysis.lines.len(), 1);
        let mut resigned = Said::new(&game, None);
        resigned.decides("resign");
        assert_eq!(resigned.analysis.lines, []);
    }

    /// An engine that writes down that it was started, and thinks until it is stopped
    /// if the file `long` is there.
    #[cfg(unix)]
    #[test]
    fn an_engine_is_kept_for_the_next_position() {
        let folder = tempfile::tempdir().expect("a folder");
        let script = folder.path().join("engine.sh");
        std::fs::write(
            &script,
            "cd $(dirname $0); echo started >> starts\n\
             while read line; do case $line in\n\
             aei) echo aeiok;; isready) echo readyok;; quit) exit;;\n\
             go) echo info pv Ee2n; [ -e long ] || echo bestmove Ee2n;;\n\
             stop) echo bestmove Ha2n;; esac; done\n",
        )
        .expect("written");
        let command = format!("sh {}", script.display());
        let starts = || {
            let text = std::fs::read_to_string(folder.path().join("starts"));
            text.expect("started").lines().count()
        };
        let engines = KeptEngines::default();
        let ask = |stop: &Stop| {
            let time = Duration::from_secs(20);
            let mut heard = |_: &SaidAnalysis| {
                if folder.path().join("long").exists() {
                    stop.now();
                }
            };
            engines.analyse(&command, &game(), 2, time, stop, &mut heard)
        };
        for _ in 0..3 {
            let said = ask(&Stop::default()).expect("an analysis");
            assert_eq!(texts(&said.lines[0].turns), ["Ee2n"]);
        }
        assert_eq!(starts(), 1);
        // Interrupted, it stops, and what it says then is not the next answer.
        std::fs::write(folder.path().join("long"), "").expect("written");
        assert!(matches!(
            ask(&Stop::default()),
            Err(ControllerError::Interrupted)
        ));
        std::fs::remove_file(folder.path().join("long")).expect("removed");
        let said = ask(&Stop::default()).expect("an analysis");
        assert_eq!(texts(&said.lines[0].turns), ["Ee2n"]);
        assert_eq!(starts(), 1);
        // One that has died meanwhile is started again.
        {
            let kept = engines.0.lock().expect("nobody else");
            kept[0].engine.send("quit");
        }
        assert!(ask(&Stop::default()).is_ok());
        assert_eq!(starts(), 2);
        engines.end_idle();
        let mut kept = engines.0.lock().expect("nobody else");
        assert_eq!(kept.len(), 1, "it was at work a moment ago");
        kept[0].since -= KEPT_FOR;
        drop(kept);
        engines.end_idle();
        assert!(engines.0.lock().expect("nobody else").is_empty());
    }
}

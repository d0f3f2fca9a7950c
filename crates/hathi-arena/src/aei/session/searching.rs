//! From `go` to `bestmove`: what is asked of the engine, what it says, and
//! what is answered for it when it is late or breaks down.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::time::Instant;

use hathi_engine::{Choice, Decision, EngineError, Limits, Stop, Thought};
use hathi_rules::{Game, Side};

use super::{Fatal, STOP_PATIENCE, Search, Session, Step};
use crate::fallback::legal_choice;
use crate::worker::{Crash, WorkerEvent};

impl<W: Write> Session<'_, W> {
    pub(super) fn go(&mut self, ponder: bool) -> io::Result<()> {
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
    pub(super) fn has_own_limit(&self) -> bool {
        let options = &self.setting.spec.options;
        options.depth > 0 || options.nodes > 0
    }

    /// Ends a search without an answer.
    pub(super) fn cancel(&mut self) {
        if let Some(search) = self.search.take() {
            search.stop.now();
        }
    }

    pub(super) fn stop(&mut self) -> io::Result<()> {
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

    pub(super) fn hear_engine(&mut self, event: WorkerEvent) -> Step {
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

    pub(super) fn decided(&mut self, decision: Result<Decision, Crash>) -> io::Result<()> {
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
    pub(super) fn answer(&mut self, decision: &Decision) -> io::Result<()> {
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
    pub(super) fn answer_for_engine(&mut self, why: &str) -> io::Result<()> {
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

    pub(super) fn best_move(&mut self, choice: &Choice) -> io::Result<()> {
        if let Some(search) = self.search.take() {
            let used = search.started.elapsed();
            self.times.charge(self.game.side_to_move(), used);
            self.say(&format!("info time {:.2}", used.as_secs_f64()))?;
        }
        self.say(&format!("bestmove {choice}"))
    }

    pub(super) fn tell(&mut self, thought: &Thought) -> io::Result<()> {
        if self.setting.spec.options.multipv > 1 {
            self.say(&format!("info multipv {}", thought.rank + 1))?;
        }
        for line in info(thought, self.game.side_to_move()) {
            self.say(&line)?;
        }
        Ok(())
    }
}

/// A choice that the game allows, removals filled in.
fn checked(game: &Game, choice: &Choice) -> Option<Choice> {
    match choice {
        Choice::SetUp(setup) => game.clone().set_up(setup).ok().map(|()| *choice),
        Choice::Play(turn) => Some(Choice::Play(game.check_turn(turn).ok()?.0)),
    }
}

/// The lines about a thought.
pub(super) fn info(thought: &Thought, mover: Side) -> Vec<String> {
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

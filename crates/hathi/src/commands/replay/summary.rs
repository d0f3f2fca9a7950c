//! The check of a whole archive: how many games are clean, which are broken,
//! and whether the results agree.

use std::io::{self, Write};

use hathi_rules::{Outcome, Replay, RuleSet};
use hathi_view::numbers::grouped;
use serde::Serialize;

use super::BAD;
use crate::input::listed::{Fault, Listed};
use crate::terminal::output::printable;
use crate::terminal::position::{OutcomeReport, outcome_text};

/// What has been found so far.
#[derive(Debug, Default, Serialize)]
pub(super) struct Summary {
    pub(super) games: usize,
    clean: usize,
    turns: usize,
    takebacks: usize,
    pub(super) broken: Vec<BrokenGame>,
    results: Results,
}

#[derive(Debug, Serialize)]
pub(super) struct BrokenGame {
    game: String,
    row: usize,
    #[serde(flatten)]
    fault: Fault,
}

/// How the moves of clean games agree with the results written down.
#[derive(Debug, Default, Serialize)]
struct Results {
    /// Same winner, same reason.
    agree: usize,
    /// Decided off the board (time, resignation, ...): the moves say nothing.
    off_board: usize,
    /// No result was written down.
    unrecorded: usize,
    differ: Vec<Difference>,
}

#[derive(Debug, Serialize)]
struct Difference {
    game: String,
    by_moves: Option<OutcomeReport>,
    recorded: OutcomeReport,
    #[serde(skip)]
    text: String,
}

impl Summary {
    /// Replays a game and keeps the books.
    pub(super) fn add(&mut self, game: &Listed, rules: RuleSet, replay: &mut Replay) {
        self.games += 1;
        let broken = |fault| BrokenGame {
            game: game.id.clone(),
            row: game.row,
            fault,
        };
        let movelist = match &game.movelist {
            Ok(movelist) => movelist,
            Err(fault) => {
                self.broken.push(broken(fault.clone()));
                return;
            }
        };
        let replayed = replay.read(movelist, rules);
        self.turns += replay.game.turns().len();
        self.takebacks += replay.takebacks;
        if let Err(error) = replayed {
            self.broken.push(broken(Fault::from(error)));
            return;
        }
        self.clean += 1;
        self.results.add(game, replay.outcome());
    }

    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let results = &self.results;
        summary_line(out, "games", self.games, "")?;
        summary_line(out, "turns", self.turns, "")?;
        summary_line(out, "takebacks", self.takebacks, "")?;
        summary_line(out, "clean", self.clean, "every move is legal")?;
        summary_line(out, "broken", self.broken.len(), "")?;
        for BrokenGame { game, fault, .. } in &self.broken {
            let (game, reason) = (printable(game), printable(&fault.reason));
            writeln!(
                out,
                "  {BAD}game {game}{BAD:#}, {}: {reason}",
                fault.place()
            )?;
        }
        writeln!(out, "results of the clean games:")?;
        summary_line(
            out,
            "agree",
            results.agree,
            "the moves end as the archive says",
        )?;
        summary_line(
            out,
            "off the board",
            results.off_board,
            "on time, by resignation, ...",
        )?;
        if results.unrecorded > 0 {
            summary_line(
                out,
                "unrecorded",
                results.unrecorded,
                "the archive names no result",
            )?;
        }
        summary_line(out, "differ", results.differ.len(), "")?;
        for Difference { game, text, .. } in &results.differ {
            writeln!(out, "  game {}, {text}", printable(game))?;
        }
        Ok(())
    }
}

fn summary_line(out: &mut impl Write, label: &str, number: usize, text: &str) -> io::Result<()> {
    let gap = if text.is_empty() { "" } else { "  " };
    writeln!(out, "{label:<14}{:>9}{gap}{text}", grouped(number))
}

impl Results {
    fn add(&mut self, game: &Listed, by_moves: Option<Outcome>) {
        let Some(recorded) = game.recorded else {
            self.unrecorded += 1;
            return;
        };
        if by_moves == Some(recorded) {
            self.agree += 1;
        } else if by_moves.is_none() && !recorded.termination.is_on_board() {
            self.off_board += 1;
        } else {
            let moves = by_moves.map_or("not decided".to_owned(), outcome_text);
            self.differ.push(Difference {
                game: game.id.clone(),
                by_moves: by_moves.map(OutcomeReport::from),
                recorded: recorded.into(),
                text: format!(
                    "by the moves: {moves}; recorded: {}",
                    outcome_text(recorded)
                ),
            });
        }
    }
}

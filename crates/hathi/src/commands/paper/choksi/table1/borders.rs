//! By how much evaluations jump where the phase of the game changes.

use std::ops::ControlFlow;
use std::path::Path;

use hathi_archive::{ArchiveReader, Replayer};
use hathi_engine::{PhaseUse, Phased, Tweaks, Weights};
use hathi_learn::phase;
use hathi_rules::Position;
use serde::Serialize;

/// Sums over the turns of games.
#[derive(Debug, Serialize)]
pub(super) struct Borders {
    /// Turns that leave the phase as it is.
    pub(super) turns_same: u64,
    /// Turns that change it.
    pub(super) turns_other: u64,
    pub(super) changes: Vec<Change>,
}

/// How much an evaluation changed over these turns, in hundredths of a rabbit.
#[derive(Debug, Serialize)]
pub(super) struct Change {
    pub(super) evaluation: &'static str,
    pub(super) same: f64,
    pub(super) other: f64,
    #[serde(skip)]
    phased: Phased,
}

impl Borders {
    pub(super) fn new() -> Borders {
        let change = |evaluation, tweaks: &Tweaks, phase_use| Change {
            evaluation,
            same: 0.0,
            other: 0.0,
            phased: Phased::new(Weights::shipped(), tweaks, phase_use),
        };
        let paper = Tweaks::by_the_paper();
        Borders {
            turns_same: 0,
            turns_other: 0,
            changes: vec![
                change("fairy", &Tweaks::none(), PhaseUse::NoGoalThreats),
                change("gt", &paper, PhaseUse::GoalThreats),
                change("ngt", &paper, PhaseUse::NoGoalThreats),
                change("gt's weights, blended", &paper, PhaseUse::Smooth),
                change("smooth", &Tweaks::shipped(), PhaseUse::Smooth),
            ],
        }
    }

    /// The games of a match, if there are any yet.
    pub(super) fn add_games(&mut self, archive: &Path) -> anyhow::Result<()> {
        if !archive.exists() {
            return Ok(());
        }
        let mut replayer = Replayer::new();
        let _ = ArchiveReader::open([archive])?.for_each(|row| {
            // Our own games; a line cut off by an interruption is no game.
            if let Ok(row) = row {
                let replayed = replayer.replay(&row);
                for pair in replayed.game.positions().windows(2) {
                    self.add(&pair[0], &pair[1]);
                }
            }
            ControlFlow::<()>::Continue(())
        });
        Ok(())
    }

    fn add(&mut self, before: &Position, after: &Position) {
        let same = phase::heuristic(before) == phase::heuristic(after);
        if same {
            self.turns_same += 1;
        } else {
            self.turns_other += 1;
        }
        for change in &mut self.changes {
            let value = |position: &Position| f64::from(change.phased.value(position.board()));
            let jump = (value(after) - value(before)).abs();
            if same {
                change.same += jump;
            } else {
                change.other += jump;
            }
        }
    }
}

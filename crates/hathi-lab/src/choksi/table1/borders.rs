//! By how much evaluations jump where the phase of the game changes.

use std::ops::ControlFlow;
use std::path::Path;

use hathi_archive::{ArchiveReader, Replayer};
use hathi_engine::{EngineKind, PhaseUse, Phased, Tweaks, Weights};
use hathi_model::phase;
use hathi_rules::{BySide, Position, Side};
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

/// What a turn owes on average to the phase that it leads to, in hundredths of
/// a rabbit, by the evaluation of the tweaked engine: turns of the tweaked one,
/// and of the plain one, which does not know of phases.
///
/// What the tweaked one gets beyond the plain one, it may have steered for.
pub(super) fn gains(archive: &Path, version: PhaseUse) -> anyhow::Result<[f64; 2]> {
    let tweaks = match version {
        PhaseUse::Smooth => Tweaks::shipped(),
        PhaseUse::GoalThreats | PhaseUse::NoGoalThreats => Tweaks::by_the_paper(),
    };
    let phased = Phased::new(Weights::shipped(), &tweaks, version);
    let mut sums = [(0, 0u64); 2];
    each_turn(archive, |mover, before, after| {
        let board = after.board();
        let to_gold = phased.value(board) - phased.value_in_phase_of(board, before.board());
        let plain = usize::from(mover != EngineKind::Tweaked.name());
        let (sum, turns) = &mut sums[plain];
        *turns += 1;
        *sum += match before.side_to_move() {
            Side::Gold => i64::from(to_gold),
            Side::Silver => -i64::from(to_gold),
        };
    })?;
    Ok(sums.map(|(sum, turns)| sum as f64 / turns.max(1) as f64))
}

/// The turns of the games of a match, if there are any yet: whose, the position
/// before and the one after.
fn each_turn(
    archive: &Path,
    mut see: impl FnMut(&str, &Position, &Position),
) -> anyhow::Result<()> {
    if !archive.exists() {
        return Ok(());
    }
    let mut replayer = Replayer::new();
    let _ = ArchiveReader::open([archive])?.for_each(|row| {
        // Our own games; a line cut off by an interruption is no game.
        if let Ok(row) = row {
            let name = |side| row.player_name(side).into_owned();
            let players = BySide::new(name(Side::Gold), name(Side::Silver));
            let replayed = replayer.replay(&row);
            for pair in replayed.game.positions().windows(2) {
                let mover = &players[pair[0].side_to_move()];
                see(mover, &pair[0], &pair[1]);
            }
        }
        ControlFlow::<()>::Continue(())
    });
    Ok(())
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
        each_turn(archive, |_, before, after| self.add(before, after))
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

//! Games as they are kept on disk, so that they survive a restart.

use std::fs;
use std::path::{Path, PathBuf};

use hathi_rules::{
    Clock, Game, GameRecord, Outcome, Position, RuleSet, Side, Termination, TimeControl, TurnKind,
};
use serde::{Deserialize, Serialize};

use super::table::{Phase, Seat, Table};
use crate::error::ApiError;

/// What is agreed before a game.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Terms {
    /// As the client wrote it.
    pub(crate) engine: String,
    /// The person's side, `g` or `s`.
    pub(crate) side: char,
    /// For a turn of the engine.
    pub(crate) seconds: f64,
    /// A clock for both.
    pub(crate) control: Option<String>,
    /// Where it begins, if not with setups.
    pub(crate) position: Option<String>,
    /// What the person is called.
    pub(crate) name: String,
    pub(crate) seed: u64,
}

impl Terms {
    pub(crate) fn side(&self) -> Side {
        Side::from_char(self.side).unwrap_or(Side::Gold)
    }

    pub(crate) fn game(&self) -> Result<Game, ApiError> {
        Ok(match &self.position {
            None => Game::new(RuleSet::Modern),
            Some(text) => Game::from_position(RuleSet::Modern, crate::read::playable(text)?),
        })
    }

    pub(crate) fn clock(&self) -> Result<Option<Clock>, ApiError> {
        let Some(text) = &self.control else {
            return Ok(None);
        };
        let control: TimeControl = text.parse().map_err(|error| {
            ApiError::bad_request(format!("the time control cannot be read: {error}"))
        })?;
        Ok(Some(Clock::new(control)))
    }
}

/// Time that was taken off a clock.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Charge {
    pub(crate) side: char,
    pub(crate) seconds: f64,
    pub(crate) setup: bool,
}

/// A game on disk.
#[derive(Serialize, Deserialize)]
struct Kept {
    id: String,
    client: String,
    created: i64,
    terms: Terms,
    moves: String,
    charges: Vec<Charge>,
    /// Winner and how.
    outcome: Option<(Option<char>, char)>,
    game: Option<u64>,
    reasons: Vec<String>,
}

fn path(folder: &Path, id: &str) -> PathBuf {
    folder.join(format!("{id}.json"))
}

/// Writes a game under another name first, so that it is never half there.
pub(super) fn save(folder: &Path, table: &Table, seat: &Seat) {
    let kept = Kept {
        id: table.id.clone(),
        client: table.client.clone(),
        created: table.created,
        terms: table.terms.clone(),
        moves: GameRecord::of_game(&seat.game).to_string(),
        charges: seat.charges.clone(),
        outcome: seat.outcome.map(|outcome| {
            let winner = outcome.winner.map(Side::to_char);
            (winner, outcome.termination.to_char())
        }),
        game: seat.stored,
        reasons: seat.reasons.clone(),
    };
    let Ok(json) = serde_json::to_vec(&kept) else {
        return;
    };
    let draft = folder.join(format!("{}.tmp", table.id));
    // A disk that is full must not end the game.
    if fs::write(&draft, json).is_ok() {
        let _ = fs::rename(&draft, path(folder, &table.id));
    }
}

pub(super) fn remove(folder: &Path, id: &str) {
    let _ = fs::remove_file(path(folder, id));
}

/// Every game of the folder that can be read.
pub(super) fn load(folder: &Path) -> Vec<Table> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    entries
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            let bytes = path
                .extension()
                .is_some_and(|end| end == "json")
                .then(|| fs::read(&path).ok())??;
            restore(serde_json::from_slice(&bytes).ok()?)
        })
        .collect()
}

fn restore(kept: Kept) -> Option<Table> {
    let mut game = kept.terms.game().ok()?;
    let record: GameRecord = kept.moves.parse().ok()?;
    for (_, action) in &record.moves {
        match action {
            hathi_rules::Action::SetUp(setup) => game.set_up(setup).ok()?,
            hathi_rules::Action::Play(turn) => {
                game.play(turn).ok()?;
            }
            _ => return None,
        }
    }
    let mut clock = kept.terms.clock().ok()?;
    if let Some(clock) = &mut clock {
        for charge in &kept.charges {
            let kind = if charge.setup {
                TurnKind::Setup
            } else {
                TurnKind::Play
            };
            let used = std::time::Duration::try_from_secs_f64(charge.seconds).ok()?;
            // The game went on, so it was in time.
            let _ = clock.charge(Side::from_char(charge.side)?, used, kind);
        }
    }
    let outcome = match kept.outcome {
        None => game.outcome(),
        Some((winner, termination)) => Some(Outcome {
            winner: winner.and_then(Side::from_char),
            termination: Termination::from_char(termination)?,
        }),
    };
    let person = kept.terms.side();
    let phase = if outcome.is_some() {
        Phase::Over
    } else if side_of(&game) == person {
        Phase::Yours
    } else {
        Phase::Thinking
    };
    let mut seat = Seat::new(game, clock, phase);
    seat.outcome = outcome;
    seat.charges = kept.charges;
    seat.stored = kept.game;
    seat.reasons = kept.reasons;
    Some(Table::restored(
        kept.id,
        kept.client,
        kept.created,
        kept.terms,
        seat,
    ))
}

/// Whose decision is next, a setup or a turn.
pub(super) fn side_of(game: &Game) -> Side {
    game.must_set_up().unwrap_or_else(|| game.side_to_move())
}

/// For positions in views: the board as it stands, set up or not.
pub(super) fn position_of(game: &Game) -> Position {
    game.position()
}

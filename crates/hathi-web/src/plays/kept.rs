//! Games as they are kept on disk, so that they survive a restart.

use std::fs;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use hathi_archive::{GameId, GameSource};
use hathi_rules::{
    Action, Charge, Clock, Game, GameRecord, Outcome, RuleSet, Side, Termination, TimeControl,
    TimedGame, Timing, TurnKind,
};
use serde::{Deserialize, Serialize};

use super::play::{Ended, Explained, Play, PlayState};
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
    /// Does the game go to the memory when it is over? Those begun before
    /// anybody was asked do, as it was said then.
    #[serde(default = "yes")]
    pub(crate) remember: bool,
}

const fn yes() -> bool {
    true
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

    /// What the game is timed by. The seconds of the engine are no limit of the
    /// game: without a clock nobody loses on time.
    pub(crate) fn timing(&self) -> Result<Timing, ApiError> {
        let Some(text) = &self.control else {
            return Ok(Timing::Untimed);
        };
        let control: TimeControl = text.parse().map_err(|error| {
            ApiError::bad_request(format!("the time control cannot be read: {error}"))
        })?;
        Ok(Timing::Clock(Clock::new(control)))
    }
}

/// Time that was taken off a clock, on disk.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct KeptCharge {
    side: char,
    seconds: f64,
    setup: bool,
}

impl From<&Charge> for KeptCharge {
    fn from(charge: &Charge) -> KeptCharge {
        KeptCharge {
            side: charge.side.to_char(),
            seconds: charge.used.as_secs_f64(),
            setup: charge.kind == TurnKind::Setup,
        }
    }
}

impl KeptCharge {
    fn read(&self) -> Option<Charge> {
        Some(Charge {
            side: Side::from_char(self.side)?,
            used: Duration::try_from_secs_f64(self.seconds).ok()?,
            kind: if self.setup {
                TurnKind::Setup
            } else {
                TurnKind::Play
            },
        })
    }
}

/// A game on disk.
#[derive(Serialize, Deserialize)]
struct Kept {
    id: String,
    client: String,
    /// The address it was begun from.
    #[serde(default)]
    from: Option<IpAddr>,
    created: i64,
    /// When somebody last did something.
    #[serde(default)]
    touched: Option<i64>,
    terms: Terms,
    moves: String,
    charges: Vec<KeptCharge>,
    /// Winner and how.
    outcome: Option<(Option<char>, char)>,
    /// What it is known by in the store; before games had sources, a number.
    game: Option<KeptGame>,
    /// When and under which number it goes to the store.
    #[serde(default)]
    ended: Option<Ended>,
    /// Why the engine moved as it did.
    #[serde(default)]
    explained: Vec<Explained>,
}

/// A game of the store.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum KeptGame {
    Id(String),
    Number(u64),
}

fn path(folder: &Path, id: &str) -> PathBuf {
    folder.join(format!("{id}.json"))
}

/// Writes a game under another name first, so that it is never half there.
pub(super) fn save(folder: &Path, play: &Play, state: &PlayState) {
    let kept = Kept {
        id: play.id.clone(),
        client: play.client.clone(),
        from: play.from,
        created: play.created,
        touched: Some(state.touched()),
        terms: play.terms.clone(),
        moves: GameRecord::of_game(state.game()).to_string(),
        charges: state.timed.charges().iter().map(Into::into).collect(),
        outcome: state.timed.outcome().map(|outcome| {
            let winner = outcome.winner.map(Side::to_char);
            (winner, outcome.termination.to_char())
        }),
        game: state.stored.map(|id| KeptGame::Id(id.to_string())),
        ended: state.ended,
        explained: state.explained.clone(),
    };
    let Ok(json) = serde_json::to_vec(&kept) else {
        return;
    };
    let draft = folder.join(format!("{}.tmp", play.id));
    // A disk that is full must not end the game.
    if fs::write(&draft, json).is_ok() {
        let _ = fs::rename(&draft, path(folder, &play.id));
    }
}

pub(super) fn remove(folder: &Path, id: &str) {
    let _ = fs::remove_file(path(folder, id));
}

/// Every game of the folder that can be read.
pub(super) fn load(folder: &Path) -> Vec<Play> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    entries
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            // Half written when the server was killed; the whole is beside it.
            if path.extension().is_some_and(|end| end == "tmp") {
                let _ = fs::remove_file(&path);
            }
            let bytes = path
                .extension()
                .is_some_and(|end| end == "json")
                .then(|| fs::read(&path).ok())??;
            restore(serde_json::from_slice(&bytes).ok()?)
        })
        .collect()
}

fn restore(kept: Kept) -> Option<Play> {
    let mut game = kept.terms.game().ok()?;
    let record: GameRecord = kept.moves.parse().ok()?;
    for (_, action) in &record.moves {
        match action {
            Action::SetUp(setup) => game.set_up(setup).ok()?,
            Action::Play(turn) => {
                game.play(turn).ok()?;
            }
            _ => return None,
        }
    }
    let charges: Option<Vec<Charge>> = kept.charges.iter().map(KeptCharge::read).collect();
    let outcome = match kept.outcome {
        None => None,
        Some((winner, termination)) => Some(Outcome {
            winner: winner.and_then(Side::from_char),
            termination: Termination::from_char(termination)?,
        }),
    };
    let timing = kept.terms.timing().ok()?;
    let timed = TimedGame::resumed(game, timing, &charges?, outcome);
    let mut state = PlayState::new(timed, kept.terms.side());
    state.stored = kept.game.and_then(|game| match game {
        KeptGame::Id(text) => text.parse().ok(),
        KeptGame::Number(number) => GameId::of(GameSource::Play, number),
    });
    state.ended = kept.ended;
    state.explained = kept.explained;
    let state = state.with_touched(kept.touched.unwrap_or(kept.created));
    Some(Play::restored(
        kept.id,
        kept.client,
        kept.from,
        kept.created,
        kept.terms,
        state,
    ))
}

//! Trippen's argument against blind playouts: with an elephant missing on one side
//! and a rabbit on the other, who wins more of them?

use hathi_engine::{RandomPlayouts, Standing, winning_chance};
use hathi_rules::{Position, RuleSet, Side};
use serde::{Deserialize, Serialize};

use crate::rate::Rate;
use crate::watcher::Watcher;

/// The usual armies, Gold to move.
const START: &str = "rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR";

/// What one side is without, and the other.
const CASES: [(&str, Option<char>, Option<char>); 3] = [
    ("an elephant, the other a rabbit", Some('E'), Some('R')),
    ("an elephant, the other nothing", Some('E'), None),
    ("a rabbit, the other nothing", Some('R'), None),
];

/// What came out for the first of the two.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Handicap {
    pub(super) without: String,
    pub(super) playouts: u64,
    pub(super) wins: u64,
    /// Turns of a playout, on average.
    pub(super) turns: f64,
    /// The chance that the network gives it, from 0 to 1.
    pub(super) network: f64,
}

impl Handicap {
    pub(super) fn rate(&self) -> Rate {
        Rate::of(self.wins, self.playouts, self.playouts)
    }
}

/// Plays so many games for each case, half with each colour. None if it was stopped.
pub(super) fn play(
    playouts: u64,
    seed: u64,
    watcher: &dyn Watcher,
) -> anyhow::Result<Option<Vec<Handicap>>> {
    let mut blind = RandomPlayouts::new(seed);
    let mut results = Vec::new();
    let bar = watcher.count("playouts", playouts * CASES.len() as u64);
    for (place, (without, own, other)) in (0..).zip(CASES) {
        let (mut wins, mut turns, mut network) = (0, 0, 0.0);
        for (colour, side) in [Side::Gold, Side::Silver].into_iter().enumerate() {
            let position = without_pieces(own, other, side)?;
            let standing = winning_chance(Standing::of(&position)?.network);
            network += match side {
                Side::Gold => standing,
                Side::Silver => 1.0 - standing,
            } / 2.0;
            for number in 0..playouts / 2 {
                if watcher.asked_to_stop() {
                    return Ok(None);
                }
                let played = blind.play(&position, RuleSet::Modern);
                wins += u64::from(played.winner == Some(side));
                turns += u64::from(played.turns);
                if number % 64 == 0 {
                    bar(place * playouts + colour as u64 * playouts / 2 + number);
                }
            }
        }
        results.push(Handicap {
            without: without.to_owned(),
            playouts: playouts / 2 * 2,
            wins,
            turns: turns as f64 / playouts.max(1) as f64,
            network,
        });
    }
    Ok(Some(results))
}

/// The start without a piece of `side`'s and one of the other's.
fn without_pieces(own: Option<char>, other: Option<char>, side: Side) -> anyhow::Result<Position> {
    let letter = |piece: char, side: Side| match side {
        Side::Gold => piece.to_ascii_uppercase(),
        Side::Silver => piece.to_ascii_lowercase(),
    };
    let mut board = START.to_owned();
    for (piece, side) in [(own, side), (other, side.opponent())] {
        if let Some(piece) = piece {
            // The rabbit in the corner; there is one elephant.
            board = board.replacen(letter(piece, side), " ", 1);
        }
    }
    Ok(format!("g [{board}]").parse()?)
}

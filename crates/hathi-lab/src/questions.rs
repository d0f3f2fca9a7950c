//! The questions that are timed, by `hathi bench store` and `hathi paper`.

// Row numbers and counts, never negative.
#![allow(clippy::cast_sign_loss)]

use std::time::Instant;

use hathi_rules::{Position, Role, Square};
use hathi_store::{Focus, GameRow, Kind, Matching, Memory, PositionQuestion};

use crate::mckee::waited::{self, Measured};

/// A kind of question; trap and piece vary from one to the next.
pub(crate) struct QuestionKind {
    pub(crate) name: &'static str,
    /// Its place among the kinds.
    index: usize,
    pub(crate) mckee: &'static str,
}

impl QuestionKind {
    const fn new(index: usize, table: &Measured, mckee: &'static str) -> QuestionKind {
        QuestionKind {
            name: table.name,
            index,
            mckee,
        }
    }

    /// The `i`th question.
    pub(crate) fn of(&self, i: usize) -> Kind {
        Kind::all(Focus {
            trap: Square::TRAPS[i % 4],
            piece: Role::ALL[1 + i % 5],
        })[self.index]
    }
}

/// In the order of McKee's tables, which is that of the kinds.
pub(crate) const KINDS: [QuestionKind; 4] = [
    QuestionKind::new(0, &waited::FULL, "1.28 s"),
    QuestionKind::new(1, &waited::HALF, "1.8 s"),
    QuestionKind::new(2, &waited::AREA, "2.8 s"),
    QuestionKind::new(3, &waited::AREA_BY_PIECE, "20.03 s"),
];

/// Positions of games all over the store.
pub(crate) fn sample(store: &dyn Memory) -> anyhow::Result<Vec<Position>> {
    let last = store.totals()?.last_game.get();
    let mut positions = Vec::new();
    for i in 0..300 {
        let id = 1 + i * last / 300;
        if let Some(stored) = store.game(GameRow::new(id))?
            && let Ok(game) = stored.moves.replay(stored.game.rules())
        {
            let playable = game.positions().iter().take(game.turns().len());
            positions.extend(playable.skip(i as usize % 7).step_by(7));
        }
    }
    anyhow::ensure!(!positions.is_empty(), "there are no positions to ask about");
    Ok(positions)
}

/// The time of the best hit for each position.
pub(crate) fn times(
    store: &dyn Memory,
    positions: &[Position],
    kind: &QuestionKind,
    matching: Matching,
) -> anyhow::Result<Vec<f64>> {
    let mut times = Vec::with_capacity(positions.len());
    for (i, position) in positions.iter().enumerate() {
        let question = PositionQuestion::new(*position, kind.of(i)).matching(matching);
        let started = Instant::now();
        let best = store.best(&question)?;
        times.push(started.elapsed().as_secs_f64());
        std::hint::black_box(best);
    }
    Ok(times)
}

/// The value that this share of them does not exceed.
pub(crate) fn quantile(times: &[f64], share: f64) -> f64 {
    let mut times = times.to_vec();
    times.sort_by(f64::total_cmp);
    let place = (times.len() as f64 * share) as usize;
    times
        .get(place.min(times.len().saturating_sub(1)))
        .copied()
        .unwrap_or(0.0)
}

/// The one in the middle.
pub(crate) fn median(times: &[f64]) -> f64 {
    quantile(times, 0.5)
}

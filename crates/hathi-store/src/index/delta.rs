//! Games that the index file does not know yet, held in memory.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use super::columns::{Columns, Family};
use super::{BuildGame, Gathered, IndexedGame, IndexedMove, PostingKind, posting_hash};
use crate::hits::{RawHit, Wanted};
use crate::pattern::Needs;
use crate::seen::{Seen, SeenTrap};

/// Games added since the index was built.
#[derive(Default)]
pub(crate) struct Delta {
    gathered: Gathered,
    postings: [HashMap<u64, Vec<u32>>; 4],
    /// As far as somebody has asked for them.
    columns: Mutex<Vec<Columns>>,
}

impl Delta {
    pub(crate) fn add(&mut self, game: &BuildGame) {
        let from = self.gathered.boards.len();
        self.gathered.add(game);
        for position in from..self.gathered.boards.len() {
            let board = Seen(self.gathered.boards[position]);
            for kind in PostingKind::ALL {
                for trap in SeenTrap::ALL.into_iter().take(kind.per_position()) {
                    let hash = posting_hash(kind, board, trap);
                    let posting = (position as u32) << 2 | u32::from(trap.index());
                    self.postings[kind as usize]
                        .entry(hash)
                        .or_default()
                        .push(posting);
                }
            }
        }
    }

    /// What `work` makes of the positions and their columns, block by block.
    pub(super) fn with_blocks<T>(
        &self,
        needs: Needs,
        work: impl FnOnce(&Gathered, &[Columns]) -> T,
    ) -> T {
        // Whoever panicked has left columns that are whole or too short.
        let mut columns = self.columns.lock().unwrap_or_else(PoisonError::into_inner);
        if columns.is_empty() {
            columns.extend(Family::ALL.map(Columns::empty));
        }
        for (family, columns) in Family::ALL.into_iter().zip(columns.iter_mut()) {
            if needs.contains(family) {
                columns.catch_up(family, self.gathered.stored());
            }
        }
        work(&self.gathered, &columns)
    }

    pub(crate) fn positions(&self) -> usize {
        self.gathered.boards.len()
    }

    pub(crate) fn games(&self) -> usize {
        self.gathered.games.len()
    }
}

/// The matches in it, in no order.
pub(super) fn delta_hits(delta: &Delta, wanted: &Wanted) -> Vec<RawHit> {
    let postings = delta.postings[wanted.kind as usize].get(&wanted.hash);
    postings
        .into_iter()
        .flatten()
        .filter_map(|&posting| {
            let number = (posting >> 2) as usize;
            let played = delta.gathered.moves[number];
            let board = Seen(delta.gathered.boards[number]);
            let mirrored = wanted.matches(board, SeenTrap::from_index(posting), played.mover())?;
            Some(RawHit {
                game: delta.gathered.games[played.game as usize],
                played,
                mirrored,
            })
        })
        .collect()
}

/// Every position of the delta, for scans.
pub(crate) fn delta_positions(
    delta: &Delta,
) -> impl Iterator<Item = (Seen, IndexedMove, IndexedGame)> + '_ {
    delta
        .gathered
        .boards
        .iter()
        .zip(&delta.gathered.moves)
        .map(|(&board, &played)| {
            (
                Seen(board),
                played,
                delta.gathered.games[played.game as usize],
            )
        })
}

//! Games that the index file does not know yet, held in memory.

use std::collections::HashMap;

use super::{BuildGame, Gathered, IndexedGame, IndexedMove, PostingKind, posting_hash};
use crate::hits::{RawHit, Wanted};
use crate::seen::{Seen, SeenTrap};

/// Games added since the index was built.
#[derive(Default)]
pub(crate) struct Delta {
    gathered: Gathered,
    postings: [HashMap<u64, Vec<u32>>; 4],
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

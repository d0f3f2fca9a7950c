//! Any pattern at all: every position is compared with it.

use std::collections::HashSet;
use std::thread;

use hathi_rules::{Board, Position, Side, Symmetry, Turn};

use crate::filter::Filter;
use crate::index::{BOARDS, IndexError, IndexFile, IndexedGame, IndexedMove, rank_of};
use crate::memory::{Matching, delta_positions, mover};
use crate::pattern::{Compiled, Pattern};
use crate::seen::{Seen, unpack_turn};
use crate::store::{Store, StoreError};

/// A position that a pattern describes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PatternHit {
    /// Row of the game in the database.
    pub game: i64,
    /// Turns before it in that game.
    pub ply: u16,
    /// The position, turned so that it fits the pattern as written.
    pub position: Position,
    /// The turn played there, turned likewise.
    pub turn: Turn,
    /// How the game was turned for that.
    pub symmetry: Symmetry,
    /// Did the one who moved win?
    pub won: bool,
    /// Rating of the one who moved.
    pub rating: Option<u16>,
}

/// What a pattern found.
#[derive(Clone, Debug, Default)]
pub struct PatternAnswer {
    /// Positions that match.
    pub hits: u64,
    /// Games they are from.
    pub games: u64,
    /// The best of them, by result and rating, then turns left.
    pub best: Vec<PatternHit>,
}

/// A match before it is translated.
pub(crate) struct Raw {
    pub(crate) board: Seen,
    pub(crate) played: IndexedMove,
    pub(crate) game: IndexedGame,
    pub(crate) symmetry: Symmetry,
}

impl Store {
    /// Compares every position with a pattern. At most `limit` hits are given
    /// back, all are counted; with `one_per_game` only the best of each game.
    pub fn search(
        &self,
        pattern: &Pattern,
        matching: Matching,
        filter: &Filter,
        limit: usize,
        one_per_game: bool,
    ) -> Result<PatternAnswer, StoreError> {
        self.check_ready()?;
        let compiled = pattern.compile(matching);
        let allowed = self.allowed_games(filter)?;
        let mut answer = PatternAnswer::default();
        let mut games: HashSet<i64> = HashSet::new();
        let mut found: Vec<Raw> = Vec::new();
        let mut take =
            |board: Seen, played: IndexedMove, game: IndexedGame, keep: &mut Vec<Raw>| {
                if !filter.fits_ply(played.ply) || !allowed.contains_game(&game) {
                    return;
                }
                let Some(symmetry) = compiled.matches(&board.0, mover(played.ply)) else {
                    return;
                };
                answer.hits += 1;
                let new_game = games.insert(game.id);
                if keep.len() < limit && (new_game || !one_per_game) {
                    keep.push(Raw {
                        board,
                        played,
                        game,
                        symmetry,
                    });
                }
            };
        if let Some(index) = self.index() {
            for number in matching_positions(index, &compiled)? {
                let played = index.played(number)?;
                let game = index.game(played.game)?;
                take(Seen(index.board(number)?), played, game, &mut found);
            }
        }
        // Recent games are few; each list is best first before they are merged.
        let mut recent = Vec::new();
        let mut rest: Vec<_> = delta_positions(self.delta()).collect();
        rest.sort_by_key(|(_, played, game)| rank_of(game, played.ply));
        for (board, played, game) in rest {
            take(board, played, game, &mut recent);
        }
        found.extend(recent);
        found.sort_by_key(|raw| rank_of(&raw.game, raw.played.ply));
        found.truncate(limit);
        answer.games = games.len() as u64;
        answer.best = found.iter().filter_map(translate).collect();
        Ok(answer)
    }
}

/// The numbers of the positions in the index that may match, best first. The
/// boards are shared out among the cores.
fn matching_positions(index: &IndexFile, compiled: &Compiled) -> Result<Vec<u32>, IndexError> {
    let boards: &[[u64; 4]] = index.slice(BOARDS, 0..index.header.positions as usize)?;
    let threads = crate::cores::threads(0);
    let share = boards.len().div_ceil(threads).max(1);
    Ok(thread::scope(|scope| {
        let workers: Vec<_> = boards
            .chunks(share)
            .enumerate()
            .map(|(part, chunk)| {
                scope.spawn(move || {
                    let mut numbers = Vec::new();
                    compiled.scan(chunk, |i| numbers.push((part * share + i) as u32));
                    numbers
                })
            })
            .collect();
        workers.into_iter().flat_map(crate::cores::joined).collect()
    }))
}

/// Turns a match to the board of the pattern. None only for a damaged board.
pub(crate) fn translate(raw: &Raw) -> Option<PatternHit> {
    let board = Board::try_from(raw.board.to_packed()).ok()?;
    // The mover plays Gold in its own view.
    let seen = Position::composed(board, Side::Gold);
    let gold_moved = mover(raw.played.ply) == Side::Gold;
    let (rating, winner) = if gold_moved {
        (raw.game.gold_rating, 1)
    } else {
        (raw.game.silver_rating, 2)
    };
    Some(PatternHit {
        game: raw.game.id,
        ply: raw.played.ply,
        position: raw.symmetry.apply(seen),
        turn: raw.symmetry.apply(unpack_turn(raw.played.turn)?),
        symmetry: raw.symmetry,
        won: raw.game.winner == winner,
        rating: (rating > 0).then_some(rating),
    })
}

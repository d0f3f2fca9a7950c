//! Any pattern at all: every position is compared with it.

use std::collections::HashSet;
use std::ops::Range;
use std::thread;

use hathi_rules::{Board, Position, Side, Symmetry, Turn};

use crate::filter::Filter;
use crate::index::{BOARDS, IndexError, IndexFile, IndexedGame, IndexedMove, MOVES, rank_of};
use crate::memory::{Matching, delta_positions, mover};
use crate::pattern::{Compiled, Pattern};
use crate::seen::{Seen, unpack_turn};
use crate::store::{AllowedGames, Store, StoreError};

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

/// Positions looked at in one go: half a megabyte of boards.
const PIECE: usize = 1 << 14;

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
        let wanted = Wanted {
            compiled: pattern.compile(matching),
            filter,
            allowed: self.allowed_games(filter)?,
            limit,
            one_per_game,
        };
        let mut answer = PatternAnswer::default();
        let mut found: Vec<Raw> = Vec::new();
        if let Some(index) = self.index() {
            let part = wanted.among_indexed(index)?;
            answer.hits = part.hits;
            answer.games = part.games.len();
            found = part.kept;
        }
        // Recent games are few; each list is best first before they are merged.
        let mut games: HashSet<i64> = HashSet::new();
        let mut recent = 0;
        let mut rest: Vec<_> = delta_positions(self.delta()).collect();
        rest.sort_by_key(|(_, played, game)| rank_of(game, played.ply));
        for (board, played, game) in rest {
            let Some(symmetry) = wanted.matches(&board.0, &played, &game) else {
                continue;
            };
            answer.hits += 1;
            let new_game = games.insert(game.id);
            if recent < limit && (new_game || !one_per_game) {
                recent += 1;
                found.push(Raw {
                    board,
                    played,
                    game,
                    symmetry,
                });
            }
        }
        found.sort_by_key(|raw| rank_of(&raw.game, raw.played.ply));
        found.truncate(limit);
        answer.games += games.len() as u64;
        answer.best = found.iter().filter_map(translate).collect();
        Ok(answer)
    }
}

/// What is looked for.
struct Wanted<'a> {
    compiled: Compiled,
    filter: &'a Filter,
    allowed: AllowedGames,
    limit: usize,
    one_per_game: bool,
}

/// What a part of the index holds of it.
struct Part {
    hits: u64,
    games: GameSet,
    /// The best, in their order.
    kept: Vec<Raw>,
}

impl Wanted<'_> {
    /// How a position has to be turned to the pattern, if it is wanted at all.
    fn matches(
        &self,
        board: &[u64; 4],
        played: &IndexedMove,
        game: &IndexedGame,
    ) -> Option<Symmetry> {
        let fits = self.filter.fits_ply(played.ply) && self.allowed.contains_game(game);
        fits.then(|| self.compiled.matches(board, mover(played.ply)))?
    }

    /// Looks at all positions of the index, shared out among the cores.
    fn among_indexed(&self, index: &IndexFile) -> Result<Part, IndexError> {
        let positions = index.header.positions as usize;
        let share = positions.div_ceil(crate::cores::threads(0)).max(1);
        let parts: Vec<_> = thread::scope(|scope| {
            let workers: Vec<_> = (0..positions)
                .step_by(share)
                .map(|from| {
                    let to = positions.min(from + share);
                    scope.spawn(move || self.among(index, from..to))
                })
                .collect();
            workers.into_iter().map(crate::cores::joined).collect()
        });
        let mut all = Part::empty(index);
        for part in parts {
            let part = part?;
            all.hits += part.hits;
            for raw in part.kept {
                // The best hit of a game is in the first part that has one.
                let known = self.one_per_game && all.games.contains(raw.played.game);
                if all.kept.len() < self.limit && !known {
                    all.kept.push(raw);
                }
            }
            all.games.add_all(&part.games);
        }
        Ok(all)
    }

    /// Looks at some of them, a piece at a time: what has just been compared
    /// with its checksum is still at hand.
    fn among(&self, index: &IndexFile, range: Range<usize>) -> Result<Part, IndexError> {
        let mut part = Part::empty(index);
        for from in range.clone().step_by(PIECE) {
            let to = range.end.min(from + PIECE);
            self.among_piece(index, from..to, &mut part)?;
        }
        Ok(part)
    }

    /// Common patterns are met a million times: a hit that is only counted
    /// must cost next to nothing.
    fn among_piece(
        &self,
        index: &IndexFile,
        range: Range<usize>,
        part: &mut Part,
    ) -> Result<(), IndexError> {
        let boards: &[[u64; 4]] = index.slice(BOARDS, range.clone())?;
        // Read only where there is a hit at all.
        let mut moves: &[IndexedMove] = &[];
        let mut broken = None;
        // All that the scan lets through is wanted.
        let surely = !self.compiled.needs_mover() && self.filter.is_empty();
        self.compiled.scan(boards, |i| {
            if moves.is_empty() {
                match index.slice(MOVES, range.clone()) {
                    Ok(there) => moves = there,
                    Err(error) => broken = Some(error),
                }
            }
            let Some(&played) = moves.get(i) else {
                return;
            };
            let keeps = part.kept.len() < self.limit;
            if surely && !keeps {
                part.hits += 1;
                part.games.insert(played.game);
                return;
            }
            let game = match index.game(played.game) {
                Ok(game) => game,
                Err(error) => {
                    broken = Some(error);
                    return;
                }
            };
            let Some(symmetry) = self.matches(&boards[i], &played, &game) else {
                return;
            };
            part.hits += 1;
            let new_game = part.games.insert(played.game);
            if keeps && (new_game || !self.one_per_game) {
                part.kept.push(Raw {
                    board: Seen(boards[i]),
                    played,
                    game,
                    symmetry,
                });
            }
        });
        broken.map_or(Ok(()), Err)
    }
}

impl Part {
    fn empty(index: &IndexFile) -> Part {
        Part {
            hits: 0,
            games: GameSet(vec![0; (index.header.games as usize).div_ceil(64)]),
            kept: Vec::new(),
        }
    }
}

/// Games by their number within the index, a bit each.
struct GameSet(Vec<u64>);

impl GameSet {
    /// Was it not in yet? A number that no game has is left out: the index
    /// checks what it reads before anything is said of it.
    #[inline]
    fn insert(&mut self, game: u32) -> bool {
        let Some(word) = self.0.get_mut(game as usize / 64) else {
            return false;
        };
        let bit = 1 << (game % 64);
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    fn contains(&self, game: u32) -> bool {
        let word = self.0.get(game as usize / 64);
        word.is_some_and(|word| word >> (game % 64) & 1 != 0)
    }

    fn add_all(&mut self, other: &GameSet) {
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine |= theirs;
        }
    }

    fn len(&self) -> u64 {
        self.0.iter().map(|word| u64::from(word.count_ones())).sum()
    }
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

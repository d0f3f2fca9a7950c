//! Any pattern at all: every position is compared with it.

use std::collections::HashSet;
use std::ops::Range;
use std::thread;

use hathi_rules::Symmetry;

use super::columns::block_columns;
use super::delta::{Delta, delta_positions};
use super::format::GAMES;
use super::{
    AllowedGames, BOARDS, FactColumns, IndexError, IndexFile, IndexedGame, IndexedMove, MOVES,
    rank_of,
};
use crate::model::GameRow;
use crate::pattern::block::{BLOCK, BlockColumns, FactBlock};
use crate::pattern::{Compiled, FoundWays, PatternAnswer, Raw, Scratch, translate};
use crate::question::PatternQuestion;
use crate::seen::Seen;

/// Positions looked at in one go: half a megabyte of boards.
pub(super) const PIECE: usize = 1 << 14;

/// An index and its columns.
#[derive(Clone, Copy)]
pub(crate) struct Indexed<'a> {
    pub(crate) index: &'a IndexFile,
    pub(crate) facts: &'a FactColumns,
}

/// Looks through the index file and the games beside it. The columns that the
/// pattern needs must be there.
pub(crate) fn search(
    indexed: Option<Indexed<'_>>,
    delta: &Delta,
    question: &PatternQuestion,
    allowed: &AllowedGames,
) -> Result<PatternAnswer, IndexError> {
    let &PatternQuestion {
        limit,
        one_per_game,
        ..
    } = question;
    let wanted = PatternScan {
        compiled: question.pattern.compile(question.matching),
        question,
        allowed,
    };
    if question.pattern.is_sequence() {
        return super::sequence::search(indexed, delta, question, allowed);
    }
    let mut answer = PatternAnswer::default();
    let mut found: Vec<Raw> = Vec::new();
    if let Some(indexed) = indexed {
        let part = wanted.among_indexed(indexed)?;
        answer.hits = part.hits;
        answer.games = part.games.len();
        found = part.kept;
    }
    // Recent games are few; each list is best first before they are merged.
    let mut games: HashSet<GameRow> = HashSet::new();
    let mut recent = 0;
    let mut rest: Vec<_> = delta_positions(delta)
        .zip(wanted.among_recent(delta))
        .filter_map(|(position, symmetry)| Some((position, symmetry?)))
        .collect();
    rest.sort_by_key(|((_, played, game), _)| rank_of(game, played.ply()));
    for ((board, played, game), symmetry) in rest {
        answer.hits += 1;
        let new_game = games.insert(game.row);
        if recent < limit && (new_game || !one_per_game) {
            recent += 1;
            found.push(Raw {
                board,
                played,
                game,
                symmetry,
                last: played.ply().turns(),
            });
        }
    }
    found.sort_by_key(|raw| rank_of(&raw.game, raw.played.ply()));
    found.truncate(limit);
    answer.games += games.len() as u64;
    answer.best = found.iter().filter_map(translate).collect();
    Ok(answer)
}

/// What is looked for.
struct PatternScan<'a> {
    compiled: Compiled,
    question: &'a PatternQuestion,
    allowed: &'a AllowedGames,
}

/// What a part of the index holds of it.
struct Part {
    hits: u64,
    games: GameSet,
    /// The best, in their order.
    kept: Vec<Raw>,
}

impl PatternScan<'_> {
    /// How a position has to be turned to the pattern, if it is wanted at all.
    fn matches(
        &self,
        board: &[u64; 4],
        played: &IndexedMove,
        game: &IndexedGame,
    ) -> Option<Symmetry> {
        let fits = self.question.filter.fits_ply(played.ply()) && self.allowed.contains(game.row);
        fits.then(|| self.compiled.matches(board, played.mover()))?
    }

    /// Looks at all positions of the index, shared out among the cores.
    fn among_indexed(&self, indexed: Indexed<'_>) -> Result<Part, IndexError> {
        let index = indexed.index;
        let positions = index.header.positions as usize;
        // Whole blocks for everybody.
        let share = positions.div_ceil(crate::cores::threads(0)).max(1);
        let share = share.next_multiple_of(BLOCK);
        let parts: Vec<_> = thread::scope(|scope| {
            let workers: Vec<_> = (0..positions)
                .step_by(share)
                .map(|from| {
                    let to = positions.min(from + share);
                    scope.spawn(move || self.among(indexed, from..to))
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
                let known = self.question.one_per_game && all.games.contains(raw.played.game);
                if all.kept.len() < self.question.limit && !known {
                    all.kept.push(raw);
                }
            }
            all.games.add_all(&part.games);
        }
        Ok(all)
    }

    /// Looks at some of them, a piece at a time: what has just been compared
    /// with its checksum is still at hand.
    fn among(&self, indexed: Indexed<'_>, range: Range<usize>) -> Result<Part, IndexError> {
        let mut part = Part::empty(indexed.index);
        let mut scratch = Scratch::new();
        for from in range.clone().step_by(PIECE) {
            let to = range.end.min(from + PIECE);
            if self.compiled.is_plain() {
                self.among_piece(indexed.index, from..to, &mut part)?;
            } else {
                self.facts_among_piece(indexed, from..to, &mut part, &mut scratch)?;
            }
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
        let surely = !self.compiled.needs_mover()
            && self.question.filter.move_numbers.is_none()
            && self.allowed.is_all();
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
            let keeps = part.kept.len() < self.question.limit;
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
            if keeps && (new_game || !self.question.one_per_game) {
                part.kept.push(Raw {
                    board: Seen(boards[i]),
                    played,
                    game,
                    symmetry,
                    last: played.ply().turns(),
                });
            }
        });
        broken.map_or(Ok(()), Err)
    }

    /// The same for a pattern with facts, `or` or `not`.
    fn facts_among_piece(
        &self,
        Indexed { index, facts }: Indexed<'_>,
        range: Range<usize>,
        part: &mut Part,
        scratch: &mut Scratch,
    ) -> Result<(), IndexError> {
        let boards: &[[u64; 4]] = index.slice(BOARDS, range.clone())?;
        let moves: &[IndexedMove] = index.slice(MOVES, range.clone())?;
        let games: &[IndexedGame] = index.slice(GAMES, 0..index.header.games as usize)?;
        let blocks = range.start / BLOCK..range.end.div_ceil(BLOCK);
        let columns = facts.slices(self.compiled.needs(), blocks)?;
        let surely = self.question.filter.move_numbers.is_none() && self.allowed.is_all();
        for_each_block(boards, moves, |number, block| {
            let block = FactBlock {
                columns: block_columns(&columns, number),
                ..block
            };
            let found = self.compiled.found(&block, scratch);
            let mut left = found.any();
            if self.compiled.needs_mover() && left != 0 {
                left = found.of_games(block.silver_moves()).of(Symmetry::IDENTITY);
            }
            if surely && part.kept.len() >= self.question.limit {
                part.hits += u64::from(left.count_ones());
                while left != 0 {
                    part.games
                        .insert(block.moves[left.trailing_zeros() as usize].game);
                    left &= left - 1;
                }
                return;
            }
            while left != 0 {
                let i = left.trailing_zeros() as usize;
                left &= left - 1;
                let played = block.moves[i];
                let keeps = part.kept.len() < self.question.limit;
                let Some(&game) = games.get(played.game as usize) else {
                    continue;
                };
                let Some(symmetry) = self.turned(&found, i, &played, &game) else {
                    continue;
                };
                part.hits += 1;
                let new_game = part.games.insert(played.game);
                if keeps && (new_game || !self.question.one_per_game) {
                    part.kept.push(Raw {
                        board: Seen(block.boards[i]),
                        played,
                        game,
                        symmetry,
                        last: played.ply().turns(),
                    });
                }
            }
        });
        Ok(())
    }

    /// How a position that was found has to be turned, if it is wanted.
    fn turned(
        &self,
        found: &FoundWays,
        i: usize,
        played: &IndexedMove,
        game: &IndexedGame,
    ) -> Option<Symmetry> {
        let fits = self.question.filter.fits_ply(played.ply()) && self.allowed.contains(game.row);
        fits.then(|| self.compiled.turned(found, i, played.mover()))?
    }

    /// For each of the recent positions how it has to be turned, if it is
    /// wanted.
    fn among_recent(&self, delta: &Delta) -> Vec<Option<Symmetry>> {
        if self.compiled.is_plain() {
            return delta_positions(delta)
                .map(|(board, played, game)| self.matches(&board.0, &played, &game))
                .collect();
        }
        let mut scratch = Scratch::new();
        delta.with_blocks(self.compiled.needs(), |gathered, columns| {
            let slices = std::array::from_fn(|family| columns[family].slices());
            let mut turned = Vec::with_capacity(gathered.boards.len());
            let (boards, moves) = (&gathered.boards, &gathered.moves);
            for_each_block(boards, moves, |number, block| {
                let block = FactBlock {
                    columns: block_columns(&slices, number),
                    ..block
                };
                let found = self.compiled.found(&block, &mut scratch);
                for (i, played) in block.moves.iter().enumerate() {
                    let game = gathered.games[played.game as usize];
                    turned.push(self.turned(&found, i, played, &game));
                }
            });
            turned
        })
    }
}

/// Visits positions sixty-four at a time, without columns.
pub(super) fn for_each_block(
    boards: &[[u64; 4]],
    moves: &[IndexedMove],
    mut visit: impl FnMut(usize, FactBlock<'_>),
) {
    let (blocks, rest) = boards.as_chunks::<BLOCK>();
    let mut work = |number: usize, boards: &[[u64; 4]; BLOCK], count: usize| {
        let from = number * BLOCK;
        let block = FactBlock {
            boards,
            real: !0 >> (BLOCK - count),
            moves: moves.get(from..from + count).unwrap_or(&[]),
            columns: BlockColumns::default(),
        };
        visit(number, block);
    };
    for (number, block) in blocks.iter().enumerate() {
        work(number, block, BLOCK);
    }
    if !rest.is_empty() {
        let mut block = [[0; 4]; BLOCK];
        block[..rest.len()].copy_from_slice(rest);
        work(blocks.len(), &block, rest.len());
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

//! All games searched for one thing after the other.
//!
//! Positions stand in the index in the order in which people want to see them,
//! not game by game. So each formula of the sequence is looked for in all of
//! them first, and what it finds becomes a bit for each turn of each game, one
//! set for each symmetry: a sequence is turned as a whole. Games with all it
//! takes are then looked at turn by turn.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use hathi_rules::{Ply, Symmetry};

use super::columns::{ColumnSlices, Columns, Family, block_columns};
use super::delta::Delta;
use super::format::GAMES;
use super::scan::{Indexed, PIECE, for_each_block};
use super::{AllowedGames, BOARDS, Gathered, IndexError, IndexedGame, IndexedMove, MOVES, rank_of};
use crate::model::GameRow;
use crate::pattern::facts::{BLOCK, FactBlock};
use crate::pattern::{CompiledSequence, PatternAnswer, Raw, Scratch, Stretch, translate};
use crate::question::{Matching, PatternQuestion};
use crate::seen::Seen;

/// Looks through the index file and the games beside it.
pub(super) fn search(
    indexed: Option<Indexed<'_>>,
    delta: &Delta,
    question: &PatternQuestion,
    allowed: &AllowedGames,
) -> Result<PatternAnswer, IndexError> {
    let mut search = GatheredSearch::new(question, allowed);
    if let Some(indexed) = indexed {
        let games: &[IndexedGame] = indexed
            .index
            .slice(GAMES, 0..indexed.index.header.games as usize)?;
        let bits = search.wanted.bits_of_index(indexed, games)?;
        let hits = search.wanted.stretches(games, &bits);
        let best = search.wanted.count(&hits, games, &mut search.answer);
        let boards = boards_of_index(indexed, games, &best)?;
        search.found.extend(boards);
    }
    let needs = search.wanted.sequence.needs();
    delta.with_blocks(needs, |gathered, columns| {
        search.add_with(gathered, columns);
    });
    Ok(search.finish())
}

/// Games searched as they come, all of them at once or some at a time.
pub(crate) struct GatheredSearch<'a> {
    wanted: SequenceSearch<'a>,
    answer: PatternAnswer,
    found: Vec<Raw>,
}

impl<'a> GatheredSearch<'a> {
    pub(crate) fn new(question: &'a PatternQuestion, allowed: &'a AllowedGames) -> Self {
        GatheredSearch {
            wanted: SequenceSearch {
                sequence: question.pattern.compile_sequence(question.matching),
                changes: match question.matching {
                    Matching::Literal => &Symmetry::ALL[..1],
                    Matching::Symmetric => &Symmetry::ALL[..],
                },
                question,
                allowed,
            },
            answer: PatternAnswer::default(),
            found: Vec::new(),
        }
    }

    /// Some games more, whose facts are worked out on the spot.
    pub(crate) fn add(&mut self, gathered: &Gathered) {
        let needs = self.wanted.sequence.needs();
        let columns = Family::ALL.map(|family| {
            if family.is_needed(needs) {
                Columns::of(family, &gathered.boards, crate::cores::threads(0))
            } else {
                Columns::empty(family)
            }
        });
        self.add_with(gathered, &columns);
    }

    fn add_with(&mut self, gathered: &Gathered, columns: &[Columns]) {
        let wanted = &self.wanted;
        let games = gathered.games.as_slice();
        let bits = TurnBits::new(games, wanted.sets());
        let slices = std::array::from_fn(|family| columns[family].slices());
        let (boards, moves) = (gathered.boards.as_slice(), gathered.moves.as_slice());
        wanted.scan(boards, moves, games, &slices, &bits);
        let hits = wanted.stretches(games, &bits);
        let best = wanted.count(&hits, games, &mut self.answer);
        self.found
            .extend(boards_of(boards, moves, games, &by_place(&best)));
        self.order();
    }

    /// The best first, as many as are wanted.
    fn order(&mut self) {
        self.found
            .sort_by_key(|raw| rank_of(&raw.game, raw.played.ply()));
        self.found.truncate(self.wanted.question.limit);
    }

    pub(crate) fn finish(mut self) -> PatternAnswer {
        self.order();
        self.answer.best = self.found.iter().filter_map(translate).collect();
        self.answer
    }
}

struct SequenceSearch<'a> {
    sequence: CompiledSequence,
    changes: &'static [Symmetry],
    question: &'a PatternQuestion,
    allowed: &'a AllowedGames,
}

/// Where a sequence was found.
#[derive(Clone, Copy)]
struct Found {
    game: u32,
    stretch: Stretch,
    /// How the game has to be turned.
    change: Symmetry,
}

/// Sets of turns, a bit for each turn of each game.
struct TurnBits {
    /// The number of each game's first turn.
    starts: Vec<usize>,
    sets: Vec<Vec<AtomicU64>>,
}

impl TurnBits {
    fn new(games: &[IndexedGame], sets: usize) -> TurnBits {
        let mut starts = Vec::with_capacity(games.len() + 1);
        let mut turns = 0;
        for game in games {
            starts.push(turns);
            turns += usize::from(game.turns);
        }
        starts.push(turns);
        let set = || (0..turns.div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        TurnBits {
            starts,
            sets: (0..sets).map(|_| set()).collect(),
        }
    }

    /// The number of a turn.
    #[inline]
    fn place(&self, game: u32, turns_before: usize) -> usize {
        let start = self.starts.get(game as usize).copied();
        start.map_or(usize::MAX, |start| start + turns_before)
    }

    /// Several threads may do so at once. A turn that no game has is left out.
    #[inline]
    fn insert(&self, set: usize, place: usize) {
        if let Some(word) = self.sets[set].get(place / 64) {
            word.fetch_or(1 << (place % 64), Ordering::Relaxed);
        }
    }

    #[inline]
    fn contains(&self, set: usize, place: usize) -> bool {
        let word = self.sets[set].get(place / 64);
        word.is_some_and(|word| word.load(Ordering::Relaxed) >> (place % 64) & 1 != 0)
    }

    /// Is there anything of a set among these turns?
    fn any(&self, set: usize, turns: Range<usize>) -> bool {
        if turns.is_empty() {
            return false;
        }
        let (first, last) = (turns.start / 64, (turns.end - 1) / 64);
        let words = self.sets[set].get(first..=last).unwrap_or(&[]);
        words.iter().enumerate().any(|(i, word)| {
            let mut mask = !0u64;
            if i == 0 {
                mask &= !0 << (turns.start % 64);
            }
            if first + i == last {
                mask &= !0 >> (63 - (turns.end - 1) % 64);
            }
            word.load(Ordering::Relaxed) & mask != 0
        })
    }
}

impl SequenceSearch<'_> {
    /// A set for each formula and symmetry.
    fn sets(&self) -> usize {
        self.sequence.formulas.len() * self.changes.len()
    }

    fn set(&self, formula: usize, change: usize) -> usize {
        formula * self.changes.len() + change
    }

    /// Compares all positions of the index with all formulas, on all cores.
    fn bits_of_index(
        &self,
        indexed: Indexed<'_>,
        games: &[IndexedGame],
    ) -> Result<TurnBits, IndexError> {
        let bits = TurnBits::new(games, self.sets());
        let Indexed { index, facts } = indexed;
        let positions = index.header.positions as usize;
        let share = positions.div_ceil(crate::cores::threads(0)).max(1);
        let share = share.next_multiple_of(BLOCK);
        let work = |range: Range<usize>| -> Result<(), IndexError> {
            for from in range.clone().step_by(PIECE) {
                let range = from..range.end.min(from + PIECE);
                let boards: &[[u64; 4]] = index.slice(BOARDS, range.clone())?;
                let moves: &[IndexedMove] = index.slice(MOVES, range.clone())?;
                let blocks = range.start / BLOCK..range.end.div_ceil(BLOCK);
                let columns = facts.slices(self.sequence.needs(), blocks)?;
                self.scan(boards, moves, games, &columns, &bits);
            }
            Ok(())
        };
        let parts: Vec<Result<(), IndexError>> = thread::scope(|scope| {
            let work = &work;
            let workers: Vec<_> = (0..positions)
                .step_by(share)
                .map(|from| scope.spawn(move || work(from..positions.min(from + share))))
                .collect();
            workers.into_iter().map(crate::cores::joined).collect()
        });
        parts.into_iter().collect::<Result<(), IndexError>>()?;
        Ok(bits)
    }

    /// Compares some positions with all formulas.
    fn scan(
        &self,
        boards: &[[u64; 4]],
        moves: &[IndexedMove],
        games: &[IndexedGame],
        columns: &[ColumnSlices<'_>; Family::ALL.len()],
        bits: &TurnBits,
    ) {
        let mut scratch = Scratch::new();
        for_each_block(boards, moves, games, |number, block| {
            let block = FactBlock {
                columns: block_columns(columns, number),
                ..block
            };
            for (formula, compiled) in self.sequence.formulas.iter().enumerate() {
                let found = compiled.found(&block, &mut scratch);
                let mut left = found.any();
                while left != 0 {
                    let i = left.trailing_zeros() as usize;
                    left &= left - 1;
                    let Some(played) = block.moves.get(i) else {
                        continue;
                    };
                    let place = bits.place(played.game, played.ply().turns());
                    for (number, &change) in self.changes.iter().enumerate() {
                        if found.holds(i, change, played.mover()) {
                            bits.insert(self.set(formula, number), place);
                        }
                    }
                }
            }
        });
    }

    /// Every place in the games where the sequence begins; of several ways to
    /// turn a game the one that changes least.
    fn stretches(&self, games: &[IndexedGame], bits: &TurnBits) -> Vec<Found> {
        let share = games.len().div_ceil(crate::cores::threads(0)).max(1);
        thread::scope(|scope| {
            let workers: Vec<_> = (0..games.len())
                .step_by(share)
                .map(|from| {
                    let to = games.len().min(from + share);
                    scope.spawn(move || {
                        let mut found = Vec::new();
                        for (i, game) in games[from..to].iter().enumerate() {
                            self.stretches_of_game(from + i, game, bits, &mut found);
                        }
                        found
                    })
                })
                .collect();
            workers.into_iter().flat_map(crate::cores::joined).collect()
        })
    }

    fn stretches_of_game(
        &self,
        number: usize,
        game: &IndexedGame,
        bits: &TurnBits,
        found: &mut Vec<Found>,
    ) {
        let turns = bits.starts[number]..bits.starts[number + 1];
        let from = found.len();
        for (change, &symmetry) in self.changes.iter().enumerate() {
            let has = |formula| bits.any(self.set(formula, change), turns.clone());
            if !self.sequence.indispensable().all(has) || !self.allowed.contains(game.row) {
                continue;
            }
            let holds = |formula: usize, ply: usize| {
                bits.contains(self.set(formula, change), turns.start + ply)
            };
            for stretch in self.sequence.stretches(turns.len(), holds) {
                let wanted = self.question.filter.fits_ply(Ply::after(stretch.first));
                let known = found[from..]
                    .iter()
                    .any(|other| other.stretch.first == stretch.first);
                if wanted && !known {
                    found.push(Found {
                        game: number as u32,
                        stretch,
                        change: symmetry,
                    });
                }
            }
        }
    }

    /// Counts what was found and gives back the best, as many as are wanted.
    fn count(
        &self,
        hits: &[Found],
        games: &[IndexedGame],
        answer: &mut PatternAnswer,
    ) -> Vec<Found> {
        answer.hits += hits.len() as u64;
        let met: HashSet<u32> = hits.iter().map(|hit| hit.game).collect();
        answer.games += met.len() as u64;
        let rank = |hit: &Found| {
            let game = &games[hit.game as usize];
            (
                rank_of(game, Ply::after(hit.stretch.first)),
                hit.game,
                hit.stretch.first,
            )
        };
        let mut best = hits.to_vec();
        best.sort_by_key(rank);
        if self.question.one_per_game {
            let mut known: HashSet<GameRow> = HashSet::new();
            best.retain(|hit| known.insert(games[hit.game as usize].row));
        }
        best.truncate(self.question.limit);
        best
    }
}

/// The boards of what was found in the index.
fn boards_of_index(
    Indexed { index, .. }: Indexed<'_>,
    games: &[IndexedGame],
    best: &[Found],
) -> Result<Vec<Raw>, IndexError> {
    let mut found = Vec::new();
    if best.is_empty() {
        return Ok(found);
    }
    let wanted = by_place(best);
    let positions = index.header.positions as usize;
    for from in (0..positions).step_by(PIECE) {
        if found.len() == wanted.places.len() {
            break;
        }
        let range = from..positions.min(from + PIECE);
        let moves: &[IndexedMove] = index.slice(MOVES, range.clone())?;
        if moves.iter().any(|played| wanted.has_game(played.game)) {
            let boards: &[[u64; 4]] = index.slice(BOARDS, range)?;
            found.extend(boards_of(boards, moves, games, &wanted));
        }
    }
    Ok(found)
}

/// What was found, by game and turn.
struct ByPlace {
    places: HashMap<(u32, usize), Found>,
    games: Vec<u64>,
}

impl ByPlace {
    #[inline]
    fn has_game(&self, game: u32) -> bool {
        let word = self.games.get(game as usize / 64);
        word.is_some_and(|word| word >> (game % 64) & 1 != 0)
    }
}

fn by_place(found: &[Found]) -> ByPlace {
    let last = found.iter().map(|hit| hit.game).max().unwrap_or(0);
    let mut games = vec![0u64; last as usize / 64 + 1];
    for hit in found {
        games[hit.game as usize / 64] |= 1 << (hit.game % 64);
    }
    let places = found
        .iter()
        .map(|hit| ((hit.game, hit.stretch.first), *hit));
    ByPlace {
        places: places.collect(),
        games,
    }
}

/// Those of the positions that are wanted.
fn boards_of(
    boards: &[[u64; 4]],
    moves: &[IndexedMove],
    games: &[IndexedGame],
    wanted: &ByPlace,
) -> Vec<Raw> {
    let mut found = Vec::new();
    for (board, played) in boards.iter().zip(moves) {
        if !wanted.has_game(played.game) {
            continue;
        }
        let Some(hit) = wanted.places.get(&(played.game, played.ply().turns())) else {
            continue;
        };
        // From the view of the mover to the real board, and on to the pattern.
        let real = crate::seen::orientation(played.mover());
        found.push(Raw {
            board: Seen(*board),
            played: *played,
            game: games[played.game as usize],
            symmetry: Symmetry {
                mirror: hit.change.mirror,
                flip: hit.change.flip != real.flip,
            },
            last: hit.stretch.last,
        });
    }
    found
}

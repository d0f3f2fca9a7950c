//! All games searched for one thing after the other.
//!
//! Positions stand in the index in the order in which people want to see them,
//! not game by game. So each formula of the sequence is looked for in all of
//! them first, and what it finds becomes four bits for each turn of each game,
//! one for each symmetry: a sequence is turned as a whole. Games with all it
//! takes are then looked at turn by turn.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::atomic::{AtomicU8, Ordering};
use std::thread;

#[cfg(feature = "postgres")]
use bytemuck::Zeroable;
use hathi_rules::{Ply, Symmetry};

use super::columns::{ColumnSlices, Columns, Family, block_columns};
use super::delta::Delta;
use super::format::GAMES;
use super::scan::{Indexed, PIECE, for_each_block};
use super::{AllowedGames, BOARDS, Gathered, IndexError, IndexedGame, IndexedMove, MOVES, rank_of};
use crate::pattern::block::{BLOCK, FactBlock};
use crate::pattern::{
    CompiledSequence, FoundWays, PatternAnswer, Raw, Scratch, SequenceRoom, Stretch, TurnRow,
    translate, way_number,
};
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
        let cells = search.wanted.cells_of_index(indexed, games)?;
        let hits = search.wanted.stretches(games, &cells);
        let best = search.wanted.count(hits, games, &mut search.answer);
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
        let sequence = question.pattern.compile_sequence(question.matching);
        let changes = match question.matching {
            Matching::Literal => &Symmetry::ALL[..1],
            Matching::Symmetric => &Symmetry::ALL[..],
        };
        GatheredSearch {
            wanted: SequenceSearch {
                changes: sequence.different(changes),
                sequence,
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
            if needs.contains(family) {
                Columns::of(family, gathered.stored(), crate::cores::threads(0))
            } else {
                Columns::empty(family)
            }
        });
        self.add_with(gathered, &columns);
    }

    fn add_with(&mut self, gathered: &Gathered, columns: &[Columns]) {
        let wanted = &self.wanted;
        let games = gathered.games.as_slice();
        let cells = TurnCells::new(games, wanted.sequence.formulas.len());
        let slices = std::array::from_fn(|family| columns[family].slices());
        let (boards, moves) = (gathered.boards.as_slice(), gathered.moves.as_slice());
        wanted.scan(boards, moves, &slices, &cells);
        let hits = wanted.stretches(games, &cells.finished());
        let best = wanted.count(hits, games, &mut self.answer);
        self.found
            .extend(boards_of(boards, moves, games, &by_place(&best)));
        self.order();
    }

    /// What is looked for.
    #[cfg(feature = "postgres")]
    pub(crate) fn sequence(&self) -> &CompiledSequence {
        &self.wanted.sequence
    }

    /// Some games more, of which somebody else has found where the formulas
    /// hold. What is found is counted; the boards of the best have to follow.
    #[cfg(feature = "postgres")]
    pub(crate) fn add_words(&mut self, games: &[IndexedGame], words: &[TurnWord]) -> FoundInGames {
        // Silver moves after every odd number of turns.
        const SILVER: u64 = 0xaaaa_aaaa_aaaa_aaaa;
        let wanted = &self.wanted;
        let cells = TurnCells::new(games, wanted.sequence.formulas.len());
        for word in words {
            let found: Vec<FoundWays> = word
                .formulas
                .iter()
                .map(|ways| ways.of_games(SILVER))
                .collect();
            cells.note(&found, |i| {
                let turns = word.word.checked_mul(BLOCK)?.checked_add(i)?;
                Some(IndexedMove {
                    game: word.game,
                    turns_before: u16::try_from(turns).ok()?,
                    ..IndexedMove::zeroed()
                })
            });
        }
        let hits = wanted.stretches(games, &cells.finished());
        FoundInGames(wanted.count(hits, games, &mut self.answer))
    }

    /// The boards of what was found, and what was played there, perhaps among
    /// others.
    #[cfg(feature = "postgres")]
    pub(crate) fn add_boards(
        &mut self,
        games: &[IndexedGame],
        found: &FoundInGames,
        boards: &[[u64; 4]],
        moves: &[IndexedMove],
    ) {
        self.found
            .extend(boards_of(boards, moves, games, &by_place(&found.0)));
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
    /// The ways to turn a game, those that change least first.
    changes: Vec<Symmetry>,
    question: &'a PatternQuestion,
    allowed: &'a AllowedGames,
}

/// Where formulas hold in sixty-four turns of a game one after the other.
#[cfg(feature = "postgres")]
pub(crate) struct TurnWord {
    /// The number of the game among those it is looked for in.
    pub(crate) game: u32,
    /// Which sixty-four.
    pub(crate) word: usize,
    /// For each formula the turns, as their boards are turned.
    pub(crate) formulas: Vec<FoundWays>,
}

/// The best places in some games where a sequence was found.
#[cfg(feature = "postgres")]
pub(crate) struct FoundInGames(Vec<Found>);

#[cfg(feature = "postgres")]
impl FoundInGames {
    /// The numbers of the games, and the turns before.
    pub(crate) fn places(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let found = self.0.iter();
        found.map(|found| (found.game as usize, found.stretch.first))
    }
}

/// Where a sequence was found.
#[derive(Clone, Copy)]
struct Found {
    game: u32,
    stretch: Stretch,
    /// How the game has to be turned.
    change: Symmetry,
}

/// What holds at each turn of each game: of each formula four bits, one for
/// each way to turn the game, so that two formulas share a byte.
struct TurnCells<Cell> {
    /// The number of each game's first turn, and of all turns.
    starts: Vec<usize>,
    /// For each two formulas a byte a turn.
    pairs: Vec<Vec<Cell>>,
}

impl TurnCells<AtomicU8> {
    fn new(games: &[IndexedGame], formulas: usize) -> Self {
        let mut starts = Vec::with_capacity(games.len() + 1);
        let mut turns = 0;
        for game in games {
            starts.push(turns);
            turns += usize::from(game.turns);
        }
        starts.push(turns);
        let blank = || (0..turns).map(|_| AtomicU8::new(0)).collect();
        TurnCells {
            starts,
            pairs: (0..formulas.div_ceil(2)).map(|_| blank()).collect(),
        }
    }

    /// Notes what of two formulas holds at a turn. Several threads may do so at
    /// once, each for turns of its own. A turn that no game has is left out.
    #[inline]
    fn put(&self, pair: usize, played: &IndexedMove, cell: u8) {
        let start = self.starts.get(played.game as usize).copied();
        let place = start.map_or(usize::MAX, |start| start + played.ply().turns());
        if let Some(there) = self.pairs[pair].get(place) {
            there.store(cell, Ordering::Relaxed);
        }
    }

    /// The same of up to sixty-four turns: which of them match each formula, as
    /// whole games are turned.
    fn note(&self, found: &[FoundWays], turn: impl Fn(usize) -> Option<IndexedMove>) {
        for (pair, found) in found.chunks(2).enumerate() {
            let mut left = found.iter().fold(0, |any, ways| any | ways.any());
            while left != 0 {
                let i = left.trailing_zeros() as usize;
                left &= left - 1;
                let second = found.get(1).map_or(0, |ways| ways.bits(i));
                if let Some(played) = turn(i) {
                    self.put(pair, &played, found[0].bits(i) | second << 4);
                }
            }
        }
    }

    /// When all is noted.
    fn finished(self) -> TurnCells<u8> {
        let plain = |cells: Vec<AtomicU8>| cells.into_iter().map(AtomicU8::into_inner).collect();
        TurnCells {
            starts: self.starts,
            pairs: self.pairs.into_iter().map(plain).collect(),
        }
    }
}

impl TurnCells<u8> {
    /// The cells of a game that have a formula, and by how much they have to be
    /// shifted for its four bits.
    #[inline]
    fn of(&self, formula: usize, game: usize) -> (&[u8], usize) {
        let turns = self.starts[game]..self.starts[game + 1];
        (&self.pairs[formula / 2][turns], formula % 2 * 4)
    }
}

/// Room to look at games in.
#[derive(Default)]
struct GameRoom {
    sequence: SequenceRoom,
    /// Does the sequence begin at this turn, in one way or another?
    known: Vec<bool>,
}

impl SequenceSearch<'_> {
    /// Compares all positions of the index with all formulas, on all cores.
    fn cells_of_index(
        &self,
        indexed: Indexed<'_>,
        games: &[IndexedGame],
    ) -> Result<TurnCells<u8>, IndexError> {
        let cells = TurnCells::new(games, self.sequence.formulas.len());
        let Indexed { index, facts } = indexed;
        let positions = index.header.positions as usize;
        let share = positions.div_ceil(crate::cores::threads(0)).max(1);
        let share = share.next_multiple_of(BLOCK);
        let needs = self.sequence.needs();
        let work = |range: Range<usize>| -> Result<(), IndexError> {
            for from in range.clone().step_by(PIECE) {
                let range = from..range.end.min(from + PIECE);
                let boards: &[[u64; 4]] = index.slice(BOARDS, range.clone())?;
                let moves: &[IndexedMove] = index.slice(MOVES, range.clone())?;
                let blocks = range.start / BLOCK..range.end.div_ceil(BLOCK);
                let columns = facts.slices(needs, blocks)?;
                self.scan(boards, moves, &columns, &cells);
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
        Ok(cells.finished())
    }

    /// Compares some positions with all formulas.
    fn scan(
        &self,
        boards: &[[u64; 4]],
        moves: &[IndexedMove],
        columns: &[ColumnSlices<'_>; Family::ALL.len()],
        cells: &TurnCells<AtomicU8>,
    ) {
        let mut scratch = Scratch::new();
        let mut found: Vec<FoundWays> = Vec::new();
        for_each_block(boards, moves, |number, block| {
            let block = FactBlock {
                columns: block_columns(columns, number),
                ..block
            };
            let silver = block.silver_moves();
            found.clear();
            for compiled in &self.sequence.formulas {
                let ways = compiled.found(&block, &mut scratch);
                found.push(ways.of_games(silver));
            }
            cells.note(&found, |i| block.moves.get(i).copied());
        });
    }

    /// Every place in the games where the sequence begins, game by game; of
    /// several ways to turn a game the one that changes least.
    fn stretches(&self, games: &[IndexedGame], cells: &TurnCells<u8>) -> Vec<Found> {
        let share = games.len().div_ceil(crate::cores::threads(0)).max(1);
        thread::scope(|scope| {
            let workers: Vec<_> = (0..games.len())
                .step_by(share)
                .map(|from| {
                    let to = games.len().min(from + share);
                    scope.spawn(move || {
                        let mut found = Vec::new();
                        let mut room = GameRoom::default();
                        for (i, game) in games[from..to].iter().enumerate() {
                            self.stretches_of_game(from + i, game, cells, &mut room, &mut found);
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
        cells: &TurnCells<u8>,
        room: &mut GameRoom,
        found: &mut Vec<Found>,
    ) {
        // The ways in which all that it takes is there.
        let mut possible = 0xf;
        for formula in self.sequence.indispensable() {
            let (turns, shift) = cells.of(formula, number);
            possible &= turns.iter().fold(0, |any, cell| any | cell) >> shift;
        }
        if possible == 0 || !self.allowed.contains(game.row) {
            return;
        }
        let turns = usize::from(game.turns);
        room.known.clear();
        room.known.resize(turns, false);
        for &change in &self.changes {
            let way = way_number(change);
            if possible >> way & 1 == 0 {
                continue;
            }
            let row = |formula: usize| {
                let (turns, shift) = cells.of(formula, number);
                let bit = shift + way;
                TurnRow { turns, bit }
            };
            let GameRoom { sequence, known } = &mut *room;
            self.sequence.stretches(turns, row, sequence, |stretch| {
                let wanted = self.question.filter.fits_ply(Ply::after(stretch.first));
                if wanted && !std::mem::replace(&mut known[stretch.first], true) {
                    found.push(Found {
                        game: number as u32,
                        stretch,
                        change,
                    });
                }
            });
        }
    }

    /// Counts what was found and gives back the best, as many as are wanted.
    fn count(
        &self,
        mut hits: Vec<Found>,
        games: &[IndexedGame],
        answer: &mut PatternAnswer,
    ) -> Vec<Found> {
        answer.hits += hits.len() as u64;
        answer.games += hits.chunk_by(|a, b| a.game == b.game).count() as u64;
        let rank = |hit: &Found| {
            let game = &games[hit.game as usize];
            (
                rank_of(game, Ply::after(hit.stretch.first)),
                hit.game,
                hit.stretch.first,
            )
        };
        if self.question.one_per_game {
            let best = |hits: &[Found]| hits.iter().min_by_key(|hit| rank(hit)).copied();
            let of_games = hits.chunk_by(|a, b| a.game == b.game);
            hits = of_games.filter_map(best).collect();
        }
        // Nobody needs the order of those that are not shown.
        let limit = self.question.limit;
        if limit < hits.len() {
            hits.select_nth_unstable_by_key(limit, rank);
            hits.truncate(limit);
        }
        hits.sort_unstable_by_key(rank);
        hits
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

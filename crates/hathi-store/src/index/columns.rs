//! What a scan of boards cannot see, worked out once a position: goals,
//! captures, what has a name (frozen pieces, hostages, frames, blockades), what
//! can be counted, what the game and the turn played say.
//!
//! A family of columns is what is worked out together, versioned together and
//! kept in one file. Positions stand in blocks of sixty-four. A family has some
//! words a block, a bit for each position, and some lists of squares, in the
//! order of the positions.

mod of_block;

use std::thread;

use super::{IndexedGame, IndexedMove};
use crate::pattern::Needs;
#[cfg(feature = "postgres")]
use crate::pattern::PackedFacts;
use crate::pattern::block::{BLOCK, BlockColumns, CountWords, GameWords};

/// Columns that are worked out together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    /// Eight words: the mover could goal within 1 to 4 steps, the opponent.
    Goals = 0,
    /// Two words: forks of the mover, of the opponent. A list for each trap:
    /// what could be captured there.
    Captures = 1,
    /// Two words: the mover's elephant is blockaded, the opponent's. Lists:
    /// frozen pieces, hostages, framed pieces.
    Shapes = 2,
    /// What can be counted on the board: [`CountWords`].
    Counts = 3,
    /// What the game says: [`GameWords`].
    Games = 4,
    /// Lists of what the turn played does: where it leaves the mover's pieces
    /// that it moves, and what falls.
    Turns = 5,
}

/// Lists of a family at most.
pub(crate) const MOST_LISTS: usize = 4;

impl Family {
    pub(crate) const ALL: [Family; 6] = [
        Family::Goals,
        Family::Captures,
        Family::Shapes,
        Family::Counts,
        Family::Games,
        Family::Turns,
    ];

    /// The end of the name of its file.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Family::Goals => "goals",
            Family::Captures => "captures",
            Family::Shapes => "shapes",
            Family::Counts => "counts",
            Family::Games => "games",
            Family::Turns => "turns",
        }
    }

    /// Grows whenever what its columns mean changes: files of an older version
    /// are made again.
    pub(crate) const fn version(self) -> u32 {
        match self {
            // With the pieces beside their squares.
            Family::Captures | Family::Shapes => 2,
            Family::Goals | Family::Counts | Family::Games | Family::Turns => 1,
        }
    }

    /// How much of the work for all families it is, in hundredths.
    pub(crate) const fn work(self) -> u32 {
        match self {
            Family::Goals => 7,
            Family::Captures => 85,
            Family::Shapes => 4,
            Family::Turns => 2,
            Family::Counts | Family::Games => 1,
        }
    }

    /// Words a block.
    pub(crate) const fn words(self) -> usize {
        match self {
            Family::Goals => 8,
            Family::Captures | Family::Shapes => 2,
            Family::Counts => CountWords::COUNT,
            Family::Games => GameWords::COUNT,
            Family::Turns => 0,
        }
    }

    /// How many lists it has.
    pub(crate) const fn lists(self) -> usize {
        match self {
            Family::Goals | Family::Counts | Family::Games => 0,
            Family::Turns => 2,
            Family::Shapes => 3,
            Family::Captures => MOST_LISTS,
        }
    }
}

/// Positions as an index has them, of which columns are worked out.
#[derive(Clone, Copy, Default)]
pub(crate) struct StoredPositions<'a> {
    pub(crate) boards: &'a [[u64; 4]],
    /// What was played there, or nothing if that is not known.
    pub(crate) moves: &'a [IndexedMove],
    /// The games, by the numbers in the moves.
    pub(crate) games: &'a [IndexedGame],
}

impl<'a> StoredPositions<'a> {
    /// Some of them.
    fn part(self, range: std::ops::Range<usize>) -> StoredPositions<'a> {
        StoredPositions {
            boards: self.boards.get(range.clone()).unwrap_or(&[]),
            moves: self.moves.get(range).unwrap_or(&[]),
            games: self.games,
        }
    }

    /// So many at a time.
    fn parts(self, of: usize) -> impl Iterator<Item = StoredPositions<'a>> {
        let count = self.boards.len();
        (0..count)
            .step_by(of)
            .map(move |from| self.part(from..count.min(from + of)))
    }
}

/// The columns of a family, in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Columns {
    pub(crate) positions: usize,
    pub(crate) words: Vec<u64>,
    pub(crate) lists: Vec<SquareList>,
}

/// Squares of positions, block by block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SquareList {
    /// Where the squares of each block begin, and after the last one where
    /// they end.
    pub(crate) starts: Vec<u32>,
    pub(crate) entries: Vec<u16>,
}

/// The columns of some blocks one after the other, wherever they are kept.
#[derive(Clone, Copy, Default)]
pub(crate) struct ColumnSlices<'a> {
    pub(crate) words: &'a [u64],
    pub(crate) lists: [ListSlice<'a>; MOST_LISTS],
}

/// The same of a list; `starts` count from somewhere before it.
#[derive(Clone, Copy, Default)]
pub(crate) struct ListSlice<'a> {
    pub(crate) starts: &'a [u32],
    pub(crate) entries: &'a [u16],
}

impl Columns {
    pub(crate) fn empty(family: Family) -> Columns {
        Columns {
            positions: 0,
            words: Vec::new(),
            lists: vec![
                SquareList {
                    starts: vec![0],
                    entries: Vec::new(),
                };
                family.lists()
            ],
        }
    }

    /// Works them out for some positions, on several threads.
    pub(crate) fn of(family: Family, stored: StoredPositions<'_>, threads: usize) -> Columns {
        let blocks = stored.boards.len().div_ceil(BLOCK);
        let share = blocks.div_ceil(threads.max(1)).max(1) * BLOCK;
        let parts: Vec<Columns> = thread::scope(|scope| {
            let workers: Vec<_> = stored
                .parts(share)
                .map(|part| {
                    scope.spawn(move || {
                        let mut columns = Columns::empty(family);
                        columns.catch_up(family, part);
                        columns
                    })
                })
                .collect();
            workers.into_iter().map(crate::cores::joined).collect()
        });
        let mut all = Columns::empty(family);
        for part in parts {
            all.append(part);
        }
        all
    }

    /// Adds those of boards behind; what is there must end with a whole block.
    pub(crate) fn append(&mut self, more: Columns) {
        self.positions += more.positions;
        self.words.extend(more.words);
        for (list, more) in self.lists.iter_mut().zip(more.lists) {
            let from = list.entries.len() as u32;
            let starts = more.starts.into_iter().skip(1);
            list.starts.extend(starts.map(|start| start + from));
            list.entries.extend(more.entries);
        }
    }

    /// Works out what is missing for these positions, of which the first are
    /// known.
    pub(crate) fn catch_up(&mut self, family: Family, stored: StoredPositions<'_>) {
        if self.positions == stored.boards.len() {
            return;
        }
        // The last block may have had room left: it is made again.
        let whole = self.positions / BLOCK;
        self.words.truncate(whole * family.words());
        for list in &mut self.lists {
            list.starts.truncate(whole + 1);
            let end = list.starts.last().map_or(0, |&end| end as usize);
            list.entries.truncate(end);
        }
        let missing = stored.part(whole * BLOCK..stored.boards.len());
        for block in missing.parts(BLOCK) {
            self.add_block(family, block);
        }
        self.positions = stored.boards.len();
    }

    /// All of them.
    pub(crate) fn slices(&self) -> ColumnSlices<'_> {
        let mut slices = ColumnSlices {
            words: &self.words,
            ..ColumnSlices::default()
        };
        for (slice, list) in slices.lists.iter_mut().zip(&self.lists) {
            *slice = ListSlice {
                starts: &list.starts,
                entries: &list.entries,
            };
        }
        slices
    }
}

impl<'a> ColumnSlices<'a> {
    /// The words of a block.
    fn words_of(&self, family: Family, block: usize) -> &'a [u64] {
        let from = block * family.words();
        self.words.get(from..from + family.words()).unwrap_or(&[])
    }

    /// The squares of a block in a list.
    fn entries_of(&self, list: usize, block: usize) -> &'a [u16] {
        let list = &self.lists[list];
        let (Some(&base), Some(&[from, to])) =
            (list.starts.first(), list.starts.get(block..block + 2))
        else {
            return &[];
        };
        let place = |at: u32| at.saturating_sub(base) as usize;
        list.entries.get(place(from)..place(to)).unwrap_or(&[])
    }
}

/// The columns of one block out of those of all families.
pub(crate) fn block_columns<'a>(
    slices: &[ColumnSlices<'a>; Family::ALL.len()],
    block: usize,
) -> BlockColumns<'a> {
    let [goals, captures, shapes, counts, games, turns] = slices;
    BlockColumns {
        goals: goals.words_of(Family::Goals, block),
        forks: captures.words_of(Family::Captures, block),
        victims: std::array::from_fn(|trap| captures.entries_of(trap, block)),
        blockades: shapes.words_of(Family::Shapes, block),
        frozen: shapes.entries_of(0, block),
        hostages: shapes.entries_of(1, block),
        framed: shapes.entries_of(2, block),
        counts: counts.words_of(Family::Counts, block),
        games: games.words_of(Family::Games, block),
        arrivals: turns.entries_of(0, block),
        fallen: turns.entries_of(1, block),
    }
}

/// The columns of a single position, worked out on the spot.
pub(crate) struct OneBoard([Option<Columns>; Family::ALL.len()]);

impl OneBoard {
    pub(crate) fn of(one: StoredPositions<'_>, needs: Needs) -> OneBoard {
        OneBoard(Family::ALL.map(|family| {
            needs.contains(family).then(|| {
                let mut columns = Columns::empty(family);
                columns.catch_up(family, one);
                columns
            })
        }))
    }

    pub(crate) fn columns(&self) -> BlockColumns<'_> {
        let slices = self.0.each_ref().map(|columns| {
            columns
                .as_ref()
                .map_or_else(ColumnSlices::default, Columns::slices)
        });
        block_columns(&slices, 0)
    }
}

/// What the columns say of each of these positions, worked out for all families.
#[cfg(feature = "postgres")]
pub(crate) fn packed_facts(stored: StoredPositions<'_>) -> Vec<PackedFacts> {
    let all = Family::ALL.map(|family| {
        let mut columns = Columns::empty(family);
        columns.catch_up(family, stored);
        columns
    });
    let slices = all.each_ref().map(Columns::slices);
    let count = stored.boards.len();
    let mut packed = Vec::with_capacity(count);
    for (number, from) in (0..count).step_by(BLOCK).enumerate() {
        let columns = block_columns(&slices, number);
        packed.extend(PackedFacts::of_block(&columns, BLOCK.min(count - from)));
    }
    packed
}

/// The columns of all families, for tests.
#[cfg(test)]
pub(crate) struct ColumnFamilies(Vec<Columns>);

#[cfg(test)]
impl ColumnFamilies {
    pub(crate) fn of(stored: StoredPositions<'_>) -> ColumnFamilies {
        ColumnFamilies(
            Family::ALL
                .map(|family| Columns::of(family, stored, 2))
                .into(),
        )
    }

    /// Those of the first block.
    pub(crate) fn first(&self) -> BlockColumns<'_> {
        block_columns(&std::array::from_fn(|family| self.0[family].slices()), 0)
    }
}

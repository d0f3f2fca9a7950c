//! What a scan of boards cannot see, worked out once a position: goals,
//! captures, and what has a name (frozen pieces, hostages, frames, blockades).
//!
//! A family of columns is what is worked out together, versioned together and
//! kept in one file. Positions stand in blocks of sixty-four. A family has some
//! words a block, a bit for each position, and some lists of squares, in the
//! order of the positions.

use std::thread;

use hathi_rules::{Bitboard, Board, CaptureThreat, PackedBoard, Position, Side, Square};

use crate::pattern::Needs;
use crate::pattern::facts::{BLOCK, BlockColumns, entry};

/// Columns that are worked out together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    /// Eight words: the mover could goal within 1 to 4 steps, the opponent.
    Goals = 0,
    /// Two words: forks of the mover, of the opponent. A list: what could be
    /// captured, and in which trap.
    Captures = 1,
    /// Two words: the mover's elephant is blockaded, the opponent's. Lists:
    /// frozen pieces, hostages, framed pieces.
    Shapes = 2,
}

/// Lists of a family at most.
pub(crate) const MOST_LISTS: usize = 3;

impl Family {
    pub(crate) const ALL: [Family; 3] = [Family::Goals, Family::Captures, Family::Shapes];

    /// The end of the name of its file.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Family::Goals => "goals",
            Family::Captures => "captures",
            Family::Shapes => "shapes",
        }
    }

    /// Grows whenever what its columns mean changes: files of an older version
    /// are made again.
    pub(crate) const fn version(self) -> u32 {
        match self {
            Family::Goals | Family::Captures | Family::Shapes => 1,
        }
    }

    /// Words a block.
    pub(crate) const fn words(self) -> usize {
        match self {
            Family::Goals => 8,
            Family::Captures | Family::Shapes => 2,
        }
    }

    /// How many lists it has.
    pub(crate) const fn lists(self) -> usize {
        match self {
            Family::Goals => 0,
            Family::Captures => 1,
            Family::Shapes => MOST_LISTS,
        }
    }

    pub(crate) const fn is_needed(self, needs: Needs) -> bool {
        match self {
            Family::Goals => needs.goals,
            Family::Captures => needs.captures,
            Family::Shapes => needs.shapes,
        }
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

    /// Works them out for some boards, on several threads.
    pub(crate) fn of(family: Family, boards: &[[u64; 4]], threads: usize) -> Columns {
        let blocks = boards.len().div_ceil(BLOCK);
        let share = blocks.div_ceil(threads.max(1)).max(1) * BLOCK;
        let parts: Vec<Columns> = thread::scope(|scope| {
            let workers: Vec<_> = boards
                .chunks(share)
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

    /// Works out what is missing for these boards, of which the first are
    /// known.
    pub(crate) fn catch_up(&mut self, family: Family, boards: &[[u64; 4]]) {
        if self.positions == boards.len() {
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
        for block in boards[whole * BLOCK..].chunks(BLOCK) {
            self.add_block(family, block);
        }
        self.positions = boards.len();
    }

    fn add_block(&mut self, family: Family, block: &[[u64; 4]]) {
        let mut words = [0u64; 8];
        for (i, planes) in block.iter().enumerate() {
            // A damaged board has no facts.
            let Some(board) = board_of(planes) else {
                continue;
            };
            let mut add = |list: usize, squares: Bitboard, trap: usize| {
                if let Some(list) = self.lists.get_mut(list) {
                    let entries = squares.iter().map(|square| entry(i, square, trap));
                    list.entries.extend(entries);
                }
            };
            // The mover plays Gold in its own view.
            for (other, side) in Side::ALL.into_iter().enumerate() {
                let position = Position::composed(board, side);
                match family {
                    Family::Goals => {
                        if let Some(turn) = position.can_goal() {
                            for steps in turn.len().max(1)..=4 {
                                words[4 * other + steps - 1] |= 1 << i;
                            }
                        }
                    }
                    Family::Captures => {
                        let mut all = Bitboard::EMPTY;
                        for (number, trap) in Square::TRAPS.into_iter().enumerate() {
                            let victims = position.victims(trap);
                            add(0, victims, number);
                            all |= victims;
                        }
                        let fork = CaptureThreat::is_fork(all.len() as usize);
                        words[other] |= u64::from(fork) << i;
                    }
                    Family::Shapes => {
                        words[other] |= u64::from(board.is_blockaded(side)) << i;
                        add(0, board.frozen(side), 0);
                        add(1, board.hostages(side), 0);
                        add(2, board.framed(side), 0);
                    }
                }
            }
        }
        self.words.extend(&words[..family.words()]);
        for list in &mut self.lists {
            list.starts.push(list.entries.len() as u32);
        }
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

fn board_of(planes: &[u64; 4]) -> Option<Board> {
    let mut bytes = [0; 32];
    for (chunk, plane) in bytes.chunks_exact_mut(8).zip(planes) {
        chunk.copy_from_slice(&plane.to_le_bytes());
    }
    Board::try_from(PackedBoard(bytes)).ok()
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

/// The columns of one block out of those of the three families.
pub(crate) fn block_columns<'a>(
    slices: &[ColumnSlices<'a>; Family::ALL.len()],
    block: usize,
) -> BlockColumns<'a> {
    let [goals, captures, shapes] = slices;
    BlockColumns {
        goals: goals.words_of(Family::Goals, block),
        forks: captures.words_of(Family::Captures, block),
        victims: captures.entries_of(0, block),
        blockades: shapes.words_of(Family::Shapes, block),
        frozen: shapes.entries_of(0, block),
        hostages: shapes.entries_of(1, block),
        framed: shapes.entries_of(2, block),
    }
}

/// The columns of a single board, worked out on the spot.
pub(crate) struct OneBoard([Option<Columns>; Family::ALL.len()]);

impl OneBoard {
    pub(crate) fn of(board: &[u64; 4], needs: Needs) -> OneBoard {
        OneBoard(Family::ALL.map(|family| {
            family.is_needed(needs).then(|| {
                let mut columns = Columns::empty(family);
                columns.catch_up(family, std::slice::from_ref(board));
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

/// The columns of all families, for tests.
#[cfg(test)]
pub(crate) struct ColumnFamilies(Vec<Columns>);

#[cfg(test)]
impl ColumnFamilies {
    pub(crate) fn of(boards: &[[u64; 4]]) -> ColumnFamilies {
        ColumnFamilies(
            Family::ALL
                .map(|family| Columns::of(family, boards, 2))
                .into(),
        )
    }

    /// Those of the first block.
    pub(crate) fn first(&self) -> BlockColumns<'_> {
        block_columns(&std::array::from_fn(|family| self.0[family].slices()), 0)
    }
}

//! A pattern as word operations, and the scan over millions of boards.
//!
//! The scan looks at [`BLOCK`] boards at a time, plane by plane, in loops
//! without branches that the compiler turns into vector instructions. First
//! the *frame*: bits that must be set or clear, which is all that most
//! patterns consist of. What is left is counted: squares of an area with this
//! or that on them. A block in which every board has failed is left at once, so
//! the tests that most boards fail come first.

#[cfg(feature = "postgres")]
mod sql;

use hathi_rules::{Bitboard, Piece, Side, Symmetry};

use super::{Area, Content, Count, Pattern};
use crate::Matching;
use crate::seen::orientation;

/// Boards looked at together: as many as a word has bits.
const BLOCK: usize = 64;
type Block = [[u64; 4]; BLOCK];

/// So few boards are quicker looked at one by one than levelled together.
const FEW: u32 = 8;

/// A pattern ready to be compared with boards as the index keeps them: four
/// bit planes in the view of the mover, strength in 0 to 2, "enemy" in 3.
#[derive(Clone, Debug)]
pub struct Compiled {
    matching: Matching,
    /// The ways to turn a stored board to the pattern.
    ways: Vec<Way>,
    /// Their tests without repetitions: a pattern may be its own image.
    scanned: Vec<Tests>,
}

/// The pattern as seen through a symmetry.
#[derive(Clone, Debug)]
struct Way {
    /// Leads from the view of the mover to the pattern.
    symmetry: Symmetry,
    tests: Tests,
}

/// What a board has to pass.
#[derive(Clone, Debug, PartialEq)]
struct Tests {
    frame: Frame,
    tallies: Vec<Tally>,
}

/// Bits that are known: where a plane's mask is set, it must have the value.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Frame {
    mask: [u64; 4],
    value: [u64; 4],
}

/// Squares of an area with this on them (or without it) are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Tally {
    content: Content,
    /// Count the squares where something else is.
    inverted: bool,
    area: u64,
    count: Count,
    /// The count must not be in the range.
    negated: bool,
}

impl Pattern {
    /// Makes it ready for a search.
    ///
    /// ```
    /// use hathi_rules::{Board, PackedBoard, Piece, Side, Square, Symmetry};
    /// use hathi_store::{Matching, Pattern};
    /// let mut board = Board::EMPTY;
    /// board.place(Square::D5, Piece::GoldElephant);
    /// // Gold to move: the board is in the view of its mover already.
    /// let planes = PackedBoard::from(&board).planes();
    ///
    /// let literal = Pattern::parse("Ed5")?.compile(Matching::Literal);
    /// assert_eq!(literal.matches(&planes, Side::Gold), Some(Symmetry::IDENTITY));
    /// let image = Pattern::parse("ee4")?.compile(Matching::Symmetric);
    /// assert_eq!(image.matches(&planes, Side::Gold), Some(Symmetry::BOTH));
    /// # Ok::<(), hathi_store::PatternError>(())
    /// ```
    pub fn compile(&self, matching: Matching) -> Compiled {
        let ways: Vec<Way> = Symmetry::ALL
            .into_iter()
            .filter(|symmetry| matching == Matching::Symmetric || !symmetry.mirror)
            // The mover plays Gold in its own view.
            .filter(|symmetry| {
                let mover = symmetry.apply(Side::Gold);
                self.mover.is_none_or(|side| side == mover)
            })
            .map(|symmetry| Way {
                symmetry,
                tests: self.tests(symmetry),
            })
            .collect();
        let mut scanned: Vec<Tests> = Vec::new();
        for way in &ways {
            if !scanned.contains(&way.tests) {
                scanned.push(way.tests.clone());
            }
        }
        Compiled {
            matching,
            ways,
            scanned,
        }
    }

    /// What the image of the pattern asks of a board. Each symmetry is its
    /// own inverse, so it leads there and back.
    fn tests(&self, symmetry: Symmetry) -> Tests {
        let mut frame = Frame::default();
        let mut tallies: Vec<Tally> = Vec::new();
        for condition in &self.conditions {
            let content = symmetry.apply(condition.content);
            let area = symmetry.apply(condition.area.squares());
            let mut tally = Tally {
                content,
                inverted: false,
                area: area.0,
                count: condition.count,
                negated: condition.negated,
            };
            if matches!(condition.area, Area::Square(_)) && condition.count == Count::SOME {
                // "This on every square", which several squares can share, is
                // "something else on none".
                (tally.count, tally.negated) = (Count::NONE, false);
                match frame.require(content, condition.negated, area) {
                    Remainder::Nothing => continue,
                    Remainder::NotEmpty => tally.content = Content::EMPTY,
                    Remainder::Everything => tally.inverted = !condition.negated,
                }
            } else {
                (tally.count, tally.negated) = match (condition.count, condition.negated) {
                    (Count::SOME, true) => (Count::NONE, false),
                    (Count::NONE, true) => (Count::SOME, false),
                    as_written => as_written,
                };
            }
            // None here and none there is none in both together.
            let alike = |other: &&mut Tally| {
                let area = tally.area;
                tally.count == Count::NONE && Tally { area, ..**other } == tally
            };
            match tallies.iter_mut().find(alike) {
                Some(other) => other.area |= tally.area,
                None => tallies.push(tally),
            }
        }
        tallies.sort_by(|a, b| a.chance().total_cmp(&b.chance()).then(a.cmp(b)));
        tallies.dedup();
        Tests { frame, tallies }
    }
}

impl Compiled {
    /// Does this board match, with this side to move? The answer is how to
    /// turn what is stored with it (in the view of the mover, who is Gold
    /// there) to the pattern: `symmetry.apply(turn)` is the turn on the
    /// pattern's board, `symmetry.apply(Side::Gold)` its mover. If several
    /// symmetries do, it is the one that changes least.
    pub fn matches(&self, board: &[u64; 4], mover: Side) -> Option<Symmetry> {
        let wanted = match self.matching {
            Matching::Literal => &Symmetry::ALL[..1],
            Matching::Symmetric => &Symmetry::ALL[..],
        };
        wanted.iter().find_map(|change| {
            let symmetry = Symmetry {
                mirror: change.mirror,
                flip: change.flip != orientation(mover).flip,
            };
            let way = self.ways.iter().find(|way| way.symmetry == symmetry)?;
            let passed = way.tests.frame.fits(board) && all_pass(&way.tests.tallies, board);
            passed.then_some(symmetry)
        })
    }

    /// Visits, in order, the number of every board that matches for one mover
    /// or the other. A literal search must then ask [`Compiled::matches`] with
    /// the real mover; [`Compiled::needs_mover`] says so.
    pub fn scan(&self, boards: &[[u64; 4]], visit: impl FnMut(usize)) {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
            // SAFETY: the processor has just said that it has both.
            return unsafe { self.scan_avx2(boards, visit) };
        }
        self.scan_blocks(boards, visit);
    }

    /// Can it depend on the mover whether a visited board matches? In a
    /// symmetric search one mover is as good as the other.
    pub fn needs_mover(&self) -> bool {
        self.matching == Matching::Literal
    }

    /// The same code in wider registers: 20% less time for squares in a
    /// symmetric search, 30 to 50% less for areas.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,popcnt")]
    fn scan_avx2(&self, boards: &[[u64; 4]], visit: impl FnMut(usize)) {
        self.scan_blocks(boards, visit);
    }

    /// The scan itself, for whatever registers the caller allows.
    #[inline(always)]
    pub(super) fn scan_blocks(&self, boards: &[[u64; 4]], mut visit: impl FnMut(usize)) {
        let (blocks, rest) = boards.as_chunks::<BLOCK>();
        // Cleared once and not for every block.
        let mut levels = Levels::BLANK;
        for (i, block) in blocks.iter().enumerate() {
            visit_bits(self.hits(block, &mut levels), i * BLOCK, &mut visit);
        }
        if !rest.is_empty() {
            let mut block = [[0; 4]; BLOCK];
            block[..rest.len()].copy_from_slice(rest);
            let real = (1 << rest.len()) - 1;
            let start = boards.len() - rest.len();
            visit_bits(self.hits(&block, &mut levels) & real, start, &mut visit);
        }
    }

    /// The boards of a block that match, one bit each. The levels are scratch
    /// space, worked out if they are needed.
    #[inline(always)]
    fn hits(&self, block: &Block, levels: &mut Levels<BLOCK>) -> u64 {
        let mut hits = 0;
        let mut levelled = false;
        for tests in &self.scanned {
            let mut alive = tests.frame.fitting(block);
            for (i, tally) in tests.tallies.iter().enumerate() {
                if alive == 0 {
                    break;
                }
                if !levelled {
                    if alive.count_ones() <= FEW {
                        alive = one_by_one(&tests.tallies[i..], block, alive);
                        break;
                    }
                    levels.fill(block);
                    levelled = true;
                }
                alive &= tally.passing(levels);
            }
            hits |= alive;
        }
        hits
    }
}

#[inline(always)]
fn visit_bits(mut bits: u64, start: usize, visit: &mut impl FnMut(usize)) {
    while bits != 0 {
        visit(start + bits.trailing_zeros() as usize);
        bits &= bits - 1;
    }
}

/// Which of the boards in question pass all tallies.
#[inline(always)]
fn one_by_one(tallies: &[Tally], block: &Block, boards: u64) -> u64 {
    let (mut passing, mut left) = (0, boards);
    while left != 0 {
        let i = left.trailing_zeros() as usize % BLOCK;
        passing |= u64::from(all_pass(tallies, &block[i])) << i;
        left &= left - 1;
    }
    passing
}

#[inline(always)]
fn all_pass(tallies: &[Tally], board: &[u64; 4]) -> bool {
    let mut levels = Levels::BLANK;
    levels.fill(std::array::from_ref(board));
    tallies.iter().all(|tally| tally.passing(&levels) != 0)
}

/// For each strength the squares with a piece at least that strong: level 0
/// is every square, level 7 none. And the enemies. For several boards, the
/// same thing of each together.
struct Levels<const N: usize> {
    at_least: [[u64; N]; 8],
    enemies: [u64; N],
}

impl<const N: usize> Levels<N> {
    const BLANK: Self = Levels {
        at_least: [
            [!0; N], [0; N], [0; N], [0; N], [0; N], [0; N], [0; N], [0; N],
        ],
        enemies: [0; N],
    };

    #[inline(always)]
    fn fill(&mut self, boards: &[[u64; 4]; N]) {
        let [_, l1, l2, l3, l4, l5, l6, _] = &mut self.at_least;
        for (i, &[p0, p1, p2, p3]) in boards.iter().enumerate() {
            l1[i] = p0 | p1 | p2;
            l2[i] = p1 | p2;
            l3[i] = (p0 & p1) | p2;
            l4[i] = p2;
            l5[i] = (p0 | p1) & p2;
            l6[i] = p1 & p2;
            self.enemies[i] = p3;
        }
    }
}

/// Bit *n* in word *n*: turning a comparison into a bit by a table is what
/// vectorises.
static BITS: [u64; BLOCK] = {
    let mut bits = [0; BLOCK];
    let mut i = 0;
    while i < BLOCK {
        bits[i] = 1 << i;
        i += 1;
    }
    bits
};

/// The numbers below N that pass, as bits.
#[inline(always)]
fn bits_of<const N: usize>(passes: impl Fn(usize) -> bool) -> u64 {
    let mut bits = 0;
    for (i, &bit) in BITS.iter().enumerate().take(N) {
        bits |= if passes(i) { bit } else { 0 };
    }
    bits
}

impl Tally {
    /// The boards that pass, one bit each.
    #[inline(always)]
    fn passing<const N: usize>(&self, levels: &Levels<N>) -> u64 {
        let weak = &levels.at_least[usize::from(self.content.weakest & 7)];
        let too_strong = &levels.at_least[usize::from((self.content.strongest + 1) & 7)];
        // Friends are those without a bit in the plane of the enemies.
        let (swap, either) = match self.content.side {
            Some(Side::Gold) => (!0, 0),
            Some(Side::Silver) => (0, 0),
            None => (0, !0),
        };
        let inverted = u64::from(self.inverted).wrapping_neg();
        let found = |i: usize| {
            let side = (levels.enemies[i] ^ swap) | either;
            ((weak[i] & !too_strong[i] & side) ^ inverted) & self.area
        };
        let passing = match self.count {
            Count::NONE => bits_of::<N>(|i| found(i) == 0),
            Count::SOME => bits_of::<N>(|i| found(i) != 0),
            // Without the lowest square there is still one.
            Count {
                least: 2,
                most: Count::MANY,
            } => bits_of::<N>(|i| found(i) & found(i).wrapping_sub(1) != 0),
            Count { least, most } => {
                let (least, width) = (u64::from(least), u64::from(most - least));
                bits_of::<N>(|i| u64::from(found(i).count_ones()).wrapping_sub(least) <= width)
            }
        };
        // One bit for each board there is.
        if self.negated {
            passing ^ (!0 >> (64 - N))
        } else {
            passing
        }
    }

    /// How likely a board is to pass, roughly: as if pieces were strewn over
    /// the board one square at a time.
    fn chance(&self) -> f64 {
        let allowed = |piece| self.content.allows(piece) != self.inverted;
        let pieces = Piece::ALL.into_iter().filter(|&piece| allowed(Some(piece)));
        let pieces: u32 = pieces.map(|piece| piece.role().count_at_start()).sum();
        // A fifth of the pieces is gone on the average board.
        let share = f64::from(pieces) * 0.8 / 64.0 + if allowed(None) { 0.6 } else { 0.0 };
        let size = self.area.count_ones() as usize;
        // chances[n]: n squares found so far.
        let mut chances = [0.0; 65];
        chances[0] = 1.0;
        for _ in 0..size {
            for n in (0..size).rev() {
                chances[n + 1] += chances[n] * share;
                chances[n] *= 1.0 - share;
            }
        }
        let fits = |n: usize| self.count.contains(n) != self.negated;
        (0..=size).filter(|&n| fits(n)).map(|n| chances[n]).sum()
    }
}

impl Frame {
    #[inline(always)]
    fn fits(&self, board: &[u64; 4]) -> bool {
        let mut wrong = [0; 4];
        for i in 0..4 {
            wrong[i] = (board[i] ^ self.value[i]) & self.mask[i];
        }
        wrong == [0; 4]
    }

    /// The boards that fit, one bit each.
    #[inline(always)]
    fn fitting(&self, block: &Block) -> u64 {
        if self.mask == [0; 4] {
            return !0;
        }
        let mut fitting = 0;
        for (i, board) in block.iter().enumerate() {
            fitting |= u64::from(self.fits(board)) << i;
        }
        fitting
    }

    /// Adds what a condition on some squares says about single bits: those
    /// that all contents allowed have in common. What else it says is told.
    fn require(&mut self, content: Content, negated: bool, squares: Bitboard) -> Remainder {
        let allowed = |piece| content.allows(piece) != negated;
        // The code of a piece: strength in the low bits, then the side.
        let code = |piece: Piece| super::strength(piece.role()) | (piece.side() as u8) << 3;
        let (mut set, mut clear) = (0xf, 0xf);
        for piece in Piece::ALL {
            if allowed(Some(piece)) {
                set &= code(piece);
                clear &= !code(piece);
            }
        }
        if allowed(None) {
            set = 0;
        }
        for plane in 0..4 {
            if (set | clear) >> plane & 1 != 0 {
                self.mask[plane] |= squares.0;
            }
            if set >> plane & 1 != 0 {
                self.value[plane] |= squares.0;
            }
        }
        let fits = |piece| code(piece) & set == set && code(piece) & clear == 0;
        let told = |piece| allowed(Some(piece)) || !fits(piece);
        if !Piece::ALL.into_iter().all(told) {
            Remainder::Everything
        } else if set == 0 && !allowed(None) {
            Remainder::NotEmpty
        } else {
            Remainder::Nothing
        }
    }
}

/// What of a condition is not said by single bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Remainder {
    Nothing,
    NotEmpty,
    Everything,
}

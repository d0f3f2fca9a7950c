//! Where the pieces stand: four bit planes, 32 bytes.
//!
//! Carlini keeps twelve bitboards, one for each kind of piece (96 bytes).
//! A square holds at most one piece, so four bits a square are enough, and
//! four 64-bit planes hold them *bit-sliced*: the strength of the piece
//! (0 empty, 1 rabbit, 2 cat, 3 dog, 4 horse, 5 camel, 6 elephant) stands in
//! planes 0 to 2, its side in plane 3.
//!
//! ```text
//!            strength  plane 2  plane 1  plane 0
//! rabbit     1         0        0        1
//! cat        2         0        1        0
//! dog        3         0        1        1
//! horse      4         1        0        0
//! camel      5         1        0        1
//! elephant   6         1        1        0
//! ```
//!
//! "Every piece at least as strong as a horse" is then just plane 2, and any
//! of Carlini's twelve sets is two or three operations away. Equality is one
//! 32-byte comparison, and the packed form on disk is the same four words.

use std::fmt;

use crate::zobrist;
use crate::{Bitboard, BySide, Direction, Piece, Role, Side, Square, Step};

/// A placement of pieces, with its hash kept up to date.
///
/// A board says nothing of whose turn it is; that is a
/// [`Position`](crate::Position). It may hold any number of pieces; how many a
/// real game starts with is a matter of the [`Setup`](crate::Setup).
///
/// ```
/// use hathi_rules::{Board, Piece, Side, Square};
/// let mut board = Board::EMPTY;
/// board.place(Square::D4, Piece::GoldElephant);
/// board.place(Square::D5, Piece::SilverCamel);
/// assert_eq!(board.piece_at(Square::D4), Some(Piece::GoldElephant));
/// assert_eq!(board.frozen(Side::Silver), Square::D5.bit());
/// ```
#[derive(Clone, Copy)]
pub struct Board {
    planes: [u64; 4],
    hash: u64,
}

/// For each code of a piece the planes its bit stands in, as all-ones or
/// all-zeros.
static PLANE_MASKS: [[u64; 4]; 16] = {
    let mut masks = [[0; 4]; 16];
    let mut code = 0;
    while code < 16 {
        let mut plane = 0;
        while plane < 4 {
            masks[code][plane] = (code as u64 >> plane & 1).wrapping_neg();
            plane += 1;
        }
        code += 1;
    }
    masks
};

/// The strength of an animal, each bit repeated for all squares.
#[inline]
const fn strength_bits(role: Role) -> [u64; 3] {
    let strength = role as u64 + 1;
    [
        (strength & 1).wrapping_neg(),
        (strength >> 1 & 1).wrapping_neg(),
        (strength >> 2 & 1).wrapping_neg(),
    ]
}

impl Board {
    /// A board without pieces.
    pub const EMPTY: Board = Board {
        planes: [0; 4],
        hash: 0,
    };

    /// The four planes, as they are packed.
    #[inline]
    pub(crate) const fn planes(&self) -> &[u64; 4] {
        &self.planes
    }

    /// A board of these planes, unless some square holds a code that means
    /// no piece.
    pub(crate) fn from_planes(planes: [u64; 4]) -> Option<Board> {
        let [p0, p1, p2, p3] = planes;
        let strength_seven = p0 & p1 & p2;
        let silver_nothing = p3 & !(p0 | p1 | p2);
        (strength_seven | silver_nothing == 0).then(|| Board { planes, hash: 0 }.with_full_hash())
    }

    /// A left-right mirror, a colour flip or both: `turn` moves a set of
    /// squares, `swap` exchanges the sides.
    pub(crate) fn transformed(&self, turn: impl Fn(Bitboard) -> Bitboard, swap: bool) -> Board {
        let mut planes = self.planes;
        if swap {
            planes[3] ^= self.occupied().0;
        }
        let planes = planes.map(|plane| turn(Bitboard(plane)).0);
        Board { planes, hash: 0 }.with_full_hash()
    }

    fn with_full_hash(mut self) -> Board {
        self.hash = self.computed_hash();
        self
    }

    /// The hash worked out from nothing, for checking the one that is kept.
    pub fn computed_hash(&self) -> u64 {
        self.iter().fold(0, |hash, (square, piece)| {
            hash ^ zobrist::piece(piece, square)
        })
    }

    /// The Zobrist hash of the placement (no side to move in it).
    #[inline]
    pub const fn hash(&self) -> u64 {
        self.hash
    }

    /// Squares with a piece on them.
    #[inline]
    pub const fn occupied(&self) -> Bitboard {
        Bitboard(self.planes[0] | self.planes[1] | self.planes[2])
    }

    /// Squares without a piece.
    #[inline]
    pub const fn empty(&self) -> Bitboard {
        Bitboard(!self.occupied().0)
    }

    /// The pieces of a side.
    #[inline]
    pub const fn side(&self, side: Side) -> Bitboard {
        // All ones for Gold, whose pieces are those without a bit in plane 3.
        let inverted = (side as u64).wrapping_sub(1);
        Bitboard(self.occupied().0 & (self.planes[3] ^ inverted))
    }

    /// The pieces of both sides that are this animal: the squares whose
    /// three strength bits are the animal's.
    #[inline]
    pub const fn role(&self, role: Role) -> Bitboard {
        let [p0, p1, p2, _] = self.planes;
        let [s0, s1, s2] = strength_bits(role);
        Bitboard(!(p0 ^ s0) & !(p1 ^ s1) & !(p2 ^ s2))
    }

    /// The pieces of one kind.
    #[inline]
    pub const fn pieces(&self, piece: Piece) -> Bitboard {
        Bitboard(self.role(piece.role()).0 & self.side(piece.side()).0)
    }

    /// The rabbits of a side.
    #[inline]
    pub const fn rabbits(&self, side: Side) -> Bitboard {
        Bitboard(self.role(Role::Rabbit).0 & self.side(side).0)
    }

    /// The pieces of both sides strictly stronger than `role`: a three-bit
    /// comparison on all 64 squares at once, high bit first. For a role known
    /// at compile time one or two operations remain, for others there is no
    /// branch to mispredict.
    #[inline]
    pub const fn stronger_than(&self, role: Role) -> Bitboard {
        let [p0, p1, p2, _] = self.planes;
        let [s0, s1, s2] = strength_bits(role);
        let low = p0 & !s0;
        let middle = (p1 & !s1) | (!(p1 ^ s1) & low);
        Bitboard((p2 & !s2) | (!(p2 ^ s2) & middle))
    }

    /// The pieces of both sides strictly weaker than `role`.
    #[inline]
    pub const fn weaker_than(&self, role: Role) -> Bitboard {
        Bitboard(self.occupied().0 & !self.stronger_than(role).0 & !self.role(role).0)
    }

    /// The four bits of a square, strength and side.
    #[inline]
    const fn code_at(&self, square: Square) -> usize {
        let i = square.index();
        let [p0, p1, p2, p3] = self.planes;
        ((p0 >> i & 1) | (p1 >> i & 1) << 1 | (p2 >> i & 1) << 2 | (p3 >> i & 1) << 3) as usize
    }

    /// The piece on a square.
    #[inline]
    pub const fn piece_at(&self, square: Square) -> Option<Piece> {
        Piece::from_code(self.code_at(square))
    }

    /// The piece on a square known to be occupied; some rabbit if it is not.
    #[inline]
    pub(crate) fn some_piece_at(&self, square: Square) -> Piece {
        Piece::from_trusted_code(self.code_at(square))
    }

    /// The role of the piece on a square known to be occupied.
    #[inline]
    pub(crate) fn role_at(&self, square: Square) -> Role {
        self.some_piece_at(square).role()
    }

    /// Every piece with its square, `a1` first.
    pub fn iter(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        self.occupied()
            .into_iter()
            .filter_map(|square| Some((square, self.piece_at(square)?)))
    }

    /// The squares that hold something else on another board.
    #[inline]
    pub const fn differing(&self, other: &Board) -> Bitboard {
        let [a0, a1, a2, a3] = self.planes;
        let [b0, b1, b2, b3] = other.planes;
        Bitboard((a0 ^ b0) | (a1 ^ b1) | (a2 ^ b2) | (a3 ^ b3))
    }

    /// How many pieces each side has.
    #[inline]
    pub fn count(&self) -> BySide<u32> {
        BySide::new(self.side(Side::Gold).len(), self.side(Side::Silver).len())
    }

    /// Puts a piece on a square, replacing what was there.
    pub fn place(&mut self, square: Square, piece: Piece) {
        self.remove(square);
        self.toggle(piece, square.bit());
        self.hash ^= zobrist::piece(piece, square);
    }

    /// Takes the piece off a square and returns it.
    pub fn remove(&mut self, square: Square) -> Option<Piece> {
        let piece = self.piece_at(square)?;
        self.toggle(piece, square.bit());
        self.hash ^= zobrist::piece(piece, square);
        Some(piece)
    }

    /// Moves `piece` from one square to another, no questions asked.
    #[inline]
    pub(crate) fn shift_piece(&mut self, piece: Piece, from: Square, to: Square) {
        self.toggle(piece, from.bit() | to.bit());
        self.hash ^= zobrist::piece(piece, from) ^ zobrist::piece(piece, to);
    }

    /// Takes back a step, removal included, that led here from a board with
    /// this hash.
    #[inline]
    pub(crate) fn reverse(&mut self, step: Step, hash: u64) {
        if let Some(removal) = step.removed() {
            self.toggle(removal.piece, removal.square.bit());
        }
        self.toggle(step.piece(), step.from().bit() | step.target().bit());
        self.hash = hash;
    }

    /// Removes or restores a piece known to be (or not to be) there.
    #[inline]
    pub(crate) fn toggle_piece(&mut self, piece: Piece, square: Square) {
        self.toggle(piece, square.bit());
        self.hash ^= zobrist::piece(piece, square);
    }

    #[inline]
    fn toggle(&mut self, piece: Piece, squares: Bitboard) {
        let masks = &PLANE_MASKS[piece.code()];
        for (plane, mask) in self.planes.iter_mut().zip(masks) {
            *plane ^= squares.0 & mask;
        }
    }

    /// The piece a step by `side` from `from` would leave unsupported on a
    /// trap, looking at the board *after* the step. Only the side whose piece
    /// moved can lose one, only on the trap next to the square it left (which
    /// includes the trap it stepped onto), so there is at most one.
    #[inline]
    pub(crate) fn trapped_after(&self, side: Side, from: Square) -> Option<(Square, Role)> {
        if !Bitboard::TRAPS.near().contains(from) {
            return None;
        }
        let own = self.side(side);
        let doomed = from.neighbours() & Bitboard::TRAPS & own;
        if doomed.is_empty() || doomed.near().intersects(own) {
            return None;
        }
        let trap = doomed.first()?;
        Some((trap, self.role_at(trap)))
    }

    /// Takes a step (known to be possible) and what falls because of it off
    /// the board. Gives the step back with its removal filled in.
    #[inline]
    pub(crate) fn take_step(&mut self, step: Step) -> Step {
        let (piece, from) = (step.piece(), step.from());
        self.shift_piece(piece, from, step.target());
        match self.trapped_after(piece.side(), from) {
            None => step.bare(),
            Some((trap, role)) => {
                self.toggle_piece(Piece::new(piece.side(), role), trap);
                step.removing(Some(role))
            }
        }
    }

    /// Pieces standing on a trap without a friend beside it. On a board that
    /// came about by legal steps there are none; text can describe one.
    pub fn unsupported_on_traps(&self) -> Bitboard {
        let mut doomed = Bitboard::EMPTY;
        for side in Side::ALL {
            let own = self.side(side);
            doomed |= (own & Bitboard::TRAPS) - own.near();
        }
        doomed
    }

    /// Which sides' rabbits stand on their goal rank.
    #[inline]
    pub fn on_goal(&self) -> BySide<bool> {
        BySide::new(
            self.rabbits(Side::Gold).intersects(Side::Gold.goal()),
            self.rabbits(Side::Silver).intersects(Side::Silver.goal()),
        )
    }

    /// Is there a piece of `side` next to `square`?
    #[inline]
    pub fn has_neighbour(&self, square: Square, side: Side) -> bool {
        square.neighbours().intersects(self.side(side))
    }

    /// The squares from which an own step in `direction` would land on an
    /// empty square.
    #[inline]
    pub(crate) fn can_leave_towards(&self, direction: Direction) -> Bitboard {
        self.empty().shift(direction.opposite())
    }
}

impl PartialEq for Board {
    /// Compares the planes: a hash never decides.
    #[inline]
    fn eq(&self, other: &Board) -> bool {
        self.planes == other.planes
    }
}

impl Eq for Board {}

impl std::hash::Hash for Board {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

impl Default for Board {
    fn default() -> Self {
        Board::EMPTY
    }
}

impl FromIterator<(Square, Piece)> for Board {
    fn from_iter<I: IntoIterator<Item = (Square, Piece)>>(pieces: I) -> Self {
        let mut board = Board::EMPTY;
        for (square, piece) in pieces {
            board.place(square, piece);
        }
        board
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", crate::diagram::Diagram(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every kind of piece on a square of its own.
    fn menagerie() -> Board {
        Piece::ALL
            .into_iter()
            .enumerate()
            .filter_map(|(i, piece)| Some((Square::from_index(i * 5)?, piece)))
            .collect()
    }

    #[test]
    fn sets_by_role_and_strength() {
        let board = menagerie();
        for (square, piece) in board.iter() {
            for role in Role::ALL {
                assert_eq!(board.role(role).contains(square), piece.role() == role);
                assert_eq!(
                    board.stronger_than(role).contains(square),
                    piece.role() > role
                );
                assert_eq!(
                    board.weaker_than(role).contains(square),
                    piece.role() < role
                );
            }
            for side in Side::ALL {
                assert_eq!(board.side(side).contains(square), piece.side() == side);
            }
            assert_eq!(board.pieces(piece), square.bit());
            assert_eq!(board.role_at(square), piece.role());
        }
        assert_eq!(board.count(), BySide::new(6, 6));
    }

    #[test]
    fn placing_and_removing_keeps_the_hash() {
        let mut board = menagerie();
        assert_eq!(board.hash(), board.computed_hash());
        board.place(Square::A1, Piece::SilverElephant);
        assert_eq!(board.hash(), board.computed_hash());
        for square in Square::all() {
            board.remove(square);
        }
        assert_eq!(board, Board::EMPTY);
        assert_eq!(board.hash(), 0);
    }

    #[test]
    fn boards_differ_where_pieces_do() {
        let board = menagerie();
        let mut other = board;
        assert_eq!(board.differing(&other), Bitboard::EMPTY);
        other.place(Square::A1, Piece::SilverRabbit);
        other.remove(Square::F1);
        other.place(Square::H8, Piece::GoldCat);
        let expected = Square::A1.bit() | Square::F1.bit() | Square::H8.bit();
        assert_eq!(board.differing(&other), expected);
        assert_eq!(other.differing(&board), expected);
    }

    #[test]
    fn planes_with_impossible_codes_are_refused() {
        assert!(Board::from_planes([1, 1, 1, 0]).is_none());
        assert!(Board::from_planes([0, 0, 0, 1]).is_none());
        assert_eq!(Board::from_planes(*menagerie().planes()), Some(menagerie()));
    }
}

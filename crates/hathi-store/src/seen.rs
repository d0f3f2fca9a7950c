//! A board as the side to move sees it, and the parts of it that are
//! searched for.
//!
//! The rules do not know Gold from Silver once the board is turned round, so
//! every position is stored from the mover's side of the table: friends come
//! from rank 1 and move up, whoever they are. Left and right are left as they
//! were; keys are made so that a board and its mirror image have the same.

use hathi_rules::{PackedBoard, Position, Side, Square, Step, Symmetry, Turn};

/// Four bit planes (strength in 0 to 2, "enemy" in 3) in the mover's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Seen(pub [u64; 4]);

/// Ranks 3 to 6.
pub(crate) const MIDDLE: u64 = 0x0000_ffff_ffff_0000;

/// The 5x5 squares round c3: files a to e, ranks 1 to 5.
const WINDOW: u64 = 0x0000_001f_1f1f_1f1f;

/// A trap as the mover sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SeenTrap(u8);

impl SeenTrap {
    /// c3, f3, c6, f6 in the mover's view.
    pub const ALL: [SeenTrap; 4] = [SeenTrap(0), SeenTrap(1), SeenTrap(2), SeenTrap(3)];

    /// The trap on this square, seen by `side`; none if it is no trap.
    pub fn of_square(square: Square, side: Side) -> Option<SeenTrap> {
        let square = orientation(side).apply(square);
        let index = Square::TRAPS.iter().position(|&trap| trap == square)?;
        Some(SeenTrap(index as u8))
    }

    /// The square of the trap for `side`.
    pub fn square(self, side: Side) -> Square {
        orientation(side).apply(Square::TRAPS[usize::from(self.0 & 3)])
    }

    /// 0 to 3.
    pub const fn index(self) -> u8 {
        self.0
    }

    /// The trap with this number, the low two bits of `index`.
    pub const fn from_index(index: u32) -> SeenTrap {
        SeenTrap((index & 3) as u8)
    }

    /// Is it on the right wing?
    pub(crate) const fn is_right(self) -> bool {
        self.0 & 1 != 0
    }

    /// Is it on the opponent's half?
    pub(crate) const fn is_away(self) -> bool {
        self.0 & 2 != 0
    }
}

/// What turns a board into the view of `side`, and back.
pub(crate) const fn orientation(side: Side) -> Symmetry {
    match side {
        Side::Gold => Symmetry::IDENTITY,
        Side::Silver => Symmetry::FLIP,
    }
}

#[inline]
const fn mirror(plane: u64) -> u64 {
    plane.swap_bytes().reverse_bits()
}

impl Seen {
    /// The board of a position in the view of its mover.
    #[inline]
    pub fn of(position: &Position) -> Seen {
        let mut planes = PackedBoard::from(position.board()).planes();
        if position.side_to_move() == Side::Silver {
            planes[3] ^= planes[0] | planes[1] | planes[2];
            planes = planes.map(u64::swap_bytes);
        }
        Seen(planes)
    }

    /// Left and right exchanged.
    #[inline]
    #[must_use]
    pub fn mirrored(self) -> Seen {
        Seen(self.0.map(mirror))
    }

    /// Only the given squares.
    #[inline]
    #[must_use]
    pub(crate) fn masked(self, squares: u64) -> Seen {
        Seen(self.0.map(|plane| plane & squares))
    }

    /// The half board: ranks 3 to 6.
    #[inline]
    #[must_use]
    pub fn half(self) -> Seen {
        self.masked(MIDDLE)
    }

    /// The 5x5 squares round a trap, moved and mirrored to where those of c3
    /// are.
    #[inline]
    #[must_use]
    pub fn window(self, trap: SeenTrap) -> Seen {
        let board = if trap.is_right() {
            self.mirrored()
        } else {
            self
        };
        let down = if trap.is_away() { 24 } else { 0 };
        Seen(board.0.map(|plane| plane >> down & WINDOW))
    }

    /// A window put back to where the squares of this trap are.
    #[cfg(feature = "postgres")]
    #[must_use]
    pub(crate) fn placed(self, trap: SeenTrap) -> Seen {
        let up = if trap.is_away() { 24 } else { 0 };
        let board = Seen(self.0.map(|plane| plane << up));
        if trap.is_right() {
            board.mirrored()
        } else {
            board
        }
    }

    /// Friends and enemies without their strength.
    #[inline]
    #[must_use]
    pub(crate) fn sides_only(self) -> Seen {
        let [p0, p1, p2, p3] = self.0;
        Seen([p0 | p1 | p2, 0, 0, p3])
    }

    /// Enemies told apart only by whether they are weaker than, equal to or
    /// stronger than a piece of this strength (1 rabbit to 6 elephant);
    /// friends are just friends.
    #[inline]
    #[must_use]
    pub(crate) fn relative_to(self, strength: u8) -> Seen {
        let [p0, p1, p2, enemy] = self.0;
        let bit = |i: u8| u64::from(strength >> i & 1).wrapping_neg();
        let (s0, s1, s2) = (bit(0), bit(1), bit(2));
        let same = !(p0 ^ s0) & !(p1 ^ s1) & !(p2 ^ s2);
        let stronger = (p2 & !s2) | (!(p2 ^ s2) & ((p1 & !s1) | (!(p1 ^ s1) & (p0 & !s0))));
        Seen([p0 | p1 | p2, same & enemy, stronger & enemy, enemy])
    }

    /// Ten bits of hash of where in a window enemies stand that are stronger than
    /// each of the five pieces below an elephant, one behind the other, the rabbit's
    /// first. With friends and enemies known, two of them that follow each other are the shape by
    /// a piece.
    #[cfg(feature = "postgres")]
    pub(crate) fn stronger_bits(self) -> u64 {
        (1..=5u8).fold(0, |all, strength| {
            all | hash_bits(self.relative_to(strength).0[2]) << (10 * (strength - 1))
        })
    }

    /// Which of the [`stronger_bits`](Seen::stronger_bits) a shape by a piece of
    /// this strength decides, and what they are.
    #[cfg(feature = "postgres")]
    pub(crate) fn stronger_bits_of_shape(self, strength: u8) -> (u64, u64) {
        let [_, same, stronger, _] = self.0;
        let (mut mask, mut bits) = (0, 0);
        for (than, enemies) in [(strength - 1, same | stronger), (strength, stronger)] {
            if (1..=5).contains(&than) {
                let shift = 10 * (than - 1);
                mask |= 0x3ff << shift;
                bits |= hash_bits(enemies) << shift;
            }
        }
        (mask, bits)
    }

    /// A hash of exactly these planes.
    #[inline]
    pub fn hash(self) -> u64 {
        let [p0, p1, p2, p3] = self.0;
        fold(p0 ^ 0x9e37_79b9_7f4a_7c15, p1 ^ 0xbf58_476d_1ce4_e5b9)
            .wrapping_add(fold(p2 ^ 0x94d0_49bb_1331_11eb, p3 ^ 0xd6e8_feb8_6659_fd93))
    }

    /// A hash that a board and its mirror image share.
    #[inline]
    pub(crate) fn hash_either_way(self) -> u64 {
        let (one, other) = (self.hash(), self.mirrored().hash());
        fold(one.min(other), one.max(other) ^ 0xa076_1d64_78bd_642f)
    }

    /// A hash of a window, told apart by the half of the board it is on.
    #[inline]
    pub(crate) fn window_hash(self, trap: SeenTrap) -> u64 {
        self.hash()
            ^ if trap.is_away() {
                0x5851_f42d_4c95_7f2d
            } else {
                0
            }
    }

    /// The packed board in the mover's view.
    pub(crate) fn to_packed(self) -> PackedBoard {
        let mut bytes = [0; 32];
        for (chunk, plane) in bytes.chunks_exact_mut(8).zip(self.0) {
            chunk.copy_from_slice(&plane.to_le_bytes());
        }
        PackedBoard(bytes)
    }
}

/// Ten bits of hash of some squares.
#[cfg(feature = "postgres")]
const fn hash_bits(squares: u64) -> u64 {
    squares.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 54
}

/// Multiplies to 128 bits and folds the halves: every bit of both words
/// reaches every bit of the result.
#[inline]
const fn fold(a: u64, b: u64) -> u64 {
    let product = a as u128 * b as u128;
    (product as u64) ^ (product >> 64) as u64
}

/// A turn in eight bytes: four steps, 0 for none.
pub(crate) fn pack_turn(turn: &Turn) -> [u16; 4] {
    let mut steps = [0; 4];
    for (place, step) in steps.iter_mut().zip(turn.steps()) {
        *place = step.to_bits();
    }
    steps
}

/// The turn of eight bytes; none if they hold something that is no step.
pub(crate) fn unpack_turn(steps: [u16; 4]) -> Option<Turn> {
    let mut turn = Turn::EMPTY;
    for bits in steps.into_iter().take_while(|&bits| bits != 0) {
        turn.push(Step::from_bits(bits)?).ok()?;
    }
    Some(turn)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hathi_rules::{Board, Piece};

    fn position() -> Position {
        "s
        8| . r . . . . . . |
        7| e . . . . . . c |
        6| . . D . . x . . |
        5| . . C . . . h . |
        4| . . . . E . . . |
        3| . . x . . M . . |
        2| . . . . . H . . |
        1| . . . . . . R . |"
            .parse()
            .unwrap()
    }

    #[test]
    fn silver_sees_what_gold_would_after_a_colour_flip() {
        let silver = position();
        let gold = Symmetry::FLIP.apply(silver);
        assert_eq!(Seen::of(&silver), Seen::of(&gold));
        assert_eq!(
            Board::try_from(Seen::of(&silver).to_packed()).unwrap(),
            *gold.board()
        );
    }

    #[test]
    fn mirror_images_share_their_keys() {
        let seen = Seen::of(&position());
        let image = Seen::of(&Symmetry::MIRROR.apply(position()));
        assert_ne!(seen, image);
        assert_eq!(seen.mirrored(), image);
        assert_eq!(seen.hash_either_way(), image.hash_either_way());
        for (left, right) in [(0, 1), (2, 3)] {
            let (left, right) = (SeenTrap(left), SeenTrap(right));
            assert_eq!(seen.window(left), image.window(right));
            assert_eq!(seen.window(right), image.window(left));
        }
    }

    #[test]
    fn windows_are_five_by_five() {
        let all = Seen([!0; 4]);
        for trap in SeenTrap::ALL {
            assert_eq!(all.window(trap).0[0].count_ones(), 25);
        }
        // c6 seen by Silver is c3 in its own view.
        let trap = SeenTrap::of_square(Square::C6, Side::Silver).unwrap();
        assert_eq!(trap, SeenTrap(0));
        assert_eq!(trap.square(Side::Silver), Square::C6);
        assert_eq!(SeenTrap::of_square(Square::A1, Side::Gold), None);
    }

    #[test]
    fn relative_strength() {
        let mut board = Board::EMPTY;
        board.place(Square::A4, Piece::GoldRabbit);
        board.place(Square::B4, Piece::SilverCat);
        board.place(Square::C4, Piece::SilverHorse);
        board.place(Square::D4, Piece::SilverElephant);
        let seen = Seen::of(&Position::composed(board, Side::Gold)).relative_to(4);
        let bits = |squares: &[Square]| squares.iter().fold(0, |set, s| set | s.bit().0);
        let everybody = [Square::A4, Square::B4, Square::C4, Square::D4];
        assert_eq!(seen.0[0], bits(&everybody));
        assert_eq!(seen.0[1], bits(&[Square::C4]));
        assert_eq!(seen.0[2], bits(&[Square::D4]));
        assert_eq!(seen.0[3], bits(&everybody[1..]));
    }

    #[test]
    #[cfg(feature = "postgres")]
    fn what_is_stronger_tells_shapes_apart() {
        let seen = Seen::of(&position());
        for trap in SeenTrap::ALL {
            let window = seen.window(trap);
            for strength in 1..=6 {
                let (mask, bits) = window
                    .relative_to(strength)
                    .stronger_bits_of_shape(strength);
                assert_eq!(window.stronger_bits() & mask, bits);
                let count = if (2..=5).contains(&strength) { 20 } else { 10 };
                assert_eq!(mask.count_ones(), count);
            }
        }
        // A cat in place of a dog is another shape by a cat and by a dog, but not by
        // any other piece.
        let with = |piece| {
            let mut board = Board::EMPTY;
            board.place(Square::B4, piece);
            Seen::of(&Position::composed(board, Side::Gold)).window(SeenTrap(0))
        };
        let (cat, dog) = (with(Piece::SilverCat), with(Piece::SilverDog));
        for strength in 1..=6 {
            let (mask, bits) = cat.relative_to(strength).stronger_bits_of_shape(strength);
            let same = dog.stronger_bits() & mask == bits;
            assert_eq!(same, !(2..=3).contains(&strength), "{strength}");
        }
    }

    #[test]
    fn turns_round_trip() {
        for text in ["", "Ea2n", "rb3e rc3x Hb2n Ed4n", "Ea2n Ea3n Ea4n Ea5n"] {
            let turn: Turn = text.parse().unwrap();
            assert_eq!(unpack_turn(pack_turn(&turn)), Some(turn));
        }
        assert_eq!(unpack_turn([0xffff, 0, 0, 0]), None);
    }
}

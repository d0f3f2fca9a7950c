//! A board in 32 bytes, for disk and for scanning millions of them.

use crate::Board;

/// Four bits a square, bit-sliced: the four planes of [`Board`] as
/// little-endian 64-bit words. Plane 0 to 2 hold the strength of the piece,
/// plane 3 its side; bit *n* of each belongs to square number *n* (`a1` = 0).
///
/// Sliced this way a wildcard pattern ("a friend stronger than a dog on any of
/// these squares") is a handful of word operations for all 64 squares at once.
///
/// ```
/// use hathi_rules::{Board, PackedBoard, Piece, Square};
/// let mut board = Board::EMPTY;
/// board.place(Square::C3, Piece::SilverCat);
/// let packed = PackedBoard::from(&board);
/// assert_eq!(Board::try_from(packed)?, board);
/// # Ok::<(), hathi_rules::CorruptBoard>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct PackedBoard(pub [u8; 32]);

const _: () = assert!(size_of::<PackedBoard>() == 32);

/// The bytes hold a code that means no piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the packed board is corrupt: a square holds a code that means no piece")]
pub struct CorruptBoard;

impl From<&Board> for PackedBoard {
    #[inline]
    fn from(board: &Board) -> PackedBoard {
        let mut bytes = [0; 32];
        for (chunk, plane) in bytes.chunks_exact_mut(8).zip(board.planes()) {
            chunk.copy_from_slice(&plane.to_le_bytes());
        }
        PackedBoard(bytes)
    }
}

impl TryFrom<PackedBoard> for Board {
    type Error = CorruptBoard;

    fn try_from(packed: PackedBoard) -> Result<Board, CorruptBoard> {
        Board::from_planes(packed.planes()).ok_or(CorruptBoard)
    }
}

impl PackedBoard {
    /// The four words.
    #[inline]
    pub fn planes(&self) -> [u64; 4] {
        let mut planes = [0; 4];
        for (plane, chunk) in planes.iter_mut().zip(self.0.chunks_exact(8)) {
            let mut word = [0; 8];
            word.copy_from_slice(chunk);
            *plane = u64::from_le_bytes(word);
        }
        planes
    }
}

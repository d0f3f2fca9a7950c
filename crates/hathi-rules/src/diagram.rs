//! The canonical drawing of a board, as in position files.

use std::fmt;

use crate::{Board, File, Piece, Rank, Square};

/// Draws a board with frame, rank numbers and file letters.
///
/// ```
/// use hathi_rules::{Board, Diagram, Piece, Square};
/// let mut board = Board::EMPTY;
/// board.place(Square::D2, Piece::GoldElephant);
/// assert_eq!(Diagram(&board).to_string(), "\
/// \x20+-----------------+
/// 8| . . . . . . . . |
/// 7| . . . . . . . . |
/// 6| . . x . . x . . |
/// 5| . . . . . . . . |
/// 4| . . . . . . . . |
/// 3| . . x . . x . . |
/// 2| . . . E . . . . |
/// 1| . . . . . . . . |
/// \x20+-----------------+
/// \x20  a b c d e f g h");
/// ```
#[derive(Clone, Copy)]
pub struct Diagram<'a>(pub &'a Board);

impl fmt::Display for Diagram<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const FRAME: &str = " +-----------------+\n";
        f.write_str(FRAME)?;
        for rank in Rank::ALL.into_iter().rev() {
            write!(f, "{rank}|")?;
            for file in File::ALL {
                let square = Square::new(file, rank);
                let empty = if square.is_trap() { 'x' } else { '.' };
                write!(
                    f,
                    " {}",
                    self.0.piece_at(square).map_or(empty, Piece::to_char)
                )?;
            }
            f.write_str(" |\n")?;
        }
        f.write_str(FRAME)?;
        f.write_str("   a b c d e f g h")
    }
}

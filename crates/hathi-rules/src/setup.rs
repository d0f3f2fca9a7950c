//! The first turn of each side: sixteen pieces on two ranks.

use std::fmt;
use std::str::FromStr;

use crate::step::Token;
use crate::turn::words;
use crate::{Board, Piece, Role, Side, Square};

/// A complete setup of one side. However it was written, the same arrangement
/// is the same value.
///
/// ```
/// use hathi_rules::Setup;
/// let one: Setup = "Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2".parse()?;
/// let two: Setup = "Ee2 Md2 Ha2 Hh2 Db2 Dg2 Cc2 Cf2 Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1".parse()?;
/// assert_eq!(one, two);
/// assert_eq!(one.to_string(), two.to_string());
/// # Ok::<(), hathi_rules::ParseSetupError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Setup {
    side: Side,
    /// In the order of the squares, lowest first.
    roles: [Role; 16],
}

/// The text is not a complete setup.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseSetupError {
    /// A word that does not place a piece.
    #[error("`{0}` does not place a piece: expected piece and square, such as `Ra1`")]
    NotAPlacement(String),
    /// Pieces of both sides.
    #[error("`{piece}{square}` is not {}'s piece", side.name())]
    WrongSide {
        /// The side that sets up.
        side: Side,
        /// The piece.
        piece: Piece,
        /// Its square.
        square: Square,
    },
    /// A square outside the two home ranks.
    #[error("`{piece}{square}` is outside {}'s two ranks", piece.side().name())]
    OutsideHome {
        /// The piece.
        piece: Piece,
        /// Its square.
        square: Square,
    },
    /// Two pieces on one square.
    #[error("two pieces are placed on {0}")]
    SquareTaken(Square),
    /// Too many or too few of a kind.
    #[error("{placed} {role}s are placed, a side has {}", role.count_at_start())]
    WrongCount {
        /// The kind.
        role: Role,
        /// How many were placed.
        placed: u32,
    },
    /// Nothing at all.
    #[error("no piece is placed")]
    Empty,
}

impl Setup {
    /// The setup of these roles on the home squares of `side`, lowest square
    /// first.
    pub fn new(side: Side, roles: [Role; 16]) -> Result<Setup, ParseSetupError> {
        let setup = Setup { side, roles };
        setup.check_counts()?;
        Ok(setup)
    }

    fn check_counts(&self) -> Result<(), ParseSetupError> {
        for role in Role::ALL {
            let placed = self.roles.iter().filter(|&&r| r == role).count() as u32;
            if placed != role.count_at_start() {
                return Err(ParseSetupError::WrongCount { role, placed });
            }
        }
        Ok(())
    }

    /// The setup `side` has on a board, if its pieces stand as after one.
    pub fn of_board(board: &Board, side: Side) -> Option<Setup> {
        if board.side(side) != side.home() {
            return None;
        }
        let mut roles = [Role::Rabbit; 16];
        for (role, square) in roles.iter_mut().zip(side.home()) {
            *role = board.role_at(square);
        }
        Setup::new(side, roles).ok()
    }

    /// Whose setup it is.
    pub const fn side(&self) -> Side {
        self.side
    }

    /// The roles on the home squares, lowest square first.
    pub const fn roles(&self) -> &[Role; 16] {
        &self.roles
    }

    /// Each piece with its square, lowest square first.
    pub fn placements(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        self.side
            .home()
            .into_iter()
            .zip(self.roles.iter().map(|&role| Piece::new(self.side, role)))
    }

    /// Puts the pieces on a board.
    pub fn place_on(&self, board: &mut Board) {
        for (square, piece) in self.placements() {
            board.place(square, piece);
        }
    }

    /// Reads the words of a setup; the first piece says whose it is.
    pub(crate) fn read(text: &[u8]) -> Result<Setup, ParseSetupError> {
        let mut placed = Board::EMPTY;
        let mut first: Option<Side> = None;
        for word in words(text) {
            let Some(Token::Placement(piece, square)) = Token::read(word) else {
                return Err(ParseSetupError::NotAPlacement(crate::shorten_bytes(word)));
            };
            let side = *first.get_or_insert(piece.side());
            if piece.side() != side {
                return Err(ParseSetupError::WrongSide {
                    side,
                    piece,
                    square,
                });
            }
            if !side.home().contains(square) {
                return Err(ParseSetupError::OutsideHome { piece, square });
            }
            if placed.occupied().contains(square) {
                return Err(ParseSetupError::SquareTaken(square));
            }
            placed.place(square, piece);
        }
        let side = first.ok_or(ParseSetupError::Empty)?;
        for role in Role::ALL {
            let count = placed.role(role).len();
            if count != role.count_at_start() {
                return Err(ParseSetupError::WrongCount {
                    role,
                    placed: count,
                });
            }
        }
        // Right counts on distinct home squares: all sixteen are taken.
        let mut roles = [Role::Rabbit; 16];
        for (role, square) in roles.iter_mut().zip(side.home()) {
            *role = placed.role_at(square);
        }
        Ok(Setup { side, roles })
    }
}

impl FromStr for Setup {
    type Err = ParseSetupError;

    fn from_str(text: &str) -> Result<Setup, ParseSetupError> {
        Setup::read(text.as_bytes())
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (square, piece)) in self.placements().enumerate() {
            let space = if i > 0 { " " } else { "" };
            write!(f, "{space}{piece}{square}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{self}`")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOLD: &str = "Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2";

    #[test]
    fn prints_in_the_order_of_the_squares() {
        assert_eq!(GOLD.parse::<Setup>().unwrap().to_string(), GOLD);
    }

    #[test]
    fn says_what_is_wrong() {
        let wrong = |from: &str, to: &str| {
            GOLD.replacen(from, to, 1)
                .parse::<Setup>()
                .unwrap_err()
                .to_string()
        };
        assert_eq!(wrong("Hh2", "Rh2"), "9 rabbits are placed, a side has 8");
        assert_eq!(wrong("Hh2", ""), "1 horses are placed, a side has 2");
        assert_eq!(wrong("Hh2", "Hh3"), "`Hh3` is outside Gold's two ranks");
        assert_eq!(wrong("Hh2", "hh7"), "`hh7` is not Gold's piece");
        assert_eq!(wrong("Hh2", "Hg2"), "two pieces are placed on g2");
        assert_eq!(
            wrong("Hh2", "Hh2n"),
            "`Hh2n` does not place a piece: expected piece and square, such as `Ra1`"
        );
        assert_eq!("".parse::<Setup>(), Err(ParseSetupError::Empty));
    }

    #[test]
    fn found_again_on_the_board() {
        let setup: Setup = GOLD.parse().unwrap();
        let mut board = Board::EMPTY;
        setup.place_on(&mut board);
        assert_eq!(Setup::of_board(&board, Side::Gold), Some(setup));
        assert_eq!(Setup::of_board(&board, Side::Silver), None);
    }
}

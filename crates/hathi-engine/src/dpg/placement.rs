//! `Ed6`, `HDb3`, `!Mg3`, `!g3`: what must, or must not, stand on a square.

use std::fmt;

use hathi_rules::{Board, Piece, Side, Square, Symmetric, Symmetry};

/// A set of kinds of pieces.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pieces(u16);

impl Pieces {
    const ALL: Pieces = Pieces(0xfff);

    /// Letters of pieces; `G` is any gold one, `s` any silver one.
    pub(crate) fn parse(letters: &str) -> Option<Pieces> {
        if letters.is_empty() {
            return None;
        }
        let mut set = Pieces(0);
        for letter in letters.chars() {
            set.0 |= match letter {
                'G' => Pieces::of(Side::Gold).0,
                's' => Pieces::of(Side::Silver).0,
                _ => 1 << Piece::from_char(letter)?.index(),
            };
        }
        Some(set)
    }

    pub(crate) fn of(side: Side) -> Pieces {
        let own = Piece::ALL.into_iter().filter(|piece| piece.side() == side);
        Pieces(own.fold(0, |set, piece| set | 1 << piece.index()))
    }

    pub(crate) fn contains(self, piece: Piece) -> bool {
        self.0 & 1 << piece.index() != 0
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = Piece> {
        Piece::ALL
            .into_iter()
            .filter(move |&piece| self.contains(piece))
    }

    /// The one kind in it.
    pub(crate) fn single(self) -> Option<Piece> {
        let mut all = self.iter();
        let one = all.next()?;
        all.next().is_none().then_some(one)
    }

    pub(crate) fn is_only(self, side: Side) -> bool {
        self.iter().all(|piece| piece.side() == side)
    }
}

impl fmt::Debug for Pieces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Pieces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Pieces::of(Side::Gold) {
            return f.write_str("G");
        }
        if *self == Pieces::of(Side::Silver) {
            return f.write_str("s");
        }
        let strongest_first: String = self.iter().map(Piece::to_char).collect();
        f.write_str(&strongest_first.chars().rev().collect::<String>())
    }
}

/// Who must, or must not, stand on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Placement {
    pub(crate) square: Square,
    pub(crate) pieces: Pieces,
    pub(crate) negated: bool,
}

impl Placement {
    /// Reads a word; none if it is no placement.
    pub(crate) fn parse(word: &str) -> Option<Placement> {
        let (negated, rest) = match word.strip_prefix('!') {
            Some(rest) => (true, rest),
            None => (false, word),
        };
        if !rest.is_ascii() || rest.len() < 2 {
            return None;
        }
        let (letters, square) = rest.split_at(rest.len() - 2);
        let square = square.parse().ok()?;
        let pieces = if letters.is_empty() && negated {
            Pieces::ALL
        } else {
            Pieces::parse(letters)?
        };
        Some(Placement {
            square,
            pieces,
            negated,
        })
    }

    pub(crate) fn holds(self, board: &Board) -> bool {
        let there = board
            .piece_at(self.square)
            .is_some_and(|piece| self.pieces.contains(piece));
        there != self.negated
    }

    /// Does it ask for a piece of ours (Gold's) there?
    pub(crate) fn wants_ours(self) -> bool {
        !self.negated && self.pieces.is_only(Side::Gold)
    }

    /// The same on another part of the board; colours stay.
    pub(crate) fn moved(self, mirror: bool, flip: bool) -> Placement {
        let symmetry = Symmetry { mirror, flip };
        Placement {
            square: self.square.under(symmetry),
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read() {
        let mut board = Board::EMPTY;
        board.place(Square::E3, Piece::GoldElephant);
        for (word, holds) in [
            ("Ee3", true),
            ("HEe3", true),
            ("He3", false),
            ("!He3", true),
            ("!e3", false),
            ("!e4", true),
            ("Ge3", true),
            ("se3", false),
        ] {
            let placement = Placement::parse(word).expect(word);
            assert_eq!(placement.holds(&board), holds, "{word}");
        }
        for word in ["e3", "Xe3", "Ei3", "!", "", "E", "é3"] {
            assert_eq!(Placement::parse(word), None, "{word}");
        }
    }
}

//! What the memory can be asked, as values: a question is compared and hashed
//! like any other value, so it is its own key where answers are kept.
//!
//! | question | answer |
//! |---|---|
//! | [`PositionQuestion`]: what was played in positions like this one? | [`Answer`](crate::Answer) |
//! | [`PatternQuestion`]: where was it like this? | [`PatternAnswer`](crate::PatternAnswer) |
//!
//! The command line and the API read the words of a question with
//! [`KindWords`]; [`Question`] is either of them, and one line of text.

mod text;

use hathi_rules::{Bitboard, Piece, Position, Role, Side, Square};

use crate::filter::Filter;
use crate::pattern::Pattern;
use crate::seen::MIDDLE;

pub use text::{Question, QuestionError};

/// Which part of the board has to match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Kind {
    /// All of it.
    #[default]
    Full,
    /// Ranks 3 to 6.
    Half,
    /// The 5x5 squares round a trap.
    Area {
        /// The trap.
        trap: Square,
    },
    /// The same squares, but friends are just friends, and enemies are told
    /// apart only by whether they are weaker than, equal to or stronger than
    /// a piece.
    AreaByPiece {
        /// The trap.
        trap: Square,
        /// The piece.
        piece: Role,
    },
}

impl Kind {
    /// The names of the four kinds, the most of the board first.
    pub const NAMES: [&'static str; 4] = ["full", "half", "area", "area-by-piece"];

    /// The four kinds, in the order of their names.
    #[must_use]
    pub const fn all(Focus { trap, piece }: Focus) -> [Kind; 4] {
        [
            Kind::Full,
            Kind::Half,
            Kind::Area { trap },
            Kind::AreaByPiece { trap, piece },
        ]
    }

    /// What it is called everywhere.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Full => Kind::NAMES[0],
            Kind::Half => Kind::NAMES[1],
            Kind::Area { .. } => Kind::NAMES[2],
            Kind::AreaByPiece { .. } => Kind::NAMES[3],
        }
    }

    /// The trap it is about, if it is about one.
    #[must_use]
    pub const fn trap(self) -> Option<Square> {
        match self {
            Kind::Full | Kind::Half => None,
            Kind::Area { trap } | Kind::AreaByPiece { trap, .. } => Some(trap),
        }
    }

    /// The piece that enemies are compared with, if they are.
    #[must_use]
    pub const fn piece(self) -> Option<Role> {
        match self {
            Kind::AreaByPiece { piece, .. } => Some(piece),
            _ => None,
        }
    }

    /// The squares that must match.
    #[must_use]
    pub fn squares(self) -> Bitboard {
        match self {
            Kind::Full => Bitboard::ALL,
            Kind::Half => Bitboard(MIDDLE),
            Kind::Area { trap } | Kind::AreaByPiece { trap, .. } => area(trap),
        }
    }
}

/// The 5x5 squares round a trap.
#[must_use]
pub fn area(trap: Square) -> Bitboard {
    Square::all()
        .filter(|square| {
            let files = trap.file().index().abs_diff(square.file().index());
            let ranks = trap.rank().index().abs_diff(square.rank().index());
            files <= 2 && ranks <= 2
        })
        .fold(Bitboard::EMPTY, |set, square| set | square.bit())
}

/// The trap nearest to a square: where the opponent has just been busy. Of
/// several equally near, the first of c3, f3, c6, f6.
#[must_use]
pub fn nearest_trap(square: Square) -> Square {
    Square::TRAPS
        .into_iter()
        .min_by_key(|trap| trap.distance(square))
        .unwrap_or(Square::C3)
}

/// The trap and the piece that questions about an area are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Focus {
    /// The trap.
    pub trap: Square,
    /// The piece that enemies are compared with.
    pub piece: Role,
}

impl Focus {
    /// What is meant when nobody says which: the trap nearest to the mover's
    /// elephant, where something is going on (c3 for Gold and c6 for Silver
    /// without one), and the mover's strongest piece in its area (the elephant
    /// if there is none).
    #[must_use]
    pub fn usual(position: &Position) -> Focus {
        let side = position.side_to_move();
        let elephant = position.board().pieces(Piece::new(side, Role::Elephant));
        let trap = match (elephant.first(), side) {
            (Some(square), _) => nearest_trap(square),
            (None, Side::Gold) => Square::C3,
            (None, Side::Silver) => Square::C6,
        };
        Focus::round(position, trap)
    }

    /// The usual piece round this trap.
    #[must_use]
    pub fn round(position: &Position, trap: Square) -> Focus {
        let board = position.board();
        let own = board.side(position.side_to_move()) & area(trap);
        let piece = Role::ALL
            .into_iter()
            .rev()
            .find(|&role| !(own & board.role(role)).is_empty())
            .unwrap_or(Role::Elephant);
        Focus { trap, piece }
    }
}

/// Does a game of the other colour, or its mirror image, count?
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Matching {
    /// Yes: one game teaches four.
    #[default]
    Symmetric,
    /// No: exactly this board with this side to move.
    Literal,
}

/// What was played in positions like this one?
///
/// ```
/// use hathi_store::{Kind, PositionQuestion};
/// # let position: hathi_rules::Position =
/// #     "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]".parse()?;
/// let question = PositionQuestion::new(position, Kind::Half).literal();
/// assert_ne!(question, PositionQuestion::new(position, Kind::Half));
/// # Ok::<(), hathi_rules::ParsePositionError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PositionQuestion {
    /// The position.
    pub position: Position,
    /// Which part of it has to match.
    pub kind: Kind,
    /// Do mirror images and exchanged colours count?
    pub matching: Matching,
    /// Which games count.
    pub filter: Filter,
    /// Only the best so many hits are looked at: quick, however many there
    /// are. None for all.
    pub best_hits: Option<usize>,
    /// Turns to give back at most; all are counted.
    pub limit: usize,
}

impl PositionQuestion {
    /// About all games, with their mirror images and exchanged colours.
    #[must_use]
    pub fn new(position: Position, kind: Kind) -> PositionQuestion {
        PositionQuestion {
            position,
            kind,
            matching: Matching::Symmetric,
            filter: Filter::default(),
            best_hits: None,
            limit: usize::MAX,
        }
    }

    /// About exactly this board.
    #[must_use]
    pub fn literal(self) -> PositionQuestion {
        self.matching(Matching::Literal)
    }

    /// With or without mirror images and exchanged colours.
    #[must_use]
    pub fn matching(mut self, matching: Matching) -> PositionQuestion {
        self.matching = matching;
        self
    }

    /// About these games only.
    #[must_use]
    pub fn of_games(mut self, filter: Filter) -> PositionQuestion {
        self.filter = filter;
        self
    }

    /// About the best so many hits only.
    #[must_use]
    pub fn best_hits(mut self, most: usize) -> PositionQuestion {
        self.best_hits = Some(most);
        self
    }

    /// With so many turns in the answer at most.
    #[must_use]
    pub fn limit(mut self, limit: usize) -> PositionQuestion {
        self.limit = limit;
        self
    }

    /// The same about another part of the board.
    #[must_use]
    pub fn with_kind(&self, kind: Kind) -> PositionQuestion {
        PositionQuestion {
            kind,
            ..self.clone()
        }
    }

    /// How often a position that came of it was reached, by whatever turns and
    /// at whatever move.
    #[must_use]
    pub fn reached(&self, after: Position) -> PositionQuestion {
        let filter = Filter {
            move_numbers: None,
            ..self.filter.clone()
        };
        PositionQuestion {
            position: after,
            kind: Kind::Full,
            filter,
            limit: 0,
            ..self.clone()
        }
    }
}

/// Where was it like this?
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PatternQuestion {
    /// What the board was like.
    pub pattern: Pattern,
    /// Do mirror images and exchanged colours count?
    pub matching: Matching,
    /// Which games count.
    pub filter: Filter,
    /// Hits to give back at most, the best ones; all are counted.
    pub limit: usize,
    /// Of each game only the best hit is given back.
    pub one_per_game: bool,
}

impl PatternQuestion {
    /// About all games, with their mirror images and exchanged colours.
    #[must_use]
    pub fn new(pattern: Pattern) -> PatternQuestion {
        PatternQuestion {
            pattern,
            matching: Matching::Symmetric,
            filter: Filter::default(),
            limit: usize::MAX,
            one_per_game: false,
        }
    }
}

/// The part of the board as people write it: options of the command line,
/// parameters of the API. What is left out is decided by the position.
///
/// ```
/// use hathi_rules::{Role, Square};
/// use hathi_store::{Kind, KindWords};
/// # let position: hathi_rules::Position =
/// #     "g [rrrrrrrrhdcemcdh                    E           HDCM CDHRRRRRRRR]".parse()?;
/// // Gold's elephant on e4 is nearest to f3.
/// let words = KindWords { kind: "area-by-piece", ..KindWords::default() };
/// assert_eq!(words.read(&position)?, Kind::AreaByPiece { trap: Square::F3, piece: Role::Elephant });
/// let words = KindWords { kind: "area", last: Some("b6"), ..KindWords::default() };
/// assert_eq!(words.read(&position)?, Kind::Area { trap: Square::C6 });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct KindWords<'a> {
    /// One of [`Kind::NAMES`].
    pub kind: &'a str,
    /// The trap of the area.
    pub trap: Option<&'a str>,
    /// Or the square the opponent last moved to: the trap nearest to it.
    pub last: Option<&'a str>,
    /// The letter of the piece that enemies are compared with.
    pub piece: Option<&'a str>,
}

impl Default for KindWords<'_> {
    fn default() -> Self {
        KindWords {
            kind: Kind::NAMES[0],
            trap: None,
            last: None,
            piece: None,
        }
    }
}

/// Words that do not say what part of the board is meant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KindError {
    /// There is no such kind.
    #[error("`{0}` is no kind of match: there are {names}", names = Kind::NAMES.join(", "))]
    Kind(String),
    /// Not a trap.
    #[error("`{0}` is no trap: the traps are c3, f3, c6 and f6")]
    Trap(String),
    /// Not a square.
    #[error("`{0}` is no square: expected one from a1 to h8")]
    Square(String),
    /// Not a piece.
    #[error("`{0}` is no piece: a piece is one of E, M, H, D, C, R")]
    Piece(String),
}

impl KindWords<'_> {
    /// The trap and the piece that are meant in this position.
    pub fn focus(&self, position: &Position) -> Result<Focus, KindError> {
        let square = |text: &str| text.trim().parse::<Square>().ok();
        let trap = match (self.trap, self.last) {
            (Some(text), _) => square(text)
                .filter(|square| square.is_trap())
                .map(Some)
                .ok_or_else(|| KindError::Trap(shown(text)))?,
            (None, Some(text)) => square(text)
                .map(|last| Some(nearest_trap(last)))
                .ok_or_else(|| KindError::Square(shown(text)))?,
            (None, None) => None,
        };
        let usual = match trap {
            Some(trap) => Focus::round(position, trap),
            None => Focus::usual(position),
        };
        let Some(text) = self.piece else {
            return Ok(usual);
        };
        let mut letters = text.chars();
        match (letters.next().and_then(Role::from_char), letters.next()) {
            (Some(piece), None) => Ok(Focus { piece, ..usual }),
            _ => Err(KindError::Piece(shown(text))),
        }
    }

    /// The part of the board that is meant in this position.
    pub fn read(&self, position: &Position) -> Result<Kind, KindError> {
        let kinds = Kind::all(self.focus(position)?);
        kinds
            .into_iter()
            .find(|kind| kind.name() == self.kind)
            .ok_or_else(|| KindError::Kind(shown(self.kind)))
    }
}

/// Not more of a wrong word than anybody wants to read.
fn shown(text: &str) -> String {
    text.chars().take(20).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position() -> Position {
        "s
        8| . r . . . . . . |
        7| . . . . . . e c |
        6| . . D . . x . . |
        5| . . C . . . h . |
        4| . . . . E . . . |
        3| . . x . . M . . |
        2| . . . . . H . . |
        1| . . . . . . R . |"
            .parse()
            .unwrap()
    }

    fn read(words: &KindWords<'_>) -> Result<Kind, String> {
        words.read(&position()).map_err(|error| error.to_string())
    }

    #[test]
    fn what_is_left_out_is_decided_by_the_position() {
        let by_piece = KindWords {
            kind: "area-by-piece",
            ..KindWords::default()
        };
        let (trap, piece) = (Square::F6, Role::Elephant);
        assert_eq!(read(&by_piece), Ok(Kind::AreaByPiece { trap, piece }));
        let far = KindWords {
            trap: Some("c6"),
            ..by_piece
        };
        let (trap, piece) = (Square::C6, Role::Rabbit);
        assert_eq!(read(&far), Ok(Kind::AreaByPiece { trap, piece }));
        let named = KindWords {
            piece: Some("d"),
            last: Some("a2"),
            ..by_piece
        };
        let (trap, piece) = (Square::C3, Role::Dog);
        assert_eq!(read(&named), Ok(Kind::AreaByPiece { trap, piece }));
        // A trap that is named is meant, wherever the opponent moved.
        let both = KindWords {
            kind: "area",
            trap: Some("c6"),
            ..named
        };
        assert_eq!(read(&both), Ok(Kind::Area { trap: Square::C6 }));
    }

    #[test]
    fn words_that_mean_nothing_are_named() {
        let words = KindWords::default();
        for (words, wanted) in [
            (
                KindWords {
                    kind: "Full",
                    ..words
                },
                "`Full` is no kind",
            ),
            (
                KindWords {
                    trap: Some("c4"),
                    ..words
                },
                "`c4` is no trap",
            ),
            (
                KindWords {
                    last: Some("z9"),
                    ..words
                },
                "`z9` is no square",
            ),
            (
                KindWords {
                    piece: Some("EE"),
                    ..words
                },
                "`EE` is no piece",
            ),
        ] {
            let said = read(&words).unwrap_err();
            assert!(said.starts_with(wanted), "{said}");
        }
    }

    #[test]
    fn kinds_and_their_names_are_in_the_same_order() {
        let kinds = Kind::all(Focus::usual(&position()));
        assert_eq!(kinds.map(Kind::name), Kind::NAMES);
        let sizes = kinds.map(|kind| kind.squares().len());
        assert_eq!(sizes, [64, 32, 25, 25]);
    }
}

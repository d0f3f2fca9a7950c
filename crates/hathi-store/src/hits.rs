//! Positions that match a question: how one is recognised, and what was played
//! there. The same for the index file, the games in memory and the server.

use hathi_rules::{Ply, Position, Side, Symmetry, Turn};

use crate::answer::without_removals;
use crate::index::{IndexedGame, IndexedMove, PostingKind, posting_hash, rank_of};
use crate::model::GameRow;
use crate::question::{Kind, Matching, PositionQuestion};
use crate::seen::{Seen, SeenTrap, orientation, unpack_turn};

/// A position that matches, and what was played there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The game.
    pub game: GameRow,
    /// Where in that game.
    pub ply: Ply,
    /// The turn played, translated to the board that was asked about. It need
    /// not be legal there, unless the whole board matched.
    pub turn: Turn,
    /// How that game's board is turned to match.
    pub symmetry: Symmetry,
    /// Did the one who played it win?
    pub won: bool,
    /// Rating of the one who played it.
    pub rating: Option<u16>,
    /// When the game started, in seconds since 1970.
    pub started: Option<i64>,
    /// Turns the player had left, this one included.
    pub turns_left: u16,
}

/// The part of a board that is looked for.
pub(crate) struct Wanted {
    pub(crate) kind: PostingKind,
    pub(crate) hash: u64,
    side: Side,
    pub(crate) matching: Matching,
    what: What,
}

/// What the planes of a stored board are where it matches: for a database that
/// compares them itself.
#[cfg(feature = "postgres")]
pub(crate) struct Shape {
    /// The window that is looked at; the first one for other kinds.
    pub(crate) trap: SeenTrap,
    /// Is it the mirror image?
    pub(crate) mirrored: bool,
    /// These squares count.
    pub(crate) squares: u64,
    /// The planes on them, of the board or, with a strength, relative to it.
    pub(crate) planes: Seen,
    pub(crate) strength: Option<u8>,
    /// Only with this side to move.
    pub(crate) mover: Option<Side>,
}

enum What {
    /// Board or half board, and its mirror image.
    Board {
        part: fn(Seen) -> Seen,
        seen: Seen,
        image: Seen,
    },
    Window {
        trap: SeenTrap,
        seen: Seen,
        strength: Option<u8>,
    },
}

impl Wanted {
    pub(crate) fn new(question: &PositionQuestion) -> Option<Wanted> {
        let position = &question.position;
        let board = Seen::of(position);
        let side = position.side_to_move();
        let whole = |part: fn(Seen) -> Seen| What::Board {
            part,
            seen: part(board),
            image: part(board).mirrored(),
        };
        let (posting, trap, what) = match question.kind {
            Kind::Full => (
                PostingKind::Full,
                SeenTrap::from_index(0),
                whole(|seen| seen),
            ),
            Kind::Half => (
                PostingKind::Half,
                SeenTrap::from_index(0),
                whole(Seen::half),
            ),
            Kind::Area { trap } => {
                let trap = SeenTrap::of_square(trap, side)?;
                let what = What::Window {
                    trap,
                    seen: board.window(trap),
                    strength: None,
                };
                (PostingKind::Area, trap, what)
            }
            Kind::AreaByPiece { trap, piece } => {
                let trap = SeenTrap::of_square(trap, side)?;
                let strength = piece.index() as u8 + 1;
                let what = What::Window {
                    trap,
                    seen: board.window(trap).relative_to(strength),
                    strength: Some(strength),
                };
                (PostingKind::Sides, trap, what)
            }
        };
        Some(Wanted {
            kind: posting,
            hash: posting_hash(posting, board, trap),
            side,
            matching: question.matching,
            what,
        })
    }

    /// The windows that may match; the first one for other kinds.
    pub(crate) fn traps(&self) -> Vec<SeenTrap> {
        match self.what {
            What::Board { .. } => vec![SeenTrap::from_index(0)],
            What::Window { trap, .. } => SeenTrap::ALL
                .into_iter()
                .filter(|other| {
                    other.is_away() == trap.is_away()
                        && (self.matching == Matching::Symmetric || *other == trap)
                })
                .collect(),
        }
    }

    /// Its strength, where a question is by piece, and which of the
    /// [`stronger_bits`](Seen::stronger_bits) have to be what.
    #[cfg(feature = "postgres")]
    pub(crate) fn by_piece(&self) -> Option<(u8, (u64, u64))> {
        match self.what {
            What::Window {
                seen,
                strength: Some(strength),
                ..
            } => Some((strength, seen.stronger_bits_of_shape(strength))),
            _ => None,
        }
    }

    /// All shapes that match, those that are not mirrored first.
    #[cfg(feature = "postgres")]
    pub(crate) fn shapes(&self) -> Vec<Shape> {
        let literal = self.matching == Matching::Literal;
        let mover = literal.then_some(self.side);
        match self.what {
            What::Board { part, seen, image } => {
                let shape = |planes, mirrored| Shape {
                    trap: SeenTrap::from_index(0),
                    mirrored,
                    squares: part(Seen([u64::MAX; 4])).0[0],
                    planes,
                    strength: None,
                    mover,
                };
                let mut shapes = vec![shape(seen, false)];
                if !literal && image != seen {
                    shapes.push(shape(image, true));
                }
                shapes
            }
            What::Window {
                trap: wanted,
                seen,
                strength,
            } => {
                let mut shapes: Vec<Shape> = self
                    .traps()
                    .into_iter()
                    .map(|trap| Shape {
                        trap,
                        mirrored: trap.is_right() != wanted.is_right(),
                        squares: Seen([u64::MAX; 4]).window(trap).placed(trap).0[0],
                        planes: seen.placed(trap),
                        strength,
                        mover,
                    })
                    .collect();
                shapes.sort_by_key(|shape| shape.mirrored);
                shapes
            }
        }
    }

    /// Does this stored position match, and is it mirrored? The hash has
    /// brought us here; the board decides.
    #[inline]
    pub(crate) fn matches(&self, board: Seen, trap: SeenTrap, mover: Side) -> Option<bool> {
        let mirrored = match self.what {
            What::Board { part, seen, image } => {
                let stored = part(board);
                if stored == seen {
                    false
                } else if stored == image {
                    true
                } else {
                    return None;
                }
            }
            What::Window {
                trap: wanted,
                seen,
                strength,
            } => {
                if trap.is_away() != wanted.is_away() {
                    return None;
                }
                let window = board.window(trap);
                let window = strength.map_or(window, |strength| window.relative_to(strength));
                if window != seen {
                    return None;
                }
                trap.is_right() != wanted.is_right()
            }
        };
        let literal = !mirrored && mover == self.side;
        (self.matching == Matching::Symmetric || literal).then_some(mirrored)
    }
}

/// A match before it is translated.
#[derive(Clone, Copy)]
pub(crate) struct RawHit {
    pub(crate) game: IndexedGame,
    pub(crate) played: IndexedMove,
    pub(crate) mirrored: bool,
}

impl RawHit {
    pub(crate) fn rank(&self) -> u32 {
        rank_of(&self.game, self.played.ply())
    }

    /// Turned to the board of the one who asks.
    pub(crate) fn translate(&self, side: Side) -> Option<Hit> {
        let stored_side = self.played.mover();
        let symmetry = Symmetry {
            mirror: self.mirrored,
            flip: stored_side != side,
        };
        Some(Hit {
            game: self.game.row,
            ply: self.played.ply(),
            turn: self.turn(side)?,
            symmetry,
            won: self.won(),
            rating: self.rating(),
            started: (self.game.started != i64::MIN).then_some(self.game.started),
            turns_left: (self.game.turns)
                .saturating_sub(self.played.turns_before)
                .div_ceil(2),
        })
    }

    /// Turned likewise, if what was played is legal there.
    pub(crate) fn legal_on(&self, position: &Position) -> Option<Hit> {
        let side = position.side_to_move();
        let turn = without_removals(&self.turn(side)?);
        let (turn, _) = position.check_turn(&turn).ok()?;
        self.translate(side).map(|hit| Hit { turn, ..hit })
    }

    /// The turn alone, on the board of the one who asks.
    pub(crate) fn turn(&self, side: Side) -> Option<Turn> {
        let mirror = Symmetry {
            mirror: self.mirrored,
            flip: false,
        };
        let turn = unpack_turn(self.played.turn)?;
        Some(orientation(side).apply(mirror.apply(turn)))
    }

    /// Did the one who moved win?
    pub(crate) fn won(&self) -> bool {
        match self.played.mover() {
            Side::Gold => self.game.winner == 1,
            Side::Silver => self.game.winner == 2,
        }
    }

    /// The rating of the one who moved.
    pub(crate) fn rating(&self) -> Option<u16> {
        let rating = match self.played.mover() {
            Side::Gold => self.game.gold_rating,
            Side::Silver => self.game.silver_rating,
        };
        (rating > 0).then_some(rating)
    }
}

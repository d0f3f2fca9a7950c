//! What a node may test.

use std::fmt;

use hathi_model::phase::Phase;
use hathi_rules::{Bitboard, Position, Side, Square};

use super::{Area, Pieces, Placement};
use crate::rat::phase_of;

/// A test of the position, as Gold to move sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    /// `Ed6`, `!Mg3`.
    Place(Placement),
    /// `dcr in d7-e8`, `not m in home`: one of them is there, or none.
    In {
        pieces: Pieces,
        area: Area,
        negated: bool,
    },
    /// `held a6`: our piece there is beside a stronger enemy.
    Held(Square),
    /// `frozen d7`: whoever stands there cannot move.
    Frozen(Square),
    /// `guarded c3 2`: so many of ours are beside it.
    Guarded { square: Square, least: u32 },
    /// `attacked c3 2`: so many of theirs are.
    Attacked { square: Square, least: u32 },
    /// `threatened c3`: they could take something there next turn.
    Threatened(Square),
    /// `blocked`: our elephant is shut in, not by its own pieces alone.
    Blocked,
    /// `phase end`.
    Phase(Phase),
}

impl Condition {
    /// Reads the words of a test; the error says what is wrong.
    pub(crate) fn parse(text: &str) -> Result<Condition, String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let square = |word: &str| -> Result<Square, String> {
            word.parse()
                .map_err(|_| format!("{word:?} is not a square"))
        };
        let count = |word: Option<&&str>| -> Result<u32, String> {
            word.map_or(Ok(1), |word| {
                word.parse()
                    .ok()
                    .filter(|count| (1..=4).contains(count))
                    .ok_or_else(|| format!("{word:?} is not a number from 1 to 4"))
            })
        };
        match words.as_slice() {
            [word] if Placement::parse(word).is_some() => Placement::parse(word)
                .map(Condition::Place)
                .ok_or_else(String::new),
            ["blocked"] => Ok(Condition::Blocked),
            ["held", at] => Ok(Condition::Held(square(at)?)),
            ["frozen", at] => Ok(Condition::Frozen(square(at)?)),
            ["threatened", at] => Ok(Condition::Threatened(square(at)?)),
            ["guarded", at, rest @ ..] if rest.len() <= 1 => Ok(Condition::Guarded {
                square: square(at)?,
                least: count(rest.first())?,
            }),
            ["attacked", at, rest @ ..] if rest.len() <= 1 => Ok(Condition::Attacked {
                square: square(at)?,
                least: count(rest.first())?,
            }),
            ["phase", name] => match *name {
                "opening" => Ok(Condition::Phase(Phase::Opening)),
                "middle" => Ok(Condition::Phase(Phase::Middle)),
                "end" => Ok(Condition::Phase(Phase::End)),
                _ => Err(format!(
                    "{name:?} is no phase; there are opening, middle and end"
                )),
            },
            ["not", pieces, "in", area] => within(pieces, area, true),
            [pieces, "in", area] => within(pieces, area, false),
            _ => Err(format!(
                "{text:?} is no test; there are placements (Ed6, !Mg3), `dcr in d7-e8`, `not m in home`, \
                 held, frozen, guarded, attacked, threatened, blocked and phase"
            )),
        }
    }

    /// Does it hold? `mirrored` looks at the other wing.
    pub(crate) fn holds(&self, position: &Position, mirrored: bool) -> bool {
        let board = position.board();
        let on = |square: Square| if mirrored { square.mirror() } else { square };
        let beside =
            |square: Square, side: Side| (board.side(side) & on(square).neighbours()).len();
        match self {
            Condition::Place(place) => place.moved(mirrored, false).holds(board),
            Condition::In {
                pieces,
                area,
                negated,
            } => {
                let there = pieces
                    .iter()
                    .fold(Bitboard::EMPTY, |set, piece| set | board.pieces(piece));
                there.intersects(area.on(mirrored)) != *negated
            }
            Condition::Held(square) => board.dominated(Side::Gold).contains(on(*square)),
            Condition::Frozen(square) => {
                (board.frozen(Side::Gold) | board.frozen(Side::Silver)).contains(on(*square))
            }
            Condition::Guarded { square, least } => beside(*square, Side::Gold) >= *least,
            Condition::Attacked { square, least } => beside(*square, Side::Silver) >= *least,
            Condition::Threatened(square) => position
                .with_side(Side::Silver)
                .capture_threats()
                .iter()
                .any(|threat| threat.trap == on(*square)),
            Condition::Blocked => board.is_blockaded(Side::Gold),
            Condition::Phase(phase) => phase_of(board) == *phase,
        }
    }
}

fn within(pieces: &str, area: &str, negated: bool) -> Result<Condition, String> {
    Ok(Condition::In {
        pieces: Pieces::parse(pieces)
            .ok_or_else(|| format!("{pieces:?} are not letters of pieces"))?,
        area: Area::parse(area).ok_or_else(|| {
            format!("{area:?} is no area; write d7, a5-c8, near(c6), {{d7,e7}}, home, far, west, east, centre")
        })?,
        negated,
    })
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Condition::Place(place) => {
                let mark = if place.negated { "!" } else { "" };
                if place.negated && place.pieces.iter().count() == 12 {
                    write!(f, "!{}", place.square)
                } else {
                    write!(f, "{mark}{}{}", place.pieces, place.square)
                }
            }
            Condition::In {
                pieces,
                area,
                negated,
            } => {
                let mark = if *negated { "not " } else { "" };
                write!(f, "{mark}{pieces} in {area}")
            }
            Condition::Held(square) => write!(f, "held {square}"),
            Condition::Frozen(square) => write!(f, "frozen {square}"),
            Condition::Guarded { square, least } => write!(f, "guarded {square} {least}"),
            Condition::Attacked { square, least } => write!(f, "attacked {square} {least}"),
            Condition::Threatened(square) => write!(f, "threatened {square}"),
            Condition::Blocked => f.write_str("blocked"),
            Condition::Phase(phase) => write!(f, "phase {}", phase.name()),
        }
    }
}

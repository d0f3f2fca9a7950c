//! What a node may command.

use std::fmt;

use hathi_rules::{Piece, Side, Square, Turn};

use super::{Area, Pieces};
use crate::rat::PlanKind;

/// A part of a turn to look for, as Gold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    /// `go M g3`: a piece walks there.
    Go { pieces: Pieces, to: Area },
    /// `near M g3`: a piece comes as near as it can.
    Near { pieces: Pieces, to: Square },
    /// `bring dcr d8-e8 d7 with E d6`: an enemy piece is pushed or pulled
    /// there; who moves it ends up there.
    Bring {
        victims: Pieces,
        from: Area,
        to: Area,
        with: Option<(Pieces, Area)>,
    },
    /// `capture c3`: something falls there.
    Capture(Square),
    /// `turn Ed6n dd7s ...`: these very steps.
    Turn(Turn),
    /// `plan camel-hunt`: what that category finds.
    Plan(PlanKind),
}

impl Command {
    /// Reads the words of a command; the error says what is wrong.
    pub(crate) fn parse(text: &str) -> Result<Command, String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        match words.as_slice() {
            ["go", who, to] => Ok(Command::Go {
                pieces: ours(who)?,
                to: area(to)?,
            }),
            ["near", who, to] => Ok(Command::Near {
                pieces: ours(who)?,
                to: to.parse().map_err(|_| format!("{to:?} is not a square"))?,
            }),
            ["bring", victims, from, to, rest @ ..] => {
                let with = match rest {
                    [] => None,
                    ["with", who, at] => Some((ours(who)?, area(at)?)),
                    _ => return Err("after the places only `with E d6` may follow".to_owned()),
                };
                Ok(Command::Bring {
                    victims: theirs(victims)?,
                    from: area(from)?,
                    to: area(to)?,
                    with,
                })
            }
            ["capture", trap] => trap
                .parse()
                .ok()
                .filter(|square: &Square| square.is_trap())
                .map(Command::Capture)
                .ok_or_else(|| format!("{trap:?} is not a trap")),
            ["turn", steps @ ..] if !steps.is_empty() => steps
                .join(" ")
                .parse()
                .map(Command::Turn)
                .map_err(|error| error.to_string()),
            ["plan", name] => PlanKind::by_name(name)
                .filter(|kind| *kind != PlanKind::Pattern)
                .map(Command::Plan)
                .ok_or_else(|| format!("there is no plan {name:?}")),
            _ => Err(format!(
                "{text:?} is no command; there are `go M g3`, `near M g3`, \
                 `bring dcr d8 d7 with E d6`, `capture c3`, `turn Ed6n ...` and `plan camel-hunt`"
            )),
        }
    }

    /// The squares where it wants our pieces to be.
    pub(crate) fn wants(&self) -> Option<(Pieces, &Area)> {
        match self {
            Command::Go { pieces, to } => Some((*pieces, to)),
            _ => None,
        }
    }

    /// What it does, in words a player can read.
    pub(crate) fn sentence(&self) -> String {
        match self {
            Command::Go { pieces, to } => {
                format!("brings the {} to {}", names(*pieces), to.words())
            }
            Command::Near { pieces, to } => format!("brings the {} nearer to {to}", names(*pieces)),
            Command::Bring { victims, to, .. } => {
                format!("drags the {} to {}", names(*victims), to.words())
            }
            Command::Capture(trap) => format!("captures in {trap}"),
            Command::Turn(turn) => format!("plays {turn}"),
            Command::Plan(kind) => format!("follows the plan {}", kind.name()),
        }
    }
}

fn names(pieces: Pieces) -> String {
    if let Some(piece) = pieces.single() {
        return piece.role().name().to_owned();
    }
    // A long list of names says less than a word.
    if pieces.iter().count() >= 4 {
        let ours = pieces.is_only(Side::Gold);
        return if ours { "piece" } else { "victim" }.to_owned();
    }
    let mut names: Vec<&str> = pieces
        .iter()
        .map(|piece: Piece| piece.role().name())
        .collect();
    names.reverse();
    names.join(" or ")
}

fn ours(word: &str) -> Result<Pieces, String> {
    Pieces::parse(word)
        .filter(|pieces| pieces.is_only(Side::Gold))
        .ok_or_else(|| format!("{word:?} are not pieces of ours: use capitals, as Gold"))
}

fn theirs(word: &str) -> Result<Pieces, String> {
    Pieces::parse(word)
        .filter(|pieces| pieces.is_only(Side::Silver))
        .ok_or_else(|| format!("{word:?} are not pieces of theirs: use small letters, as Silver"))
}

fn area(word: &str) -> Result<Area, String> {
    Area::parse(word).ok_or_else(|| format!("{word:?} is no square or area"))
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Go { pieces, to } => write!(f, "go {pieces} {to}"),
            Command::Near { pieces, to } => write!(f, "near {pieces} {to}"),
            Command::Bring {
                victims,
                from,
                to,
                with,
            } => {
                write!(f, "bring {victims} {from} {to}")?;
                match with {
                    Some((who, at)) => write!(f, " with {who} {at}"),
                    None => Ok(()),
                }
            }
            Command::Capture(trap) => write!(f, "capture {trap}"),
            Command::Turn(turn) => write!(f, "turn {turn}"),
            Command::Plan(kind) => write!(f, "plan {}", kind.name()),
        }
    }
}

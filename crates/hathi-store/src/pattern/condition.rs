//! One condition on the board: in this area there are so many squares with
//! this on them.

use std::fmt;

use hathi_rules::{Bitboard, Board, File, Piece, Rank, Role, Side, Square, Symmetric, Symmetry};

/// One word of a pattern: in the area there are so many squares with this on
/// them, or (negated) there are not.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Condition {
    pub(super) negated: bool,
    pub(super) count: Count,
    pub(super) content: Content,
    pub(super) area: Area,
}

/// How many squares, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Count {
    pub(super) least: u8,
    pub(super) most: u8,
}

/// What may stand on a square: a range of strengths, 0 for empty and 1 for a
/// rabbit to 6 for an elephant, of one side or of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Content {
    pub(super) side: Option<Side>,
    pub(super) weakest: u8,
    pub(super) strongest: u8,
}

/// Some squares, by the name they were given.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Area {
    Square(Square),
    /// Between two corners.
    Rectangle(Square, Square),
    Files(File, File),
    Ranks(Rank, Rank),
    /// The 5x5 window of a trap.
    Window(Square),
    /// The neighbours of a square.
    Near(Square),
    /// A region of one side. Written without its side if that is the side of
    /// the pieces looked for.
    Own(Region, Side),
    Centre,
    Edge,
    Traps,
    Board,
    /// All of several, none of which is a union itself.
    Union(Vec<Area>),
}

/// A part of the board that each side has its own of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Region {
    /// The near half.
    Home,
    /// The far half.
    Away,
    /// The rank its rabbits run for.
    Goal,
}

impl Condition {
    /// The squares that it counts: those of its area with what it looks for.
    pub(super) fn squares_on(&self, board: &Board) -> Bitboard {
        let found = self.area.squares().iter();
        found
            .filter(|&square| self.content.allows(board.piece_at(square)))
            .collect()
    }

    /// Does it hold on this board?
    pub(super) fn holds(&self, board: &Board) -> bool {
        self.count.contains(self.squares_on(board).len() as usize) != self.negated
    }
}

impl Count {
    /// More squares than the board has.
    pub(super) const MANY: u8 = 64;
    pub(super) const SOME: Count = Count {
        least: 1,
        most: Self::MANY,
    };
    pub(super) const NONE: Count = Count { least: 0, most: 0 };

    pub(super) fn contains(self, number: usize) -> bool {
        (usize::from(self.least)..=usize::from(self.most)).contains(&number)
    }
}

/// 1 for a rabbit to 6 for an elephant.
pub(super) fn strength(role: Role) -> u8 {
    role.index() as u8 + 1
}

/// The animal of that strength; none for an empty square.
pub(super) fn role_of(strength: u8) -> Option<Role> {
    Role::ALL
        .get(usize::from(strength).checked_sub(1)?)
        .copied()
}

impl Content {
    pub(super) const EMPTY: Content = Content {
        side: None,
        weakest: 0,
        strongest: 0,
    };

    /// Any piece of a side, or of both.
    pub(super) const fn anything(side: Option<Side>) -> Content {
        Content {
            side,
            weakest: 1,
            strongest: 6,
        }
    }

    pub(super) fn piece(piece: Piece) -> Content {
        Content {
            side: Some(piece.side()),
            weakest: strength(piece.role()),
            strongest: strength(piece.role()),
        }
    }

    pub(super) fn allows(self, found: Option<Piece>) -> bool {
        let strength = found.map_or(0, |piece| strength(piece.role()));
        (self.weakest..=self.strongest).contains(&strength)
            && self
                .side
                .is_none_or(|side| found.is_some_and(|piece| piece.side() == side))
    }
}

impl Symmetric for Content {
    fn under(self, symmetry: Symmetry) -> Content {
        Content {
            side: self.side.map(|side| symmetry.apply(side)),
            ..self
        }
    }
}

impl Area {
    pub(super) fn squares(&self) -> Bitboard {
        match self {
            Area::Square(square) => square.bit(),
            Area::Rectangle(one, other) => {
                files(one.file(), other.file()) & ranks(one.rank(), other.rank())
            }
            Area::Files(one, other) => files(*one, *other),
            Area::Ranks(one, other) => ranks(*one, *other),
            Area::Window(trap) => widen(widen(trap.bit())),
            Area::Near(square) => square.neighbours(),
            Area::Own(Region::Home, side) => half(*side),
            Area::Own(Region::Away, side) => half(side.opponent()),
            Area::Own(Region::Goal, side) => side.goal(),
            Area::Centre => files(File::D, File::E) & ranks(Rank::Fourth, Rank::Fifth),
            Area::Edge => Bitboard::FILE_A | Bitboard::FILE_H | Bitboard::RANK_1 | Bitboard::RANK_8,
            Area::Traps => Bitboard::TRAPS,
            Area::Board => Bitboard::ALL,
            Area::Union(areas) => areas
                .iter()
                .fold(Bitboard::EMPTY, |set, area| set | area.squares()),
        }
    }

    /// The words of a place, for one that looks for pieces of `owner`.
    pub(super) fn write(&self, owner: Option<Side>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Area::Square(square) => write!(f, "{square}"),
            Area::Rectangle(one, other) => write!(f, "{one}..{other}"),
            Area::Files(one, other) if one == other => write!(f, "file({one})"),
            Area::Files(one, other) => write!(f, "file({one}..{other})"),
            Area::Ranks(one, other) if one == other => write!(f, "rank({one})"),
            Area::Ranks(one, other) => write!(f, "rank({one}..{other})"),
            Area::Window(trap) => write!(f, "trap({trap})"),
            Area::Near(square) => write!(f, "near({square})"),
            Area::Own(region, side) => {
                f.write_str(match region {
                    Region::Home => "home",
                    Region::Away => "away",
                    Region::Goal => "goal",
                })?;
                if owner == Some(*side) {
                    Ok(())
                } else {
                    write!(f, "({side})")
                }
            }
            Area::Centre => f.write_str("centre"),
            Area::Edge => f.write_str("edge"),
            Area::Traps => f.write_str("traps"),
            Area::Board => f.write_str("board"),
            Area::Union(areas) => {
                for (i, area) in areas.iter().enumerate() {
                    f.write_str(if i == 0 { "(" } else { " " })?;
                    area.write(owner, f)?;
                }
                f.write_str(")")
            }
        }
    }
}

/// The set with all eight neighbours of its squares.
fn widen(set: Bitboard) -> Bitboard {
    let row = set | set.east() | set.west();
    row | row.north() | row.south()
}

fn files(one: File, other: File) -> Bitboard {
    File::ALL[one.min(other).index()..=one.max(other).index()]
        .iter()
        .fold(Bitboard::EMPTY, |set, &file| set | Bitboard::file(file))
}

fn ranks(one: Rank, other: Rank) -> Bitboard {
    Rank::ALL[one.min(other).index()..=one.max(other).index()]
        .iter()
        .fold(Bitboard::EMPTY, |set, &rank| set | Bitboard::rank(rank))
}

/// The four ranks on that side's side of the table.
fn half(side: Side) -> Bitboard {
    match side {
        Side::Gold => ranks(Rank::First, Rank::Fourth),
        Side::Silver => ranks(Rank::Fifth, Rank::Eighth),
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.negated {
            f.write_str("!")?;
        }
        write!(f, "{}{}", self.count, self.content)?;
        if !matches!(self.area, Area::Square(_)) || self.count != Count::SOME {
            f.write_str("@")?;
        }
        self.area.write(self.content.side, f)
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.least, self.most) {
            (1, Count::MANY) => Ok(()),
            (least, most) if least == most => write!(f, "{least}"),
            (least, Count::MANY) => write!(f, "{least}+"),
            (0, most) => write!(f, "{most}-"),
            (least, most) => write!(f, "{least}..{most}"),
        }
    }
}

impl fmt::Display for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Some(weakest), Some(strongest)) = (role_of(self.weakest), role_of(self.strongest))
        else {
            return f.write_str("_");
        };
        // An animal is written as Gold's.
        let letter = |role| Piece::new(Side::Gold, role);
        if weakest == strongest {
            return match self.side {
                Some(side) => write!(f, "{}", Piece::new(side, weakest)),
                None => write!(f, "={}", letter(weakest)),
            };
        }
        // The bound beyond which it says "weaker" or "stronger".
        let below = role_of(self.strongest + 1);
        let above = role_of(self.weakest - 1);
        match self.side {
            Some(Side::Gold) => f.write_str("G")?,
            Some(Side::Silver) => f.write_str("S")?,
            None if below.is_none() && above.is_none() => f.write_str("*")?,
            None => {}
        }
        match (above, below) {
            (_, Some(role)) => write!(f, "<{}", letter(role)),
            (Some(role), None) => write!(f, ">{}", letter(role)),
            (None, None) => Ok(()),
        }
    }
}

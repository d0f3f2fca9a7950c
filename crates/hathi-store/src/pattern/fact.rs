//! Facts: what the rules, the turn played and the game say of a position, one
//! at a time.
//!
//! [`Fact::holds`] is the definition. The compiled form of a pattern takes
//! what is dear (goals, captures, frozen pieces) from columns beside the index
//! instead, and must agree with it.

use std::fmt;

use hathi_model::phase::Phase;
use hathi_rules::{Bitboard, Board, CaptureThreat, Position, Side, Square, Step};

use super::condition::{Area, Condition, Content, Count};
use super::setting::Setting;

/// Something that is so in a position, or is not.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Fact {
    /// `frozen(Hb3)`: so many of these pieces cannot move.
    Frozen(Condition),
    /// `hostage(m by E)`: so many of these are hostages, held by one of those.
    Hostage {
        held: Condition,
        by: Option<Content>,
    },
    /// `framed(c)`: so many of these are framed.
    Framed(Condition),
    /// `threatens(hc6)`: so many of these could be captured if it were the
    /// other side's turn. `captures(h)`: and it is.
    Capture {
        victims: Condition,
        trap: Option<Square>,
        now: bool,
    },
    /// `goal in 3`: could be reached with so many steps.
    Goal { who: Who, steps: u8 },
    /// `fork`: two pieces could be captured.
    Fork(Who),
    /// `blockade(E)`: this elephant is shut in, or one of them.
    Blockade(Option<Side>),
    /// `strongest(c3) = E`: so is every piece beside the trap than which there
    /// is no stronger one beside it.
    Strongest { trap: Square, content: Content },
    /// `material +2`: Gold's pieces less Silver's.
    Material(Span),
    /// `phase end`.
    Phase(Phase),
    /// `move 20`.
    MoveNumber(Span),
    /// `gold rating >= 2000`; both of them without a side.
    Rating { who: Option<Who>, span: Span },
    /// `gold won`.
    Won(Who),
    /// `plays Ed5`: the turn played brings such a piece of its own there.
    Plays { content: Content, area: Area },
    /// `captures h in c6`: the turn played does.
    Takes {
        content: Content,
        trap: Option<Square>,
    },
    /// `gives up a rabbit`: the turn played costs its player such a piece.
    GivesUp(Content),
}

/// Whom a fact is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Who {
    Side(Side),
    Mover,
    Opponent,
}

/// Numbers from one to another, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Span {
    pub(super) least: i32,
    pub(super) most: i32,
}

impl Span {
    pub(super) fn contains(self, number: i32) -> bool {
        (self.least..=self.most).contains(&number)
    }
}

impl Who {
    pub(super) fn side(self, mover: Side) -> Side {
        match self {
            Who::Side(side) => side,
            Who::Mover => mover,
            Who::Opponent => mover.opponent(),
        }
    }
}

impl Fact {
    /// Is it so? Nothing is turned or mirrored.
    pub(super) fn holds(&self, setting: &Setting) -> bool {
        let (board, mover) = (setting.board(), setting.mover());
        let both =
            |set: fn(&Board, Side) -> Bitboard| set(board, Side::Gold) | set(board, Side::Silver);
        match self {
            Fact::Frozen(pieces) => counts(pieces, board, both(Board::frozen)),
            Fact::Framed(pieces) => counts(pieces, board, both(Board::framed)),
            Fact::Hostage { held, by } => {
                let kept = both(Board::hostages);
                let kept = kept.iter().filter(|&square| {
                    by.is_none_or(|by| !(holders(board, square) & of(by, board)).is_empty())
                });
                counts(held, board, kept.collect())
            }
            Fact::Capture { victims, trap, now } => {
                let mut falling = Bitboard::EMPTY;
                for hunter in Side::ALL {
                    if !now || hunter == mover {
                        falling |= victims_of(board, hunter, *trap);
                    }
                }
                counts(victims, board, falling)
            }
            Fact::Goal { who, steps } => {
                let position = Position::composed(*board, who.side(mover));
                position.limited_to(*steps).can_goal().is_some()
            }
            Fact::Fork(who) => {
                let victims = victims_of(board, who.side(mover), None);
                CaptureThreat::is_fork(victims.len() as usize)
            }
            Fact::Blockade(side) => Side::ALL
                .into_iter()
                .any(|other| side.is_none_or(|side| side == other) && board.is_blockaded(other)),
            Fact::Strongest { trap, content } => {
                let beside = trap.neighbours().iter();
                let beside: Vec<_> = beside.filter_map(|square| board.piece_at(square)).collect();
                let top = beside.iter().map(|piece| piece.role()).max();
                let top = beside.iter().filter(|piece| Some(piece.role()) == top);
                !beside.is_empty() && top.into_iter().all(|&piece| content.allows(Some(piece)))
            }
            Fact::Material(span) => {
                let count = board.count();
                span.contains(count.gold.cast_signed() - count.silver.cast_signed())
            }
            Fact::Phase(phase) => hathi_model::phase::heuristic(&setting.position) == *phase,
            Fact::MoveNumber(span) => setting
                .ply
                .is_some_and(|ply| span.contains(ply.move_number().cast_signed())),
            Fact::Rating { who, span } => Side::ALL.into_iter().all(|side| {
                who.is_some_and(|who| who.side(mover) != side)
                    || setting.ratings[side].is_some_and(|rating| span.contains(rating.into()))
            }),
            Fact::Won(who) => setting.winner == Some(who.side(mover)),
            Fact::Plays { content, area } => {
                let steps = setting.turn.as_ref().map_or(&[][..], |turn| turn.steps());
                arrivals(steps, mover)
                    .any(|(piece, to)| content.allows(Some(piece)) && area.squares().contains(to))
            }
            Fact::Takes { content, trap } => {
                let steps = setting.turn.as_ref().map_or(&[][..], |turn| turn.steps());
                fallen(steps, mover.opponent()).any(|removal| {
                    content.allows(Some(removal.piece))
                        && trap.is_none_or(|trap| trap == removal.square)
                })
            }
            Fact::GivesUp(content) => {
                let steps = setting.turn.as_ref().map_or(&[][..], |turn| turn.steps());
                fallen(steps, mover).any(|removal| content.allows(Some(removal.piece)))
            }
        }
    }
}

/// Are there as many of these in the set as they should be?
fn counts(pieces: &Condition, board: &Board, set: Bitboard) -> bool {
    let found = pieces.squares_on(board) & set;
    pieces.count.contains(found.len() as usize)
}

/// Every square with this on it.
fn of(content: Content, board: &Board) -> Bitboard {
    let fits = |square: &Square| content.allows(board.piece_at(*square));
    board.occupied().iter().filter(fits).collect()
}

/// Stronger enemies beside the piece there.
fn holders(board: &Board, square: Square) -> Bitboard {
    board.piece_at(square).map_or(Bitboard::EMPTY, |piece| {
        let enemy = board.side(piece.side().opponent());
        square.neighbours() & enemy & board.stronger_than(piece.role())
    })
}

/// What this side could capture with a whole turn, in a trap or in any.
fn victims_of(board: &Board, hunter: Side, trap: Option<Square>) -> Bitboard {
    let position = Position::composed(*board, hunter);
    let traps = Square::TRAPS.into_iter();
    traps
        .filter(|&other| trap.is_none_or(|trap| trap == other))
        .fold(Bitboard::EMPTY, |set, trap| set | position.victims(trap))
}

/// Pieces of `side` that these steps move, where they leave them: not what falls,
/// nor where something only passes.
pub(crate) fn arrivals(
    steps: &[Step],
    side: Side,
) -> impl Iterator<Item = (hathi_rules::Piece, Square)> + '_ {
    steps.iter().enumerate().filter_map(move |(i, step)| {
        let to = step.to().filter(|_| step.side() == side)?;
        let falls = |other: &Step| {
            let removed = other.removed();
            removed.is_some_and(|removal| removal.square == to && removal.piece.side() == side)
        };
        let stays = !falls(step)
            && steps[i + 1..]
                .iter()
                .all(|later| later.from() != to && !falls(later));
        stays.then_some((step.piece(), to))
    })
}

/// Pieces of `side` that fall into traps with these steps.
pub(crate) fn fallen(steps: &[Step], side: Side) -> impl Iterator<Item = hathi_rules::Removal> {
    let removed = steps.iter().filter_map(|step| step.removed());
    removed.filter(move |removal| removal.piece.side() == side)
}

/// In a form that reads back as the same fact.
impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let within =
            |trap: &Option<Square>| trap.map_or(String::new(), |trap| format!(" in {trap}"));
        match self {
            Fact::Frozen(pieces) => write!(f, "frozen({})", Chosen(pieces)),
            Fact::Hostage { held, by: None } => write!(f, "hostage({})", Chosen(held)),
            Fact::Hostage { held, by: Some(by) } => {
                write!(f, "hostage({} by {by})", Chosen(held))
            }
            Fact::Framed(pieces) => write!(f, "framed({})", Chosen(pieces)),
            Fact::Capture { victims, trap, now } => {
                let word = if *now { "captures" } else { "threatens" };
                write!(f, "{word}({}{})", Chosen(victims), within(trap))
            }
            Fact::Goal { who, steps } => write!(f, "{}goal in {steps}", Prefix(*who)),
            Fact::Fork(who) => write!(f, "{}fork", Prefix(*who)),
            Fact::Blockade(None) => f.write_str("blockade"),
            Fact::Blockade(Some(Side::Gold)) => f.write_str("blockade(E)"),
            Fact::Blockade(Some(Side::Silver)) => f.write_str("blockade(e)"),
            Fact::Strongest { trap, content } => write!(f, "strongest({trap}) = {content}"),
            Fact::Material(span) => write!(f, "material {span}"),
            Fact::Phase(phase) => write!(f, "phase {}", phase.name()),
            Fact::MoveNumber(span) => write!(f, "move {span}"),
            Fact::Rating { who: None, span } => write!(f, "rating {span}"),
            Fact::Rating {
                who: Some(who),
                span,
            } => write!(f, "{who} rating {span}"),
            Fact::Won(who) => write!(f, "{who} won"),
            Fact::Plays { content, area } => {
                let arrives = Condition {
                    negated: false,
                    count: Count::SOME,
                    content: *content,
                    area: area.clone(),
                };
                write!(f, "plays {arrives}")
            }
            Fact::Takes { content, trap } => write!(f, "captures {content}{}", within(trap)),
            Fact::GivesUp(content) => write!(f, "gives up {content}"),
        }
    }
}

impl fmt::Display for Who {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Who::Side(Side::Gold) => "gold",
            Who::Side(Side::Silver) => "silver",
            Who::Mover => "mover",
            Who::Opponent => "opponent",
        })
    }
}

/// In front of a fact that is about the mover unless something else is said.
struct Prefix(Who);

impl fmt::Display for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Who::Mover => Ok(()),
            who => write!(f, "{who} "),
        }
    }
}

/// Pieces between brackets, where the whole board needs no name.
struct Chosen<'a>(&'a Condition);

impl fmt::Display for Chosen<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.area {
            Area::Board => write!(f, "{}{}", self.0.count, self.0.content),
            _ => write!(f, "{}", self.0),
        }
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.least, self.most) {
            (least, most) if least == most => write!(f, "= {least}"),
            (least, i32::MAX) => write!(f, ">= {least}"),
            (i32::MIN, most) => write!(f, "<= {most}"),
            (least, most) => write!(f, "{least}..{most}"),
        }
    }
}

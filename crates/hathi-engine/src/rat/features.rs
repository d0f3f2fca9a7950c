//! What the positional evaluation finds before any turn is made.

use hathi_model::phase::Phase;
use hathi_rules::{Bitboard, Board, CaptureThreat, Position, Role, Square, Turn};

use super::rating::worth;
use super::view::{FAR_TRAPS, HOME_TRAPS, THEM, US, from_home_trap, rank};

/// The phase of a board, as `Gold` sees it. Not by the features that models
/// of phases go by: what counts for plans is whether the armies have met.
pub(crate) fn phase_of(board: &Board) -> Phase {
    let count = board.count();
    let all = count.gold + count.silver;
    let officers = |side| board.side(side).len() - board.rabbits(side).len();
    if all <= 18 || officers(US).min(officers(THEM)) <= 4 {
        return Phase::End;
    }
    let away = (board.side(US) - US.home()).len() + (board.side(THEM) - THEM.home()).len();
    if all >= 31 && away <= 6 {
        Phase::Opening
    } else {
        Phase::Middle
    }
}

/// Who has a say at a trap.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Control {
    pub(crate) ours: u32,
    pub(crate) theirs: u32,
    /// Our strength beside it less theirs: positive if we hold it.
    pub(crate) balance: i32,
}

impl Control {
    pub(crate) fn of(board: &Board, trap: Square) -> Control {
        let around = trap.neighbours();
        let strength = |side| -> i32 {
            (board.side(side) & around)
                .into_iter()
                .filter_map(|square| board.piece_at(square))
                .map(|piece| 2 + piece.role().index() as i32)
                .sum()
        };
        Control {
            ours: (board.side(US) & around).len(),
            theirs: (board.side(THEM) & around).len(),
            balance: strength(US) - strength(THEM),
        }
    }
}

/// What there is to know about a position, for the side to move (Gold).
#[derive(Clone, Debug)]
pub(crate) struct Features {
    pub(crate) phase: Phase,
    /// What we can take with the steps left.
    pub(crate) our_captures: Vec<CaptureThreat>,
    /// What they could take if it were their turn.
    pub(crate) their_captures: Vec<CaptureThreat>,
    /// How they could reach goal if it were their turn.
    pub(crate) their_goal: Option<Turn>,
    pub(crate) our_elephant: Option<Square>,
    /// The elephant alone keeps a trap with a piece of ours on it, or holds a
    /// hostage.
    pub(crate) elephant_tied: bool,
    /// Strong enemy pieces that we hold near our traps.
    pub(crate) hostages: Bitboard,
    /// Pieces of ours that stand badly among the enemy.
    pub(crate) exposed: Bitboard,
}

impl Features {
    pub(crate) fn of(position: &Position) -> Features {
        let board = position.board();
        let turned = position.with_side(THEM);
        let our_elephant = elephant(board, US);
        let hostages = board.hostages(THEM);
        Features {
            phase: phase_of(board),
            our_captures: position.capture_threats(),
            their_captures: turned.capture_threats(),
            their_goal: turned.can_goal(),
            our_elephant,
            elephant_tied: our_elephant.is_some_and(|at| is_tied(board, at, hostages)),
            hostages,
            exposed: exposed(board),
        }
    }

    /// The most we can take, and the most they could.
    pub(crate) fn stakes(&self) -> (i32, i32) {
        (most(&self.our_captures), most(&self.their_captures))
    }

    /// Has our elephant left home?
    pub(crate) fn elephant_is_out(&self) -> bool {
        self.our_elephant.is_none_or(|at| rank(at) >= 2)
    }
}

/// The worth of the strongest piece that can be taken.
pub(crate) fn most(threats: &[CaptureThreat]) -> i32 {
    threats
        .iter()
        .map(|threat| worth(threat.victim.role()))
        .max()
        .unwrap_or(0)
}

fn elephant(board: &Board, side: hathi_rules::Side) -> Option<Square> {
    (board.side(side) & board.role(Role::Elephant)).first()
}

fn is_tied(board: &Board, at: Square, hostages: Bitboard) -> bool {
    let keeps = FAR_TRAPS.into_iter().chain(HOME_TRAPS).any(|trap| {
        board.side(US).contains(trap)
            && (board.side(US) & trap.neighbours()) == at.bit() & trap.neighbours()
            && at.neighbours().contains(trap)
    });
    keeps || at.neighbours().intersects(hostages)
}

/// Pieces of ours, other than elephant and rabbits, that are beside a stronger
/// enemy and frozen, or far from home beside one, or near a trap where the
/// enemy is stronger.
fn exposed(board: &Board) -> Bitboard {
    let own = board.side(US) - board.role(Role::Elephant) - board.role(Role::Rabbit);
    let dominated = board.dominated(US) & own;
    let far: Bitboard = dominated
        .into_iter()
        .filter(|&square| rank(square) >= 3 || from_home_trap(square) <= 2)
        .fold(Bitboard::EMPTY, |set, square| set | square.bit());
    let lonely = own
        .into_iter()
        .filter(|&square| {
            let Some(piece) = board.piece_at(square) else {
                return false;
            };
            let hunters = board.side(THEM) & board.stronger_than(piece.role());
            let close = square.bit().grow().grow();
            rank(square) >= 4
                && hunters.intersects(close)
                && !(board.side(US) & board.role(Role::Elephant)).intersects(close)
        })
        .fold(Bitboard::EMPTY, |set, square| set | square.bit());
    far | lonely
}

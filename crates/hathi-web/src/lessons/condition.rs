//! What a turn, or a setup, must bring about.

use hathi_rules::{
    Bitboard, Board, Outcome, Piece, Position, PushPull, Side, Square, Step, Termination, Turn,
};

/// A legal turn as it was played.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Played {
    pub(crate) before: Position,
    /// With what fell into traps.
    pub(crate) turn: Turn,
    /// The opponent is to move.
    pub(crate) after: Position,
    pub(crate) outcome: Option<Outcome>,
}

/// A piece on a square, `Ed4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Placed {
    pub(crate) piece: Piece,
    pub(crate) square: Square,
}

impl Placed {
    fn stands(self, board: &Board) -> bool {
        board.piece_at(self.square) == Some(self.piece)
    }
}

/// What must be so on a board.
#[derive(Debug)]
pub(crate) enum BoardCondition {
    /// One of these stands where it says.
    Stands(Vec<Placed>),
    /// So many of these pieces stand on these squares, at least.
    Among {
        pieces: Vec<Piece>,
        squares: Bitboard,
        least: u32,
    },
    /// The squares are empty.
    Empty(Bitboard),
}

/// What must be so after a turn.
#[derive(Debug)]
pub(crate) enum Condition {
    /// The game is won, this way.
    Wins(Termination),
    /// Such a piece has left the board.
    Captures(Piece),
    /// No own piece has left the board.
    LosesNothing,
    /// The piece stands there and can move, as far as freezing goes.
    Free(Placed),
    /// The piece stands there and is frozen.
    Frozen(Placed),
    /// So many own pieces stand beside the trap, at least.
    Guards { trap: Square, least: u32 },
    /// An enemy of this kind was pushed.
    Pushes(Piece),
    /// An enemy of this kind was pulled.
    Pulls(Piece),
    /// No more steps than that.
    StepsAtMost(usize),
    /// The opponent has no goal next turn.
    NoGoalNext,
    /// The opponent cannot capture such a piece next turn.
    Safe(Piece),
    /// Could we move again at once, we would capture such a piece.
    Threatens(Piece),
    /// The piece stands there and can neither step nor push.
    Stuck(Placed),
    /// Something about the board.
    Board(BoardCondition),
}

impl BoardCondition {
    pub(crate) fn holds(&self, board: &Board) -> bool {
        match self {
            BoardCondition::Stands(any) => any.iter().any(|placed| placed.stands(board)),
            BoardCondition::Among {
                pieces,
                squares,
                least,
            } => {
                let count = |piece: &Piece| (board.pieces(*piece) & *squares).len();
                pieces.iter().map(count).sum::<u32>() >= *least
            }
            BoardCondition::Empty(squares) => !board.occupied().intersects(*squares),
        }
    }
}

impl Condition {
    pub(crate) fn holds(&self, played: &Played) -> bool {
        let mover = played.before.side_to_move();
        let after = &played.after;
        let board = after.board();
        let frozen = |placed: &Placed| board.freezer(placed.square, placed.piece).is_some();
        match self {
            Condition::Wins(how) => played.outcome == Some(Outcome::win(mover, *how)),
            Condition::Captures(piece) => removed(&played.turn).any(|gone| gone == *piece),
            Condition::LosesNothing => removed(&played.turn).all(|gone| gone.side() != mover),
            Condition::Free(placed) => placed.stands(board) && !frozen(placed),
            Condition::Frozen(placed) => placed.stands(board) && frozen(placed),
            Condition::Guards { trap, least } => guards(board, mover, *trap).len() >= *least,
            Condition::Pushes(piece) => dragged(played).contains(&(*piece, Dragged::Pushed)),
            Condition::Pulls(piece) => dragged(played).contains(&(*piece, Dragged::Pulled)),
            Condition::StepsAtMost(most) => played.turn.steps().len() <= *most,
            Condition::NoGoalNext => played.outcome.is_some() || after.can_goal().is_none(),
            Condition::Safe(piece) => !captures(after, *piece),
            Condition::Threatens(piece) => captures(&after.with_side(mover), *piece),
            Condition::Stuck(placed) => placed.stands(board) && is_stuck(after, *placed),
            Condition::Board(condition) => condition.holds(board),
        }
    }
}

/// A side's pieces beside a trap.
pub(crate) fn guards(board: &Board, side: Side, trap: Square) -> Bitboard {
    board.side(side) & trap.neighbours()
}

fn removed(turn: &Turn) -> impl Iterator<Item = Piece> {
    let gone = |step: &Step| step.removed().map(|removal| removal.piece);
    turn.steps().iter().filter_map(gone)
}

fn captures(position: &Position, piece: Piece) -> bool {
    let threats = position.capture_threats();
    threats.iter().any(|threat| threat.victim == piece)
}

/// How an enemy was moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dragged {
    Pushed,
    Pulled,
}

/// The enemies a turn has moved.
fn dragged(played: &Played) -> Vec<(Piece, Dragged)> {
    let mut position = played.before;
    let mut found = Vec::new();
    for &step in played.turn.steps() {
        if step.side() != position.side_to_move() {
            let how = match position.push_pull() {
                PushPull::MayPull { into, puller }
                    if step.to() == Some(into) && step.piece().role() < puller =>
                {
                    Dragged::Pulled
                }
                _ => Dragged::Pushed,
            };
            found.push((step.piece(), how));
        }
        position.apply(step);
    }
    found
}

/// Has the side to move no step with this piece of its own, and no push?
fn is_stuck(position: &Position, placed: Placed) -> bool {
    let steps = position.legal_steps();
    let own = |step: &Step| step.from() == placed.square;
    let pushes = |step: &Step| {
        step.side() != position.side_to_move()
            && position
                .after(*step)
                .legal_steps()
                .iter()
                .any(|next| next.from() == placed.square && next.to() == Some(step.from()))
    };
    !steps.iter().any(|step| own(step) || pushes(step))
}

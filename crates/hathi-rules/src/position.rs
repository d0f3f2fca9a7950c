//! A board with everything the rules need to continue: whose turn it is, how
//! many steps are left in it, and what a push or pull allows or demands.

use std::fmt;

use crate::zobrist;
use crate::{Bitboard, Board, Piece, Role, Side, Square, Step};

/// What the step before allows or demands inside the same turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PushPull {
    /// Nothing special.
    #[default]
    Free,
    /// An own piece has just left `into`: a weaker enemy beside that square
    /// may be pulled into it by the next step.
    MayPull {
        /// The square just left.
        into: Square,
        /// The piece that left it.
        puller: Role,
    },
    /// An enemy has just been pushed off `into`: a stronger own piece must
    /// step into it now.
    MustPush {
        /// The square the pushed piece stood on.
        into: Square,
        /// The piece that was pushed.
        pushed: Role,
    },
}

/// A position inside a game, at the start of a turn or in the middle of one.
///
/// The checked constructor is [`Position::new`]; text is read with
/// [`str::parse`] (both forms, see [`text`](crate::text)), which takes
/// compositions as they are.
///
/// ```
/// use hathi_rules::{Position, Side};
/// let position: Position =
///     "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]".parse()?;
/// assert_eq!(position.side_to_move(), Side::Gold);
/// assert_eq!(position.steps_left(), 4);
/// assert_eq!(position.legal_steps().len(), 8);
/// # Ok::<(), hathi_rules::ParsePositionError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    board: Board,
    side: Side,
    steps_left: u8,
    push_pull: PushPull,
}

/// Everything [`Position::undo`] needs to take a step back.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    step: Step,
    push_pull: PushPull,
    hash: u64,
}

impl Undo {
    /// The step that was taken.
    #[inline]
    pub const fn step(self) -> Step {
        self.step
    }
}

/// A placement that cannot occur in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidPosition {
    /// A trap holds a piece without a friend beside it.
    #[error(
        "the {piece} on the trap {square} has no friend beside it and would be gone; remove it or support it"
    )]
    UnsupportedOnTrap {
        /// The piece.
        piece: Piece,
        /// The trap.
        square: Square,
    },
}

impl Position {
    /// The position at the start of `side`'s turn, if the placement can stand:
    /// nothing on a trap without support.
    ///
    /// How many pieces of a kind there are is not checked. Composed positions
    /// have three dogs now and then, and no rule depends on it.
    pub fn new(board: Board, side: Side) -> Result<Position, InvalidPosition> {
        if let Some(square) = board.unsupported_on_traps().first()
            && let Some(piece) = board.piece_at(square)
        {
            return Err(InvalidPosition::UnsupportedOnTrap { piece, square });
        }
        Ok(Position::composed(board, side))
    }

    /// The position at the start of `side`'s turn, whatever the placement: for
    /// boards that came about by legal play, and for composed ones as other
    /// programs write them. A piece that stands on a trap without support, as
    /// it can only in a composition, stays until a step beside the trap.
    #[inline]
    pub const fn composed(board: Board, side: Side) -> Position {
        Position {
            board,
            side,
            steps_left: 4,
            push_pull: PushPull::Free,
        }
    }

    /// Where the pieces stand.
    #[inline]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Whose turn it is.
    #[inline]
    pub const fn side_to_move(&self) -> Side {
        self.side
    }

    /// Steps left in this turn: 4 at its start, 0 when it can only be ended.
    #[inline]
    pub const fn steps_left(&self) -> u8 {
        self.steps_left
    }

    /// What the last step allows or demands.
    #[inline]
    pub const fn push_pull(&self) -> PushPull {
        self.push_pull
    }

    /// Is a push begun and not yet completed?
    #[inline]
    pub fn is_mid_push(&self) -> bool {
        matches!(self.push_pull, PushPull::MustPush { .. })
    }

    /// Is this the start of a turn?
    #[inline]
    pub fn at_turn_start(&self) -> bool {
        self.steps_left == 4
    }

    /// May the turn end here? Not before its first step, and not inside a
    /// push. (Whether the turn has changed anything is for the whole turn to
    /// say, see [`Position::check_turn`].)
    #[inline]
    pub fn can_end_turn(&self) -> bool {
        self.steps_left < 4 && !self.is_mid_push()
    }

    /// The opponent's turn begins, whatever is left of this one.
    #[inline]
    #[must_use]
    pub const fn end_turn(&self) -> Position {
        Position::composed(self.board, self.side.opponent())
    }

    /// The same board with a fresh turn for the given side: "what if it were
    /// your turn?"
    #[inline]
    #[must_use]
    pub const fn with_side(&self, side: Side) -> Position {
        Position::composed(self.board, side)
    }

    /// Fewer steps than the rules would give, for questions such as "can Gold
    /// goal within two steps?". More than are left changes nothing.
    #[inline]
    #[must_use]
    pub fn limited_to(mut self, steps: u8) -> Position {
        self.steps_left = self.steps_left.min(steps);
        self
    }

    /// Hash of board, side to move, steps left and push/pull state. At the
    /// start of a turn this is what repetition compares.
    #[inline]
    pub fn hash(&self) -> u64 {
        let (kind, square, role) = match self.push_pull {
            PushPull::Free => (0, 0, 0),
            PushPull::MayPull { into, puller } => (1, into.index(), puller.index()),
            PushPull::MustPush { into, pushed } => (2, into.index(), pushed.index()),
        };
        let used = 4 - self.steps_left as usize;
        let code = used + 5 * (kind + 3 * (square + 64 * role));
        self.board.hash() ^ zobrist::side(self.side) ^ zobrist::inside_turn(code as u32)
    }

    /// A hash that is the same for two positions if the same can be played from
    /// them: a pull that could follow the last step counts only if there is
    /// somebody to pull.
    #[inline]
    pub fn play_hash(&self) -> u64 {
        match self.push_pull {
            PushPull::MayPull { .. } if !self.can_pull() => {
                let used = 4 - self.steps_left as u32;
                self.board.hash() ^ zobrist::side(self.side) ^ zobrist::inside_turn(used)
            }
            _ => self.hash(),
        }
    }

    /// Is there somebody whom the piece that has just stepped could pull?
    #[inline]
    pub(crate) fn can_pull(&self) -> bool {
        match self.push_pull {
            PushPull::MayPull { into, puller } => {
                (self.enemy() & self.board.weaker_than(puller) & into.neighbours()).any()
            }
            _ => false,
        }
    }

    /// Takes a step known to be legal. The returned token takes it back.
    ///
    /// Nothing is checked here: the step comes from
    /// [`legal_steps`](Position::legal_steps) or went through
    /// [`check_step`](Position::check_step), so that it is legal and its
    /// removal filled in. A step for which that is not true (noticed in debug
    /// builds) gives a nonsensical position, but no undefined behaviour.
    #[inline]
    pub fn apply(&mut self, step: Step) -> Undo {
        debug_assert_eq!(step, self.with_removal(step), "the removal is filled in");
        let undo = Undo {
            step,
            push_pull: self.push_pull,
            hash: self.board.hash(),
        };
        let (piece, from, to) = (step.piece(), step.from(), step.target());
        self.board.shift_piece(piece, from, to);
        if let Some(removal) = step.removed() {
            self.board.toggle_piece(removal.piece, removal.square);
        }
        self.push_pull = self.push_pull_after(piece, from, to);
        self.steps_left = self.steps_left.saturating_sub(1);
        undo
    }

    /// Takes back the step that gave this token.
    #[inline]
    pub fn undo(&mut self, undo: Undo) {
        self.board.reverse(undo.step, undo.hash);
        self.push_pull = undo.push_pull;
        self.steps_left += 1;
    }

    /// The position after a legal step; as [`apply`](Position::apply), on a
    /// copy.
    #[inline]
    #[must_use]
    pub fn after(&self, step: Step) -> Position {
        let mut next = *self;
        next.apply(step);
        next
    }

    /// The position after the given legal steps, at the opponent's turn.
    #[must_use]
    pub fn after_turn(&self, steps: &[Step]) -> Position {
        let mut next = *self;
        for &step in steps {
            next.apply(step);
        }
        next.end_turn()
    }

    /// The push/pull state after `piece` has moved.
    #[inline]
    fn push_pull_after(&self, piece: Piece, from: Square, to: Square) -> PushPull {
        let completes_push = matches!(self.push_pull, PushPull::MustPush { .. });
        if piece.side() == self.side {
            // A piece that completes a push cannot pull with that same step.
            if completes_push {
                PushPull::Free
            } else {
                PushPull::MayPull {
                    into: from,
                    puller: piece.role(),
                }
            }
        } else if self.is_pull(piece.role(), to) {
            PushPull::Free
        } else {
            PushPull::MustPush {
                into: from,
                pushed: piece.role(),
            }
        }
    }

    /// An enemy step into the square a stronger friend has just left is a
    /// pull if it can be.
    #[inline]
    pub(crate) fn is_pull(&self, enemy: Role, to: Square) -> bool {
        matches!(self.push_pull, PushPull::MayPull { into, puller } if into == to && enemy < puller)
    }

    /// The pieces of the side to move.
    #[inline]
    pub const fn own(&self) -> Bitboard {
        self.board.side(self.side)
    }

    /// The pieces of the other side.
    #[inline]
    pub const fn enemy(&self) -> Bitboard {
        self.board.side(self.side.opponent())
    }

    /// Rebuilds a position from its parts, for symmetries.
    #[inline]
    pub(crate) const fn from_parts(
        board: Board,
        side: Side,
        steps_left: u8,
        push_pull: PushPull,
    ) -> Position {
        Position {
            board,
            side,
            steps_left,
            push_pull,
        }
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.long_form())?;
        if !self.at_turn_start() {
            write!(f, "\n{} steps left, {:?}", self.steps_left, self.push_pull)?;
        }
        Ok(())
    }
}

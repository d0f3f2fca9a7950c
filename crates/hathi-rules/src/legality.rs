//! Is this step, is this turn legal, and if not, why not?
//!
//! The generator answers "what is legal"; this module explains one given
//! turn, for players, protocol peers and archive imports.

use crate::position::PushPull;
use crate::step::Removal;
use crate::{Board, Outcome, Piece, Position, Role, Side, Square, Step, TooManySteps, Turn};

/// Why a step is not legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalStep {
    /// All four steps are used.
    #[error("no steps are left in this turn")]
    NoStepsLeft,
    /// The named piece is not there.
    #[error("there is no {} {} on {square}{}", piece.side().name(), piece.role(), but_found(*found))]
    NoSuchPiece {
        /// The piece the step names.
        piece: Piece,
        /// The square it should be on.
        square: Square,
        /// What is there instead.
        found: Option<Piece>,
    },
    /// The step leaves the board.
    #[error("the step leaves the board")]
    OffBoard,
    /// The target square is not empty.
    #[error("{square} is occupied by the {} {}", by.side().name(), by.role())]
    Occupied {
        /// The target square.
        square: Square,
        /// The piece on it.
        by: Piece,
    },
    /// A rabbit moves towards its own side by itself.
    #[error("rabbits do not step backward")]
    RabbitBackward,
    /// The piece is frozen.
    #[error("the {} on {square} is frozen by the {} on {by_square}", piece.role(), by.role())]
    Frozen {
        /// The piece that cannot move.
        piece: Piece,
        /// Where it stands.
        square: Square,
        /// A stronger enemy beside it.
        by: Piece,
        /// Where that one stands.
        by_square: Square,
    },
    /// Something else is moved although a push must be completed.
    #[error("the push must be completed: a piece stronger than a {pushed} must step into {into}")]
    PushNotCompleted {
        /// The square the pushed piece left.
        into: Square,
        /// The pushed piece.
        pushed: Role,
    },
    /// The push is completed by a piece that is not stronger.
    #[error("a {pusher} cannot push a {pushed}")]
    PusherTooWeak {
        /// The piece that steps in.
        pusher: Role,
        /// The pushed piece.
        pushed: Role,
    },
    /// An enemy piece is moved and nothing beside it can push it.
    #[error(
        "nothing stronger and unfrozen stands beside the enemy {enemy} to push it, and it is not being pulled"
    )]
    NoPusher {
        /// The enemy piece that was to move.
        enemy: Role,
    },
    /// A push starts with the last step.
    #[error("a push needs two steps and only one is left")]
    PushNeedsTwoSteps,
    /// The notation names a removal that does not happen, or another one.
    #[error("{}", removal_mismatch(*written, *actual))]
    WrongRemoval {
        /// What was written.
        written: Removal,
        /// What really leaves the board.
        actual: Option<Removal>,
    },
}

fn but_found(found: Option<Piece>) -> String {
    match found {
        None => ", the square is empty".to_owned(),
        Some(piece) => format!(" but a {} {}", piece.side().name(), piece.role()),
    }
}

fn removal_mismatch(written: Removal, actual: Option<Removal>) -> String {
    match actual {
        None => format!("`{written}` is written but nothing is removed"),
        Some(actual) => format!("`{written}` is written but `{actual}` is what happens"),
    }
}

/// Why a turn is not legal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalTurn {
    /// One of its steps is not.
    #[error("step {} of 4, `{step}`: {reason}", index + 1)]
    Step {
        /// Which one, from 0.
        index: usize,
        /// The step.
        step: Step,
        /// What is wrong with it.
        reason: IllegalStep,
    },
    /// No step at all.
    #[error("a turn needs at least one step")]
    Empty,
    /// A fifth step.
    #[error(transparent)]
    TooManySteps(#[from] TooManySteps),
    /// The turn ends inside a push.
    #[error(
        "the turn ends before the push is completed: a piece stronger than a {pushed} must step into {into}"
    )]
    UnfinishedPush {
        /// The square the pushed piece left.
        into: Square,
        /// The pushed piece.
        pushed: Role,
    },
    /// Nothing has changed in the end.
    #[error("the turn leaves the position as it was")]
    NoChange,
    /// The position would occur for the third time with the same side to move.
    #[error("the turn brings about the same position for the third time")]
    ThirdRepetition,
    /// The game has ended.
    #[error("the game is over: {0}")]
    GameOver(Outcome),
    /// It is time to set up, not to move.
    #[error("{} has not set up yet", .0.name())]
    SetupMissing(Side),
}

impl Position {
    /// Is the step legal here? Gives it back with its removal filled in, or
    /// the reason why not. A removal that is written must be the one that
    /// happens.
    ///
    /// ```
    /// use hathi_rules::{Position, Step};
    /// let position: Position = "
    ///     g
    ///     8| . . . . . . . . |
    ///     7| . . . . . . . . |
    ///     6| . . x . . x . . |
    ///     5| . . . . . . . . |
    ///     4| . . . e . . . . |
    ///     3| . . x H . x . . |
    ///     2| . . . . . . . . |
    ///     1| . . . . . . . R |".parse()?;
    /// let error = position.check_step("Hd3s".parse()?).unwrap_err();
    /// assert_eq!(error.to_string(), "the horse on d3 is frozen by the elephant on d4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn check_step(&self, step: Step) -> Result<Step, IllegalStep> {
        self.check_movement(step)?;
        check_removal(step, self.with_removal(step))
    }

    /// Everything about a step but its removal.
    #[inline]
    fn check_movement(&self, step: Step) -> Result<(), IllegalStep> {
        let board = self.board();
        let (piece, from) = (step.piece(), step.from());
        let role = piece.role();
        if self.steps_left() == 0 {
            return Err(IllegalStep::NoStepsLeft);
        }
        let found = board.piece_at(from);
        if found != Some(piece) {
            return Err(IllegalStep::NoSuchPiece {
                piece,
                square: from,
                found,
            });
        }
        let to = step.to().ok_or(IllegalStep::OffBoard)?;
        if let Some(by) = board.piece_at(to) {
            return Err(IllegalStep::Occupied { square: to, by });
        }
        if piece.side() == self.side_to_move() {
            if role == Role::Rabbit && step.direction() == piece.side().forward().opposite() {
                return Err(IllegalStep::RabbitBackward);
            }
            if let Some((by_square, by)) = board.freezer(from, piece) {
                return Err(IllegalStep::Frozen {
                    piece,
                    square: from,
                    by,
                    by_square,
                });
            }
            if let PushPull::MustPush { into, pushed } = self.push_pull() {
                if into != to {
                    return Err(IllegalStep::PushNotCompleted { into, pushed });
                }
                if role <= pushed {
                    return Err(IllegalStep::PusherTooWeak {
                        pusher: role,
                        pushed,
                    });
                }
            }
        } else {
            if let PushPull::MustPush { into, pushed } = self.push_pull() {
                return Err(IllegalStep::PushNotCompleted { into, pushed });
            }
            if !self.is_pull(role, to) {
                if !self.has_pusher(from, role) {
                    return Err(IllegalStep::NoPusher { enemy: role });
                }
                if self.steps_left() < 2 {
                    return Err(IllegalStep::PushNeedsTwoSteps);
                }
            }
        }
        Ok(())
    }

    /// Is there an unfrozen own piece beside `square`, stronger than `role`?
    fn has_pusher(&self, square: Square, role: Role) -> bool {
        let board = self.board();
        (square.neighbours() & self.own() & board.stronger_than(role))
            .into_iter()
            .any(|from| board.freezer(from, board.some_piece_at(from)).is_none())
    }

    /// Is the turn legal here, repetition aside? Gives back the turn with all
    /// removals filled in and the position after it, at the opponent's turn.
    ///
    /// In the middle of a turn the check goes on from there, and "no change"
    /// is judged against this position (unless it is in the middle of a push,
    /// which has changed something already).
    ///
    /// ```
    /// use hathi_rules::{Position, Turn};
    /// let position: Position = "g [                                                  E            R]".parse()?;
    /// let there_and_back: Turn = "Ec2n Ec3s".parse()?;
    /// # let position: Position = "g [                                                  E       R     ]".parse()?;
    /// let error = position.check_turn(&there_and_back).unwrap_err();
    /// assert_eq!(error.to_string(), "step 2 of 4, `Ec3s`: there is no Gold elephant on c3, the square is empty");
    /// let there_and_back: Turn = "Ec2w Eb2e".parse()?;
    /// let error = position.check_turn(&there_and_back).unwrap_err();
    /// assert_eq!(error.to_string(), "the turn leaves the position as it was");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn check_turn(&self, turn: &Turn) -> Result<(Turn, Position), IllegalTurn> {
        let mut complete = Turn::EMPTY;
        let mut position = *self;
        for (index, &step) in turn.steps().iter().enumerate() {
            let at_fault = |reason| IllegalTurn::Step {
                index,
                step,
                reason,
            };
            let step = position.check_step(step).map_err(at_fault)?;
            position.apply(step);
            complete.push(step)?;
        }
        if turn.steps().is_empty() {
            return Err(IllegalTurn::Empty);
        }
        if let PushPull::MustPush { into, pushed } = position.push_pull() {
            return Err(IllegalTurn::UnfinishedPush { into, pushed });
        }
        if position.board() == self.board() && !self.is_mid_push() {
            return Err(IllegalTurn::NoChange);
        }
        Ok((complete, position.end_turn()))
    }

    /// A legal turn without the steps that come to nothing: the fewest of them,
    /// in their order, that lead to the same position. A turn that is not
    /// legal is given back as it is.
    ///
    /// ```
    /// use hathi_rules::{Position, Turn};
    /// let position: Position = "g [rrrrrrrr                                        DHCMECHDRRRRRRRR]".parse()?;
    /// let turn: Turn = "Ee2n Hg2n Hg3n Hg4s".parse()?;
    /// assert_eq!(position.tidied(&turn).to_string(), "Ee2n Hg2n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn tidied(&self, turn: &Turn) -> Turn {
        let Ok((_, after)) = self.check_turn(turn) else {
            return *turn;
        };
        let steps = turn.steps();
        let mut parts: Vec<u32> = (1..1 << steps.len()).collect();
        parts.sort_by_key(|part| part.count_ones());
        let tidy = parts.into_iter().find_map(|part| {
            let left = (0..).zip(steps).filter(|(i, _)| part >> i & 1 == 1);
            // What is removed may change with the steps before.
            let part = Turn::from_steps(left.map(|(_, step)| step.bare())).ok()?;
            let (part, there) = self.check_turn(&part).ok()?;
            (there == after).then_some(part)
        });
        tidy.unwrap_or(*turn)
    }
}

/// A removal that is written must be the one that happens; one that is not
/// written is filled in.
#[inline]
fn check_removal(written: Step, actual: Step) -> Result<Step, IllegalStep> {
    match written.removed() {
        Some(removal) if written != actual => Err(IllegalStep::WrongRemoval {
            written: removal,
            actual: actual.removed(),
        }),
        _ => Ok(actual),
    }
}

impl Board {
    /// A stronger enemy that freezes `piece` on `square`, or none if it is
    /// free to move.
    #[inline]
    pub fn freezer(&self, square: Square, piece: Piece) -> Option<(Square, Piece)> {
        let beside = square.neighbours();
        let enemies =
            beside & self.side(piece.side().opponent()) & self.stronger_than(piece.role());
        if enemies.is_empty() || beside.intersects(self.side(piece.side())) {
            return None;
        }
        let by = enemies.first()?;
        Some((by, self.piece_at(by)?))
    }
}

//! Legal single steps, in bulk: for each direction the set of pieces that
//! may step that way. A list of steps is made from the sets only when asked
//! for.

use crate::position::PushPull;
use crate::{Bitboard, Direction, Position, Role, Step};

/// The legal steps of a position as eight sets of squares: for each direction
/// the own pieces that may step that way, and the enemy pieces that may be
/// moved that way (as the start of a push or the end of a pull).
///
/// ```
/// use hathi_rules::{Direction, Position, Square};
/// let position: Position = "
///     g
///     8| . . . . . . . . |
///     7| . . . . . . . . |
///     6| . . x . . x . . |
///     5| . . . . . . . . |
///     4| . . . r . . . . |
///     3| . . x E . x . . |
///     2| . . . . . . . . |
///     1| . . . . . . . . |".parse()?;
/// let steps = position.step_sets();
/// // The elephant can go south, east and west, or push the rabbit three ways.
/// assert_eq!(steps.own(Direction::South), Square::D3.bit());
/// assert_eq!(steps.enemy(Direction::North), Square::D4.bit());
/// assert_eq!(steps.len(), 6);
/// # Ok::<(), hathi_rules::ParsePositionError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepSets {
    own: [Bitboard; 4],
    enemy: [Bitboard; 4],
}

impl StepSets {
    const NONE: StepSets = StepSets {
        own: [Bitboard::EMPTY; 4],
        enemy: [Bitboard::EMPTY; 4],
    };

    /// Own pieces that may step in this direction.
    #[inline]
    pub const fn own(&self, direction: Direction) -> Bitboard {
        self.own[direction.index()]
    }

    /// Enemy pieces that may be pushed or pulled in this direction.
    #[inline]
    pub const fn enemy(&self, direction: Direction) -> Bitboard {
        self.enemy[direction.index()]
    }

    /// Number of legal steps.
    #[inline]
    pub fn len(&self) -> usize {
        let count = |sets: &[Bitboard; 4]| sets.iter().map(|set| set.len()).sum::<u32>();
        (count(&self.own) + count(&self.enemy)) as usize
    }

    /// Is there no legal step?
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.own.iter().chain(&self.enemy).all(|set| set.is_empty())
    }
}

impl Position {
    /// All legal steps as sets.
    #[inline]
    pub fn step_sets(&self) -> StepSets {
        if self.steps_left() == 0 {
            return StepSets::NONE;
        }
        let board = self.board();
        let side = self.side_to_move();
        let mobile = board.mobile(side);
        let mut sets = StepSets::NONE;

        if let PushPull::MustPush { into, pushed } = self.push_pull() {
            // Only a stronger piece into the square of the pushed one.
            let pushers = mobile & board.stronger_than(pushed);
            for direction in Direction::ALL {
                sets.own[direction.index()] = pushers & into.bit().shift(direction.opposite());
            }
            return sets;
        }

        let backward = side.forward().opposite();
        for direction in Direction::ALL {
            sets.own[direction.index()] = mobile & board.can_leave_towards(direction);
        }
        sets.own[backward.index()] = sets.own[backward.index()] - board.role(Role::Rabbit);

        if self.steps_left() >= 2 {
            let victims = board.beside_stronger(side, mobile);
            for direction in Direction::ALL {
                sets.enemy[direction.index()] = victims & board.can_leave_towards(direction);
            }
        }
        if let PushPull::MayPull { into, puller } = self.push_pull() {
            let victims = self.enemy() & board.weaker_than(puller);
            for direction in Direction::ALL {
                sets.enemy[direction.index()] |= victims & into.bit().shift(direction.opposite());
            }
        }
        sets
    }

    /// Calls `visit` for every legal step, removals filled in.
    #[inline]
    pub fn for_each_step(&self, mut visit: impl FnMut(Step)) {
        let sets = self.step_sets();
        for sets in [&sets.own, &sets.enemy] {
            for direction in Direction::ALL {
                for from in sets[direction.index()] {
                    let piece = self.board().some_piece_at(from);
                    visit(self.with_removal(Step::new(piece, from, direction)));
                }
            }
        }
    }

    /// All legal steps, removals filled in.
    pub fn legal_steps(&self) -> Vec<Step> {
        let mut steps = Vec::with_capacity(32);
        self.for_each_step(|step| steps.push(step));
        steps
    }

    /// The step with what it removes from a trap, found without taking it.
    #[inline]
    pub fn with_removal(&self, step: Step) -> Step {
        step.removing(self.removed_by(step))
    }

    /// The piece that falls into a trap because of this step.
    #[inline]
    pub(crate) fn removed_by(&self, step: Step) -> Option<Role> {
        if !Bitboard::TRAPS.near().contains(step.from()) {
            return None;
        }
        let trap = step.from().adjacent_trap()?;
        let friends = (self.board().side(step.side()) ^ step.from().bit()) | step.target().bit();
        if friends.contains(trap) && !friends.intersects(trap.neighbours()) {
            Some(if step.target() == trap {
                step.piece().role()
            } else {
                self.board().role_at(trap)
            })
        } else {
            None
        }
    }
}

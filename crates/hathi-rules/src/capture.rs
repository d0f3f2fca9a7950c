//! Which enemy pieces can be captured this turn, and in how few steps?
//!
//! A piece falls when it stands on a trap and its last friend beside the trap
//! is gone. Each enemy piece that has to move, whether into the trap or away
//! from beside it, costs a push or a pull of two steps, and a piece at
//! distance two costs two of them. So for a trap with *n* enemy pieces beside
//! it:
//!
//! | n | who can fall | displacements | steps to spare |
//! |---|---|---|---|
//! | 0 | a piece two squares away | 2 | 0 |
//! | 1 | the piece beside the trap, or the one on it | 1 | 2 |
//! | 2 | one of the two beside it, or the one on it | 2 | 0 |
//! | 3, 4 | nobody | | |
//!
//! The search below looks at one trap at a time and never further than this
//! table allows.

use crate::position::PushPull;
use crate::turns::{find_own_step, for_each_pull, for_each_push};
use crate::{Bitboard, Board, Piece, Position, Role, Side, Square, Step, Turn};

/// An enemy piece that the side to move can capture this turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CaptureThreat {
    /// The piece that would be lost.
    pub victim: Piece,
    /// Where it stands now.
    pub square: Square,
    /// The trap it would fall into.
    pub trap: Square,
    /// The fewest steps it takes.
    pub steps: u8,
    /// A turn of that many steps that does it.
    pub turn: Turn,
}

impl Position {
    /// Every enemy piece that can be captured with the steps left, each once,
    /// with the fewest steps, strongest first.
    ///
    /// ```
    /// use hathi_rules::Position;
    /// let position: Position = "
    ///     g
    ///     8| . . . . . . . . |
    ///     7| . . . . . . . . |
    ///     6| . . x . . x . . |
    ///     5| . . . . . . . . |
    ///     4| . . h . . . . . |
    ///     3| . E x . . x . . |
    ///     2| . . . . . . . . |
    ///     1| . . . . . . . . |".parse()?;
    /// let threats = position.capture_threats();
    /// assert_eq!(threats.len(), 1);
    /// assert_eq!(threats[0].steps, 3);
    /// assert_eq!(threats[0].turn.to_string(), "Eb3n hc4s hc3x Eb4e");
    /// # Ok::<(), hathi_rules::ParsePositionError>(())
    /// ```
    pub fn capture_threats(&self) -> Vec<CaptureThreat> {
        let mut search = Search {
            side: self.side_to_move(),
            trap: Square::C3,
            turn: Turn::EMPTY,
            threats: Vec::new(),
        };
        // Shortest first: what is found with fewer steps stays.
        for steps in 1..=self.steps_left() as u32 {
            for trap in Square::TRAPS {
                search.trap = trap;
                if !search.is_settled(self) {
                    search.start(self, steps);
                }
            }
        }
        search
            .threats
            .sort_by_key(|threat| std::cmp::Reverse(threat.victim.role()));
        search.threats
    }

    /// The squares of the enemy pieces that can be made to fall into this trap
    /// with the steps left, each whether or not it could fall elsewhere in
    /// fewer. No piece falls where there is no trap.
    pub fn victims(&self, trap: Square) -> Bitboard {
        if !trap.is_trap() {
            return Bitboard::EMPTY;
        }
        let mut search = Search {
            side: self.side_to_move(),
            trap,
            turn: Turn::EMPTY,
            threats: Vec::new(),
        };
        for steps in 1..=self.steps_left() as u32 {
            if !search.is_settled(self) {
                search.start(self, steps);
            }
        }
        let victims = search.threats.iter().map(|threat| threat.square);
        victims.collect()
    }

    /// Can any enemy piece be captured with the steps left?
    pub fn can_capture(&self) -> bool {
        !self.capture_threats().is_empty()
    }
}

struct Search {
    side: Side,
    /// The trap under consideration.
    trap: Square,
    turn: Turn,
    threats: Vec<CaptureThreat>,
}

impl Search {
    /// With one enemy beside the trap there is one possible victim, and
    /// nothing more to find once it is found: the piece on the trap or, if
    /// that is empty, the one beside it.
    fn is_settled(&self, position: &Position) -> bool {
        let enemy = position.enemy();
        let beside = enemy & self.trap.neighbours();
        let on_trap = enemy & self.trap.bit();
        let victim = if on_trap.any() { on_trap } else { beside };
        beside.len() == 1
            && position.push_pull() == PushPull::Free
            && self
                .threats
                .iter()
                .any(|threat| victim.contains(threat.square))
    }

    /// Captures on the trap that take exactly `steps` steps.
    fn start(&mut self, position: &Position, steps: u32) {
        let board = position.board();
        match position.push_pull() {
            PushPull::Free => self.node(board, steps, None),
            PushPull::MayPull { .. } if !position.can_pull() => self.node(board, steps, None),
            PushPull::MayPull { .. } => {
                // However far from the trap: a pull may free a piece that
                // captures there.
                for step in position.legal_steps() {
                    let pull = step.side() != self.side
                        && position.is_pull(step.piece().role(), step.target());
                    if pull {
                        self.take(position.after(step).board(), &[step], steps, None);
                    }
                }
                self.node(board, steps, None);
            }
            PushPull::MustPush { .. } => {
                for step in position.legal_steps() {
                    self.take(position.after(step).board(), &[step], steps, None);
                }
            }
        }
    }

    /// Takes steps out of the budget. Notes what they capture if they use it
    /// up, searches on if they do not.
    fn take(&mut self, board: &Board, steps: &[Step], budget: u32, last: Option<Step>) {
        let Some(left) = budget.checked_sub(steps.len() as u32) else {
            return;
        };
        for &step in steps {
            // Four at most: each was paid for out of the budget.
            let _ = self.turn.push(step);
        }
        if left == 0 {
            self.note(steps);
        } else {
            self.node(board, left, last);
        }
        for _ in steps {
            self.turn.pop();
        }
    }

    /// Writes down a capture on the trap by the last steps.
    fn note(&mut self, last: &[Step]) {
        let fallen = last
            .iter()
            .filter(|step| step.side() != self.side)
            .find_map(|step| Some((*step, step.removed()?)))
            .filter(|(_, removal)| removal.square == self.trap);
        let Some((by, removal)) = fallen else {
            return;
        };
        // Where did the victim stand when the turn began? Follow it back.
        let mut square = removal.square;
        let mut seen = false;
        for &step in self.turn.iter().rev() {
            seen |= step == by;
            if seen && step.side() != self.side && step.target() == square {
                square = step.from();
            }
        }
        if self.threats.iter().all(|threat| threat.square != square) {
            self.threats.push(CaptureThreat {
                victim: removal.piece,
                square,
                trap: self.trap,
                steps: self.turn.len() as u8,
                turn: self.turn,
            });
        }
    }

    /// Searches on with `steps` left; `last` is the plain step that led here,
    /// if it was one.
    fn node(&mut self, board: &Board, steps: u32, last: Option<Step>) {
        let enemy = board.side(self.side.opponent());
        let trap = self.trap.bit();
        let beside = enemy & trap.near();
        let displacements = match beside.len() {
            0 => 2,
            n => n,
        };
        let Some(spare) = steps.checked_sub(2 * displacements) else {
            return;
        };
        // Who has to be moved first, at the latest after the spare steps?
        let to_move = match beside.len() {
            0 => enemy & (trap.grow().near() - trap.grow()),
            _ => beside,
        };
        if !self.displacer_in_time(board, to_move, spare) {
            return;
        }
        // With two steps to spare any enemy nearby may be shoved aside first:
        // as far away as the supporter of a piece, on the next trap, that
        // freezes the one who captures here.
        let pieces = if spare >= 2 {
            enemy & trap.grow().grow().grow().grow()
        } else {
            to_move
        };
        self.displace(board, pieces, steps);
        if spare > 0 {
            self.prepare(board, steps, spare, last);
        }
    }

    /// Can something stronger be beside one of these pieces after `spare`
    /// steps? Occupied squares and freezing are ignored.
    #[inline]
    fn displacer_in_time(&self, board: &Board, pieces: Bitboard, spare: u32) -> bool {
        let own = board.side(self.side);
        [Role::Rabbit, Role::Cat, Role::Dog, Role::Horse, Role::Camel]
            .into_iter()
            .any(|role| {
                let weak = pieces & board.role(role);
                if weak.is_empty() {
                    return false;
                }
                let mut strong = own & board.stronger_than(role);
                for _ in 0..spare {
                    strong = strong.grow();
                }
                strong.intersects(weak.near())
            })
    }

    /// Pushes and pulls of the pieces that have to move.
    fn displace(&mut self, board: &Board, pieces: Bitboard, steps: u32) {
        let victims = |step: Step| pieces.contains(step.from());
        for_each_push(board, self.side, pieces, |next, both| {
            if victims(both[0]) {
                self.take(&next, &both, steps, None);
            }
        });
        for_each_pull(board, self.side, pieces, |next, both| {
            if victims(both[1]) {
                self.take(&next, &both, steps, None);
            }
        });
    }

    /// Own pieces step into place.
    fn prepare(&mut self, board: &Board, steps: u32, spare: u32, last: Option<Step>) {
        let side = self.side;
        // Whoever displaces stands within two squares of the trap in the end;
        // a piece that frees him steps within three. Who frees that one, two
        // further.
        let mut zone = self.trap.bit().grow().grow().grow();
        for _ in 1..spare {
            zone = zone.grow().grow();
        }
        find_own_step(board, side, zone, last, |next, step| {
            self.take(&next, &[step], steps, Some(step));
            false
        });
    }
}

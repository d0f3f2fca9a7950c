//! What is known of the board before a turn: worked out once, used for all
//! turns.

use hathi_rules::{Bitboard, Board, Position, Role, Side, Square};

use super::Kinds;

/// What the turns before have moved.
#[derive(Clone, Copy, Debug, Default)]
pub struct Past {
    /// Squares the opponent's last turn has changed.
    pub opponent: Bitboard,
    /// Squares own pieces have left with our last turn.
    pub left: Bitboard,
    /// Squares they have arrived on.
    pub entered: Bitboard,
    /// Squares that this turn has changed, for its next step.
    pub turn: Bitboard,
}

impl Past {
    /// What led to the last of these positions, each at the start of a turn;
    /// only the last three matter.
    pub fn of(positions: &[Position]) -> Past {
        match positions {
            [.., first, second, now] => Past::between(first.board(), second.board(), now),
            [before, now] => Past {
                opponent: before.board().differing(now.board()),
                ..Past::default()
            },
            _ => Past::default(),
        }
    }

    /// The boards before our last turn and after it, and where we are now.
    #[inline]
    pub fn between(first: &Board, second: &Board, now: &Position) -> Past {
        let mover = now.side_to_move();
        let changed = first.differing(second);
        Past {
            opponent: second.differing(now.board()),
            left: changed & first.side(mover),
            entered: changed & second.side(mover),
            turn: Bitboard::EMPTY,
        }
    }

    /// The same inside a turn that began at `start`.
    #[inline]
    #[must_use]
    pub fn inside(mut self, start: &Board, now: &Board) -> Past {
        self.turn = start.differing(now);
        self
    }
}

/// How much is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Depth {
    /// Captures and goals are searched for.
    Searched,
    /// Only what is seen at a glance.
    Glance,
}

/// The board before a turn or a step, with all that its features need.
#[derive(Clone, Debug)]
pub struct Context {
    pub(super) board: Board,
    pub(super) side: Side,
    pub(super) kinds: Kinds,
    pub(super) past: Past,
    /// Squares within 0 to 3 steps of the opponent's last turn.
    pub(super) near_last: [Bitboard; 4],
    /// Squares within 0 to 3 steps of what this turn has changed.
    pub(super) near_turn: [Bitboard; 4],
    pub(super) sides: [SideView; 2],
    /// For each animal of ours the squares within 1 to 3 steps of a stronger
    /// enemy.
    pub(super) near_stronger: [[Bitboard; 3]; 6],
    /// The same for weaker ones.
    pub(super) near_weaker: [[Bitboard; 3]; 6],
    /// Own pieces that the opponent could capture, and the trap of each.
    pub(super) threatened: [(Bitboard, Bitboard); 4],
    pub(super) depth: Depth,
    /// The opponent, the mover could reach goal if it were their turn.
    pub(super) can_goal: [bool; 2],
}

/// What is seen of one side, on the board before or after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SideView {
    own: Bitboard,
    pub(super) frozen: Bitboard,
    pub(super) dominated: Bitboard,
    pub(super) hanging: Bitboard,
    pub(super) loose: Bitboard,
    /// Guards of the four traps: 0 none, 1 and 2 one, 3 and 4 two, 5 and 6
    /// three or more; the even ones with the elephant.
    pub(super) guards: [u8; 4],
    pub(super) pairs: i32,
    /// Empty squares beside the elephant.
    pub(super) room: u8,
}

impl SideView {
    #[inline]
    pub(super) fn of(board: &Board, side: Side) -> SideView {
        let own = board.side(side);
        let elephant = own & board.role(Role::Elephant);
        let guards = Square::TRAPS.map(|trap| guards(own, elephant, trap));
        let room = room(elephant, board.empty());
        SideView::with(board, side, guards, pairs(own), room)
    }

    /// The same for a board that differs from that of `before` on `changed` squares only: what
    /// needs counting is counted where it can be another.
    #[inline]
    pub(super) fn after(
        board: &Board,
        side: Side,
        before: &SideView,
        changed: Bitboard,
    ) -> SideView {
        let own = board.side(side);
        let elephant = own & board.role(Role::Elephant);
        let mut now = before.guards;
        for (now, trap) in now.iter_mut().zip(Square::TRAPS) {
            if trap.neighbours().intersects(changed) {
                *now = guards(own, elephant, trap);
            }
        }
        let same_pieces = before.own == own;
        let pairs = if same_pieces {
            before.pairs
        } else {
            pairs(own)
        };
        let room = if elephant.any() && !elephant.grow().intersects(changed) {
            before.room
        } else {
            room(elephant, board.empty())
        };
        SideView::with(board, side, now, pairs, room)
    }

    #[inline]
    fn with(board: &Board, side: Side, guards: [u8; 4], pairs: i32, room: u8) -> SideView {
        let own = board.side(side);
        let enemy = board.side(side.opponent());
        let dominated = board.dominated(side);
        // The only guards of traps that no enemy stands on.
        let guarded_once = one_beside(own) & (Bitboard::TRAPS - enemy);
        let alone = own & guarded_once.near();
        let hanging = alone & dominated;
        let mut loose = Bitboard::EMPTY;
        for square in alone - hanging {
            if let Some(piece) = board.piece_at(square) {
                let two_away = (square.neighbours() & board.empty()).near();
                if two_away.intersects(enemy & board.stronger_than(piece.role())) {
                    loose |= square.bit();
                }
            }
        }
        SideView {
            own,
            frozen: dominated - own.near(),
            dominated,
            hanging,
            loose,
            guards,
            pairs,
            room,
        }
    }
}

/// Squares that exactly one of the set is beside.
#[inline]
fn one_beside(set: Bitboard) -> Bitboard {
    let [n, s, e, w] = [set.north(), set.south(), set.east(), set.west()];
    let (upright, level) = (n ^ s, e ^ w);
    (upright ^ level) - (n & s) - (e & w)
}

/// The guards of a trap, as [`SideView`] counts them.
#[inline]
fn guards(own: Bitboard, elephant: Bitboard, trap: Square) -> u8 {
    let beside = own & trap.neighbours();
    let with_elephant = u8::from(beside.intersects(elephant));
    (2 * beside.len().min(3) as u8 + with_elephant).saturating_sub(1)
}

/// Own pieces side by side.
#[inline]
fn pairs(own: Bitboard) -> i32 {
    ((own & own.east()).len() + (own & own.north()).len()) as i32
}

/// Empty squares beside the elephant.
#[inline]
fn room(elephant: Bitboard, empty: Bitboard) -> u8 {
    (elephant.near() & empty).len() as u8
}

/// The set itself, and what is within one, two and three steps.
#[inline]
fn rings(set: Bitboard) -> [Bitboard; 4] {
    let one = set.grow();
    let two = one.grow();
    [set, one, two, two.grow()]
}

impl Context {
    /// For whole turns: looks for captures and goals, too.
    pub fn new(position: &Position, past: &Past) -> Context {
        let mut context = Context::at_a_glance(position, past);
        let side = context.side;
        let opponent = position.with_side(side.opponent());
        context.depth = Depth::Searched;
        for (place, threat) in context
            .threatened
            .iter_mut()
            .zip(opponent.capture_threats())
        {
            *place = (threat.square.bit(), threat.trap.bit());
        }
        context.can_goal = [
            opponent.can_goal().is_some(),
            position.with_side(side).can_goal().is_some(),
        ];
        context
    }

    /// For steps inside a search: what can be seen at a glance.
    #[inline]
    pub fn at_a_glance(position: &Position, past: &Past) -> Context {
        let board = *position.board();
        let side = position.side_to_move();
        let enemy = board.side(side.opponent());
        let mut near_stronger = [[Bitboard::EMPTY; 3]; 6];
        let mut near_weaker = near_stronger;
        for role in Role::ALL {
            let [_, stronger @ ..] = rings(enemy & board.stronger_than(role));
            let [_, weaker @ ..] = rings(enemy & board.weaker_than(role));
            near_stronger[role.index()] = stronger;
            near_weaker[role.index()] = weaker;
        }
        Context {
            board,
            side,
            kinds: Kinds::of(&board, side),
            past: *past,
            near_last: rings(past.opponent),
            near_turn: rings(past.turn),
            sides: [
                SideView::of(&board, side),
                SideView::of(&board, side.opponent()),
            ],
            near_stronger,
            near_weaker,
            threatened: [(Bitboard::EMPTY, Bitboard::EMPTY); 4],
            depth: Depth::Glance,
            can_goal: [false; 2],
        }
    }

    /// The board before.
    pub fn board(&self) -> &Board {
        &self.board
    }
}

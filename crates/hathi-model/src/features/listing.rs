//! The features of a change, listed.

use hathi_rules::{Bitboard, Board, Piece, Position, Role, Side, Square, Step};

use super::context::{Context, Depth, SideView};
use super::{BOTH, GUARDS, HALF, KINDS, Sink, at};

/// The squares of the left half as each side sees them.
static HALF_SQUARES: [[u8; 64]; 2] = {
    let mut table = [[0; 64]; 2];
    let mut i = 0;
    while i < 64 {
        let file = if i % 8 > 3 { 7 - i % 8 } else { i % 8 };
        table[0][i] = (i / 8 * 4 + file) as u8;
        table[1][i] = ((7 - i / 8) * 4 + file) as u8;
        i += 1;
    }
    table
};

/// The squares before a rabbit of each side, on its file and the two beside.
static BEFORE: [[Bitboard; 64]; 2] = {
    let mut table = [[Bitboard::EMPTY; 64]; 2];
    let mut i = 0;
    while i < 64 {
        let here = Bitboard(1 << i);
        let mut files = Bitboard(here.0 | here.east().0 | here.west().0);
        let mut down = files;
        let mut n = 0;
        while n < 7 {
            files = files.north();
            down = down.south();
            table[0][i] = Bitboard(table[0][i].0 | files.0);
            table[1][i] = Bitboard(table[1][i].0 | down.0);
            n += 1;
        }
        i += 1;
    }
    table
};

/// How many of the rings do not hold the square.
#[inline]
fn distance<const N: usize>(rings: &[Bitboard; N], square: Square) -> usize {
    rings.iter().filter(|ring| !ring.contains(square)).count()
}

impl Context {
    #[inline]
    pub(super) fn half(&self, square: Square) -> usize {
        usize::from(HALF_SQUARES[self.side.index()][square.index()]) % HALF
    }

    #[inline]
    pub(super) fn away(&self, square: Square) -> usize {
        usize::from(self.half(square) >= HALF / 2)
    }

    /// Lists the features of a turn that leads to this board in so many steps.
    #[inline]
    pub fn list_turn(&self, after: &Board, steps: u8, sink: &mut impl Sink) {
        let changed = self.board.differing(after);
        let mut moved = [0; 4];
        let mut own_moved = 0;
        let mut enemy_moved = 0;
        for square in changed {
            if let Some(piece) = self.board.piece_at(square) {
                let kind = self.leaves(piece, square, sink);
                if kind >= KINDS {
                    enemy_moved += 1;
                } else {
                    for &other in &moved[..own_moved.min(4)] {
                        let (low, high) = if other < kind {
                            (other, kind)
                        } else {
                            (kind, other)
                        };
                        sink.add(at::TOGETHER + low * KINDS + high);
                    }
                    if own_moved < 4 {
                        moved[own_moved] = kind;
                        own_moved += 1;
                    }
                }
            }
            if let Some(piece) = after.piece_at(square) {
                self.arrives(after, piece, square, sink);
            }
        }
        let steps = usize::from(steps.clamp(1, 4)) - 1;
        sink.add(at::STEPS + (steps * 5 + own_moved) * 3 + enemy_moved.min(2));
        self.list_change(after, changed, sink);
        if self.depth == Depth::Searched {
            self.list_threats(after, changed, sink);
        }
    }

    /// Lists the features of a single step and the board after it.
    #[inline]
    pub fn list_step(&self, position: &Position, step: Step, sink: &mut impl Sink) -> Position {
        let next = position.after(step);
        let after = next.board();
        let (piece, from) = (step.piece(), step.from());
        let kind = self.leaves(piece, from, sink);
        sink.add(at::IN_TURN + kind * 5 + distance(&self.near_turn, from));
        if kind >= KINDS {
            let pull = usize::from(!next.is_mid_push());
            sink.add(at::IN_TURN + BOTH * 5 + (kind - KINDS) * 2 + pull);
        }
        let mut changed = from.bit();
        if let Some(to) = step.to() {
            changed |= to.bit();
            if after.piece_at(to) == Some(piece) {
                self.arrives(after, piece, to, sink);
            }
        }
        if let Some(removal) = step.removed() {
            changed |= removal.square.bit();
        }
        self.list_change(after, changed, sink);
        next
    }

    /// A piece leaves a square; gives its kind.
    #[inline]
    fn leaves(&self, piece: Piece, square: Square, sink: &mut impl Sink) -> usize {
        let kind = self.kinds.kind(piece);
        sink.add(at::SOURCE + kind * HALF + self.half(square));
        sink.add(at::LEAVING + kind * 12 + company(&self.board, piece, square));
        sink.add(at::NEAR_LAST + kind * 5 + distance(&self.near_last, square));
        if kind < KINDS {
            sink.add(at::FROM_ENEMIES + kind * 16 + self.enemies(piece, square));
            if self.past.entered.contains(square) {
                sink.add(at::AGAIN + kind);
            }
        }
        kind
    }

    /// A piece arrives on a square.
    #[inline]
    fn arrives(&self, after: &Board, piece: Piece, square: Square, sink: &mut impl Sink) {
        let kind = self.kinds.kind(piece);
        sink.add(at::TARGET + kind * HALF + self.half(square));
        sink.add(at::ARRIVING + kind * 12 + company(after, piece, square));
        sink.add(at::NEAR_LAST + (BOTH + kind) * 5 + distance(&self.near_last, square));
        if kind < KINDS {
            sink.add(at::TO_ENEMIES + kind * 16 + self.enemies(piece, square));
            if self.past.left.contains(square) {
                sink.add(at::AGAIN + KINDS + kind);
            }
        }
        if Bitboard::TRAPS.contains(square) {
            let friends = (after.side(piece.side()) & square.neighbours()).len();
            let friends = friends.clamp(1, 3) as usize - 1;
            sink.add(at::ON_TRAP + (kind * 2 + self.away(square)) * 3 + friends);
        }
        if piece.role() == Role::Rabbit {
            self.rabbit_arrives(after, piece.side(), square, sink);
        }
    }

    #[inline]
    fn rabbit_arrives(&self, after: &Board, side: Side, square: Square, sink: &mut impl Sink) {
        let enemy = after.side(side.opponent());
        let way = if enemy.intersects(square.bit().shift(side.forward())) {
            2
        } else {
            usize::from(enemy.intersects(BEFORE[side.index()][square.index()]))
        };
        let rank = usize::from(HALF_SQUARES[side.index()][square.index()]) / 4;
        let whose = usize::from(side != self.side);
        sink.add(at::RABBIT + (whose * 8 + rank) * 3 + way);
    }

    /// Steps to a stronger and to a weaker enemy, as they stood before.
    #[inline]
    fn enemies(&self, piece: Piece, square: Square) -> usize {
        let role = piece.role().index();
        distance(&self.near_stronger[role], square) * 4 + distance(&self.near_weaker[role], square)
    }

    /// What has changed for pieces that did not move, and for traps.
    #[inline]
    fn list_change(&self, after: &Board, changed: Bitboard, sink: &mut impl Sink) {
        let [own, other] = &self.sides;
        let views = [
            SideView::after(after, self.side, own, changed),
            SideView::after(after, self.side.opponent(), other, changed),
        ];
        for (whose, (before, now)) in self.sides.iter().zip(&views).enumerate() {
            for (group, was, is) in [
                (at::FROZEN, before.frozen, now.frozen),
                (at::DOMINATED, before.dominated, now.dominated),
            ] {
                let group = group + whose * 2 * (KINDS + HALF);
                self.list_places(&self.board, was - is, group, sink);
                self.list_places(after, is - was, group + KINDS + HALF, sink);
            }
            for (group, was, is) in [
                (at::HANGING, before.hanging, now.hanging),
                (at::LOOSE, before.loose, now.loose),
            ] {
                let group = group + whose * 2 * KINDS * 2;
                self.list_sides(&self.board, was - is, group, sink);
                self.list_sides(after, is - was, group + KINDS * 2, sink);
            }
            if before.room != now.room {
                sink.add(at::ROOM + whose * 5 + usize::from(now.room.min(4)));
            }
            let pairs = (now.pairs - before.pairs).clamp(-2, 2);
            if pairs != 0 {
                sink.add(at::PHALANX + whose * 5 + (pairs + 2).unsigned_abs() as usize);
            }
        }
        for (number, trap) in Square::TRAPS.into_iter().enumerate() {
            if !trap.neighbours().intersects(changed) {
                continue;
            }
            let away = self.away(trap);
            let mut any = false;
            for (whose, (before, now)) in self.sides.iter().zip(&views).enumerate() {
                let before = usize::from(before.guards[number]);
                let now = usize::from(now.guards[number]);
                if before != now {
                    any = true;
                    let place = (whose * 2 + away) * GUARDS + before;
                    sink.add(at::TRAP + place * GUARDS + now);
                }
            }
            if any {
                let [own, enemy] = [0, 1].map(|whose| usize::from(views[whose].guards[number]));
                sink.add(at::CONTROL + (away * GUARDS + own) * GUARDS + enemy);
            }
        }
        if self.board.occupied().len() != after.occupied().len() {
            self.list_captures(after, sink);
        }
    }

    #[inline]
    fn list_places(&self, board: &Board, set: Bitboard, group: usize, sink: &mut impl Sink) {
        for square in set {
            if let Some(piece) = board.piece_at(square) {
                sink.add(group + self.kinds.kind(piece) % KINDS);
                sink.add(group + KINDS + self.half(square));
            }
        }
    }

    #[inline]
    fn list_sides(&self, board: &Board, set: Bitboard, group: usize, sink: &mut impl Sink) {
        for square in set {
            if let Some(piece) = board.piece_at(square) {
                sink.add(group + (self.kinds.kind(piece) % KINDS) * 2 + self.away(square));
            }
        }
    }

    fn list_captures(&self, after: &Board, sink: &mut impl Sink) {
        for piece in Piece::ALL {
            let gone = self
                .board
                .pieces(piece)
                .len()
                .saturating_sub(after.pieces(piece).len());
            for _ in 0..gone {
                sink.add(at::CAPTURED + self.kinds.kind(piece));
            }
        }
    }

    /// What takes a search: captures that were threatened, goals.
    #[inline]
    fn list_threats(&self, after: &Board, changed: Bitboard, sink: &mut impl Sink) {
        let own = after.side(self.side);
        for &(piece, trap) in &self.threatened {
            let Some(square) = piece.first() else { break };
            let Some(victim) = self.board.piece_at(square) else {
                break;
            };
            let beside = trap.near();
            let answer = if changed.intersects(piece) {
                0
            } else if (own & beside).len() > (self.board.side(self.side) & beside).len() {
                1
            } else {
                2
            };
            sink.add(at::THREATENED + answer * KINDS + self.kinds.kind(victim) % KINDS);
        }
        if after.rabbits(self.side).intersects(self.side.goal()) {
            sink.add(at::GOAL);
            return;
        }
        let can_goal = |side| Position::composed(*after, side).can_goal().is_some();
        match (self.can_goal[0], can_goal(self.side.opponent())) {
            (true, false) => sink.add(at::GOAL + 1),
            (true, true) => sink.add(at::GOAL + 2),
            (false, true) => sink.add(at::GOAL + 3),
            (false, false) => {}
        }
        match (self.can_goal[1], can_goal(self.side)) {
            (false, true) => sink.add(at::GOAL + 4),
            (true, false) => sink.add(at::GOAL + 5),
            _ => {}
        }
    }
}

/// Who stands beside a piece: friends (0, 1, 2 or more), stronger enemies,
/// weaker ones; 0 to 11.
#[inline]
fn company(board: &Board, piece: Piece, square: Square) -> usize {
    let beside = square.neighbours();
    let friends = (board.side(piece.side()) & beside).len().min(2) as usize;
    let enemies = board.side(piece.side().opponent()) & beside;
    let stronger = usize::from(enemies.intersects(board.stronger_than(piece.role())));
    let weaker = usize::from(enemies.intersects(board.weaker_than(piece.role())));
    friends * 4 + stronger * 2 + weaker
}

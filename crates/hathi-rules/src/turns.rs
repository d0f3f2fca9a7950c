//! Every turn a position allows: all of them, or one for each position that
//! can be reached.

use std::ops::ControlFlow;

use crate::{Bitboard, Board, Direction, Piece, Position, Role, Side, Square, Step, Turn};

impl Position {
    /// Calls `visit` with every legal turn as a sequence of steps, and the
    /// position after it (at the opponent's turn), until it says
    /// [`ControlFlow::Break`]. Different sequences that lead to the same
    /// position are all visited; sequences that change nothing are not.
    /// Repetition is a matter of the [`Game`](crate::Game).
    ///
    /// There are hundreds of thousands in a middle-game position. For one
    /// turn a position reached, use [`TurnGenerator`].
    pub fn for_each_turn(
        &self,
        mut visit: impl FnMut(&Turn, &Position) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut turn = Turn::EMPTY;
        // A half-done push has changed something: going back to how it stands
        // now is a change.
        let unchanged = (!self.is_mid_push()).then_some(self.board());
        visit_turns(unchanged, self, &mut turn, &mut visit)
    }
}

fn visit_turns(
    unchanged: Option<&Board>,
    position: &Position,
    turn: &mut Turn,
    visit: &mut impl FnMut(&Turn, &Position) -> ControlFlow<()>,
) -> ControlFlow<()> {
    if !turn.is_empty() && !position.is_mid_push() && Some(position.board()) != unchanged {
        visit(turn, &position.end_turn())?;
    }
    for step in position.legal_steps() {
        if turn.push(step).is_ok() {
            visit_turns(unchanged, &position.after(step), turn, visit)?;
            turn.pop();
        }
    }
    ControlFlow::Continue(())
}

/// Finds every distinct position that one turn can reach, each with one
/// shortest sequence of steps. Keeps its memory between calls.
///
/// The search goes level by level (steps used) over boards alone: a push or a
/// pull is one move of cost two, so no half-done push has to be remembered.
/// Boards are told apart by comparing them; the hash only finds the place.
///
/// ```
/// use hathi_rules::{Position, TurnGenerator};
/// let position: Position = "
///     s
///     8| . . . . . . . . |
///     7| . . . . . . . . |
///     6| . . x . . x . . |
///     5| . . . . . . . . |
///     4| . . . . . . . . |
///     3| . . x . . x . . |
///     2| r . . . . . . . |
///     1| . . . . . . . R |".parse()?;
/// let mut generator = TurnGenerator::new();
/// assert_eq!(generator.count(&position), 8);
/// let turns: Vec<String> = generator
///     .generate(&position)
///     .map(|reached| reached.turn().to_string())
///     .collect();
/// assert_eq!(turns[..2], ["ra2s", "ra2e"]);
/// # Ok::<(), hathi_rules::ParsePositionError>(())
/// ```
#[derive(Debug, Default)]
pub struct TurnGenerator {
    nodes: Vec<Node>,
    /// Open addressing: node number plus one, 0 for free. The upper half
    /// holds bits of the hash, so that most mismatches cost no look at the
    /// node.
    table: Vec<u64>,
    side: Option<Side>,
}

/// Node 0 is the position itself; what can be reached follows.
const FIRST_RESULT: usize = 1;

/// A board reached, and how.
#[derive(Clone, Copy, Debug)]
struct Node {
    board: Board,
    parent: u32,
    /// The step, or the two steps of a push or pull, from the parent.
    steps: [Step; 2],
    count: u8,
    /// For a plain step: the squares it may interact with; see
    /// [`commuting_zone`]. Everything, when no order may be assumed.
    zone: Bitboard,
}

/// One position that a turn can reach.
#[derive(Clone, Copy, Debug)]
pub struct Reached<'a> {
    generator: &'a TurnGenerator,
    node: u32,
}

impl Reached<'_> {
    /// The board after the turn.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.generator.nodes[self.node as usize].board
    }

    /// The position after the turn, the opponent to move.
    #[inline]
    pub fn position(&self) -> Position {
        let mover = self.generator.side.unwrap_or(Side::Gold);
        Position::composed(*self.board(), mover.opponent())
    }

    /// The fewest steps that lead there.
    #[inline]
    pub fn steps_used(&self) -> u8 {
        let nodes = &self.generator.nodes;
        let mut node = &nodes[self.node as usize];
        let mut steps = node.count;
        while node.parent != 0 {
            node = &nodes[node.parent as usize];
            steps += node.count;
        }
        steps
    }

    /// A shortest sequence of steps that leads there.
    pub fn turn(&self) -> Turn {
        self.generator.turn_to(self.node)
    }
}

impl TurnGenerator {
    /// An empty generator; memory is taken with the first call.
    pub fn new() -> TurnGenerator {
        TurnGenerator::default()
    }

    /// Every distinct position one legal turn from here can reach, the
    /// unchanged position excluded, repetition ignored.
    ///
    /// In the middle of a turn: what can be reached with at least one more
    /// step (ending the turn at once is not listed, nor is going back to
    /// where this position stands).
    pub fn generate<'a>(
        &'a mut self,
        position: &Position,
    ) -> impl ExactSizeIterator<Item = Reached<'a>> + use<'a> {
        self.search(position);
        let generator = &*self;
        (FIRST_RESULT..self.nodes.len()).map(move |node| Reached {
            generator,
            node: node as u32,
        })
    }

    /// The number of positions [`generate`](TurnGenerator::generate) finds.
    pub fn count(&mut self, position: &Position) -> usize {
        self.search(position);
        self.nodes.len() - FIRST_RESULT
    }

    fn turn_to(&self, node: u32) -> Turn {
        let mut reversed = [None; Turn::MAX_STEPS + 1];
        let mut len = 0;
        let mut at = node;
        while at != 0 {
            let node = &self.nodes[at as usize];
            for &step in node.steps[..node.count as usize].iter().rev() {
                reversed[len] = Some(step);
                len += 1;
            }
            at = node.parent;
        }
        let mut turn = Turn::EMPTY;
        for step in reversed[..len].iter().rev().copied().flatten() {
            // Never more than four: the search stops there.
            let _ = turn.push(step);
        }
        turn
    }

    fn search(&mut self, position: &Position) {
        let side = position.side_to_move();
        let mid_push = position.is_mid_push();
        self.side = Some(side);
        self.nodes.clear();
        self.table.fill(0);
        if self.table.is_empty() {
            self.table.resize(1 << 12, 0);
        }
        let root = Node::new(*position.board(), 0, &[], Bitboard::ALL);
        if mid_push {
            // The half-pushed board is not yet a place to be: it may be
            // reached properly, by completing the push and stepping back.
            self.nodes.push(root);
        } else {
            self.add(root);
        }

        // levels[n]..levels[n + 1] are the boards first reached by n steps.
        let mut levels = [0; 6];
        levels[1] = 1;
        for level in 1..=position.steps_left() as usize {
            if level == 1 {
                self.first_steps(position, mid_push);
            } else {
                for node in levels[level - 1]..levels[level] {
                    self.plain_steps(side, node);
                }
                if !(level == 2 && mid_push) {
                    for node in levels[level - 2]..levels[level - 1] {
                        self.pushes(side, node);
                        self.pulls(side, node);
                    }
                }
            }
            levels[level + 1] = self.nodes.len();
        }
    }

    /// The single steps of the position itself. It may be inside a turn: this
    /// is the only place where the step before matters.
    fn first_steps(&mut self, position: &Position, mid_push: bool) {
        let side = position.side_to_move();
        position.for_each_step(|step| {
            let own = step.side() == side;
            if own || position.is_pull(step.piece().role(), step.target()) {
                let zone = if own && !mid_push {
                    commuting_zone(step)
                } else {
                    Bitboard::ALL
                };
                let board = *position.after(step).board();
                self.add(Node::new(board, 0, &[step], zone));
            }
        });
    }

    /// Own pieces step to empty squares.
    fn plain_steps(&mut self, side: Side, index: usize) {
        let node = self.nodes[index];
        let board = node.board;
        let mobile = board.mobile(side);
        let rabbits = board.role(Role::Rabbit);
        // Steps that commute with the one that led here are taken in the
        // order of their squares only; the other order leads to the same.
        let earlier = Bitboard((1 << node.steps[0].from().index()) - 1) - node.zone;
        for direction in Direction::ALL {
            let mut movers = mobile & board.can_leave_towards(direction);
            if direction == side.forward().opposite() {
                movers = movers - rabbits;
            }
            movers = movers - (earlier - node.zone.shift(direction.opposite()));
            for from in movers {
                let piece = board.some_piece_at(from);
                let mut next = board;
                let step = next.take_step(Step::new(piece, from, direction));
                let zone = commuting_zone(step);
                self.add(Node::new(next, index as u32, &[step], zone));
            }
        }
    }

    fn pushes(&mut self, side: Side, index: usize) {
        let board = self.nodes[index].board;
        for_each_push(&board, side, Bitboard::ALL, |next, steps| {
            self.add(Node::new(next, index as u32, &steps, Bitboard::ALL));
        });
    }

    fn pulls(&mut self, side: Side, index: usize) {
        let board = self.nodes[index].board;
        for_each_pull(&board, side, Bitboard::ALL, |next, steps| {
            self.add(Node::new(next, index as u32, &steps, Bitboard::ALL));
        });
    }

    /// Adds a board unless it is known already.
    #[inline]
    fn add(&mut self, node: Node) {
        let hash = node.board.hash();
        let mask = self.table.len() - 1;
        let tag = hash & TAG;
        let mut place = hash as usize & mask;
        loop {
            let entry = self.table[place];
            if entry == 0 {
                break;
            }
            if entry & TAG == tag && self.nodes[(entry & !TAG) as usize - 1].board == node.board {
                return;
            }
            place = (place + 1) & mask;
        }
        self.nodes.push(node);
        self.table[place] = tag | self.nodes.len() as u64;
        if self.nodes.len() * 2 > self.table.len() {
            self.grow();
        }
    }

    #[cold]
    fn grow(&mut self) {
        let size = self.table.len() * 4;
        self.table.fill(0);
        self.table.resize(size, 0);
        for (number, node) in (1u64..).zip(&self.nodes) {
            let hash = node.board.hash();
            let mut place = hash as usize & (size - 1);
            while self.table[place] != 0 {
                place = (place + 1) & (size - 1);
            }
            self.table[place] = hash & TAG | number;
        }
    }
}

/// Tries single steps of `side`'s own pieces that leave or enter a square of
/// `zone`, until `found` is satisfied with the board after one of them. Of two
/// steps in a row that do not interfere only one order is tried: `last` is the
/// step before, if it was a plain one.
#[inline]
pub(crate) fn find_own_step(
    board: &Board,
    side: Side,
    zone: Bitboard,
    last: Option<Step>,
    mut found: impl FnMut(Board, Step) -> bool,
) -> bool {
    let mobile = board.mobile(side);
    let (before, apart) = match last {
        Some(step) => (
            Bitboard((1 << step.from().index()) - 1),
            !commuting_zone(step),
        ),
        None => (Bitboard::EMPTY, Bitboard::EMPTY),
    };
    for direction in Direction::ALL {
        let back = direction.opposite();
        let mut movers = mobile & board.can_leave_towards(direction) & (zone | zone.shift(back));
        if back == side.forward() {
            movers = movers - board.role(Role::Rabbit);
        }
        movers = movers - (before & apart & apart.shift(back));
        for from in movers {
            let mut next = *board;
            let piece = board.some_piece_at(from);
            let step = next.take_step(Step::new(piece, from, direction));
            if found(next, step) {
                return true;
            }
        }
    }
    false
}

/// Every way in which a piece of `side` pushes an enemy aside and takes its
/// square: the board after both steps, and the steps. Only those that leave
/// or enter a square of `zone`.
#[inline]
pub(crate) fn for_each_push(
    board: &Board,
    side: Side,
    zone: Bitboard,
    mut visit: impl FnMut(Board, [Step; 2]),
) {
    let victims = board.beside_stronger(side, board.mobile(side)) & board.empty().near();
    for square in victims {
        let victim = board.some_piece_at(square);
        for direction in Direction::ALL {
            if !board.can_leave_towards(direction).contains(square) {
                continue;
            }
            let near = zone.intersects(square.bit() | square.bit().shift(direction));
            if !near && !zone.intersects(square.neighbours()) {
                continue;
            }
            let mut pushed = *board;
            let first = pushed.take_step(Step::new(victim, square, direction));
            // Judged again after the first step: what it made fall may have
            // frozen a second pusher.
            let pushers =
                pushed.mobile(side) & pushed.stronger_than(victim.role()) & square.neighbours();
            for from in pushers {
                if !near && !zone.contains(from) {
                    continue;
                }
                let pusher = pushed.some_piece_at(from);
                let mut next = pushed;
                let second = next.take_step(Step::new(pusher, from, towards(from, square)));
                visit(next, [first, second]);
            }
        }
    }
}

/// Every way in which a piece of `side` steps away and a weaker enemy is
/// pulled into its square: the board after both steps, and the steps. Only
/// those that leave or enter a square of `zone`.
#[inline]
pub(crate) fn for_each_pull(
    board: &Board,
    side: Side,
    zone: Bitboard,
    mut visit: impl FnMut(Board, [Step; 2]),
) {
    let enemy = board.side(side.opponent());
    let pullers = board.mobile(side) & enemy.near() & board.empty().near();
    for square in pullers - board.role(Role::Rabbit) {
        let puller = board.some_piece_at(square);
        let victims = enemy & board.weaker_than(puller.role()) & square.neighbours();
        if victims.is_empty() {
            continue;
        }
        for direction in Direction::ALL {
            if !board.can_leave_towards(direction).contains(square) {
                continue;
            }
            let near = zone.intersects(square.bit() | square.bit().shift(direction));
            let victims = if near { victims } else { victims & zone };
            if victims.is_empty() {
                continue;
            }
            let mut left = *board;
            let first = left.take_step(Step::new(puller, square, direction));
            for from in victims {
                let victim = left.some_piece_at(from);
                let mut next = left;
                let second = next.take_step(Step::new(victim, from, towards(from, square)));
                visit(next, [first, second]);
            }
        }
    }
}

/// The part of a table entry that holds bits of the hash.
const TAG: u64 = !0 << 32;

/// Fills unused places.
const NO_STEP: Step = Step::new(Piece::GoldRabbit, Square::A1, Direction::North);

impl Node {
    #[inline]
    fn new(board: Board, parent: u32, steps: &[Step], zone: Bitboard) -> Node {
        let mut both = [NO_STEP; 2];
        for (place, &step) in both.iter_mut().zip(steps) {
            *place = step;
        }
        Node {
            board,
            parent,
            steps: both,
            count: steps.len() as u8,
            zone,
        }
    }
}

/// The direction from a square to its neighbour.
#[inline]
fn towards(from: Square, to: Square) -> Direction {
    let offset = to.index() as i8 - from.index() as i8;
    match offset {
        8 => Direction::North,
        -8 => Direction::South,
        1 => Direction::East,
        _ => Direction::West,
    }
}

impl Step {
    /// Can these two steps of one side's own pieces be taken in either order
    /// with the same result? Errs on the side of no. (What may be pulled
    /// afterwards still depends on the order.)
    ///
    /// ```
    /// use hathi_rules::Step;
    /// let cat: Step = "Cb2n".parse()?;
    /// let dog: Step = "Dg2n".parse()?;
    /// let rabbit: Step = "Rb1n".parse()?;
    /// assert!(cat.commutes_with(dog));
    /// assert!(!cat.commutes_with(rabbit));
    /// # Ok::<(), hathi_rules::ParseStepError>(())
    /// ```
    #[inline]
    pub fn commutes_with(self, other: Step) -> bool {
        let squares = other.from().bit() | other.from().bit().shift(other.direction());
        !commuting_zone(self).intersects(squares)
    }
}

/// The squares with which an own step may interact. Another own step that
/// leaves and enters squares outside this zone can be taken before it or
/// after it, with the same result:
///
/// - neither frees, freezes, supports or blocks the other's piece, as their
///   squares are not adjacent;
/// - neither makes a piece fall that the other saves, as they do not touch
///   the surroundings of the same trap.
///
/// ```text
/// step d5e          zone
/// . . . . . .       . . * * . .
/// . . D> . .   ->   . * * * * .     and, next to a trap, the trap with all
/// . . . . . .       . . * * . .     its neighbours
/// ```
#[inline]
fn commuting_zone(step: Step) -> Bitboard {
    ZONES[step.from().index()][step.direction().index()]
}

static ZONES: [[Bitboard; 4]; 64] = {
    let mut zones = [[Bitboard::ALL; 4]; 64];
    let mut i = 0;
    while i < 64 {
        let mut d = 0;
        while d < 4 {
            let from = Bitboard(1 << i);
            let both = Bitboard(from.0 | from.shift(Direction::ALL[d]).0);
            let mut zone = both.grow();
            let mut t = 0;
            while t < 4 {
                let surroundings = Square::TRAPS[t].bit().grow();
                if both.intersects(surroundings) {
                    zone = Bitboard(zone.0 | surroundings.0);
                }
                t += 1;
            }
            zones[i][d] = zone;
            d += 1;
        }
        i += 1;
    }
    zones
};

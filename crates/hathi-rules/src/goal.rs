//! Can the side to move reach goal this turn?
//!
//! Engines ask this at every node, so the answer must not come from listing
//! all turns. It is found in three stages, each cheaper than the next:
//!
//! 1. **Distance.** A rabbit needs at least as many steps as ranks are left.
//! 2. **The run.** One rabbit runs by itself while everything else stands
//!    still. A flood over bitboards answers this exactly.
//! 3. **Help.** Otherwise other pieces (or pushes and pulls) must clear,
//!    support or unfreeze the way. A second, optimistic flood charges each
//!    obstacle the fewest steps anybody could need for it; what costs too
//!    much even so is given up. Only the rest is searched, step by step, each
//!    new position going through the same stages.

use crate::position::PushPull;
use crate::turns::{find_own_step, for_each_pull, for_each_push};
use crate::{Bitboard, Board, Direction, Piece, Position, Role, Side, Square, Step, Turn};

impl Position {
    /// A shortest turn, within the steps left, that ends with an own rabbit
    /// on the goal rank.
    ///
    /// In a position where an own rabbit stands there already the game is
    /// over or, in mid-turn, can be won by ending the turn: the answer is the
    /// empty turn.
    ///
    /// ```
    /// use hathi_rules::Position;
    /// let position: Position = "
    ///     g
    ///     8| . . . r . . . . |
    ///     7| . . h R . . . . |
    ///     6| . . x . . x . . |
    ///     5| . . . . C . . . |
    ///     4| . . . . . . . . |
    ///     3| . . x . . x . . |
    ///     2| . . . . . . . . |
    ///     1| . . . . . . . . |".parse()?;
    /// // The cat must come to free the rabbit, which then walks round d8.
    /// assert_eq!(position.can_goal().unwrap().to_string(), "Ce5n Ce6w Rd7e Re7n");
    /// # Ok::<(), hathi_rules::ParsePositionError>(())
    /// ```
    pub fn can_goal(&self) -> Option<Turn> {
        let longest = self.some_goal()?;
        // Goals are rare: only now is it worth finding the shortest.
        let mut search = Search::of(self.side_to_move());
        for fewer in 1..longest.len() as u32 {
            search.turn = Turn::EMPTY;
            if search.start(self, fewer) {
                return Some(search.turn);
            }
        }
        Some(longest)
    }

    /// Is there a turn to goal at all? The same as whether [`can_goal`](Position::can_goal) finds one,
    /// without looking for the shortest: what a search asks where goals are near.
    pub fn reaches_goal(&self) -> bool {
        self.some_goal().is_some()
    }

    /// A turn to goal, the first that is found.
    #[inline]
    fn some_goal(&self) -> Option<Turn> {
        let steps = self.steps_left() as u32;
        let side = self.side_to_move();
        let board = self.board();
        if board.rabbits(side).intersects(side.goal()) && !self.is_mid_push() {
            return Some(Turn::EMPTY);
        }
        if within_reach(board, side, steps).is_empty() {
            return None;
        }
        let mut search = Search::of(side);
        search.start(self, steps).then_some(search.turn)
    }
}

/// Rabbits no further from goal than `steps` ranks.
#[inline]
fn within_reach(board: &Board, side: Side, steps: u32) -> Bitboard {
    board.rabbits(side) & within_ranks(side, steps)
}

/// Where a set of rabbits can step, whatever stands there.
#[inline]
fn rabbit_targets(rabbits: Bitboard, side: Side) -> Bitboard {
    rabbits.shift(side.forward()) | rabbits.east() | rabbits.west()
}

/// Can this rabbit reach goal within `steps` all by itself?
///
/// While it runs the rest of the board stands still, but for one thing: a
/// friend on a trap that only this rabbit supported is gone with its first
/// step.
#[inline]
fn can_run(board: &Board, side: Side, rabbit: Square, steps: u32) -> bool {
    let start = rabbit.bit();
    let mut friends = board.side(side) ^ start;
    let freezers = (board.side(side.opponent()) & board.stronger_than(Role::Rabbit)).near();
    if freezers.contains(rabbit) && !friends.intersects(rabbit.neighbours()) {
        return false;
    }
    let left_alone = rabbit.neighbours() & Bitboard::TRAPS & friends;
    let mut empty = board.empty() | start;
    if left_alone.any() && !left_alone.near().intersects(friends) {
        friends ^= left_alone;
        empty |= left_alone;
    }
    let supported = friends.near();
    let enterable = empty - (Bitboard::TRAPS - supported);
    let leavable = supported | !freezers;
    let mut here = start;
    for _ in 0..steps {
        let next = rabbit_targets(here, side) & enterable;
        if next.intersects(side.goal()) {
            return true;
        }
        here = (here | next) & leavable | start;
    }
    false
}

/// Might this rabbit, if it is frozen, be free to move in time? Either a
/// friend comes beside it, or the one piece that freezes it is pushed or
/// pulled away by something stronger that is near enough.
#[inline]
fn can_be_freed(board: &Board, side: Side, rabbit: Square, steps: u32) -> bool {
    let beside = rabbit.neighbours();
    let friends = board.side(side) ^ rabbit.bit();
    let freezers = beside & board.side(side.opponent()) & board.stronger_than(Role::Rabbit);
    if freezers.is_empty() || beside.intersects(friends) {
        return true;
    }
    let mut help = steps;
    while !within_ranks(side, steps - help).contains(rabbit) {
        help -= 1;
    }
    let mut near = friends;
    for _ in 0..help {
        near = near.grow();
    }
    if near.intersects(beside) {
        return true;
    }
    // A freezer on a trap may fall by other means; two are too many to move.
    if freezers.intersects(Bitboard::TRAPS) {
        return true;
    }
    let Some(freezer) = freezers.first() else {
        return true;
    };
    if help < 2 || freezers.len() > 1 {
        return false;
    }
    let mut strong = friends & board.stronger_than(board.role_at(freezer));
    for _ in 2..help {
        strong = strong.grow();
    }
    strong.intersects(freezer.neighbours())
}

/// What the optimistic flood found.
struct Hope {
    /// Is goal possible at all, with help?
    possible: bool,
    /// Squares that the rabbits might come to.
    region: Bitboard,
}

/// The fewest steps in which a rabbit might reach goal with some help, by
/// charging every obstacle on the way as little as it could possibly cost:
///
/// | on the square | costs | because |
/// |---|---|---|
/// | a friend | 1 | it must step aside |
/// | an enemy beside a stronger piece that can move | 2 | it must be pushed or pulled away |
/// | an enemy two squares from such a piece, or beside a frozen one | 3 | first that piece must come or be freed |
/// | any other enemy | too much | the rabbit needs at least one of the four steps |
/// | a friend on a trap | 0 | it may fall when a supporter leaves for another reason |
/// | an enemy on a trap | 1, or 0 beside another enemy that was paid for | likewise |
///
/// Freezing and unsafe traps cost nothing by themselves, but since the run
/// alone has failed at least one step must be help.
#[inline]
fn hope(board: &Board, side: Side, rabbits: Bitboard, steps: u32) -> Hope {
    let own = board.side(side);
    let enemy = board.side(side.opponent());
    let traps = Bitboard::TRAPS;
    let free = board.empty() | (own & traps);
    let one = (own - traps) | (enemy & traps);
    let strong = board.mobile(side);
    let two = board.beside_stronger(side, strong) - traps;
    let three = board.beside_stronger_after_a_step(side, strong) - traps - two;
    // reached[c]: squares reached at a cost of exactly c or less; `paid` are
    // those with some help on the way.
    let mut plain = [Bitboard::EMPTY; 8];
    let mut paid = [Bitboard::EMPTY; 8];
    plain[0] = rabbits;
    let goal = side.goal();
    let mut region = Bitboard::EMPTY;
    for cost in 0..=steps as usize {
        let (walked, helped) = (plain[cost], paid[cost]);
        if helped.intersects(goal) || (walked.intersects(goal) && cost < steps as usize) {
            return Hope {
                possible: true,
                region: region | walked | helped,
            };
        }
        if cost == steps as usize {
            break;
        }
        region |= walked | helped;
        let from_walked = rabbit_targets(walked, side);
        let from_helped = rabbit_targets(helped, side);
        let from_both = from_walked | from_helped;
        plain[cost + 1] |= from_walked & free;
        // An enemy on a trap goes together with the enemy beside it.
        let from_enemy = rabbit_targets(helped & (enemy - traps), side) & enemy & traps
            | rabbit_targets(helped & enemy & traps, side) & (enemy - traps);
        paid[cost + 1] |= from_helped & free | from_enemy;
        paid[cost + 2] |= from_both & one;
        paid[cost + 3] |= from_both & two;
        paid[cost + 4] |= from_both & three;
    }
    Hope {
        possible: false,
        region,
    }
}

struct Search {
    side: Side,
    /// The steps taken so far.
    turn: Turn,
}

impl Search {
    fn of(side: Side) -> Search {
        Search {
            side,
            turn: Turn::EMPTY,
        }
    }

    /// Starts the search; the position may be in the middle of a push or
    /// pull, which only matters for the first step.
    fn start(&mut self, position: &Position, steps: u32) -> bool {
        let mut forced = false;
        match position.push_pull() {
            PushPull::Free => {}
            PushPull::MayPull { .. } if !position.can_pull() => {}
            PushPull::MayPull { .. } => {
                for step in position.legal_steps() {
                    let pull = step.side() != self.side
                        && position.is_pull(step.piece().role(), step.target());
                    if pull && self.try_steps(position.after(step).board(), &[step], steps, None) {
                        return true;
                    }
                }
            }
            PushPull::MustPush { .. } => {
                forced = true;
                for step in position.legal_steps() {
                    if self.try_steps(position.after(step).board(), &[step], steps, None) {
                        return true;
                    }
                }
            }
        }
        !forced && self.node(position.board(), steps, None)
    }

    /// Takes the steps, searches on with what is left, and takes them back
    /// unless that was it.
    #[inline]
    fn try_steps(
        &mut self,
        board: &Board,
        steps: &[Step],
        budget: u32,
        last: Option<Step>,
    ) -> bool {
        let Some(left) = budget.checked_sub(steps.len() as u32) else {
            return false;
        };
        if within_reach(board, self.side, left).is_empty() {
            return false;
        }
        for &step in steps {
            // Four at most: each was paid for out of the budget.
            let _ = self.turn.push(step);
        }
        if self.node(board, left, last) {
            return true;
        }
        for _ in steps {
            self.turn.pop();
        }
        false
    }

    /// Goal within `steps` from here? `last` is the plain step that led
    /// here, if it was one.
    fn node(&mut self, board: &Board, steps: u32, last: Option<Step>) -> bool {
        let side = self.side;
        let runners = within_reach(board, side, steps);
        if runners.intersects(side.goal()) {
            return true;
        }
        for rabbit in runners {
            if can_run(board, side, rabbit, steps) {
                self.run(board, rabbit, steps);
                return true;
            }
        }
        // With one step to spare it can only go into one helping step, and
        // the rabbit must run straight.
        let Some(spare) = steps.checked_sub(1) else {
            return false;
        };
        for rabbit in runners & ranks_away(side, spare) {
            if self.one_helping_step(board, rabbit, spare) {
                return true;
            }
        }
        // With more to spare there are many ways: search.
        let mut helped = within_reach(board, side, spare.saturating_sub(1));
        for rabbit in helped {
            if !can_be_freed(board, side, rabbit, steps) {
                helped ^= rabbit.bit();
            }
        }
        if helped.is_empty() {
            return false;
        }
        let hope = hope(board, side, helped, steps);
        if !hope.possible {
            return false;
        }
        let zone = help_zone(hope.region, side, helped, steps);
        self.plain_help(board, steps, zone, last) || self.push_or_pull(board, helped, steps, zone)
    }

    /// A rabbit exactly `distance` ranks from goal runs straight, and at one
    /// moment before or between its steps another own piece makes one step.
    ///
    /// That step has to mend everything that is wrong with the way, which
    /// leaves few candidates:
    ///
    /// - an enemy in the way cannot be mended at all;
    /// - a friend in the way must be the one to step (or the supporter of a
    ///   friend on a trap, which then falls);
    /// - otherwise some square of the way is frozen or an unsafe trap, and
    ///   the step must lead next to it. Two such squares are too many: no
    ///   square beside the way touches both.
    fn one_helping_step(&mut self, board: &Board, rabbit: Square, distance: u32) -> bool {
        let side = self.side;
        let piece = Piece::new(side, Role::Rabbit);
        let taken = self.turn.len();
        let (mut board, mut at) = (*board, rabbit);
        for left in (1..=distance).rev() {
            let way = ahead(at, side);
            let own = board.side(side);
            if board.side(side.opponent()).intersects(way) {
                break;
            }
            let blockers = own & way;
            let friends = own ^ at.bit();
            let movers;
            let mut targets = Bitboard::ALL;
            if blockers.any() {
                let on_trap = blockers & Bitboard::TRAPS;
                if (blockers - on_trap).len() > 1 {
                    break;
                }
                movers = blockers | (on_trap.near() & friends);
            } else {
                let supported = friends.near();
                let frozen =
                    (board.side(side.opponent()) & board.stronger_than(Role::Rabbit)).near();
                let wrong =
                    (way | at.bit()) & ((frozen | Bitboard::TRAPS) - supported - side.goal());
                match wrong.len() {
                    0 => movers = friends,
                    1 => {
                        targets = wrong.near() & (board.empty() - way);
                        movers = targets.near() & friends;
                    }
                    _ => break,
                }
            }
            let movers = movers & board.mobile(side);
            if self.helper_steps(&board, at, movers, targets, left) {
                return true;
            }
            // Nothing helps now; perhaps it does one step further on.
            let Some(next) = at.step(side.forward()) else {
                break;
            };
            if left == 1 || board.occupied().contains(next) || board.freezer(at, piece).is_some() {
                break;
            }
            let step = board.take_step(Step::new(piece, at, side.forward()));
            if !board.occupied().contains(next) {
                break;
            }
            let _ = self.turn.push(step);
            at = next;
        }
        while self.turn.len() > taken {
            self.turn.pop();
        }
        false
    }

    /// Tries single steps of `movers` into `targets`, after which the rabbit
    /// must run by itself.
    #[inline]
    fn helper_steps(
        &mut self,
        board: &Board,
        rabbit: Square,
        movers: Bitboard,
        targets: Bitboard,
        left: u32,
    ) -> bool {
        let side = self.side;
        for direction in Direction::ALL {
            let back = direction.opposite();
            let mut movers =
                movers & board.can_leave_towards(direction) & (targets.shift(back) - rabbit.bit());
            if back == side.forward() {
                movers = movers - board.role(Role::Rabbit);
            }
            for from in movers {
                let mut next = *board;
                let piece = board.some_piece_at(from);
                let step = next.take_step(Step::new(piece, from, direction));
                if next.rabbits(side).contains(rabbit) && can_run(&next, side, rabbit, left) {
                    let _ = self.turn.push(step);
                    self.run(&next, rabbit, left);
                    return true;
                }
            }
        }
        false
    }

    /// Own pieces step, the rabbits among them.
    fn plain_help(
        &mut self,
        board: &Board,
        steps: u32,
        zone: Bitboard,
        last: Option<Step>,
    ) -> bool {
        find_own_step(board, self.side, zone, last, |next, step| {
            self.try_steps(&next, &[step], steps, Some(step))
        })
    }

    /// An enemy is pushed or pulled out of the way, or away from where it
    /// freezes.
    fn push_or_pull(
        &mut self,
        board: &Board,
        rabbits: Bitboard,
        steps: u32,
        zone: Bitboard,
    ) -> bool {
        let side = self.side;
        let Some(left) = steps.checked_sub(2) else {
            return false;
        };
        // If nothing is left to spare after it, the rabbit runs straight and
        // the push or pull must touch its way.
        let mut useful = zone;
        if (rabbits & within_ranks(side, left.saturating_sub(1))).is_empty() {
            let straight = rabbits & ranks_away(side, left);
            let ways = straight
                .into_iter()
                .fold(straight, |ways, rabbit| ways | ahead(rabbit, side));
            let beside = ways.grow();
            // A step beside a trap may make a piece fall that stands on it.
            useful = beside | (beside & Bitboard::TRAPS).near();
        }
        let mut found = false;
        let mut visit = |this: &mut Self, next: &Board, both: &[Step; 2]| {
            if !found {
                found = this.try_steps(next, both, steps, None);
            }
        };
        for_each_push(board, side, useful, |next, both| visit(self, &next, &both));
        for_each_pull(board, side, useful, |next, both| visit(self, &next, &both));
        found
    }

    /// Writes down the run of a rabbit that is known to get there.
    fn run(&mut self, board: &Board, rabbit: Square, steps: u32) {
        let mut board = *board;
        let mut at = rabbit;
        let piece = Piece::new(self.side, Role::Rabbit);
        let mut left = steps;
        // The shortest run, so that the turn as a whole is short.
        while left > 1 && can_run(&board, self.side, at, left - 1) {
            left -= 1;
        }
        while left > 0 {
            let next = [self.side.forward(), Direction::East, Direction::West]
                .into_iter()
                .filter_map(|direction| Some((direction, at.step(direction)?)))
                .find_map(|(direction, to)| {
                    if board.occupied().contains(to) || board.freezer(at, piece).is_some() {
                        return None;
                    }
                    let mut after = board;
                    let step = after.take_step(Step::new(piece, at, direction));
                    let there = self.side.goal().contains(to);
                    let alive = after.occupied().contains(to);
                    (there || (alive && can_run(&after, self.side, to, left - 1)))
                        .then_some((step, after, to, there))
                });
            let Some((step, after, to, there)) = next else {
                return;
            };
            let _ = self.turn.push(step);
            if there {
                return;
            }
            (board, at) = (after, to);
            left -= 1;
        }
    }
}

/// The squares a helping step must leave or enter to be of any use. The last
/// one happens beside the way of the rabbit; one that frees the piece which
/// makes it, at most two squares further; and so on.
#[inline]
fn help_zone(region: Bitboard, side: Side, rabbits: Bitboard, steps: u32) -> Bitboard {
    let mut nearest = 1;
    while (rabbits & within_ranks(side, nearest)).is_empty() {
        nearest += 1;
    }
    let mut zone = region.grow();
    for _ in nearest + 1..steps {
        zone = zone.grow().grow();
    }
    zone
}

/// Squares no further from goal than `steps` ranks.
#[inline]
fn within_ranks(side: Side, steps: u32) -> Bitboard {
    match side {
        Side::Gold => Bitboard(!0 << (8 * (7 - steps))),
        Side::Silver => Bitboard(!0 >> (8 * (7 - steps))),
    }
}

/// Squares exactly `steps` ranks from goal.
#[inline]
fn ranks_away(side: Side, steps: u32) -> Bitboard {
    within_ranks(side, steps) - within_ranks(side, steps.wrapping_sub(1).min(7))
}

/// The squares of the file ahead of a rabbit.
#[inline]
fn ahead(square: Square, side: Side) -> Bitboard {
    let rank = square.rank().index();
    let ranks = match side {
        Side::Gold => Bitboard(!0xff << (8 * rank)),
        Side::Silver => Bitboard((1 << (8 * rank)) - 1),
    };
    Bitboard::file(square.file()) & ranks
}

//! A plain mailbox: a byte for each square, loops and conditions, as a first program
//! for the game would have it. The bitboards are measured against it, and it knows
//! the rules of steps without sharing a line with ours.

use hathi_rules::{Board, Position, PushPull, Side};

/// Pieces by strength, 1 for a rabbit to 6 for an elephant; Silver's are negative, 0 is
/// an empty square. a1 is square 0, b1 is 1, a2 is 8.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mailbox {
    squares: [i8; 64],
    /// 1 for Gold, −1 for Silver.
    side: i8,
    left: u8,
    pending: Pending,
}

/// What the last step asks for or allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pending {
    Nothing,
    /// Somebody stronger than this must step into the square.
    Push(u8, i8),
    /// Somebody weaker than this may be pulled into the square.
    Pull(u8, i8),
}

/// A step: from where to where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MailboxStep {
    from: u8,
    to: u8,
}

const TRAPS: [u8; 4] = [18, 21, 42, 45];

/// The squares beside each square, and how many there are.
const NEIGHBOURS: [([u8; 4], usize); 64] = neighbours();

const fn neighbours() -> [([u8; 4], usize); 64] {
    let mut all = [([0; 4], 0); 64];
    let mut square: u8 = 0;
    while square < 64 {
        let (file, rank) = (square % 8, square / 8);
        let mut beside = [0; 4];
        let mut count = 0;
        if rank < 7 {
            beside[count] = square + 8;
            count += 1;
        }
        if file < 7 {
            beside[count] = square + 1;
            count += 1;
        }
        if rank > 0 {
            beside[count] = square - 8;
            count += 1;
        }
        if file > 0 {
            beside[count] = square - 1;
            count += 1;
        }
        all[square as usize] = (beside, count);
        square += 1;
    }
    all
}

fn beside(square: u8) -> &'static [u8] {
    let (squares, count) = &NEIGHBOURS[usize::from(square)];
    &squares[..*count]
}

/// The strengths of a board, square by square.
fn strengths(board: &Board) -> [i8; 64] {
    let mut squares = [0; 64];
    for (square, piece) in board.iter() {
        let strength = piece.role() as i8 + 1;
        squares[square.index()] = match piece.side() {
            Side::Gold => strength,
            Side::Silver => -strength,
        };
    }
    squares
}

impl Mailbox {
    /// The same position.
    pub(super) fn of(position: &Position) -> Mailbox {
        let strength = |role: hathi_rules::Role| role as i8 + 1;
        Mailbox {
            squares: strengths(position.board()),
            side: match position.side_to_move() {
                Side::Gold => 1,
                Side::Silver => -1,
            },
            left: position.steps_left(),
            pending: match position.push_pull() {
                PushPull::Free => Pending::Nothing,
                PushPull::MayPull { into, puller } => {
                    Pending::Pull(into.index() as u8, strength(puller))
                }
                PushPull::MustPush { into, pushed } => {
                    Pending::Push(into.index() as u8, strength(pushed))
                }
            },
        }
    }

    fn at(&self, square: u8) -> i8 {
        self.squares[usize::from(square)]
    }

    fn is_frozen(&self, square: u8) -> bool {
        let piece = self.at(square);
        let mut stronger = false;
        for &near in beside(square) {
            let other = self.at(near);
            if other.signum() == piece.signum() {
                return false;
            }
            stronger |= other.abs() > piece.abs();
        }
        stronger
    }

    /// How many pieces of both sides cannot move.
    pub(super) fn frozen(&self) -> u32 {
        let frozen = (0..64).filter(|&square| self.at(square) != 0 && self.is_frozen(square));
        frozen.count() as u32
    }

    /// Calls `visit` with every legal step.
    fn for_each_step(&self, mut visit: impl FnMut(MailboxStep)) {
        if self.left == 0 {
            return;
        }
        for from in 0..64 {
            let piece = self.at(from);
            if piece == 0 {
                continue;
            }
            if piece.signum() == self.side {
                self.own_steps(from, piece, &mut visit);
            } else if !matches!(self.pending, Pending::Push(..)) {
                self.enemy_steps(from, piece, &mut visit);
            }
        }
    }

    fn own_steps(&self, from: u8, piece: i8, visit: &mut impl FnMut(MailboxStep)) {
        if self.is_frozen(from) {
            return;
        }
        for &to in beside(from) {
            if self.at(to) != 0 {
                continue;
            }
            // A rabbit does not go back.
            if piece == 1 && to + 8 == from || piece == -1 && to == from + 8 {
                continue;
            }
            if let Pending::Push(into, pushed) = self.pending
                && (to != into || piece.abs() <= pushed)
            {
                continue;
            }
            visit(MailboxStep { from, to });
        }
    }

    /// Enemies that are pulled, or that a push begins with.
    fn enemy_steps(&self, from: u8, piece: i8, visit: &mut impl FnMut(MailboxStep)) {
        // A push takes two steps.
        let pushable = self.left >= 2
            && beside(from).iter().any(|&near| {
                let own = self.at(near);
                own.signum() == self.side && own.abs() > piece.abs() && !self.is_frozen(near)
            });
        for &to in beside(from) {
            if self.at(to) == 0 && (pushable || self.is_pull(to, piece)) {
                visit(MailboxStep { from, to });
            }
        }
    }

    /// Does an enemy that goes there complete a pull?
    fn is_pull(&self, to: u8, enemy: i8) -> bool {
        matches!(self.pending, Pending::Pull(into, puller) if into == to && puller > enemy.abs())
    }

    /// The board after a step.
    fn after(&self, step: MailboxStep) -> Mailbox {
        let mut next = self.clone();
        let piece = self.at(step.from);
        next.squares[usize::from(step.from)] = 0;
        next.squares[usize::from(step.to)] = piece;
        next.left -= 1;
        let own = piece.signum() == self.side;
        next.pending = match self.pending {
            // Who completes a push pulls nothing.
            Pending::Push(..) => Pending::Nothing,
            _ if own => Pending::Pull(step.from, piece.abs()),
            _ if self.is_pull(step.to, piece) => Pending::Nothing,
            _ => Pending::Push(step.from, piece.abs()),
        };
        for trap in TRAPS {
            let caught = next.at(trap);
            let is_kept = |&near: &u8| next.at(near).signum() == caught.signum();
            if caught != 0 && !beside(trap).iter().any(is_kept) {
                next.squares[usize::from(trap)] = 0;
            }
        }
        next
    }

    /// Sequences of so many steps; those of the last step are counted, not taken.
    pub(super) fn sequences(&self, depth: u32) -> u64 {
        let mut sum = 0;
        if depth <= 1 {
            self.for_each_step(|_| sum += 1);
        } else {
            self.for_each_step(|step| sum += self.after(step).sequences(depth - 1));
        }
        sum
    }

    /// Pieces left after so many steps, summed over all sequences: every step is taken.
    pub(super) fn pieces_left(&self, depth: u32) -> u64 {
        if depth == 0 {
            return self.squares.iter().filter(|&&piece| piece != 0).count() as u64;
        }
        let mut sum = 0;
        self.for_each_step(|step| sum += self.after(step).pieces_left(depth - 1));
        sum
    }
}

/// The same with the bitboards of the rules: the steps of a position are counted as sets.
pub(super) fn sequences(position: &Position, depth: u32) -> u64 {
    if depth <= 1 {
        return position.step_sets().len() as u64;
    }
    let mut sum = 0;
    position.for_each_step(|step| sum += sequences(&position.after(step), depth - 1));
    sum
}

/// The same with the bitboards of the rules.
pub(super) fn pieces_left(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return u64::from(position.board().occupied().len());
    }
    let mut sum = 0;
    position.for_each_step(|step| sum += pieces_left(&position.after(step), depth - 1));
    sum
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Every step of a position, both ways, and the boards it leads to; then the same after
    /// each of them, so that what must be pushed and may be pulled is compared by its steps.
    fn compare(plain: &Mailbox, position: &Position, depth: u32) -> usize {
        let mut found = BTreeSet::new();
        plain.for_each_step(|step| {
            assert!(found.insert((step.from, step.to)), "twice: {step:?}");
        });
        let mut legal = BTreeSet::new();
        let mut compared = found.len();
        for step in position.legal_steps() {
            let (from, to) = (step.from().index(), step.to().expect("a square").index());
            let (from, to) = (from as u8, to as u8);
            legal.insert((from, to));
            let next = position.after(step);
            let mine = plain.after(MailboxStep { from, to });
            assert_eq!(mine.squares, strengths(next.board()), "{position} {step}");
            assert_eq!(mine.left, next.steps_left());
            if depth > 1 {
                compared += compare(&mine, &next, depth - 1);
            }
        }
        assert_eq!(found, legal, "{position}");
        compared
    }

    #[test]
    fn a_mailbox_and_bitboards_agree_step_by_step() {
        let corpus = crate::bench::Corpus::built_in(|_| {}).expect("games");
        let mut compared = 0;
        for position in corpus.positions.iter().step_by(150) {
            let plain = Mailbox::of(position);
            compared += compare(&plain, position, 3);
            assert_eq!(plain.sequences(2), sequences(position, 2), "{position}");
            assert_eq!(plain.pieces_left(2), pieces_left(position, 2), "{position}");
            let frozen = Side::ALL.map(|side| position.board().frozen(side).len());
            assert_eq!(plain.frozen(), frozen.iter().sum::<u32>(), "{position}");
        }
        assert!(compared > 10_000, "{compared}");
    }

    #[test]
    fn pushes_pulls_and_traps() {
        let position: Position = "
            g
            8| . . . . . . . . |
            7| . . . . . . . . |
            6| . . x . . x . . |
            5| . . . . . . . . |
            4| . . d . . . . . |
            3| . . x E r x . . |
            2| . . R c . H . . |
            1| . . . . . . . . |"
            .parse()
            .expect("a position");
        assert!(compare(&Mailbox::of(&position), &position, 4) > 1000);
    }
}

//! What comes of a turn: how much the evaluation network likes the board after
//! it, which pieces can be captured next, and how likely the network of steps
//! finds it.
//!
//! A worth by itself says little, so it is compared: with the board before, and
//! with what the other turns of the position come to. These features cost more
//! than all others together, so they are listed only for models that use them.

use hathi_rules::{Bitboard, Board, Position, Side, Square};

use super::{Context, KINDS, Sink, at};
use crate::network::{Accumulator, Network};
use crate::steps::Foreseen;

/// Borders between changes of the worth, in hundredths of a rabbit.
pub(super) const CHANGES: [i32; 26] = [
    -1200, -800, -600, -450, -350, -280, -220, -180, -140, -110, -80, -60, -40, -20, 0, 20, 40, 60,
    80, 110, 140, 180, 250, 350, 500, 800,
];

/// Borders between distances to the worth that one turn of a hundred reaches.
pub(super) const BEHIND: [i32; 28] = [
    -200, -140, -100, -70, -50, -35, -20, -10, 0, 10, 20, 30, 45, 60, 80, 100, 125, 150, 180, 220,
    260, 310, 370, 450, 550, 700, 1000, 1500,
];

/// Borders between shares of turns that are better, in hundredths of a per
/// cent.
pub(super) const RANKS: [u32; 22] = [
    2, 5, 10, 20, 40, 70, 100, 150, 200, 300, 400, 600, 800, 1100, 1500, 2000, 3000, 4000, 5000,
    6000, 7500, 9000,
];

/// Borders between surprises: minus logarithms of chances.
pub(super) const SURPRISES: [f32; 22] = [
    0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0, 5.5, 6.0, 6.5, 7.0, 8.0, 9.0, 10.0, 11.0,
    12.5, 14.0, 16.0, 19.0,
];

/// Borders between logarithms of how many times likelier the likeliest turn is.
pub(super) const LESS_LIKELY: [f32; 24] = [
    0.01, 0.3, 0.6, 1.0, 1.4, 1.8, 2.2, 2.6, 3.0, 3.5, 4.0, 4.5, 5.0, 5.5, 6.0, 6.5, 7.0, 8.0, 9.0,
    10.0, 11.5, 13.0, 15.0, 18.0,
];

/// What all turns of a position come to, as the network has it: what each is
/// compared with.
#[derive(Clone, Debug)]
pub struct Outlook {
    /// The board before.
    before: i32,
    /// Worths of turns, best first.
    worths: Vec<i32>,
    /// What one turn of a hundred reaches.
    good: i32,
    /// Pieces that the opponent and the mover could capture before the turn.
    captures: [Bitboard; 2],
    /// How likely turns are.
    foreseen: Option<Likely>,
}

/// How likely the turns of a position are.
#[derive(Clone, Debug)]
struct Likely {
    foreseen: Foreseen,
    /// Logarithms of the chances of all turns, likeliest first.
    sorted: Vec<f32>,
}

/// Asks the network about boards that are a turn away from one.
#[derive(Debug)]
pub struct Worths<'a> {
    network: &'a Network,
    side: Side,
    root: Accumulator,
    here: Accumulator,
}

impl<'a> Worths<'a> {
    /// The boards a turn away from this position.
    pub fn new(network: &'a Network, position: &Position) -> Worths<'a> {
        let root = Accumulator::new(network, position.board());
        Worths {
            network,
            side: position.side_to_move(),
            here: root.clone(),
            root,
        }
    }

    /// What a board is worth to the side that has just moved.
    #[inline]
    pub fn after(&mut self, board: &Board) -> i32 {
        self.here.follow(self.network, &self.root, board);
        -self.here.worth(self.network, self.side.opponent(), 4)
    }

    /// What the board before is worth to the side to move.
    pub fn before(&self) -> i32 {
        self.root.worth(self.network, self.side, 4)
    }
}

/// Pieces that a side could capture, were it on move.
fn victims(board: &Board, captor: Side) -> Bitboard {
    let threats = Position::composed(*board, captor).capture_threats();
    let squares = threats.iter().map(|threat| threat.square.bit());
    squares.fold(Bitboard::EMPTY, |all, square| all | square)
}

/// How many borders are not above.
#[inline]
fn place<T: Copy + PartialOrd>(borders: &[T], value: T) -> usize {
    borders.partition_point(|&border| border <= value)
}

impl Outlook {
    /// Of a position whose turns, all or a fair sample of them, come to these
    /// worths.
    pub fn new(context: &Context, before: i32, mut worths: Vec<i32>) -> Outlook {
        worths.sort_unstable_by(|a, b| b.cmp(a));
        let good = worths.get(worths.len() / 100).copied().unwrap_or(before);
        let (board, side) = (&context.board, context.side);
        Outlook {
            before,
            worths,
            good,
            captures: [side.opponent(), side].map(|captor| victims(board, captor)),
            foreseen: None,
        }
    }

    /// The same with how likely turns are; these boards are what all of them lead to.
    #[must_use]
    pub fn foreseeing<'a>(
        mut self,
        foreseen: Foreseen,
        all: impl IntoIterator<Item = &'a Board>,
    ) -> Outlook {
        let mut sorted: Vec<f32> = all.into_iter().map(|board| foreseen.of(board)).collect();
        sorted.sort_unstable_by(|a, b| b.total_cmp(a));
        self.foreseen = Some(Likely { foreseen, sorted });
        self
    }

    /// Lists the features of a turn that leads to a board of this worth.
    #[inline]
    pub fn list(&self, context: &Context, after: &Board, worth: i32, sink: &mut impl Sink) {
        self.list_worth(worth, sink);
        self.list_foreseen(after, sink);
        self.list_captures(context, after, sink);
    }

    /// How likely it is, if that is known.
    #[inline]
    pub fn list_foreseen(&self, after: &Board, sink: &mut impl Sink) {
        let Some(Likely { foreseen, sorted }) = &self.foreseen else {
            return;
        };
        let chance = foreseen.of(after);
        let top = sorted.first().copied().unwrap_or(chance);
        sink.add(at::FORESEEN + place(&SURPRISES, -chance));
        sink.add(at::FORESEEN_BEHIND + place(&LESS_LIKELY, top - chance));
        let likelier = sorted.partition_point(|&other| other > chance);
        let share = likelier * 10_000 / sorted.len().max(1);
        sink.add(at::FORESEEN_RANK + place(&RANKS, share as u32));
    }

    /// What the network makes of it.
    #[inline]
    pub fn list_worth(&self, worth: i32, sink: &mut impl Sink) {
        sink.add(at::WORTH + place(&CHANGES, worth - self.before));
        sink.add(at::WORTH_BEHIND + place(&BEHIND, self.good - worth));
        let better = self.worths.partition_point(|&other| other > worth);
        let share = better * 10_000 / self.worths.len().max(1);
        sink.add(at::WORTH_RANK + place(&RANKS, share as u32));
    }

    /// What can be captured next: two searches.
    pub fn list_captures(&self, context: &Context, after: &Board, sink: &mut impl Sink) {
        let side = context.side;
        for (group, captor, before) in [
            (at::EXPOSED, side.opponent(), self.captures[0]),
            (at::ATTACKED, side, self.captures[1]),
        ] {
            for threat in Position::composed(*after, captor).capture_threats() {
                let kind = context.kinds.kind(threat.victim) % KINDS;
                let later = usize::from(threat.steps > 2);
                let known = usize::from(is_unmoved(context, after, threat.square, before));
                sink.add(group + (later * 2 + known) * KINDS + kind);
            }
        }
    }
}

/// Could the piece on this square be captured before, and has it not moved?
#[inline]
fn is_unmoved(context: &Context, after: &Board, square: Square, before: Bitboard) -> bool {
    before.contains(square) && context.board.piece_at(square) == after.piece_at(square)
}

//! What the board is like before a turn: the same for all of its turns, and so
//! of no use to weights that are added up. A hidden layer can tell from it
//! which turns the position calls for.
//!
//! Seen from the side that moves and mirrored left-right, like the features of
//! turns.

use hathi_rules::{Board, Position, Role, Side, Square};

use super::{BOTH, Context, GUARDS, HALF, KINDS};

/// A piece stands on a square: kind, square.
const PIECE: usize = 0;
/// Both sides' guards of a trap: home or away, own, enemy.
const TRAP: usize = PIECE + BOTH * HALF;
/// Steps between elephants and camels of both sides, 0 if one is gone.
const APART: usize = TRAP + 2 * GUARDS * GUARDS;
/// A piece can be captured: whose, kind.
const THREAT: usize = APART + 4 * 8;
/// Pieces of the side with fewer.
const FEWER: usize = THREAT + 2 * KINDS;
/// The opponent, the mover could reach goal if it were their turn.
const GOAL: usize = FEWER + 17;
/// The enemy elephant, the own and the enemy camel are on the elephant's wing.
const WING: usize = GOAL + 4;
/// Holds always.
pub const ALWAYS: usize = WING + 8;

/// How many features of a position there are.
pub const SCENE: usize = ALWAYS + 1;

impl Context {
    /// The features of the position itself, all below [`SCENE`].
    pub fn scene(&self) -> Vec<u16> {
        let (board, side) = (&self.board, self.side);
        let opponent = side.opponent();
        let mut scene = vec![ALWAYS];
        for square in board.occupied() {
            if let Some(piece) = board.piece_at(square) {
                scene.push(PIECE + self.kinds.kind(piece) * HALF + self.half(square));
            }
        }
        for (number, trap) in Square::TRAPS.into_iter().enumerate() {
            let [own, enemy] = [0, 1].map(|whose| usize::from(self.sides[whose].guards[number]));
            scene.push(TRAP + (self.away(trap) * GUARDS + own) * GUARDS + enemy);
        }
        let [elephant, camel] = [Role::Elephant, Role::Camel].map(|role| {
            let of = |side: Side| (board.role(role) & board.side(side)).first();
            [of(side), of(opponent)]
        });
        let pairs = [
            (elephant[0], elephant[1]),
            (elephant[0], camel[1]),
            (camel[0], elephant[1]),
            (camel[0], camel[1]),
        ];
        for (number, (one, other)) in pairs.into_iter().enumerate() {
            scene.push(APART + number * 8 + apart(one, other));
        }
        for (whose, captor) in [opponent, side].into_iter().enumerate() {
            for threat in Position::composed(*board, captor).capture_threats() {
                if let Some(piece) = board.piece_at(threat.square) {
                    scene.push(THREAT + whose * KINDS + self.kinds.kind(piece) % KINDS);
                }
            }
        }
        scene.push(FEWER + fewer(board));
        let [theirs, ours] = self.can_goal.map(usize::from);
        scene.push(GOAL + 2 * theirs + ours);
        let wings = [elephant[1], camel[0], camel[1]].map(|other| same_wing(elephant[0], other));
        let wings = wings.map(usize::from);
        scene.push(WING + wings[0] + 2 * wings[1] + 4 * wings[2]);
        scene.into_iter().map(|feature| feature as u16).collect()
    }
}

fn apart(one: Option<Square>, other: Option<Square>) -> usize {
    match (one, other) {
        (Some(one), Some(other)) => {
            let files = one.file().index().abs_diff(other.file().index());
            let ranks = one.rank().index().abs_diff(other.rank().index());
            (files + ranks).min(7)
        }
        _ => 0,
    }
}

fn fewer(board: &Board) -> usize {
    let [gold, silver] = [Side::Gold, Side::Silver].map(|side| board.side(side).len());
    gold.min(silver).min(16) as usize
}

fn same_wing(one: Option<Square>, other: Option<Square>) -> bool {
    let wing = |square: Square| square.file().index() > 3;
    one.is_some() && one.map(wing) == other.map(wing)
}

//! How an enemy piece can be moved about: walk up to it, push or pull it once
//! or twice.

use hathi_rules::{Direction, Piece, Position, Square, Step, Turn};

use super::view::US;
use super::walk::walks;

/// What a part of a turn does to one enemy piece.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shove {
    pub(crate) victim: Piece,
    /// Where the victim ends up; none if it falls into a trap.
    pub(crate) to: Option<Square>,
    /// Who does it, and where that piece began and ends.
    pub(crate) by: Piece,
    pub(crate) by_from: Square,
    pub(crate) by_to: Square,
    pub(crate) turn: Turn,
    /// In the middle of the turn.
    pub(crate) after: Position,
}

/// Every way to move the enemy piece on `victim` with at most `most` steps:
/// one piece walks up to it and displaces it once or twice. Nothing of ours
/// is lost on the way.
pub(crate) fn shoves(position: &Position, victim: Square, most: u8) -> Vec<Shove> {
    let mut found = Vec::new();
    let Some(piece) = position.board().piece_at(victim) else {
        return found;
    };
    let most = most.min(position.steps_left());
    if piece.side() == US || position.is_mid_push() || most < 2 {
        return found;
    }
    let board = position.board();
    let strong = board.side(US) & board.stronger_than(piece.role());
    for by_from in strong {
        if by_from.distance(victim) > u32::from(most) - 1 {
            continue;
        }
        let Some(by) = board.piece_at(by_from) else {
            continue;
        };
        let start = Shove {
            victim: piece,
            to: Some(victim),
            by,
            by_from,
            by_to: by_from,
            turn: Turn::EMPTY,
            after: *position,
        };
        if victim.neighbours().contains(by_from) {
            displace(&start, most, &mut found);
        }
        for walk in walks(position, by_from, most - 2) {
            if victim.neighbours().contains(walk.to) {
                let near = Shove {
                    by_to: walk.to,
                    turn: walk.turn,
                    after: walk.after,
                    ..start
                };
                displace(&near, most, &mut found);
            }
        }
    }
    // Pulled and pushed back again is nothing done.
    found.retain(|shove| shove.after.board() != position.board());
    found
}

/// One push or pull by the piece beside the victim, and a second if there are
/// steps for it.
fn displace(state: &Shove, most: u8, found: &mut Vec<Shove>) {
    let Some(victim) = state.to else { return };
    if state.turn.steps().len() + 2 > most as usize {
        return;
    }
    let first = found.len();
    push(state, victim, found);
    pull(state, victim, found);
    for index in first..found.len() {
        let once = found[index];
        if once.to.is_some() {
            displace(&once, most, found);
        }
    }
}

fn push(state: &Shove, victim: Square, found: &mut Vec<Shove>) {
    let Some(direction) = towards(state.by_to, victim) else {
        return;
    };
    for away in Direction::ALL {
        if !state.after.step_sets().enemy(away).contains(victim) {
            continue;
        }
        let first = state
            .after
            .with_removal(Step::new(state.victim, victim, away));
        let pushed = state.after.after(first);
        // An enemy step may also end a pull that the walk has begun.
        if !pushed.is_mid_push() || !pushed.step_sets().own(direction).contains(state.by_to) {
            continue;
        }
        let second = pushed.with_removal(Step::new(state.by, state.by_to, direction));
        finish(state, [first, second], victim, &pushed, found);
    }
}

fn pull(state: &Shove, victim: Square, found: &mut Vec<Shove>) {
    let Some(direction) = towards(victim, state.by_to) else {
        return;
    };
    for away in Direction::ALL {
        if !state.after.step_sets().own(away).contains(state.by_to) {
            continue;
        }
        let first = state
            .after
            .with_removal(Step::new(state.by, state.by_to, away));
        let Some(to) = first.to() else { continue };
        let stepped = state.after.after(first);
        if !stepped.step_sets().enemy(direction).contains(victim) {
            continue;
        }
        let second = stepped.with_removal(Step::new(state.victim, victim, direction));
        finish(state, [first, second], to, &stepped, found);
    }
}

/// Notes a displacement unless it costs us something or ends in mid-push.
fn finish(
    state: &Shove,
    steps: [Step; 2],
    by_to: Square,
    between: &Position,
    found: &mut Vec<Shove>,
) {
    let mut turn = state.turn;
    let mut to = None;
    for step in steps {
        if turn.push(step).is_err() {
            return;
        }
        if step
            .removed()
            .is_some_and(|removal| removal.piece.side() == US)
        {
            return;
        }
        if step.side() != US {
            to = step
                .to()
                .filter(|&to| step.removed().is_none_or(|removal| removal.square != to));
        }
    }
    let after = between.after(steps[1]);
    if after.is_mid_push() {
        return;
    }
    found.push(Shove {
        to,
        by_to,
        turn,
        after,
        ..*state
    });
}

/// The direction from a square to its neighbour.
fn towards(from: Square, to: Square) -> Option<Direction> {
    Direction::ALL
        .into_iter()
        .find(|&direction| from.step(direction) == Some(to))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_ways_to_move_a_piece_are_legal_and_the_known_ones_are_among_them() {
        let position: Position = "
            g
            8| . . . . . . . r |
            7| . . . d . . . . |
            6| . . x E . x . . |
            5| . . . . . . . . |
            4| . . . . . . . . |
            3| . . x . . x . . |
            2| . . . . . . . . |
            1| R . . . . . . . |"
            .parse()
            .expect("a position");
        let found = shoves(&position, Square::D7, 4);
        for shove in &found {
            let (turn, after) = position.check_turn(&shove.turn).expect("legal");
            assert_eq!(turn, shove.turn);
            assert_eq!(after.board(), shove.after.board());
            assert_eq!(
                shove.to.and_then(|to| after.board().piece_at(to)),
                shove.to.map(|_| shove.victim)
            );
        }
        // Pulled down and pushed on: the elephant is back where it was.
        assert!(
            found
                .iter()
                .any(|shove| shove.to == Some(Square::D5) && shove.by_to == Square::D6)
        );
        // Into a trap.
        assert!(found.iter().any(|shove| shove.to.is_none()));
        assert!(
            shoves(&position, Square::H8, 4).is_empty(),
            "too far away to reach"
        );
    }
}

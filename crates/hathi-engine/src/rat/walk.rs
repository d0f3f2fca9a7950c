//! Where one piece of ours can walk to within a turn.

use hathi_rules::{Direction, Position, Square, Step, Turn};

/// A walk of one piece, on which no piece of ours is lost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Walk {
    pub(crate) from: Square,
    pub(crate) to: Square,
    pub(crate) turn: Turn,
    /// In the middle of the turn.
    pub(crate) after: Position,
}

/// Every square that the piece on `from` can walk to with at most `most`
/// steps, each once and by a shortest way; the nearest first.
pub(crate) fn walks(position: &Position, from: Square, most: u8) -> Vec<Walk> {
    let mut found: Vec<Walk> = Vec::new();
    if position.is_mid_push() {
        return found;
    }
    let mut seen = from.bit();
    let mut level = vec![Walk {
        from,
        to: from,
        turn: Turn::EMPTY,
        after: *position,
    }];
    for _ in 0..most.min(position.steps_left()) {
        let mut next = Vec::new();
        for walk in &level {
            for (to, step) in own_steps(&walk.after, walk.to) {
                if seen.contains(to) {
                    continue;
                }
                seen |= to.bit();
                let mut turn = walk.turn;
                if turn.push(step).is_err() {
                    continue;
                }
                next.push(Walk {
                    from,
                    to,
                    turn,
                    after: walk.after.after(step),
                });
            }
        }
        if next.is_empty() {
            break;
        }
        found.extend_from_slice(&next);
        level = next;
    }
    found
}

/// The steps of one piece that lose nothing.
fn own_steps(position: &Position, from: Square) -> impl Iterator<Item = (Square, Step)> {
    let sets = position.step_sets();
    let piece = position.board().piece_at(from);
    let position = *position;
    Direction::ALL.into_iter().filter_map(move |direction| {
        if !sets.own(direction).contains(from) {
            return None;
        }
        let step = position.with_removal(Step::new(piece?, from, direction));
        if step.captures() {
            return None;
        }
        Some((step.to()?, step))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_walk_goes_round_what_stands_in_the_way_and_stops_where_it_freezes() {
        let position: Position = "
            g
            8| . . . . . . . r |
            7| . . . . . . . . |
            6| . . x . . x . . |
            5| . . . . e . . . |
            4| . . . . . . . . |
            3| . . x r H x . . |
            2| . . . . . . . . |
            1| R . . . . . . . |"
            .parse()
            .expect("a position");
        let to = |walks: &[Walk], square: Square| {
            walks
                .iter()
                .find(|walk| walk.to == square)
                .map(|walk| walk.turn.steps().len())
        };
        let found = walks(&position, Square::E3, 4);
        // Round the rabbit.
        assert_eq!(to(&found, Square::C2), Some(3));
        // Beside the elephant it freezes, and goes no further.
        assert_eq!(to(&found, Square::E4), Some(1));
        assert_eq!(to(&found, Square::D4), None);
        // A trap without a friend is no place to go.
        assert_eq!(to(&found, Square::F3), None);
        assert!(walks(&position, Square::E3, 0).is_empty());
    }
}

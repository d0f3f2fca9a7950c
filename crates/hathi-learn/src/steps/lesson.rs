//! What the order of steps is learned from: a position in a turn, and the steps
//! that lead to the board the turn ended on.

use hathi_model::features::Past;
use hathi_rules::{Board, Piece, Position, Turn};

use crate::selfplay::{PlayedGame, PlayedPosition};

/// No position with more steps than this teaches anything.
const MOST: usize = 128;

/// A position in the middle or at the start of a turn, and what was right there.
#[derive(Clone, Debug)]
pub struct StepLesson {
    /// The position.
    pub position: Position,
    /// What moved before, in this turn, too.
    pub past: Past,
    /// Bit by bit the legal steps, in their order: those that lead to the board the turn ended on.
    pub right: u128,
    /// It was right to end the turn here.
    pub ends: bool,
    /// Lessons of one game have the same number.
    pub game: u32,
}

/// A side further ahead than this, in hundredths of a rabbit, wins however it
/// plays, and so teaches little.
const UNDECIDED: i32 = 1000;

impl StepLesson {
    /// The lessons of a game: from each of its positions along one of the ways to the board the
    /// turn ended on. Positions of which the turn is not known, nor told by the next one, teach nothing.
    pub fn of_game(
        game: &PlayedGame,
        number: u32,
        random: &mut fastrand::Rng,
        lessons: &mut Vec<StepLesson>,
    ) {
        // Positions at the start of a turn, as long as they follow each other.
        let mut run: Vec<Position> = Vec::new();
        for (index, played) in game.positions.iter().enumerate() {
            let Some(position) = position_of(played) else {
                run.clear();
                continue;
            };
            let follows = |last: &Position| last.side_to_move() != played.side;
            if played.taken > 0 || !run.last().is_some_and(follows) {
                run.clear();
            }
            if played.taken == 0 {
                run.push(position);
            }
            if played.score.abs() > UNDECIDED {
                continue;
            }
            let next = game.positions.get(index + 1);
            let next = next
                .filter(|next| next.side != played.side && next.taken == 0 && played.taken == 0);
            let target = if played.turn == Turn::EMPTY {
                next.and_then(|next| Board::try_from(next.board).ok())
            } else {
                Some(*position.after_turn(played.turn.steps()).board())
            };
            let mut past = if run.len() > 1 {
                Past::of(&run)
            } else {
                Past {
                    opponent: played.changed,
                    ..Past::default()
                }
            };
            past.turn = played.moved;
            if let Some(target) = target {
                follow(position, past, &target, number, random, lessons);
            }
        }
    }
}

/// A position of a game; in the middle of a turn without what could be pulled.
fn position_of(played: &PlayedPosition) -> Option<Position> {
    let board = Board::try_from(played.board).ok()?;
    let position = Position::new(board, played.side).ok()?;
    Some(position.limited_to(4 - played.taken.min(3)))
}

/// The lessons of a turn, step by step to the board it ended on.
fn follow(
    mut position: Position,
    mut past: Past,
    target: &Board,
    game: u32,
    random: &mut fastrand::Rng,
    lessons: &mut Vec<StepLesson>,
) {
    let (start, moved) = (*position.board(), past.turn);
    while position.steps_left() > 0 {
        let ends = position.board() == target && position.can_end_turn();
        let steps = position.legal_steps();
        let mut right = 0;
        let mut ways = Vec::new();
        if !ends && steps.len() <= MOST {
            for (index, &step) in steps.iter().enumerate() {
                if leads_to(&position.after(step), target) {
                    right |= 1u128 << index;
                    ways.push(step);
                }
            }
        }
        if !ends && right == 0 {
            return;
        }
        lessons.push(StepLesson {
            position,
            past,
            right,
            ends,
            game,
        });
        let Some(step) = random.choice(ways) else {
            return;
        };
        position.apply(step);
        past.turn = moved | start.differing(position.board());
    }
}

/// Can the turn at hand end on this board?
fn leads_to(position: &Position, target: &Board) -> bool {
    let board = position.board();
    // In the middle of a push it may be there, and has to come back.
    if board == target && !position.is_mid_push() {
        return true;
    }
    let left = u32::from(position.steps_left());
    if steps_needed(board, target).is_none_or(|needed| needed > left) {
        return false;
    }
    let steps = position.legal_steps();
    steps
        .iter()
        .any(|&step| leads_to(&position.after(step), target))
}

/// So many steps at the least from one board to another; none if pieces would
/// have to come from nowhere.
fn steps_needed(board: &Board, target: &Board) -> Option<u32> {
    let mut needed = 0;
    for piece in Piece::ALL {
        let (here, there) = (board.pieces(piece), target.pieces(piece));
        let (from, to) = (here - there, there - here);
        if to.len() > from.len() {
            return None;
        }
        for square in to {
            needed += from.iter().map(|from| from.distance(square)).min()?;
        }
    }
    Some(needed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hathi_rules::{Bitboard, PackedBoard, Side};

    /// Every way of a turn is right, whatever the order, and nothing else.
    #[test]
    fn all_orders_of_a_turn_are_right() {
        let start = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]";
        let position: Position = start.parse().expect("a position");
        let played = PlayedPosition {
            board: PackedBoard::from(position.board()),
            side: Side::Gold,
            score: 10,
            depth: 4,
            taken: 0,
            turn: "Ee2n Ee3n Hh2n".parse().expect("a turn"),
            changed: Bitboard::EMPTY,
            moved: Bitboard::EMPTY,
        };
        let game = |positions: &[PlayedPosition]| PlayedGame {
            number: 1,
            winner: None,
            positions: positions.to_vec(),
        };
        let mut random = fastrand::Rng::with_seed(3);
        let mut found = Vec::new();
        StepLesson::of_game(&game(&[played]), 0, &mut random, &mut found);
        assert_eq!(found.len(), 4);
        let named = |lesson: &StepLesson| -> Vec<String> {
            let steps = lesson.position.legal_steps();
            let right = steps
                .iter()
                .enumerate()
                .filter(|(index, _)| lesson.right >> index & 1 == 1);
            right.map(|(_, step)| step.to_string()).collect()
        };
        let mut first = named(&found[0]);
        first.sort();
        assert_eq!(first, ["Ee2n", "Hh2n"]);
        assert!(found[3].ends && found[3].right == 0);
        assert_eq!(found[3].past.turn.len(), 4);
        // The next position tells the turn as well, and what is decided teaches nothing.
        let next = PlayedPosition {
            board: PackedBoard::from(position.after_turn(played.turn.steps()).board()),
            side: Side::Silver,
            turn: Turn::EMPTY,
            ..played
        };
        let unsaid = PlayedPosition {
            turn: Turn::EMPTY,
            ..played
        };
        let count = |positions: &[PlayedPosition]| {
            let mut found = Vec::new();
            let mut random = fastrand::Rng::with_seed(3);
            StepLesson::of_game(&game(positions), 0, &mut random, &mut found);
            found.len()
        };
        assert_eq!(count(&[unsaid, next]), 4);
        assert_eq!(count(&[unsaid]), 0);
        assert_eq!(
            count(&[PlayedPosition {
                score: 2000,
                ..played
            }]),
            0
        );
        // In the middle of a turn, what is left of it.
        let begun = PlayedPosition {
            board: PackedBoard::from(position.after_turn(&played.turn.steps()[..1]).board()),
            taken: 1,
            turn: "Ee3n Hh2n".parse().expect("a turn"),
            ..played
        };
        assert_eq!(count(&[begun]), 3);
    }

    /// A push is followed step by step, and a capture is understood.
    #[test]
    fn pushes_and_captures_are_followed() {
        let start = "g [                  E        r                                    R]";
        let position: Position = start
            .replace("    R]", "R   ]")
            .parse()
            .expect("a position");
        let turns = hathi_rules::TurnGenerator::new()
            .generate(&position)
            .map(|turn| *turn.board())
            .collect::<Vec<_>>();
        assert!(turns.len() > 50);
        for target in &turns {
            assert!(leads_to(&position, target), "{target:?}");
        }
        let mut elsewhere = *position.board();
        elsewhere.place(
            hathi_rules::Square::all().next().expect("a1"),
            Piece::ALL[3],
        );
        assert!(!leads_to(&position, &elsewhere));
    }
}

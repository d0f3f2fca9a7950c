//! Positions in which a horse is held hostage: where the flash-kidnapping begins.

use hathi_engine::{EngineOptions, PlanKind, plans_of};
use hathi_rules::Position;

/// Silver's officers, but for the elephant that holds the horse.
const OFFICERS: [char; 7] = ['m', 'h', 'h', 'd', 'd', 'c', 'c'];

/// Where they may stand: about the trap c6 and behind it. d7 stays free.
const PLACES: [&str; 8] = ["c7", "e7", "f7", "g7", "h7", "c8", "d8", "e8"];

/// All squares of Silver's but d7.
const HOME: [&str; 15] = [
    "a7", "b7", "c7", "e7", "f7", "g7", "h7", "a8", "b8", "c8", "d8", "e8", "f8", "g8", "h8",
];

/// Gold as in the paper's figure 2: the horse held on a6, the elephant on d6, camel,
/// horse and dog at the traps at home.
const GOLD: [(&str, char); 8] = [
    ("a6", 'H'),
    ("d6", 'E'),
    ("b3", 'D'),
    ("d3", 'H'),
    ("g3", 'M'),
    ("c2", 'C'),
    ("f2", 'C'),
    ("g2", 'D'),
];

/// Where Gold's rabbits may be.
const RABBITS: [&str; 10] = ["a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1", "a2", "h2"];

/// So many positions, all different, in each of which the graph of the paper has
/// something to say. The same again with the same seed.
pub(super) fn make(count: usize, seed: u64) -> anyhow::Result<Vec<Position>> {
    let options = EngineOptions {
        dpg: "flash-kidnapping".to_owned(),
        ..EngineOptions::default()
    };
    let mut random = fastrand::Rng::with_seed(seed);
    let mut positions: Vec<Position> = Vec::new();
    // Far more tries than it takes.
    for _ in 0..100 * count {
        if positions.len() == count {
            break;
        }
        let position = draw(&mut random)?;
        let (_, plans) = plans_of(&position, &options)?;
        let fires = plans
            .iter()
            .any(|plan| plan.plan.kind == PlanKind::Pattern && !plan.turns.is_empty());
        if fires && !positions.contains(&position) {
            positions.push(position);
        }
    }
    anyhow::ensure!(
        positions.len() == count,
        "there are only {} such positions",
        positions.len()
    );
    Ok(positions)
}

fn draw(random: &mut fastrand::Rng) -> anyhow::Result<Position> {
    let mut board = [' '; 64];
    let mut put = |square: &str, piece: char| {
        let [file, rank] = square.as_bytes() else {
            return;
        };
        board[usize::from(8 - (rank - b'0')) * 8 + usize::from(file - b'a')] = piece;
    };
    for (square, piece) in GOLD {
        put(square, piece);
    }
    let mut rabbits = RABBITS;
    random.shuffle(&mut rabbits);
    for square in &rabbits[..8] {
        put(square, 'R');
    }
    put("b6", 'e');
    for square in HOME {
        put(square, 'r');
    }
    let mut places = PLACES;
    random.shuffle(&mut places);
    for (square, piece) in places.iter().zip(OFFICERS) {
        put(square, piece);
    }
    let text: String = board.iter().collect();
    Ok(format!("g [{text}]").parse()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hathi_rules::{Side, Square};

    #[test]
    fn hostages_are_whole_armies_and_differ() {
        let positions = make(6, 3).expect("positions");
        assert_eq!(positions, make(6, 3).expect("the same again"));
        for position in &positions {
            let board = position.board();
            assert_eq!(board.side(Side::Gold).len(), 16);
            assert_eq!(board.side(Side::Silver).len(), 16);
            assert!(Position::new(*board, Side::Gold).is_ok(), "{position}");
            assert!(board.frozen(Side::Gold).contains(Square::A6), "{position}");
        }
    }
}

//! Facts of turns and games, against following them step by step.

use hathi_model::phase::Phase;
use hathi_rules::{Board, Piece, Role, Side, Square};

use super::{pattern, played};

#[test]
fn turns_and_games_are_as_they_were_played() {
    let (mut taken, mut arrived, mut given) = (0, 0, 0);
    for &setting in played() {
        let turn = setting.turn.expect("played");
        let mover = setting.position.side_to_move();
        let after = setting.position.after_turn(turn.steps());
        let gone = |side: Side, role: Role| {
            let count = |board: &Board| {
                board
                    .iter()
                    .filter(|(_, piece)| *piece == Piece::new(side, role))
                    .count()
            };
            count(setting.position.board()) > count(after.board())
        };
        for role in Role::ALL {
            let enemy = Piece::new(mover.opponent(), role);
            let own = Piece::new(mover, role);
            let takes = pattern(&format!("captures {enemy}")).holds_in(&setting);
            assert_eq!(takes, gone(mover.opponent(), role));
            taken += usize::from(takes);
            let gives = pattern(&format!("gives up {own}")).holds_in(&setting);
            assert_eq!(gives, gone(mover, role));
            given += usize::from(gives);
            assert!(!pattern(&format!("captures {own}")).holds_in(&setting));
            assert!(!pattern(&format!("gives up {enemy}")).holds_in(&setting));
            for square in Square::all() {
                // Followed step by step.
                let mut places: Vec<(Square, bool)> = setting
                    .position
                    .board()
                    .pieces(own)
                    .iter()
                    .map(|from| (from, false))
                    .collect();
                for step in turn.steps() {
                    if let Some(to) = step.to() {
                        for place in places.iter_mut().filter(|place| place.0 == step.from()) {
                            *place = (to, true);
                        }
                    }
                    if let Some(removal) = step.removed() {
                        places.retain(|place| place.0 != removal.square);
                    }
                }
                let plays = pattern(&format!("plays {own}{square}")).holds_in(&setting);
                assert_eq!(
                    plays,
                    places.contains(&(square, true)),
                    "{turn} {own}{square}"
                );
                arrived += usize::from(plays);
            }
        }
        let ply = setting.ply.expect("of a game");
        for (text, expected) in [
            (format!("move {}", ply.move_number()), true),
            (format!("move > {}", ply.move_number()), false),
            (
                "gold rating >= 1800".to_owned(),
                setting.ratings.gold >= Some(1800),
            ),
            ("silver rating = 2000".to_owned(), true),
            (
                "rating >= 1800".to_owned(),
                setting.ratings.gold >= Some(1800),
            ),
            ("mover won".to_owned(), setting.winner == Some(mover)),
            ("result s".to_owned(), setting.winner == Some(Side::Silver)),
            (
                "gives up a piece by s".to_owned(),
                mover == Side::Silver && Role::ALL.iter().any(|&role| gone(mover, role)),
            ),
        ] {
            assert_eq!(pattern(&text).holds_in(&setting), expected, "{text}");
        }
        let phase = hathi_model::phase::heuristic(&setting.position);
        for other in Phase::ALL {
            let text = format!("phase {}", other.name());
            assert_eq!(pattern(&text).holds_in(&setting), other == phase);
        }
    }
    assert!(
        taken > 5 && arrived > 100 && given > 0,
        "{taken} {arrived} {given}"
    );
}

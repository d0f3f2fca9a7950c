//! The six diagrams of the flash-kidnapping: from (a), against an opponent
//! who only waits, Rat plays through to the capture and comes back.

use hathi_rules::{Game, Piece, Position, Role, RuleSet, Side, Square, Symmetry, Turn};

use super::position;
use crate::{Choice, EngineKind, EngineSpec, Limits};

/// Their elephant holds the horse on a6; camel, horse and dog guard our traps;
/// a horse of theirs stands behind our elephant.
const A: &str = "
    g
    8| r r d h r r . . |
    7| r . c . . . c m |
    6| H e x E . x . . |
    5| . . . . . . . . |
    4| . . . . . . . . |
    3| . D x H . x M . |
    2| . . C . . C D . |
    1| R R R . . R R R |";

/// A turn of Silver's that changes nothing near: some piece on the east wing
/// goes to and fro.
fn wait(game: &Game, symmetry: Symmetry) -> Turn {
    let seen = symmetry.apply(game.position());
    for step in seen.legal_steps() {
        let far = |square: Square| square.index() % 8 >= 6 && square.index() / 8 >= 6;
        let officer = step.side() == Side::Silver && step.piece().role() != Role::Rabbit;
        if officer && far(step.from()) && step.to().is_some_and(far) {
            let turn = symmetry.apply(Turn::from_steps([step]).expect("one step"));
            if let Ok((turn, after)) = game.position().check_turn(&turn)
                && !game.is_third_repetition(&after)
            {
                return turn;
            }
        }
    }
    panic!("nobody can move");
}

/// The boards after each of Rat's turns, seen as Gold on the west wing.
fn play(start: Position, symmetry: Symmetry) -> Vec<Position> {
    let mut engine = EngineSpec::of(EngineKind::Rat).build().expect("an engine");
    engine.new_game(1);
    let mut game = Game::from_position(RuleSet::Modern, symmetry.apply(start));
    let mut boards = Vec::new();
    for _ in 0..6 {
        let decision = engine
            .decide(&game, &Limits::none(), &mut |_| {})
            .expect("a decision");
        let Choice::Play(turn) = decision.choice else {
            panic!("no turn");
        };
        assert!(
            decision.reasons[0].contains(" because "),
            "{:?}",
            decision.reasons
        );
        println!("{turn}: {}", decision.reasons[0]);
        game.play(&turn).expect("legal");
        boards.push(symmetry.apply(game.position()));
        let reply = wait(&game, symmetry);
        game.play(&reply).expect("legal");
    }
    boards
}

#[test]
fn the_six_diagrams() {
    for symmetry in Symmetry::ALL {
        let boards = play(position(A), symmetry);
        let at = |turn: usize, square: Square| boards[turn].board().piece_at(square);
        let (horse, elephant) = (Some(Piece::SilverHorse), Some(Piece::GoldElephant));
        // (b) The horse is pulled next to the elephant.
        assert_eq!(at(0, Square::D7), horse, "{symmetry:?}");
        assert_eq!(at(0, Square::D6), elephant);
        // (c) Flipped behind it.
        assert_eq!(at(1, Square::D5), horse, "{symmetry:?}");
        assert_eq!(at(1, Square::D6), elephant);
        // (d) Pushed twice, to c4. By way of c5 the elephant still keeps the
        // trap; the drawing has it on d4.
        assert_eq!(at(2, Square::C4), horse, "{symmetry:?}");
        assert!(at(2, Square::D4) == elephant || at(2, Square::C5) == elephant);
        // (e) Captured.
        assert_eq!(boards[3].board().pieces(Piece::SilverHorse).len(), 0);
        // (f) Back on d6, nothing lost.
        let last = boards.len() - 1;
        assert!(
            (4..=last).any(|turn| at(turn, Square::D6) == elephant),
            "{symmetry:?}"
        );
        assert_eq!(boards[last].board().side(Side::Gold).len(), 14);
    }
}

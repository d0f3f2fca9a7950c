//! Random play from random positions. The bytes are choices: which pieces
//! stand where, then which of the legal steps is taken.
#![no_main]

use hathi_rules::{Board, Direction, Outcome, Piece, Position, RuleSet, Side, Square, Step};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut choices = bytes.iter().copied();
    let Some(start) = place(&mut choices) else {
        return;
    };
    let composed = start.board().unsupported_on_traps().any();
    let mut position = start;
    while let Some(choice) = choices.next() {
        check(&position);
        let falling = position.board().unsupported_on_traps();
        assert!(composed || falling.is_empty(), "on a trap\n{position:?}");
        let steps = position.legal_steps();
        let may_end = position.can_end_turn();
        let count = steps.len() + usize::from(may_end);
        if count == 0 {
            assert!(
                position.at_turn_start(),
                "stuck inside a turn\n{position:?}"
            );
            break;
        }
        match steps.get(usize::from(choice) % count) {
            Some(&step) => {
                let before = position;
                let undo = position.apply(step);
                assert_eq!(
                    undo.step(),
                    step,
                    "another removal than foretold\n{before:?}"
                );
                let after = position;
                position.undo(undo);
                assert_eq!(position, before, "{step} taken back\n{before:?}");
                assert_eq!(position.hash(), before.hash());
                assert_eq!(before.after(step), after);
                position = after;
            }
            None => position = position.end_turn(),
        }
    }
});

/// A side to move and pairs of square and piece, ended by a square off the
/// board. Pieces without support on a trap are taken off, unless the first
/// choice asks for a composition: those are played as well.
fn place(choices: &mut impl Iterator<Item = u8>) -> Option<Position> {
    let first = choices.next()?;
    let side = Side::ALL[usize::from(first & 1)];
    let mut board = Board::EMPTY;
    while let Some(square) = Square::from_index(usize::from(choices.next()?)) {
        let piece = Piece::ALL[usize::from(choices.next()?) % 12];
        board.place(square, piece);
    }
    if first & 2 == 0 {
        for square in board.unsupported_on_traps() {
            board.remove(square);
        }
    }
    Some(Position::composed(board, side))
}

/// What must hold at every moment of a game.
fn check(position: &Position) {
    let board = position.board();
    assert_eq!(board.hash(), board.computed_hash(), "hash\n{position:?}");
    assert!(position.steps_left() <= 4);

    // The generator and the judge are separate code: they must agree on every
    // step one could write down, removals included.
    let legal = position.legal_steps();
    assert_eq!(position.step_sets().len(), legal.len());
    let mut accepted = 0;
    for (square, piece) in board.iter() {
        for direction in Direction::ALL {
            if let Ok(step) = position.check_step(Step::new(piece, square, direction)) {
                assert!(legal.contains(&step), "{step} accepted\n{position:?}");
                accepted += 1;
            }
        }
    }
    assert_eq!(accepted, legal.len(), "{legal:?}\n{position:?}");
    for &step in &legal {
        assert_eq!(position.check_step(step), Ok(step), "{position:?}");
    }

    if position.at_turn_start() {
        let side = position.side_to_move();
        assert_eq!(board.can_move(side), !legal.is_empty(), "{position:?}");
        if legal.is_empty() {
            let outcome = Outcome::on_board(board, side.opponent(), RuleSet::Modern);
            assert!(outcome.is_some(), "nobody has won\n{position:?}");
        }
    }
}

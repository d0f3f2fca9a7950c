//! Notation, boards, time controls and random play: what `hathi-rules` reads.

use hathi_rules::{
    Board, Direction, GameRecord, Label, Outcome, PackedBoard, Piece, Position, Replay, RuleSet,
    Setup, Side, Square, Step, TimeControl, Turn,
};

use crate::{crowded, is_short, reads_back};

/// Move lists: read, printed, read again, and replayed by both rule sets.
pub(crate) fn game_record(bytes: &[u8]) {
    match GameRecord::parse(bytes) {
        Ok(record) => {
            let again: GameRecord = record.to_string().parse().expect("what was printed");
            assert_eq!(again, record);
        }
        Err(error) => is_short(&error),
    }
    for rules in [RuleSet::Modern, RuleSet::Before2008] {
        let mut replay = Replay::new(rules);
        if let Err(error) = replay.read(bytes, rules) {
            is_short(&error);
        }
        // Wherever it stopped, what was played until then was legal.
        let record = GameRecord::of_game(&replay.game);
        let again = record.replay(rules).expect("a legal game");
        assert_eq!(again.game.position(), replay.game.position());
        assert_eq!(again.game.outcome(), replay.game.outcome());
    }
}

/// Boards from damaged bytes: refused, or exactly what the bytes say.
pub(crate) fn packed_board(bytes: &[u8]) {
    let Some(&bytes) = bytes.first_chunk::<32>() else {
        return;
    };
    let packed = PackedBoard(bytes);
    let Ok(board) = Board::try_from(packed) else {
        return;
    };
    assert_eq!(PackedBoard::from(&board), packed);
    assert_eq!(board.hash(), board.computed_hash());
    let rebuilt: Board = board.iter().collect();
    assert_eq!(rebuilt, board);
    assert_eq!(rebuilt.hash(), board.hash());
    for side in Side::ALL {
        if let Ok(position) = Position::new(board, side) {
            assert_eq!(position.to_string().parse(), Ok(position));
            assert_eq!(position.step_sets().is_empty(), !board.can_move(side));
        }
    }
}

/// Positions in both forms: what is read prints as the same position.
pub(crate) fn position_text(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for default in [None, Some(Side::Gold), Some(Side::Silver)] {
        match Position::parse_with_side(&text, default) {
            Ok(position) => {
                for form in [position.short_form(), position.long_form()] {
                    assert_eq!(form.parse(), Ok(position), "{form}");
                }
                let board = position.board();
                assert_eq!(board.hash(), board.computed_hash());
                // Compositions are taken as they are; the rest is checked.
                let checked = Position::new(*board, position.side_to_move());
                assert!(checked.is_err() || checked == Ok(position));
                assert_eq!(checked.is_ok(), board.unsupported_on_traps().is_empty());
            }
            Err(error) => is_short(&error),
        }
    }
}

/// Setups: sixteen pieces on two ranks, however they are written.
pub(crate) fn setup(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match text.parse::<Setup>() {
        Ok(setup) => {
            assert_eq!(setup.to_string().parse(), Ok(setup));
            assert_eq!(Setup::new(setup.side(), *setup.roles()), Ok(setup));
            let mut board = Board::EMPTY;
            setup.place_on(&mut board);
            assert_eq!(board.side(setup.side()), setup.side().home());
            assert_eq!(Setup::of_board(&board, setup.side()), Some(setup));
        }
        Err(error) => is_short(&error),
    }
}

/// Time controls: what is read prints as the same time control.
pub(crate) fn time_control(bytes: &[u8]) {
    reads_back::<TimeControl>(&String::from_utf8_lossy(bytes));
}

/// Squares, labels, steps and turns: what is read prints as the same, and the
/// judge has an answer to any turn that can be written down.
pub(crate) fn turn_and_step(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    reads_back::<Square>(&text);
    reads_back::<Label>(&text);
    reads_back::<Step>(&text);
    reads_back::<Turn>(&text);
    let position = crowded();
    if let Ok(turn) = text.parse::<Turn>() {
        match position.check_turn(&turn) {
            Ok((complete, after)) => {
                assert_eq!(complete.len(), turn.len());
                assert_eq!(position.after_turn(&complete), after);
                assert_ne!(after.board(), position.board());
            }
            Err(error) => is_short(&error),
        }
    }
}

/// Random play from random positions. The bytes are choices: which pieces
/// stand where, then which of the legal steps is taken.
pub(crate) fn play(bytes: &[u8]) {
    let mut choices = bytes.iter().copied();
    let Some(start) = place(&mut choices) else {
        return;
    };
    let composed = start.board().unsupported_on_traps().any();
    let mut position = start;
    for choice in choices {
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
}

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

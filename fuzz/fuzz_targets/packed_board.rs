//! Boards from damaged bytes: refused, or exactly what the bytes say.
#![no_main]

use hathi_rules::{Board, PackedBoard, Position, Side};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: [u8; 32]| {
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
});

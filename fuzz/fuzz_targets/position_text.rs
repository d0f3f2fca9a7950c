//! Positions in both forms: what is read prints as the same position.
#![no_main]

use hathi_rules::{Position, Side};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for default in [None, Some(Side::Gold), Some(Side::Silver)] {
        match Position::parse_with_side(text, default) {
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
            Err(error) => assert!(error.to_string().len() <= 400),
        }
    }
});

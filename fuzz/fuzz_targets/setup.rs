//! Setups: sixteen pieces on two ranks, however they are written.
#![no_main]

use hathi_rules::{Board, Setup};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match text.parse::<Setup>() {
        Ok(setup) => {
            assert_eq!(setup.to_string().parse(), Ok(setup));
            assert_eq!(Setup::new(setup.side(), *setup.roles()), Ok(setup));
            let mut board = Board::EMPTY;
            setup.place_on(&mut board);
            assert_eq!(board.side(setup.side()), setup.side().home());
            assert_eq!(Setup::of_board(&board, setup.side()), Some(setup));
        }
        Err(error) => assert!(error.to_string().len() <= 400),
    }
});

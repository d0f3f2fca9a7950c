//! Squares, labels, steps and turns: what is read prints as the same, and the
//! judge has an answer to any turn that can be written down.
#![no_main]

use std::fmt::{Debug, Display};
use std::str::FromStr;
use std::sync::LazyLock;

use hathi_rules::{Label, Position, Square, Step, Turn};
use libfuzzer_sys::fuzz_target;

/// Everything a turn can run into: frozen pieces, pushes and pulls to be had,
/// traps with one friend beside them.
static POSITION: LazyLock<Position> = LazyLock::new(|| {
    let drawing = "
        g
        8| r r . r . r r r |
        7| . c . d . . h . |
        6| . h C e . r M . |
        5| . . D . . d . . |
        4| . E r . m H . . |
        3| . . c h . R . . |
        2| D . . R . . C H |
        1| R R . R . R R R |";
    drawing.parse().expect("a legal position")
});

fuzz_target!(|text: &str| {
    reads_back::<Square>(text);
    reads_back::<Label>(text);
    reads_back::<Step>(text);
    reads_back::<Turn>(text);
    if let Ok(turn) = text.parse::<Turn>() {
        match POSITION.check_turn(&turn) {
            Ok((complete, after)) => {
                assert_eq!(complete.len(), turn.len());
                assert_eq!(POSITION.after_turn(&complete), after);
                assert_ne!(after.board(), POSITION.board());
            }
            Err(error) => assert!(error.to_string().len() <= 400),
        }
    }
});

fn reads_back<T>(text: &str)
where
    T: FromStr<Err: Display> + Display + Debug + PartialEq,
{
    match text.parse::<T>() {
        Ok(value) => {
            let printed = value.to_string();
            match printed.parse::<T>() {
                Ok(again) => assert_eq!(again, value, "{printed:?}"),
                Err(error) => panic!("{printed:?}: {error}"),
            }
        }
        Err(error) => assert!(error.to_string().len() <= 400),
    }
}

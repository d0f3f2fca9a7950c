//! Time controls: what is read prints as the same time control.
#![no_main]

use hathi_rules::TimeControl;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match text.parse::<TimeControl>() {
        Ok(control) => {
            let printed = control.to_string();
            assert_eq!(printed.parse(), Ok(control), "{printed}");
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});

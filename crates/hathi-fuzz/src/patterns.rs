//! Patterns of positions.

use hathi_rules::Side;
use hathi_store::Pattern;

use crate::{crowded, is_short};

/// A pattern that is read prints as the same pattern, and can be asked about
/// any board.
pub(crate) fn pattern(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match Pattern::parse(&text) {
        Ok(pattern) => {
            let printed = pattern.to_string();
            let again = Pattern::parse(&printed)
                .unwrap_or_else(|error| panic!("printed as {printed:?}: {error}"));
            let board = crowded();
            for side in Side::ALL {
                let holds = pattern.holds(board.board(), side);
                assert_eq!(again.holds(board.board(), side), holds, "{printed:?}");
            }
            assert_eq!(again.to_string(), printed);
        }
        Err(error) => is_short(&error),
    }
}

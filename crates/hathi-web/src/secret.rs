//! Names that nobody can guess: cookies of clients, ids of games.
//!
//! Whoever knows a client's cookie plays its games, so these come from the
//! system's random source. A generator made for speed will not do: its next
//! numbers can be computed from a few of its last.

use crate::error::ApiError;

/// 128 bits as 32 hexadecimal digits.
pub(crate) fn new() -> Result<String, ApiError> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| {
        ApiError::internal(format!("the system has no random numbers: {error}"))
    })?;
    Ok(format!("{:032x}", u128::from_be_bytes(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_generator_that_is_known_tells_nothing() {
        // As an attacker does who has found out the state of the generator.
        fastrand::seed(7);
        let first = new().expect("an id");
        fastrand::seed(7);
        let second = new().expect("an id");
        assert_ne!(first, second);
        for id in [first, second] {
            assert_eq!(id.len(), 32);
            assert!(id.bytes().all(|byte| byte.is_ascii_hexdigit()), "{id}");
        }
    }
}

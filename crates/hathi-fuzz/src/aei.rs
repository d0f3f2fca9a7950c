//! What controllers say to an engine, line by line.

use std::time::Duration;

use hathi_arena::aei::{Message, Times};
use hathi_engine::{EngineOptions, EngineSpec};
use hathi_rules::{Side, Turn};

use crate::{is_short, reads_back};

/// Lines are understood or refused; options change what they should, and time
/// options never make more time than there is.
pub(crate) fn lines(bytes: &[u8]) {
    let mut times = Times::default();
    let mut options = EngineOptions::default();
    for line in String::from_utf8_lossy(bytes).lines() {
        match Message::read(line) {
            Ok(Some(Message::SetOption { name, value })) => {
                if name == "engine" {
                    reads_back::<EngineSpec>(&value);
                } else if times.set(&name, &value).is_none()
                    && let Err(error) = options.set(&name, &value)
                {
                    assert!(!error.to_string().is_empty());
                }
            }
            Ok(Some(Message::MakeMove(text))) => reads_back::<Turn>(&text),
            Ok(Some(Message::NewGame)) => times.new_game(),
            Ok(Some(Message::Go { .. })) => {
                for side in Side::ALL {
                    if let Some((limits, last)) = times.limits(side) {
                        assert!(limits.most.is_none_or(|most| most <= last), "{limits:?}");
                    }
                    times.charge(side, Duration::from_millis(10));
                }
            }
            Ok(_) => {}
            Err(error) => is_short(&error),
        }
    }
}

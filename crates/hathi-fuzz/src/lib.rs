//! What Hathi reads from strangers, fed with noise.
//!
//! A target takes any bytes and panics only if Hathi is wrong: a parser breaks
//! down, something that was read is not printed as what reads as the same, a
//! message is too long to read. `fuzz/` runs the targets under libFuzzer, with
//! a nightly compiler; `tests/seeds.rs` runs each over its seeds and thousands
//! of damaged copies of them, with any compiler.
//!
//! | file | what is fed |
//! |---|---|
//! | `rules.rs` | notation, boards, time controls, random play |
//! | `patterns.rs` | patterns of positions |
//! | `graphs.rs` | directed position graphs (`.dpg`) |
//! | `aei.rs` | lines of the engine protocol, engines with options |
//! | `archives.rs` | rows of game archives |
//! | `models.rs` | models, networks, weights and shares by phase |
//! | `indexes.rs` | index files |

#![forbid(unsafe_code)]

mod aei;
mod archives;
mod graphs;
mod indexes;
mod models;
mod patterns;
mod rules;

use std::fmt::{Debug, Display};
use std::str::FromStr;

use hathi_rules::Position;

/// Something to be fed with bytes.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name: that of the file in `fuzz/fuzz_targets` and of the folder in
    /// `fuzz/seeds`.
    pub name: &'static str,
    /// Feeds it.
    pub feed: fn(&[u8]),
    /// How long it takes, beside the others: so many times fewer inputs are
    /// tried where time is short.
    pub cost: usize,
}

/// All targets.
pub const TARGETS: &[Target] = &[
    target("aei_lines", aei::lines, 1),
    target("archive_rows", archives::rows, 2),
    target("dpg_files", graphs::file, 2),
    target("game_record", rules::game_record, 1),
    target("index_files", indexes::damaged, 20),
    target("model_files", models::file, 4),
    target("packed_board", rules::packed_board, 1),
    target("patterns", patterns::pattern, 1),
    target("play", rules::play, 4),
    target("position_text", rules::position_text, 1),
    target("setup", rules::setup, 1),
    target("time_control", rules::time_control, 1),
    target("turn_and_step", rules::turn_and_step, 1),
];

const fn target(name: &'static str, feed: fn(&[u8]), cost: usize) -> Target {
    Target { name, feed, cost }
}

impl Target {
    /// The target of this name.
    pub fn by_name(name: &str) -> Option<&'static Target> {
        TARGETS.iter().find(|target| target.name == name)
    }
}

/// Feeds the target of this name; what fuzz targets call.
///
/// # Panics
/// If there is no such target, or Hathi is wrong.
pub fn feed(name: &str, bytes: &[u8]) {
    let target = Target::by_name(name).unwrap_or_else(|| panic!("there is no target {name}"));
    (target.feed)(bytes);
}

/// Longer than any message has a reason to be.
const LONGEST_MESSAGE: usize = 600;

fn is_short(error: &impl Display) {
    let message = error.to_string();
    assert!(!message.is_empty());
    assert!(
        message.len() <= LONGEST_MESSAGE,
        "a message of {} bytes: {}...",
        message.len(),
        message.chars().take(200).collect::<String>()
    );
}

/// Text that is read must print as something that reads as the same value;
/// text that is refused must be refused in few words.
fn reads_back<T>(text: &str)
where
    T: FromStr<Err: Display> + Display + Debug + PartialEq,
{
    match text.parse::<T>() {
        Ok(value) => {
            let printed = value.to_string();
            match printed.parse::<T>() {
                Ok(again) => assert_eq!(again, value, "printed as {printed:?}"),
                Err(error) => panic!("{value:?} is printed as {printed:?}: {error}"),
            }
        }
        Err(error) => is_short(&error),
    }
}

/// Everything a turn can run into: frozen pieces, pushes and pulls to be had,
/// traps with one friend beside them.
const CROWDED: &str = "
    g
    8| r r . r . r r r |
    7| . c . d . . h . |
    6| . h C e . r M . |
    5| . . D . . d . . |
    4| . E r . m H . . |
    3| . . c h . R . . |
    2| D . . R . . C H |
    1| R R . R . R R R |";

fn crowded() -> Position {
    CROWDED.parse().expect("a position")
}

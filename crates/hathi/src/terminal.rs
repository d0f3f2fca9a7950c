//! What people see and what they can do: results on standard output, messages
//! and bars on standard error, Ctrl-C.

pub(crate) mod draw;
pub(crate) mod games;
pub(crate) mod index;
pub(crate) mod motifs;
pub(crate) mod output;
pub(crate) mod played;
pub(crate) mod position;
pub(crate) mod progress;
pub(crate) mod standings;
pub(crate) mod stop;
#[cfg(feature = "lab")]
pub(crate) mod watcher;

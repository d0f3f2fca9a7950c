//! AEI, the Arimaa Engine Interface, version 1: Hathi's engines for any
//! controller that speaks it.
//!
//! | file | holds |
//! |---|---|
//! | `message.rs` | what a controller says, read from a line |
//! | `lines.rs` | lines of any length and bytes, without surprises |
//! | `times.rs` | the time options, and what they allow |
//! | `session.rs`, `session/` | the engine's side of a conversation: its options, its searching |

mod lines;
mod message;
mod session;
mod times;

pub(crate) use lines::Lines;
pub use message::{Message, MessageError};
pub use session::{Ending, Keeper, Setting, serve};
pub use times::Times;

//! Hathi in the browser: an HTTP API over the memory, the engines and the
//! arena, and the page that uses it.
//!
//! | to find | look in |
//! |---|---|
//! | starting it | [`Config`], [`Server`] |
//! | connections, limits, shutting down | `server.rs`, `slow.rs` |
//! | who may ask, and who it is | `guard.rs`, `access.rs`, `asker.rs`, `client.rs` |
//! | how much at the same time | `config.rs`, `queue.rs`, `sending.rs` |
//! | the routes, one file a subject | `api/` |
//! | asking the store from many requests | `pool.rs`, `cache.rs` |
//! | streams of events | `stream.rs` |
//! | the words of its answers that commands share | [`hathi_view`] |
//! | the page's files | `assets.rs`, `assets/` |
//! | lessons and their judge | `lessons.rs`, `lessons/` |
//!
//! The API is described in `API.md`, and by the server itself at
//! `/api/v1/openapi.json`.

#![forbid(unsafe_code)]

mod access;
mod api;
mod arenas;
mod asker;
mod assets;
mod cache;
mod client;
mod config;
mod draw;
mod engines;
mod error;
mod experiments;
mod extract;
mod filter;
mod gradings;
mod guard;
mod imports;
mod lessons;
mod pictures;
mod plays;
mod pool;
mod queue;
mod read;
mod samples;
mod secret;
mod sending;
mod server;
mod slow;
mod state;
mod stream;

pub use access::{Access, Password, PasswordError};
pub use config::{AnalysisEngine, Config, Limits, ParseAnalysisEngineError};
pub use experiments::{Experiment, ExperimentSize, Follower, Laboratory};
pub use pictures::{PictureError, game_gif, position_png};
pub use queue::Places;
pub use samples::sample_games;
pub use server::{Ending, ServeError, Server};

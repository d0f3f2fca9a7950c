//! Engines at work: the AEI protocol on both ends, games between any two
//! players, tournaments, and what they say about strength.
//!
//! | to find | look in |
//! |---|---|
//! | an engine that speaks AEI on stdin and stdout | [`aei::serve`] |
//! | running a foreign AEI engine | [`Controller`] |
//! | what a foreign AEI engine thinks of a position | [`KeptEngines`] |
//! | anybody who plays | [`PlayerSpec`], [`Player`] |
//! | one game | [`play_game`], [`GameReport`] |
//! | many | [`Tournament`], [`Standings`] |
//! | figures | [`Score`], [`Elo`], [`Sprt`], [`ratings`] |
//!
//! ```
//! use hathi_arena::{Thinking, Tournament};
//!
//! let mut tournament = Tournament::new(vec!["random".parse()?, "step".parse()?]);
//! tournament.games = 2;
//! tournament.thinking = Thinking { nodes: Some(100), ..Thinking::default() };
//! tournament.max_moves = 20;
//! let standings = tournament.run(None, &Default::default(), &|_| {})?;
//! assert_eq!(standings.games, 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

pub mod aei;
mod analysis;
mod controller;
mod fallback;
mod openings;
mod player;
mod ratings;
mod referee;
mod spec;
mod standings;
mod state;
mod stats;
mod tournament;
mod tune;
mod worker;

pub use analysis::{KeptEngines, SaidAnalysis, SaidLine};
pub use controller::{Controller, ControllerError, Patience};
pub use openings::{Openings, StartPositions, StartPositionsError, sound_setup, usual_setup};
pub use player::{Answer, Player, PlayerFault, Source};
pub use ratings::ratings;
pub use referee::{Ending, GameReport, MoveReport, Thinking, play_game};
pub use spec::{ParsePlayerError, PlayerKind, PlayerSpec};
pub use standings::{Pairing, PlayerStats, SprtReport, Standings, TimeUse};
pub use state::{Finished, StateError, finished_games};
pub use stats::{Elo, Score, Sprt, SprtState, expected_score};
pub use tournament::{Event, Format, Tournament, TournamentError};
pub use tune::{Knob, ParseKnobError, Round, TuneError, Tuning};

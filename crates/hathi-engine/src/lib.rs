//! Engines: everything that chooses a turn.
//!
//! | to find | look in |
//! |---|---|
//! | what an engine is | [`Engine`], [`Decision`], [`Thought`] |
//! | the best several turns at once | [`AnalysisRequest`], [`Analysis`] |
//! | what a score means for the result | [`winning_chance`], [`forced`] |
//! | was a turn a mistake | [`judge`], [`Judged`], [`Mark`] |
//! | how long it may think | [`Limits`], [`Stop`] |
//! | the terms and weights of the evaluation | [`Weights`] |
//! | what an evaluation says, and costs, by itself | [`Standing`], [`StaticEvaluation`] |
//! | the evaluation by game phase | [`knobs`], [`Tweaks`], [`Phased`], [`PhaseUse`], [`PhaseAt`], [`PhasePruning`] |
//! | plans, and graphs of patterns | [`plans_of`], [`PlanKind`], [`dpg`] |
//! | games played out by chance | [`RandomPlayouts`] |
//! | win in two | [`solve`], [`Solution`] |
//! | how hard a puzzle is, and what it is about | [`Effort`], [`Difficulty`], [`themes`] |
//! | setups and how they did | [`SoundSetup`], [`sound_setups`] |
//! | levels for people to play against | [`PlayLevel`] |
//! | engines by name and option | [`EngineKind`], [`EngineSpec`], [`EngineOptions`] |
//!
//! The engines that remember need a store of games and so the feature `memory`;
//! all others do without it.

#![forbid(unsafe_code)]

mod analysis;
mod chance;
pub mod dpg;
mod engine;
mod engines;
mod evaluation;
mod forced;
mod kinds;
mod level;
mod levels;
mod limits;
mod mixture;
mod options;
mod playout;
mod puzzle;
mod rat;
mod readings;
#[cfg(feature = "memory")]
mod recall;
mod review;
mod search;
mod setups;
mod solve;

pub use analysis::{Analysis, AnalysisRequest, MOST_LINES};
pub use chance::{CHANCE_SCALE, winning_chance};
pub use engine::{Decision, Engine, EngineError, Thought, Visited};
pub use evaluation::knobs::{KNOBS, knobs};
pub use evaluation::phased::Phased;
pub use evaluation::tweaks::Tweaks;
pub use evaluation::weights::{Weights, WeightsError};
pub use evaluation::{Standing, StaticEvaluation};
pub use forced::{Forced, forced};
pub use hathi_rules::Choice;
pub use kinds::EngineKind;
pub use level::Level;
pub use levels::{LEVELS, PlayLevel, RATING_SCALE};
pub use limits::{Limits, Stop};
pub use mixture::{MixPart, MixShare, Mixture};
pub use options::{
    EngineOption, EngineOptions, EngineSpec, OPTIONS, OptionAccess, OptionError, PhaseAt,
    PhasePruning, PhaseUse, Playouts, RecallUse, SearchStyle, SpecError, StepOrder,
};
pub use playout::{PlayedOut, RandomPlayouts};
pub use puzzle::{Difficulty, Effort, Theme, goal_effort, longest_defence, themes, win_effort};
pub use rat::{
    Fired, Flag, GraphTrace, Plan, PlanKind, Planned, PlannedTurn, Queue, decide_with_graphs,
    plans_of, trace_graph,
};
pub use readings::{HitsUsed, Otherwise, Readings, Replay, SetupsFrom, WindowRound};
#[cfg(feature = "memory")]
pub use recall::{LevelHits, ask_all_levels, last_moved, without_memory};
pub use review::{
    Judged, LEAST_DEPTH, Look, Mark, PINNED_POSITIONS, REVIEW_NODES, engine_version, judge,
};
pub use search::margins::{MarginChanges, Margins, ParseMarginsError};
pub use setups::{SetupTableError, SoundSetup, Tally, sound_setups};
pub use solve::{Solution, refute, solve};

//! Engines by name, with their options: `fairy`, `fairy:depth=8,hash=64`.

mod error;
mod phases;
mod playouts;
mod recall_use;
mod search_style;
mod spec;
mod step_order;
mod table;
#[cfg(test)]
mod tests;

use crate::MarginChanges;
use crate::mixture::Mixture;
use crate::readings::Readings;

pub use error::OptionError;
pub(crate) use error::shortened;
pub use phases::{PhaseAt, PhasePruning, PhaseUse};
pub use playouts::Playouts;
pub use recall_use::RecallUse;
pub use search_style::SearchStyle;
pub use spec::{EngineSpec, SpecError};
pub use step_order::StepOrder;
pub use table::{EngineOption, OPTIONS, OptionAccess};

/// What can be set about an engine. Those that do not know an option leave it
/// alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineOptions {
    /// Depth in steps, 0 for as deep as time allows.
    pub depth: u32,
    /// Positions to look at, 0 for no limit.
    pub nodes: u64,
    /// Size of the transposition table, in megabytes.
    pub hash: usize,
    /// Threads to think with.
    pub threads: usize,
    /// Turns to think about and show at the same time, 1 to 5.
    pub multipv: usize,
    /// Where the memory is: a file or a URL; empty for the usual place.
    pub store: String,
    /// Whoever runs the engine adds the games played to the memory.
    pub learn: bool,
    /// A weight file for the evaluation; empty for the weights shipped.
    pub weights: String,
    /// A file with the evaluation network of hathi; empty for the one shipped.
    pub network: String,
    /// How fairy and tweaked look ahead.
    pub search: SearchStyle,
    /// What is changed about the margins of hathi's search, for tuning.
    pub margins: MarginChanges,
    /// What the order of steps in a search comes from.
    pub ordering: StepOrder,
    /// What hathi's search makes of the memory.
    pub recall: RecallUse,
    /// How the evaluation goes by the phase of the game, for `tweaked`.
    pub phase: PhaseUse,
    /// Where `tweaked` asks for the phase; if left open, as suits `phase`.
    pub phase_at: Option<PhaseAt>,
    /// What `tweaked` does with lines that lead back toward the opening.
    pub phase_pruning: PhasePruning,
    /// A file of shares by phase for `tweaked`; empty for those shipped.
    pub tweaks: String,
    /// Graphs of rat: a `.dpg` file or a folder of them, `off` for none, empty
    /// for those shipped.
    pub dpg: String,
    /// Rat follows plans; without them every turn is a candidate.
    pub plans: bool,
    /// Candidates that rat keeps for each plan.
    pub keep: usize,
    /// How mimic-2014 reads the thesis.
    pub readings: Readings,
    /// What mix is mixed from.
    pub mixture: Box<Mixture>,
    /// Plans that may share a turn of rat's.
    pub shared: usize,
    /// Rat plays turns of its move categories only.
    pub strict: bool,
    /// What values the leaves of uct.
    pub playouts: Playouts,
    /// Depth in steps of the search that values a leaf of uct.
    pub leaf: u32,
    /// How much priors count in uct, in thousandths.
    pub explore: u32,
    /// How much the best answer counts in uct against the mean of all, in hundredths.
    pub minimax: u32,
}

impl Default for EngineOptions {
    fn default() -> EngineOptions {
        EngineOptions {
            depth: 0,
            nodes: 0,
            hash: 64,
            threads: 1,
            multipv: 1,
            store: String::new(),
            learn: false,
            weights: String::new(),
            network: String::new(),
            search: SearchStyle::default(),
            margins: MarginChanges::default(),
            ordering: StepOrder::default(),
            recall: RecallUse::default(),
            phase: PhaseUse::default(),
            phase_at: None,
            phase_pruning: PhasePruning::default(),
            tweaks: String::new(),
            dpg: String::new(),
            plans: true,
            keep: 3,
            shared: 2,
            strict: false,
            playouts: Playouts::default(),
            leaf: 0,
            explore: 150,
            minimax: 50,
            readings: Readings::default(),
            mixture: Box::default(),
        }
    }
}

impl EngineOptions {
    /// Sets an option from text.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        let option = EngineOption::by_name(name)
            .ok_or_else(|| OptionError::Unknown(shortened(name, error::LONGEST_NAME)))?;
        option
            .read(self, value.trim())
            .ok_or_else(|| OptionError::BadValue {
                name: option.name,
                value: shortened(value, error::LONGEST),
                expected: option.expected,
            })
    }

    /// The options that are not as they come, with their values.
    pub fn changed(&self) -> impl Iterator<Item = (&'static EngineOption, String)> {
        let usual = EngineOptions::default();
        OPTIONS.iter().filter_map(move |option| {
            let value = option.show(self);
            (value != option.show(&usual)).then_some((option, value))
        })
    }
}

//! Engines by name, with their options: `fairy`, `fairy:depth=8,hash=64`.

use std::fmt;
use std::str::FromStr;

use crate::MarginChanges;

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
    /// Where the memory is: a file or a URL; empty for the usual place.
    pub store: String,
    /// Whoever runs the engine adds the games played to the memory.
    pub learn: bool,
    /// A weight file for the evaluation; empty for the weights shipped.
    pub weights: String,
    /// A file with the evaluation network of hathi; empty for the one shipped.
    pub network: String,
    /// What is changed about the margins of hathi's search, for tuning.
    pub margins: MarginChanges,
    /// What the order of steps in a search comes from.
    pub ordering: StepOrder,
    /// How the evaluation goes by the phase of the game, for `tweaked`.
    pub phase: PhaseUse,
    /// Where `tweaked` asks for the phase; if left open, as suits `phase`.
    pub phase_at: Option<PhaseAt>,
    /// A file of shares by phase for `tweaked`; empty for those shipped.
    pub tweaks: String,
    /// Graphs of rat: a `.dpg` file or a folder of them, `off` for none, empty
    /// for those shipped.
    pub dpg: String,
    /// Rat follows plans; without them every turn is a candidate.
    pub plans: bool,
    /// Candidates that rat keeps for each plan.
    pub keep: usize,
}

/// How an evaluation goes by the phase of the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PhaseUse {
    /// Weights blend by the chances of the phases: no border, no cliff.
    #[default]
    Smooth,
    /// Hard phases; a goal threat belongs to the end game.
    GoalThreats,
    /// Hard phases without a look for goal threats.
    NoGoalThreats,
}

impl PhaseUse {
    /// All of them.
    pub const ALL: [PhaseUse; 3] = [
        PhaseUse::Smooth,
        PhaseUse::GoalThreats,
        PhaseUse::NoGoalThreats,
    ];

    /// Where the phase is asked for if nobody says otherwise: as the paper
    /// does it with its hard phases, at the root with ours.
    pub const fn usually_at(self) -> PhaseAt {
        match self {
            PhaseUse::Smooth => PhaseAt::Root,
            PhaseUse::GoalThreats | PhaseUse::NoGoalThreats => PhaseAt::Leaf,
        }
    }

    /// "smooth", "gt" or "ngt".
    pub const fn name(self) -> &'static str {
        match self {
            PhaseUse::Smooth => "smooth",
            PhaseUse::GoalThreats => "gt",
            PhaseUse::NoGoalThreats => "ngt",
        }
    }
}

/// Where an evaluation by the phase of the game asks for the phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PhaseAt {
    /// On every board that it values, as the paper does.
    Leaf,
    /// Once, on the board that the search starts from: all boards of a search
    /// are valued by the same measure.
    Root,
}

impl PhaseAt {
    /// Both of them.
    pub const ALL: [PhaseAt; 2] = [PhaseAt::Leaf, PhaseAt::Root];

    /// "leaf" or "root".
    pub const fn name(self) -> &'static str {
        match self {
            PhaseAt::Leaf => "leaf",
            PhaseAt::Root => "root",
        }
    }
}

/// What the order of steps in a search comes from, beside what the search
/// itself finds out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StepOrder {
    /// Nothing else.
    None,
    /// A model of the steps strong players take.
    #[default]
    Learned,
}

impl StepOrder {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            StepOrder::None => "none",
            StepOrder::Learned => "learned",
        }
    }
}

impl FromStr for StepOrder {
    type Err = OptionError;

    fn from_str(text: &str) -> Result<StepOrder, OptionError> {
        match text {
            "none" => Ok(StepOrder::None),
            "learned" => Ok(StepOrder::Learned),
            _ => Err(OptionError::BadValue {
                name: "ordering",
                value: text.to_owned(),
                expected: "none or learned",
            }),
        }
    }
}

impl Default for EngineOptions {
    fn default() -> EngineOptions {
        EngineOptions {
            depth: 0,
            nodes: 0,
            hash: 64,
            threads: 1,
            store: String::new(),
            learn: false,
            weights: String::new(),
            network: String::new(),
            margins: MarginChanges::default(),
            ordering: StepOrder::default(),
            phase: PhaseUse::default(),
            phase_at: None,
            tweaks: String::new(),
            dpg: String::new(),
            plans: true,
            keep: 3,
        }
    }
}

/// An option as shown to users.
#[derive(Clone, Copy, Debug)]
pub struct OptionInfo {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub about: &'static str,
}

/// All options.
pub const OPTIONS: [OptionInfo; 16] = [
    OptionInfo {
        name: "depth",
        about: "depth in steps, 0 for as deep as time allows",
    },
    OptionInfo {
        name: "nodes",
        about: "positions to look at, 0 for no limit",
    },
    OptionInfo {
        name: "hash",
        about: "size of the transposition table in megabytes (default 64)",
    },
    OptionInfo {
        name: "threads",
        about: "threads to think with (default 1)",
    },
    OptionInfo {
        name: "store",
        about: "the memory: a file or a URL; the usual store if left out",
    },
    OptionInfo {
        name: "learn",
        about: "add the games played to the memory: true or false (default)",
    },
    OptionInfo {
        name: "weights",
        about: "a weight file for the evaluation of fairy; the weights shipped if left out",
    },
    OptionInfo {
        name: "network",
        about: "a file with an evaluation network for hathi; the one shipped if left out",
    },
    OptionInfo {
        name: "margins",
        about: "margins of hathi's search, for tuning: NAME:NUMBER joined by +, as in futility:120+tempo:13",
    },
    OptionInfo {
        name: "ordering",
        about: "steps of fairy in the order a model has learned from games: learned (default) or none",
    },
    OptionInfo {
        name: "phase",
        about: "how tweaked goes by the game phase: smooth (default), gt or ngt",
    },
    OptionInfo {
        name: "phase-at",
        about: "where tweaked asks for the phase: once where a search starts (root, default for smooth) or on every board it values (leaf, default for gt and ngt)",
    },
    OptionInfo {
        name: "tweaks",
        about: "a file of shares by phase for tweaked; those shipped if left out",
    },
    OptionInfo {
        name: "dpg",
        about: "pattern graphs of rat: a .dpg file or a folder of them, off for none; those shipped if left out",
    },
    OptionInfo {
        name: "plans",
        about: "rat follows plans: on (default) or off, then every turn is a candidate",
    },
    OptionInfo {
        name: "keep",
        about: "candidates rat keeps for each plan (default 3)",
    },
];

/// Why an option cannot be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// There is no such option.
    #[error(
        "there is no option {0:?}; there are depth, nodes, hash, threads, store, learn, weights, network, margins, ordering, phase, phase-at, tweaks, dpg, plans and keep"
    )]
    Unknown(String),
    /// No margins.
    #[error(transparent)]
    Margins(#[from] crate::ParseMarginsError),
    /// The value is of no use.
    #[error("option {name} is {value:?}, expected {expected}")]
    BadValue {
        /// The option.
        name: &'static str,
        /// What was given.
        value: String,
        /// What should have been.
        expected: &'static str,
    },
}

impl EngineOptions {
    /// Sets an option from text.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        match name {
            "depth" => self.depth = number("depth", value, 0..=400, "steps, up to 400")?,
            "nodes" => self.nodes = number("nodes", value, 0..=u64::MAX, "a number")?,
            "hash" => self.hash = number("hash", value, 1..=1 << 20, "megabytes, 1 to 1048576")?,
            "threads" => self.threads = number("threads", value, 1..=1024, "1 to 1024")?,
            "store" => value.clone_into(&mut self.store),
            "weights" => value.clone_into(&mut self.weights),
            "network" => value.clone_into(&mut self.network),
            "margins" => self.margins = value.parse()?,
            "ordering" => self.ordering = value.trim().parse()?,
            "tweaks" => value.clone_into(&mut self.tweaks),
            "phase" => {
                let named = PhaseUse::ALL
                    .into_iter()
                    .find(|of| of.name() == value.trim());
                self.phase = named.ok_or_else(|| OptionError::BadValue {
                    name: "phase",
                    value: value.to_owned(),
                    expected: "smooth, gt or ngt",
                })?;
            }
            "phase-at" => {
                let named = PhaseAt::ALL
                    .into_iter()
                    .find(|at| at.name() == value.trim());
                let at = named.ok_or_else(|| OptionError::BadValue {
                    name: "phase-at",
                    value: value.to_owned(),
                    expected: "leaf or root",
                })?;
                self.phase_at = Some(at);
            }
            "dpg" => value.clone_into(&mut self.dpg),
            "plans" => self.plans = switch("plans", value)?,
            "keep" => self.keep = number("keep", value, 1..=100, "1 to 100")?,
            "learn" => self.learn = number("learn", value, false..=true, "true or false")?,
            _ => return Err(OptionError::Unknown(name.to_owned())),
        }
        Ok(())
    }
}

fn switch(name: &'static str, value: &str) -> Result<bool, OptionError> {
    match value.trim() {
        "on" | "true" => Ok(true),
        "off" | "false" => Ok(false),
        _ => Err(OptionError::BadValue {
            name,
            value: value.to_owned(),
            expected: "on or off",
        }),
    }
}

fn number<T: FromStr + PartialOrd>(
    name: &'static str,
    value: &str,
    range: std::ops::RangeInclusive<T>,
    expected: &'static str,
) -> Result<T, OptionError> {
    let bad = || OptionError::BadValue {
        name,
        value: value.to_owned(),
        expected,
    };
    let number = value.trim().parse().map_err(|_| bad())?;
    if range.contains(&number) {
        Ok(number)
    } else {
        Err(bad())
    }
}

/// An engine and its options, as written on a command line.
///
/// ```
/// use hathi_engine::EngineSpec;
/// let spec: EngineSpec = "fairy:depth=8,hash=32".parse()?;
/// assert_eq!(spec.kind.name(), "fairy");
/// assert_eq!(spec.options.depth, 8);
/// assert_eq!(spec.to_string(), "fairy:depth=8,hash=32");
/// # Ok::<(), hathi_engine::SpecError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSpec {
    /// Which engine.
    pub kind: crate::EngineKind,
    /// How it is set.
    pub options: EngineOptions,
}

/// Why text names no engine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// Nobody of that name.
    #[error("there is no engine {0:?}; there are {list}", list = crate::EngineKind::list())]
    UnknownEngine(String),
    /// An option without a value.
    #[error("{0:?} is not an option: write NAME=VALUE, as in fairy:depth=8,hash=32")]
    NotAnOption(String),
    /// A bad option.
    #[error(transparent)]
    Option(#[from] OptionError),
}

impl FromStr for EngineSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<EngineSpec, SpecError> {
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        let kind = crate::EngineKind::by_name(name.trim())
            .ok_or_else(|| SpecError::UnknownEngine(name.trim().to_owned()))?;
        let mut options = EngineOptions::default();
        for part in rest.split(',').filter(|part| !part.trim().is_empty()) {
            let (name, value) = part
                .split_once('=')
                .ok_or_else(|| SpecError::NotAnOption(part.to_owned()))?;
            options.set(name.trim(), value.trim())?;
        }
        Ok(EngineSpec { kind, options })
    }
}

impl fmt::Display for EngineSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.name())?;
        let usual = EngineOptions::default();
        let options = &self.options;
        let mut mark = ':';
        let mut show = |name: &str, value: String, changed: bool| {
            if changed {
                write!(f, "{mark}{name}={value}")?;
                mark = ',';
            }
            Ok(())
        };
        show(
            "depth",
            options.depth.to_string(),
            options.depth != usual.depth,
        )?;
        show(
            "nodes",
            options.nodes.to_string(),
            options.nodes != usual.nodes,
        )?;
        show("hash", options.hash.to_string(), options.hash != usual.hash)?;
        show(
            "threads",
            options.threads.to_string(),
            options.threads != usual.threads,
        )?;
        show("store", options.store.clone(), options.store != usual.store)?;
        show(
            "learn",
            options.learn.to_string(),
            options.learn != usual.learn,
        )?;
        show(
            "weights",
            options.weights.clone(),
            options.weights != usual.weights,
        )?;
        show(
            "network",
            options.network.clone(),
            options.network != usual.network,
        )?;
        show(
            "margins",
            options.margins.to_string(),
            options.margins != usual.margins,
        )?;
        show(
            "ordering",
            options.ordering.name().to_owned(),
            options.ordering != usual.ordering,
        )?;
        show(
            "phase",
            options.phase.name().to_owned(),
            options.phase != usual.phase,
        )?;
        show(
            "phase-at",
            options.phase_at.map_or("", PhaseAt::name).to_owned(),
            options.phase_at.is_some(),
        )?;
        show(
            "tweaks",
            options.tweaks.clone(),
            options.tweaks != usual.tweaks,
        )?;
        show("dpg", options.dpg.clone(), options.dpg != usual.dpg)?;
        let plans = if options.plans { "on" } else { "off" };
        show("plans", plans.to_owned(), options.plans != usual.plans)?;
        show("keep", options.keep.to_string(), options.keep != usual.keep)
    }
}

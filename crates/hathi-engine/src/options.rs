//! Engines by name, with their options: `fairy`, `fairy:depth=8,hash=64`.

use std::fmt;
use std::str::FromStr;

use self::OptionAccess::{Anybody, Files, Owner};
use crate::MarginChanges;
use crate::mixture::{MixPart, MixShare, Mixture};
use crate::readings::{HitsUsed, Otherwise, Readings, Replay, SetupsFrom, WindowRound};

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

/// What values the leaves of a Monte-Carlo tree search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Playouts {
    /// None: the evaluation does.
    #[default]
    None,
    /// One game of random steps to its end.
    Random,
}

impl Playouts {
    /// Both of them.
    pub const ALL: [Playouts; 2] = [Playouts::None, Playouts::Random];

    /// "none" or "random".
    pub const fn name(self) -> &'static str {
        match self {
            Playouts::None => "none",
            Playouts::Random => "random",
        }
    }
}

/// What a search makes of turns that were played in positions like its root.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RecallUse {
    /// Nothing: it does not ask.
    #[default]
    Never,
    /// They are tried first.
    Order,
    /// Their results count for or against them.
    Evidence,
    /// Both.
    Both,
}

impl RecallUse {
    /// All of them.
    pub const ALL: [RecallUse; 4] = [
        RecallUse::Never,
        RecallUse::Order,
        RecallUse::Evidence,
        RecallUse::Both,
    ];

    /// "off", "order", "evidence" or "both".
    pub const fn name(self) -> &'static str {
        match self {
            RecallUse::Never => "off",
            RecallUse::Order => "order",
            RecallUse::Evidence => "evidence",
            RecallUse::Both => "both",
        }
    }

    /// Are they tried first?
    pub const fn orders(self) -> bool {
        matches!(self, RecallUse::Order | RecallUse::Both)
    }

    /// Do their results count?
    pub const fn weighs(self) -> bool {
        matches!(self, RecallUse::Evidence | RecallUse::Both)
    }
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
    pub(crate) const fn usually_at(self) -> PhaseAt {
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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum StepOrder {
    /// Nothing else.
    None,
    /// The model of the steps strong players take that is shipped.
    #[default]
    Learned,
    /// A model of steps in a file, as `hathi learn train` writes it.
    File(String),
}

impl StepOrder {
    fn read(text: &str) -> StepOrder {
        match text {
            "none" => StepOrder::None,
            "learned" | "" => StepOrder::Learned,
            file => StepOrder::File(file.to_owned()),
        }
    }

    fn text(&self) -> &str {
        match self {
            StepOrder::None => "none",
            StepOrder::Learned => "learned",
            StepOrder::File(file) => file,
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
            multipv: 1,
            store: String::new(),
            learn: false,
            weights: String::new(),
            network: String::new(),
            margins: MarginChanges::default(),
            ordering: StepOrder::default(),
            recall: RecallUse::default(),
            phase: PhaseUse::default(),
            phase_at: None,
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

/// An option of engines: its one place. Reading, writing, messages, help and
/// what a client of the page may set all follow from it.
#[derive(Clone, Copy, Debug)]
pub struct EngineOption {
    /// Its name.
    pub name: &'static str,
    /// What it does, with the value it has if nobody sets it.
    pub about: &'static str,
    /// What values look like, for messages.
    pub expected: &'static str,
    /// Who may set it.
    pub access: OptionAccess,
    /// Takes a value; none if it is of no use.
    read: fn(&mut EngineOptions, &str) -> Option<()>,
    /// The value as text.
    show: fn(&EngineOptions) -> String,
}

/// Who may set an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionAccess {
    /// Anybody, clients of a server too: it costs time and memory at most.
    Anybody,
    /// Only who runs the engine: it changes how the engine thinks, for
    /// experiments.
    Owner,
    /// Only who runs the engine: it names files of this machine.
    Files,
}

/// All options, in the order in which they are written.
pub const OPTIONS: &[EngineOption] = &[
    EngineOption {
        name: "depth",
        about: "depth in steps, 0 for as deep as time allows",
        expected: "steps, up to 400",
        access: Anybody,
        read: |options, text| number(&mut options.depth, text, 0..=400),
        show: |options| options.depth.to_string(),
    },
    EngineOption {
        name: "nodes",
        about: "positions to look at, 0 for no limit",
        expected: "a number",
        access: Anybody,
        read: |options, text| number(&mut options.nodes, text, 0..=u64::MAX),
        show: |options| options.nodes.to_string(),
    },
    EngineOption {
        name: "hash",
        about: "size of the transposition table in megabytes (default 64)",
        expected: "megabytes, 1 to 1048576",
        access: Anybody,
        read: |options, text| number(&mut options.hash, text, 1..=1 << 20),
        show: |options| options.hash.to_string(),
    },
    EngineOption {
        name: "threads",
        about: "threads to think with (default 1)",
        expected: "1 to 1024",
        access: Anybody,
        read: |options, text| number(&mut options.threads, text, 1..=1024),
        show: |options| options.threads.to_string(),
    },
    EngineOption {
        name: "multipv",
        about: "turns to think about and show at the same time, for engines that search (default 1)",
        expected: "1 to 5",
        access: Anybody,
        read: |options, text| number(&mut options.multipv, text, 1..=crate::MOST_LINES),
        show: |options| options.multipv.to_string(),
    },
    EngineOption {
        name: "store",
        about: "the memory: a file or a URL; the usual store if left out",
        expected: "a file or a URL",
        access: Files,
        read: |options, text| file(&mut options.store, text),
        show: |options| shown_store(&options.store),
    },
    EngineOption {
        name: "learn",
        about: "add the games played to the memory: true or false (default)",
        expected: "true or false",
        access: Files,
        read: |options, text| switch(&mut options.learn, text),
        show: |options| options.learn.to_string(),
    },
    EngineOption {
        name: "weights",
        about: "a weight file for the evaluation of fairy; the weights shipped if left out",
        expected: "a file",
        access: Files,
        read: |options, text| file(&mut options.weights, text),
        show: |options| options.weights.clone(),
    },
    EngineOption {
        name: "network",
        about: "a file with an evaluation network for hathi; the one shipped if left out",
        expected: "a file",
        access: Files,
        read: |options, text| file(&mut options.network, text),
        show: |options| options.network.clone(),
    },
    EngineOption {
        name: "margins",
        about: "margins of hathi's search, for tuning: NAME:NUMBER joined by +, as in futility:120+tempo:13",
        expected: "NAME:NUMBER joined by +, with names such as futility, window, tempo, reduction, skip",
        access: Owner,
        read: |options, text| {
            options.margins = text.parse().ok()?;
            Some(())
        },
        show: |options| options.margins.to_string(),
    },
    EngineOption {
        name: "ordering",
        about: "steps in the order a model has learned from games: learned (default), none, or a model file",
        expected: "learned, none or a model file",
        access: Files,
        read: |options, text| {
            options.ordering = StepOrder::read(text);
            Some(())
        },
        show: |options| options.ordering.text().to_owned(),
    },
    EngineOption {
        name: "recall",
        about: "what hathi's search makes of turns that the memory knows from positions like this one: off (default), order to try them first, evidence to count their results, both",
        expected: "off, order, evidence or both",
        access: Owner,
        read: |options, text| {
            options.recall = RecallUse::ALL.into_iter().find(|of| of.name() == text)?;
            Some(())
        },
        show: |options| options.recall.name().to_owned(),
    },
    EngineOption {
        name: "phase",
        about: "how tweaked goes by the game phase: smooth (default), gt or ngt",
        expected: "smooth, gt or ngt",
        access: Owner,
        read: |options, text| {
            options.phase = PhaseUse::ALL.into_iter().find(|of| of.name() == text)?;
            Some(())
        },
        show: |options| options.phase.name().to_owned(),
    },
    EngineOption {
        name: "phase-at",
        about: "where tweaked asks for the phase: once where a search starts (root, default for smooth) or on every board it values (leaf, default for gt and ngt)",
        expected: "leaf or root",
        access: Owner,
        read: |options, text| {
            options.phase_at = Some(PhaseAt::ALL.into_iter().find(|at| at.name() == text)?);
            Some(())
        },
        show: |options| options.phase_at.map_or("", PhaseAt::name).to_owned(),
    },
    EngineOption {
        name: "tweaks",
        about: "a file of shares by phase for tweaked; those shipped if left out",
        expected: "a file",
        access: Files,
        read: |options, text| file(&mut options.tweaks, text),
        show: |options| options.tweaks.clone(),
    },
    EngineOption {
        name: "dpg",
        about: "pattern graphs of rat: a .dpg file or a folder of them, a shipped one by its name, off for none; those shipped if left out",
        expected: "a file, a folder or off",
        access: Files,
        read: |options, text| file(&mut options.dpg, text),
        show: |options| options.dpg.clone(),
    },
    EngineOption {
        name: "plans",
        about: "rat follows plans: on (default) or off, then every turn is a candidate",
        expected: "on or off",
        access: Owner,
        read: |options, text| switch(&mut options.plans, text),
        show: |options| on_or_off(options.plans),
    },
    EngineOption {
        name: "keep",
        about: "candidates rat keeps for each plan (default 3)",
        expected: "1 to 100",
        access: Owner,
        read: |options, text| number(&mut options.keep, text, 1..=100),
        show: |options| options.keep.to_string(),
    },
    EngineOption {
        name: "shared",
        about: "plans that may share a turn of rat's (default 2; 4 for all that are not tried yet)",
        expected: "1 to 4",
        access: Owner,
        read: |options, text| number(&mut options.shared, text, 1..=4),
        show: |options| options.shared.to_string(),
    },
    EngineOption {
        name: "strict",
        about: "rat plays turns of its move categories only, also where all of them lose: on or off (default)",
        expected: "on or off",
        access: Owner,
        read: |options, text| switch(&mut options.strict, text),
        show: |options| on_or_off(options.strict),
    },
    EngineOption {
        name: "playouts",
        about: "what values the leaves of uct: none (default) for the network, random for games played out by chance",
        expected: "none or random",
        access: Owner,
        read: |options, text| {
            options.playouts = Playouts::ALL.into_iter().find(|of| of.name() == text)?;
            Some(())
        },
        show: |options| options.playouts.name().to_owned(),
    },
    EngineOption {
        name: "leaf",
        about: "depth in steps of the search that values a leaf of uct (default 0: captures and goals only)",
        expected: "0 to 12",
        access: Owner,
        read: |options, text| number(&mut options.leaf, text, 0..=12),
        show: |options| options.leaf.to_string(),
    },
    EngineOption {
        name: "explore",
        about: "how much priors count in uct, in thousandths (default 150)",
        expected: "0 to 10000",
        access: Owner,
        read: |options, text| number(&mut options.explore, text, 0..=10_000),
        show: |options| options.explore.to_string(),
    },
    EngineOption {
        name: "minimax",
        about: "how much the best answer counts in uct against the mean of all, in hundredths (default 50)",
        expected: "0 to 100",
        access: Owner,
        read: |options, text| number(&mut options.minimax, text, 0..=100),
        show: |options| options.minimax.to_string(),
    },
    EngineOption {
        name: "replay",
        about: "what mimic-2014 plays again: the same kind of piece from the same square (letter, default) or whatever stands there (square)",
        expected: "letter or square",
        access: Owner,
        read: |options, text| word(&mut options.readings.replay, Replay::by_name(text)),
        show: |options| options.readings.replay.name().to_owned(),
    },
    EngineOption {
        name: "window",
        about: "the last window of mimic-2014 lies round the trap (default) or round the piece to move (piece)",
        expected: "trap or piece",
        access: Owner,
        read: |options, text| word(&mut options.readings.window, WindowRound::by_name(text)),
        show: |options| options.readings.window.name().to_owned(),
    },
    EngineOption {
        name: "hits",
        about: "answers mimic-2014 can play: the top one only (top, default) or the best that is legal",
        expected: "top or legal",
        access: Owner,
        read: |options, text| word(&mut options.readings.hits, HitsUsed::by_name(text)),
        show: |options| options.readings.hits.name().to_owned(),
    },
    EngineOption {
        name: "setups",
        about: "mimic-2014 sets up from its memory (own, default) or by chance (drawn)",
        expected: "own or drawn",
        access: Owner,
        read: |options, text| word(&mut options.readings.setups, SetupsFrom::by_name(text)),
        show: |options| options.readings.setups.name().to_owned(),
    },
    EngineOption {
        name: "otherwise",
        about: "what mimic-2014 plays when nothing is remembered: any turn (random, default) or what fallback finds (search)",
        expected: "random or search",
        access: Owner,
        read: |options, text| word(&mut options.readings.otherwise, Otherwise::by_name(text)),
        show: |options| options.readings.otherwise.name().to_owned(),
    },
    EngineOption {
        name: "p",
        about: "how often the first engine of mix decides, 0 to 1 (default 0.5)",
        expected: "0 to 1",
        access: Owner,
        read: |options, text| word(&mut options.mixture.share, MixShare::read(text)),
        show: |options| options.mixture.share.to_string(),
    },
    EngineOption {
        name: "a",
        about: "the first engine of mix, with its own options as in fallback+depth:4 (default hathi)",
        expected: "an engine other than mix, and NAME:VALUE joined by +, as in fallback+depth:4; files and the memory are options of mix itself",
        access: Owner,
        read: |options, text| word(&mut options.mixture.first, MixPart::read(text)),
        show: |options| options.mixture.first.to_string(),
    },
    EngineOption {
        name: "b",
        about: "the second engine of mix, written likewise (default random)",
        expected: "an engine other than mix, and NAME:VALUE joined by +, as in fallback+depth:4; files and the memory are options of mix itself",
        access: Owner,
        read: |options, text| word(&mut options.mixture.second, MixPart::read(text)),
        show: |options| options.mixture.second.to_string(),
    },
];

impl EngineOption {
    /// Is it about what mix is mixed from?
    pub(crate) fn is_of_mixture(&self) -> bool {
        ["p", "a", "b"].contains(&self.name)
    }

    /// The option of this name.
    pub fn by_name(name: &str) -> Option<&'static EngineOption> {
        OPTIONS.iter().find(|option| option.name == name)
    }

    /// May somebody set it who does not own this machine?
    pub fn is_for_anybody(&self) -> bool {
        self.access == Anybody
    }
}

/// The names of options, for messages: `a, b and c`.
fn names(options: impl IntoIterator<Item = &'static EngineOption>) -> String {
    let names: Vec<&str> = options.into_iter().map(|option| option.name).collect();
    match names.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => "none".to_owned(),
    }
}

/// Why an option cannot be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// There is no such option.
    #[error("there is no option {0:?}; there are {list}", list = names(OPTIONS))]
    Unknown(String),
    /// It is not for everybody.
    #[error(
        "the option {name} cannot be set here; those that can are {list}",
        list = names(OPTIONS.iter().filter(|option| option.is_for_anybody()))
    )]
    NotForAnybody {
        /// The option.
        name: &'static str,
    },
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
        let option = EngineOption::by_name(name)
            .ok_or_else(|| OptionError::Unknown(shortened(name, LONGEST_NAME)))?;
        (option.read)(self, value.trim()).ok_or_else(|| OptionError::BadValue {
            name: option.name,
            value: shortened(value, LONGEST),
            expected: option.expected,
        })
    }

    /// The options that are not as they come, with their values.
    pub fn changed(&self) -> impl Iterator<Item = (&'static EngineOption, String)> {
        let usual = EngineOptions::default();
        OPTIONS.iter().filter_map(move |option| {
            let value = (option.show)(self);
            (value != (option.show)(&usual)).then_some((option, value))
        })
    }
}

/// No more of what was given is quoted in a message.
const LONGEST: usize = 60;

/// The same for the name of an option, beside which all names are listed.
const LONGEST_NAME: usize = 24;

/// Text cut to a length that a message can have.
pub(crate) fn shortened(text: &str, longest: usize) -> String {
    let mut short: String = text.chars().take(longest).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

fn number<T: FromStr + PartialOrd>(
    place: &mut T,
    text: &str,
    range: std::ops::RangeInclusive<T>,
) -> Option<()> {
    *place = text.parse().ok().filter(|value| range.contains(value))?;
    Some(())
}

fn switch(place: &mut bool, text: &str) -> Option<()> {
    *place = match text {
        "on" | "true" => true,
        "off" | "false" => false,
        _ => return None,
    };
    Some(())
}

/// Keeps what was read, if it could be.
fn word<T>(place: &mut T, read: Option<T>) -> Option<()> {
    *place = read?;
    Some(())
}

fn on_or_off(value: bool) -> String {
    if value { "on" } else { "off" }.to_owned()
}

/// Any name: whether there is such a file is seen when the engine is made.
#[allow(clippy::unnecessary_wraps)] // as the other readers of the table
fn file(place: &mut String, text: &str) -> Option<()> {
    text.clone_into(place);
    Some(())
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

impl EngineSpec {
    /// Reads an engine as somebody may ask for it who does not own this
    /// machine: options that name files or are for experiments are refused.
    ///
    /// ```
    /// use hathi_engine::EngineSpec;
    /// assert!(EngineSpec::for_anybody("fairy:depth=8").is_ok());
    /// let error = EngineSpec::for_anybody("fairy:store=/tmp/x").unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "the option store cannot be set here; those that can are depth, nodes, hash, threads and multipv",
    /// );
    /// ```
    pub fn for_anybody(text: &str) -> Result<EngineSpec, SpecError> {
        EngineSpec::read(text, EngineOption::is_for_anybody)
    }

    fn read(text: &str, allowed: impl Fn(&EngineOption) -> bool) -> Result<EngineSpec, SpecError> {
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        let kind = crate::EngineKind::by_name(name.trim())
            .ok_or_else(|| SpecError::UnknownEngine(shortened(name.trim(), LONGEST)))?;
        let mut options = EngineOptions::default();
        for part in rest.split(',').filter(|part| !part.trim().is_empty()) {
            let (name, value) = part
                .split_once('=')
                .ok_or_else(|| SpecError::NotAnOption(shortened(part, LONGEST)))?;
            let name = name.trim();
            if let Some(option) = EngineOption::by_name(name)
                && !allowed(option)
            {
                return Err(OptionError::NotForAnybody { name: option.name }.into());
            }
            options.set(name, value)?;
        }
        Ok(EngineSpec { kind, options })
    }
}

impl FromStr for EngineSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<EngineSpec, SpecError> {
        EngineSpec::read(text, |_| true)
    }
}

impl fmt::Display for EngineSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.name())?;
        let mut mark = ':';
        for (option, value) in self.options.changed() {
            write!(f, "{mark}{}={value}", option.name)?;
            mark = ',';
        }
        Ok(())
    }
}

/// A memory as messages name it: without the password of a server.
#[cfg(feature = "memory")]
fn shown_store(store: &str) -> String {
    match hathi_store::Place::new(store.as_ref()) {
        Ok(place) if !store.is_empty() => place.to_string(),
        _ => store.to_owned(),
    }
}

#[cfg(not(feature = "memory"))]
fn shown_store(store: &str) -> String {
    store.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A value for every option that differs from what it comes with.
    const OTHERS: &[(&str, &str)] = &[
        ("depth", "7"),
        ("nodes", "1000"),
        ("hash", "8"),
        ("threads", "2"),
        ("multipv", "3"),
        ("store", "games.db"),
        ("learn", "true"),
        ("weights", "w.txt"),
        ("network", "n.net"),
        ("margins", "futility:120+tempo:13"),
        ("ordering", "none"),
        ("recall", "order"),
        ("phase", "gt"),
        ("phase-at", "leaf"),
        ("tweaks", "t.txt"),
        ("dpg", "off"),
        ("plans", "off"),
        ("keep", "5"),
        ("shared", "4"),
        ("strict", "on"),
        ("playouts", "random"),
        ("leaf", "4"),
        ("explore", "300"),
        ("minimax", "0"),
        ("replay", "square"),
        ("window", "piece"),
        ("hits", "legal"),
        ("setups", "drawn"),
        ("otherwise", "search"),
        ("p", "0.57"),
        ("a", "fallback+depth:4"),
        ("b", "step"),
    ];

    #[test]
    fn every_option_is_read_and_written_back() {
        let names = |list: &[&'static str]| list.join(" ");
        let known: Vec<_> = OPTIONS.iter().map(|option| option.name).collect();
        let tried: Vec<_> = OTHERS.iter().map(|(name, _)| *name).collect();
        assert_eq!(names(&tried), names(&known));
        for (name, value) in OTHERS {
            let text = format!("fairy:{name}={value}");
            let spec: EngineSpec = text.parse().expect(&text);
            assert_ne!(spec, EngineSpec::of(crate::EngineKind::Fairy), "{text}");
            assert_eq!(spec.to_string(), text);
            assert_eq!(spec.options.changed().count(), 1, "{text}");
        }
        let all: Vec<_> = OTHERS.iter().map(|(n, v)| format!("{n}={v}")).collect();
        let text = format!("fairy:{}", all.join(","));
        let spec: EngineSpec = text.parse().expect("all of them");
        assert_eq!(spec.to_string(), text);
    }

    #[test]
    fn a_model_file_orders_steps() {
        let mut options = EngineOptions::default();
        options.set("ordering", "my/steps.json").expect("a file");
        let file = StepOrder::File("my/steps.json".to_owned());
        assert_eq!(options.ordering, file);
        options.set("ordering", "learned").expect("ours");
        assert_eq!(options, EngineOptions::default());
    }

    #[test]
    fn bad_values_are_refused_with_what_was_expected() {
        for option in OPTIONS.iter().filter(|option| option.access != Files) {
            let error = EngineOptions::default().set(option.name, "nonsense");
            let text = error.expect_err(option.name).to_string();
            let expected = format!(
                "option {} is \"nonsense\", expected {}",
                option.name, option.expected
            );
            assert_eq!(text, expected);
        }
        let unknown = EngineOptions::default().set("colour", "red");
        let text = unknown.expect_err("no such option").to_string();
        for option in OPTIONS {
            assert!(text.contains(option.name), "{text}");
        }
    }

    #[test]
    fn who_does_not_own_the_machine_sets_few_options() {
        let mut open = Vec::new();
        for (name, value) in OTHERS {
            let text = format!("fairy:{name}={value}");
            match EngineSpec::for_anybody(&text) {
                Ok(spec) => {
                    assert_eq!(Ok(spec), text.parse());
                    open.push(*name);
                }
                Err(error) => {
                    let expected = OptionError::NotForAnybody { name };
                    assert_eq!(error, SpecError::Option(expected));
                }
            }
        }
        assert_eq!(open, ["depth", "nodes", "hash", "threads", "multipv"]);
    }
}

//! The one table of options: reading, writing, messages, help and what a client of
//! the page may set all follow from it.

use std::str::FromStr;

use self::OptionAccess::{Anybody, Files, Owner};
use super::{
    EngineOptions, PhaseAt, PhasePruning, PhaseUse, Playouts, RecallUse, SearchStyle, StepOrder,
};
use crate::mixture::{MixPart, MixShare};
use crate::readings::{HitsUsed, Otherwise, Replay, SetupsFrom, WindowRound};

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
        name: "search",
        about: "how fairy and tweaked look ahead: full (default), or plain as bots of 2013 did: every step equally deep, no search for goals, captures not played out; no-goals, no-quiescence and no-reductions lack one of these, plain-goals is plain with the search for goals",
        expected: "full, plain, no-goals, no-quiescence, no-reductions or plain-goals",
        access: Owner,
        read: |options, text| {
            options.search = SearchStyle::ALL.into_iter().find(|of| of.name() == text)?;
            Some(())
        },
        show: |options| options.search.name().to_owned(),
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
        about: "steps in the order learned from games: learned (default; hathi has a network of steps, fairy a model), none, or a file of `hathi learn steps` or `learn train --unit step`",
        expected: "learned, none or a file with a network or a model of steps",
        access: Files,
        read: |options, text| {
            options.ordering = StepOrder::read(text);
            Some(())
        },
        show: |options| options.ordering.text().to_owned(),
    },
    EngineOption {
        name: "recall",
        about: "what hathi's search makes of turns that the memory knows from positions like this one: off (default), order to try them first, evidence to count their results, both; unless it is off, results of setups in the memory count, too",
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
        name: "phase-pruning",
        about: "what tweaked does with lines that lead back toward the opening: search them as any other (off, default), less deeply (reduce) or no further (cut)",
        expected: "off, reduce or cut",
        access: Owner,
        read: |options, text| {
            options.phase_pruning = PhasePruning::ALL.into_iter().find(|of| of.name() == text)?;
            Some(())
        },
        show: |options| options.phase_pruning.name().to_owned(),
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

    /// Takes a value; none if it is of no use.
    pub(super) fn read(&self, options: &mut EngineOptions, text: &str) -> Option<()> {
        (self.read)(options, text)
    }

    /// The value as text.
    pub(super) fn show(&self, options: &EngineOptions) -> String {
        (self.show)(options)
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

//! Table 5: the setups that are used most.

use std::time::Instant;

use hathi_rules::{Setup, Side};
use hathi_store::{Filter, Memory};
use serde::Serialize;

use super::thesis;

/// Gold's setups in the store.
#[derive(Debug, Serialize)]
pub(super) struct Popular {
    /// Games asked about.
    pub(super) games: u64,
    /// Different setups in them.
    pub(super) kinds: u64,
    /// How long the question took.
    pub(super) seconds: f64,
    /// The ten most used.
    pub(super) top: Vec<Row>,
    /// His ten, where they stand with us; those written in two orders once.
    pub(super) his: Vec<Known>,
}

/// A setup of ours.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    pub(super) games: u64,
    pub(super) share: f64,
    pub(super) setup: String,
}

/// A setup of his.
#[derive(Debug, Serialize)]
pub(super) struct Known {
    pub(super) setup: String,
    /// Of his games, with all orders in which his table has it.
    pub(super) his_games: u64,
    /// Our rank, from 1; none if nobody has used it.
    pub(super) rank: Option<usize>,
    pub(super) games: u64,
    pub(super) share: f64,
}

pub(super) fn measure(memory: &dyn Memory) -> anyhow::Result<Popular> {
    let started = Instant::now();
    let found = memory.setups(Side::Gold, None, false, &Filter::default(), usize::MAX)?;
    let seconds = started.elapsed().as_secs_f64();
    let mut his: Vec<(Setup, u64)> = Vec::new();
    for row in &thesis::SETUPS {
        let setup: Setup = row.setup.parse()?;
        match his.iter_mut().find(|(known, _)| *known == setup) {
            Some((_, games)) => *games += row.games,
            None => his.push((setup, row.games)),
        }
    }
    let known = his.into_iter().map(|(setup, his_games)| {
        let place = found.top.iter().position(|stats| stats.setup == setup);
        let stats = place.and_then(|place| found.top.get(place));
        Known {
            setup: setup.to_string(),
            his_games,
            rank: place.map(|place| place + 1),
            games: stats.map_or(0, |stats| stats.games),
            share: stats.map_or(0.0, |stats| stats.share),
        }
    });
    Ok(Popular {
        games: found.games,
        kinds: found.kinds,
        seconds,
        his: known.collect(),
        top: found
            .top
            .iter()
            .take(10)
            .map(|stats| Row {
                games: stats.games,
                share: stats.share,
                setup: stats.setup.to_string(),
            })
            .collect(),
    })
}

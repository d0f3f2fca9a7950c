//! The drawings of the report.

use hathi_view::numbers::ratio;
use hathi_view::plot::{Axis, Line, Plot};

use super::super::bins::{BINS, NAMES};
use super::super::summary::Summary;
use super::super::thesis;
use super::tables::LEVEL_NAMES;
use crate::eighths::positions_axis;
use crate::mckee::waited;
use crate::rate;

const HIS: &str = "McKee 2014";

/// His win rate in per cent.
fn his_rate() -> f64 {
    100.0 * ratio(thesis::WON, thesis::PLAYED)
}

/// Figures 8 to 11: a level's hit rate by move number.
pub(super) fn hit_rates(summary: &Summary, level: usize) -> Plot {
    let at = |row: usize| row as f64;
    let his = thesis::HITS.iter().enumerate();
    let mut lines = vec![Line {
        name: HIS.to_owned(),
        colour: 1,
        dashed: true,
        points: his
            .map(|(row, hits)| (at(row), hits.levels[level]))
            .collect(),
        ..Line::default()
    }];
    for (i, played) in summary.matches.iter().enumerate() {
        let rows = played.bins.rows.iter().enumerate();
        lines.push(Line {
            name: format!("Hathi, {}", played.player),
            colour: 2 * i,
            points: rows
                .filter(|(_, bin)| bin.moves > 0)
                .map(|(row, bin)| (at(row), 100.0 * bin.rates().0[level]))
                .collect(),
            ..Line::default()
        });
    }
    let most = lines.iter().flat_map(|line| &line.points);
    let most = most.map(|&(_, y)| y).fold(0.0, f64::max);
    let high = (most / 10.0).ceil().max(1.0) * 10.0;
    Plot {
        title: format!("Figure {}: {}, hits", 8 + level, LEVEL_NAMES[level]),
        x: Axis {
            label: "move number".to_owned(),
            low: 0.0,
            high: at(BINS - 1),
            logarithmic: false,
            ticks: NAMES
                .iter()
                .enumerate()
                .map(|(row, name)| (at(row), (*name).to_owned()))
                .collect(),
        },
        y: Axis::percent("", high.min(100.0)),
        lines,
    }
}

/// Figure 12: the share of games won, game by game.
pub(super) fn wins(summary: &Summary) -> Plot {
    let most = summary.matches.iter().map(|m| m.won.len()).max();
    let most = most.unwrap_or(0).max(2) as f64;
    let mut lines = vec![Line {
        name: "McKee 2014: 65 %".to_owned(),
        colour: 1,
        dashed: true,
        smooth: true,
        points: vec![(1.0, his_rate()), (most, his_rate())],
        ..Line::default()
    }];
    for (i, played) in summary.matches.iter().enumerate() {
        let name = format!("Hathi, {}", played.player);
        lines.push(rate::so_far(name, 2 * i, &played.won));
    }
    Plot {
        title: "Figure 12: games won against the fallback".to_owned(),
        x: Axis::count("games", most),
        y: Axis::percent("", 100.0),
        lines,
    }
}

/// Win rate by number of positions: memories drawn by chance and that of all
/// games, and those of strong players.
pub(super) fn memories(summary: &Summary) -> Plot {
    let mut lines = vec![Line {
        name: HIS.to_owned(),
        colour: 1,
        dashed: true,
        points: vec![(waited::POSITIONS[7] as f64, his_rate())],
        ..Line::default()
    }];
    for (i, played) in summary.matches.iter().enumerate() {
        let own = |by_chance: bool| {
            let own = summary.memories.iter().filter(move |memory| {
                memory.result.player == played.player
                    && memory.result.games > 0
                    && memory.by_chance == by_chance
            });
            own.map(|memory| (memory.contents.positions, memory.result.rate))
        };
        let all = (summary.experiment.store_positions, played.rate);
        let by_chance = own(true).chain([all].into_iter().filter(|_| played.games > 0));
        let mut sorts = vec![("by chance", 2 * i, by_chance.collect::<Vec<_>>())];
        sorts.push(("strong", 2 * i + 3, own(false).collect()));
        for (name, colour, mut rates) in sorts {
            rates.sort_by_key(|&(positions, _)| positions);
            let per_cent = |positions: u64, share: f64| (positions as f64, 100.0 * share);
            let rates = rates.iter();
            let line = Line {
                name: format!("{}, {name}", played.player),
                colour,
                points: rates.clone().map(|(x, r)| per_cent(*x, r.value)).collect(),
                band: rates
                    .map(|&(x, r)| (x as f64, 100.0 * r.low, 100.0 * r.high))
                    .collect(),
                ..Line::default()
            };
            if !line.points.is_empty() {
                lines.push(line);
            }
        }
    }
    let sizes = summary.memories.iter().map(|m| m.contents.positions);
    let sizes = sizes.chain([summary.experiment.store_positions]);
    Plot {
        title: "Games won by size of the memory".to_owned(),
        x: positions_axis(sizes),
        y: Axis::percent("", 100.0),
        lines,
    }
}

//! Questions to a memory of a certain size, as in McKee's tables 6 and 8 to
//! 11; `hathi bench store` and `hathi paper` ask them of eighths of all games.

use std::time::Instant;

use hathi_rules::{Setup, Side};
use hathi_store::{Filter, Matching, Memory};
use hathi_view::plot::{Axis, Line, Plot};
use serde::{Deserialize, Serialize};

use crate::mckee::waited;
use crate::questions;

/// One row of the tables.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Eighth {
    pub(crate) games: u64,
    pub(crate) positions: u64,
    /// Medians, in the order of [`waited::TABLES`].
    pub(crate) seconds: [f64; 5],
}

/// Games with one setup of Gold's are many; replies are asked so many times.
const REPEATS: usize = 9;

impl Eighth {
    /// Asks a memory as it is now.
    pub(crate) fn measure(memory: &dyn Memory, matching: Matching) -> anyhow::Result<Eighth> {
        let totals = memory.totals()?;
        let positions = questions::sample(memory)?;
        let mut seconds = [replies(memory)?, 0.0, 0.0, 0.0, 0.0];
        for (kind, seconds) in questions::KINDS.iter().zip(&mut seconds[1..]) {
            // Once to bring it into memory, once to measure.
            let ask = || questions::times(memory, &positions, kind, matching);
            ask()?;
            *seconds = questions::median(&ask()?);
        }
        Ok(Eighth {
            games: totals.games,
            positions: totals.positions,
            seconds,
        })
    }
}

/// Silver's setups after Gold's commonest.
fn replies(memory: &dyn Memory) -> anyhow::Result<f64> {
    let all = Filter::default();
    let gold = memory.setups(Side::Gold, None, false, &all, 1)?;
    let gold: Option<Setup> = gold.top.first().map(|stats| stats.setup);
    let mut times = Vec::new();
    for _ in 0..REPEATS {
        let started = Instant::now();
        memory.setups(Side::Silver, gold.as_ref(), false, &all, 10)?;
        times.push(started.elapsed().as_secs_f64());
    }
    Ok(questions::median(&times))
}

/// Ours and McKee's on one scale, a microsecond to a hundred seconds. Both
/// axes are logarithmic, so that a small archive of ours can be seen beside
/// his. What took him less than a second is not drawn.
pub(crate) fn plot(eighths: &[Eighth]) -> Plot {
    let (mut lines, mut his_lines) = (Vec::new(), Vec::new());
    for (colour, table) in waited::TABLES.iter().enumerate() {
        let ours = eighths.iter();
        lines.push(Line {
            name: format!("Hathi, {}", table.name),
            colour,
            points: ours
                .map(|eighth| (eighth.positions as f64, eighth.seconds[colour]))
                .collect(),
            ..Line::default()
        });
        let his = waited::POSITIONS.iter().zip(table.seconds);
        his_lines.push(Line {
            name: format!("McKee, {}", table.name),
            colour,
            dashed: true,
            points: his
                .filter_map(|(&positions, seconds)| Some((positions as f64, seconds?)))
                .collect(),
            ..Line::default()
        });
    }
    lines.extend(his_lines);
    let sizes = eighths.iter().map(|eighth| eighth.positions);
    let names = [
        "1 µs", "10 µs", "100 µs", "1 ms", "10 ms", "100 ms", "1 s", "10 s", "100 s",
    ];
    Plot {
        title: "Time to answer by number of positions: Hathi, and McKee 2014 from 1 s on"
            .to_owned(),
        x: positions_axis(sizes),
        y: Axis {
            label: String::new(),
            low: 1e-6,
            high: 1e2,
            logarithmic: true,
            ticks: (-6..)
                .zip(names)
                .map(|(power, name)| (10f64.powi(power), name.to_owned()))
                .collect(),
        },
        lines,
    }
}

/// Numbers of positions by powers of ten: ours, and his on any account.
pub(crate) fn positions_axis(ours: impl Iterator<Item = u64>) -> Axis {
    let sizes = ours.filter(|&size| size > 0).chain([waited::POSITIONS[7]]);
    let (fewest, most) = sizes.fold((u64::MAX, 1), |(fewest, most), size| {
        (fewest.min(size), most.max(size))
    });
    let names = [
        "1",
        "10",
        "100",
        "1,000",
        "10,000",
        "100,000",
        "1 million",
        "10 million",
        "100 million",
        "1 billion",
    ];
    let (first, last) = (fewest.ilog10(), most.ilog10());
    let ticks = (0..).zip(names);
    Axis {
        label: "positions".to_owned(),
        low: 10f64.powi(first.cast_signed()),
        // Some room on the right.
        high: most as f64 * 1.5,
        logarithmic: true,
        ticks: ticks
            .filter(|(power, _)| (first..=last).contains(power))
            .map(|(power, name)| (10f64.powi(power.cast_signed()), name.to_owned()))
            .collect(),
    }
}

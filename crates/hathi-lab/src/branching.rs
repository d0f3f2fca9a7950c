//! How many turns are possible, by move of the game.

use hathi_rules::{Replay, RuleSet, TurnGenerator};
use hathi_view::plot::{Axis, Line, Plot};
use serde::{Deserialize, Serialize};

use crate::bench::Corpus;
use crate::questions::quantile;
use crate::watcher::Watcher;

/// Moves with fewer games than this are not drawn: a few games say little.
const LEAST_GAMES: usize = 5;

/// What the turns of games had to choose from.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Branching {
    /// Games counted.
    pub(crate) games: usize,
    /// Positions counted.
    pub(crate) positions: usize,
    /// The mean over all positions.
    pub(crate) mean: f64,
    /// Half of the standard error's 95 % interval of that mean, by game.
    pub(crate) error: f64,
    /// The most found anywhere.
    pub(crate) most: usize,
    /// By move number.
    pub(crate) moves: Vec<MoveNumber>,
}

/// One move number.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct MoveNumber {
    pub(crate) number: u32,
    pub(crate) positions: usize,
    pub(crate) low: f64,
    pub(crate) median: f64,
    pub(crate) high: f64,
}

/// Counts the turns possible before every turn of so many games, spread over all.
/// None if it was stopped.
pub(crate) fn count(corpus: &Corpus, wanted: usize, watcher: &dyn Watcher) -> Option<Branching> {
    let all = corpus.games.len();
    let wanted = wanted.min(all);
    let bar = watcher.count("games counted", wanted as u64);
    let mut generator = TurnGenerator::new();
    let mut replay = Replay::new(RuleSet::Modern);
    let mut by_move: Vec<Vec<f64>> = Vec::new();
    let mut means: Vec<(f64, f64)> = Vec::new();
    let (mut positions, mut most) = (0, 0);
    for number in 0..wanted {
        if watcher.asked_to_stop() {
            return None;
        }
        let (moves, rules) = &corpus.games[number * all / wanted];
        // A game that breaks the rules is as good as any up to there.
        let _ = replay.read(moves, *rules);
        let game = &replay.game;
        let mut counts = Vec::new();
        for (ply, position) in game.positions().iter().enumerate().take(game.turns().len()) {
            let count = generator.count(position);
            positions += 1;
            most = most.max(count);
            let place = ply / 2;
            if by_move.len() <= place {
                by_move.resize(place + 1, Vec::new());
            }
            by_move[place].push(count as f64);
            counts.push(count as f64);
        }
        if !counts.is_empty() {
            means.push((counts.iter().sum::<f64>(), counts.len() as f64));
        }
        bar(number as u64 + 1);
    }
    let all = f64::max(1.0, positions as f64);
    let mean = means.iter().map(|(sum, _)| sum).sum::<f64>() / all;
    // Positions of one game are alike, so games are what is counted.
    let squares: f64 = means
        .iter()
        .map(|(sum, count)| (sum - mean * count).powi(2))
        .sum();
    Some(Branching {
        games: means.len(),
        positions,
        mean,
        error: 1.96 * squares.sqrt() / all,
        most,
        moves: (2..)
            .zip(&by_move)
            .map(|(number, counts)| MoveNumber {
                number,
                positions: counts.len(),
                low: quantile(counts, 0.1),
                median: quantile(counts, 0.5),
                high: quantile(counts, 0.9),
            })
            .collect(),
    })
}

impl Branching {
    /// The move after the setups.
    pub(crate) fn first(&self) -> Option<&MoveNumber> {
        self.moves.first()
    }

    /// By move number, eight tenths of the games in the band.
    pub(crate) fn plot(&self, title: &str) -> Plot {
        let few = LEAST_GAMES.min(self.games);
        let shown = || self.moves.iter().filter(|of| of.positions >= few);
        let points = shown().map(|of| (f64::from(of.number), of.median));
        let band = shown().map(|of| (f64::from(of.number), of.low, of.high));
        let line = Line {
            name: "median, and 80 % of games".to_owned(),
            smooth: true,
            points: points.collect(),
            band: band.collect(),
            ..Line::default()
        };
        let last = line.points.last().map_or(2.0, |(number, _)| *number);
        let most = shown().map(|of| of.high).fold(1.0, f64::max);
        Plot {
            title: title.to_owned(),
            x: Axis::count("move", last),
            y: Axis {
                low: 0.0,
                ..Axis::count("turns", most)
            },
            lines: vec![line],
        }
    }
}

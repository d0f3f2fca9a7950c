//! How many turns are possible, by move of the game.

use std::path::Path;

use hathi_rules::{Replay, RuleSet, TurnGenerator};
use hathi_view::plot::{Axis, Line, Plot};
use serde::{Deserialize, Serialize};

use crate::bench::Corpus;
use crate::folder;
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
    #[serde(default)]
    pub(crate) mean: f64,
    /// Half of the 95 % interval of that mean, by game.
    #[serde(default)]
    pub(crate) error: f64,
    /// The share of positions with 5,000 to 40,000 turns, which is said of middle games.
    #[serde(default)]
    pub(crate) middle_game: f64,
}

/// What is said of middle games.
const MIDDLE_GAME: std::ops::RangeInclusive<f64> = 5_000.0..=40_000.0;

/// Counts the turns possible before every turn of so many games, spread over all.
/// None if it was stopped.
pub(crate) fn count(corpus: &Corpus, wanted: usize, watcher: &dyn Watcher) -> Option<Branching> {
    let all = corpus.games.len();
    let wanted = wanted.min(all);
    let bar = watcher.count("games counted", wanted as u64);
    let mut counter = Counter::new();
    let mut games = Vec::new();
    for number in 0..wanted {
        if watcher.asked_to_stop() {
            return None;
        }
        let (moves, rules) = &corpus.games[number * all / wanted];
        games.push(counter.count(moves, *rules));
        bar(number as u64 + 1);
    }
    Some(Branching::of(&games))
}

/// Counts the same for all of these games, a line a game in the file, and goes on from
/// what the file has. None if it was stopped.
pub(crate) fn count_on(
    lists: &[(Vec<u8>, RuleSet)],
    file: &Path,
    watcher: &dyn Watcher,
) -> anyhow::Result<Option<Branching>> {
    let mut games: Vec<Vec<usize>> = folder::read_lines(file)?;
    games.truncate(lists.len());
    let bar = watcher.count("games counted", lists.len() as u64);
    let mut counter = Counter::new();
    for (moves, rules) in &lists[games.len()..] {
        if watcher.asked_to_stop() {
            return Ok(None);
        }
        let counts = counter.count(moves, *rules);
        folder::append(file, &counts)?;
        games.push(counts);
        bar(games.len() as u64);
    }
    Ok(Some(Branching::of(&games)))
}

/// Counts turns, with what it needs for that.
struct Counter {
    generator: TurnGenerator,
    replay: Replay,
}

impl Counter {
    fn new() -> Counter {
        Counter {
            generator: TurnGenerator::new(),
            replay: Replay::new(RuleSet::Modern),
        }
    }

    /// Before every turn of a game.
    fn count(&mut self, moves: &[u8], rules: RuleSet) -> Vec<usize> {
        // A game that breaks the rules is as good as any up to there.
        let _ = self.replay.read(moves, rules);
        let game = &self.replay.game;
        let positions = game.positions().iter().take(game.turns().len());
        positions
            .map(|position| self.generator.count(position))
            .collect()
    }
}

/// A mean over the values of all games, and half of its 95 % interval. Positions of one
/// game are alike, so games are what is counted.
fn mean_by_game<'a>(games: impl Iterator<Item = &'a [usize]> + Clone) -> (f64, f64) {
    let sums = games.map(|values| (values.iter().sum::<usize>() as f64, values.len() as f64));
    let all = sums.clone().map(|(_, count)| count).sum::<f64>().max(1.0);
    let mean = sums.clone().map(|(sum, _)| sum).sum::<f64>() / all;
    let squares: f64 = sums.map(|(sum, count)| (sum - mean * count).powi(2)).sum();
    (mean, 1.96 * squares.sqrt() / all)
}

impl Branching {
    /// From the counts of games, turn by turn.
    fn of(games: &[Vec<usize>]) -> Branching {
        let games: Vec<&[usize]> = games.iter().map(Vec::as_slice).collect();
        let games: Vec<&[usize]> = games.into_iter().filter(|game| !game.is_empty()).collect();
        let (mean, error) = mean_by_game(games.iter().copied());
        let longest = games.iter().map(|game| game.len()).max().unwrap_or(0);
        let moves = (0..longest.div_ceil(2)).map(|place| {
            // Gold's turn and Silver's, of games that are so long.
            let of_move = games.iter().filter_map(|game| game.chunks(2).nth(place));
            let (mean, error) = mean_by_game(of_move.clone());
            let counts: Vec<f64> = of_move.flatten().map(|&count| count as f64).collect();
            let within = counts.iter().filter(|count| MIDDLE_GAME.contains(count));
            MoveNumber {
                number: place as u32 + 2,
                positions: counts.len(),
                low: quantile(&counts, 0.1),
                median: quantile(&counts, 0.5),
                high: quantile(&counts, 0.9),
                mean,
                error,
                middle_game: within.count() as f64 / counts.len().max(1) as f64,
            }
        });
        Branching {
            moves: moves.collect(),
            games: games.len(),
            positions: games.iter().map(|game| game.len()).sum(),
            mean,
            error,
            most: games.iter().copied().flatten().copied().max().unwrap_or(0),
        }
    }

    /// Moves with fewer positions than this say little.
    pub(crate) fn least(&self) -> usize {
        LEAST_GAMES.min(self.games)
    }

    /// The share of positions from a move on that have what is said of middle games.
    pub(crate) fn within_from(&self, number: u32) -> f64 {
        let moves = self.moves.iter().filter(|of| of.number >= number);
        let (within, all) = moves.fold((0.0, 0.0), |(within, all), of| {
            let positions = of.positions as f64;
            (within + of.middle_game * positions, all + positions)
        });
        within / f64::max(all, 1.0)
    }

    /// The move after the setups.
    pub(crate) fn first(&self) -> Option<&MoveNumber> {
        self.moves.first()
    }

    /// By move number, eight tenths of the games in the band.
    pub(crate) fn plot(&self, title: &str) -> Plot {
        self.plot_beside(title, &[])
    }

    /// The same beside numbers that others give.
    pub(crate) fn plot_beside(&self, title: &str, theirs: &[(&str, f64)]) -> Plot {
        let few = self.least();
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
        let most = shown().map(|of| of.high);
        let most = most
            .chain(theirs.iter().map(|(_, number)| *number))
            .fold(1.0, f64::max);
        let theirs = (1..).zip(theirs).map(|(colour, (name, number))| Line {
            name: (*name).to_owned(),
            colour,
            dashed: true,
            smooth: true,
            points: vec![(2.0, *number), (last, *number)],
            ..Line::default()
        });
        let mut lines: Vec<Line> = theirs.collect();
        lines.insert(0, line);
        Plot {
            title: title.to_owned(),
            x: Axis::count("move", last),
            y: Axis {
                low: 0.0,
                ..Axis::count("turns", most)
            },
            lines,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_two_turns_and_means_are_of_positions() {
        let games = [vec![10, 20, 6000], vec![30, 40], Vec::new()];
        let branching = Branching::of(&games);
        assert_eq!((branching.games, branching.positions), (2, 5));
        assert_eq!(branching.most, 6000);
        assert!((branching.mean - 1220.0).abs() < 1e-9);
        let [first, second] = &branching.moves[..] else {
            panic!("{branching:?}");
        };
        assert_eq!((first.number, first.positions), (2, 4));
        assert!((first.mean - 25.0).abs() < 1e-9);
        // Sums 30 and 70 where 50 were expected of each.
        assert!((first.error - 1.96 * 800f64.sqrt() / 4.0).abs() < 1e-9);
        assert_eq!((second.number, second.positions), (3, 1));
        assert!((branching.within_from(3) - 1.0).abs() < 1e-9);
        assert!((branching.within_from(2) - 0.2).abs() < 1e-9);
    }
}

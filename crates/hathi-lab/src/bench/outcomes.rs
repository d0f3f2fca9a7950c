//! How well scores predict who wins: those of a table, by another program, and those of engines.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use hathi_engine::EngineSpec;
use hathi_learn::network::{ResultCurve, read_scored_positions};
use hathi_rules::Game;
use hathi_view::columns::{Align, Columns};
use hathi_view::numbers::{grouped, rounded};
use serde::Serialize;

use super::scorer::{Call, Scorer, worth_a_look};
use crate::failure::BadInput;
use crate::watcher::Watcher;

/// How often games are drawn anew for the errors.
const RESAMPLES: usize = 2_000;

/// What the draws follow from.
const SEED: u64 = 1;

/// Half of the 95 % interval of a normal distribution.
const Z95: f64 = 1.96;

/// What the scores of the table go by.
const TABLE: &str = "table";

/// What is to be compared.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// Positions with scores and results.
    pub table: &'a Path,
    /// Who is compared with the table.
    pub engines: &'a [EngineSpec],
    /// Positions each engine looks at for a turn.
    pub nodes: u64,
    /// Every so many-th position of the table is asked about.
    pub every: usize,
}

/// What came out.
#[derive(Debug, Serialize)]
pub struct Results {
    table: String,
    /// Positions of the table.
    positions: usize,
    every: usize,
    /// Of those chosen, without a result, over, or with a goal in this turn.
    left_out: usize,
    /// In which everybody has been asked.
    looked_at: usize,
    /// Of these, which nobody calls decided: what losses are of.
    compared: usize,
    /// The games these come from.
    games: usize,
    /// Positions each engine looks at for a turn.
    nodes: u64,
    /// The table first.
    scorers: Vec<Row>,
    #[serde(skip)]
    complete: bool,
}

/// How a scorer did. None where nothing was compared, and the table has no difference to itself.
#[derive(Debug, Serialize)]
struct Row {
    scorer: String,
    /// Mean of the natural logarithm, smaller is better.
    log_loss: Option<f64>,
    /// Hundredths of a rabbit that make the odds e times as good.
    scale: Option<f64>,
    /// To the log loss of the table.
    difference: Option<f64>,
    /// 95 % of the difference, of games drawn anew; none of a single game.
    error: Option<f64>,
    won: Calls,
    lost: Calls,
    beside_table: Option<BesideTable>,
    /// For a position.
    milliseconds: Option<f64>,
}

/// Positions called won, or lost.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
struct Calls {
    calls: usize,
    /// How many of the games ended so.
    right: usize,
}

/// Positions called decided by an engine and by the table.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
struct BesideTable {
    both: usize,
    /// Of both, won by one and lost by the other.
    opposite: usize,
    only_table: usize,
    only_engine: usize,
}

/// A position of the table that is to be looked at.
struct Place {
    game: Game,
    /// Which game of the table it is from.
    number: u32,
    table: Opinion,
    won: bool,
}

/// What a scorer says of a position.
#[derive(Clone, Copy, Debug)]
struct Opinion {
    /// For the side to move, in hundredths of a rabbit.
    score: i32,
    call: Option<Call>,
}

/// A position in which everybody has been asked.
struct Asked {
    number: u32,
    won: bool,
    /// Of the table, then of the engines.
    opinions: Vec<Opinion>,
}

/// Asks the engines about the positions of a table. When it is stopped, what is known so far counts.
pub fn run(request: &Request<'_>, watcher: &dyn Watcher) -> anyhow::Result<Results> {
    let mut all = 0;
    let places = read(request, &mut all)?;
    let chosen = all.div_ceil(request.every.max(1));
    let mut scorers = request
        .engines
        .iter()
        .map(Scorer::build)
        .collect::<anyhow::Result<Vec<_>>>()?;
    let bar = watcher.count("positions", places.len() as u64);
    let mut asked = Vec::new();
    for place in &places {
        let mut opinions = vec![place.table];
        for (scorer, spec) in scorers.iter_mut().zip(request.engines) {
            let score = scorer.score(&place.game, request.nodes, watcher)?;
            let score = score.ok_or_else(|| {
                BadInput::error(format!(
                    "{spec} says nothing about the worth of a position: name engines that search, such as hathi"
                ))
            })?;
            let call = Call::by_engine(score);
            opinions.push(Opinion { score, call });
        }
        if watcher.asked_to_stop() {
            break;
        }
        asked.push(Asked {
            number: place.number,
            won: place.won,
            opinions,
        });
        bar(asked.len() as u64);
    }
    let names = request.engines.iter().map(ToString::to_string);
    let names: Vec<String> = std::iter::once(TABLE.to_owned()).chain(names).collect();
    let mut rows = compare(&names, &asked);
    for (row, scorer) in rows.iter_mut().skip(1).zip(&scorers) {
        row.milliseconds = Some(scorer.milliseconds());
    }
    let open: Vec<&Asked> = asked.iter().filter(|asked| asked.is_open()).collect();
    Ok(Results {
        table: request.table.display().to_string(),
        positions: all,
        every: request.every.max(1),
        left_out: chosen - places.len(),
        looked_at: asked.len(),
        compared: open.len(),
        games: by_game(&open, |_| 0.0).len(),
        nodes: request.nodes,
        scorers: rows,
        complete: asked.len() == places.len(),
    })
}

/// The positions to look at. Counts all there are.
fn read(request: &Request<'_>, all: &mut usize) -> anyhow::Result<Vec<Place>> {
    let (mut places, mut results) = (Vec::new(), 0);
    read_scored_positions(request.table, |scored| {
        let index = *all;
        *all += 1;
        results += usize::from(scored.won.is_some());
        if index.is_multiple_of(request.every.max(1))
            && let Some(won) = scored.won
            && let Some(game) = worth_a_look(scored.position)
        {
            places.push(Place {
                game,
                number: scored.game,
                table: Opinion {
                    score: scored.score / 10,
                    call: Call::by_table(scored.score),
                },
                won,
            });
        }
    })
    .map_err(|error| BadInput::error(error.to_string()))?;
    let table = request.table.display();
    if *all > 0 && results == 0 {
        return Err(BadInput::error(format!(
            "{table} does not say who won: it needs a column named won, 1 if the side to move won the game and 0 if not"
        )));
    }
    if places.is_empty() {
        return Err(BadInput::error(format!(
            "{table} has no position to look at: those without a result and those with a goal in this turn do not count"
        )));
    }
    Ok(places)
}

impl Asked {
    /// Does nobody call it decided?
    fn is_open(&self) -> bool {
        self.opinions.iter().all(|opinion| opinion.call.is_none())
    }
}

/// How the scorers did. All are compared on the same positions.
fn compare(names: &[String], asked: &[Asked]) -> Vec<Row> {
    let open: Vec<&Asked> = asked.iter().filter(|asked| asked.is_open()).collect();
    let curves: Vec<(ResultCurve, f64)> = (0..names.len())
        .map(|scorer| {
            let scores = open
                .iter()
                .map(|asked| (asked.opinions[scorer].score, asked.won));
            let scores: Vec<(i32, bool)> = scores.collect();
            let curve = ResultCurve::fit(&scores);
            (curve, curve.mean_loss(&scores))
        })
        .collect();
    let loss = |asked: &Asked, scorer: usize| {
        let (curve, _) = curves[scorer];
        curve.loss(asked.opinions[scorer].score, asked.won)
    };
    let some = !open.is_empty();
    let row = |(scorer, name): (usize, &String)| {
        let (curve, mean) = curves[scorer];
        let (won, lost) = count_calls(asked, scorer);
        let mut row = Row {
            scorer: name.clone(),
            log_loss: some.then_some(rounded(mean, 5)),
            scale: some.then_some(rounded(curve.scale(), 1)),
            difference: None,
            error: None,
            won,
            lost,
            beside_table: None,
            milliseconds: None,
        };
        if scorer > 0 {
            // The curves stay as they are: at their best, a little more or less changes nothing.
            let games = by_game(&open, |asked| loss(asked, scorer) - loss(asked, 0));
            row.difference = some.then_some(rounded(mean - curves[0].1, 5));
            row.error = error(&games).map(|error| rounded(error, 5));
            row.beside_table = Some(beside_table(asked, scorer));
        }
        row
    };
    names.iter().enumerate().map(row).collect()
}

/// Positions that a scorer calls won, and lost.
fn count_calls(asked: &[Asked], scorer: usize) -> (Calls, Calls) {
    let (mut won, mut lost) = (Calls::default(), Calls::default());
    for asked in asked {
        let (calls, right) = match asked.opinions[scorer].call {
            Some(Call::Won) => (&mut won, asked.won),
            Some(Call::Lost) => (&mut lost, !asked.won),
            None => continue,
        };
        calls.calls += 1;
        calls.right += usize::from(right);
    }
    (won, lost)
}

/// What a scorer and the table call decided.
fn beside_table(asked: &[Asked], scorer: usize) -> BesideTable {
    let mut beside = BesideTable::default();
    for asked in asked {
        match (asked.opinions[0].call, asked.opinions[scorer].call) {
            (Some(table), Some(engine)) => {
                beside.both += 1;
                beside.opposite += usize::from(table != engine);
            }
            (Some(_), None) => beside.only_table += 1,
            (None, Some(_)) => beside.only_engine += 1,
            (None, None) => {}
        }
    }
    beside
}

/// The sum of something and the number of positions, for each game.
fn by_game(asked: &[&Asked], what: impl Fn(&Asked) -> f64) -> Vec<(f64, f64)> {
    let mut games: BTreeMap<u32, (f64, f64)> = BTreeMap::new();
    for asked in asked {
        let (sum, count) = games.entry(asked.number).or_default();
        *sum += what(asked);
        *count += 1.0;
    }
    games.into_values().collect()
}

/// The error (95 %) of a mean over positions, by bootstrap: positions of one game are much alike, so
/// whole games are drawn. None of a single one, which says nothing about others.
fn error(games: &[(f64, f64)]) -> Option<f64> {
    if games.len() < 2 {
        return None;
    }
    let mut random = fastrand::Rng::with_seed(SEED);
    let means: Vec<f64> = (0..RESAMPLES)
        .map(|_| {
            let (mut sum, mut count) = (0.0, 0.0);
            for _ in games {
                let (sum_of_game, positions) = games[random.usize(..games.len())];
                sum += sum_of_game;
                count += positions;
            }
            sum / count
        })
        .collect();
    let mean = means.iter().sum::<f64>() / RESAMPLES as f64;
    let squares: f64 = means.iter().map(|other| (other - mean).powi(2)).sum();
    Some(Z95 * (squares / (RESAMPLES - 1) as f64).sqrt())
}

impl Results {
    /// Was every position looked at?
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// In words.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let every = match self.every {
            1 => String::new(),
            every => format!(", one in {}", grouped(every)),
        };
        writeln!(
            out,
            "looked at {} of {} positions of {}{every}; {} left out: a goal in this turn, over, or without a result",
            grouped(self.looked_at),
            grouped(self.positions),
            self.table,
            grouped(self.left_out),
        )?;
        writeln!(
            out,
            "log loss of the {} in {} games that nobody calls decided; {} positions a turn\n",
            grouped(self.compared),
            grouped(self.games),
            grouped(self.nodes as usize),
        )?;
        self.write_losses(out)?;
        writeln!(out)?;
        self.write_calls(out)
    }

    fn write_losses(&self, out: &mut impl Write) -> io::Result<()> {
        let mut table = Columns::new(&[
            ("scores of", Align::Left),
            ("log loss", Align::Right),
            ("to the table", Align::Right),
            ("odds e times", Align::Right),
            ("a position", Align::Right),
        ]);
        let text =
            |number: Option<f64>, show: fn(f64) -> String| number.map_or_else(String::new, show);
        for row in &self.scorers {
            let error = text(row.error, |error| format!(" ± {error:.4}"));
            let difference = text(row.difference, |difference| format!("{difference:+.4}"));
            table.row([
                row.scorer.clone(),
                text(row.log_loss, |loss| format!("{loss:.4}")),
                difference + &error,
                text(row.scale, |scale| format!("{scale:.0}")),
                text(row.milliseconds, |time| format!("{time:.1} ms")),
            ]);
        }
        table.write(out)
    }

    fn write_calls(&self, out: &mut impl Write) -> io::Result<()> {
        let mut table = Columns::new(&[
            ("decided by", Align::Left),
            ("won", Align::Right),
            ("right", Align::Right),
            ("lost", Align::Right),
            ("right", Align::Right),
            ("table, too", Align::Right),
            ("opposite", Align::Right),
            ("only table", Align::Right),
            ("table not", Align::Right),
        ]);
        for row in &self.scorers {
            let beside = |count: fn(&BesideTable) -> usize| {
                let count = row.beside_table.as_ref().map(count);
                count.map_or_else(String::new, grouped)
            };
            table.row([
                row.scorer.clone(),
                grouped(row.won.calls),
                grouped(row.won.right),
                grouped(row.lost.calls),
                grouped(row.lost.right),
                beside(|beside| beside.both),
                beside(|beside| beside.opposite),
                beside(|beside| beside.only_table),
                beside(|beside| beside.only_engine),
            ]);
        }
        table.write(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Positions of a hundred games, won as the scale says; the table sees what they are worth, the
    /// first engine the same in units half as large, the second with much noise.
    fn games() -> Vec<Asked> {
        let mut random = fastrand::Rng::with_seed(3);
        (0..4_000)
            .map(|index| {
                let score = random.i32(-1500..1500);
                let chance = 1.0 / (1.0 + (-f64::from(score) / 600.0).exp());
                let noisy = score + random.i32(-1500..1500);
                Asked {
                    number: index / 40,
                    won: random.f64() < chance,
                    opinions: [score, 2 * score, noisy]
                        .map(|score| Opinion { score, call: None })
                        .to_vec(),
                }
            })
            .collect()
    }

    fn names() -> Vec<String> {
        ["table", "doubled", "noisy"].map(str::to_owned).to_vec()
    }

    #[test]
    fn who_knows_more_has_the_smaller_loss() {
        let rows = compare(&names(), &games());
        let [table, doubled, noisy] = &rows[..] else {
            panic!("three rows")
        };
        let scale = |row: &Row| row.scale.expect("a scale");
        assert!((550.0..650.0).contains(&scale(table)), "{rows:?}");
        assert!(
            (scale(doubled) / scale(table) - 2.0).abs() < 0.01,
            "{rows:?}"
        );
        assert_eq!((table.difference, table.error), (None, None));
        assert_eq!((doubled.difference, doubled.error), (Some(0.0), Some(0.0)));
        let (worse, error) = (noisy.difference.expect("one"), noisy.error.expect("one"));
        assert!(worse > error && error > 0.0, "{rows:?}");
    }

    #[test]
    fn games_are_drawn_whole() {
        // Every game says the same again and again: as if there were one position of each.
        let often: Vec<(f64, f64)> = (0..50)
            .map(|game| (f64::from(game % 5) * 40.0, 40.0))
            .collect();
        let once: Vec<(f64, f64)> = often.iter().map(|(sum, _)| (sum / 40.0, 1.0)).collect();
        let (often, once) = (error(&often).expect("one"), error(&once).expect("one"));
        assert!((often - once).abs() < 1e-9);
        // What the normal distribution says of 50 with a variance of 2.
        assert!((once / (Z95 * 0.2) - 1.0).abs() < 0.1, "{once}");
        assert_eq!(error(&[(3.0, 40.0)]), None);
    }

    #[test]
    fn decided_positions_are_counted_and_not_compared() {
        let mut asked = games();
        let plain = compare(&names(), &asked);
        let decided = |won: bool, calls: [Option<Call>; 3]| Asked {
            number: 1_000,
            won,
            opinions: calls
                .map(|call| Opinion {
                    score: 99_999,
                    call,
                })
                .to_vec(),
        };
        let (won, lost) = (Some(Call::Won), Some(Call::Lost));
        asked.push(decided(true, [won, won, None]));
        asked.push(decided(false, [won, lost, None]));
        asked.push(decided(false, [None, lost, None]));
        asked.push(decided(true, [lost, None, None]));
        let rows = compare(&names(), &asked);
        let calls = |calls, right| Calls { calls, right };
        assert_eq!((&rows[0].won, &rows[0].lost), (&calls(2, 1), &calls(1, 0)));
        assert_eq!((&rows[1].won, &rows[1].lost), (&calls(1, 1), &calls(2, 2)));
        let beside = BesideTable {
            both: 2,
            opposite: 1,
            only_table: 1,
            only_engine: 1,
        };
        assert_eq!(rows[1].beside_table, Some(beside));
        assert_eq!(rows[0].beside_table, None);
        for (row, plain) in rows.iter().zip(&plain) {
            assert_eq!(row.log_loss, plain.log_loss);
            assert_eq!(row.error, plain.error);
        }
    }

    #[test]
    fn of_nothing_there_is_no_loss() {
        let rows = compare(&names(), &[]);
        assert!(
            rows.iter()
                .all(|row| row.log_loss.is_none() && row.error.is_none())
        );
    }
}

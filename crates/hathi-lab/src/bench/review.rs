//! Do the marks of a review survive a deeper look?

use std::io::{self, Write};

use hathi_engine::{CHANCE_SCALE, EngineSpec, Judged, Limits, Mark, judge, winning_chance};
use hathi_rules::{Game, Outcome, Side};
use serde::Serialize;

use crate::watcher::Watcher;

/// A played game and who won.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    /// As far as it is legal.
    pub game: Game,
    /// By the record.
    pub outcome: Option<Outcome>,
}

/// What is to be measured.
#[derive(Clone, Debug)]
pub struct Request {
    /// Who judges.
    pub engine: EngineSpec,
    /// Turns to look at, drawn from all games.
    pub turns: usize,
    /// Positions to look at for a turn.
    pub nodes: u64,
    /// How many times as many for the deeper look; 1 for none.
    pub deeper: u64,
    /// Every random choice follows from it.
    pub seed: u64,
}

/// What came out.
#[derive(Debug, Default, Serialize)]
pub struct Results {
    engine: String,
    nodes: u64,
    deeper: u64,
    seed: u64,
    /// Turns looked at.
    turns: usize,
    /// Depth reached: median and least.
    depth_median: u32,
    depth_least: u32,
    /// Turns that reached the depth to be judged by.
    judged: usize,
    /// Marks given.
    marks: usize,
    /// Of those, by the deeper look: the same mark, another mark.
    same: usize,
    other: usize,
    /// Marked by the deeper look alone.
    missed: usize,
    /// Turns that lost the game or a piece outright, in a game that was not decided.
    outright: usize,
    /// Of those, marked.
    outright_marked: usize,
    /// Hundredths of a rabbit that make the odds e times as good, fitted on these games.
    fitted_scale: f64,
    /// Mean surprise at the results (natural logarithm) by the fitted scale and by ours.
    fitted_surprise: f64,
    surprise: f64,
    #[serde(skip)]
    rows: Vec<Row>,
}

#[derive(Clone, Debug, Serialize)]
struct Row {
    label: String,
    turn: String,
    depth: u32,
    loss: f64,
    mark: Option<&'static str>,
    deeper_loss: f64,
    deeper_mark: Option<&'static str>,
    outright: bool,
}

/// Draws turns and judges each of them twice. When it is stopped, what is known
/// so far counts.
pub fn run(
    games: &[PlayedGame],
    request: &Request,
    watcher: &dyn Watcher,
) -> anyhow::Result<Results> {
    let mut random = fastrand::Rng::with_seed(request.seed);
    let mut places: Vec<(usize, usize)> = games
        .iter()
        .enumerate()
        .flat_map(|(number, played)| (0..played.game.turns().len()).map(move |ply| (number, ply)))
        .collect();
    anyhow::ensure!(!places.is_empty(), "there are no turns to look at");
    random.shuffle(&mut places);
    places.truncate(request.turns);
    let mut engine = request.engine.build()?;
    let mut results = Results {
        engine: {
            // Where the memory is does not matter here.
            let mut spec = request.engine.clone();
            spec.options.store.clear();
            spec.to_string()
        },
        nodes: request.nodes,
        deeper: request.deeper,
        seed: request.seed,
        ..Results::default()
    };
    let mut depths = Vec::new();
    let mut outcomes = Vec::new();
    for (number, ply) in places {
        if watcher.asked_to_stop() {
            break;
        }
        let played = &games[number];
        let mut so_far = played.game.clone();
        while so_far.turns().len() > ply && so_far.take_back() {}
        let turn = played.game.turns()[ply];
        let mut look = |nodes| judge(&mut *engine, &so_far, &turn, &Limits::nodes(nodes));
        let first = look(request.nodes)?;
        results.turns += 1;
        depths.push(first.best.depth);
        results.judged += usize::from(first.best.depth >= hathi_engine::LEAST_DEPTH);
        let mover = so_far.side_to_move();
        if let Some(winner) = played.outcome.and_then(|outcome| outcome.winner) {
            outcomes.push((first.best.score, winner == mover));
        }
        if request.deeper > 1 {
            let second = look(request.nodes * request.deeper)?;
            let outright = lost_outright(&played.game, ply, mover, &second);
            results.count(first.mark, second.mark, outright);
            results.rows.push(Row {
                label: so_far.ply_label(),
                turn: turn.to_string(),
                depth: first.best.depth,
                loss: first.loss,
                mark: first.mark.map(Mark::name),
                deeper_loss: second.loss,
                deeper_mark: second.mark.map(Mark::name),
                outright,
            });
        }
    }
    depths.sort_unstable();
    results.depth_least = depths.first().copied().unwrap_or(0);
    results.depth_median = depths.get(depths.len() / 2).copied().unwrap_or(0);
    results.fitted_scale = fit(&outcomes);
    results.fitted_surprise = surprise(&outcomes, results.fitted_scale);
    results.surprise = surprise(&outcomes, CHANCE_SCALE);
    Ok(results)
}

/// Did the turn lose the game, or a piece for nothing, where it need not have
/// and the game was not decided? By the record and the deeper look.
fn lost_outright(game: &Game, ply: usize, mover: Side, deeper: &Judged) -> bool {
    let before = winning_chance(deeper.best.score);
    if !(0.05..=0.95).contains(&before) {
        return false;
    }
    let positions = game.positions();
    let after = &positions[ply + 1];
    if after.can_goal().is_some() {
        return true;
    }
    let pieces = |at: usize, side: Side| {
        let position = positions.get(at)?;
        Some(position.board().side(side).len())
    };
    let lost = pieces(ply + 2, mover) < pieces(ply, mover) && pieces(ply + 2, mover).is_some();
    let enemy = mover.opponent();
    let last = pieces(ply + 3, enemy).or_else(|| pieces(ply + 2, enemy));
    let won_back = last < pieces(ply, enemy);
    lost && !won_back && deeper.best.score - deeper.played.score >= 100
}

impl Results {
    fn count(&mut self, mark: Option<Mark>, deeper: Option<Mark>, outright: bool) {
        match (mark, deeper) {
            (Some(mark), deeper) => {
                self.marks += 1;
                self.same += usize::from(deeper == Some(mark));
                self.other += usize::from(deeper.is_some() && deeper != Some(mark));
            }
            (None, Some(_)) => self.missed += 1,
            (None, None) => {}
        }
        self.outright += usize::from(outright);
        self.outright_marked += usize::from(outright && mark.is_some());
    }

    /// In words.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let Results {
            engine,
            nodes,
            turns,
            depth_median,
            depth_least,
            judged,
            ..
        } = self;
        writeln!(
            out,
            "{engine}, {nodes} positions a turn, {turns} turns (seed {})",
            self.seed
        )?;
        writeln!(
            out,
            "depth {depth_median} (median), {depth_least} (least); {judged} turns deep enough to be judged"
        )?;
        if self.deeper > 1 {
            let Results {
                marks,
                same,
                other,
                missed,
                outright,
                outright_marked,
                ..
            } = self;
            writeln!(
                out,
                "marks: {marks}; at {} times the positions {same} the same, {other} of the other kind, {} gone",
                self.deeper,
                marks - same - other
            )?;
            writeln!(out, "marked only by the deeper look: {missed}")?;
            writeln!(
                out,
                "lost the game or a piece outright: {outright}, of which {outright_marked} marked"
            )?;
        }
        writeln!(
            out,
            "winning chance: fitted scale {:.0} (surprise {:.4}), ours {CHANCE_SCALE:.0} ({:.4})",
            self.fitted_scale, self.fitted_surprise, self.surprise
        )
    }

    /// One line a turn that was looked at twice, tab-separated.
    pub fn write_rows(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(
            out,
            "label\tturn\tdepth\tloss\tmark\tdeeper_loss\tdeeper_mark\toutright"
        )?;
        for row in &self.rows {
            writeln!(
                out,
                "{}\t{}\t{}\t{:.4}\t{}\t{:.4}\t{}\t{}",
                row.label,
                row.turn,
                row.depth,
                row.loss,
                row.mark.unwrap_or(""),
                row.deeper_loss,
                row.deeper_mark.unwrap_or(""),
                u8::from(row.outright)
            )?;
        }
        Ok(())
    }
}

/// The mean surprise at the results if odds grow e-fold by this scale; scores
/// that are sure say nothing about the scale.
fn surprise(outcomes: &[(i32, bool)], scale: f64) -> f64 {
    let unsure: Vec<_> = outcomes
        .iter()
        .filter(|(score, _)| score.abs() < 5000)
        .collect();
    let sum: f64 = unsure
        .iter()
        .map(|(score, won)| {
            let score = f64::from(*score) * if *won { 1.0 } else { -1.0 };
            (-score / scale).exp().ln_1p()
        })
        .sum();
    sum / unsure.len().max(1) as f64
}

/// The scale that is surprised least, by narrowing down.
fn fit(outcomes: &[(i32, bool)]) -> f64 {
    let (mut low, mut high) = (20.0f64.ln(), 5000.0f64.ln());
    for _ in 0..60 {
        let third = (high - low) / 3.0;
        let (a, b) = (low + third, high - third);
        if surprise(outcomes, a.exp()) < surprise(outcomes, b.exp()) {
            high = b;
        } else {
            low = a;
        }
    }
    f64::midpoint(low, high).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scale_is_found_again() {
        let mut random = fastrand::Rng::with_seed(5);
        let outcomes: Vec<(i32, bool)> = (0..20_000)
            .map(|_| {
                let score = random.i32(-1500..1500);
                let chance = 1.0 / (1.0 + (-f64::from(score) / 300.0).exp());
                (score, random.f64() < chance)
            })
            .collect();
        let scale = fit(&outcomes);
        assert!((280.0..320.0).contains(&scale), "{scale}");
        assert!(surprise(&outcomes, scale) < surprise(&outcomes, 600.0));
    }

    #[test]
    fn marks_are_counted_by_what_became_of_them() {
        let mut results = Results::default();
        results.count(Some(Mark::Mistake), Some(Mark::Mistake), true);
        results.count(Some(Mark::Mistake), Some(Mark::Blunder), false);
        results.count(Some(Mark::Blunder), None, false);
        results.count(None, Some(Mark::Blunder), true);
        results.count(None, None, false);
        let Results {
            marks, same, other, ..
        } = results;
        assert_eq!((marks, same, other), (3, 1, 1));
        assert_eq!(
            (results.missed, results.outright, results.outright_marked),
            (1, 2, 1)
        );
    }
}

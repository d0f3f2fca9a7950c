//! Do the marks of a review survive a deeper look?

use std::io::{self, Write};

use hathi_engine::{CHANCE_SCALE, EngineSpec, Judged, Limits, Mark, judge, winning_chance};
use hathi_learn::network::ResultCurve;
use hathi_rules::{Game, Outcome, Side};
use serde::Serialize;

use crate::rate::Rate;
use crate::watcher::Watcher;

/// A score beyond this, in hundredths of a rabbit, is as good as sure.
const SURE: i32 = 5_000;

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
    /// Look deeper only at turns that are marked, or that lost something by
    /// the record: what the others would be called is not counted then.
    pub sparing: bool,
    /// Every random choice follows from it.
    pub seed: u64,
}

/// What came out.
#[derive(Debug, Default, Serialize)]
pub struct Results {
    engine: String,
    nodes: u64,
    deeper: u64,
    sparing: bool,
    seed: u64,
    /// Turns looked at, and games they are from.
    turns: usize,
    games: usize,
    /// Positions looked at for all of them, without the deeper looks.
    nodes_in_all: u64,
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
    /// The share that is the same, with its 95 % interval.
    same_rate: Option<Rate>,
    /// Marked by the deeper look alone; unknown if it was not taken everywhere.
    missed: Option<usize>,
    /// Turns that lost the game or a piece outright, in a game that was not decided.
    outright: usize,
    /// Of those, marked.
    outright_marked: usize,
    outright_rate: Option<Rate>,
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
    best: i32,
    deeper_best: i32,
    outright: bool,
    looks: String,
    deeper_looks: String,
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
        sparing: request.sparing,
        seed: request.seed,
        missed: (!request.sparing).then_some(0),
        ..Results::default()
    };
    let mut depths = Vec::new();
    let mut outcomes = Vec::new();
    let mut from = std::collections::HashSet::new();
    for (number, ply) in places {
        if watcher.asked_to_stop() {
            break;
        }
        let played = &games[number];
        let mut so_far = played.game.clone();
        while so_far.turns().len() > ply && so_far.take_back() {}
        let turn = played.game.turns()[ply];
        let after = &played.game.turns()[ply + 1..];
        let mut look = |nodes| judge(&mut *engine, &so_far, &turn, after, &Limits::nodes(nodes));
        let first = look(request.nodes)?;
        results.turns += 1;
        from.insert(number);
        results.nodes_in_all += first.nodes;
        depths.push(first.best.depth);
        results.judged += usize::from(first.best.depth >= hathi_engine::LEAST_DEPTH);
        let mover = so_far.side_to_move();
        if let Some(winner) = played.outcome.and_then(|outcome| outcome.winner) {
            outcomes.push((first.best.score, winner == mover));
        }
        let lost = lost_by_record(&played.game, ply, mover);
        let wanted = !request.sparing || first.mark.is_some() || lost != Lost::Nothing;
        if request.deeper > 1 && wanted {
            let second = look(request.nodes.saturating_mul(request.deeper))?;
            let outright = lost.is_outright(&second);
            results.count(first.mark, second.mark, outright);
            results.rows.push(Row {
                label: so_far.ply_label(),
                turn: turn.to_string(),
                depth: first.best.depth,
                loss: first.loss,
                mark: first.mark.map(Mark::name),
                deeper_loss: second.loss,
                deeper_mark: second.mark.map(Mark::name),
                best: first.best.score,
                deeper_best: second.best.score,
                outright,
                looks: looks(&first),
                deeper_looks: looks(&second),
            });
        }
    }
    results.games = from.len();
    results.same_rate = share(results.same, results.marks);
    results.outright_rate = share(results.outright_marked, results.outright);
    depths.sort_unstable();
    results.depth_least = depths.first().copied().unwrap_or(0);
    results.depth_median = depths.get(depths.len() / 2).copied().unwrap_or(0);
    // Scores that are sure say nothing about the scale.
    outcomes.retain(|(score, _)| score.abs() < SURE);
    let fitted = ResultCurve::fit(&outcomes);
    results.fitted_scale = fitted.scale();
    results.fitted_surprise = fitted.mean_loss(&outcomes);
    results.surprise = ResultCurve::with_scale(CHANCE_SCALE).mean_loss(&outcomes);
    Ok(results)
}

/// The loss and the depth of every look.
fn looks(judged: &Judged) -> String {
    let looks = judged.looks.iter();
    let looks: Vec<String> = looks
        .map(|look| format!("{:.4}@{}", look.loss, look.depth))
        .collect();
    looks.join(" ")
}

/// What a turn lost by the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lost {
    /// The opponent could reach goal.
    Game,
    /// A piece, and none was won back.
    Piece,
    Nothing,
}

fn lost_by_record(game: &Game, ply: usize, mover: Side) -> Lost {
    let positions = game.positions();
    if positions[ply + 1].can_goal().is_some() {
        return Lost::Game;
    }
    let pieces = |at: usize, side: Side| {
        let position = positions.get(at)?;
        Some(position.board().side(side).len())
    };
    let lost = pieces(ply + 2, mover) < pieces(ply, mover) && pieces(ply + 2, mover).is_some();
    let enemy = mover.opponent();
    let last = pieces(ply + 3, enemy).or_else(|| pieces(ply + 2, enemy));
    let won_back = last < pieces(ply, enemy);
    if lost && !won_back {
        Lost::Piece
    } else {
        Lost::Nothing
    }
}

impl Lost {
    /// Did the turn lose the game, or a piece for nothing, where it need not
    /// have and the game was not decided? By the record and the deeper look.
    fn is_outright(self, deeper: &Judged) -> bool {
        let before = winning_chance(deeper.best.score);
        let open = (0.05..=0.95).contains(&before);
        match self {
            Lost::Game => open,
            Lost::Piece => open && deeper.best.score - deeper.played.score >= 100,
            Lost::Nothing => false,
        }
    }
}

/// So many of all, if there are any.
fn share(some: usize, all: usize) -> Option<Rate> {
    let (some, all) = (some as u64, all as u64);
    (all > 0).then(|| Rate::of(some, all, all))
}

/// A share and its interval in words.
fn in_words(rate: Option<Rate>) -> String {
    rate.map_or(String::new(), |rate| {
        let [value, low, high] = [rate.value, rate.low, rate.high].map(|part| 100.0 * part);
        format!(" ({value:.0} %, 95 % interval {low:.0} to {high:.0})")
    })
}

impl Results {
    fn count(&mut self, mark: Option<Mark>, deeper: Option<Mark>, outright: bool) {
        match (mark, deeper) {
            (Some(mark), deeper) => {
                self.marks += 1;
                self.same += usize::from(deeper == Some(mark));
                self.other += usize::from(deeper.is_some() && deeper != Some(mark));
            }
            (None, Some(_)) => self.missed = self.missed.map(|missed| missed + 1),
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
            "{engine}, {nodes} positions a turn, {turns} turns of {} games (seed {}), {} positions a turn with second looks",
            self.games,
            self.seed,
            self.nodes_in_all / (*turns).max(1) as u64
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
                "marks: {marks}; at {} times the positions {same} the same{}, {other} of the other kind, {} gone",
                self.deeper,
                in_words(self.same_rate),
                marks - same - other
            )?;
            if let Some(missed) = missed {
                writeln!(out, "marked only by the deeper look: {missed}")?;
            }
            writeln!(
                out,
                "lost the game or a piece outright: {outright}, of which {outright_marked} marked{}",
                in_words(self.outright_rate)
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
            "label\tturn\tdepth\tbest\tloss\tmark\tdeeper_best\tdeeper_loss\tdeeper_mark\toutright\tlooks\tdeeper_looks"
        )?;
        for row in &self.rows {
            writeln!(
                out,
                "{}\t{}\t{}\t{}\t{:.4}\t{}\t{}\t{:.4}\t{}\t{}\t{}\t{}",
                row.label,
                row.turn,
                row.depth,
                row.best,
                row.loss,
                row.mark.unwrap_or(""),
                row.deeper_best,
                row.deeper_loss,
                row.deeper_mark.unwrap_or(""),
                u8::from(row.outright),
                row.looks,
                row.deeper_looks
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_counted_by_what_became_of_them() {
        let mut results = Results {
            missed: Some(0),
            ..Results::default()
        };
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
            (Some(1), 2, 1)
        );
        let words = in_words(share(same, marks));
        assert_eq!(words, " (33 %, 95 % interval 6 to 79)");
        assert_eq!(in_words(share(0, 0)), "");
    }
}

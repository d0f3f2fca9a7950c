//! How selective rat is, over positions of real games.

use std::collections::HashSet;
use std::io::{self, Write};
use std::time::Instant;

use hathi_engine::{EngineSpec, Limits, plans_of};
use hathi_rules::{Game, Position, RuleSet, TurnGenerator};
use hathi_view::numbers::{grouped, rounded};
use serde::Serialize;

use crate::bench::Corpus;
use crate::watcher::Watcher;

/// What came out.
#[derive(Clone, Debug, Serialize)]
pub struct Survey {
    pub(crate) engine: String,
    /// The games that the positions are of.
    #[serde(skip)]
    games: usize,
    pub(crate) positions: usize,
    pub(crate) turns: Spread,
    plans: Spread,
    pub(crate) candidates: Spread,
    pub(crate) nodes: Spread,
    pub(crate) milliseconds: Spread,
    captures_made: usize,
}

/// The middle and the edges of a list of figures.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Spread {
    pub(crate) mean: f64,
    pub(crate) median: f64,
    pub(crate) most: f64,
}

impl Spread {
    fn of(mut figures: Vec<f64>) -> Spread {
        figures.sort_by(f64::total_cmp);
        let count = figures.len().max(1);
        Spread {
            mean: rounded(figures.iter().sum::<f64>() / count as f64, 2),
            median: rounded(figures.get(count / 2).copied().unwrap_or(0.0), 2),
            most: rounded(figures.last().copied().unwrap_or(0.0), 2),
        }
    }
}

/// Asks rat in so many middle-game positions. None if it was stopped.
pub fn run(
    spec: &EngineSpec,
    corpus: &Corpus,
    wanted: usize,
    watcher: &dyn Watcher,
) -> anyhow::Result<Option<Survey>> {
    let positions = choose(&corpus.positions, wanted);
    anyhow::ensure!(
        !positions.is_empty(),
        "there are no middle-game positions in these games"
    );
    let mut engine = spec.build()?;
    let mut generator = TurnGenerator::new();
    let bar = watcher.count("positions", positions.len() as u64);
    let mut figures: [Vec<f64>; 5] = Default::default();
    let mut captures = 0;
    for (number, position) in (1..).zip(&positions) {
        if watcher.asked_to_stop() {
            return Ok(None);
        }
        let (_, planned) = plans_of(position, &spec.options)?;
        let different: HashSet<u64> = planned
            .iter()
            .flat_map(|plan| &plan.turns)
            .map(|turn| turn.after.board().hash())
            .collect();
        engine.new_game(1);
        let game = Game::from_position(RuleSet::Modern, *position);
        let started = Instant::now();
        let decision = engine.decide(&game, &Limits::none(), &mut |_| {})?;
        let took = started.elapsed().as_secs_f64() * 1000.0;
        let nodes = decision.thought.map_or(0, |thought| thought.nodes);
        if decision.choice.to_string().contains('x') {
            captures += 1;
        }
        let row = [
            generator.count(position) as f64,
            planned.iter().filter(|plan| !plan.turns.is_empty()).count() as f64,
            different.len() as f64,
            nodes as f64,
            took,
        ];
        for (list, figure) in figures.iter_mut().zip(row) {
            list.push(figure);
        }
        bar(number);
    }
    let [turns, plans, candidates, nodes, milliseconds] = figures.map(Spread::of);
    let survey = Survey {
        engine: spec.to_string(),
        games: corpus.about.games,
        positions: positions.len(),
        turns,
        plans,
        candidates,
        nodes,
        milliseconds,
        captures_made: captures,
    };
    Ok(Some(survey))
}

impl Survey {
    /// In words.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(
            out,
            "{}: {} middle-game positions of {} games",
            self.engine,
            grouped(self.positions),
            grouped(self.games)
        )?;
        for (what, spread) in [
            ("turns possible", &self.turns),
            ("plans with candidates", &self.plans),
            ("candidates", &self.candidates),
            ("positions looked at", &self.nodes),
            ("milliseconds a turn", &self.milliseconds),
        ] {
            writeln!(
                out,
                "{what:22} mean {:>10.1}  median {:>10.1}  most {:>10.1}",
                spread.mean, spread.median, spread.most
            )?;
        }
        Ok(())
    }
}

/// Positions spread over all in which the armies have met and nobody can
/// reach goal.
fn choose(positions: &[Position], wanted: usize) -> Vec<Position> {
    let middle: Vec<&Position> = positions
        .iter()
        .filter(|position| {
            let count = position.board().count();
            (20..=31).contains(&(count.gold + count.silver))
                && position.can_goal().is_none()
                && hathi_rules::Outcome::on_board(
                    position.board(),
                    position.side_to_move().opponent(),
                    RuleSet::Modern,
                )
                .is_none()
        })
        .collect();
    let count = wanted.min(middle.len());
    (0..count)
        .map(|i| *middle[i * middle.len() / count])
        .collect()
}

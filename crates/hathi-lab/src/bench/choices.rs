//! How good the turns are that engines choose.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use hathi_engine::{Choice, Engine, EngineSpec, Limits};
use hathi_rules::{Board, Game, Replay, RuleSet, Side, Turn};
use hathi_view::columns::{Align, Columns};
use hathi_view::numbers::{grouped, rounded};
use serde::Serialize;

use super::corpus::{About, Corpus};
use crate::failure::BadInput;
use crate::watcher::Watcher;

/// Hundredths of a rabbit that make the odds e to one: four rabbits ahead are
/// five games in six.
const ODDS: f64 = 250.0;

/// What is to be compared.
#[derive(Clone, Debug)]
pub struct Request {
    /// The others are compared with the first.
    pub engines: Vec<EngineSpec>,
    /// Positions to look at.
    pub positions: usize,
    /// How long each engine may think about a turn.
    pub limits: Limits,
    /// Who values the turns; it must be one that searches.
    pub judge: EngineSpec,
    /// Positions the judge looks at after each turn.
    pub judge_nodes: u64,
    /// Every random choice follows from it.
    pub seed: u64,
    /// Where the memory is, for engines that do not say.
    pub store: String,
}

/// What came out.
#[derive(Debug, Serialize)]
pub struct Results {
    corpus: About,
    judge: String,
    judge_nodes: u64,
    seed: u64,
    /// Positions in which everybody has chosen.
    positions: usize,
    engines: Vec<Row>,
    #[serde(skip)]
    complete: bool,
}

#[derive(Debug, Serialize)]
struct Row {
    engine: String,
    /// The chance to win after its turns, in per cent.
    chance: f64,
    /// How much better than the first, in points of a per cent.
    difference: f64,
    /// 95 % of the difference, from pairs.
    error: f64,
    /// Turns that are the first's, too, in per cent.
    same: f64,
    /// Steps looked ahead, on average.
    depth: f64,
    milliseconds: f64,
}

/// An engine and what it has done so far.
struct Player {
    name: String,
    engine: Box<dyn Engine>,
    boards: Vec<Board>,
    chances: Vec<f64>,
    depth: u64,
    spent: Duration,
}

/// Lets all engines choose in the same positions. When it is stopped, what is
/// known so far counts.
pub fn run(corpus: Corpus, request: &Request, watcher: &dyn Watcher) -> anyhow::Result<Results> {
    let build = |spec: &EngineSpec| {
        let mut spec = spec.clone();
        if spec.options.store.is_empty() {
            request.store.clone_into(&mut spec.options.store);
        }
        spec.build()
    };
    let mut judge = build(&request.judge)?;
    let mut players = Vec::new();
    for spec in &request.engines {
        players.push(Player {
            name: spec.to_string(),
            engine: build(spec)?,
            boards: Vec::new(),
            chances: Vec::new(),
            depth: 0,
            spent: Duration::ZERO,
        });
    }
    let games = draw(&corpus, request.positions, request.seed);
    anyhow::ensure!(!games.is_empty(), "there are no games to take positions of");
    let bar = watcher.count("positions", games.len() as u64);
    let mut done = 0;
    for game in &games {
        if !look(game, &mut players, judge.as_mut(), request, watcher)? {
            break;
        }
        done += 1;
        bar(done as u64);
    }
    Ok(Results {
        corpus: corpus.about,
        judge: request.judge.to_string(),
        judge_nodes: request.judge_nodes,
        seed: request.seed,
        positions: done,
        engines: players
            .iter()
            .map(|player| Row::of(player, &players[0], done))
            .collect(),
        complete: done == games.len(),
    })
}

/// One position a game, games in an order drawn by chance; a second one of
/// each if there are too few, and so on.
fn draw(corpus: &Corpus, count: usize, seed: u64) -> Vec<Game> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut order: Vec<usize> = (0..corpus.games.len()).collect();
    random.shuffle(&mut order);
    let mut replay = Replay::new(RuleSet::Modern);
    let mut drawn = Vec::new();
    // Some games are too short, some positions decided: not for ever.
    for &number in order.iter().cycle().take(order.len().max(count) * 4) {
        if drawn.len() == count {
            break;
        }
        let (moves, rules) = &corpus.games[number];
        // A game that breaks the rules is as good as any, up to there.
        let _ = replay.read(moves, *rules);
        let turns = replay.game.turns().len();
        if turns < 2 {
            continue;
        }
        let mut game = replay.game.clone();
        for _ in random.usize(1..turns)..turns {
            game.take_back();
        }
        // Nobody misses a goal.
        if game.position().can_goal().is_none() && game.has_legal_turn() {
            drawn.push(game);
        }
    }
    drawn
}

/// All choose in one position. False if somebody has asked to stop: then it
/// does not count.
fn look(
    game: &Game,
    players: &mut [Player],
    judge: &mut dyn Engine,
    request: &Request,
    watcher: &dyn Watcher,
) -> anyhow::Result<bool> {
    let mover = game.side_to_move();
    // Turns that lead to the same board are the same.
    let mut known: Vec<(Board, f64)> = Vec::new();
    let mut chosen = Vec::new();
    for player in players.iter_mut() {
        let started = Instant::now();
        player.engine.new_game(request.seed);
        let limits = request.limits.clone().with_stop(watcher.stop());
        let decision = player.engine.decide(game, &limits, &mut |_| {})?;
        let spent = started.elapsed();
        let Choice::Play(turn) = decision.choice else {
            anyhow::bail!("{} made no turn", player.name);
        };
        let board = *game.position().after_turn(turn.steps()).board();
        let chance = match known.iter().find(|(known, _)| *known == board) {
            Some(&(_, chance)) => chance,
            None => value(game, &turn, mover, judge, request, watcher)?,
        };
        known.push((board, chance));
        let depth = decision.thought.map_or(0, |thought| thought.depth);
        chosen.push((board, chance, depth, spent));
    }
    if watcher.asked_to_stop() {
        return Ok(false);
    }
    for (player, (board, chance, depth, spent)) in players.iter_mut().zip(chosen) {
        player.boards.push(board);
        player.chances.push(chance);
        player.depth += u64::from(depth);
        player.spent += spent;
    }
    Ok(true)
}

/// The chance to win after a turn, as the judge sees it.
fn value(
    game: &Game,
    turn: &Turn,
    mover: Side,
    judge: &mut dyn Engine,
    request: &Request,
    watcher: &dyn Watcher,
) -> anyhow::Result<f64> {
    let mut after = game.clone();
    if let Some(outcome) = after.play(turn)? {
        return Ok(outcome
            .winner
            .map_or(0.5, |winner| f64::from(u8::from(winner == mover))));
    }
    judge.new_game(request.seed);
    let limits = Limits::nodes(request.judge_nodes).with_stop(watcher.stop());
    let decision = judge.decide(&after, &limits, &mut |_| {})?;
    let Some(thought) = decision.thought else {
        return Err(BadInput::error(format!(
            "{} says nothing about the worth of a position: take another judge, such as fairy",
            request.judge
        )));
    };
    Ok(1.0 / (1.0 + (f64::from(thought.score) / ODDS).exp()))
}

impl Row {
    fn of(player: &Player, first: &Player, done: usize) -> Row {
        let count = done.max(1) as f64;
        let percent = |share: f64| rounded(100.0 * share, 2);
        let differences: Vec<f64> = player
            .chances
            .iter()
            .zip(&first.chances)
            .map(|(own, other)| own - other)
            .collect();
        let mean = differences.iter().sum::<f64>() / count;
        let squares: f64 = differences.iter().map(|d| (d - mean).powi(2)).sum();
        let deviation = (squares / (count - 1.0).max(1.0) / count).sqrt();
        let same = player.boards.iter().zip(&first.boards);
        let same = same.filter(|(own, other)| own == other).count() as f64;
        Row {
            engine: player.name.clone(),
            chance: percent(player.chances.iter().sum::<f64>() / count),
            difference: percent(mean),
            error: percent(1.96 * deviation),
            same: percent(same / count),
            depth: rounded(player.depth as f64 / count, 2),
            milliseconds: rounded(1e3 * player.spent.as_secs_f64() / count, 1),
        }
    }
}

impl Results {
    /// Was every position looked at?
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// In words.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(
            out,
            "{} positions of {}\njudged by {} after a look at {} positions\n",
            grouped(self.positions),
            self.corpus.text(),
            self.judge,
            grouped(self.judge_nodes as usize),
        )?;
        let mut table = Columns::new(&[
            ("engine", Align::Left),
            ("chance", Align::Right),
            ("better by", Align::Right),
            ("same turn", Align::Right),
            ("depth", Align::Right),
            ("a turn", Align::Right),
        ]);
        for (number, row) in self.engines.iter().enumerate() {
            let difference = match number {
                0 => String::new(),
                _ => format!("{:+.2} ± {:.2}", row.difference, row.error),
            };
            table.row([
                row.engine.clone(),
                format!("{:.2} %", row.chance),
                difference,
                format!("{:.0} %", row.same),
                format!("{:.1}", row.depth),
                format!("{:.1} ms", row.milliseconds),
            ]);
        }
        table.write(out)
    }
}

//! `hathi bench choices`: how good the turns are that engines choose.

use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use hathi_engine::{Choice, Engine, EngineSpec, Limits};
use hathi_rules::{Board, Game, Replay, RuleSet, Side, Turn};
use serde::Serialize;

use super::corpus::{About, Corpus};
use crate::Answer;
use crate::columns::{Align, Columns};
use crate::engine_args;
use crate::failure::BadInput;
use crate::output::{self, rounded};
use crate::progress::CountBar;
use crate::stop;
use crate::store_args::StoreArgs;

/// Compare the turns that engines choose, without playing games
///
/// Every engine chooses a turn in the same positions, one drawn from each game. A judge, which looks
/// at more positions than they do, values the board after each turn, as a chance to win. What counts
/// is the difference to the first engine, position by position: it tells engines apart with far less
/// work than games do, as far as the judge can be trusted. Use it to choose between settings, and
/// `hathi arena` to make sure.
///
/// With --data the games are those of a directory that holds `turn-counts.tsv` and archives
/// `allgames*.txt`. Without, games are made on the fly, always the same ones. With --nodes the
/// result is the same on every machine. After Ctrl-C stands what is known so far.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Engines with options, as in `fairy:ordering=none`; the others are compared with the first
    #[arg(value_name = "ENGINE", required = true, num_args = 1..)]
    engines: Vec<EngineSpec>,

    /// Positions to look at
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    positions: u32,

    /// Positions each engine looks at for a turn
    #[arg(long, value_name = "N", default_value_t = 40_000)]
    nodes: u64,

    /// Seconds for a turn, instead of --nodes
    #[arg(long, value_name = "SECONDS", value_parser = engine_args::seconds, conflicts_with = "nodes")]
    time: Option<Duration>,

    /// Who values the turns; it must be one that searches
    #[arg(long, value_name = "ENGINE", default_value = "fairy")]
    judge: EngineSpec,

    /// Positions the judge looks at after each turn
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    judge_nodes: u64,

    /// What to start the dice with
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// A directory with turn-counts.tsv and allgames*.txt
    #[arg(long, value_name = "DIR", env = "HATHI_DATA")]
    data: Option<PathBuf>,

    #[command(flatten)]
    store: StoreArgs,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  hathi bench choices fairy fairy:ordering=none
  hathi bench choices tweaked:phase=smooth tweaked:phase=gt fairy --positions 500 --data archives
  hathi bench choices fairy rat mimic --time 0.1 --json";

/// Hundredths of a rabbit that make the odds e to one: four rabbits ahead are
/// five games in six.
const ODDS: f64 = 250.0;

#[derive(Serialize)]
struct Results {
    corpus: About,
    judge: String,
    judge_nodes: u64,
    seed: u64,
    /// Positions in which everybody has chosen.
    positions: usize,
    engines: Vec<Row>,
}

#[derive(Serialize)]
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

pub(super) fn run(args: &Args) -> anyhow::Result<Answer> {
    stop::listen();
    let corpus = match &args.data {
        Some(directory) => Corpus::of_directory(directory)?,
        None => Corpus::built_in(|_| {})?,
    };
    let build = |spec: &EngineSpec| engine_args::with_store(spec.clone(), &args.store).build();
    let mut judge = build(&args.judge)?;
    let mut players = Vec::new();
    for spec in &args.engines {
        players.push(Player {
            name: spec.to_string(),
            engine: build(spec)?,
            boards: Vec::new(),
            chances: Vec::new(),
            depth: 0,
            spent: Duration::ZERO,
        });
    }
    let games = draw(&corpus, args.positions as usize, args.seed);
    anyhow::ensure!(!games.is_empty(), "there are no games to take positions of");
    let bar = CountBar::new("positions", games.len() as u64);
    let mut done = 0;
    for game in &games {
        if !look(game, &mut players, judge.as_mut(), args)? {
            break;
        }
        done += 1;
        bar.show(done as u64);
    }
    bar.finish();
    let results = Results {
        corpus: corpus.about,
        judge: args.judge.to_string(),
        judge_nodes: args.judge_nodes,
        seed: args.seed,
        positions: done,
        engines: players
            .iter()
            .map(|player| Row::of(player, &players[0], done))
            .collect(),
    };
    output::show(args.json, &results, |out| print(&results, out))?;
    Ok(if done < games.len() {
        Answer::Interrupted
    } else {
        Answer::Yes
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
    args: &Args,
) -> anyhow::Result<bool> {
    let mover = game.side_to_move();
    // Turns that lead to the same board are the same.
    let mut known: Vec<(Board, f64)> = Vec::new();
    let mut chosen = Vec::new();
    for player in players.iter_mut() {
        let limits = match args.time {
            Some(time) => Limits::time(time),
            None => Limits::nodes(args.nodes),
        };
        let started = Instant::now();
        player.engine.new_game(args.seed);
        let limits = limits.with_stop(stop::for_engines());
        let decision = player.engine.decide(game, &limits, &mut |_| {})?;
        let spent = started.elapsed();
        let Choice::Play(turn) = decision.choice else {
            anyhow::bail!("{} made no turn", player.name);
        };
        let board = *game.position().after_turn(turn.steps()).board();
        let chance = match known.iter().find(|(known, _)| *known == board) {
            Some(&(_, chance)) => chance,
            None => value(game, &turn, mover, judge, args)?,
        };
        known.push((board, chance));
        let depth = decision.thought.map_or(0, |thought| thought.depth);
        chosen.push((board, chance, depth, spent));
    }
    if stop::asked() {
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
    args: &Args,
) -> anyhow::Result<f64> {
    let mut after = game.clone();
    if let Some(outcome) = after.play(turn)? {
        return Ok(outcome
            .winner
            .map_or(0.5, |winner| f64::from(u8::from(winner == mover))));
    }
    judge.new_game(args.seed);
    let limits = Limits::nodes(args.judge_nodes).with_stop(stop::for_engines());
    let decision = judge.decide(&after, &limits, &mut |_| {})?;
    let Some(thought) = decision.thought else {
        return Err(BadInput::error(format!(
            "{} says nothing about the worth of a position: take another judge, such as fairy",
            args.judge
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

fn print(results: &Results, out: &mut impl Write) -> std::io::Result<()> {
    writeln!(
        out,
        "{} positions of {}\njudged by {} after a look at {} positions\n",
        output::grouped(results.positions),
        results.corpus.text(),
        results.judge,
        output::grouped(results.judge_nodes as usize),
    )?;
    let mut table = Columns::new(&[
        ("engine", Align::Left),
        ("chance", Align::Right),
        ("better by", Align::Right),
        ("same turn", Align::Right),
        ("depth", Align::Right),
        ("a turn", Align::Right),
    ]);
    for (number, row) in results.engines.iter().enumerate() {
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

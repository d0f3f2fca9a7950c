//! `hathi learn setups`: which setups do best.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use hathi_engine::{SoundSetup, sound_setups};
use hathi_learn::selfplay::{Settings, Standing};
use hathi_learn::setups;
use hathi_rules::Side;
use hathi_view::numbers::counted;
use serde::Serialize;

use crate::Answer;
use crate::failure::BadInput;
use crate::terminal::output;
use crate::terminal::progress::CountBar;
use crate::terminal::stop;

/// Find out which setups do best: all against all, an engine on both sides
///
/// Every setup meets every other (and itself) as often with either colour, mirrored or not by
/// chance. What is printed, and written with -o, is the table that engines without a memory choose their
/// setups by: one of those at most 5 hundredths behind the best, by chance. Games are kept in FILE as
/// those of `hathi learn selfplay` are. Ctrl-C loses nothing but the games on the board: the same
/// command resumes.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Where the games go; if it is there already, play resumes
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// How many games the file shall hold
    #[arg(long, value_name = "N", default_value_t = 1024)]
    games: u64,

    /// The setups, a line each: back row and front row from a to h; without it those that engines know
    #[arg(long, value_name = "TABLE")]
    setups: Option<PathBuf>,

    /// Write the table here
    #[arg(short, long, value_name = "TABLE")]
    output: Option<PathBuf>,

    /// Who plays, as in `hathi arena`
    #[arg(long, value_name = "ENGINE", default_value = "hathi:hash=8")]
    engine: String,

    /// Positions to look at for each turn
    #[arg(long, value_name = "N", default_value_t = 4000, value_parser = clap::value_parser!(u64).range(100..))]
    nodes: u64,

    /// After so many turns a game ends without a winner
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=5000))]
    longest: u32,

    /// Games at the same time
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,

    /// The random seed
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// Print the table as JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  hathi learn setups setups.hsp --games 2048
  hathi learn setups mine.hsp --setups mine.tsv -o results.tsv";

#[derive(Serialize)]
struct Row {
    back: String,
    front: String,
    gold_won: u32,
    gold_games: u32,
    silver_won: u32,
    silver_games: u32,
}

#[derive(Serialize)]
struct Summary {
    games: u64,
    interrupted: bool,
    setups: Vec<Row>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    let listed = match &args.setups {
        None => sound_setups().to_vec(),
        Some(path) => {
            let text = std::fs::read_to_string(path)
                .map_err(|error| BadInput::error(format!("{}: {error}", path.display())))?;
            SoundSetup::read_all(&text)
                .map_err(|error| BadInput::error(format!("{}: {error}", path.display())))?
        }
    };
    let settings = Settings {
        engine: args.engine.clone(),
        nodes: args.nodes,
        seed: args.seed,
        random_turns: 0,
        longest: args.longest,
        setups: setups::names(&listed),
        visited: 0,
    };
    stop::listen();
    let bar = CountBar::new("games", args.games);
    let show = |standing: Standing| bar.show(standing.games);
    let stop = stop::for_engines();
    let threads = usize::from(args.threads);
    let played = setups::play(
        &args.file, &listed, &settings, args.games, threads, &stop, &show,
    )
    .map_err(|error| BadInput::error(error.to_string()));
    drop(bar);
    let games = played?.games;
    let found = setups::results(&args.file, &listed)?;
    if let Some(path) = &args.output {
        std::fs::write(path, table(&found, args, games))
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    let summary = Summary {
        games,
        interrupted: stop::asked(),
        setups: found.iter().map(row).collect(),
    };
    output::show(args.json, &summary, |out| {
        writeln!(out, "{}", counted(games as usize, "game"))?;
        writeln!(out, "setup (a to h)      as Gold        as Silver")?;
        for setup in &found {
            let [back, front] = &setup.rows;
            write!(out, "{back}/{front}")?;
            for side in [Side::Gold, Side::Silver] {
                let tally = setup.results[side as usize];
                write!(
                    out,
                    "  {:>4}/{:<4} {:>3.0} %",
                    tally.won,
                    tally.games,
                    tally.share()
                )?;
            }
            writeln!(out)?;
        }
        Ok(())
    })?;
    if stop::asked() {
        output::note("stopped; the same command resumes");
        return Ok(Answer::Interrupted);
    }
    Ok(Answer::Yes)
}

fn row(setup: &SoundSetup) -> Row {
    let [back, front] = setup.rows.clone();
    let [gold, silver] = setup.results;
    Row {
        back,
        front,
        gold_won: gold.won,
        gold_games: gold.games,
        silver_won: silver.won,
        silver_games: silver.games,
    }
}

fn table(setups: &[SoundSetup], args: &Args, games: u64) -> String {
    let head = format!(
        "# back row, front row (from a to h), won and played as Gold, won and played as Silver: {games} games of {} at {} positions a turn\n",
        args.engine, args.nodes
    );
    let lines = setups.iter().map(|setup| {
        let Row {
            back,
            front,
            gold_won,
            gold_games,
            silver_won,
            silver_games,
        } = row(setup);
        format!("{back} {front} {gold_won} {gold_games} {silver_won} {silver_games}\n")
    });
    std::iter::once(head).chain(lines).collect()
}

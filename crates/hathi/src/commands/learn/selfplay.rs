//! `hathi learn selfplay`: an engine against itself, for training.

use std::io::Write;
use std::path::PathBuf;

use hathi_learn::selfplay::{self, Settings, Standing};
use hathi_model::drawing::grouped;
use hathi_view::numbers::counted;
use serde::Serialize;

use crate::Answer;
use crate::failure::BadInput;
use crate::terminal::output;
use crate::terminal::progress::CountBar;
use crate::terminal::stop;

/// Let an engine play against itself and keep every position with its score
///
/// The file holds, for each position at the start of a turn, the board, who is to move, what the
/// search thought of it and how deep it had looked (at least four steps, else the position is left
/// out), and for each game who won. `hathi learn network` trains on such files.
///
/// Games differ by their beginnings: sound setups, sound ones with pieces exchanged, any setups;
/// up to six random first turns; and a random turn now and then. The same seed gives the same
/// games. Ctrl-C loses nothing but the games on the board: the same command resumes.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Where the games go; if it is there already, play resumes
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// How many games the file shall hold
    #[arg(long, value_name = "N", default_value_t = 1000)]
    games: u64,

    /// Who plays, as in `hathi arena`
    #[arg(long, value_name = "ENGINE", default_value = "hathi:hash=8")]
    engine: String,

    /// Positions to look at for each turn
    #[arg(long, value_name = "N", default_value_t = 6000, value_parser = clap::value_parser!(u64).range(100..))]
    nodes: u64,

    /// Chance of a random turn in the middle of a game, in thousandths
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(0..=1000))]
    random_turns: u32,

    /// After so many turns a game ends without a winner
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=5000))]
    longest: u32,

    /// Games at the same time
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,

    /// The random seed
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// Print a summary as JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  hathi learn selfplay games.hsp --games 20000
  nice -n 10 hathi learn selfplay games.hsp --games 20000 --engine hathi:network=my.net,hash=8
  hathi learn network games.hsp -o my.net";

#[derive(Serialize)]
struct Summary {
    file: String,
    games: u64,
    positions: u64,
    interrupted: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    let settings = Settings {
        engine: args.engine.clone(),
        nodes: args.nodes,
        seed: args.seed,
        random_turns: args.random_turns,
        longest: args.longest,
        setups: Vec::new(),
        visited: 0,
    };
    stop::listen();
    let bar = CountBar::new("games", args.games);
    let show = |standing: Standing| bar.show(standing.games);
    let stop = stop::for_engines();
    let threads = usize::from(args.threads);
    let standing = selfplay::play(&args.file, &settings, args.games, threads, &stop, &show)
        .map_err(|error| BadInput::error(error.to_string()));
    drop(bar);
    let standing = standing?;
    let summary = Summary {
        file: args.file.display().to_string(),
        games: standing.games,
        positions: standing.positions,
        interrupted: stop::asked(),
    };
    output::show(args.json, &summary, |out| {
        writeln!(
            out,
            "{}: {}, {} positions",
            summary.file,
            counted(summary.games as usize, "game"),
            grouped(summary.positions as usize)
        )
    })?;
    if stop::asked() {
        output::note("stopped; the same command resumes");
        return Ok(Answer::Interrupted);
    }
    Ok(Answer::Yes)
}

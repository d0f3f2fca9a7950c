//! `hathi learn score`: positions from elsewhere, searched for training.

use std::io::Write;
use std::path::{Path, PathBuf};

use hathi_learn::network::read_scored;
use hathi_learn::selfplay::{self, Begun, Games, OpenError, PlayedPosition, Settings, Standing};
use hathi_model::drawing::grouped;
use hathi_rules::Board;
use serde::Serialize;

use crate::Answer;
use crate::failure::BadInput;
use crate::terminal::output;
use crate::terminal::progress::CountBar;
use crate::terminal::stop;

/// Search positions of a table or of games and keep what the engine makes of them
///
/// The table is one that `hathi learn network --scored` takes (tab-separated columns side, board,
/// score; .gz or plain), or a file of `hathi learn selfplay`; its scores are not used. With --away the
/// positions are taken some random turns later: boards that a search meets and good play does not
/// lead to. The file is one that `hathi learn selfplay` would
/// write, of games nobody won, so `hathi learn network` trains on it in the same way. Positions the
/// engine did not look at least four steps deep into are left out.
///
/// Ctrl-C loses nothing but a few positions: the same command resumes.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The table
    #[arg(value_name = "TABLE")]
    table: PathBuf,

    /// Where the positions go; if it is there already, scoring resumes
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Who searches, and how deep, as in `hathi arena`
    #[arg(long, value_name = "ENGINE", default_value = "hathi:hash=2,depth=4")]
    engine: String,

    /// Positions a search may look at, at the most
    #[arg(long, value_name = "N", default_value_t = 40_000, value_parser = clap::value_parser!(u64).range(100..))]
    nodes: u64,

    /// Take only the first so many positions of the table
    #[arg(long, value_name = "N")]
    first: Option<usize>,

    /// Take positions one to so many random turns later instead
    #[arg(long, value_name = "TURNS", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=20))]
    away: u32,

    /// With --away: so many of each
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000), requires = "away")]
    copies: u32,

    /// Take them in the middle of a turn: one to three random steps later
    ///
    /// After --away, if both are given. A search values boards with part of a turn gone, too.
    #[arg(long)]
    within: bool,

    /// Instead of each position take so many of those that a search of it looks at, drawn by chance
    ///
    /// What the evaluation is asked about most, and games seldom lead to. The search of the position
    /// and those of what is drawn have the same limits.
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "within", value_parser = clap::value_parser!(u32).range(0..=64))]
    visited: u32,

    /// The random seed of --away, --within and --visited
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,

    /// Searches at the same time
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,

    /// Print a summary as JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  hathi learn score positions.tsv.gz positions.hsp
  hathi learn score games.hsp near.hsp --away 2 --copies 3
  hathi learn score games.hsp within.hsp --away 1 --within
  hathi learn score games.hsp visited.hsp --visited 4 --engine hathi:hash=4 --nodes 4000
  hathi learn network games.hsp positions.hsp -o mine.net";

#[derive(Serialize)]
struct Summary {
    file: String,
    positions: u64,
    interrupted: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    let mut boards = boards(&args.table)?;
    boards.truncate(args.first.unwrap_or(usize::MAX));
    let mut boards = if args.away > 0 {
        selfplay::away(&boards, args.away, args.copies, args.seed)
    } else {
        boards.into_iter().map(Begun::from).collect()
    };
    if args.within {
        boards = selfplay::within(&boards, args.seed);
    }
    let settings = Settings {
        engine: args.engine.clone(),
        nodes: args.nodes,
        seed: args.seed,
        random_turns: args.away,
        // Of no other use here: tells boards in the middle of a turn apart.
        longest: u32::from(args.within),
        setups: Vec::new(),
        visited: args.visited,
    };
    stop::listen();
    let each = u64::from(args.visited.max(1));
    let bar = CountBar::new("positions", boards.len() as u64 * each);
    let show = |standing: Standing| bar.show(standing.positions);
    let stop = stop::for_engines();
    let threads = usize::from(args.threads);
    let standing = selfplay::score(&args.file, &boards, &settings, threads, &stop, &show)
        .map_err(|error| BadInput::error(error.to_string()));
    drop(bar);
    let standing = standing?;
    let summary = Summary {
        file: args.file.display().to_string(),
        positions: standing.positions,
        interrupted: stop::asked(),
    };
    output::show(args.json, &summary, |out| {
        writeln!(
            out,
            "{}: {} positions",
            summary.file,
            grouped(summary.positions as usize)
        )
    })?;
    if stop::asked() {
        output::note("stopped; the same command resumes");
        return Ok(Answer::Interrupted);
    }
    Ok(Answer::Yes)
}

/// The boards of a table or of games, as the side on move sees them.
fn boards(path: &Path) -> anyhow::Result<Vec<Board>> {
    let mut games = match Games::open(path) {
        Ok(games) => games,
        Err(OpenError::NotOurs(_)) => {
            let lessons = read_scored(path).map_err(|error| BadInput::error(error.to_string()))?;
            let boards = lessons.iter().map(|lesson| Board::try_from(lesson.board));
            return Ok(boards.filter_map(Result::ok).collect());
        }
        Err(error) => return Err(BadInput::error(error.to_string())),
    };
    let mut boards = Vec::new();
    while let Some(game) = games.next_game() {
        boards.extend(game.positions.iter().filter_map(PlayedPosition::seen));
    }
    Ok(boards)
}

//! `hathi learn cluster`: phases found in games.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use hathi_archive::{ArchiveReader, Replayer};
use hathi_learn::clusters::{Cluster, Clusters};
use hathi_learn::heatmap::HeatMap;
use hathi_learn::histogram::Histogram;
use hathi_learn::xmeans::{Bic, XMeans};
use hathi_model::phase::PhaseFeatures;
use hathi_rules::Game;
use hathi_store::Filter;
use hathi_view::columns::{Align, Columns};
use hathi_view::numbers::{counted, grouped, rounded};
use serde::Serialize;

use crate::Answer;
use crate::args::store::StoreArgs;
use crate::failure::BadInput;
use crate::terminal::output;
use crate::terminal::progress::{CountBar, GamesBar};
use crate::terminal::stop;

/// Find phases in games: clusters of boards by X-means
///
/// Every position of every game in which both players are rated above --min-rating becomes a point:
/// pieces of the side that has fewer, advanced pieces of the side that has more, goal threat or not,
/// each axis brought to 0..1. X-means (Pelleg and Moore 2000) groups the points and finds out how many
/// groups there are, between --min-clusters and --max-clusters. Choksi, Ebrahim-Zadeh and Mohan (2013)
/// found two, and three when they asked for at least three.
///
/// The clusters are named by their centres and saved with -o, for `hathi phase --clusters`. --heatmaps
/// draws how often which boards occur, without and with a goal threat, as the paper's figures 4 and 5.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Archives of games; the games of the store if none is given
    #[arg(value_name = "ARCHIVE")]
    archives: Vec<PathBuf>,

    /// Only games in which both players are rated higher than this
    #[arg(long, value_name = "N", default_value_t = 1600)]
    min_rating: i32,

    /// No fewer clusters than this
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=50))]
    min_clusters: u8,

    /// No more clusters than this
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=50))]
    max_clusters: u8,

    /// By which form of the information criterion clusters are split
    #[arg(long, value_name = "FORM", default_value = "corrected")]
    bic: BicArg,

    /// Points to group at most; more are thinned out evenly
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(100..))]
    points: u64,

    /// What to start the dice with
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// Save the clusters to this file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Draw figures 4 and 5 into this folder
    #[arg(long, value_name = "DIR")]
    heatmaps: Option<PathBuf>,

    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    store: StoreArgs,
}

const EXAMPLES: &str = "\
Examples:
  hathi learn cluster                                   the games of the store
  hathi learn cluster allgames*.txt --min-clusters 3 -o clusters.json
  hathi learn cluster allgames*.txt --min-clusters 1 --max-clusters 12 --bic as-printed
  hathi learn cluster allgames*.txt --heatmaps . --json | jq .clusters";

/// The form of the criterion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum BicArg {
    /// From the density of round bells
    Corrected,
    /// By the letter of Pelleg and Moore, as Weka has it
    AsPrinted,
}

impl From<BicArg> for Bic {
    fn from(bic: BicArg) -> Bic {
        match bic {
            BicArg::Corrected => Bic::Corrected,
            BicArg::AsPrinted => Bic::AsPrinted,
        }
    }
}

#[derive(Serialize)]
struct Summary<'a> {
    games: u64,
    positions: u64,
    with_goal_threat: u64,
    clusters: &'a [Cluster],
    /// The criterion by number of clusters, in the order in which they were
    /// tried.
    tried: Vec<Tried>,
}

#[derive(Serialize)]
struct Tried {
    clusters: usize,
    bic: f64,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    let (games, boards) = if args.archives.is_empty() {
        from_store(args)?
    } else {
        from_archives(args)?
    };
    if stop::asked() {
        output::note("stopped; nothing was written");
        return Ok(Answer::Interrupted);
    }
    if games == 0 {
        return Err(BadInput::error(format!(
            "no game has two players rated above {}; --min-rating 0 takes all that are rated",
            args.min_rating
        )));
    }
    let x_means = XMeans {
        minimum: args.min_clusters.into(),
        maximum: args.max_clusters.max(args.min_clusters).into(),
        bic: args.bic.into(),
        seed: args.seed,
        ..XMeans::default()
    };
    let made_from = format!(
        "{} of {} with both players above {}; {} to {} clusters, {} criterion, seed {}",
        counted(boards.boards() as usize, "position"),
        counted(games as usize, "game"),
        args.min_rating,
        x_means.minimum,
        x_means.maximum,
        x_means.bic.name(),
        args.seed,
    );
    let points = usize::try_from(args.points).unwrap_or(usize::MAX);
    let (clusters, groups) = Clusters::find(&boards, &x_means, points, made_from)
        .map_err(|error| BadInput::error(error.to_string()))?;
    if let Some(path) = &args.output {
        write_file(path, &clusters.to_text())?;
    }
    if let Some(folder) = &args.heatmaps {
        std::fs::create_dir_all(folder).map_err(|error| cannot_write(folder, &error))?;
        for (figure, threat) in [(4, false), (5, true)] {
            let with = if threat { "with" } else { "without" };
            let title = format!("Figure {figure}: boards {with} a goal threat");
            let map = HeatMap::of(&boards, &clusters, threat, title);
            write_file(&folder.join(format!("figure-{figure}.svg")), &map.svg())?;
        }
    }
    let tried = groups.tried.iter();
    let threats = boards.iter().filter(|(features, _)| features.goal_threat);
    let summary = Summary {
        games,
        positions: boards.boards(),
        with_goal_threat: threats.map(|(_, count)| count).sum(),
        clusters: clusters.all(),
        tried: tried
            .map(|&(clusters, bic)| Tried {
                clusters,
                bic: rounded(bic, 1),
            })
            .collect(),
    };
    output::show(args.json, &summary, |out| summary.write(out))?;
    Ok(Answer::Yes)
}

fn write_file(path: &Path, text: &str) -> anyhow::Result<()> {
    std::fs::write(path, text).map_err(|error| cannot_write(path, &error))
}

fn cannot_write(path: &Path, error: &io::Error) -> anyhow::Error {
    BadInput::error(format!("cannot write {}: {error}", path.display()))
}

/// All positions of a game, from both setups on.
fn add(boards: &mut Histogram, game: &Game) {
    for position in game.positions() {
        boards.add(PhaseFeatures::of(position));
    }
}

fn from_archives(args: &Args) -> anyhow::Result<(u64, Histogram)> {
    stop::listen();
    let reader =
        ArchiveReader::open(&args.archives).map_err(|error| BadInput::error(error.to_string()))?;
    let progress = reader.progress();
    let bar = CountBar::new("bytes read", progress.total_bytes().unwrap_or(0));
    let mut boards = Histogram::default();
    let mut replayer = Replayer::new();
    let mut games = 0;
    let end = reader.for_each(|row| {
        bar.show(progress.bytes_read());
        let row = match row {
            Ok(row) => row,
            // A broken row is one game less.
            Err(error) if error.fault.is_row() => return ControlFlow::Continue(()),
            Err(error) => return ControlFlow::Break(Some(error)),
        };
        let ratings = [hathi_rules::Side::Gold, hathi_rules::Side::Silver].map(|s| row.rating(s));
        if ratings
            .iter()
            .all(|r| r.is_some_and(|r| r > args.min_rating))
        {
            games += 1;
            add(&mut boards, replayer.replay(&row).game);
        }
        stop::flow().map_break(|()| None)
    });
    drop(bar);
    match end {
        ControlFlow::Break(Some(error)) => Err(BadInput::error(error.to_string())),
        _ => Ok((games, boards)),
    }
}

fn from_store(args: &Args) -> anyhow::Result<(u64, Histogram)> {
    let store = args.store.open_games()?;
    stop::listen();
    let filter = Filter {
        min_rating_both: Some(args.min_rating.saturating_add(1)),
        ..Filter::default()
    };
    let bar = GamesBar::new(store.count(&filter)?);
    let mut boards = Histogram::default();
    let mut games = 0;
    let visited = store.visit_filtered(&filter, None, &mut |stored| {
        // What the store keeps is legal; a damaged row is one game less.
        if let Ok(game) = stored.moves.replay(stored.game.rules()) {
            games += 1;
            add(&mut boards, &game);
        }
        if games % 64 == 0 {
            bar.show(games);
        }
        stop::flow()
    });
    bar.finish();
    visited?;
    Ok((games, boards))
}

impl Summary<'_> {
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(
            out,
            "{} positions of {}, {} with a goal threat",
            grouped(self.positions as usize),
            counted(self.games as usize, "game"),
            grouped(self.with_goal_threat as usize),
        )?;
        for tried in &self.tried {
            writeln!(
                out,
                "{}: criterion {:.1}",
                counted(tried.clusters, "cluster"),
                tried.bic
            )?;
        }
        writeln!(out)?;
        let mut table = Columns::new(&[
            ("cluster", Align::Left),
            ("pieces", Align::Right),
            ("advanced", Align::Right),
            ("goal threat", Align::Right),
            ("share", Align::Right),
        ]);
        for cluster in self.clusters {
            table.row([
                cluster.name.clone(),
                format!("{:.1}", cluster.pieces),
                format!("{:.1}", cluster.advanced),
                format!("{:.0} %", 100.0 * cluster.goal_threat),
                format!("{:.1} %", 100.0 * cluster.share),
            ]);
        }
        table.write(out)
    }
}

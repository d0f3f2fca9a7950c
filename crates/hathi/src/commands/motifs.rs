//! `hathi motifs`: named patterns, how often they happen and how they score.

use std::io::{self, Write};
use std::path::PathBuf;

use hathi_archive::GameId;
use hathi_store::{FactsNeeded, Motif};
use hathi_view::columns::{Align, Columns};
use hathi_view::numbers::{counted, grouped};
use hathi_view::{MotifScoreView, MotifTag, MotifView};

use crate::Answer;
use crate::args::filter::FilterArgs;
use crate::args::limit::LimitArg;
use crate::args::store::{StoreArgs, build_facts};
use crate::failure::BadInput;
use crate::terminal::motifs::in_words;
use crate::terminal::output;

/// Named patterns: how often they happen, how they score, where a game has them
///
/// A motif is a pattern with a name: camel hostage, frame, elephant blockade, fork, goal attack. Lists all of
/// them with the number of games that have them and how often whoever had it won; with a name, one
/// of them by rating and by year, with the best examples; with --game, where that game has which.
///
/// Your own motifs are files that end in .motif, in the folder `motifs` beside the usual store: the
/// name in the first line, a paragraph, a line `pattern: ...` written for Gold (see `hathi find
/// --help`), and a board as a picture if you like. One with the name of a shipped one stands for it.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Only this motif, in full
    #[arg(value_name = "MOTIF")]
    name: Option<String>,

    /// Where this game has motifs
    #[arg(long, value_name = "ID", conflicts_with = "name")]
    game: Option<GameId>,

    /// The folder with your own motifs
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,

    #[command(flatten)]
    limit: LimitArg,

    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    store: StoreArgs,

    #[command(flatten)]
    filter: FilterArgs,
}

const EXAMPLES: &str = "\
Examples:
  hathi motifs
  hathi motifs camel-hostage --min-rating 2000
  hathi motifs --game 15";

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    let folder = args.folder.clone().or_else(Motif::usual_folder);
    let (motifs, errors) = Motif::all(folder.as_deref());
    for error in errors {
        output::note(&format!("left out: {error}"));
    }
    match (&args.game, &args.name) {
        (Some(id), _) => of_game(args, *id, &motifs),
        (None, Some(name)) => {
            let wanted =
                |motif: &&Motif| motif.id == *name || motif.name.eq_ignore_ascii_case(name);
            let Some(motif) = motifs.iter().find(wanted) else {
                let names: Vec<&str> = motifs.iter().map(|motif| motif.id.as_str()).collect();
                return Err(BadInput::error(format!(
                    "there is no motif `{name}`; there are {}",
                    names.join(", ")
                )));
            };
            one(args, motif)
        }
        (None, None) => list(args, &motifs),
    }
}

fn ask(args: &Args, motifs: &[Motif], examples: usize) -> anyhow::Result<Vec<MotifView>> {
    let filter = args.filter.filter()?;
    let mut store = args.store.open()?;
    build_facts(&mut *store, FactsNeeded::ALL)?;
    motifs
        .iter()
        .map(|motif| {
            StoreArgs::ask(&mut *store, |store| {
                MotifView::ask(motif, store, &filter, examples)
            })
        })
        .collect()
}

fn list(args: &Args, motifs: &[Motif]) -> anyhow::Result<Answer> {
    let views = ask(args, motifs, args.limit.of(3))?;
    output::show(args.json, &views, |out| {
        let mut table = Columns::new(&[
            ("motif", Align::Left),
            ("name", Align::Left),
            ("games", Align::Right),
            ("positions", Align::Right),
            ("won", Align::Right),
        ]);
        for view in &views {
            table.row([
                view.id.clone(),
                view.name.clone(),
                grouped(view.games as usize),
                grouped(view.positions as usize),
                share(view.score),
            ]);
        }
        table.write(out)
    })?;
    Ok(Answer::Yes)
}

fn share(score: MotifScoreView) -> String {
    score
        .win_rate
        .map_or_else(|| "-".to_owned(), |rate| format!("{:.1}%", rate * 100.0))
}

fn one(args: &Args, motif: &Motif) -> anyhow::Result<Answer> {
    let views = ask(args, std::slice::from_ref(motif), args.limit.of(5))?;
    let Some(view) = views.first() else {
        return Ok(Answer::No);
    };
    output::show(args.json, view, |out| describe(out, view, motif))?;
    Ok(if view.games > 0 {
        Answer::Yes
    } else {
        Answer::No
    })
}

fn describe(out: &mut impl Write, view: &MotifView, motif: &Motif) -> io::Result<()> {
    writeln!(out, "{}\n\n{}\n\n  {}", view.name, view.about, view.pattern)?;
    if let Some(picture) = &motif.picture {
        writeln!(out, "\n{}", picture.long_form())?;
    }
    writeln!(
        out,
        "\n{} have it, at {}. Whoever has it won {}: {} of {}.",
        counted(view.games as usize, "game"),
        counted(view.positions as usize, "position"),
        share(view.score),
        grouped(view.score.wins as usize),
        grouped(view.score.games as usize),
    )?;
    let mut table = Columns::new(&[
        ("of whom", Align::Left),
        ("games", Align::Right),
        ("won", Align::Right),
    ]);
    for row in &view.by_rating {
        table.row([
            format!("rated {} to {}", row.from, row.to),
            grouped(row.score.games as usize),
            share(row.score),
        ]);
    }
    for row in &view.by_year {
        table.row([
            row.year.to_string(),
            grouped(row.score.games as usize),
            share(row.score),
        ]);
    }
    writeln!(out)?;
    table.write(out)?;
    for example in &view.examples {
        writeln!(out, "game {}, {}", example.game, example.r#move)?;
    }
    Ok(())
}

fn of_game(args: &Args, id: GameId, motifs: &[Motif]) -> anyhow::Result<Answer> {
    let store = args.store.open_games()?;
    let stored = match store.row_of(id)? {
        Some(row) => store.game(row)?,
        None => None,
    };
    let Some(stored) = stored else {
        return Err(BadInput::error(format!("there is no game {id}")));
    };
    let tags = MotifTag::of_game(motifs, &stored);
    output::show(args.json, &tags, |out| {
        for tag in &tags {
            writeln!(out, "{}", in_words(tag))?;
        }
        Ok(())
    })?;
    Ok(if tags.is_empty() {
        Answer::No
    } else {
        Answer::Yes
    })
}

//! `hathi study`: games and positions with comments and variations.

use std::io::Write;
use std::path::PathBuf;

use hathi_archive::{Replayer, dates, plain};
use hathi_rules::{Game, RuleSet};
use hathi_store::Memory;
use hathi_view::StudyView;
use hathi_view::columns::{Align, Columns};
use serde::Serialize;

use crate::Answer;
use crate::args::store::StoreArgs;
use crate::failure::BadInput;
use crate::terminal::output;

/// Studies: games and positions with comments and variations
///
/// They are made on the page, in Review, and kept in the store.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

const EXAMPLES: &str = "\
Examples:
  hathi study list
  hathi study show 5f1c
  hathi study export 5f1c -o study.txt
  hathi study remove 5f1c";

#[derive(Debug, clap::Subcommand)]
enum What {
    /// List the studies, the last changed first
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        store: StoreArgs,
    },
    /// Show a study: the moves, and what is said about them
    Show {
        /// What it is known by; the beginning is enough
        id: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        store: StoreArgs,
    },
    /// Write a study as a move list with comments, which Hathi can read
    Export {
        /// What it is known by; the beginning is enough
        id: String,
        /// The file; standard output if left out
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
        #[command(flatten)]
        store: StoreArgs,
    },
    /// Take a study away, for good
    Remove {
        /// What it is known by; the beginning is enough
        id: String,
        #[command(flatten)]
        store: StoreArgs,
    },
}

#[derive(Serialize)]
struct Listed {
    studies: Vec<ListedStudy>,
}

#[derive(Serialize)]
struct ListedStudy {
    id: String,
    title: String,
    changed: i64,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    match &args.what {
        What::List { json, store } => list(*json, &*store.open_games()?),
        What::Show { id, json, store } => {
            let study = find(&*store.open_games()?, id)?;
            let text = annotated(&study)?;
            output::show(*json, &study, |out| out.write_all(text.as_bytes()))?;
            Ok(Answer::Yes)
        }
        What::Export { id, output, store } => {
            let text = annotated(&find(&*store.open_games()?, id)?)?;
            match output {
                Some(file) => std::fs::write(file, text)
                    .map_err(|error| anyhow::anyhow!("{}: {error}", file.display()))?,
                None => output::plain().write_all(text.as_bytes())?,
            }
            Ok(Answer::Yes)
        }
        What::Remove { id, store } => {
            let mut store = store.open_games()?;
            let study = find(&*store, id)?;
            store.remove_study(&study.id)?;
            Ok(Answer::Yes)
        }
    }
}

fn list(json: bool, store: &dyn Memory) -> anyhow::Result<Answer> {
    let studies = store.studies(u64::MAX)?.into_iter();
    let studies: Vec<ListedStudy> = studies
        .map(|study| ListedStudy {
            id: study.id,
            title: study.title,
            changed: study.changed,
        })
        .collect();
    let listed = Listed { studies };
    output::show(json, &listed, |out| {
        if listed.studies.is_empty() {
            return writeln!(out, "No studies.");
        }
        let mut table = Columns::new(&[
            ("id", Align::Left),
            ("changed", Align::Left),
            ("title", Align::Left),
        ]);
        for study in &listed.studies {
            table.row([
                study.id.clone(),
                dates::date(study.changed).unwrap_or_default(),
                output::printable(&study.title).into_owned(),
            ]);
        }
        table.write(out)
    })?;
    Ok(if listed.studies.is_empty() {
        Answer::No
    } else {
        Answer::Yes
    })
}

/// The one study that begins so.
fn find(store: &dyn Memory, id: &str) -> anyhow::Result<StudyView> {
    let kept = if let Some(study) = store.study(id)? {
        Some(study)
    } else {
        let studies = store.studies(u64::MAX)?.into_iter();
        let mut fitting = studies.filter(|study| study.id.starts_with(id));
        let first = fitting.next().filter(|_| !id.is_empty());
        if first.is_some() && fitting.next().is_some() {
            return Err(BadInput::error(format!("several studies begin with {id}")));
        }
        first
    };
    let kept = kept.ok_or_else(|| BadInput::error(format!("there is no study {id}")))?;
    let title = kept.title.clone();
    StudyView::read(kept)
        .ok_or_else(|| anyhow::anyhow!("the study {title:?} was written by another version"))
}

fn annotated(study: &StudyView) -> anyhow::Result<String> {
    let game = match plain::games(study.text.as_bytes()).first() {
        Some(about) => Replayer::new().replay_game(about).game.clone(),
        None => Game::from_position(RuleSet::Modern, study.text.parse()?),
    };
    Ok(study.annotated(&game))
}

//! `hathi study`: games and positions with comments and variations.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use hathi_archive::{Replayer, dates, plain};
use hathi_rules::{Game, RuleSet};
use hathi_store::Memory;
use hathi_view::StudyView;
use hathi_view::columns::{Align, Columns};
use serde::Serialize;

use crate::Answer;
use crate::args::side::SideArg;
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
  hathi study export 5f1c --png --ply 24 -o position.png
  hathi study export 5f1c --gif --variation 1 -o variation.gif
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
    /// Write a study as a move list with comments, which Hathi can read, or as a picture
    Export {
        /// What it is known by; the beginning is enough
        id: String,
        /// The file; standard output if left out
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
        #[command(flatten)]
        picture: PictureArgs,
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

/// What kind of picture, and of what.
#[derive(Debug, clap::Args)]
struct PictureArgs {
    /// A position as PNG, with coordinates
    #[arg(long)]
    png: bool,
    /// The whole game, or a variation, as a moving GIF, with coordinates
    #[arg(long, conflicts_with = "png")]
    gif: bool,
    /// Draw a variation, by its number from 1 in the order of `show`
    #[arg(long, value_name = "N")]
    variation: Option<usize>,
    /// Draw the position after so many turns of the game or of the variation [default: the last]
    #[arg(long, value_name = "TURNS", requires = "png")]
    ply: Option<usize>,
    /// Who sits at the bottom
    #[arg(long, value_enum, default_value_t = SideArg::Gold)]
    side: SideArg,
    /// Width and height in pixels
    #[arg(long, value_name = "PIXELS", default_value_t = 480, value_parser = clap::value_parser!(u32).range(64..=1600))]
    size: u32,
    /// Milliseconds a turn of a GIF
    #[arg(long, value_name = "MS", default_value_t = 700, value_parser = clap::value_parser!(u64).range(20..=10_000))]
    delay: u64,
}

impl PictureArgs {
    /// The picture; none if notation is wanted.
    fn draw(&self, study: &StudyView) -> anyhow::Result<Option<Vec<u8>>> {
        if !self.png && !self.gif {
            if self.variation.is_some() {
                return Err(BadInput::error(
                    "--variation chooses what --png or --gif draws",
                ));
            }
            return Ok(None);
        }
        let wrong = |error: &dyn std::fmt::Display| BadInput::error(error.to_string());
        let game = study
            .shown(&game_of(study)?, self.variation)
            .map_err(|error| wrong(&error))?;
        let bytes = if self.png {
            hathi_web::position_png(&game, self.ply, self.side.into(), self.size)
        } else {
            let delay = Duration::from_millis(self.delay);
            hathi_web::game_gif(&game, self.side.into(), self.size, delay)
        };
        Ok(Some(bytes.map_err(|error| wrong(&error))?))
    }
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
        What::Export {
            id,
            output,
            picture,
            store,
        } => {
            let study = find(&*store.open_games()?, id)?;
            let bytes = match picture.draw(&study)? {
                Some(picture) => picture,
                None => annotated(&study)?.into_bytes(),
            };
            match output {
                Some(file) => std::fs::write(file, bytes)
                    .map_err(|error| anyhow::anyhow!("{}: {error}", file.display()))?,
                None => output::plain().write_all(&bytes)?,
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
    Ok(study.annotated(&game_of(study)?))
}

/// What it is about.
fn game_of(study: &StudyView) -> anyhow::Result<Game> {
    Ok(match plain::games(study.text.as_bytes()).first() {
        Some(about) => Replayer::new().replay_game(about).game.clone(),
        None => Game::from_position(RuleSet::Modern, study.text.parse()?),
    })
}

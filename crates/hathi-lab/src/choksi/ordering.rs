//! Section 5 of the paper: which turns strong players choose.
//!
//! Games are never torn apart: models are tested on games they have not seen.

mod experiments;
mod phases;
mod report;

use std::io::{self, Write};
use std::path::PathBuf;

use hathi_learn::lessons::{self, LessonGame};
use hathi_model::features::FEATURES;
use hathi_view::numbers::counted;

use crate::failure::BadInput;
use crate::folder::{self, Settings};
use crate::watcher::Watcher;

pub use experiments::Results;

/// What is learned from what.
#[derive(Clone, Debug)]
pub struct Request {
    /// Archives to train on and to test on, by game.
    pub tested: Vec<PathBuf>,
    /// Only their games with both players rated so or better.
    pub min_rating: i32,
    /// More archives to train on, of any rating; never tested on.
    pub also: Vec<PathBuf>,
    /// Parts of the games, each tested once by models of the others.
    pub folds: u8,
    /// Trials of each point of the learning curves.
    pub trials: u32,
    /// Test on every so many turns only.
    pub every: u32,
    /// Every random choice follows from it.
    pub seed: u64,
    /// Models trained at the same time.
    pub concurrency: usize,
    /// The folder that gets everything.
    pub out: PathBuf,
}

/// Everything an experiment needs.
struct Games {
    tested: Vec<LessonGame>,
    also: Vec<LessonGame>,
}

impl Request {
    fn read(&self, watcher: &dyn Watcher) -> anyhow::Result<Games> {
        let read = |archives: &[PathBuf], least: i32| {
            let read = lessons::read(archives, |lower| lower >= least);
            let (games, trouble) =
                read.map_err(|error| BadInput::error(format!("cannot read {error}")))?;
            if let Some(trouble) = trouble {
                watcher.note(&format!("not everything could be read: {trouble}"));
            }
            Ok::<_, anyhow::Error>(games)
        };
        let mut games = Games {
            tested: read(&self.tested, self.min_rating)?,
            also: if self.also.is_empty() {
                Vec::new()
            } else {
                read(&self.also, i32::MIN)?
            },
        };
        // The same archive may be named for its other games.
        let last = |game: &LessonGame| game.lessons.last().map(|lesson| lesson.after);
        let same = |one: &LessonGame, other: &LessonGame| {
            (one.id, one.lessons.len()) == (other.id, other.lessons.len())
                && last(one) == last(other)
        };
        let tested = &games.tested;
        games
            .also
            .retain(|game| !tested.iter().any(|tested| same(game, tested)));
        if games.tested.len() < usize::from(self.folds) {
            return Err(BadInput::error(format!(
                "{} with both players rated {} or more are too few for {} parts; lower --min-rating or --folds",
                counted(games.tested.len(), "game"),
                self.min_rating,
                self.folds
            )));
        }
        Ok(games)
    }
}

/// What must be the same for parts of it to belong together.
fn settings(request: &Request, games: &Games) -> Settings {
    let of = |games: &[LessonGame]| {
        let boards = games.iter().flat_map(|game| &game.lessons);
        let mark = boards.fold(0u64, |mark, lesson| {
            mark.rotate_left(1) ^ lesson.position.hash()
        });
        format!("{} ({mark:016x})", counted(games.len(), "game"))
    };
    [
        ("paper", "choksi, move ordering".to_owned()),
        ("seed", request.seed.to_string()),
        ("number of parts", request.folds.to_string()),
        ("number of trials", request.trials.to_string()),
        ("choice of turns", format!("every {}", request.every)),
        ("set of games", of(&games.tested)),
        ("set of other games", of(&games.also)),
        ("number of features", FEATURES.to_string()),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into()
}

/// Does what is not done yet in the folder, and writes the report. None if it
/// was stopped.
pub fn run(request: &Request, watcher: &dyn Watcher) -> anyhow::Result<Option<Results>> {
    let games = request.read(watcher)?;
    let folder = &request.out;
    let _lock = folder::open(folder, &settings(request, &games))?;
    let Some(results) = experiments::run(request, &games, watcher)? else {
        return Ok(None);
    };
    report::document(&results, &games)
        .save(folder)
        .map_err(|error| BadInput::error(format!("cannot write {}: {error}", folder.display())))?;
    Ok(Some(results))
}

impl Results {
    /// The table of models, for the terminal.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        report::words(self, out)
    }
}

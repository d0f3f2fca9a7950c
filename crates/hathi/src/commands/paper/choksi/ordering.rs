//! Section 5 of the paper: which turns strong players choose.
//!
//! Games are never torn apart: models are tested on games they have not seen.

mod experiments;
mod report;

use std::io::Write;
use std::path::PathBuf;

use hathi_learn::lessons::LessonGame;
use hathi_model::features::FEATURES;

use super::super::folder::{self, Settings};
use crate::Answer;
use crate::commands::learn::lessons;
use crate::failure::BadInput;
use crate::output::{self, counted};
use crate::stop;

/// What is learned from what.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Move ordering (section 5)")]
pub(super) struct OrderingArgs {
    /// Rank turns instead of playing matches: train on these archives and test on them, by game
    #[arg(long, value_name = "ARCHIVE", num_args = 1..)]
    ordering: Vec<PathBuf>,

    /// Only games with both players rated N or more
    #[arg(long, value_name = "N", default_value_t = 2100)]
    min_rating: i32,

    /// More games to train on, of any rating; never tested on. Games that are tested are left out, so the
    /// same archives may be named for the rest of their games
    #[arg(long, value_name = "ARCHIVE", num_args = 1..)]
    also: Vec<PathBuf>,

    /// Parts of the games, each tested once by models of the others
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u8).range(2..=50))]
    folds: u8,

    /// Trials of each point of the learning curves
    #[arg(long, value_name = "N", default_value_t = 4)]
    trials: u32,

    /// Test on every Nth turn only
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
}

/// Everything an experiment needs.
struct Games {
    tested: Vec<LessonGame>,
    also: Vec<LessonGame>,
}

impl OrderingArgs {
    /// Was it asked for?
    pub(super) fn asked(&self) -> bool {
        !self.ordering.is_empty()
    }

    fn read(&self) -> anyhow::Result<Games> {
        let mut games = Games {
            tested: lessons::read(&self.ordering, |lower| lower >= self.min_rating)?,
            also: if self.also.is_empty() {
                Vec::new()
            } else {
                lessons::read(&self.also, |_| true)?
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
fn settings(args: &OrderingArgs, games: &Games, seed: u64) -> Settings {
    let of = |games: &[LessonGame]| {
        let boards = games.iter().flat_map(|game| &game.lessons);
        let mark = boards.fold(0u64, |mark, lesson| {
            mark.rotate_left(1) ^ lesson.position.hash()
        });
        format!("{} ({mark:016x})", counted(games.len(), "game"))
    };
    [
        ("paper", "choksi, move ordering".to_owned()),
        ("seed", seed.to_string()),
        ("number of parts", args.folds.to_string()),
        ("number of trials", args.trials.to_string()),
        ("choice of turns", format!("every {}", args.every)),
        ("set of games", of(&games.tested)),
        ("set of other games", of(&games.also)),
        ("number of features", FEATURES.to_string()),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into()
}

pub(super) fn run(args: &super::Args) -> anyhow::Result<Answer> {
    let ordering = &args.ordering;
    let games = ordering.read()?;
    stop::listen();
    let folder = args.out.join("ordering");
    let _lock = folder::open(&folder, &settings(ordering, &games, args.seed))?;
    let found = experiments::run(ordering, &games, args.seed, args.concurrency, &folder)?;
    let Some(results) = found else {
        output::note("stopped; the same command goes on from here");
        return Ok(Answer::Interrupted);
    };
    report::document(&results)
        .save(&folder)
        .map_err(|error| BadInput::error(format!("cannot write {}: {error}", folder.display())))?;
    output::show(args.json, &results, |out| {
        report::words(&results, out)?;
        writeln!(
            out,
            "\nThe report is {}",
            folder.join("report.html").display()
        )
    })?;
    Ok(Answer::Yes)
}

//! The experiments of the papers, for the page: small enough for a visitor.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

use hathi_archive::ArchiveWriter;
use hathi_engine::{EngineKind, Stop};
use hathi_lab::bench::Corpus;
use hathi_lab::carlini;
use hathi_lab::choksi::{ordering, table1};
use hathi_lab::mckee;
use hathi_lab::rat;
use hathi_lab::{Counting, Indexing, Playing, Watcher};
use hathi_store::{Filter, Place};
use hathi_web::{Experiment, ExperimentSize, Follower, Laboratory};

use crate::input::drawn_games;

/// What `hathi paper` does, at sizes for the page.
#[derive(Debug)]
pub(crate) struct Papers;

const SIZES: [&str; 3] = ["small", "medium", "large"];

const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        name: "mckee",
        title: "Does a memory of games help to play?",
        about: "McKee's thesis of 2014: a bot that plays what was played before, against one that only searches. \
            How often is a position known, how long does asking take, who wins?",
        sizes: &[
            ExperimentSize {
                name: SIZES[0],
                about: "4 games a match, a minute or two",
            },
            ExperimentSize {
                name: SIZES[1],
                about: "40 games a match, a quarter of an hour",
            },
            ExperimentSize {
                name: SIZES[2],
                about: "200 games a match, and smaller memories, hours",
            },
        ],
    },
    Experiment {
        name: "dose",
        title: "How often must one play well to win?",
        about: "McKee's bot won 65 % of its games, ours by the letter of his thesis none. Engines that play well \
            with a given chance, and else any turn, against a ladder of opponents; and every reading of his words.",
        sizes: &[
            ExperimentSize {
                name: SIZES[0],
                about: "2 games a cell, only to see what comes out, minutes",
            },
            ExperimentSize {
                name: SIZES[1],
                about: "40 games a cell, an hour",
            },
            ExperimentSize {
                name: SIZES[2],
                about: "200 games a cell, hours",
            },
        ],
    },
    Experiment {
        name: "choksi",
        title: "Does it help to know the phase of the game?",
        about: "Choksi, Ebrahim-Zadeh and Mohan, 2013: an engine that values opening, middle and end game \
            differently, against one that does not.",
        sizes: &[
            ExperimentSize {
                name: SIZES[0],
                about: "4 games one turn ahead, 2 two turns ahead, some minutes",
            },
            ExperimentSize {
                name: SIZES[1],
                about: "40 games one turn ahead, 10 two turns ahead, half an hour",
            },
            ExperimentSize {
                name: SIZES[2],
                about: "1,000 and 300 games, a day",
            },
        ],
    },
    Experiment {
        name: "ordering",
        title: "Which turn would a strong player choose?",
        about: "Section 5 of the same paper: models learn from games to rank the turns of a position. \
            Trained and tested on the games of the memory.",
        sizes: &[
            ExperimentSize {
                name: SIZES[0],
                about: "100 games, some minutes",
            },
            ExperimentSize {
                name: SIZES[1],
                about: "500 games, half an hour",
            },
            ExperimentSize {
                name: SIZES[2],
                about: "2,000 games, hours",
            },
        ],
    },
    Experiment {
        name: "rat",
        title: "Can plans take the place of search?",
        about: "Trippen, 2009: a bot that decides what it wants before it looks at turns, and at a handful of them \
            only. Whom does it beat, and what is its one strategy worth? And are random playouts of any use?",
        sizes: &[
            ExperimentSize {
                name: SIZES[0],
                about: "4 games a match, some minutes",
            },
            ExperimentSize {
                name: SIZES[1],
                about: "40 games a match, half an hour",
            },
            ExperimentSize {
                name: SIZES[2],
                about: "200 games a match, hours",
            },
        ],
    },
    Experiment {
        name: "carlini",
        title: "Why are there so many turns, and what do bitboards help?",
        about: "Carlini, 2008: the rules of steps as sets of squares. His drawings beside the rules, how many turns are possible by \
            move of the games in the memory, how many bytes a board needs, and how fast bitboards are beside a plain array.",
        sizes: &[
            ExperimentSize {
                name: SIZES[0],
                about: "20 games, under a minute",
            },
            ExperimentSize {
                name: SIZES[1],
                about: "200 games, some minutes",
            },
            ExperimentSize {
                name: SIZES[2],
                about: "2,000 games, half an hour",
            },
        ],
    },
];

impl Laboratory for Papers {
    fn experiments(&self) -> &'static [Experiment] {
        EXPERIMENTS
    }

    fn run(
        &self,
        experiment: &Experiment,
        size: &ExperimentSize,
        store: &Place,
        folder: &Path,
        follower: &Follower,
    ) -> Result<bool, String> {
        let size = SIZES
            .iter()
            .position(|name| *name == size.name)
            .unwrap_or(0);
        let done = match experiment.name {
            "mckee" => play_memory(size, store, folder, follower),
            "dose" => play_doses(size, store, folder, follower),
            "choksi" => play_phases(size, folder, follower),
            "rat" => play_plans(size, folder, follower),
            "carlini" => count_turns(size, store, folder, follower),
            _ => rank_turns(size, store, folder, follower),
        };
        done.map_err(|error| format!("{error:#}"))
    }
}

fn play_memory(
    size: usize,
    store: &Place,
    out: &Path,
    follower: &Follower,
) -> anyhow::Result<bool> {
    let request = mckee::Request {
        games: [4, 40, 200][size],
        time: Duration::from_millis(50),
        nodes: None,
        drawn_setups: false,
        seed: 1,
        concurrency: 1,
        store: store.to_string(),
        out: out.to_owned(),
        sizes: Vec::new(),
        ratings: Vec::new(),
        memory_games: [0, 0, 40][size],
        memory_players: vec![EngineKind::Mimic2014],
    };
    let memory = store.open()?;
    let summary = mckee::run(&request, &*memory, &Watching(follower))?;
    Ok(summary.is_complete())
}

fn play_doses(size: usize, store: &Place, out: &Path, follower: &Follower) -> anyhow::Result<bool> {
    let request = mckee::DoseRequest {
        games: [2, 40, 200][size],
        // Two turns ahead takes hours.
        opponents: [7, 7, mckee::OPPONENTS][size],
        seed: 1,
        concurrency: 1,
        store: store.to_string(),
        out: out.to_owned(),
    };
    let memory = store.open()?;
    let summary = mckee::dose(&request, &*memory, &Watching(follower))?;
    Ok(summary.is_complete())
}

fn play_phases(size: usize, out: &Path, follower: &Follower) -> anyhow::Result<bool> {
    let request = table1::Request {
        games: [[4, 2], [40, 10], [1000, 300]][size],
        plain_games: [[4, 0], [40, 0], [1000, 40]][size],
        part_games: [0, 40, 300][size],
        seed: 1,
        concurrency: 1,
        out: out.to_owned(),
    };
    Ok(table1::run(&request, &Watching(follower))?.is_complete())
}

fn play_plans(size: usize, out: &Path, follower: &Follower) -> anyhow::Result<bool> {
    let corpus = Corpus::built_in(|_| {})?;
    let request = rat::Request {
        games: [4, 40, 200][size],
        games_two_turns: [2, 4, 40][size],
        hostages: [2, 20, 50][size],
        positions: [50, 200, 1000][size],
        counted: 16,
        playouts: [200, 2000, 10_000][size],
        seed: 1,
        concurrency: 1,
        out: out.to_owned(),
    };
    Ok(rat::run(&request, &corpus, &Watching(follower))?.is_complete())
}

fn count_turns(
    size: usize,
    store: &Place,
    out: &Path,
    follower: &Follower,
) -> anyhow::Result<bool> {
    let most = [20, 200, 2000][size];
    let archive = out.join("games.txt");
    // The games stay the same when it goes on.
    if !archive.is_file() {
        write_games(store, &archive, most)?;
    }
    let source = "the first ones of the memory";
    let games = drawn_games::of_copy(&archive, most as usize, source)?;
    let request = carlini::Request {
        positions: [50, 300, 1000][size],
        rounds: [5, 15, 25][size],
        out: out.to_owned(),
    };
    Ok(carlini::run(&request, &games, &Watching(follower))?.is_complete())
}

fn rank_turns(size: usize, store: &Place, out: &Path, follower: &Follower) -> anyhow::Result<bool> {
    // The games stay the same when it goes on.
    let games = out.join("games.txt");
    if !games.is_file() {
        write_games(store, &games, [100, 500, 2000][size])?;
    }
    let request = ordering::Request {
        tested: vec![games],
        min_rating: 0,
        also: Vec::new(),
        folds: [2, 3, 5][size],
        trials: [1, 2, 4][size],
        every: [8, 4, 1][size],
        seed: 1,
        concurrency: 1,
        out: out.to_owned(),
    };
    Ok(ordering::run(&request, &Watching(follower))?.is_some())
}

/// The first games of the store that count, as an archive.
fn write_games(store: &Place, path: &Path, most: u64) -> anyhow::Result<()> {
    let memory = store.open_games()?;
    let draft = path.with_extension("tmp");
    let mut writer = ArchiveWriter::new(File::create(&draft)?)?;
    let mut result = Ok(());
    memory.visit_filtered(&Filter::default(), Some(most), &mut |stored| {
        result = stored
            .moves
            .replay(stored.game.rules())
            .map_err(anyhow::Error::from)
            .and_then(|game| {
                let recorded = stored.game.recorded();
                Ok(writer.write(&stored.game.with_game(&game, recorded))?)
            });
        if result.is_ok() {
            std::ops::ControlFlow::Continue(())
        } else {
            std::ops::ControlFlow::Break(())
        }
    })?;
    result?;
    writer.finish()?.flush()?;
    Ok(std::fs::rename(draft, path)?)
}

/// The page as the one who watches.
struct Watching<'a>(&'a Follower);

impl Watcher for Watching<'_> {
    fn note(&self, message: &str) {
        self.0.note(message);
    }

    fn stop(&self) -> Stop {
        self.0.stop()
    }

    fn count(&self, what: &str, total: u64) -> Counting<'_> {
        let what = what.to_owned();
        self.0.stage(&what, 0, total);
        Box::new(move |done| self.0.stage(&what, done, total))
    }

    fn indexing(&self) -> Indexing<'_> {
        #[allow(clippy::cast_sign_loss)] // a share
        Box::new(|stage, share| self.0.stage(stage, (share * 100.0) as u64, 100))
    }

    fn playing(&self, name: &str, games: u64) -> Playing<'_> {
        let name = name.to_owned();
        self.0.stage(&name, 0, games);
        Box::new(move |standings| {
            if let Some(standings) = standings {
                self.0.stage(&name, standings.games, standings.planned);
            }
        })
    }
}

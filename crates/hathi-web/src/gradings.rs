//! How hard puzzles are: what the solver needs, measured once and kept, and how
//! players fared at their first try, counted. In a file of the server's folder;
//! the store has only the puzzles themselves.

use std::collections::{HashMap, HashSet, VecDeque};
use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use hathi_engine::{Effort, Limits, Stop, goal_effort, win_effort};
use hathi_rules::Position;
use serde::{Deserialize, Serialize};

use crate::pool::lock;

/// Positions the solver looks at for a puzzle at most; what needs more is as
/// hard as that.
const MOST_POSITIONS: u64 = 400_000;

/// Who has tried what is remembered for so many tries.
const MOST_REMEMBERED: usize = 200_000;

/// Measurements are kept on disk at least so often while they are made.
const SAVE_EVERY: Duration = Duration::from_secs(10);

/// How hard a puzzle is by what is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Grade {
    /// None until it is measured.
    pub(crate) effort: Option<Effort>,
    /// First tries.
    pub(crate) tries: u64,
    /// Of them right, without a hint.
    pub(crate) solved: u64,
}

impl Grade {
    /// The rating, of the effort and of the tries.
    pub(crate) fn rating(&self) -> Option<u32> {
        let failed = self.tries.saturating_sub(self.solved);
        self.effort
            .map(|effort| effort.rating_after(self.solved, failed))
    }
}

/// What is on disk.
#[derive(Default, Serialize, Deserialize)]
struct Kept {
    /// By position: turns that look right, positions looked at.
    efforts: HashMap<String, (u64, u64)>,
    /// By puzzle: first tries, solved ones.
    tries: HashMap<String, (u64, u64)>,
}

/// A puzzle to be measured.
#[derive(Clone)]
pub(crate) struct ToMeasure {
    pub(crate) position: String,
    /// A goal this turn, not a win in two.
    pub(crate) goal: bool,
}

/// Puzzles that wait for the solver.
#[derive(Default)]
struct Waiting {
    puzzles: VecDeque<ToMeasure>,
    /// Does somebody measure?
    measuring: bool,
}

/// All gradings.
pub(crate) struct Gradings {
    file: PathBuf,
    kept: Mutex<Kept>,
    /// Who has tried what.
    known: Mutex<HashSet<(String, String)>>,
    waiting: Mutex<Waiting>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Gradings {
    pub(crate) fn open(file: PathBuf) -> Gradings {
        let kept = fs::read(&file)
            .ok()
            .and_then(|bytes| serde_json::from_slice(&bytes).ok());
        Gradings {
            file,
            kept: Mutex::new(kept.unwrap_or_default()),
            known: Mutex::default(),
            waiting: Mutex::default(),
            thread: Mutex::new(None),
        }
    }

    pub(crate) fn of(&self, id: &str, position: &str) -> Grade {
        let kept = lock(&self.kept);
        let (tries, solved) = kept.tries.get(id).copied().unwrap_or_default();
        let effort = kept.efforts.get(position);
        Grade {
            effort: effort.map(|&(plausible, positions)| Effort {
                plausible,
                positions,
            }),
            tries,
            solved,
        }
    }

    /// Counts a try, if it is the first of this client at this puzzle.
    pub(crate) fn tried(&self, client: &str, id: &str, solved: bool) {
        {
            let mut known = lock(&self.known);
            if known.len() >= MOST_REMEMBERED {
                known.clear();
            }
            if !known.insert((client.to_owned(), id.to_owned())) {
                return;
            }
        }
        let mut kept = lock(&self.kept);
        let counts = kept.tries.entry(id.to_owned()).or_default();
        counts.0 += 1;
        counts.1 += u64::from(solved);
    }

    /// Measures what is not measured yet, in the background, one after the
    /// other.
    pub(crate) fn measure(self: &std::sync::Arc<Gradings>, puzzles: Vec<ToMeasure>, stop: &Stop) {
        let new: Vec<ToMeasure> = {
            let kept = lock(&self.kept);
            let is_new = |puzzle: &ToMeasure| !kept.efforts.contains_key(&puzzle.position);
            puzzles.into_iter().filter(is_new).collect()
        };
        {
            let mut waiting = lock(&self.waiting);
            waiting.puzzles.extend(new);
            if waiting.puzzles.is_empty() || waiting.measuring {
                return;
            }
            waiting.measuring = true;
        }
        let (gradings, stop) = (self.clone(), stop.clone());
        let thread = std::thread::spawn(move || {
            let mut saved = Instant::now();
            while let Some(puzzle) = gradings.next(&stop) {
                if let Some(effort) = measured(&puzzle, &stop) {
                    let effort = (effort.plausible, effort.positions);
                    lock(&gradings.kept).efforts.insert(puzzle.position, effort);
                }
                if saved.elapsed() > SAVE_EVERY {
                    gradings.save();
                    saved = Instant::now();
                }
            }
            gradings.save();
        });
        *lock(&self.thread) = Some(thread);
    }

    /// The next puzzle to measure. None if there is none, or no time: then
    /// nobody measures any more.
    fn next(&self, stop: &Stop) -> Option<ToMeasure> {
        let mut waiting = lock(&self.waiting);
        let next = waiting.puzzles.pop_front().filter(|_| !stop.asked());
        waiting.measuring = next.is_some();
        next
    }

    /// Waits for the measuring, which has been stopped, and keeps everything.
    pub(crate) fn join(&self) {
        let thread = lock(&self.thread).take();
        if let Some(thread) = thread {
            let _ = thread.join();
        }
        self.save();
    }

    fn save(&self) {
        let json = serde_json::to_vec(&*lock(&self.kept));
        let draft = self.file.with_extension("tmp");
        if let Ok(json) = json
            && fs::write(&draft, json).is_ok()
        {
            let _ = fs::rename(&draft, &self.file);
        }
    }
}

/// What the solver needs. None if it was stopped, or if there is no win.
fn measured(puzzle: &ToMeasure, stop: &Stop) -> Option<Effort> {
    let position: Position = puzzle.position.parse().ok()?;
    let limits = Limits {
        stop: stop.clone(),
        ..Limits::nodes(MOST_POSITIONS)
    };
    let effort = if puzzle.goal {
        goal_effort(&position, &limits)
    } else {
        win_effort(&position, &limits)
    };
    effort.filter(|_| !stop.asked())
}

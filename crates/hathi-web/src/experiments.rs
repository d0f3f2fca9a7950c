//! Experiments started from the page: one at a time, each in its folder, where
//! its report appears. What they are is not known here: whoever starts the
//! server brings the laboratory along.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use hathi_engine::Stop;
use hathi_store::Place;
use serde::Serialize;
use utoipa::ToSchema;

use crate::client::Client;
use crate::error::ApiError;
use crate::pool::lock;
use crate::state::App;

/// Messages of an experiment that are told.
const MOST_NOTES: usize = 50;

/// An experiment that can be done.
#[derive(Clone, Copy, Debug)]
pub struct Experiment {
    /// Its name, for addresses and folders.
    pub name: &'static str,
    /// What it is called.
    pub title: &'static str,
    /// What it is about, in a sentence or two.
    pub about: &'static str,
    /// How large it can be, the smallest first.
    pub sizes: &'static [ExperimentSize],
}

/// How large an experiment is.
#[derive(Clone, Copy, Debug)]
pub struct ExperimentSize {
    /// Its name.
    pub name: &'static str,
    /// What is done, and how long it takes about.
    pub about: &'static str,
}

/// Where experiments are done.
pub trait Laboratory: Send + Sync + fmt::Debug {
    /// All there are.
    fn experiments(&self) -> &'static [Experiment];

    /// Does one, of a size from its list, with the games of this store; it goes
    /// on in a folder where it was stopped. Returns whether it is complete, or
    /// why it cannot be done.
    fn run(
        &self,
        experiment: &Experiment,
        size: &ExperimentSize,
        store: &Place,
        folder: &Path,
        follower: &Follower,
    ) -> Result<bool, String>;
}

/// Who hears how far an experiment is, and may stop it.
#[derive(Clone, Debug, Default)]
pub struct Follower {
    stop: Stop,
    heard: Arc<Mutex<Heard>>,
}

#[derive(Clone, Debug, Default)]
struct Heard {
    stage: String,
    done: u64,
    total: u64,
    notes: Vec<String>,
}

impl Follower {
    /// Raised when the experiment is to stop.
    pub fn stop(&self) -> Stop {
        self.stop.clone()
    }

    /// Something worth knowing.
    pub fn note(&self, words: &str) {
        let notes = &mut lock(&self.heard).notes;
        if notes.len() < MOST_NOTES {
            notes.push(words.to_owned());
        }
    }

    /// What is being done, and how much of it is done.
    pub fn stage(&self, what: &str, done: u64, total: u64) {
        let mut heard = lock(&self.heard);
        what.clone_into(&mut heard.stage);
        (heard.done, heard.total) = (done, total);
    }
}

/// Where an experiment stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum RunState {
    Running,
    Finished,
    Stopped,
    Failed,
}

/// An experiment that runs or ran, as clients see it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct RunView {
    experiment: String,
    size: String,
    /// The report it writes, see `/lab`.
    report: String,
    state: RunState,
    /// What is being done.
    stage: String,
    done: u64,
    total: u64,
    notes: Vec<String>,
    error: Option<String>,
    seconds: f64,
    /// May you stop it?
    yours: bool,
}

struct Run {
    experiment: &'static Experiment,
    size: &'static ExperimentSize,
    owner: String,
    follower: Follower,
    began: Instant,
    end: Mutex<Option<(RunState, Option<String>, Duration)>>,
}

impl Run {
    fn report(&self) -> String {
        format!("{}-{}", self.experiment.name, self.size.name)
    }

    fn view(&self, client: &Client) -> RunView {
        let heard = lock(&self.follower.heard).clone();
        let (state, error, took) =
            lock(&self.end)
                .clone()
                .unwrap_or((RunState::Running, None, self.began.elapsed()));
        RunView {
            experiment: self.experiment.name.to_owned(),
            size: self.size.name.to_owned(),
            report: self.report(),
            state,
            stage: heard.stage,
            done: heard.done,
            total: heard.total,
            notes: heard.notes,
            error,
            seconds: took.as_secs_f64(),
            yours: client.asker.is_local() || self.owner == client.id,
        }
    }

    fn is_running(&self) -> bool {
        lock(&self.end).is_none()
    }
}

/// The one that runs, or the last one.
#[derive(Default)]
pub(crate) struct Experiments {
    last: Mutex<Option<Arc<Run>>>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Experiments {
    pub(crate) fn last(&self, client: &Client) -> Option<RunView> {
        lock(&self.last).as_ref().map(|run| run.view(client))
    }

    /// Begins one; another must not be running.
    pub(crate) fn start(
        &self,
        app: &App,
        client: &Client,
        name: &str,
        size: Option<&str>,
    ) -> Result<RunView, ApiError> {
        let laboratory = laboratory(app)?;
        let experiment = (laboratory.experiments().iter())
            .find(|experiment| experiment.name == name)
            .ok_or_else(|| ApiError::not_found("there is no such experiment"))?;
        let size = match size {
            None => experiment.sizes.first(),
            Some(wanted) => experiment.sizes.iter().find(|size| size.name == wanted),
        };
        let size = size.ok_or_else(|| {
            let names: Vec<_> = experiment.sizes.iter().map(|size| size.name).collect();
            ApiError::bad_request(format!("`size` is one of {}", names.join(", ")))
        })?;
        let mut last = lock(&self.last);
        if last.as_ref().is_some_and(|run| run.is_running()) {
            return Err(ApiError::too_many(
                "an experiment is running: stop it first, or wait for its end",
            ));
        }
        let run = Arc::new(Run {
            experiment,
            size,
            owner: client.id.clone(),
            follower: Follower::default(),
            began: Instant::now(),
            end: Mutex::new(None),
        });
        *last = Some(run.clone());
        drop(last);
        let view = run.view(client);
        let app = app.clone();
        *lock(&self.thread) = Some(std::thread::spawn(move || work(&app, &*laboratory, &run)));
        Ok(view)
    }

    /// Stops the one that runs; started again, it goes on from there.
    pub(crate) fn stop(&self, client: &Client) -> Result<RunView, ApiError> {
        let last = lock(&self.last).clone();
        let run = last.filter(|run| run.is_running());
        let run = run.ok_or_else(|| ApiError::conflict("no experiment is running"))?;
        let view = run.view(client);
        if !view.yours {
            return Err(ApiError::foreign(
                "this experiment was started by somebody else",
            ));
        }
        run.follower.stop.now();
        Ok(view)
    }

    pub(crate) fn end(&self) {
        if let Some(run) = &*lock(&self.last) {
            run.follower.stop.now();
        }
    }

    pub(crate) fn join(&self) {
        let thread = lock(&self.thread).take();
        if let Some(thread) = thread {
            let _ = thread.join();
        }
    }
}

pub(crate) fn laboratory(app: &App) -> Result<Arc<dyn Laboratory>, ApiError> {
    let laboratory = app.config.laboratory.clone();
    laboratory.ok_or_else(|| ApiError::not_found("this server has no laboratory"))
}

fn work(app: &App, laboratory: &dyn Laboratory, run: &Run) {
    let folder: PathBuf = app.config.data.join("lab").join(run.report());
    let result = std::fs::create_dir_all(&folder)
        .map_err(|error| format!("no folder for the report can be made: {}", error.kind()))
        .and_then(|()| {
            let place = app.pool.place();
            laboratory.run(run.experiment, run.size, place, &folder, &run.follower)
        });
    let (state, error) = match result {
        Ok(true) => (RunState::Finished, None),
        Ok(false) => (RunState::Stopped, None),
        Err(words) => (RunState::Failed, Some(app.discreet(words))),
    };
    *lock(&run.end) = Some((state, error, run.began.elapsed()));
}

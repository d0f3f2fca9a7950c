//! Which store, and opening it.

use std::ffi::OsString;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

#[cfg(feature = "postgres")]
use hathi_store::ServerError;
use hathi_store::{DatabaseError, FactsNeeded, IndexError, Memory, OpenMode, Place, StoreError};

use crate::failure::BadInput;
use crate::terminal::output;
use crate::terminal::progress::IndexBar;
use crate::terminal::stop;

/// Where the store is, unless the option says so.
const VARIABLE: &str = "HATHI_STORE";

/// The option of every command that touches games.
#[derive(Debug, clap::Args)]
#[allow(clippy::doc_markdown)] // help is read as it is
pub(crate) struct StoreArgs {
    /// The store, a file or postgres://...; by default hathi/hathi.db in your data directory
    ///
    /// A file is an SQLite database with the games; the index of their positions is beside it, in a
    /// file of the same name with .index at the end. By default the store is hathi/hathi.db in
    /// $XDG_DATA_HOME, or in ~/.local/share if that is not set.
    ///
    /// postgres://user:password@host:5432/database keeps games and positions in a PostgreSQL
    /// database, for many clients at once; postgres:///database?host=/run/postgresql goes through a
    /// socket, &options=-csearch_path%3DNAME uses a schema of that name. The database, and the
    /// schema, must exist; Hathi makes its tables. Rather than on the command line, where others can
    /// read it, put a URL with a password into HATHI_STORE, or the password into ~/.pgpass.
    /// &sslmode=verify-full&sslrootcert=FILE makes sure that it is the right server; service files
    /// and PGSSL variables are read as by psql.
    #[arg(
        long,
        value_name = "PATH|URL",
        env = VARIABLE,
        hide_env_values = true,
        display_order = 90
    )]
    store: Option<OsString>,
}

impl StoreArgs {
    /// Has the user said where it is?
    pub(crate) fn is_given(&self) -> bool {
        self.store.is_some()
    }

    pub(crate) fn place(&self) -> anyhow::Result<Place> {
        // An empty variable is as good as none; an empty option is a mistake,
        // most likely a variable of somebody's script that is not set.
        let of_variable = std::env::var_os(VARIABLE).is_some_and(|value| value.is_empty());
        if self.store.as_ref().is_some_and(|store| store.is_empty()) && !of_variable {
            return Err(BadInput::error(
                "--store is empty: say where the store is, or leave the option out",
            ));
        }
        let Some(store) = self.store.as_ref().filter(|store| !store.is_empty()) else {
            return Place::usual().ok_or_else(|| {
                BadInput::error(
                    "there is no data directory, as neither HOME nor XDG_DATA_HOME is set: \
                     say where the store is with --store PATH",
                )
            });
        };
        Place::new(store).map_err(explain)
    }

    /// Opens a store to ask it something; it must be there. An index that
    /// is needed and not there, or of no use, is built first.
    pub(crate) fn open(&self) -> anyhow::Result<Box<dyn Memory>> {
        let (mut store, place) = self.open_quietly()?;
        let trouble = trouble(&*store);
        if !store.is_ready() {
            let why = trouble.unwrap_or_else(|| "behind the games".to_owned());
            output::note(&format!("the index of {place} is {why}; building it"));
            rebuild(&mut *store)?;
        } else if let Some(trouble) = trouble
            && store.totals()?.games > 0
        {
            output::note(&format!(
                "the index of {place} is {trouble}; `hathi index --rebuild` makes a new one; \
                 answering from the games meanwhile"
            ));
        }
        Ok(store)
    }

    /// Asks a store. An index that turns out to be damaged while it is read
    /// is built again, and the question asked once more.
    pub(crate) fn ask<T>(
        store: &mut dyn Memory,
        question: impl Fn(&dyn Memory) -> Result<T, StoreError>,
    ) -> anyhow::Result<T> {
        match question(store) {
            Err(StoreError::Index(error @ IndexError::Damaged(_))) => {
                output::note(&format!("{error}; building it again"));
                rebuild(store)?;
                Ok(question(store)?)
            }
            answer => Ok(answer?),
        }
    }

    /// The same for who looks after the index and tells about it.
    pub(crate) fn open_quietly(&self) -> anyhow::Result<(Box<dyn Memory>, Place)> {
        let place = self.existing_place()?;
        let store = place.open().map_err(explain)?;
        note_mode(&*store, &place);
        Ok((store, place))
    }

    /// For questions that are not about positions.
    pub(crate) fn open_games(&self) -> anyhow::Result<Box<dyn Memory>> {
        let place = self.existing_place()?;
        let store = place.open_games().map_err(explain)?;
        note_mode(&*store, &place);
        Ok(store)
    }

    /// Where a store is that must be there.
    pub(crate) fn existing_place(&self) -> anyhow::Result<Place> {
        let place = self.place()?;
        if let Some(path) = place.file() {
            if !path.try_exists().unwrap_or(true) {
                anyhow::bail!(
                    "there is no store at {} yet; `hathi import` makes one",
                    path.display()
                );
            }
            refuse_folder(path)?;
        }
        Ok(place)
    }

    /// Opens a store to add something; it is made if need be.
    pub(crate) fn open_or_make(&self) -> anyhow::Result<(Box<dyn Memory>, Place)> {
        let place = self.prepared_place()?;
        Ok((place.open_or_make().map_err(explain)?, place))
    }

    /// The place of a store that is made if need be: its folder is there.
    pub(crate) fn prepared_place(&self) -> anyhow::Result<Place> {
        let place = self.place()?;
        if let Some(path) = place.file() {
            if let Some(folder) = path.parent()
                && !folder.as_os_str().is_empty()
            {
                fs::create_dir_all(folder).map_err(|error| {
                    BadInput::error(format!("cannot make {}: {error}", folder.display()))
                })?;
            }
            refuse_folder(path)?;
        }
        Ok(place)
    }
}

/// Says so if a store can only be read.
fn note_mode(store: &dyn Memory, place: &Place) {
    let what = match store.mode() {
        OpenMode::ReadWrite => return,
        OpenMode::ReadOnly => "",
        OpenMode::Immutable => ", as it was when it was opened",
    };
    output::note(&format!("{place} cannot be written: reading it{what}"));
}

/// Before a question can be answered.
fn rebuild(store: &mut dyn Memory) -> anyhow::Result<()> {
    // Without `stop::listen` Ctrl-C ends the program.
    build_index(store, 0).map(|_| ())
}

/// Builds the index with a bar; Ctrl-C breaks it off if the command listens.
pub(crate) fn build_index(
    store: &mut dyn Memory,
    threads: usize,
) -> anyhow::Result<ControlFlow<()>> {
    let bar = IndexBar::new();
    let built = store.build_index_or_stop(threads, &mut |stage, share| {
        bar.show(stage, share);
        stop::flow()
    });
    drop(bar);
    match built {
        Ok(()) => Ok(ControlFlow::Continue(())),
        Err(StoreError::Index(IndexError::Stopped)) => Ok(ControlFlow::Break(())),
        Err(error) => Err(error.into()),
    }
}

/// Works out, with a bar, what questions with these facts look at.
pub(crate) fn build_facts(store: &mut dyn Memory, needs: FactsNeeded) -> anyhow::Result<()> {
    if needs.is_empty() {
        return Ok(());
    }
    let bar = IndexBar::named("facts:");
    store.build_facts(needs, 0, &mut |stage, share| {
        bar.show(stage, share);
        stop::flow()
    })?;
    Ok(())
}

fn refuse_folder(path: &Path) -> anyhow::Result<()> {
    if path.is_dir() {
        return Err(BadInput::error(format!(
            "{} is a folder: --store takes the name of a file",
            path.display()
        )));
    }
    Ok(())
}

/// A file that is no store is the user's mistake, not ours.
pub(crate) fn explain(error: StoreError) -> anyhow::Error {
    match error {
        StoreError::Database(DatabaseError::Foreign(path)) => BadInput::error(format!(
            "{} is not a store of Hathi but some other file; it was left as it is",
            path.display()
        )),
        error @ StoreError::WithoutPostgres => BadInput::error(error.to_string()),
        #[cfg(feature = "postgres")]
        StoreError::Server(error @ (ServerError::BadUrl(_) | ServerError::Foreign(_))) => {
            BadInput::error(error.to_string())
        }
        error => error.into(),
    }
}

/// What is wrong with the index: "missing", "damaged: ...".
pub(crate) fn trouble(store: &dyn Memory) -> Option<String> {
    store.index_trouble().map(|trouble| match trouble {
        IndexError::Missing => "missing".to_owned(),
        IndexError::Stale => "stale: it does not belong to the games as they are now".to_owned(),
        IndexError::Damaged(what) => format!("damaged: {what}"),
        other => format!("of no use: {other}"),
    })
}

//! Tables in a folder for each year, as readers of many files like them: they
//! leave out the years that nobody asks for.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use hathi_archive::dates;

use super::{CompleteExport, ExportError, ExportSummary, ParquetExport};
use crate::model::StoredGame;

/// Rows of all years that are held in memory at most.
const MOST_ROWS: usize = 1 << 18;

/// The year of games of which nobody knows when they began, by the name that
/// Hive has for none.
const NO_YEAR: &str = "__HIVE_DEFAULT_PARTITION__";

/// Writes games, and their positions if asked, to folders `year=2011` and so on,
/// by the year in which they began (UTC).
///
/// As with [`ParquetExport`], files have other names until
/// [`finish`](YearlyExport::finish); given up before, they are gone and the
/// folders with them.
pub struct YearlyExport {
    games: PathBuf,
    positions: Option<PathBuf>,
    threads: usize,
    years: BTreeMap<String, ParquetExport>,
    summary: ExportSummary,
    // After the files in them.
    folders: MadeFolders,
}

impl YearlyExport {
    /// Begins in these folders, which must be empty if they are there.
    /// `threads` of 0 means as many as there are cores.
    pub fn create(
        games: &Path,
        positions: Option<&Path>,
        threads: usize,
    ) -> Result<YearlyExport, ExportError> {
        let mut folders = MadeFolders::default();
        for folder in [Some(games), positions].into_iter().flatten() {
            folders.make(folder)?;
            let filled = fs::read_dir(folder).map(|mut entries| entries.next().is_some());
            let error = match filled {
                Ok(false) => continue,
                // What is there would be read with what is written now.
                Ok(true) => io::Error::other("the folder is not empty"),
                Err(error) => error,
            };
            let path = folder.to_owned();
            return Err(ExportError::Io { path, error });
        }
        Ok(YearlyExport {
            games: games.to_owned(),
            positions: positions.map(Path::to_owned),
            threads,
            years: BTreeMap::new(),
            summary: ExportSummary::default(),
            folders,
        })
    }

    /// Adds a game with all its positions.
    pub fn write(&mut self, stored: StoredGame) -> Result<(), ExportError> {
        let year = year_of(stored.game.start);
        if !self.years.contains_key(&year) {
            let export = self.begin(&year)?;
            self.years.insert(year.clone(), export);
        }
        if let Some(export) = self.years.get_mut(&year) {
            self.summary.positions = export.write_after(stored, self.summary.positions)?;
            self.summary.games += 1;
        }
        // Games of one year come together as a rule; where they do not, the
        // year with the most rows gets a row group that is not full.
        let held = |export: &ParquetExport| export.rows_held();
        if self.years.values().map(held).sum::<usize>() > MOST_ROWS
            && let Some(fullest) = self.years.values_mut().max_by_key(|export| held(export))
        {
            fullest.write_groups()?;
        }
        Ok(())
    }

    fn begin(&mut self, year: &str) -> Result<ParquetExport, ExportError> {
        let mut file = |folder: &Path, name: &str| {
            let folder = folder.join(format!("year={year}"));
            self.folders.make(&folder)?;
            Ok(folder.join(name))
        };
        let games = file(&self.games, "games.parquet")?;
        let positions = self
            .positions
            .as_deref()
            .map(|folder| file(folder, "positions.parquet"))
            .transpose()?;
        ParquetExport::create(&games, positions.as_deref(), self.threads)
    }

    /// Completes the files and gives them their names.
    pub fn finish(self) -> Result<ExportSummary, ExportError> {
        // All complete before any has its name.
        let complete: Vec<CompleteExport> = self
            .years
            .into_values()
            .map(ParquetExport::complete)
            .collect::<Result<_, _>>()?;
        for export in complete {
            export.publish()?;
        }
        self.folders.keep();
        Ok(self.summary)
    }
}

fn year_of(started: Option<i64>) -> String {
    let date = started.and_then(dates::date);
    let year = date.as_deref().and_then(|date| date.split_once('-'));
    year.map_or(NO_YEAR, |(year, _)| year).to_owned()
}

/// Folders that were not there. Empty ones go again, the last one first.
#[derive(Default)]
struct MadeFolders(Vec<PathBuf>);

impl MadeFolders {
    fn make(&mut self, folder: &Path) -> Result<(), ExportError> {
        match fs::create_dir(folder) {
            Ok(()) => {
                self.0.push(folder.to_owned());
                Ok(())
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && folder.is_dir() => Ok(()),
            Err(error) => Err(ExportError::Io {
                path: folder.to_owned(),
                error,
            }),
        }
    }

    fn keep(mut self) {
        self.0.clear();
    }
}

impl Drop for MadeFolders {
    fn drop(&mut self) {
        for folder in self.0.iter().rev() {
            let _ = fs::remove_dir(folder);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn years_are_those_of_the_calendar() {
        assert_eq!(year_of(Some(0)), "1970");
        assert_eq!(year_of(Some(1_293_839_999)), "2010");
        assert_eq!(year_of(Some(1_293_840_000)), "2011");
        assert_eq!(year_of(None), NO_YEAR);
    }
}

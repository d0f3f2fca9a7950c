//! Games to learn from, out of archives.

use std::path::PathBuf;

use hathi_learn::lessons::{self, LessonGame};

use crate::failure::BadInput;
use crate::terminal::output;

/// Which games.
#[derive(Debug, clap::Args)]
pub(crate) struct LessonArgs {
    /// Archives of games, or folders of them
    #[arg(long, value_name = "ARCHIVE", required = true, num_args = 1..)]
    pub(crate) games: Vec<PathBuf>,

    /// Only games with both players rated N or more
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) min_rating: i32,

    /// Only games with a player rated less than N
    #[arg(long, value_name = "N")]
    pub(crate) below_rating: Option<i32>,
}

impl LessonArgs {
    /// Reads the games, those without a legal turn left out.
    pub(crate) fn read(&self) -> anyhow::Result<Vec<LessonGame>> {
        let [_, games] = self.read_apart(i32::MIN)?;
        Ok(games)
    }

    /// The same, first those with a player rated below this, then those without.
    pub(crate) fn read_apart(&self, rating: i32) -> anyhow::Result<[Vec<LessonGame>; 2]> {
        let wanted = |lower: i32| {
            lower >= self.min_rating && self.below_rating.is_none_or(|limit| lower < limit)
        };
        let below = match rating {
            i32::MIN => Vec::new(),
            _ => read(&self.games, |lower| wanted(lower) && lower < rating)?,
        };
        let games = read(&self.games, |lower| wanted(lower) && lower >= rating)?;
        if below.is_empty() && games.is_empty() {
            return Err(BadInput::error(format!(
                "no game has two players rated {} or more; --min-rating 0 takes all",
                self.min_rating
            )));
        }
        Ok([below, games])
    }

    /// What these games are, in words.
    pub(crate) fn describe(&self) -> String {
        let mut parts = vec![names(&self.games).join(", ")];
        if self.min_rating > 0 {
            parts.push(format!("both rated {} or more", self.min_rating));
        }
        if let Some(limit) = self.below_rating {
            parts.push(format!("one rated below {limit}"));
        }
        parts.join("; ")
    }
}

/// The names of files, without where they are.
pub(crate) fn names(paths: &[PathBuf]) -> Vec<String> {
    paths
        .iter()
        .filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned()))
        .collect()
}

/// Reads the games whose lower rating (0 if there is none) is wanted.
pub(crate) fn read(
    archives: &[PathBuf],
    wanted: impl Fn(i32) -> bool,
) -> anyhow::Result<Vec<LessonGame>> {
    let (games, trouble) = lessons::read(archives, wanted)
        .map_err(|error| BadInput::error(format!("cannot read {error}")))?;
    if let Some(error) = trouble {
        output::note(&format!("not everything could be read: {error}"));
    }
    Ok(games)
}

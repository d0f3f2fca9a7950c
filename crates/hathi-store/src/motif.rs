//! Motifs: patterns with a name, each a text file that anybody can write.
//!
//! ```text
//! Camel hostage
//!
//! The silver camel is frozen by the gold elephant beside a trap of Gold's ...
//!
//! pattern: hostage(m by E) for 4 turns
//!
//! 8| . . . . . . . . |      (a position as its picture, if you like)
//! ...
//! ```
//!
//! The first line is the name, then comes a paragraph. The pattern is written for
//! Gold: Gold is who should gain by it, and "how it scores" is how often Gold wins
//! (or Silver, where a game has it with exchanged colours).

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use hathi_rules::{Ply, Position, Side, Symmetry};

use crate::error::StoreError;
use crate::filter::Filter;
use crate::index::{AllowedGames, BuildGame, Gathered, GatheredSearch};
use crate::memory::Memory;
use crate::model::StoredGame;
use crate::pattern::{Pattern, PatternError, PatternHit};
use crate::question::{Matching, PatternQuestion};

/// A pattern with a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Motif {
    /// The name of its file, without the ending: `camel-hostage`.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// A paragraph about it.
    pub about: String,
    /// What it is, exactly; Gold is who should gain by it.
    pub pattern: Pattern,
    /// A position to look at.
    pub picture: Option<Position>,
}

/// A file that is no motif.
#[derive(Debug, thiserror::Error)]
pub enum MotifError {
    /// It cannot be read.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// It is too long to be one.
    #[error("{0}: a motif has at most 64 kB")]
    TooLong(String),
    /// No name in the first line.
    #[error("{0}: the first line is the name of the motif, this one has none")]
    NoName(String),
    /// No line `pattern: ...`.
    #[error("{0}: there is no line `pattern: ...`")]
    NoPattern(String),
    /// The pattern cannot be read.
    #[error("{id}: the pattern cannot be read: {error}")]
    Pattern {
        /// Which motif.
        id: String,
        /// Why.
        error: PatternError,
    },
    /// The picture is no position.
    #[error("{id}: the picture is no position: {error}")]
    Picture {
        /// Which motif.
        id: String,
        /// Why.
        error: hathi_rules::ParsePositionError,
    },
}

/// Bytes of a file at most.
const LONGEST: u64 = 1 << 16;

macro_rules! shipped {
    ($($id:literal),* $(,)?) => {
        /// The motifs that come with Hathi, and their files.
        const SHIPPED: &[(&str, &str)] =
            &[$(($id, include_str!(concat!("../motifs/", $id, ".motif")))),*];
    };
}

shipped![
    "camel-hostage",
    "horse-hostage",
    "frame",
    "elephant-blockade",
    "fork",
    "eh-attack",
    "rabbit-pull",
    "camel-captured",
    "goal-attack",
    "goal-attack-far",
    "goal-missed",
    "trap-control",
];

impl Motif {
    /// Reads the text of a file.
    ///
    /// ```
    /// use hathi_store::Motif;
    /// let motif = Motif::parse("fork", "Fork\n\nTwo at once.\n\npattern: gold fork\n")?;
    /// assert_eq!((motif.name.as_str(), motif.about.as_str()), ("Fork", "Two at once."));
    /// # Ok::<(), hathi_store::MotifError>(())
    /// ```
    pub fn parse(id: &str, text: &str) -> Result<Motif, MotifError> {
        let mut lines = text.lines().map(str::trim_end);
        let name = lines.by_ref().map(str::trim).find(|line| !line.is_empty());
        let name = name.ok_or_else(|| MotifError::NoName(id.to_owned()))?;
        let (mut about, mut picture) = (Vec::new(), Vec::new());
        let mut pattern = None;
        for line in lines {
            let word = line.trim();
            if let Some(text) = word.strip_prefix("pattern:") {
                // Several lines are one pattern.
                let all: &mut String = pattern.get_or_insert_default();
                all.push(' ');
                all.push_str(text.trim());
            } else if word.contains('|') || (!picture.is_empty() && !word.is_empty()) {
                picture.push(line);
            } else if pattern.is_none() && !word.is_empty() {
                about.push(word);
            }
        }
        let pattern = pattern.ok_or_else(|| MotifError::NoPattern(id.to_owned()))?;
        let pattern = Pattern::parse(pattern.trim()).map_err(|error| MotifError::Pattern {
            id: id.to_owned(),
            error,
        })?;
        let picture = if picture.is_empty() {
            None
        } else {
            let side = pattern.mover().unwrap_or(Side::Gold);
            let drawn = format!("{side}\n{}", picture.join("\n"));
            Some(drawn.parse().map_err(|error| MotifError::Picture {
                id: id.to_owned(),
                error,
            })?)
        };
        Ok(Motif {
            id: id.to_owned(),
            name: name.to_owned(),
            about: about.join(" "),
            pattern,
            picture,
        })
    }

    /// Those that come with Hathi.
    pub fn shipped() -> Vec<Motif> {
        let all = SHIPPED.iter();
        all.filter_map(|(id, text)| Motif::parse(id, text).ok())
            .collect()
    }

    /// Those that come with Hathi and those of a folder (files `*.motif`), which
    /// may have a shipped one's name and then stand for it. Files that are no
    /// motifs are told beside them.
    pub fn all(folder: Option<&Path>) -> (Vec<Motif>, Vec<MotifError>) {
        let mut motifs: BTreeMap<String, Motif> = BTreeMap::new();
        for motif in Motif::shipped() {
            motifs.insert(motif.id.clone(), motif);
        }
        let mut errors = Vec::new();
        let entries = folder.and_then(|folder| fs::read_dir(folder).ok());
        for path in entries
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path())
        {
            if path.extension().is_none_or(|ending| ending != "motif") {
                continue;
            }
            match Motif::read(&path) {
                Ok(motif) => {
                    motifs.insert(motif.id.clone(), motif);
                }
                Err(error) => errors.push(error),
            }
        }
        (motifs.into_values().collect(), errors)
    }

    fn read(path: &Path) -> Result<Motif, MotifError> {
        let failed = |error| MotifError::Io {
            path: path.to_owned(),
            error,
        };
        let id = path.file_stem().unwrap_or_default().to_string_lossy();
        if fs::metadata(path).map_err(failed)?.len() > LONGEST {
            return Err(MotifError::TooLong(id.into_owned()));
        }
        Motif::parse(&id, &fs::read_to_string(path).map_err(failed)?)
    }

    /// Where people keep their own: `motifs` beside the usual store.
    pub fn usual_folder() -> Option<PathBuf> {
        let place = crate::place::Place::usual()?;
        Some(place.file()?.parent()?.join("motifs"))
    }

    /// How often it happens, and how it scores.
    pub fn ask(
        &self,
        store: &dyn Memory,
        filter: &Filter,
        examples: usize,
    ) -> Result<MotifStats, StoreError> {
        // All hits: of one a game, the best would be chosen by who won, and no
        // score could be believed.
        let question = PatternQuestion {
            filter: filter.clone(),
            ..PatternQuestion::new(self.pattern.clone())
        };
        let answer = store.search(&question)?;
        let mut stats = MotifStats {
            positions: answer.hits,
            games: answer.games,
            score: MotifScore::default(),
            by_rating: BTreeMap::new(),
            by_year: BTreeMap::new(),
            examples: Vec::new(),
        };
        let (mut games, mut owners) = (HashSet::new(), HashSet::new());
        for hit in answer.best {
            let owner = hit.symmetry.apply(Side::Gold);
            if owners.insert((hit.game, owner))
                && let Some(winner) = hit.winner
            {
                let won = winner == owner;
                stats.score.add(won);
                if let Some(rating) = hit.ratings[owner] {
                    let band = stats.by_rating.entry(rating / BAND * BAND).or_default();
                    band.add(won);
                }
                if let Some(year) = hit.started.and_then(year_of) {
                    stats.by_year.entry(year).or_default().add(won);
                }
            }
            if games.insert(hit.game) && stats.examples.len() < examples {
                stats.examples.push(hit);
            }
        }
        Ok(stats)
    }

    /// The stretches of a game that have it. What overlaps, or begins within two
    /// turns of an end, is one stretch.
    pub fn stretches(&self, stored: &StoredGame) -> Vec<MotifStretch> {
        let question = PatternQuestion {
            matching: Matching::Symmetric,
            ..PatternQuestion::new(self.pattern.clone())
        };
        let allowed = AllowedGames::All;
        let mut search = GatheredSearch::new(&question, &allowed);
        let mut gathered = Gathered::default();
        gathered.add(&BuildGame::of(stored));
        search.add(&gathered);
        let mut hits = search.finish().best;
        hits.sort_by_key(|hit| (hit.symmetry.flip, hit.ply));
        let mut found: Vec<MotifStretch> = Vec::new();
        for hit in &hits {
            let side = hit.symmetry.apply(Side::Gold);
            match found.last_mut() {
                Some(known) if known.side == side && hit.ply.get() <= known.last.get() + 2 => {
                    known.last = known.last.max(hit.last);
                }
                _ => found.push(MotifStretch {
                    first: hit.ply,
                    last: hit.last,
                    side,
                    change: hit.symmetry,
                }),
            }
        }
        found.sort_by_key(|stretch| stretch.first);
        found
    }
}

/// Ratings in one row of the statistics.
pub const BAND: u16 = 200;

/// How often a motif happens, and how it scores.
#[derive(Clone, Debug)]
pub struct MotifStats {
    /// Positions that have it, or where it begins.
    pub positions: u64,
    /// Games that have it.
    pub games: u64,
    /// How its owners did, in games that somebody won. A side that has it
    /// counts once a game; both may.
    pub score: MotifScore,
    /// The same by the rating of its owner, where that is known: 1800 stands for 1800
    /// to 1999.
    pub by_rating: BTreeMap<u16, MotifScore>,
    /// The same by year.
    pub by_year: BTreeMap<i64, MotifScore>,
    /// The best examples, one a game.
    pub examples: Vec<PatternHit>,
}

/// Games and how many of them were won.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MotifScore {
    /// Sides that had it, of games with a winner.
    pub games: u64,
    /// Won by whoever had the motif.
    pub wins: u64,
}

impl MotifScore {
    fn add(&mut self, won: bool) {
        self.games += 1;
        self.wins += u64::from(won);
    }

    /// Share of wins, 0 to 1; none without games.
    pub fn share(self) -> Option<f64> {
        (self.games > 0).then(|| self.wins as f64 / self.games as f64)
    }
}

/// Part of a game that has a motif.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MotifStretch {
    /// Before this turn it begins.
    pub first: Ply,
    /// Before this one it is there for the last time.
    pub last: Ply,
    /// Who has it.
    pub side: Side,
    /// What turns the game to the pattern there.
    pub change: Symmetry,
}

/// The year of a second since 1970.
fn year_of(second: i64) -> Option<i64> {
    crate::dates::date(second)?.get(..4)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_motif_that_comes_with_hathi_can_be_read_and_has_its_picture() {
        let motifs = Motif::shipped();
        assert_eq!(motifs.len(), SHIPPED.len());
        for (id, text) in SHIPPED {
            let motif = Motif::parse(id, text).unwrap_or_else(|error| panic!("{error}"));
            assert!(!motif.about.is_empty() && motif.about.len() < 800, "{id}");
            let picture = motif
                .picture
                .unwrap_or_else(|| panic!("{id} has no picture"));
            // What is captured by the turn played cannot be seen on a board.
            if *id != "camel-captured" {
                let shown = motif.pattern.holds(picture.board(), picture.side_to_move());
                assert!(shown, "{id}: the picture does not show it");
            }
        }
    }

    #[test]
    fn files_of_people_are_read_and_stand_for_shipped_ones() {
        let folder = tempfile::tempdir().expect("a folder");
        let file =
            |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("written");
        file(
            "mine.motif",
            "Mine\n\nAbout it,\nin two lines.\n\npattern: Ed4\npattern: or fork\n",
        );
        file(
            "fork.motif",
            "Another fork\n\npattern: gold fork s to move\n",
        );
        file("notes.txt", "no motif");
        file("bad.motif", "Bad\n\npattern: frozn(E)\n");
        file("empty.motif", "\n\n");
        file("none.motif", "No pattern\n");
        let (motifs, errors) = Motif::all(Some(folder.path()));
        assert_eq!(motifs.len(), SHIPPED.len() + 1);
        assert_eq!(errors.len(), 3, "{errors:?}");
        let find = |id: &str| motifs.iter().find(|motif| motif.id == id).expect("there");
        assert_eq!(find("fork").name, "Another fork");
        assert_eq!(find("mine").about, "About it, in two lines.");
        assert_eq!(find("mine").pattern.to_string(), "Ed4 or fork");
    }
}

//! Motifs: what they are, how often they happen and how they score; where a game
//! has them.

use hathi_store::{
    BAND, Filter, Memory, Motif, MotifScore, MotifStats, MotifStretch, StoreError, StoredGame,
};
use serde::Serialize;

use crate::numbers::rounded;

/// A motif and what is known of it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct MotifView {
    /// What it is known by: `camel-hostage`.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// A paragraph about it.
    pub about: String,
    /// What it is, exactly, written for Gold.
    pub pattern: String,
    /// A position that shows it.
    pub picture: Option<String>,
    /// Positions that have it, or where it begins.
    pub positions: u64,
    /// Games that have it.
    pub games: u64,
    /// How whoever had it did.
    pub score: MotifScoreView,
    /// The same by rating, where it is known.
    pub by_rating: Vec<RatedScore>,
    /// The same by year.
    pub by_year: Vec<YearScore>,
    /// The best examples.
    pub examples: Vec<MotifExample>,
}

/// Sides that had it, each once a game, of games that somebody won.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct MotifScoreView {
    /// How many.
    pub games: u64,
    /// How many of them won.
    pub wins: u64,
    /// What share that is.
    pub win_rate: Option<f64>,
}

/// The score of players rated so.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct RatedScore {
    /// From this rating.
    pub from: u16,
    /// To this one.
    pub to: u16,
    /// How they did.
    pub score: MotifScoreView,
}

/// The score in games of a year.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct YearScore {
    /// The year.
    pub year: i64,
    /// How whoever had the motif did.
    pub score: MotifScoreView,
}

/// A game that has the motif.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct MotifExample {
    /// The game.
    pub game: String,
    /// Before this move it begins.
    pub r#move: String,
    /// The turns before that.
    pub ply: u32,
    /// The position, turned so that it fits the pattern as written.
    pub position: String,
}

/// Where a game has a motif.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct MotifTag {
    /// The motif.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// Who has it: `g` or `s`.
    pub side: char,
    /// From this move.
    pub first: String,
    /// To this one.
    pub last: String,
    /// Turns before the first.
    pub ply: u32,
    /// In words: `camel hostage, 14s to 22g`.
    pub words: String,
}

/// Where games of a list have motifs.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct TaggedGame {
    /// The game.
    pub game: String,
    /// Its motifs, in the order of the game.
    pub tags: Vec<MotifTag>,
}

impl From<MotifScore> for MotifScoreView {
    fn from(score: MotifScore) -> MotifScoreView {
        MotifScoreView {
            games: score.games,
            wins: score.wins,
            win_rate: score.share().map(|share| rounded(share, 4)),
        }
    }
}

impl MotifView {
    /// Asks the store about a motif.
    pub fn ask(
        motif: &Motif,
        store: &dyn Memory,
        filter: &Filter,
        examples: usize,
    ) -> Result<MotifView, StoreError> {
        let stats = motif.ask(store, filter, examples)?;
        MotifView::new(motif, &stats, store)
    }

    fn new(motif: &Motif, stats: &MotifStats, store: &dyn Memory) -> Result<MotifView, StoreError> {
        let mut examples = Vec::new();
        for hit in &stats.examples {
            if let Some(id) = store.id_of(hit.game)? {
                examples.push(MotifExample {
                    game: id.to_string(),
                    r#move: hit.ply.label().to_string(),
                    ply: hit.ply.get(),
                    position: hit.position.to_string(),
                });
            }
        }
        let by_rating = stats.by_rating.iter().map(|(&from, &score)| RatedScore {
            from,
            to: from + (BAND - 1),
            score: score.into(),
        });
        let by_year = stats.by_year.iter().map(|(&year, &score)| YearScore {
            year,
            score: score.into(),
        });
        Ok(MotifView {
            id: motif.id.clone(),
            name: motif.name.clone(),
            about: motif.about.clone(),
            pattern: motif.pattern.to_string(),
            picture: motif.picture.map(|picture| picture.to_string()),
            positions: stats.positions,
            games: stats.games,
            score: stats.score.into(),
            by_rating: by_rating.collect(),
            by_year: by_year.collect(),
            examples,
        })
    }
}

impl MotifTag {
    /// Where a game has these motifs, in the order of the game.
    pub fn of_game(motifs: &[Motif], stored: &StoredGame) -> Vec<MotifTag> {
        let mut found: Vec<(MotifStretch, &Motif)> = Vec::new();
        for motif in motifs {
            found.extend(
                motif
                    .stretches(stored)
                    .into_iter()
                    .map(|stretch| (stretch, motif)),
            );
        }
        found.sort_by_key(|(stretch, _)| (stretch.first, stretch.last));
        found
            .into_iter()
            .map(|(stretch, motif)| {
                let [first, last] =
                    [stretch.first, stretch.last].map(|ply| ply.label().to_string());
                MotifTag {
                    id: motif.id.clone(),
                    name: motif.name.clone(),
                    side: stretch.side.to_char(),
                    ply: stretch.first.get(),
                    words: words(&motif.name, &first, &last),
                    first,
                    last,
                }
            })
            .collect()
    }
}

/// A motif and where it is.
fn words(name: &str, first: &str, last: &str) -> String {
    // In the middle of a sentence, unless it is an abbreviation such as EH.
    let is_word = name.chars().nth(1).is_none_or(char::is_lowercase);
    let mut letters = name.chars();
    let name = match letters.next() {
        Some(letter) if is_word => letter.to_lowercase().collect::<String>() + letters.as_str(),
        _ => name.to_owned(),
    };
    if first == last {
        format!("{name}, {first}")
    } else {
        format!("{name}, {first} to {last}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_written_as_people_say_them() {
        assert_eq!(
            words("Camel hostage", "14s", "22g"),
            "camel hostage, 14s to 22g"
        );
        assert_eq!(words("EH attack", "9g", "9g"), "EH attack, 9g");
    }
}

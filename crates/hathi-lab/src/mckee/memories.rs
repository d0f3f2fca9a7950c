//! The same match with other memories: smaller ones, and ones made of games
//! of strong players only.

use std::fs;
use std::path::Path;

use anyhow::Context;
use hathi_engine::{EngineKind, EngineSpec};
use hathi_store::{Filter, GameRow, Memory, Place, StoredGame};
use hathi_view::numbers;
use serde::Serialize;

use super::matches::{self, Fixture, Match, Rules};
use super::subset::{self, Contents};
use crate::failure::BadInput;
use crate::watcher::Watcher;

/// A part of all games, as written on a command line: `1/8` or `0.125`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share(f64);

impl Share {
    /// Reads it, such as `1/8` or `0.125`; it is below 1.
    pub fn parse(text: &str) -> Result<Share, String> {
        let number = |text: &str| text.trim().parse::<f64>().ok();
        let share = match text.split_once('/') {
            Some((part, whole)) => number(part).zip(number(whole)).map(|(p, w)| p / w),
            None => number(text),
        };
        share
            .filter(|share| *share > 0.0 && *share < 1.0)
            .map(Share)
            .ok_or_else(|| "expected a part of the games below 1, such as 1/8 or 0.125".to_owned())
    }
}

/// Which games a memory is made of.
#[derive(Clone, Copy, Debug)]
enum Selection {
    /// Drawn by chance.
    Share(f64),
    /// Both players rated so or better.
    Rated(i32),
    /// Drawn by chance, about as many as are rated so.
    AsManyAs(i32),
}

/// A match with a memory of its own.
#[derive(Debug, Serialize)]
pub(super) struct MemoryMatch {
    /// Which games it is made of, in words.
    pub(super) what: String,
    /// Were they drawn by chance?
    pub(super) by_chance: bool,
    /// The rating that it is about, if it is about one.
    #[serde(rename = "min_rating")]
    pub(super) rating: Option<i32>,
    #[serde(flatten)]
    pub(super) contents: Contents,
    #[serde(rename = "match")]
    pub(super) result: Match,
}

/// What is to be compared.
pub(super) struct Plan<'a> {
    pub(super) sizes: &'a [Share],
    pub(super) ratings: &'a [i32],
    pub(super) players: &'a [EngineKind],
    pub(super) games: u64,
}

/// Makes the memories that are wanted and plays a match with each.
pub(super) fn compare(
    memory: &dyn Memory,
    plan: &Plan<'_>,
    rules: &Rules,
    out: &Path,
    watcher: &dyn Watcher,
) -> anyhow::Result<Vec<MemoryMatch>> {
    let mut results = Vec::new();
    if plan.games == 0 {
        return Ok(results);
    }
    let folder = out.join("memories");
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let sizes = plan
        .sizes
        .iter()
        .map(|&Share(share)| Selection::Share(share));
    let ratings = plan.ratings.iter();
    let ratings = ratings.flat_map(|&r| [Selection::Rated(r), Selection::AsManyAs(r)]);
    for selection in sizes.chain(ratings) {
        let path = folder.join(format!("{}.db", selection.file()));
        let Some(contents) = selection.make(memory, &path, rules.seed, watcher)? else {
            if watcher.asked_to_stop() {
                break;
            }
            watcher.note(&format!("there are no {}; left out", selection.words()));
            continue;
        };
        let mut own = Place::File(path.clone()).open()?;
        own.prepare(0, &mut |_, _| {})?;
        for &player in plan.players {
            let place = folder.join(format!("{}-{}", selection.file(), player.name()));
            let fixture = Fixture {
                player: EngineSpec::of(player),
                opponent: EngineSpec::of(EngineKind::Fallback),
                store: path
                    .to_str()
                    .ok_or_else(|| BadInput::error("the name of --out must be UTF-8"))?,
                games: plan.games,
                place: &place,
            };
            results.push(MemoryMatch {
                what: selection.words(),
                by_chance: !matches!(selection, Selection::Rated(_)),
                rating: selection.rating(),
                contents,
                result: matches::play(&fixture, &*own, rules, watcher)?,
            });
        }
    }
    Ok(results)
}

impl Selection {
    /// The name of its file.
    fn file(self) -> String {
        match self {
            Selection::Share(share) => format!("share-{share:.4}"),
            Selection::Rated(rating) => format!("rated-{rating}"),
            Selection::AsManyAs(rating) => format!("as-many-as-rated-{rating}"),
        }
    }

    fn rating(self) -> Option<i32> {
        match self {
            Selection::Share(_) => None,
            Selection::Rated(rating) | Selection::AsManyAs(rating) => Some(rating),
        }
    }

    fn words(self) -> String {
        match self {
            Selection::Share(share) => format!("{share:.4} of all games, by chance")
                .replace("0.1250", "1/8")
                .replace("0.2500", "1/4")
                .replace("0.5000", "1/2"),
            Selection::Rated(rating) => format!("games of two players rated {rating} or more"),
            Selection::AsManyAs(rating) => {
                format!("games by chance, about as many as are rated {rating} or more")
            }
        }
    }

    /// None if there are no such games, or somebody said stop.
    fn make(
        self,
        memory: &dyn Memory,
        path: &Path,
        seed: u64,
        watcher: &dyn Watcher,
    ) -> anyhow::Result<Option<Contents>> {
        let rated = |rating| Filter {
            min_rating_both: Some(rating),
            ..Filter::default()
        };
        let (filter, share) = match self {
            Selection::Share(share) => (Filter::default(), share),
            Selection::Rated(rating) => (rated(rating), 1.0),
            Selection::AsManyAs(rating) => {
                let games = memory.count(&rated(rating))?;
                let all = memory.totals()?.games;
                (Filter::default(), numbers::ratio(games, all))
            }
        };
        let keep = |stored: &StoredGame| drawn(seed, stored.row) < share;
        let what = format!("choosing {}", self.words());
        let contents = subset::make(memory, &filter, path, &what, watcher, keep)?;
        Ok(contents.filter(|contents| contents.games > 0))
    }
}

/// A number from 0 to 1 for each game: a smaller share is part of a larger
/// one.
pub(super) fn drawn(seed: u64, game: GameRow) -> f64 {
    let mixed = seed
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .wrapping_add(game.get().cast_unsigned());
    fastrand::Rng::with_seed(mixed).f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_read() {
        let share = |text: &str| Share::parse(text).map(|share| share.0);
        assert_eq!(share("1/8"), Ok(0.125));
        assert_eq!(share(" 0.5"), Ok(0.5));
        for bad in ["", "1", "0", "2/1", "1/0", "x", "-1/2", "nan"] {
            assert!(share(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_share_is_as_large_as_it_says_and_part_of_the_next() {
        let of = |share: f64| {
            (0..10_000)
                .filter(|&game| drawn(7, GameRow::new(game)) < share)
                .count()
        };
        for share in [0.125, 0.25, 0.5] {
            let expected = 10_000.0 * share;
            assert!((of(share) as f64 - expected).abs() < 200.0, "{share}");
        }
        // Another seed draws others.
        assert!(
            (0..100)
                .map(GameRow::new)
                .any(|game| (drawn(7, game) < 0.5) != (drawn(8, game) < 0.5))
        );
    }
}

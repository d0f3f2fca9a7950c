//! How games begin: which setups are used, and how they fare.

use std::collections::HashMap;

use hathi_rules::{Setup, Side, Symmetry};

use crate::database::{Database, DatabaseError};
use crate::filter::Filter;
use crate::moves::{decode_setup, encode_setup};

/// A setup and how it fared.
#[derive(Clone, Debug, PartialEq)]
pub struct SetupStats {
    /// The setup.
    pub setup: Setup,
    /// Games it was used in.
    pub games: u64,
    /// Its share of all games asked about, 0 to 1.
    pub share: f64,
    /// Games that its side won.
    pub wins: u64,
    /// Average rating of those who used it, where known.
    pub rating: Option<f64>,
}

/// All setups of a question, most used first.
#[derive(Clone, Debug, Default)]
pub struct Setups {
    /// Games asked about.
    pub games: u64,
    /// Different setups in them.
    pub kinds: u64,
    /// The most used ones.
    pub top: Vec<SetupStats>,
}

impl Database {
    /// The setups of a side: Gold's, or Silver's replies to a setup of
    /// Gold's (or to any). With `merge_mirrors` a setup and its mirror image
    /// count as one; a reply to a mirrored setup is mirrored too.
    pub fn setups(
        &self,
        side: Side,
        reply_to: Option<&Setup>,
        merge_mirrors: bool,
        filter: &Filter,
        limit: usize,
    ) -> Result<Setups, DatabaseError> {
        let failed = |error| self.error(error);
        let (condition, mut values) = filter.to_sql();
        let image = |setup: &Setup| Symmetry::MIRROR.apply(*setup);
        let code = |setup: &Setup| i64::from_le_bytes(encode_setup(setup));
        let replies = match reply_to {
            None => String::new(),
            Some(setup) => {
                values.push(code(setup).into());
                values.push(
                    if merge_mirrors {
                        code(&image(setup))
                    } else {
                        code(setup)
                    }
                    .into(),
                );
                format!(
                    " AND gold_setup IN (?{}, ?{})",
                    values.len() - 1,
                    values.len()
                )
            }
        };
        let (column, rating) = match side {
            Side::Gold => ("gold_setup", "gold_rating"),
            Side::Silver => ("silver_setup", "silver_rating"),
        };
        let mut statement = self
            .connection()
            .prepare(&format!(
                "SELECT {column}, gold_setup, count(*), sum(coalesce(result = '{side}', 0)),
                        coalesce(sum({rating}), 0), count({rating})
                 FROM {}
                 WHERE {condition}{replies}
                 GROUP BY {column}{}",
                filter.tables(),
                if reply_to.is_some() {
                    ", gold_setup"
                } else {
                    ""
                },
            ))
            .map_err(failed)?;
        let mut rows = statement
            .query(rusqlite::params_from_iter(values))
            .map_err(failed)?;
        let mut sums: HashMap<Setup, [u64; 4]> = HashMap::new();
        let mut total = 0;
        while let Some(row) = rows.next().map_err(failed)? {
            let number = |i: usize| row.get::<_, i64>(i).map(i64::cast_unsigned);
            let bytes = number(0).map_err(failed)?.to_le_bytes();
            let Some(mut setup) = decode_setup(&bytes, side) else {
                continue;
            };
            let gold = number(1).map_err(failed)?.to_le_bytes();
            let mirrored_game = reply_to.is_some_and(|wanted| encode_setup(wanted) != gold);
            if mirrored_game {
                setup = image(&setup);
            } else if merge_mirrors && reply_to.is_none() {
                setup = setup.min(image(&setup));
            }
            let sum = sums.entry(setup).or_default();
            for (i, part) in sum.iter_mut().enumerate() {
                *part += number(2 + i).map_err(failed)?;
            }
            total += number(2).map_err(failed)?;
        }
        let mut top: Vec<SetupStats> = sums
            .into_iter()
            .map(|(setup, [games, wins, ratings, rated])| SetupStats {
                setup,
                games,
                share: games as f64 / total as f64,
                wins,
                rating: (rated > 0).then(|| ratings as f64 / rated as f64),
            })
            .collect();
        let kinds = top.len() as u64;
        top.sort_by(|a, b| b.games.cmp(&a.games).then_with(|| a.setup.cmp(&b.setup)));
        top.truncate(limit);
        Ok(Setups {
            games: total,
            kinds,
            top,
        })
    }
}

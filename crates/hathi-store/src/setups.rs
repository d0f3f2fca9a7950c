//! How games begin: which setups are used, and how they fare.

use std::collections::HashMap;

use hathi_rules::{Setup, Side, Symmetry};

use crate::filter::{Dialect, Filter, Value};
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

/// A setup as it is counted: its code, the code of Gold's setup in those games,
/// games, wins, sum of ratings, games with a rating.
pub(crate) type SetupRow = [i64; 6];

/// A question about setups.
pub(crate) struct SetupQuestion<'a> {
    pub(crate) side: Side,
    pub(crate) reply_to: Option<&'a Setup>,
    pub(crate) merge_mirrors: bool,
    pub(crate) filter: &'a Filter,
}

impl SetupQuestion<'_> {
    /// What to ask the database, for rows of [`SetupRow`].
    pub(crate) fn to_sql(&self, dialect: Dialect) -> (String, Vec<Value>) {
        let (condition, mut values) = self.filter.to_sql(dialect);
        let replies = match self.reply_to {
            None => String::new(),
            Some(setup) => {
                let other = if self.merge_mirrors {
                    image(setup)
                } else {
                    *setup
                };
                values.extend([setup, &other].map(|setup| code(setup).into()));
                format!(
                    " AND gold_setup IN ({}, {})",
                    dialect.parameter(values.len() - 1),
                    dialect.parameter(values.len())
                )
            }
        };
        let (column, rating) = match self.side {
            Side::Gold => ("gold_setup", "gold_rating"),
            Side::Silver => ("silver_setup", "silver_rating"),
        };
        // Without a setup to reply to, it does not matter which of Gold's.
        let (gold, groups) = match self.reply_to {
            Some(_) => ("gold_setup", format!("{column}, gold_setup")),
            None => ("min(gold_setup)", column.to_owned()),
        };
        let sql = format!(
            "SELECT {column}, {gold}, count(*), count(CASE WHEN result = '{}' THEN 1 END),
                    cast(coalesce(sum({rating}), 0) AS bigint), count({rating})
             FROM {} WHERE {condition}{replies} GROUP BY {groups}",
            self.side,
            self.filter.tables(),
        );
        (sql, values)
    }

    /// Adds up what the database has counted.
    pub(crate) fn answer(&self, rows: &[SetupRow], limit: usize) -> Setups {
        let mut sums: HashMap<Setup, [u64; 4]> = HashMap::new();
        let mut total = 0;
        for row in rows {
            let Some(mut setup) = decode_setup(&row[0].to_le_bytes(), self.side) else {
                continue;
            };
            let mirrored_game = self.reply_to.is_some_and(|wanted| code(wanted) != row[1]);
            if mirrored_game {
                setup = image(&setup);
            } else if self.merge_mirrors && self.reply_to.is_none() {
                setup = setup.min(image(&setup));
            }
            let sum = sums.entry(setup).or_default();
            for (part, number) in sum.iter_mut().zip(&row[2..]) {
                *part += number.cast_unsigned();
            }
            total += row[2].cast_unsigned();
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
        Setups {
            games: total,
            kinds,
            top,
        }
    }
}

fn image(setup: &Setup) -> Setup {
    Symmetry::MIRROR.apply(*setup)
}

fn code(setup: &Setup) -> i64 {
    i64::from_le_bytes(encode_setup(setup))
}

//! Questions about a position or a part of it.
//!
//! The key of a pattern leads to its positions in an index that is in the
//! order in which hits are offered; whether one matches is decided on its
//! board, by the same code as for the index file.

use std::collections::HashSet;

use hathi_rules::Ply;
use postgres::fallible_iterator::FallibleIterator;
use postgres::types::ToSql;

use super::rows::{HIT, Stored, key_column};
use super::{PostgresStore, parameters};
use crate::answer::{Answer, Tally};
use crate::error::StoreError;
use crate::filter::{Dialect, Filter, Sources, Value};
use crate::hits::{Hit, RawHit, Wanted};
use crate::memory::Positions;
use crate::model::GameRow;
use crate::notable::NAMED;
use crate::pattern::PatternAnswer;
use crate::question::{PatternQuestion, PositionQuestion};
use crate::seen::SeenTrap;

/// Who wants only the first should not wait for many: as a rule the first few
/// will do.
const FIRST: i64 = 4;
const MORE: i64 = 500;

impl PostgresStore {
    /// The first hit, in the order of their rank, that `accept` takes.
    fn best_hit(
        &self,
        question: &PositionQuestion,
        accept: impl Fn(&RawHit) -> Option<Hit>,
    ) -> Result<Option<Hit>, StoreError> {
        self.check_ready()?;
        let Some(wanted) = Wanted::new(question) else {
            return Ok(None);
        };
        let traps = wanted.traps();
        let (condition, mut values) = conditions(&question.filter.counting(self.samples_left_out));
        values.push(Value::Integer(wanted.hash.cast_signed()));
        self.ask(|connection| {
            // Where to go on in each window.
            let mut from = vec![i64::MIN; traps.len()];
            let mut limit = FIRST;
            loop {
                let sql = first_hits(&wanted, &traps, &condition, values.len(), limit);
                // There are as many conditions as there are filters.
                let statement = if question.filter.is_empty() {
                    connection.prepared(&sql)?
                } else {
                    connection.client.prepare(&sql)?
                };
                let mut values: Vec<&(dyn ToSql + Sync)> = parameters(&values);
                values.extend(from.iter().map(|from| -> &(dyn ToSql + Sync) { from }));
                let rows = connection.client.query(&statement, &values)?;
                for row in &rows {
                    let (stored, trap) = stored_hit(row)?;
                    let best = raw_hit(&wanted, &stored, trap).and_then(|hit| accept(&hit));
                    if best.is_some() {
                        return Ok(best);
                    }
                }
                let Some(last) = rows.last().filter(|_| rows.len() as i64 == limit) else {
                    return Ok(None);
                };
                let (stored, last_trap) = stored_hit(last)?;
                for (from, trap) in from.iter_mut().zip(&traps) {
                    // In one position windows are asked in order.
                    let seen = trap.index() <= last_trap.index();
                    *from = stored.place + i64::from(seen);
                }
                limit = MORE;
            }
        })
    }
}

impl Positions for PostgresStore {
    fn best(&self, question: &PositionQuestion) -> Result<Option<Hit>, StoreError> {
        self.best_hit(question, |hit| hit.legal_on(&question.position))
    }

    fn first(&self, question: &PositionQuestion) -> Result<Option<Hit>, StoreError> {
        let side = question.position.side_to_move();
        self.best_hit(question, |hit| hit.translate(side))
    }

    fn find(&self, question: &PositionQuestion) -> Result<Answer, StoreError> {
        self.check_ready()?;
        let most = question.best_hits;
        let Some(wanted) = Wanted::new(question) else {
            return Ok(Answer::default());
        };
        let (condition, mut values) = conditions(&question.filter.counting(self.samples_left_out));
        values.push(Value::Integer(wanted.hash.cast_signed()));
        let key = Dialect::Postgres.parameter(values.len());
        let branches: Vec<String> = wanted
            .traps()
            .into_iter()
            .map(|trap| {
                let column = key_column(wanted.kind, trap);
                format!(
                    "SELECT {HIT}, {} AS trap FROM positions WHERE {column} = {key}{condition}",
                    trap.index()
                )
            })
            .collect();
        let all = branches.join(" UNION ALL ");
        self.ask(|connection| {
            // What the key finds need not match on the board: if too few do,
            // more are asked for.
            let mut limit = most.map(|most| most.saturating_mul(4));
            let (tally, games) = loop {
                let sql = match limit {
                    None => all.clone(),
                    Some(limit) => format!("{all} ORDER BY place, trap LIMIT {limit}"),
                };
                let mut tally = Tally::default();
                let mut games = HashSet::new();
                let (mut seen, mut taken) = (0, 0);
                let mut rows = connection.client.query_raw(&sql, parameters(&values))?;
                while let Some(row) = rows.next()? {
                    seen += 1;
                    let (stored, trap) = stored_hit(&row)?;
                    if let Some(hit) = raw_hit(&wanted, &stored, trap) {
                        tally.add(&hit);
                        games.insert(stored.game.row);
                        taken += 1;
                        if most == Some(taken) {
                            break;
                        }
                    }
                }
                if most == Some(taken) || limit != Some(seen) {
                    break (tally, games);
                }
                limit = limit.map(|limit| limit.saturating_mul(8));
            };
            // A position knows its mover only: of whole games the table of
            // games tells more.
            let games: Vec<i64> = games.into_iter().map(GameRow::get).collect();
            let mut named = |order: &str| -> Result<Vec<GameRow>, postgres::Error> {
                let sql = format!(
                    "SELECT id FROM (SELECT id, started, {BOTH_RATINGS} AS ratings FROM games
                       WHERE id = ANY($1)) AS hit
                     WHERE {order} IS NOT NULL ORDER BY {order} DESC, id LIMIT {NAMED}"
                );
                let rows = connection.client.query(&sql, &[&games])?;
                rows.iter()
                    .map(|row| row.try_get(0).map(GameRow::new))
                    .collect()
            };
            let (top_rated, most_recent) = (named("ratings")?, named("started")?);
            Ok(Answer {
                games: games.len() as u64,
                top_rated,
                most_recent,
                ..tally.finish(question)
            })
        })
    }

    fn search(&self, question: &PatternQuestion) -> Result<PatternAnswer, StoreError> {
        self.scan(question)
    }
}

/// Twice the average of the ratings that are known; null if none is.
const BOTH_RATINGS: &str = "nullif(
    coalesce(nullif(gold_rating, 0), silver_rating, 0)
    + coalesce(nullif(silver_rating, 0), gold_rating, 0), 0)";

/// The first hits of all windows together, best first. Each window goes on
/// from its own place; `key` is the number of the parameter with the key, and
/// the places come after it.
fn first_hits(
    wanted: &Wanted,
    traps: &[SeenTrap],
    condition: &str,
    key: usize,
    limit: i64,
) -> String {
    let branches: Vec<String> = traps
        .iter()
        .zip(key + 1..)
        .map(|(&trap, from)| {
            let column = key_column(wanted.kind, trap);
            format!(
                "(SELECT {HIT}, {} AS trap FROM positions
                  WHERE {column} = ${key} AND place >= ${from}{condition}
                  ORDER BY place LIMIT {limit})",
                trap.index()
            )
        })
        .collect();
    match branches.as_slice() {
        [only] => only.clone(),
        several => format!(
            "{} ORDER BY place, trap LIMIT {limit}",
            several.join(" UNION ALL ")
        ),
    }
}

/// A position and the window that it was found by.
fn stored_hit(row: &postgres::Row) -> Result<(Stored, SeenTrap), postgres::Error> {
    let trap: i32 = row.try_get(12)?;
    Ok((Stored::of(row)?, SeenTrap::from_index(trap.cast_unsigned())))
}

fn raw_hit(wanted: &Wanted, stored: &Stored, trap: SeenTrap) -> Option<RawHit> {
    let mirrored = wanted.matches(stored.board, trap, stored.played.mover())?;
    Some(RawHit {
        game: stored.game,
        played: stored.played,
        mirrored,
    })
}

/// The filter as a condition on positions, from ` AND` on, and its values.
pub(super) fn conditions(filter: &Filter) -> (String, Vec<Value>) {
    let mut sql = String::new();
    let mut values = Vec::new();
    let without_samples = Filter {
        sources: Some(Sources::WITHOUT_SAMPLES),
        move_numbers: filter.move_numbers.clone(),
        ..Filter::default()
    };
    if *filter == without_samples {
        // What is asked most: looked up for each hit, of which there are few,
        // instead of made a list of all games.
        " AND NOT EXISTS (SELECT 1 FROM games
              WHERE games.archive_id = positions.archive_id AND games.id = game_id
                AND source = 'sample')"
            .clone_into(&mut sql);
    } else if filter.asks_of_games() {
        let (condition, of_games) = filter.to_sql(Dialect::Postgres);
        values = of_games;
        // With the distribution column, so that each shard can do its part.
        sql = format!(
            " AND (archive_id, game_id) IN
               (SELECT games.archive_id, games.id FROM {} WHERE {condition})",
            filter.tables()
        );
    }
    if let Some(numbers) = &filter.move_numbers {
        let first = |number: u32| Ply::first_of(number).get();
        let from = first(*numbers.start());
        sql = format!("{sql} AND ply >= {from}");
        // The last number that can be written has no next one.
        if let Some(next) = numbers.end().checked_add(1) {
            sql = format!("{sql} AND ply < {}", first(next));
        }
    }
    (sql, values)
}

//! Questions about a position or a part of it.
//!
//! The key of a pattern leads to its positions in an index that is in the
//! order in which hits are offered. The server leaves out what does not match
//! on the board and adds up what was played; what turns mean on the board that
//! was asked about is decided by the same code as for the index file.

use std::collections::HashSet;

use bytemuck::Zeroable;
use hathi_rules::{Ply, Position, Symmetry};
use postgres::Row;
use postgres::types::ToSql;

use super::matching::{self, Rows};
use super::rows::{FIRST_STEP, HIT, Stored, of_place, steps_of};
use super::{Connection, PostgresStore, parameters};
use crate::answer::{Answer, Group, Sample, Tally};
use crate::error::StoreError;
use crate::filter::{Dialect, Filter, Sources, Value};
use crate::hits::{Hit, RawHit, Wanted};
use crate::index::{IndexedGame, IndexedMove};
use crate::memory::Positions;
use crate::model::GameRow;
use crate::notable::NAMED;
use crate::pattern::PatternAnswer;
use crate::question::{PatternQuestion, PositionQuestion};
use crate::seen::{SeenTrap, orientation};

/// Who wants only the first should not wait for many: as a rule the very first
/// will do, and where it does not, some more. Each time so many times as many
/// are asked for, up to a limit.
const FIRST: usize = 1;
const TIMES_MORE: usize = 4;
const MOST: usize = 1024;

impl PostgresStore {
    /// The first hit, in the order of their rank, that `accept` takes; those
    /// that begin with another step than one of `steps` are not asked for.
    fn best_hit(
        &self,
        question: &PositionQuestion,
        steps: Option<&Vec<i64>>,
        accept: impl Fn(&RawHit) -> Option<Hit>,
    ) -> Result<Option<Hit>, StoreError> {
        self.check_ready()?;
        let Some(wanted) = Wanted::new(question) else {
            return Ok(None);
        };
        let mut values = matching::values(self.connection().layout, &wanted);
        let counting = question.filter.counting(self.samples_left_out);
        let (condition, of_filter) = conditions(&counting, values.len());
        values.extend(of_filter);
        let found = self.ask(|connection| {
            let rows = Rows::new(connection.layout, &wanted, &condition);
            // Where to go on: a place, and a window there.
            let (mut place, mut window) = (i64::MIN, -1i32);
            let mut limit = FIRST;
            let next = values.len() + 1;
            let of_steps = steps.map(|_| next + 2);
            loop {
                let sql = rows.first(next, of_steps, limit);
                let statement = connection.prepared_for(&sql, &question.filter)?;
                let mut values: Vec<&(dyn ToSql + Sync)> = parameters(&values);
                values.extend([&place as &(dyn ToSql + Sync), &window]);
                values.extend(steps.iter().map(|steps| -> &(dyn ToSql + Sync) { steps }));
                let hits = connection.client.query(&statement, &values)?;
                for row in &hits {
                    let (stored, trap) = stored_hit(row)?;
                    let best = raw_hit(&wanted, &stored, trap).and_then(|hit| accept(&hit));
                    if let Some(best) = best {
                        return Ok(Some((best, stored.number)));
                    }
                }
                let Some(last) = hits.last().filter(|_| hits.len() == limit) else {
                    return Ok(None);
                };
                let (stored, trap) = stored_hit(last)?;
                (place, window) = (stored.place, trap.index().into());
                limit = (limit * TIMES_MORE).min(MOST);
            }
        })?;
        Ok(found.map(|(hit, number)| {
            self.expect_games([(hit.game, number)]);
            hit
        }))
    }
}

/// An answer, and the numbers of games in their archives.
pub(super) type AddedUp = (Answer, Vec<(GameRow, i64)>);

impl PostgresStore {
    /// What was played, added up by the server, but for what only the best hit
    /// knows.
    fn added_up(
        &self,
        question: &PositionQuestion,
        wanted: &Wanted,
        counting: &Filter,
    ) -> Result<AddedUp, StoreError> {
        let mut values = matching::values(self.connection().layout, wanted);
        let (condition, of_filter) = conditions(counting, values.len());
        values.extend(of_filter);
        let steps = first_steps(&question.position);
        self.ask(|connection| {
            let rows = Rows::new(connection.layout, wanted, &condition);
            let mut numbers: Vec<(GameRow, i64)> = Vec::new();
            let mut groups: Vec<Group> = Vec::new();
            let sql = turns_of(&rows.in_order(question.best_hits), values.len() + 1);
            let turns = connection.prepared_for(&sql, &question.filter)?;
            let mut with_steps: Vec<&(dyn ToSql + Sync)> = parameters(&values);
            with_steps.push(&steps);
            for row in &connection.client.query(&turns, &with_steps)? {
                groups.push(group(row, &mut numbers)?);
            }
            let mut tally = Tally::default();
            // Of equal hits the window that comes first.
            groups.sort_by_key(|group| (group.samples.first().copied(), group.first.mirrored));
            for group in groups {
                tally.add_group(group);
            }
            let mut answer = tally.finish(question);
            let sql = games_of(&rows.all(question.best_hits));
            let games = connection.prepared_for(&sql, &question.filter)?;
            for row in &connection.client.query(&games, &parameters(&values))? {
                let what: i32 = row.try_get(0)?;
                let (first, second): (i64, i64) = (row.try_get(1)?, row.try_get(2)?);
                let game = GameRow::new(first);
                match what {
                    0 => {
                        answer.games = first.cast_unsigned();
                        answer.leave_out(second.cast_unsigned());
                    }
                    1 => answer.top_rated.push(game),
                    _ => answer.most_recent.push(game),
                }
                if what > 0 {
                    numbers.push((game, second));
                }
            }
            Ok((answer, numbers))
        })
    }

    /// A hit with all that its position knows.
    fn whole_hit(
        &self,
        question: &PositionQuestion,
        hit: &Hit,
        number: i64,
    ) -> Result<Option<Hit>, StoreError> {
        let ply = i32::try_from(hit.ply.get()).unwrap_or(i32::MAX);
        let sql = format!(
            "SELECT {HIT} FROM positions WHERE archive_id = $1 AND game_id = $2 AND ply = $3"
        );
        self.ask(|connection| {
            let statement = connection.prepared(&sql)?;
            let values: [&(dyn ToSql + Sync); 3] = [&number, &hit.game.get(), &ply];
            let row = connection.client.query_opt(&statement, &values)?;
            let stored = row.as_ref().map(Stored::of).transpose()?;
            Ok(stored.and_then(|stored| {
                let raw = RawHit {
                    game: stored.game,
                    played: stored.played,
                    mirrored: hit.symmetry.mirror,
                };
                raw.legal_on(&question.position)
            }))
        })
    }
}

impl Connection {
    /// A statement of a question: kept for the next one, unless a filter makes
    /// it one of many.
    fn prepared_for(
        &mut self,
        sql: &str,
        filter: &Filter,
    ) -> Result<postgres::Statement, postgres::Error> {
        if filter.is_empty() {
            self.prepared(sql)
        } else {
            self.client.prepare(sql)
        }
    }
}

/// The steps that a turn can begin with here, in the view of the mover, and
/// their mirror images. Few of the turns played elsewhere pass, and those that do
/// not are left where they are.
pub(super) fn first_steps(position: &Position) -> Vec<i64> {
    let view = orientation(position.side_to_move());
    let mut steps = Vec::with_capacity(128);
    position.for_each_step(|step| {
        let step = view.apply(step);
        for step in [step, Symmetry::MIRROR.apply(step)] {
            steps.push(i64::from(step.to_bits()) & FIRST_STEP);
        }
    });
    steps
}

impl Positions for PostgresStore {
    fn best(&self, question: &PositionQuestion) -> Result<Option<Hit>, StoreError> {
        let steps = first_steps(&question.position);
        self.best_hit(question, Some(&steps), |hit| {
            hit.legal_on(&question.position)
        })
    }

    fn first_that(
        &self,
        question: &PositionQuestion,
        accept: &dyn Fn(&Hit) -> bool,
    ) -> Result<Option<Hit>, StoreError> {
        let side = question.position.side_to_move();
        self.best_hit(question, None, |hit| hit.translate(side).filter(accept))
    }

    fn find(&self, question: &PositionQuestion) -> Result<Answer, StoreError> {
        self.check_ready()?;
        let Some(wanted) = Wanted::new(question) else {
            return Ok(Answer::default());
        };
        let counting = question.filter.counting(self.samples_left_out);
        let (mut answer, numbers) = match self.kept_answer(question, &counting)? {
            Some(kept) => kept,
            None => self.added_up(question, &wanted, &counting)?,
        };
        if let Some(best) = answer.best {
            let number = numbers.iter().find(|(game, _)| *game == best.game);
            let number = number.map_or(0, |(_, number)| *number);
            answer.best = self.whole_hit(question, &best, number)?;
        }
        self.expect_games(wanted_games(&answer, &numbers));
        Ok(answer)
    }

    fn search(&self, question: &PatternQuestion) -> Result<PatternAnswer, StoreError> {
        self.scan(question)
    }
}

/// Of all games that came along, those that the answer names.
fn wanted_games(answer: &Answer, numbers: &[(GameRow, i64)]) -> Vec<(GameRow, i64)> {
    let mut named: HashSet<GameRow> = HashSet::new();
    named.extend(answer.best.iter().map(|hit| hit.game));
    named.extend(answer.top_rated.iter().chain(&answer.most_recent));
    for turn in &answer.turns {
        named.extend(turn.samples.iter().map(|&(game, _)| game));
    }
    let mut games: Vec<(GameRow, i64)> = numbers.to_vec();
    games.retain(|(game, _)| named.remove(game));
    games
}

/// Games named for a turn, as [`Group`] takes them.
const SAMPLES: usize = crate::answer::SAMPLES;

/// What was played, a row for each turn as it is stored that begins with one of
/// the steps of a parameter: not more than can be legal on one board, however
/// many hits there are.
///
/// Hits come in order, and the first places of an array are to be the best.
/// That holds as long as the server puts turns together by hashing: sorting them
/// would take longer than all the rest, and lose the order of the hits. So one of
/// the columns is of a type that can be hashed but not sorted.
fn turns_of(hits: &str, steps: usize) -> String {
    format!(
        "SELECT turn, trap, mirrored, count(*), count(*) FILTER (WHERE won),
             sum(rating)::bigint, count(*) FILTER (WHERE rating > 0), max(started),
             (array_agg(place))[:{SAMPLES}], (array_agg(ply))[:{SAMPLES}],
             (array_agg(archive_id))[:{SAMPLES}]
         FROM ({hits}) AS hit WHERE turn & {FIRST_STEP} = ANY(${steps})
         GROUP BY turn, trap, mirrored, CASE WHEN ply % 2 = 0 THEN '0'::xid ELSE '1'::xid END"
    )
}

/// A row of [`turns_of`], and the numbers of its games in their archives.
fn group(row: &Row, numbers: &mut Vec<(GameRow, i64)>) -> Result<Group, postgres::Error> {
    let count = |column: usize| row.try_get::<_, i64>(column).map(i64::cast_unsigned);
    let (places, plies): (Vec<i64>, Vec<i32>) = (row.try_get(8)?, row.try_get(9)?);
    let archive: Vec<i64> = row.try_get(10)?;
    let mut samples = Vec::with_capacity(places.len());
    for ((place, ply), number) in places.into_iter().zip(plies).zip(archive) {
        let (rank, game) = of_place(place);
        numbers.push((game, number));
        samples.push((rank, game, Ply::from(ply.cast_unsigned())));
    }
    let mirrored = row.try_get::<_, i32>(2)? != 0;
    Ok(Group {
        first: first_of(row.try_get(0)?, mirrored, &samples),
        count: count(3)?,
        wins: count(4)?,
        ratings: count(5)?,
        rated: count(6)?,
        last_played: row.try_get::<_, Option<i64>>(7)?.unwrap_or(i64::MIN),
        samples,
    })
}

/// The first hit of those with a turn, without what only its position knows.
pub(super) fn first_of(turn: i64, mirrored: bool, samples: &[Sample]) -> RawHit {
    let (_, game, ply) = samples.first().copied().unwrap_or_default();
    RawHit {
        game: IndexedGame {
            row: game,
            started: i64::MIN,
            ..IndexedGame::zeroed()
        },
        played: IndexedMove {
            turns_before: u16::try_from(ply.get()).unwrap_or(u16::MAX),
            turn: steps_of(turn),
            ..IndexedMove::zeroed()
        },
        mirrored,
    }
}

/// How many games the hits are from and how many hits there are (0), and the strongest (1) and newest (2)
/// of them with their numbers in the archive, in order.
fn games_of(hits: &str) -> String {
    let best = |what: u8, order: &str| {
        format!(
            "(SELECT {what}, game_id, archive_id FROM game WHERE {order} IS NOT NULL
              ORDER BY {order} DESC, game_id LIMIT {NAMED})"
        )
    };
    format!(
        "WITH game AS (
             SELECT archive_id, game_id, count(*) AS hits, max(started) AS started, nullif(max(
                 CASE WHEN rating = 0 THEN 2 * other_rating
                      WHEN other_rating = 0 THEN 2 * rating
                      ELSE rating + other_rating END), 0) AS ratings
             FROM ({hits}) AS hit GROUP BY archive_id, game_id)
         SELECT 0, count(*), coalesce(sum(hits), 0)::bigint FROM game UNION ALL {} UNION ALL {}",
        best(1, "ratings"),
        best(2, "started")
    )
}

/// A position and the window that it was found by.
fn stored_hit(row: &Row) -> Result<(Stored, SeenTrap), postgres::Error> {
    let trap: i32 = row.try_get(15)?;
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

/// The filter as a condition on positions, from ` AND` on, and its values,
/// which come after so many others.
pub(super) fn conditions(filter: &Filter, others: usize) -> (String, Vec<Value>) {
    let mut sql = String::new();
    let mut values = Vec::new();
    let without_samples = Filter {
        sources: Some(Sources::WITHOUT_SAMPLES),
        move_numbers: filter.move_numbers.clone(),
        ..Filter::default()
    };
    if *filter == without_samples {
        // What is asked most: every position knows it.
        " AND NOT sample".clone_into(&mut sql);
    } else if filter.asks_of_games() {
        let (condition, of_games) = filter.to_sql_after(Dialect::Postgres, others);
        values = of_games;
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

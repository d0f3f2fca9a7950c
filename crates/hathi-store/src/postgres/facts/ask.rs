//! Patterns with facts: the server compares every position with them, counts
//! those that match and sends the best.

use postgres::types::ToSql;

use super::super::ask::conditions;
use super::super::connect::Layout;
use super::super::games::count;
use super::super::rows::{GAME_OF_PLACE, HIT, Stored};
use super::super::scan::{FEW_HITS, Scanned, add_both_sides, games_wanted, limit_of};
use super::super::{PostgresStore, parameters};
use super::FactsState;
use crate::error::StoreError;
use crate::filter::{Filter, Value};
use crate::model::GameRow;
use crate::pattern::{AskedWays, Compiled, PatternAnswer, Raw, Told, move_number_sql, translate};
use crate::question::PatternQuestion;

/// The positions that meet a condition on facts and a filter.
pub(super) struct FactRows {
    pub(super) scanned: Scanned,
    pub(super) values: Vec<Value>,
}

impl FactRows {
    pub(super) fn that(exact: &str, filter: &Filter, layout: Layout) -> FactRows {
        if layout == Layout::Citus {
            let (condition, values) = conditions(filter, 0);
            return FactRows {
                scanned: Scanned {
                    from: format!("positions WHERE {exact}{condition}"),
                    game: "archive_id, game_id",
                },
                values,
            };
        }
        let of_games = Filter {
            move_numbers: None,
            ..filter.clone()
        };
        let (wanted, condition, values) = games_wanted(&of_games);
        let moves = filter
            .move_numbers
            .as_ref()
            .map_or_else(String::new, |numbers| {
                let (first, last) = (numbers.start(), numbers.end());
                format!(" AND {} BETWEEN {first} AND {last}", move_number_sql())
            });
        FactRows {
            // Why a CASE: see `Scanned::on_one_server`.
            scanned: Scanned {
                from: format!(
                    "facts WHERE CASE WHEN {exact} THEN {wanted} ELSE FALSE END{moves}{condition}"
                ),
                game: GAME_OF_PLACE,
            },
            values,
        }
    }

    /// The best hits, of all or one a game, with the ways in which they match
    /// behind what questions want to know.
    fn best(
        &self,
        ways: &AskedWays,
        question: &PatternQuestion,
        layout: Layout,
        of_these: &str,
    ) -> String {
        let Scanned { from, game } = &self.scanned;
        let (limit, bits) = (limit_of(question.limit), ways.bits());
        let columns = match layout {
            Layout::OneServer => "place AS at".to_owned(),
            Layout::Citus => HIT.to_owned(),
        };
        let found = if question.one_per_game {
            format!(
                "SELECT * FROM (SELECT DISTINCT ON ({game}) {columns}, {bits} AS ways
                     FROM {from}{of_these} ORDER BY {game}, place) AS game
                 ORDER BY 1{limit}"
            )
        } else {
            format!("SELECT {columns}, {bits} AS ways FROM {from}{of_these} ORDER BY place{limit}")
        };
        match layout {
            Layout::Citus => found,
            // The rest of a position is looked up by game and place.
            Layout::OneServer => format!(
                "SELECT {HIT}, ways FROM ({found}) AS found
                     JOIN positions ON game_id = (at >> 1 & 17179869183) AND place = at
                 ORDER BY place"
            ),
        }
    }
}

impl PostgresStore {
    /// The answer, if the facts of all positions are there.
    pub(in crate::postgres) fn search_facts(
        &self,
        question: &PatternQuestion,
        compiled: &Compiled,
    ) -> Result<Option<PatternAnswer>, StoreError> {
        let Some(exact) = compiled.to_exact_sql(Told::Facts) else {
            return Ok(None);
        };
        let filter = question.filter.counting(self.samples_left_out);
        let ways = compiled.asked_ways();
        let found = self.ask(|connection| {
            let layout = connection.layout;
            if !FactsState::of(&mut connection.client)?.is_complete() {
                return Ok(None);
            }
            let rows = FactRows::that(&exact, &filter, layout);
            let mut client = connection.client.transaction()?;
            settle(&mut client, layout)?;
            let mut values: Vec<&(dyn ToSql + Sync)> = parameters(&rows.values);
            let games: Vec<i64>;
            let (hits, of_games, sql);
            if layout == Layout::OneServer && (1..=FEW_HITS).contains(&question.limit) {
                let found = client.query(&rows.scanned.best_games(question.limit), &values)?;
                (hits, of_games) = match found.first() {
                    Some(row) => (count(row, 1)?, count(row, 2)?),
                    None => (0, 0),
                };
                games = found
                    .iter()
                    .map(|row| row.try_get(0))
                    .collect::<Result<_, _>>()?;
                let of_these = format!(" AND ({GAME_OF_PLACE}) = ANY(${})", values.len() + 1);
                sql = rows.best(&ways, question, layout, &of_these);
                values.push(&games);
            } else {
                let counted = client.query_one(&rows.scanned.counted(), &values)?;
                (hits, of_games) = (count(&counted, 0)?, count(&counted, 1)?);
                sql = rows.best(&ways, question, layout, "");
            }
            let mut best: Vec<Raw> = Vec::new();
            let mut numbers: Vec<(GameRow, i64)> = Vec::new();
            if question.limit > 0 && hits > 0 {
                for row in &client.query(&sql, &values)? {
                    let stored = Stored::of(row)?;
                    let bits: i32 = row.try_get(HIT_COLUMNS)?;
                    let found = ways.found(|number| u64::from(bits >> number & 1 != 0));
                    if let Some(symmetry) = compiled.turned(&found, 0, stored.played.mover()) {
                        numbers.push((stored.game.row, stored.number));
                        best.push(Raw {
                            board: stored.board,
                            played: stored.played,
                            game: stored.game,
                            symmetry,
                            last: stored.played.ply().turns(),
                        });
                    }
                }
            }
            add_both_sides(&mut client, &mut best, &numbers)?;
            client.commit()?;
            if !FactsState::of(&mut connection.client)?.is_complete() {
                // Somebody has taken them out meanwhile.
                return Ok(None);
            }
            let answer = PatternAnswer {
                hits,
                games: of_games,
                best: best.iter().filter_map(translate).collect(),
            };
            Ok(Some((answer, numbers)))
        })?;
        Ok(found.map(|(answer, numbers)| {
            self.expect_games(numbers);
            answer
        }))
    }
}

/// Columns of [`HIT`].
const HIT_COLUMNS: usize = 15;

/// Where there are many positions it pays to compile what they are compared
/// with, but not to have that optimised by each of several processes; and to
/// count games in memory.
pub(super) fn settle(
    client: &mut postgres::Transaction<'_>,
    layout: Layout,
) -> Result<(), postgres::Error> {
    if layout == Layout::OneServer {
        client.batch_execute(
            "SET LOCAL jit = on; SET LOCAL jit_inline_above_cost = -1;
             SET LOCAL jit_optimize_above_cost = -1; SET LOCAL work_mem = '64MB'",
        )?;
    }
    Ok(())
}

//! Any pattern at all. Where it asks for the board alone, or for facts that are
//! kept, the server compares every position with it, counts those that match and
//! sends the best of them; else it leaves out what cannot match, and every
//! position that it sends is compared with the pattern.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use bytemuck::Zeroable;
use hathi_archive::GameSource;
use hathi_rules::Side;
use postgres::GenericClient;
use postgres::fallible_iterator::FallibleIterator;
use postgres::types::ToSql;

use super::ask::conditions;
use super::connect::Layout;
use super::games::count;
use super::rows::{GAME_OF_PLACE, HIT, Stored};
use super::{PostgresStore, parameters};
use crate::error::StoreError;
use crate::filter::{Dialect, Filter, Sources, Value};
use crate::index::{AllowedGames, BuildGame, Gathered, GatheredSearch, IndexedGame};
use crate::memory::Games as _;
use crate::model::GameRow;
use crate::pattern::{Compiled, PatternAnswer, Raw, Told, translate};
use crate::question::PatternQuestion;
use crate::rows::side_of;

impl PostgresStore {
    pub(super) fn scan(&self, question: &PatternQuestion) -> Result<PatternAnswer, StoreError> {
        self.check_ready()?;
        if question.pattern.is_sequence() {
            return match self.search_sequence(question)? {
                Some(answer) => Ok(answer),
                None => self.scan_games(question),
            };
        }
        let compiled = question.pattern.compile(question.matching);
        let counting = question.filter.counting(self.samples_left_out);
        let (condition, values) = conditions(&counting, 0);
        if let Some(exact) = compiled.to_exact_sql(Told::Boards) {
            let asked = AskedOfServer {
                matching: format!("positions WHERE {exact}{condition}"),
                alone: Scanned::on_one_server(&exact, &counting, &condition),
                values,
            };
            return self.scan_on_server(question, &compiled, &asked);
        }
        if let Some(answer) = self.search_facts(question, &compiled)? {
            return Ok(answer);
        }
        let sql = format!(
            "SELECT {HIT} FROM positions WHERE {}{condition}",
            compiled.to_sql()
        );
        let (answer, named) = self.ask(|connection| {
            let mut hits = 0;
            let mut games: HashMap<GameRow, i64> = HashMap::new();
            let mut best = Best::new(question.limit, question.one_per_game);
            // For the same reason as in `add_both_sides`.
            let known = if compiled.asks_of_games() {
                games_of(&mut connection.client, None)?
            } else {
                HashMap::new()
            };
            let mut rows = connection.client.query_raw(&sql, parameters(&values))?;
            while let Some(row) = rows.next()? {
                let stored = Stored::of(&row)?;
                let game = known.get(&stored.game.row).unwrap_or(&stored.game);
                let found = compiled.matches_stored(&stored.board.0, &stored.played, game);
                if let Some(symmetry) = found {
                    hits += 1;
                    games.insert(stored.game.row, stored.number);
                    best.offer(
                        stored.place,
                        Raw {
                            board: stored.board,
                            played: stored.played,
                            game: stored.game,
                            symmetry,
                            last: stored.played.ply().turns(),
                        },
                    );
                }
            }
            drop(rows);
            let mut best = best.finish();
            let named = numbers_of(&best, &games);
            add_both_sides(&mut connection.client, &mut best, &named)?;
            let answer = PatternAnswer {
                hits,
                games: games.len() as u64,
                best: best.iter().filter_map(translate).collect(),
            };
            Ok((answer, named))
        })?;
        self.expect_games(named);
        Ok(answer)
    }
}

/// The games of hits with their numbers in the archive, each once.
fn numbers_of(hits: &[Raw], numbers: &HashMap<GameRow, i64>) -> Vec<(GameRow, i64)> {
    let rows: HashSet<GameRow> = hits.iter().map(|hit| hit.game.row).collect();
    rows.into_iter()
        .filter_map(|row| numbers.get(&row).map(|&number| (row, number)))
        .collect()
}

/// A pattern that the server decides, with the filter.
struct AskedOfServer {
    /// Positions with all that hits need: the table and the whole condition.
    matching: String,
    /// What one server compares with it first.
    alone: Scanned,
    values: Vec<Value>,
}

/// What is compared with a pattern.
pub(super) struct Scanned {
    /// The table and the whole condition.
    pub(super) from: String,
    /// What tells its games apart.
    pub(super) game: &'static str,
}

/// Which games count, of those whose positions match: a condition that is asked
/// only there, another one that goes before it, and its values.
pub(super) fn games_wanted(filter: &Filter) -> (String, String, Vec<Value>) {
    let without_samples = Filter {
        sources: Some(Sources::WITHOUT_SAMPLES),
        ..Filter::default()
    };
    if *filter == without_samples {
        // Few, and asked for only where the board matches.
        let sample = GameSource::Sample;
        let wanted =
            format!("({GAME_OF_PLACE}) NOT IN (SELECT id FROM games WHERE source = '{sample}')");
        return (wanted, String::new(), Vec::new());
    }
    if !filter.asks_of_games() {
        return ("TRUE".to_owned(), String::new(), Vec::new());
    }
    let (condition, values) = filter.to_sql(Dialect::Postgres);
    let tables = filter.tables();
    let of_games =
        format!(" AND ({GAME_OF_PLACE}) IN (SELECT games.id FROM {tables} WHERE {condition})");
    ("TRUE".to_owned(), of_games, values)
}

impl Scanned {
    /// The boards, unless the filter asks for what only positions know.
    /// `condition` is the filter for those.
    ///
    /// The server guesses that next to nothing has so many bits in common with a
    /// board, and would sort the hits by game instead of counting them where
    /// they are found; of a `CASE` it expects half of all rows.
    fn on_one_server(exact: &str, filter: &Filter, condition: &str) -> Scanned {
        if filter.move_numbers.is_some() {
            return Scanned {
                from: format!(
                    "positions WHERE CASE WHEN {exact} THEN TRUE ELSE FALSE END{condition}"
                ),
                game: "game_id",
            };
        }
        let (wanted, of_games, _) = games_wanted(filter);
        Scanned {
            from: format!("boards WHERE CASE WHEN {exact} THEN {wanted} ELSE FALSE END{of_games}"),
            game: GAME_OF_PLACE,
        }
    }

    /// Hits and games. A game is in one shard, so each can count its own.
    pub(super) fn counted(&self) -> String {
        let Scanned { from, game } = self;
        format!(
            "SELECT coalesce(sum(hits), 0)::bigint, count(*)
             FROM (SELECT {game}, count(*) AS hits FROM {from} GROUP BY {game}) AS game"
        )
    }

    /// The games that the best hits are in, with the number of all hits and of
    /// all games: the best so many hits are not in more games. So one server has
    /// to compare all positions once; over several these numbers would have to
    /// come from all of them first.
    pub(super) fn best_games(&self, limit: usize) -> String {
        let Scanned { from, game } = self;
        format!(
            "WITH found AS MATERIALIZED (
                 SELECT {game} AS game, count(*) AS hits, min(place) AS best FROM {from}
                 GROUP BY {game})
             SELECT game, hits, games
             FROM (SELECT game, best FROM found ORDER BY best LIMIT {limit}) AS first,
                 (SELECT sum(hits)::bigint AS hits, count(*) AS games FROM found) AS counted
             ORDER BY best"
        )
    }
}

impl PostgresStore {
    fn scan_on_server(
        &self,
        question: &PatternQuestion,
        compiled: &Compiled,
        asked: &AskedOfServer,
    ) -> Result<PatternAnswer, StoreError> {
        let matching = &asked.matching;
        let (answer, numbers) = self.ask(|connection| {
            let layout = connection.layout;
            let mut client = connection.client.transaction()?;
            if layout == Layout::OneServer {
                client.batch_execute(COMPILED)?;
            }
            let mut best: Vec<Raw> = Vec::new();
            let mut numbers = Vec::new();
            let mut sql = best_of(matching, question);
            let mut values: Vec<&(dyn ToSql + Sync)> = parameters(&asked.values);
            let games: Vec<i64>;
            let (hits, of_games);
            if layout == Layout::OneServer && (1..=FEW_HITS).contains(&question.limit) {
                let found = client.query(&asked.alone.best_games(question.limit), &values)?;
                (hits, of_games) = match found.first() {
                    Some(row) => (count(row, 1)?, count(row, 2)?),
                    None => (0, 0),
                };
                games = found
                    .iter()
                    .map(|row| row.try_get(0))
                    .collect::<Result<_, _>>()?;
                let of_these = format!("{matching} AND game_id = ANY(${})", values.len() + 1);
                sql = best_of(&of_these, question);
                values.push(&games);
            } else {
                let all = match layout {
                    Layout::OneServer => asked.alone.counted(),
                    Layout::Citus => Scanned {
                        from: matching.clone(),
                        game: "archive_id, game_id",
                    }
                    .counted(),
                };
                let counted = client.query_one(&all, &values)?;
                (hits, of_games) = (count(&counted, 0)?, count(&counted, 1)?);
            }
            if question.limit > 0 && hits > 0 {
                for row in &client.query(&sql, &values)? {
                    let stored = Stored::of(row)?;
                    // Which of the images it is.
                    let mover = stored.played.mover();
                    if let Some(symmetry) = compiled.matches(&stored.board.0, mover) {
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
            let answer = PatternAnswer {
                hits,
                games: of_games,
                best: best.iter().filter_map(translate).collect(),
            };
            Ok((answer, numbers))
        })?;
        self.expect_games(numbers);
        Ok(answer)
    }

    /// Sequences are about whole games: those that the filter lets through are
    /// played through and looked at, some at a time.
    fn scan_games(&self, question: &PatternQuestion) -> Result<PatternAnswer, StoreError> {
        let games = Filter {
            // About positions, not games.
            move_numbers: None,
            ..question.filter.clone()
        };
        let all = AllowedGames::All;
        let mut search = GatheredSearch::new(question, &all);
        let mut gathered = Gathered::default();
        let mut numbers: HashMap<GameRow, i64> = HashMap::new();
        self.visit_filtered(&games, None, &mut |stored| {
            numbers.insert(stored.row, stored.game.id.to_i64());
            gathered.add(&BuildGame::of(&stored));
            if gathered.games.len() == TOGETHER {
                search.add(&std::mem::take(&mut gathered));
            }
            ControlFlow::Continue(())
        })?;
        search.add(&gathered);
        let answer = search.finish();
        let named: HashSet<GameRow> = answer.best.iter().map(|hit| hit.game).collect();
        numbers.retain(|row, _| named.contains(row));
        self.expect_games(numbers);
        Ok(answer)
    }
}

/// Where there are many boards it pays to compile the pattern. To put the
/// server's own functions into it takes each process some tenth of a second, and
/// pays from some hundred million boards on.
const COMPILED: &str = "SET LOCAL jit = on; SET LOCAL jit_inline_above_cost = 5000000";

/// More are not looked for game by game.
pub(super) const FEW_HITS: usize = 1000;

/// The best hits, of all or one a game.
fn best_of(matching: &str, question: &PatternQuestion) -> String {
    let limit = limit_of(question.limit);
    if question.one_per_game {
        format!(
            "SELECT {HIT} FROM (SELECT DISTINCT ON (archive_id, game_id) {HIT} FROM {matching}
                 ORDER BY archive_id, game_id, place) AS game
             ORDER BY place{limit}"
        )
    } else {
        format!("SELECT {HIT} FROM {matching} ORDER BY place{limit}")
    }
}

/// The end of a statement that asks for so many.
pub(super) fn limit_of(limit: usize) -> String {
    match limit {
        usize::MAX => String::new(),
        limit => format!(" LIMIT {limit}"),
    }
}

/// Games played through at a time.
const TOGETHER: usize = 2000;

/// Rows of positions know of their mover's part in the game alone: adds what
/// their games know of both.
pub(super) fn add_both_sides(
    client: &mut impl GenericClient,
    hits: &mut [Raw],
    games: &[(GameRow, i64)],
) -> Result<(), postgres::Error> {
    let known = games_of(client, Some(games))?;
    for hit in hits {
        if let Some(game) = known.get(&hit.game.row) {
            hit.game.winner = game.winner;
            hit.game.gold_rating = game.gold_rating;
            hit.game.silver_rating = game.silver_rating;
        }
    }
    Ok(())
}

/// Ratings and results of these games, with their numbers in the archive, or of
/// all.
fn games_of(
    client: &mut impl GenericClient,
    games: Option<&[(GameRow, i64)]>,
) -> Result<HashMap<GameRow, IndexedGame>, postgres::Error> {
    let all = "SELECT id, gold_rating, silver_rating, result FROM games";
    let rows = match games {
        None => client.query(all, &[])?,
        Some([]) => Vec::new(),
        Some(games) => {
            let (ids, numbers): (Vec<i64>, Vec<i64>) = games
                .iter()
                .map(|(row, number)| (row.get(), *number))
                .unzip();
            let sql = format!("{all} WHERE archive_id = ANY($1) AND id = ANY($2)");
            client.query(&sql, &[&numbers, &ids])?
        }
    };
    let mut games = HashMap::with_capacity(rows.len());
    for row in rows {
        let rating = |column: usize| -> Result<u16, postgres::Error> {
            let rating: Option<i64> = row.try_get(column)?;
            Ok(u16::try_from(rating.unwrap_or(0).max(0)).unwrap_or(u16::MAX))
        };
        let result: Option<String> = row.try_get(3)?;
        let game = IndexedGame {
            row: GameRow::new(row.try_get(0)?),
            gold_rating: rating(1)?,
            silver_rating: rating(2)?,
            winner: match side_of(result) {
                None => 0,
                Some(Side::Gold) => 1,
                Some(Side::Silver) => 2,
            },
            ..IndexedGame::zeroed()
        };
        games.insert(game.row, game);
    }
    Ok(games)
}

/// The best hits, of all or one a game.
struct Best {
    limit: usize,
    one_per_game: bool,
    kept: Vec<(i64, Raw)>,
    of_game: HashMap<GameRow, (i64, Raw)>,
}

impl Best {
    fn new(limit: usize, one_per_game: bool) -> Best {
        Best {
            limit,
            one_per_game,
            kept: Vec::new(),
            of_game: HashMap::new(),
        }
    }

    fn offer(&mut self, place: i64, hit: Raw) {
        if self.one_per_game {
            let known = self.of_game.get(&hit.game.row);
            if known.is_none_or(|(best, _)| place < *best) {
                self.of_game.insert(hit.game.row, (place, hit));
            }
            return;
        }
        self.kept.push((place, hit));
        // Now and then, so that a common pattern does not fill the memory.
        if self.kept.len() >= self.limit.saturating_mul(2).max(10_000) {
            self.trim();
        }
    }

    fn trim(&mut self) {
        self.kept.sort_unstable_by_key(|(place, _)| *place);
        self.kept.truncate(self.limit);
    }

    fn finish(mut self) -> Vec<Raw> {
        self.kept.extend(self.of_game.drain().map(|(_, hit)| hit));
        self.trim();
        self.kept.into_iter().map(|(_, hit)| hit).collect()
    }
}

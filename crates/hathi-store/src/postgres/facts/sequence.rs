//! One thing after the other in a game. The server finds out where each formula
//! holds and sends that as bits, a word for sixty-four turns of a game; the games
//! are then looked at turn by turn here.

use std::collections::HashMap;

use bytemuck::Zeroable;
use hathi_rules::Side;
use postgres::fallible_iterator::FallibleIterator;
use postgres::{GenericClient, Row, Transaction};

use super::super::connect::Layout;
use super::super::rows::{HIT, Stored};
use super::super::{PostgresStore, parameters};
use super::FactsState;
use super::ask::{FactRows, settle};
use crate::error::StoreError;
use crate::filter::Filter;
use crate::index::{
    AllowedGames, FoundInGames, GatheredSearch, IndexedGame, IndexedMove, TurnWord,
};
use crate::model::GameRow;
use crate::pattern::{AskedWays, Compiled, CompiledSequence, PatternAnswer, move_number_sql};
use crate::question::PatternQuestion;
use crate::rows::side_of;

/// Positions asked for together.
const TOGETHER: usize = 2000;

/// So few games are asked for by their rows, else all are.
const FEW_GAMES: usize = 5000;

/// The formulas of a sequence as the server is asked for them.
struct AskedFormulas {
    formulas: Vec<AskedWays>,
}

/// A game as the archive and as an index know it.
struct NumberedGame {
    number: i64,
    game: IndexedGame,
}

impl AskedFormulas {
    fn of(sequence: &CompiledSequence) -> AskedFormulas {
        let formulas = sequence.formulas.iter();
        AskedFormulas {
            formulas: formulas.map(Compiled::asked_ways).collect(),
        }
    }

    fn conditions(&self) -> impl Iterator<Item = &String> {
        self.formulas.iter().flat_map(|formula| &formula.conditions)
    }

    /// For every game and sixty-four of its turns the turns at which each of the
    /// conditions holds, as bits; rows without any are left out.
    fn sql(&self, filter: &Filter, layout: Layout) -> (String, FactRows) {
        let any: Vec<String> = self.formulas.iter().map(AskedWays::any).collect();
        let rows = FactRows::that(&format!("({})", any.join(" OR ")), filter, layout);
        // The first turn of either side has number 2.
        let turns = format!("({} * 2 - 4 + (place & 1))", move_number_sql());
        let bits: Vec<String> = self
            .conditions()
            .map(|condition| {
                format!(
                    ", bit_or(CASE WHEN {condition} THEN 1::bigint << ({turns} & 63)::integer END)"
                )
            })
            .collect();
        let scanned = &rows.scanned;
        let (game, also) = match layout {
            Layout::OneServer => (scanned.game, ""),
            // The distribution column, so that each shard can count its own.
            Layout::Citus => ("game_id", ", archive_id"),
        };
        let sql = format!(
            "SELECT {game}, {turns} >> 6{} FROM {} GROUP BY {game}, {turns} >> 6{also}",
            bits.concat(),
            scanned.from
        );
        (sql, rows)
    }

    /// The row of the game, and what holds.
    fn word(&self, row: &Row) -> Result<(i64, TurnWord), postgres::Error> {
        let mut holding: Vec<u64> = Vec::with_capacity(row.len());
        for column in 2..row.len() {
            let bits: Option<i64> = row.try_get(column)?;
            holding.push(bits.unwrap_or(0).cast_unsigned());
        }
        let mut first = 0;
        let formulas = self
            .formulas
            .iter()
            .map(|formula| {
                let of_formula = &holding[first..first + formula.conditions.len()];
                first += formula.conditions.len();
                formula.found(|number| of_formula[number])
            })
            .collect();
        let word: i64 = row.try_get(1)?;
        let word = TurnWord {
            game: 0,
            word: usize::try_from(word).unwrap_or(usize::MAX),
            formulas,
        };
        Ok((row.try_get(0)?, word))
    }
}

impl PostgresStore {
    /// The answer, if the facts of all positions are there.
    pub(in crate::postgres) fn search_sequence(
        &self,
        question: &PatternQuestion,
    ) -> Result<Option<PatternAnswer>, StoreError> {
        if !self.facts_are_complete()? {
            return Ok(None);
        }
        let filter = question.filter.counting(self.samples_left_out);
        let of_games = Filter {
            // About where a sequence begins, not where its parts are.
            move_numbers: None,
            ..filter.into_owned()
        };
        let found = self.ask(|connection| {
            let layout = connection.layout;
            // Rows of games that the filter lets through, so all are allowed.
            let all = AllowedGames::All;
            let mut search = GatheredSearch::new(question, &all);
            let asked = AskedFormulas::of(search.sequence());
            let mut client = connection.client.transaction()?;
            settle(&mut client, layout)?;
            if layout == Layout::OneServer {
                // The server expects many more games than there are, and would sort
                // the positions by them.
                client.batch_execute("SET LOCAL enable_sort = off")?;
            }
            let (sql, rows) = asked.sql(&of_games, layout);
            let mut words: Vec<(i64, TurnWord)> = Vec::new();
            let mut told = client.query_raw(&sql, parameters(&rows.values))?;
            while let Some(row) = told.next()? {
                words.push(asked.word(&row)?);
            }
            drop(told);
            words.sort_unstable_by_key(|(game, word)| (*game, word.word));
            let games = games_of(&mut client, &mut words)?;
            let indexed: Vec<IndexedGame> = games.iter().map(|game| game.game).collect();
            let words: Vec<TurnWord> = words.into_iter().map(|(_, word)| word).collect();
            let best = search.add_words(&indexed, &words);
            let (boards, moves) = positions_of(&mut client, layout, &games, &best)?;
            search.add_boards(&indexed, &best, &boards, &moves);
            client.commit()?;
            let numbers: HashMap<GameRow, i64> = games
                .iter()
                .map(|game| (game.game.row, game.number))
                .collect();
            let complete = FactsState::of(&mut connection.client)?.is_complete();
            Ok(complete.then(|| (search.finish(), numbers)))
        })?;
        Ok(found.map(|(answer, mut numbers)| {
            let named: std::collections::HashSet<GameRow> =
                answer.best.iter().map(|hit| hit.game).collect();
            numbers.retain(|row, _| named.contains(row));
            self.expect_games(numbers);
            answer
        }))
    }
}

/// The games of the words, which are in their order, each once; words get the
/// number of their game there. Words of games that are gone meanwhile go too.
fn games_of(
    client: &mut impl GenericClient,
    words: &mut Vec<(i64, TurnWord)>,
) -> Result<Vec<NumberedGame>, postgres::Error> {
    let mut wanted: Vec<i64> = words.iter().map(|(game, _)| *game).collect();
    wanted.dedup();
    let all =
        "SELECT id, archive_id, gold_rating, silver_rating, result, turns, started FROM games";
    let rows = if wanted.len() <= FEW_GAMES {
        client.query(&format!("{all} WHERE id = ANY($1)"), &[&wanted])?
    } else {
        client.query(all, &[])?
    };
    let mut games = Vec::with_capacity(wanted.len());
    for row in &rows {
        if wanted.binary_search(&row.try_get(0)?).is_ok() {
            games.push(numbered_game(row)?);
        }
    }
    games.sort_unstable_by_key(|game| game.game.row);
    let mut known: Vec<(i64, TurnWord)> = Vec::with_capacity(words.len());
    for (row, mut word) in words.drain(..) {
        let place = games.binary_search_by_key(&row, |game| game.game.row.get());
        if let Ok(place) = place {
            word.game = place as u32;
            known.push((row, word));
        }
    }
    *words = known;
    Ok(games)
}

fn numbered_game(row: &Row) -> Result<NumberedGame, postgres::Error> {
    let small = |column: usize| -> Result<u16, postgres::Error> {
        let number: Option<i64> = row.try_get(column)?;
        Ok(u16::try_from(number.unwrap_or(0).max(0)).unwrap_or(u16::MAX))
    };
    let started: Option<i64> = row.try_get(6)?;
    Ok(NumberedGame {
        number: row.try_get(1)?,
        game: IndexedGame {
            row: GameRow::new(row.try_get(0)?),
            gold_rating: small(2)?,
            silver_rating: small(3)?,
            winner: match side_of(row.try_get(4)?) {
                None => 0,
                Some(Side::Gold) => 1,
                Some(Side::Silver) => 2,
            },
            turns: small(5)?,
            started: started.unwrap_or(i64::MIN),
            ..IndexedGame::zeroed()
        },
    })
}

/// Boards and turns where something was found.
type Found = (Vec<[u64; 4]>, Vec<IndexedMove>);

fn positions_of(
    client: &mut Transaction<'_>,
    layout: Layout,
    games: &[NumberedGame],
    best: &FoundInGames,
) -> Result<Found, postgres::Error> {
    let (mut boards, mut moves) = (Vec::new(), Vec::new());
    let places: Vec<(usize, i32)> = best
        .places()
        .map(|(game, ply)| (game, i32::try_from(ply).unwrap_or(i32::MAX)))
        .collect();
    for some in places.chunks(TOGETHER) {
        let game = |&(game, _): &(usize, i32)| &games[game];
        let rows: Vec<i64> = some.iter().map(|at| game(at).game.row.get()).collect();
        let numbers: Vec<i64> = some.iter().map(|at| game(at).number).collect();
        let plies: Vec<i32> = some.iter().map(|&(_, ply)| ply).collect();
        let sql = match layout {
            Layout::OneServer => format!(
                "SELECT {HIT} FROM unnest($1::bigint[], $2::bigint[], $3::integer[])
                     AS wanted (number, game, at)
                 JOIN positions ON game_id = game AND ply = at AND archive_id = number"
            ),
            // More than is wanted, but from the shards of these games alone.
            Layout::Citus => format!(
                "SELECT {HIT} FROM positions
                 WHERE archive_id = ANY($1) AND game_id = ANY($2) AND ply = ANY($3)"
            ),
        };
        for row in &client.query(&sql, &[&numbers, &rows, &plies])? {
            let stored = Stored::of(row)?;
            let place = games.binary_search_by_key(&stored.game.row, |game| game.game.row);
            if let Ok(place) = place {
                boards.push(stored.board.0);
                moves.push(IndexedMove {
                    game: place as u32,
                    ..stored.played
                });
            }
        }
    }
    Ok((boards, moves))
}

//! Games into the file.

use std::collections::HashMap;

use hathi_archive::Player;
use rusqlite::{Transaction, TransactionBehavior, params};

use super::database::{Database, DatabaseError, sqlite_error};
use crate::filter::Pace;
use crate::log::pack_all;
use crate::model::{AddedGame, GameRow, NewGame};
use crate::moves::encode_setup;
use crate::rows::{fingerprint, free_copy};

impl Database {
    /// Adds games in one transaction: all of them or, if it fails, none.
    /// Returns for each what became of it, or nothing if it was there already.
    pub(super) fn insert(
        &mut self,
        games: &[NewGame],
    ) -> Result<Vec<Option<AddedGame>>, DatabaseError> {
        // Before others have to wait.
        let logs = pack_all(games);
        let path = self.path.clone();
        let failed = |error| sqlite_error(&path, error);
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(failed)?;
        let mut players = HashMap::new();
        let mut events = HashMap::new();
        let result = insert_all(
            &transaction,
            games.iter().zip(logs),
            &mut Names {
                known: &self.players,
                new: &mut players,
                insert: "INSERT INTO players(name) VALUES (?1) ON CONFLICT(name) DO UPDATE SET name = name RETURNING id",
            },
            &mut Names {
                known: &self.events,
                new: &mut events,
                insert: "INSERT INTO events(name) VALUES (?1) ON CONFLICT(name) DO UPDATE SET name = name RETURNING id",
            },
        )
        .map_err(failed)?;
        transaction.commit().map_err(failed)?;
        // Only now are the new names sure to be there.
        self.players.extend(players);
        self.events.extend(events);
        Ok(result)
    }
}

/// Names that are rows of their own: known ones, and those new in this
/// transaction.
struct Names<'a> {
    known: &'a HashMap<String, i64>,
    new: &'a mut HashMap<String, i64>,
    insert: &'static str,
}

impl Names<'_> {
    fn id(&mut self, transaction: &Transaction<'_>, name: &str) -> rusqlite::Result<i64> {
        if let Some(&id) = self.known.get(name).or_else(|| self.new.get(name)) {
            return Ok(id);
        }
        let id = transaction
            .prepare_cached(self.insert)?
            .query_row([name], |row| row.get(0))?;
        self.new.insert(name.to_owned(), id);
        Ok(id)
    }
}

fn insert_all<'a>(
    transaction: &Transaction<'_>,
    games: impl Iterator<Item = (&'a NewGame, Option<Vec<u8>>)>,
    players: &mut Names<'_>,
    events: &mut Names<'_>,
) -> rusqlite::Result<Vec<Option<AddedGame>>> {
    let mut known = transaction.prepare_cached(
        "SELECT fingerprint, copy FROM games WHERE source = ?1 AND archive_id = ?2",
    )?;
    let mut log_statement =
        transaction.prepare_cached("INSERT INTO logs(game_id, log) VALUES (?1, ?2)")?;
    let mut statement = transaction.prepare_cached(
        "INSERT INTO games(archive_id, fingerprint, gold_id, silver_id, gold_rating, silver_rating,
            gold_kind, silver_kind, gold_title, silver_title, gold_country, silver_country,
            gold_rating_k, silver_rating_k, event_id, site, time_control, pace, postal, started,
            ended, result, termination, mode, rated, corrupt, turns, takebacks, fault, gold_setup,
            silver_setup, moves, source, copy, gold_number, silver_number)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18,
            ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31, ?32, ?33, ?34, ?35,
            ?36)
         RETURNING id",
    )?;
    let mut added = Vec::new();
    for (new, log) in games {
        let game = &new.game;
        let moves = new.moves.encode();
        let fingerprint = fingerprint(new, &moves);
        let source = game.id.source().name();
        // Games that have the same number.
        let others: Vec<(i64, i64)> = known
            .query_map(params![source, game.id.to_i64()], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })?
            .collect::<Result<_, _>>()?;
        if others.iter().any(|&(known, _)| known == fingerprint) {
            added.push(None);
            continue;
        }
        let copy = free_copy(game.id.copy(), others.iter().map(|&(_, copy)| copy));
        let (gold, silver) = (&game.players.gold, &game.players.silver);
        let kind = |player: &Player| player.kind.to_char().map(String::from);
        let number = |player: &Player| player.id.map(u64::cast_signed);
        let setup = |setup| i64::from_le_bytes(encode_setup(setup));
        let row: GameRow = statement.query_row(
            params![
                game.id.to_i64(),
                fingerprint,
                players.id(transaction, &gold.name)?,
                players.id(transaction, &silver.name)?,
                gold.rating,
                silver.rating,
                kind(gold),
                kind(silver),
                gold.title,
                silver.title,
                gold.country,
                silver.country,
                gold.rating_k,
                silver.rating_k,
                events.id(transaction, &game.event)?,
                game.site,
                game.time_control,
                Pace::of(&game.time_control, game.postal).map(Pace::name),
                game.postal,
                game.start,
                game.end,
                game.result.map(|side| side.to_char().to_string()),
                game.termination.map(|t| t.to_char().to_string()),
                game.mode,
                game.rated,
                game.corrupt,
                new.moves.turns.len() as i64,
                new.takebacks as i64,
                new.fault,
                setup(&new.moves.gold),
                setup(&new.moves.silver),
                moves,
                source,
                copy,
                number(gold),
                number(silver),
            ],
            |row| row.get(0),
        )?;
        if let Some(log) = log {
            log_statement.execute(params![row, log])?;
        }
        let id = game.id.with_copy(u32::try_from(copy).unwrap_or(u32::MAX));
        added.push(Some(AddedGame { row, id }));
    }
    Ok(added)
}

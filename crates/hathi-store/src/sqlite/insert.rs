//! Games into the file.

use std::collections::HashMap;

use hathi_archive::Player;
use rusqlite::{OptionalExtension, Transaction, TransactionBehavior, params};

use super::database::{Database, DatabaseError, sqlite_error};
use crate::filter::Pace;
use crate::model::{GameRow, NewGame};
use crate::moves::encode_setup;
use crate::rows::fingerprint;

impl Database {
    /// Adds games in one transaction: all of them or, if it fails, none.
    /// Returns for each its row, or nothing if it was there already.
    pub(super) fn insert(
        &mut self,
        games: &[NewGame],
    ) -> Result<Vec<Option<GameRow>>, DatabaseError> {
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
            games,
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

fn insert_all(
    transaction: &Transaction<'_>,
    games: &[NewGame],
    players: &mut Names<'_>,
    events: &mut Names<'_>,
) -> rusqlite::Result<Vec<Option<GameRow>>> {
    let mut statement = transaction.prepare_cached(
        "INSERT INTO games(archive_id, fingerprint, gold_id, silver_id, gold_rating, silver_rating,
            gold_kind, silver_kind, gold_title, silver_title, gold_country, silver_country,
            gold_rating_k, silver_rating_k, event_id, site, time_control, pace, postal, started,
            ended, result, termination, mode, rated, corrupt, turns, takebacks, fault, gold_setup,
            silver_setup, moves)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18,
            ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31, ?32)
         ON CONFLICT(archive_id, fingerprint) DO NOTHING RETURNING id",
    )?;
    let mut added = Vec::with_capacity(games.len());
    for new in games {
        let game = &new.game;
        let moves = new.moves.encode();
        let (gold, silver) = (&game.players.gold, &game.players.silver);
        let kind = |player: &Player| player.kind.to_char().map(String::from);
        let setup = |setup| i64::from_le_bytes(encode_setup(setup));
        let id = statement
            .query_row(
                params![
                    game.id.to_i64(),
                    fingerprint(new, &moves),
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
                ],
                |row| row.get(0),
            )
            .optional()?;
        added.push(id);
    }
    Ok(added)
}

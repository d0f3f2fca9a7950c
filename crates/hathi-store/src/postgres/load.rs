//! Adding games: replayed on all cores, sent with COPY, one transaction a
//! batch.

use std::collections::{HashMap, HashSet};
use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread;
use std::time::{Duration, Instant};

use postgres::Transaction;
use postgres::binary_copy::BinaryCopyInWriter;
use postgres::types::{ToSql, Type};

use super::connect::Trouble;
use super::rows::{COLUMNS, rows_of};
use super::schema::LOCK;
use super::{PostgresStore, ServerError, storable};
use crate::error::StoreError;
use crate::filter::Pace;
use crate::index::BuildGame;
use crate::log::pack_all;
use crate::model::{AddedGame, GameRow, NewGame};
use crate::moves::encode_setup;
use crate::rows::{fingerprint, free_copy};

/// How long to wait for another writer, as with a file.
const PATIENCE: Duration = Duration::from_secs(2);

/// Names that are rows of their own.
pub(super) struct Names {
    table: &'static str,
    known: HashMap<String, i64>,
}

impl Names {
    pub(super) fn new(table: &'static str) -> Names {
        Names {
            table,
            known: HashMap::new(),
        }
    }

    /// The rows of names, made if need be. Call it as the only writer.
    fn rows<'a>(
        &self,
        transaction: &mut Transaction<'_>,
        names: impl Iterator<Item = &'a str>,
    ) -> Result<HashMap<String, i64>, postgres::Error> {
        let mut wanted: Vec<String> = Vec::new();
        let mut seen = HashSet::new();
        for name in names.map(storable) {
            if !self.known.contains_key(&name) && seen.insert(name.clone()) {
                wanted.push(name);
            }
        }
        let mut rows = HashMap::new();
        if wanted.is_empty() {
            return Ok(rows);
        }
        let table = self.table;
        let found = transaction.query(
            &format!("SELECT name, id FROM {table} WHERE name = ANY($1)"),
            &[&wanted],
        )?;
        for row in found {
            rows.insert(row.try_get(0)?, row.try_get(1)?);
        }
        wanted.retain(|name| !rows.contains_key(name));
        let next = next_id(transaction, table)?;
        let ids: Vec<i64> = (next..).take(wanted.len()).collect();
        transaction.execute(
            &format!(
                "INSERT INTO {table} (id, name) SELECT * FROM unnest($1::bigint[], $2::text[])"
            ),
            &[&ids, &wanted],
        )?;
        rows.extend(wanted.into_iter().zip(ids));
        Ok(rows)
    }
}

fn next_id(transaction: &mut Transaction<'_>, table: &str) -> Result<i64, postgres::Error> {
    let row = transaction.query_one(
        &format!("SELECT coalesce(max(id), 0) + 1 FROM {table}"),
        &[],
    )?;
    row.try_get(0)
}

/// A game that is new, as it goes into the table.
struct Incoming<'a> {
    new: &'a NewGame,
    id: i64,
    copy: i64,
    log: Option<Vec<u8>>,
    fingerprint: i64,
    moves: Vec<u8>,
}

impl PostgresStore {
    /// Adds games in one transaction: all of them or, if it fails, none.
    /// Returns for each what became of it, or nothing if it was there already.
    pub(super) fn load(&mut self, games: &[NewGame]) -> Result<Vec<Option<AddedGame>>, StoreError> {
        // Before others have to wait.
        let logs = pack_all(games);
        let (players, events) = (&self.players, &self.events);
        let (rows, new_players, new_events) = self.write(|transaction| {
            let (incoming, rows) = new_ones(transaction, games, logs)?;
            let both = incoming.iter().flat_map(|game| {
                let players = &game.new.game.players;
                [players.gold.name.as_str(), players.silver.name.as_str()]
            });
            let new_players = players.rows(transaction, both)?;
            let named = incoming.iter().map(|game| game.new.game.event.as_str());
            let new_events = events.rows(transaction, named)?;
            let row_of = |known: &Names, new: &HashMap<String, i64>, name: &str| {
                let name = storable(name);
                let row = known.known.get(&name).or_else(|| new.get(&name));
                row.copied().unwrap_or(0)
            };
            copy_games(
                transaction,
                &incoming,
                |name| row_of(players, &new_players, name),
                |name| row_of(events, &new_events, name),
            )?;
            copy_logs(transaction, &incoming)?;
            copy_positions(transaction, &incoming)?;
            Ok((rows, new_players, new_events))
        })?;
        // Only now are the new names sure to be there.
        self.players.known.extend(new_players);
        self.events.known.extend(new_events);
        Ok(rows)
    }

    /// A transaction of the only writer.
    pub(super) fn write<T>(
        &self,
        work: impl FnOnce(&mut Transaction<'_>) -> Result<T, Trouble>,
    ) -> Result<T, StoreError> {
        let busy = || ServerError::Busy(self.server.clone());
        let done = self.ask_once(|connection| {
            let mut transaction = connection.client.transaction()?;
            let waiting = Instant::now();
            loop {
                let row = transaction.query_one(
                    "SELECT pg_try_advisory_xact_lock($1, 'games'::regclass::oid::integer)",
                    &[&LOCK],
                )?;
                if row.try_get(0)? {
                    break;
                }
                if waiting.elapsed() > PATIENCE {
                    return Ok(None);
                }
                thread::sleep(Duration::from_millis(50));
            }
            let done = work(&mut transaction)?;
            transaction.commit()?;
            Ok(Some(done))
        })?;
        Ok(done.ok_or_else(busy)?)
    }
}

/// Leaves out the games that are there, and gives the others their rows.
fn new_ones<'a>(
    transaction: &mut Transaction<'_>,
    games: &'a [NewGame],
    logs: Vec<Option<Vec<u8>>>,
) -> Result<(Vec<Incoming<'a>>, Vec<Option<AddedGame>>), postgres::Error> {
    let archive_ids: Vec<i64> = games.iter().map(|new| new.game.id.to_i64()).collect();
    let known = transaction.query(
        "SELECT source, archive_id, fingerprint, copy FROM games WHERE archive_id = ANY($1)",
        &[&archive_ids],
    )?;
    // Fingerprints and copies of the games that have a number.
    let mut others: HashMap<(String, i64), Vec<(i64, i64)>> = HashMap::new();
    for row in &known {
        let number = (row.try_get(0)?, row.try_get(1)?);
        let game = (row.try_get(2)?, row.try_get(3)?);
        others.entry(number).or_default().push(game);
    }
    let mut next = next_id(transaction, "games")?;
    let mut incoming = Vec::new();
    let mut rows = Vec::with_capacity(games.len());
    for ((new, archive_id), log) in games.iter().zip(archive_ids).zip(logs) {
        let moves = new.moves.encode();
        let fingerprint = fingerprint(new, &moves);
        let asked = new.game.id;
        let number = (asked.source().name().to_owned(), archive_id);
        let others = others.entry(number).or_default();
        if others.iter().any(|&(known, _)| known == fingerprint) {
            rows.push(None);
            continue;
        }
        let copy = free_copy(asked.copy(), others.iter().map(|&(_, copy)| copy));
        others.push((fingerprint, copy));
        rows.push(Some(AddedGame {
            row: GameRow::new(next),
            id: asked.with_copy(u32::try_from(copy).unwrap_or(u32::MAX)),
        }));
        incoming.push(Incoming {
            new,
            id: next,
            copy,
            log,
            fingerprint,
            moves,
        });
        next += 1;
    }
    Ok((incoming, rows))
}

const GAME_COLUMNS: [(&str, Type); 37] = [
    ("id", Type::INT8),
    ("archive_id", Type::INT8),
    ("fingerprint", Type::INT8),
    ("gold_id", Type::INT8),
    ("silver_id", Type::INT8),
    ("gold_rating", Type::INT8),
    ("silver_rating", Type::INT8),
    ("gold_kind", Type::TEXT),
    ("silver_kind", Type::TEXT),
    ("gold_title", Type::TEXT),
    ("silver_title", Type::TEXT),
    ("gold_country", Type::TEXT),
    ("silver_country", Type::TEXT),
    ("gold_rating_k", Type::INT8),
    ("silver_rating_k", Type::INT8),
    ("event_id", Type::INT8),
    ("site", Type::TEXT),
    ("time_control", Type::TEXT),
    ("pace", Type::TEXT),
    ("postal", Type::BOOL),
    ("started", Type::INT8),
    ("ended", Type::INT8),
    ("result", Type::TEXT),
    ("termination", Type::TEXT),
    ("mode", Type::TEXT),
    ("rated", Type::BOOL),
    ("corrupt", Type::BOOL),
    ("turns", Type::INT8),
    ("takebacks", Type::INT8),
    ("fault", Type::TEXT),
    ("gold_setup", Type::INT8),
    ("silver_setup", Type::INT8),
    ("moves", Type::BYTEA),
    ("source", Type::TEXT),
    ("copy", Type::INT8),
    ("gold_number", Type::INT8),
    ("silver_number", Type::INT8),
];

fn copy_games(
    transaction: &mut Transaction<'_>,
    incoming: &[Incoming<'_>],
    player: impl Fn(&str) -> i64,
    event: impl Fn(&str) -> i64,
) -> Result<(), postgres::Error> {
    let names: Vec<&str> = GAME_COLUMNS.iter().map(|(name, _)| *name).collect();
    let types = GAME_COLUMNS.map(|(_, kind)| kind);
    let sql = format!(
        "COPY games ({}) FROM STDIN (FORMAT binary)",
        names.join(", ")
    );
    let mut writer = BinaryCopyInWriter::new(transaction.copy_in(&sql)?, &types);
    let letter = |letter: Option<char>| letter.map(String::from);
    for row in incoming {
        let game = &row.new.game;
        let (gold, silver) = (&game.players.gold, &game.players.silver);
        let setup = |setup| i64::from_le_bytes(encode_setup(setup));
        let values: [&(dyn ToSql + Sync); 37] = [
            &row.id,
            &game.id.to_i64(),
            &row.fingerprint,
            &player(&gold.name),
            &player(&silver.name),
            &gold.rating.map(i64::from),
            &silver.rating.map(i64::from),
            &letter(gold.kind.to_char()),
            &letter(silver.kind.to_char()),
            &storable(&gold.title),
            &storable(&silver.title),
            &storable(&gold.country),
            &storable(&silver.country),
            &gold.rating_k.map(i64::from),
            &silver.rating_k.map(i64::from),
            &event(&game.event),
            &storable(&game.site),
            &storable(&game.time_control),
            &Pace::of(&game.time_control, game.postal).map(Pace::name),
            &game.postal,
            &game.start,
            &game.end,
            &letter(game.result.map(hathi_rules::Side::to_char)),
            &letter(game.termination.map(hathi_rules::Termination::to_char)),
            &storable(&game.mode),
            &game.rated,
            &game.corrupt,
            &(row.new.moves.turns.len() as i64),
            &(row.new.takebacks as i64),
            &row.new.fault.as_deref().map(storable),
            &setup(&row.new.moves.gold),
            &setup(&row.new.moves.silver),
            &row.moves,
            &game.id.source().name(),
            &row.copy,
            &gold.id.map(u64::cast_signed),
            &silver.id.map(u64::cast_signed),
        ];
        writer.write(&values)?;
    }
    writer.finish()?;
    Ok(())
}

fn copy_logs(
    transaction: &mut Transaction<'_>,
    incoming: &[Incoming<'_>],
) -> Result<(), postgres::Error> {
    if incoming.iter().all(|row| row.log.is_none()) {
        return Ok(());
    }
    let sql = "COPY logs (game_id, archive_id, log) FROM STDIN (FORMAT binary)";
    let types = [Type::INT8, Type::INT8, Type::BYTEA];
    let mut writer = BinaryCopyInWriter::new(transaction.copy_in(sql)?, &types);
    for row in incoming {
        if let Some(log) = &row.log {
            writer.write(&[&row.id, &row.new.game.id.to_i64(), log])?;
        }
    }
    writer.finish()?;
    Ok(())
}

/// Before the rows of a binary COPY, and after them.
const COPY_START: &[u8] = b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0";
const COPY_END: [u8; 2] = (-1i16).to_be_bytes();

/// Games that a thread plays through at a time: some hundred kilobytes of
/// rows.
const SHARE: usize = 50;

/// Plays the games through on all cores; the rows go out while the next ones
/// are made.
fn copy_positions(
    transaction: &mut Transaction<'_>,
    incoming: &[Incoming<'_>],
) -> Result<(), Trouble> {
    let games: Vec<(i64, BuildGame)> = incoming
        .iter()
        .map(|row| {
            let game = &row.new.game;
            let build = BuildGame {
                row: GameRow::new(row.id),
                started: game.start,
                gold_rating: game.players.gold.rating,
                silver_rating: game.players.silver.rating,
                winner: game.result,
                moves: row.moves.clone(),
            };
            (game.id.to_i64(), build)
        })
        .collect();
    let sql = format!("COPY positions ({COLUMNS}) FROM STDIN (FORMAT binary)");
    let mut writer = transaction.copy_in(&sql)?;
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let mut sent = writer.write_all(COPY_START);
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        let (to_writer, rows) = sync_channel::<Vec<u8>>(threads * 2);
        let (next, games) = (&next, &games);
        for _ in 0..threads {
            let to_writer = to_writer.clone();
            scope.spawn(move || {
                loop {
                    let part = next.fetch_add(1, Ordering::Relaxed);
                    let Some(share) = games.chunks(SHARE).nth(part) else {
                        return;
                    };
                    // Nobody listens after an error.
                    if to_writer.send(rows_of(share)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(to_writer);
        for rows in rows {
            if sent.is_ok() {
                sent = writer.write_all(&rows);
            } else {
                break;
            }
        }
    });
    // Not finished, it is given up, and the transaction with it.
    sent?;
    writer.write_all(&COPY_END)?;
    writer.finish()?;
    Ok(())
}

//! Adding games: replayed on all cores, sent with COPY, one transaction a
//! batch.

use std::collections::{HashMap, HashSet};
use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread;
use std::time::{Duration, Instant};

use hathi_archive::{GameId, GameSource};
use postgres::Transaction;
use postgres::binary_copy::BinaryCopyInWriter;
use postgres::types::{ToSql, Type};

use super::connect::{Layout, Trouble};
use super::kept::{self, KeptShapes, PlayedPosition, Sums};
use super::rows::{LoadGame, PositionTable, for_each_position, for_each_with_facts, write_rows};
use super::schema::LOCK;
use super::{PostgresStore, ServerError, counts, facts, storable};
use crate::error::StoreError;
use crate::filter::Pace;
use crate::index::BuildGame;
use crate::log::pack_all;
use crate::model::{AddedGame, GameRow, NewGame};
use crate::moves::encode_setup;
use crate::pattern::PackedFacts;
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

    /// The rows of names, made if need be, also while others do the same.
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
        let known = format!("SELECT name, id FROM {table} WHERE name = ANY($1)");
        for row in transaction.query(&known, &[&wanted])? {
            rows.insert(row.try_get(0)?, row.try_get(1)?);
        }
        wanted.retain(|name| !rows.contains_key(name));
        if wanted.is_empty() {
            return Ok(rows);
        }
        // In one order, so that two who add the same names wait for each other
        // and not crosswise.
        wanted.sort_unstable();
        let ids = next_rows(transaction, "name_rows", wanted.len())?;
        transaction.execute(
            &format!(
                "INSERT INTO {table} (id, name) SELECT * FROM unnest($1::bigint[], $2::text[])
                 ON CONFLICT (name) DO NOTHING"
            ),
            &[&ids, &wanted],
        )?;
        for row in transaction.query(&known, &[&wanted])? {
            rows.insert(row.try_get(0)?, row.try_get(1)?);
        }
        Ok(rows)
    }
}

/// The next so many rows of what a sequence counts, in order.
fn next_rows(
    transaction: &mut Transaction<'_>,
    sequence: &str,
    count: usize,
) -> Result<Vec<i64>, postgres::Error> {
    let sql = format!("SELECT nextval('{sequence}') FROM generate_series(1::bigint, $1)");
    let rows = transaction.query(&sql, &[&(count as i64)])?;
    let mut next: Vec<i64> = rows
        .iter()
        .map(|row| row.try_get(0))
        .collect::<Result<_, _>>()?;
    next.sort_unstable();
    Ok(next)
}

/// Who may write at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Writer {
    /// Others who add games.
    WithOthers,
    /// Nobody.
    Alone,
}

/// How often a batch is tried when another process adds the same games.
const TRIES: usize = 3;

/// A game that is new, as it goes into the table.
struct Incoming<'a> {
    new: &'a NewGame,
    id: i64,
    copy: i64,
    log: Option<&'a [u8]>,
    fingerprint: i64,
    moves: Vec<u8>,
}

impl PostgresStore {
    /// Adds games in one transaction: all of them or, if it fails, none.
    /// Returns for each what became of it, or nothing if it was there already.
    pub(super) fn load(&mut self, games: &[NewGame]) -> Result<Vec<Option<AddedGame>>, StoreError> {
        // Before others have to wait.
        let logs = pack_all(games);
        for _ in 1..TRIES {
            match self.load_once(games, &logs) {
                // It is there by now, and known the next time.
                Err(StoreError::Server(ServerError::Conflict(_))) => {}
                done => return done,
            }
        }
        self.load_once(games, &logs)
    }

    fn load_once(
        &mut self,
        games: &[NewGame],
        logs: &[Option<Vec<u8>>],
    ) -> Result<Vec<Option<AddedGame>>, StoreError> {
        let (players, events) = (&self.players, &self.events);
        let layout = self.connection().layout;
        let (rows, new_players, new_events) = self.write(Writer::WithOthers, |transaction| {
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
            copy_positions(transaction, &incoming, layout)?;
            count_them(transaction, &incoming)?;
            Ok((rows, new_players, new_events))
        })?;
        // Only now are the new names sure to be there.
        self.players.known.extend(new_players);
        self.events.known.extend(new_events);
        Ok(rows)
    }

    /// A transaction of a writer.
    pub(super) fn write<T>(
        &self,
        writer: Writer,
        work: impl FnOnce(&mut Transaction<'_>) -> Result<T, Trouble>,
    ) -> Result<T, StoreError> {
        let busy = || ServerError::Busy(self.server.clone());
        let lock = match writer {
            Writer::WithOthers => "pg_try_advisory_xact_lock_shared",
            Writer::Alone => "pg_try_advisory_xact_lock",
        };
        let lock = format!("SELECT {lock}($1, 'games'::regclass::oid::integer)");
        let done = self.ask_once(|connection| {
            let mut transaction = connection.client.transaction()?;
            let waiting = Instant::now();
            loop {
                let row = transaction.query_one(&lock, &[&LOCK])?;
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
    logs: &'a [Option<Vec<u8>>],
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
    let mut incoming = Vec::new();
    // Its row is known when all new ones are.
    let mut ids: Vec<Option<GameId>> = Vec::with_capacity(games.len());
    for ((new, archive_id), log) in games.iter().zip(archive_ids).zip(logs) {
        let moves = new.moves.encode();
        let fingerprint = fingerprint(new, &moves);
        let asked = new.game.id;
        let number = (asked.source().name().to_owned(), archive_id);
        let others = others.entry(number).or_default();
        if others.iter().any(|&(known, _)| known == fingerprint) {
            ids.push(None);
            continue;
        }
        let copy = free_copy(asked.copy(), others.iter().map(|&(_, copy)| copy));
        others.push((fingerprint, copy));
        ids.push(Some(
            asked.with_copy(u32::try_from(copy).unwrap_or(u32::MAX)),
        ));
        incoming.push(Incoming {
            new,
            id: 0,
            copy,
            log: log.as_deref(),
            fingerprint,
            moves,
        });
    }
    let next = next_rows(transaction, "game_rows", incoming.len())?;
    for (game, &row) in incoming.iter_mut().zip(&next) {
        game.id = row;
    }
    let mut next = next.into_iter().map(GameRow::new);
    let rows = ids
        .into_iter()
        .map(|id| {
            let id = id?;
            let row = next.next()?;
            Some(AddedGame { row, id })
        })
        .collect();
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

/// Tells how much more there is.
fn count_them(
    transaction: &mut Transaction<'_>,
    incoming: &[Incoming<'_>],
) -> Result<(), postgres::Error> {
    for source in GameSource::ALL {
        let own = incoming
            .iter()
            .filter(|game| game.new.game.id.source() == source);
        let (mut games, mut positions, mut last) = (0, 0, 0);
        for game in own {
            games += 1;
            positions += game.new.moves.turns.len() as i64;
            last = last.max(game.id);
        }
        if games > 0 {
            counts::add(transaction, source.name(), games, positions, last)?;
            // Now and then, so that those who add games one by one leave few rows.
            if last / ADD_UP_EVERY != (last - games) / ADD_UP_EVERY {
                counts::add_up(transaction)?;
            }
        }
    }
    Ok(())
}

const ADD_UP_EVERY: i64 = 256;

/// Into every table of positions.
fn copy_positions(
    transaction: &mut Transaction<'_>,
    incoming: &[Incoming<'_>],
    layout: Layout,
) -> Result<(), Trouble> {
    let games: Vec<LoadGame> = incoming
        .iter()
        .map(|row| {
            let game = &row.new.game;
            LoadGame {
                number: game.id.to_i64(),
                sample: game.id.source() == GameSource::Sample,
                game: BuildGame {
                    row: GameRow::new(row.id),
                    started: game.start,
                    gold_rating: game.players.gold.rating,
                    silver_rating: game.players.silver.rating,
                    winner: game.result,
                    moves: row.moves.clone(),
                },
            }
        })
        .collect();
    let shapes = kept::shapes(transaction)?;
    let facts = facts::written(transaction)?;
    for (number, table) in PositionTable::all(layout, facts).into_iter().enumerate() {
        // They are added up while they are played through the first time.
        let to_add_up = (number == 0 && !shapes.is_empty()).then_some(&shapes);
        if let Some(sums) = copy_into(transaction, &games, table, to_add_up)? {
            kept::add(transaction, &shapes, &sums)?;
        }
    }
    Ok(())
}

/// Plays the games through on all cores; the rows go out while the next ones
/// are made. Returns what was played from the shapes that are kept.
pub(super) fn copy_into(
    transaction: &mut Transaction<'_>,
    games: &[LoadGame],
    table: PositionTable,
    shapes: Option<&KeptShapes>,
) -> Result<Option<Sums>, Trouble> {
    let sql = format!(
        "COPY {} ({}) FROM STDIN (FORMAT binary)",
        table.name(),
        table.columns()
    );
    let mut writer = transaction.copy_in(&sql)?;
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let mut sent = writer.write_all(COPY_START);
    let next = AtomicUsize::new(0);
    let sums = thread::scope(|scope| {
        let (to_writer, rows) = sync_channel::<Vec<u8>>(threads * 2);
        let next = &next;
        let workers: Vec<_> = (0..threads)
            .map(|_| {
                let to_writer = to_writer.clone();
                scope.spawn(move || {
                    let mut sums = Sums::default();
                    loop {
                        let part = next.fetch_add(1, Ordering::Relaxed);
                        let Some(share) = games.chunks(SHARE).nth(part) else {
                            return sums;
                        };
                        let mut rows = Vec::with_capacity(share.len() * A_GAME);
                        let mut take = |played: &PlayedPosition, facts: &PackedFacts| {
                            write_rows(&mut rows, played, facts, table);
                            if let Some(shapes) = shapes {
                                sums.add(shapes, played);
                            }
                        };
                        if table.has_facts() {
                            for_each_with_facts(share, take);
                        } else {
                            let none = PackedFacts::default();
                            for_each_position(share, |played| take(played, &none));
                        }
                        // Nobody listens after an error.
                        if to_writer.send(rows).is_err() {
                            return sums;
                        }
                    }
                })
            })
            .collect();
        drop(to_writer);
        for rows in rows {
            if sent.is_ok() {
                sent = writer.write_all(&rows);
            } else {
                break;
            }
        }
        let mut sums = Sums::default();
        for worker in workers {
            match worker.join() {
                Ok(part) => sums.merge(part),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        sums
    });
    // Not finished, it is given up, and the transaction with it.
    sent?;
    writer.write_all(&COPY_END)?;
    writer.finish()?;
    Ok(shapes.map(|_| sums))
}

/// Bytes of the rows of a game, as a rule.
const A_GAME: usize = 60 * 300;

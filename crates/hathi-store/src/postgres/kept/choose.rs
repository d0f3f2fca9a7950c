//! Choosing the shapes that are worth keeping, and adding up the games that
//! are there.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use postgres::fallible_iterator::FallibleIterator;
use postgres::{Client, GenericClient, Row};

use super::shape::{self, KeptShape};
use super::sums::{KeptShapes, Sums};
use super::{add, forget_all};
use crate::error::StoreError;
use crate::index::{BuildGame, IndexError};
use crate::model::GameRow;
use crate::postgres::load::Writer;
use crate::postgres::rows::{LoadGame, for_each_position};
use crate::postgres::schema::LOCK;
use crate::postgres::{PostgresStore, ServerError};
use crate::rows::side_of;
use crate::seen::Seen;

/// Hits that are added up as quickly when they are asked for.
pub(in crate::postgres) const LEAST_HITS: u64 = 10_000;

/// Shapes at most: those who add games compare every board with them.
const MOST_SHAPES: usize = 400;

/// The hits of all shapes together, one for so many positions: what is kept must
/// stay small beside them. In a small store that does not matter.
const POSITIONS_A_HIT: u64 = 4;
const HITS_ANYWAY: u64 = 50_000;

/// Games looked at to find out what is common.
const SAMPLE: u64 = 4000;

/// Games handed over together.
const TOGETHER: usize = 200;

/// What is asked of games to play them through, in this order.
pub(in crate::postgres) const COLUMNS: &str =
    "id, archive_id, source = 'sample', started, gold_rating, silver_rating,
    result, moves";

impl PostgresStore {
    /// Would choosing shapes make answers quicker?
    pub(in crate::postgres) fn statistics_are_behind(&self) -> Result<bool, StoreError> {
        let games = self.counts()?.games();
        if self.few_games {
            return Ok(false);
        }
        let kept = self.ask(|connection| {
            let row = connection
                .client
                .query_one("SELECT kept_games FROM hathi_meta", &[])?;
            row.try_get::<_, i64>(0).map(i64::cast_unsigned)
        })?;
        Ok(kept == 0 || games > kept + kept / 4)
    }

    /// Keeps what was played from every shape of boards that comes up at least
    /// so many times, as far as there is room, instead of what was kept before.
    /// Games can be added meanwhile. A big store does so by itself when its
    /// index is built.
    pub fn keep_statistics(
        &mut self,
        least_hits: u64,
        progress: &mut dyn FnMut(&str, f64) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        // A connection of its own, so that the lock goes with it.
        let (mut client, _) = self.server.connect()?;
        let mut tell = |share: f64| match progress("statistics of common positions", share) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(StoreError::from(IndexError::Stopped)),
        };
        let failed = |error: postgres::Error| StoreError::from(self.server.error(&error));
        let lock = "SELECT pg_try_advisory_lock($1, 'kept_shapes'::regclass::oid::integer)";
        while !client
            .query_one(lock, &[&LOCK])
            .and_then(|row| row.try_get::<_, bool>(0))
            .map_err(failed)?
        {
            tell(0.0)?;
            thread::sleep(Duration::from_millis(200));
        }
        tell(0.0)?;
        let counts = self.counts()?;
        let every = (counts.games() / SAMPLE).max(1);
        let mut sample = Vec::new();
        read_games(&mut client, "id % $1 = 0", every, |game| {
            sample.push(game);
            ControlFlow::Continue(())
        })
        .map_err(failed)?;
        let most = (counts.positions() / POSITIONS_A_HIT).max(HITS_ANYWAY);
        let chosen = choose(&sample, every, least_hits, most);
        drop(sample);
        tell(0.1)?;
        let (shapes, last) = self.announce(&chosen, &mut tell)?;
        let mut sums = Sums::default();
        if !shapes.is_empty() {
            let mut done = 0u64;
            let mut stopped = Ok(());
            sums = add_up(&mut client, &shapes, last, |games| {
                done += games;
                stopped = tell(0.1 + 0.8 * done as f64 / counts.games().max(1) as f64);
                match stopped {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(_) => ControlFlow::Break(()),
                }
            })
            .map_err(failed)?;
            // What was begun is not said to be complete, and chosen anew the
            // next time.
            stopped?;
        }
        tell(0.9)?;
        let games = counts.games().cast_signed();
        complete(&mut client, &shapes, &sums, games).map_err(failed)
    }

    /// Tells everybody which shapes are to be kept. Whoever adds games after
    /// this adds them to the sums; the last game that was there before comes
    /// back.
    fn announce(
        &self,
        chosen: &[KeptShape],
        tell: &mut impl FnMut(f64) -> Result<(), StoreError>,
    ) -> Result<(KeptShapes, i64), StoreError> {
        loop {
            let announced = self.write(Writer::Alone, |transaction| {
                forget_all(transaction)?;
                let mut shapes = Vec::with_capacity(chosen.len());
                for shape in chosen {
                    let [plane_0, plane_1, plane_2, enemies] = shape.planes.0.map(u64::cast_signed);
                    let row = transaction.query_one(
                        "INSERT INTO kept_shapes VALUES
                             (nextval('kept_rows'), $1, $2, $3, $4, $5, $6, FALSE)
                         RETURNING shape",
                        &[
                            &shape.kind.number(),
                            &shape.key().cast_signed(),
                            &plane_0,
                            &plane_1,
                            &plane_2,
                            &enemies,
                        ],
                    )?;
                    shapes.push((row.try_get(0)?, *shape));
                }
                let row = transaction.query_one("SELECT max(id) FROM games", &[])?;
                let last: Option<i64> = row.try_get(0)?;
                Ok((KeptShapes::new(shapes), last.unwrap_or(0)))
            });
            match announced {
                // Somebody adds games; it will not take long.
                Err(StoreError::Server(ServerError::Busy(_))) => tell(0.1)?,
                other => return other,
            }
        }
    }
}

/// Adds the sums of the games that were there; only now are they used.
fn complete(
    client: &mut Client,
    shapes: &KeptShapes,
    sums: &Sums,
    games: i64,
) -> Result<(), postgres::Error> {
    let rows = shapes.rows();
    let mut transaction = client.transaction()?;
    // Whoever takes games out meanwhile has taken shapes out with them.
    let there = transaction.query(
        "SELECT shape FROM kept_shapes WHERE shape = ANY($1) FOR UPDATE",
        &[&rows],
    )?;
    if there.len() == rows.len() {
        add(&mut transaction, shapes, sums)?;
        transaction.execute(
            "UPDATE kept_shapes SET ready = TRUE WHERE shape = ANY($1)",
            &[&rows],
        )?;
        transaction.execute("UPDATE hathi_meta SET kept_games = $1", &[&games])?;
    }
    transaction.commit()?;
    for table in ["kept_shapes", "kept_turns", "kept_games"] {
        client.batch_execute(&format!("ANALYZE {table}"))?;
    }
    Ok(())
}

/// The games that meet a condition on one number.
fn read_games(
    client: &mut impl GenericClient,
    condition: &str,
    value: impl Into<i128>,
    mut take: impl FnMut(LoadGame) -> ControlFlow<()>,
) -> Result<(), postgres::Error> {
    let value = i64::try_from(value.into()).unwrap_or(i64::MAX);
    let sql = format!("SELECT {COLUMNS} FROM games WHERE {condition}");
    let mut rows = client.query_raw(&sql, [value])?;
    while let Some(row) = rows.next()? {
        if take(load_game(&row)?).is_break() {
            break;
        }
    }
    Ok(())
}

pub(in crate::postgres) fn load_game(row: &Row) -> Result<LoadGame, postgres::Error> {
    let rating = |column: usize| -> Result<Option<i32>, postgres::Error> {
        let rating: Option<i64> = row.try_get(column)?;
        Ok(rating.and_then(|rating| i32::try_from(rating).ok()))
    };
    Ok(LoadGame {
        number: row.try_get(1)?,
        sample: row.try_get(2)?,
        game: BuildGame {
            row: GameRow::new(row.try_get(0)?),
            started: row.try_get(3)?,
            gold_rating: rating(4)?,
            silver_rating: rating(5)?,
            winner: side_of(row.try_get(6)?),
            moves: row.try_get(7)?,
        },
    })
}

/// The shapes that come up at least so many times, commonest first, as long as
/// all their hits are not more than `most`. Each game stands for `weight`.
fn choose(games: &[LoadGame], weight: u64, least: u64, most: u64) -> Vec<KeptShape> {
    // Most shapes come up once: first a rough count, then those that may do.
    const ROUGH: usize = 1 << 22;
    let place = |key: u64| (key >> 42) as usize;
    let mut rough = vec![0u32; ROUGH];
    let mut boards: Vec<Seen> = Vec::new();
    for_each_position(games, |played| boards.push(played.board));
    for &board in &boards {
        shape::for_each(board, |standing| {
            let count = &mut rough[place(standing.shape.key())];
            *count = count.saturating_add(1);
        });
    }
    let enough = |count: u64| count.saturating_mul(weight) >= least;
    let mut counts: HashMap<u64, (KeptShape, u64)> = HashMap::new();
    for &board in &boards {
        shape::for_each(board, |standing| {
            let key = standing.shape.key();
            if enough(rough[place(key)].into()) {
                let (shape, count) = counts.entry(key).or_insert((standing.shape, 0));
                *count += u64::from(*shape == standing.shape);
            }
        });
    }
    let mut common: Vec<(u64, u64, KeptShape)> = counts
        .into_iter()
        .filter(|(_, (_, count))| enough(*count))
        .map(|(key, (shape, count))| (count * weight, key, shape))
        .collect();
    common.sort_unstable_by_key(|(hits, key, _)| (std::cmp::Reverse(*hits), *key));
    let mut room = most;
    common.retain(|(hits, ..)| {
        let fits = *hits <= room;
        if fits {
            room -= hits;
        }
        fits
    });
    common.truncate(MOST_SHAPES);
    common.into_iter().map(|(_, _, shape)| shape).collect()
}

/// Plays the games up to this row through on all cores. `done` hears of every
/// few, and can end it.
pub(super) fn add_up(
    client: &mut impl GenericClient,
    shapes: &KeptShapes,
    last: i64,
    mut done: impl FnMut(u64) -> ControlFlow<()>,
) -> Result<Sums, postgres::Error> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let (to_workers, games) = sync_channel::<Vec<LoadGame>>(threads * 2);
    let games = &Mutex::new(games);
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|_| scope.spawn(move || work(games, shapes)))
            .collect();
        let mut together = Vec::with_capacity(TOGETHER);
        let read = read_games(client, "id <= $1", last, |game| {
            together.push(game);
            if together.len() < TOGETHER {
                return ControlFlow::Continue(());
            }
            let games = std::mem::replace(&mut together, Vec::with_capacity(TOGETHER));
            // Workers listen to the end.
            let _ = to_workers.send(games);
            done(TOGETHER as u64)
        });
        let _ = to_workers.send(together);
        drop(to_workers);
        let mut sums = Sums::default();
        for worker in workers {
            // A panic there goes on here.
            match worker.join() {
                Ok(part) => sums.merge(part),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        read.map(|()| sums)
    })
}

fn work(games: &Mutex<Receiver<Vec<LoadGame>>>, shapes: &KeptShapes) -> Sums {
    let mut sums = Sums::default();
    loop {
        let next = games.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(games) = next else {
            return sums;
        };
        for_each_position(&games, |played| sums.add(shapes, played));
    }
}

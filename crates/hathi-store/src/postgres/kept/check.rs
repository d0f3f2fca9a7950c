//! Are the sums that are kept those of the games?

use std::collections::HashMap;
use std::ops::ControlFlow;

use postgres::{GenericClient, IsolationLevel};

use super::choose::add_up;
use super::remove::{games_of, unpack_turns};
use super::sums::{ALL_PARTS, KeptShapes, Sums};
use crate::error::StoreError;
use crate::index::IndexError;
use crate::postgres::PostgresStore;

/// Hits of the shapes that are added up once more: what fits in memory.
const MOST_HITS: u64 = 2_000_000;

/// How many shapes were looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::postgres) struct CheckedShapes {
    pub(in crate::postgres) checked: u64,
    pub(in crate::postgres) kept: u64,
}

impl PostgresStore {
    /// Plays all games through and compares what was played from the shapes
    /// that are kept, commonest first, with what is kept.
    pub(in crate::postgres) fn check_kept(&self) -> Result<CheckedShapes, StoreError> {
        // A connection of its own, so that nothing else sees its transaction.
        let (mut client, _) = self.server.connect()?;
        let failed = |error: postgres::Error| StoreError::from(self.server.error(&error));
        // As it was at one moment, whoever adds games meanwhile.
        let mut transaction = client
            .build_transaction()
            .isolation_level(IsolationLevel::RepeatableRead)
            .read_only(true)
            .start()
            .map_err(failed)?;
        let all = super::shapes(&mut transaction).map_err(failed)?;
        let (chosen, kept) = some_of(&mut transaction, &all).map_err(failed)?;
        let checked = chosen.rows().len() as u64;
        if checked > 0 {
            let stored = stored(&mut transaction, &chosen).map_err(failed)?;
            let go_on = |_| ControlFlow::Continue(());
            let played = add_up(&mut transaction, &chosen, i64::MAX, go_on).map_err(failed)?;
            if stored.is_none_or(|stored| !stored.is(&played)) {
                let damage = "the statistics that are kept are not those of the games";
                return Err(IndexError::Damaged(damage).into());
            }
        }
        Ok(CheckedShapes { checked, kept })
    }
}

/// The commonest shapes that are in use, as far as there is room, and how many
/// there are.
fn some_of(
    client: &mut impl GenericClient,
    all: &KeptShapes,
) -> Result<(KeptShapes, u64), postgres::Error> {
    let rows = client.query(
        "SELECT shape, coalesce(sum(hits), 0)::bigint
         FROM kept_shapes LEFT JOIN kept_games USING (shape)
         WHERE ready AND coalesce(part, $1) = $1 GROUP BY shape ORDER BY 2 DESC, 1",
        &[&ALL_PARTS],
    )?;
    let (mut room, mut chosen) = (MOST_HITS, Vec::new());
    for row in &rows {
        let hits = row.try_get::<_, i64>(1)?.cast_unsigned();
        let shape: i64 = row.try_get(0)?;
        let known = all.number(shape).and_then(|number| all.shape(number));
        if let Some(known) = known.filter(|_| hits <= room) {
            room -= hits;
            chosen.push((shape, *known));
        }
    }
    Ok((KeptShapes::new(chosen), rows.len() as u64))
}

/// What is kept of these shapes; none if it cannot be read.
fn stored(
    client: &mut impl GenericClient,
    shapes: &KeptShapes,
) -> Result<Option<Sums>, postgres::Error> {
    let mut turns = HashMap::new();
    let sql = "SELECT shape, turns FROM kept_turns WHERE shape = ANY($1)";
    for row in client.query(sql, &[&shapes.rows()])? {
        let Some(shape) = shapes.number(row.try_get(0)?) else {
            return Ok(None);
        };
        if !unpack_turns(&mut turns, shape, row.try_get(1)?) {
            return Ok(None);
        }
    }
    let sql = "SELECT shape, sample, part, hits, games, named FROM kept_games
        WHERE shape = ANY($1)";
    let games = games_of(&client.query(sql, &[&shapes.rows()])?, shapes)?;
    Ok(games.map(|games| Sums { turns, games }))
}

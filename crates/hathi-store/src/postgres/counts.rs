//! How much there is, as the writers have added it up: asked without touching
//! a table of games.

use hathi_archive::GameSource;
use postgres::GenericClient;

use super::PostgresStore;
use super::games::count;
use crate::error::StoreError;
use crate::model::{GameRow, SourceCount};
use crate::rows::source_counts;

/// Games and positions by the names of their sources.
#[derive(Debug, Default)]
pub(super) struct Counts {
    rows: Vec<(String, u64, u64)>,
    pub(super) last_game: GameRow,
}

impl Counts {
    pub(super) fn games(&self) -> u64 {
        self.rows.iter().map(|(_, games, _)| games).sum()
    }

    pub(super) fn positions(&self) -> u64 {
        self.rows.iter().map(|(_, _, positions)| positions).sum()
    }

    /// Do the samples not count, since there are real games?
    pub(super) fn leave_samples_out(&self) -> bool {
        let any = |wanted: fn(GameSource) -> bool| {
            self.rows
                .iter()
                .any(|(name, games, _)| *games > 0 && name.parse::<GameSource>().is_ok_and(wanted))
        };
        any(|source| source == GameSource::Sample) && any(GameSource::is_real)
    }

    pub(super) fn sources(&self) -> Vec<SourceCount> {
        source_counts(&self.rows, self.leave_samples_out())
    }
}

impl PostgresStore {
    pub(super) fn counts(&self) -> Result<Counts, StoreError> {
        self.ask(|connection| {
            let statement = connection.prepared(
                "SELECT source, sum(games)::bigint, sum(positions)::bigint, max(last_game)
                 FROM hathi_counts GROUP BY source HAVING sum(games) > 0 ORDER BY source",
            )?;
            let mut counts = Counts::default();
            for row in &connection.client.query(&statement, &[])? {
                counts
                    .rows
                    .push((row.try_get(0)?, count(row, 1)?, count(row, 2)?));
                let last = GameRow::new(row.try_get(3)?);
                counts.last_game = counts.last_game.max(last);
            }
            Ok(counts)
        })
    }
}

/// What a batch adds.
pub(super) fn add(
    client: &mut impl GenericClient,
    source: &str,
    games: i64,
    positions: i64,
    last_game: i64,
) -> Result<(), postgres::Error> {
    client.execute(
        "INSERT INTO hathi_counts VALUES ($1, $2, $3, $4)",
        &[&source, &games, &positions, &last_game],
    )?;
    Ok(())
}

/// One row for each source again.
pub(super) fn add_up(client: &mut impl GenericClient) -> Result<(), postgres::Error> {
    client.execute(
        "WITH gone AS (DELETE FROM hathi_counts RETURNING *)
         INSERT INTO hathi_counts
         SELECT source, sum(games), sum(positions), max(last_game) FROM gone GROUP BY source",
        &[],
    )?;
    Ok(())
}

/// Counts everything, after games were taken out.
pub(super) fn count_again(client: &mut impl GenericClient) -> Result<(), postgres::Error> {
    let counted = client.query(COUNT_ALL, &[])?;
    client.execute("DELETE FROM hathi_counts", &[])?;
    for row in &counted {
        let source: &str = row.try_get(0)?;
        add(
            client,
            source,
            row.try_get(1)?,
            row.try_get(2)?,
            row.try_get(3)?,
        )?;
    }
    Ok(())
}

/// What the sums should be.
pub(super) const COUNT_ALL: &str =
    "SELECT source, count(*), coalesce(sum(turns), 0)::bigint, max(id)
    FROM games GROUP BY source ORDER BY source";

//! The tables: whose they are, migrations, and what Citus needs.

use postgres::{Client, GenericClient};

use super::connect::{Layout, ServerError, ServerUrl};

/// The migrations, oldest first. `hathi_meta.version` counts those that have
/// run.
const MIGRATIONS: [&str; 3] = [
    include_str!("1-games.sql"),
    include_str!("2-sources.sql"),
    include_str!("3-notes.sql"),
];

/// Checks the tables and makes or migrates them. Without `make` a database
/// that has none is an error. Returns whether it was of an older schema.
pub(super) fn prepare(
    server: &ServerUrl,
    client: &mut Client,
    layout: Layout,
    make: bool,
) -> Result<bool, ServerError> {
    let failed = |error: postgres::Error| server.error(&error);
    let encoding: String = client
        .query_one("SHOW server_encoding", &[])
        .map_err(failed)?
        .get(0);
    if encoding != "UTF8" {
        return Err(ServerError::Encoding {
            server: server.clone(),
            encoding,
        });
    }
    let known = MIGRATIONS.len() as i64;
    match version(server, client)? {
        Some(found) if found == known => return Ok(false),
        None if !make => return Err(ServerError::Empty(server.clone())),
        _ => {}
    }
    let mut transaction = client.transaction().map_err(failed)?;
    // One at a time; the others find it done.
    transaction
        .execute(
            "SELECT pg_advisory_xact_lock($1, hashtext(current_schema()))",
            &[&LOCK],
        )
        .map_err(failed)?;
    let found = version(server, &mut transaction)?;
    let done = usize::try_from(found.unwrap_or(0)).unwrap_or(0);
    for migration in MIGRATIONS.iter().skip(done) {
        transaction.batch_execute(migration).map_err(failed)?;
    }
    let placed = match (found, layout) {
        (None, layout) => placement(layout),
        (Some(1), Layout::Citus) => &[LOGS],
        (Some(_), _) => &[],
    };
    for statement in placed {
        transaction.batch_execute(statement).map_err(failed)?;
    }
    transaction
        .execute("UPDATE hathi_meta SET version = $1", &[&known])
        .map_err(failed)?;
    transaction.commit().map_err(failed)?;
    Ok(found.is_some_and(|found| found < known))
}

/// Marks our advisory locks: "Hthi".
pub(super) const LOCK: i32 = 0x4874_6869;

/// How many migrations have run; nothing in an empty schema.
fn version(
    server: &ServerUrl,
    client: &mut impl GenericClient,
) -> Result<Option<i64>, ServerError> {
    let failed = |error: postgres::Error| server.error(&error);
    // What extensions brought along is nobody's table.
    let row = client
        .query_one(
            "SELECT count(*), count(*) FILTER (WHERE relname = 'hathi_meta')
             FROM pg_class
             WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm')
               AND NOT EXISTS (SELECT 1 FROM pg_depend
                   WHERE objid = pg_class.oid AND deptype = 'e')",
            &[],
        )
        .map_err(failed)?;
    let (tables, ours): (i64, i64) = (row.get(0), row.get(1));
    match (tables, ours) {
        (0, _) => return Ok(None),
        (_, 0) => return Err(ServerError::Foreign(server.clone())),
        _ => {}
    }
    let found: i64 = client
        .query_one("SELECT version FROM hathi_meta", &[])
        .map_err(failed)?
        .get(0);
    let known = MIGRATIONS.len() as i64;
    if found > known {
        return Err(ServerError::Newer {
            server: server.clone(),
            found,
            known,
        });
    }
    Ok(Some(found))
}

/// The second migration made this table.
const LOGS: &str =
    "SELECT create_distributed_table('logs', 'archive_id', colocate_with => 'games')";

/// What is done once to the new tables. On one server the row of a game is
/// unique; over several that cannot be said to the database, as it is not the
/// column by which they are shared out. Nor can a shard refer to another table
/// there: with such a key no name could be added while games are, and no shard
/// be kept twice. What they would promise, transactions keep and
/// `hathi index --check` looks for.
fn placement(layout: Layout) -> &'static [&'static str] {
    match layout {
        Layout::OneServer => &["ALTER TABLE games ADD CONSTRAINT games_id UNIQUE (id)"],
        Layout::Citus => &[
            "ALTER TABLE puzzles DROP CONSTRAINT puzzles_game_id_archive_id_fkey",
            "ALTER TABLE games DROP CONSTRAINT games_gold_id_fkey,
                 DROP CONSTRAINT games_silver_id_fkey, DROP CONSTRAINT games_event_id_fkey",
            "SELECT create_reference_table('players')",
            "SELECT create_reference_table('events')",
            "SELECT create_distributed_table('games', 'archive_id')",
            "SELECT create_distributed_table('positions', 'archive_id', colocate_with => 'games')",
            "SELECT create_distributed_table('puzzles', 'archive_id', colocate_with => 'games')",
            LOGS,
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Citus refuses a constraint without the distribution column.
    #[test]
    fn whatever_is_unique_is_so_within_the_distribution_column() {
        let schema = MIGRATIONS.concat();
        for statement in placement(Layout::Citus) {
            let Some(rest) = statement.split_once("create_distributed_table('") else {
                continue;
            };
            let mut parts = rest.1.split('\'');
            let (table, column) = (parts.next().unwrap(), parts.nth(1).unwrap());
            let start = schema.find(&format!("CREATE TABLE {table} (")).unwrap();
            let body = &schema[start..start + schema[start..].find(");").unwrap()];
            let keys: Vec<&str> = body
                .lines()
                .map(str::trim)
                .filter(|line| line.starts_with("PRIMARY KEY") || line.starts_with("UNIQUE"))
                .collect();
            assert!(!keys.is_empty(), "{table}");
            for key in keys {
                assert!(key.contains(column), "{table}: {key}");
            }
            assert!(!body.contains("PRIMARY KEY,"), "{table}");
        }
        assert!(
            placement(Layout::OneServer)
                .iter()
                .all(|text| !text.contains("create_"))
        );
    }
}

//! The tables: whose they are, migrations, and what Citus needs.

use postgres::{Client, GenericClient};

use super::connect::{Layout, ServerError, ServerUrl};
use super::facts;
use super::rows::{key_columns, posting_table};
use crate::index::PostingKind;

/// The migrations, oldest first. `hathi_meta.version` counts those that have
/// run.
const MIGRATIONS: [&str; 9] = [
    include_str!("1-games.sql"),
    include_str!("2-sources.sql"),
    include_str!("3-notes.sql"),
    include_str!("4-postings.sql"),
    include_str!("5-kept.sql"),
    BOARDS,
    MOVES,
    FACTS,
    PIECES,
];

/// Over several servers the positions are there for scans alone.
const BOARDS: &str = include_str!("6-boards.sql");

/// A view over a function, which workers do not know: for one server.
const MOVES: &str = include_str!("7-moves.sql");

/// Over several servers facts stand in the positions.
const FACTS: &str = include_str!("8-facts.sql");
const FACTS_ON_SEVERAL: &str = include_str!("8-facts-on-several.sql");

/// The first version that had facts.
const FIRST_WITH_FACTS: i64 = 8;

/// Columns beside keys that postings of a cluster do not have.
const PIECES: &str = include_str!("9-pieces.sql");

/// The first version that could make a store over several servers.
const FIRST_ON_SEVERAL: i64 = 5;

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
    if layout == Layout::Citus && found.is_some_and(|found| found < FIRST_ON_SEVERAL) {
        return Err(ServerError::Foreign(server.clone()));
    }
    for migration in MIGRATIONS.into_iter().skip(done) {
        if layout == Layout::Citus && [BOARDS, MOVES, FACTS, PIECES].contains(&migration) {
            continue;
        }
        transaction.batch_execute(migration).map_err(failed)?;
    }
    let placed = match found {
        None => placement(layout),
        Some(_) => Vec::new(),
    };
    for statement in placed {
        transaction.batch_execute(&statement).map_err(failed)?;
    }
    if found.is_none_or(|found| found < FIRST_WITH_FACTS) {
        // Postings, which are made like positions, have none.
        if layout == Layout::Citus {
            transaction
                .batch_execute(FACTS_ON_SEVERAL)
                .map_err(failed)?;
        }
        facts::begin(&mut transaction).map_err(failed)?;
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

/// What is done once to the new tables. On one server the row of a game is
/// unique; over several that cannot be said to the database, as it is not the
/// column by which they are shared out. Nor can a shard refer to another table
/// there: with such a key no name could be added while games are, and no shard
/// be kept twice. What they would promise, transactions keep and
/// `hathi index --check` looks for.
///
/// Over several servers a key must lead to one of them, so the postings of each
/// kind are a table shared out by their key that holds all a hit needs, and the
/// positions, shared out with their games, are there for scans alone.
fn placement(layout: Layout) -> Vec<String> {
    if layout == Layout::OneServer {
        return vec!["ALTER TABLE games ADD CONSTRAINT games_id UNIQUE (id)".to_owned()];
    }
    let mut statements = vec![
        "ALTER TABLE puzzles DROP CONSTRAINT puzzles_game_id_archive_id_fkey".to_owned(),
        "ALTER TABLE games DROP CONSTRAINT games_gold_id_fkey,
             DROP CONSTRAINT games_silver_id_fkey, DROP CONSTRAINT games_event_id_fkey"
            .to_owned(),
    ];
    for column in key_columns() {
        statements.push(format!("ALTER TABLE positions DROP COLUMN {column}"));
    }
    for kind in PostingKind::ALL {
        let table = posting_table(kind);
        statements.push(format!(
            "CREATE TABLE {table} (LIKE positions);
             ALTER TABLE {table} ADD COLUMN key bigint NOT NULL, ADD COLUMN trap integer NOT NULL"
        ));
    }
    for table in ["players", "events"] {
        statements.push(format!("SELECT create_reference_table('{table}')"));
    }
    for (table, key) in DISTRIBUTED {
        let beside = match key {
            "archive_id" if table != "games" => ", colocate_with => 'games'",
            _ => "",
        };
        statements.push(format!(
            "SELECT create_distributed_table('{table}', '{key}'{beside})"
        ));
    }
    statements
}

/// The tables that are shared out over several servers, and by what.
const DISTRIBUTED: [(&str, &str); 8] = [
    ("games", "archive_id"),
    ("positions", "archive_id"),
    ("puzzles", "archive_id"),
    ("logs", "archive_id"),
    ("postings_full", "key"),
    ("postings_half", "key"),
    ("postings_area", "key"),
    ("postings_sides", "key"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_of_postings_is_shared_out() {
        let statements = placement(Layout::Citus).concat();
        for kind in PostingKind::ALL {
            let table = posting_table(kind);
            let wanted = format!("create_distributed_table('{table}', 'key')");
            assert!(statements.contains(&wanted), "{table}");
        }
        let alone = placement(Layout::OneServer).concat();
        assert!(!alone.contains("create_"));
    }
}

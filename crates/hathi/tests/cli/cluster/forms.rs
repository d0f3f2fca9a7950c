//! What Citus refuses, and which shards a statement goes to.

/// Tables that are shared out, and the column by which they are.
pub(crate) const DISTRIBUTED: [(&str, &str); 8] = [
    ("games", "archive_id"),
    ("positions", "archive_id"),
    ("puzzles", "archive_id"),
    ("logs", "archive_id"),
    ("postings_full", "key"),
    ("postings_half", "key"),
    ("postings_area", "key"),
    ("postings_sides", "key"),
];

/// Where a statement goes that reads no row of a shard.
pub(crate) const COORDINATOR: &str = "coordinator: no rows of a shard";

/// A statement on one line, with every number that stands there as it is
/// written `#`: they are other ones in every store.
pub(crate) fn normal(statement: &str) -> String {
    let words: Vec<&str> = statement.split_whitespace().collect();
    let mut out = String::new();
    let mut before = ' ';
    let mut digits = false;
    for letter in words.join(" ").chars() {
        let starts =
            letter.is_ascii_digit() && !before.is_alphanumeric() && !"_$'\".".contains(before);
        if starts || digits && letter.is_ascii_digit() {
            if starts {
                if before == '-' {
                    out.pop();
                }
                out.push('#');
            }
            digits = true;
        } else {
            digits = false;
            out.push(letter);
        }
        before = letter;
    }
    out
}

/// The distributed tables that a statement speaks of.
fn tables(statement: &str) -> Vec<&'static str> {
    let mut words =
        statement.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    let mut found: Vec<&str> = Vec::new();
    let mut before = "";
    for word in words.by_ref() {
        let named = DISTRIBUTED.iter().find(|(table, _)| *table == word);
        if let (
            Some((table, _)),
            "FROM" | "JOIN" | "INTO" | "UPDATE" | "COPY" | "TABLE" | "ON" | "ANALYZE",
        ) = (named, before)
            && !found.contains(table)
        {
            found.push(table);
        }
        before = word;
    }
    found
}

/// Why Citus refuses a statement, if it does. One form a line, with what it
/// says or does.
pub(crate) fn refused(statement: &str) -> Option<&'static str> {
    let upper = statement.to_ascii_uppercase();
    let reads_shards = !tables(statement).is_empty();
    if upper.contains("SELECT FROM ") {
        return Some("a column definition list is required: a SELECT has columns");
    }
    if upper.contains("PLAN_CACHE_MODE") {
        return Some("could not create distributed plan: it has to see the values");
    }
    if upper.contains("REFERENCES ") && !upper.contains("CREATE TABLE") {
        return Some("a key to another table: no parallel operation, no second copy of a shard");
    }
    if reads_shards && target_list_has_subquery(&upper) {
        return Some("cannot push down subquery on the target list");
    }
    if reads_shards && upper.contains("ON CONFLICT") && !upper.contains("ARCHIVE_ID") {
        return Some("ON CONFLICT without the distribution column");
    }
    if reads_shards
        && (upper.starts_with("UPDATE")
            || upper.starts_with("DELETE")
            || upper.starts_with("INSERT"))
        && ["RANDOM()", "NOW()", "CLOCK_TIMESTAMP()", "NEXTVAL("]
            .iter()
            .any(|volatile| upper.contains(volatile))
    {
        return Some("a volatile function in what changes several shards");
    }
    if reads_shards && upper.starts_with("INSERT") && upper.contains("SELECT") {
        return Some("the count of rows of INSERT ... SELECT is not that of the rows added");
    }
    if reads_shards && (upper.contains("FOR UPDATE") || upper.contains("FOR SHARE")) {
        return Some("rows of several shards cannot be locked by a question");
    }
    if reads_shards && upper.contains("WITH RECURSIVE") {
        return Some("recursive CTEs are not supported in distributed queries");
    }
    if reads_shards && upper.contains("TABLESAMPLE") {
        return Some("TABLESAMPLE is not supported");
    }
    if reads_shards && upper.contains("DECLARE ") {
        return Some("a cursor keeps a transaction open on every worker");
    }
    None
}

/// Is there a SELECT between the first one and its FROM?
fn target_list_has_subquery(upper: &str) -> bool {
    let Some(rest) = upper.trim_start_matches('(').strip_prefix("SELECT") else {
        return false;
    };
    let mut depth = 0;
    for (at, letter) in rest.char_indices() {
        match letter {
            '(' => {
                depth += 1;
                if rest[at + 1..].trim_start().starts_with("SELECT") {
                    return true;
                }
            }
            ')' => depth -= 1,
            'F' if depth == 0 && rest[at..].starts_with("FROM ") => return false,
            _ => {}
        }
    }
    false
}

/// Where a statement goes, in words: its shard key, or why it must see all
/// shards. None if nobody has said so.
pub(crate) fn destination(statement: &str) -> Option<&'static str> {
    for (form, where_to) in [
        ("DROP INDEX", "all: every shard has its part of an index"),
        ("SELECT citus_", "all: every shard has its size"),
        ("SELECT create_", "all: made once"),
    ] {
        if statement.starts_with(form) {
            return Some(where_to);
        }
    }
    if tables(statement).is_empty() {
        return Some(COORDINATOR);
    }
    if statement.starts_with("COPY ") {
        return Some("each row to its shard");
    }
    let filtered = statement.contains("(archive_id, game_id) IN");
    for (form, where_to) in [
        (
            "key = $",
            if filtered {
                "one shard, by `key`, after the games that the filter lets through, of all"
            } else {
                "one shard, by `key`"
            },
        ),
        ("key = ANY", "the shards of these keys"),
        ("archive_id = $", "one shard, by `archive_id`"),
        (
            "archive_id = ANY",
            "the shards of these games, by `archive_id`",
        ),
    ] {
        if statement.contains(form) {
            return Some(where_to);
        }
    }
    ALL_SHARDS
        .iter()
        .find(|(form, _)| statement.contains(form))
        .map(|(_, reason)| *reason)
}

/// Statements that see all shards, by a part of them, and the reason.
const ALL_SHARDS: &[(&str, &str)] = &[
    ("CREATE TABLE", "all: made once"),
    ("ALTER TABLE", "all: made once"),
    ("CREATE INDEX", "all: every shard has its part of an index"),
    ("ANALYZE", "all: every shard has its statistics"),
    (
        "count(*) FROM positions",
        "all: `index --check` counts everything",
    ),
    (
        "LEFT JOIN",
        "all: `index --check`, or games by a condition that any of them may meet",
    ),
    (
        "FROM positions WHERE",
        "all: a pattern is compared with every position",
    ),
    (
        "WHERE id % $",
        "all: some games are looked at for what is common",
    ),
    (
        "WHERE id <= $",
        "all: every game is played through to add up what is common",
    ),
    (
        "WHERE id > $",
        "all: games are played through whose facts are missing",
    ),
    (
        "DESC, id LIMIT $1 OFFSET $2",
        "all: the next game that a statistic names may be any",
    ),
    ("max(id)", "all: counted over everything"),
    ("GROUP BY", "all: counted over everything"),
    ("count(", "all: counted over everything"),
    ("sum(", "all: counted over everything"),
    ("WHERE source", "all: games of a source are everywhere"),
    (
        "games.id = $",
        "all: a game by its row, whose number in the archive is not known",
    ),
    (
        "WHERE id = $",
        "all: a game by its row, whose number in the archive is not known",
    ),
    ("WHERE id = ANY", "all: games by their rows"),
    ("WHERE game_id = $", "all: a log by the row of its game"),
    (
        "moves = $",
        "all: games with the same moves may have any number",
    ),
    (
        "WHERE fault <> $",
        "all: a list of all puzzles that are broken",
    ),
    ("board IN", "all: a puzzle may be of any game"),
    (
        "ORDER BY source, archive_id, ply",
        "all: puzzles are counted through",
    ),
    (
        "WHERE # = #",
        "all: games by a condition that any of them may meet",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_forms_are_recognised() {
        for statement in [
            "SELECT count(*) FROM (SELECT FROM games LIMIT $2) AS counted",
            "SET plan_cache_mode = force_generic_plan",
            "SELECT count(*), (SELECT count(*) FROM puzzles) FROM games",
            "INSERT INTO puzzles (id) SELECT 1 ON CONFLICT (archive_id) DO NOTHING",
            "UPDATE games SET started = now() WHERE archive_id = $1",
        ] {
            assert!(refused(statement).is_some(), "{statement}");
        }
        for statement in [
            "SELECT id FROM games WHERE archive_id = $1",
            "SELECT count(*) FROM (SELECT id FROM games LIMIT $2) AS counted",
            "SELECT pg_try_advisory_xact_lock($1, 'games'::regclass::oid::integer)",
        ] {
            assert_eq!(refused(statement), None, "{statement}");
        }
        assert_eq!(
            normal("SELECT  a1\n FROM t WHERE b & (-12) = $1 LIMIT 30"),
            "SELECT a1 FROM t WHERE b & (#) = $1 LIMIT #"
        );
    }
}

//! `MySQL`'s words in those of other databases.

/// Who is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SqlDialect {
    Sqlite,
    #[cfg(feature = "postgres")]
    Postgres,
}

/// The question as the database understands it. `BINARY` makes `MySQL` tell
/// capitals from small letters, which the others do anyway (SQLite is told to):
/// it is left out. `REGEXP` is `~` in PostgreSQL. What stands in quotes stays.
pub(crate) fn in_words_of(dialect: SqlDialect, question: &str) -> String {
    let mut out = String::with_capacity(question.len());
    let mut rest = question;
    while let Some(first) = rest.chars().next() {
        let end = match first {
            '\'' | '"' => rest[1..].find(first).map_or(rest.len(), |end| end + 2),
            c if is_of_word(c) => rest.find(|c| !is_of_word(c)).unwrap_or(rest.len()),
            c => c.len_utf8(),
        };
        let (part, after) = rest.split_at(end);
        rest = after;
        if part.eq_ignore_ascii_case("binary") {
            rest = rest.trim_start();
        } else if part.eq_ignore_ascii_case("regexp") && dialect != SqlDialect::Sqlite {
            out.push('~');
        } else {
            out.push_str(part);
        }
    }
    out
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn his_words_are_understood_and_others_stay() {
        let sqlite = |text| in_words_of(SqlDialect::Sqlite, text);
        assert_eq!(
            sqlite("SELECT 'binary regexp' FROM t WHERE BINARY a='x''y' AND b LIKE BINARY '_é_'"),
            "SELECT 'binary regexp' FROM t WHERE a='x''y' AND b LIKE '_é_'"
        );
        assert_eq!(sqlite("a REGEXP binary_b"), "a REGEXP binary_b");
        // Quotes that do not end are left for the database to complain about.
        assert_eq!(sqlite("SELECT 'a"), "SELECT 'a");
        assert_eq!(sqlite(""), "");
        #[cfg(feature = "postgres")]
        assert_eq!(
            in_words_of(SqlDialect::Postgres, "a REGEXP BINARY 'regexp'"),
            "a ~ 'regexp'"
        );
    }
}

//! Tables of positions: every row is repeated with the answer to a question
//! appended. For `turns --positions` and `goal --positions`.

use std::io::Write;

use hathi_rules::{Position, Side};
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::Value;

use crate::input::Source;
use crate::input::table::{Row, Table, decode};
use crate::terminal::output;

/// Copies the table to `out`, row by row, with the columns `names` appended;
/// `answer` fills them. As JSON: one object a line.
pub(crate) fn annotate(
    source: Source,
    as_json: bool,
    names: &[&str],
    out: &mut impl Write,
    mut answer: impl FnMut(&Position) -> Vec<Value>,
) -> anyhow::Result<()> {
    let mut table = PositionTable::open(source)?;
    let columns = table.table.columns().to_vec();
    if !as_json {
        out.write_all(table.table.header())?;
        for name in names {
            write!(out, "\t{name}")?;
        }
        writeln!(out)?;
    }
    loop {
        let (row, found) = match table.next_position() {
            Ok(Some(next)) => next,
            Ok(None) => break,
            Err(error) => {
                // What was right up to here is not lost.
                out.flush()?;
                return Err(error);
            }
        };
        let answers = answer(&found);
        if as_json {
            let mut pairs = Pairs::default();
            pairs.add("line", Entry::Value(row.line_number.into()));
            pairs.add("position", Entry::Value(found.to_string().into()));
            for (name, value) in names.iter().zip(answers) {
                pairs.add(name, Entry::Value(value));
            }
            let mut cells = Pairs::default();
            for (name, cell) in columns.iter().zip(row.cells()) {
                cells.add(name, Entry::Value(decode(cell).into()));
            }
            pairs.add("row", Entry::Pairs(cells));
            output::json(out, &pairs)?;
        } else {
            out.write_all(row.text)?;
            for value in answers {
                write!(out, "\t{}", cell_text(&value))?;
            }
            writeln!(out)?;
        }
    }
    out.flush()?;
    Ok(())
}

/// A table with the columns `side` and `position`.
pub(crate) struct PositionTable {
    table: Table,
    side: usize,
    position: usize,
}

impl PositionTable {
    pub(crate) fn open(source: Source) -> anyhow::Result<PositionTable> {
        let table = Table::open(source)?;
        let side = table.require("side")?;
        let position = table.require("position")?;
        Ok(PositionTable {
            table,
            side,
            position,
        })
    }

    /// The next row and the position in it.
    pub(crate) fn next_position(&mut self) -> anyhow::Result<Option<(Row<'_>, Position)>> {
        let columns = self.table.columns().len();
        if !self.table.advance()? {
            return Ok(None);
        }
        let row = self.table.row();
        match read_position(row, columns, self.side, self.position) {
            Ok(position) => Ok(Some((row, position))),
            Err(reason) => Err(self.table.error(row.line_number, reason)),
        }
    }
}

/// The position of a row, or what is wrong with the row.
fn read_position(
    row: Row<'_>,
    columns: usize,
    side: usize,
    position: usize,
) -> Result<Position, String> {
    let cells = row.cells().count();
    if cells != columns {
        return Err(format!("{cells} columns, the header has {columns}"));
    }
    let cell = |column| decode(row.cell(column).unwrap_or_default());
    let side_text = cell(side);
    let mut chars = side_text.trim().chars();
    let (Some(side), "") = (chars.next().and_then(Side::from_char), chars.as_str()) else {
        let shown: String = side_text.chars().take(20).collect();
        return Err(format!("`{shown}` is no side: expected `g` or `s`"));
    };
    let found = Position::parse_with_side(&cell(position), Some(side))
        .map_err(|error| error.to_string())?;
    if found.side_to_move() == side {
        Ok(found)
    } else {
        Err("the columns `side` and `position` name different sides".to_owned())
    }
}

/// A value as it stands in a tab-separated file.
fn cell_text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Bool(yes) => u8::from(*yes).to_string(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// A JSON object that keeps the order in which it was filled. Of two columns
/// with the same name the first is kept.
#[derive(Default)]
struct Pairs(Vec<(String, Entry)>);

#[derive(Serialize)]
#[serde(untagged)]
enum Entry {
    Value(Value),
    Pairs(Pairs),
}

impl Pairs {
    fn add(&mut self, name: &str, value: Entry) {
        if self.0.iter().all(|(known, _)| known != name) {
            self.0.push((name.to_owned(), value));
        }
    }
}

impl Serialize for Pairs {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

//! Game archives: tab-separated files with a `movelist` column, a game a row.
//! For `replay` and `bench`; only what these need.

use std::borrow::Cow;

use hathi_rules::{BySide, Outcome, RuleSet, Side, Termination};

use crate::table::{Row, Table, decode};

/// Where an archive keeps what. Columns differ over the years and are found
/// by name.
pub(crate) struct Archive {
    table: Table,
    columns: Columns,
    rows: usize,
}

struct Columns {
    movelist: usize,
    id: Option<usize>,
    gold: Option<usize>,
    silver: Option<usize>,
    start: Option<usize>,
    result: Option<usize>,
    termination: Option<usize>,
}

/// One row.
pub(crate) struct ArchivedGame<'a> {
    /// Counted from 1, the header aside.
    pub(crate) row: usize,
    pub(crate) line_number: usize,
    /// `#row` if the archive has no ids.
    pub(crate) id: String,
    pub(crate) players: BySide<Option<String>>,
    /// By the date the game started.
    pub(crate) rules: RuleSet,
    /// The result written down.
    pub(crate) recorded: Option<Outcome>,
    /// None if the row ends before it.
    pub(crate) movelist: Option<Cow<'a, [u8]>>,
}

impl Archive {
    /// Takes the table as an archive, or gives it back if it has no
    /// `movelist` column.
    pub(crate) fn new(table: Table) -> Result<Archive, Table> {
        let either = |one: &str, other: &str| table.column(one).or_else(|| table.column(other));
        let Some(movelist) = table.column("movelist") else {
            return Err(table);
        };
        let columns = Columns {
            movelist,
            id: table.column("id"),
            gold: either("wusername", "gusername"),
            silver: either("busername", "susername"),
            start: table.column("startts"),
            result: table.column("result"),
            termination: table.column("termination"),
        };
        Ok(Archive {
            table,
            columns,
            rows: 0,
        })
    }

    /// The next game.
    pub(crate) fn next_game(&mut self) -> anyhow::Result<Option<ArchivedGame<'_>>> {
        let columns = &self.columns;
        let Some(row) = self.table.next_row()? else {
            return Ok(None);
        };
        self.rows += 1;
        Ok(Some(columns.game(row, self.rows)))
    }
}

impl ArchivedGame<'_> {
    /// A copy that outlives the row.
    pub(crate) fn to_owned(&self) -> ArchivedGame<'static> {
        ArchivedGame {
            id: self.id.clone(),
            players: self.players.clone(),
            movelist: self.movelist.as_deref().map(|moves| moves.to_vec().into()),
            ..*self
        }
    }
}

impl Columns {
    fn game<'a>(&self, row: Row<'a>, number: usize) -> ArchivedGame<'a> {
        let text = |column: Option<usize>| {
            let cell = decode(row.cell(column?)?).trim().to_owned();
            (!cell.is_empty()).then_some(cell)
        };
        let letter = |column| text(column).and_then(|text| text.chars().next());
        let rules = text(self.start)
            .and_then(|text| text.parse().ok())
            .map_or(RuleSet::Modern, RuleSet::at_unix_time);
        let recorded = letter(self.termination)
            .and_then(Termination::from_char)
            .map(|termination| Outcome {
                winner: letter(self.result).and_then(Side::from_char),
                termination,
            });
        ArchivedGame {
            row: number,
            line_number: row.line_number,
            id: text(self.id).unwrap_or_else(|| format!("#{number}")),
            players: BySide::new(text(self.gold), text(self.silver)),
            rules,
            recorded,
            movelist: row.cell(self.movelist).map(Cow::Borrowed),
        }
    }
}

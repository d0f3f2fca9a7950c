//! Tables for the eye: columns as wide as their widest cell.

use std::io::{self, Write};

use anstyle::Style;

const HEADING: Style = Style::new().dimmed();

/// Where the cells of a column stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// A table that is written when all of it is known.
#[derive(Debug)]
pub struct Columns {
    headings: Vec<(&'static str, Align)>,
    rows: Vec<Vec<String>>,
}

impl Columns {
    /// An empty table with these headings.
    pub fn new(headings: &[(&'static str, Align)]) -> Columns {
        Columns {
            headings: headings.to_vec(),
            rows: Vec::new(),
        }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// Writes it, the headings dimmed.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let widths: Vec<usize> = self
            .headings
            .iter()
            .enumerate()
            .map(|(i, (heading, _))| {
                let cells = self.rows.iter().filter_map(|row| row.get(i));
                cells
                    .map(|cell| cell.chars().count())
                    .fold(heading.len(), usize::max)
            })
            .collect();
        let line = |cells: &mut dyn Iterator<Item = &str>| {
            let mut line = String::new();
            for ((cell, width), (_, align)) in cells.zip(&widths).zip(&self.headings) {
                line.push_str("  ");
                let gap = " ".repeat(width - cell.chars().count());
                let (before, after) = match align {
                    Align::Left => ("", gap.as_str()),
                    Align::Right => (gap.as_str(), ""),
                };
                line.extend([before, cell, after]);
            }
            line.truncate(line.trim_end().len());
            line
        };
        let headings = line(&mut self.headings.iter().map(|(heading, _)| *heading));
        writeln!(out, "{HEADING}{headings}{HEADING:#}")?;
        for row in &self.rows {
            writeln!(out, "{}", line(&mut row.iter().map(String::as_str)))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let mut table = Columns::new(&[("name", Align::Left), ("n", Align::Right)]);
        table.row(["é".to_owned(), "1000".to_owned()]);
        table.row(["longer".to_owned(), "7".to_owned()]);
        let mut out = Vec::new();
        table.write(&mut out).expect("memory");
        let text = anstream::adapter::strip_bytes(&out).into_vec();
        let text = String::from_utf8(text).expect("UTF-8");
        assert_eq!(text, "  name       n\n  é       1000\n  longer     7\n");
    }
}

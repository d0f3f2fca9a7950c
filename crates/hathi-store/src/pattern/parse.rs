//! Reading a pattern: words on a line, or a drawn board with words below.

use hathi_rules::{File, Rank, Side, Square};

use super::Pattern;
use super::condition::{Area, Condition, Count};
use super::error::{Fault, PatternError, PatternFault, TextPlace};
use super::grammar::{Draft, Grammar};
use super::words::letter;

/// Fewer cells than this without a frame are not taken for a drawn row.
const LEAST_CELLS: usize = 5;

/// Reads a pattern.
pub(super) fn pattern(text: &str) -> Result<Pattern, PatternError> {
    read(text).map_err(|(offset, fault)| PatternError {
        place: TextPlace::of(text, offset),
        fault,
    })
}

fn read(text: &str) -> Result<Pattern, Fault> {
    let mut drawing = Drawing {
        text,
        words: String::with_capacity(text.len()),
        drawn: Draft::new(),
        rows: 0,
    };
    drawing.read()?;
    let elements = Grammar::new(&drawing.words).sequence(drawing.drawn)?;
    Ok(Pattern { elements })
}

/// A drawn board, if there is one, and the words beside it.
struct Drawing<'a> {
    text: &'a str,
    /// The text with blanks where the drawing is, so that every word stands at
    /// the same byte.
    words: String,
    drawn: Draft,
    rows: usize,
}

impl Drawing<'_> {
    fn read(&mut self) -> Result<(), Fault> {
        let mut start = 0;
        for line in self.text.split_inclusive('\n') {
            if self.is_drawn(start, line.trim_end())? {
                self.words.extend(std::iter::repeat_n(' ', line.len()));
            } else {
                self.words.push_str(line);
            }
            start += line.len();
        }
        if self.rows != 0 && self.rows != 8 {
            return Err((self.text.len(), PatternFault::RowCount(self.rows)));
        }
        Ok(())
    }

    /// Is this line part of the drawing? Then it has been read.
    fn is_drawn(&mut self, start: usize, line: &str) -> Result<bool, Fault> {
        if is_decoration(line.trim()) {
            return Ok(true);
        }
        if let Some(row) = Row::of_line(start, line) {
            self.row(&row)?;
            return Ok(true);
        }
        // The first line of a position file: `g`, `12s`.
        let label = line.trim().trim_start_matches(|c: char| c.is_ascii_digit());
        if self.rows == 0
            && label.len() == 1
            && let Some(side) = label.chars().next().and_then(Side::from_char)
            && label.chars().all(|c| c.is_ascii_lowercase())
            && self.text[start + line.len()..].contains('|')
        {
            self.drawn.set_mover(start, side)?;
            return Ok(true);
        }
        Ok(false)
    }

    fn row(&mut self, row: &Row<'_>) -> Result<(), Fault> {
        self.rows += 1;
        let Some(rank) = 8usize
            .checked_sub(self.rows)
            .and_then(|index| Rank::ALL.get(index).copied())
        else {
            return Err((row.start, PatternFault::RowCount(self.rows)));
        };
        if let Some(found) = row.number
            && found != rank.to_char()
        {
            let expected = rank.to_char();
            return Err((row.start, PatternFault::RowOrder { expected, found }));
        }
        let cells = || row.cells.char_indices().filter(|(_, c)| !c.is_whitespace());
        let width = cells().count();
        if width != 8 {
            return Err((row.start, PatternFault::RowWidth(width)));
        }
        for (file, (i, cell)) in File::ALL.into_iter().zip(cells()) {
            let square = Square::new(file, rank);
            let content = match cell {
                '.' => continue,
                'x' | 'X' if square.is_trap() => continue,
                _ => letter(cell),
            };
            let at = row.start + i;
            let Some(content) = content else {
                return Err((
                    at,
                    PatternFault::BadCell {
                        square,
                        found: cell,
                    },
                ));
            };
            let condition = Condition {
                negated: false,
                count: Count::SOME,
                content,
                area: Area::Square(square),
            };
            self.drawn.add(at, condition)?;
        }
        Ok(())
    }
}

/// A line of a drawn board.
struct Row<'a> {
    number: Option<char>,
    /// Where the cells begin in the text.
    start: usize,
    cells: &'a str,
}

impl<'a> Row<'a> {
    /// `8| r . . |`, or at least five cells and perhaps a number without a
    /// frame. No condition looks like that: each has a digit or an `@`.
    fn of_line(start: usize, line: &'a str) -> Option<Row<'a>> {
        if let Some((number, cells)) = line.split_once('|') {
            let inside = cells.split_once('|').map_or(cells, |(inside, after)| {
                // A second number may follow the frame; nothing else.
                let after = after.trim();
                if after.is_empty() || after == number.trim() {
                    inside
                } else {
                    cells
                }
            });
            return Some(Row {
                number: number.trim().chars().next(),
                start: start + number.len() + 1,
                cells: inside,
            });
        }
        let trimmed = line.trim_start();
        let number = trimmed.chars().next().filter(char::is_ascii_digit);
        let cells = &trimmed[number.map_or(0, char::len_utf8)..];
        let is_cell = |c: char| c == '.' || c == 'x' || c == 'X' || letter(c).is_some();
        let mut count = 0;
        for c in cells.chars().filter(|c| !c.is_whitespace()) {
            if !is_cell(c) {
                return None;
            }
            count += 1;
        }
        (count >= LEAST_CELLS).then(|| Row {
            number,
            start: start + line.len() - cells.len(),
            cells,
        })
    }
}

/// Is this (trimmed) line the frame of a drawing or its footer?
fn is_decoration(line: &str) -> bool {
    let frame = line.chars().all(|c| matches!(c, '-' | '+' | ' '));
    let footer = || {
        let letters = line.chars().filter(|c| !c.is_whitespace());
        letters.map(|c| c.to_ascii_lowercase()).eq('a'..='h')
    };
    frame || footer()
}

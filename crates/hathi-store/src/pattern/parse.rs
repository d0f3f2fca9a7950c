//! Reading a pattern: words on a line, or a drawn board with words below.

use hathi_rules::{File, Piece, Rank, Side, Square};

use super::error::{Fault, PatternError, PatternFault, TextPlace};
use super::words::{Reader, letter};
use super::{Area, Condition, Count, Pattern};

/// Patterns come from strangers too, and every condition costs time on
/// millions of boards. A full drawing has 64.
const MOST_CONDITIONS: usize = 256;

/// Fewer cells than this without a frame are not taken for a drawn row.
const LEAST_CELLS: usize = 5;

/// Reads a pattern.
pub(super) fn pattern(text: &str) -> Result<Pattern, PatternError> {
    let mut draft = Draft::new(text);
    draft.read().map_err(|(offset, fault)| PatternError {
        place: TextPlace::of(text, offset),
        fault,
    })?;
    Ok(Pattern {
        conditions: draft.conditions,
        mover: draft.mover,
    })
}

/// What has been read so far.
struct Draft<'a> {
    text: &'a str,
    conditions: Vec<Condition>,
    mover: Option<Side>,
    /// What may still stand on each square: bit 0 for nothing, bit 1 + n for
    /// piece number n.
    allowed: [u16; 64],
    rows: usize,
}

impl<'a> Draft<'a> {
    fn new(text: &'a str) -> Self {
        Draft {
            text,
            conditions: Vec::new(),
            mover: None,
            allowed: [!0; 64],
            rows: 0,
        }
    }

    fn read(&mut self) -> Result<(), Fault> {
        let mut start = 0;
        for line in self.text.split_inclusive('\n') {
            self.line(start, line.trim_end())?;
            start += line.len();
        }
        if self.rows != 0 && self.rows != 8 {
            return Err((self.text.len(), PatternFault::RowCount(self.rows)));
        }
        if self.conditions.is_empty() && self.mover.is_none() {
            return Err((0, PatternFault::Empty));
        }
        Ok(())
    }

    fn line(&mut self, start: usize, line: &str) -> Result<(), Fault> {
        if is_decoration(line.trim()) {
            return Ok(());
        }
        if let Some(row) = Row::of_line(start, line) {
            return self.row(&row);
        }
        // The first line of a position file: `g`, `12s`.
        let label = line.trim().trim_start_matches(|c: char| c.is_ascii_digit());
        if self.rows == 0
            && label.len() == 1
            && let Some(side) = label.chars().next().and_then(Side::from_char)
            && label.chars().all(|c| c.is_ascii_lowercase())
            && self.text[start + line.len()..].contains('|')
        {
            return self.set_mover(start, side);
        }
        self.words(start, line)
    }

    fn words(&mut self, start: usize, line: &str) -> Result<(), Fault> {
        let mut reader = Reader::new(&self.text[..start + line.len()], start);
        loop {
            reader.skip(|c| c.is_whitespace() || c == ',');
            if reader.peek().is_none() {
                return Ok(());
            }
            let at = reader.offset();
            if let Some(side) = reader.mover()? {
                self.set_mover(at, side)?;
            } else {
                let condition = reader.condition()?;
                self.add(at, condition)?;
            }
            match reader.peek() {
                Some(c) if !(c.is_whitespace() || c == ',') => {
                    return Err(reader.unexpected("a space or a comma after the condition"));
                }
                _ => {}
            }
        }
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
            self.add(at, condition)?;
        }
        Ok(())
    }

    fn add(&mut self, at: usize, condition: Condition) -> Result<(), Fault> {
        if self.conditions.len() == MOST_CONDITIONS {
            return Err((at, PatternFault::TooLong(MOST_CONDITIONS)));
        }
        if let Area::Square(square) = condition.area
            && condition.count == Count::SOME
        {
            let may_stand = |piece| condition.content.allows(piece) != condition.negated;
            let mut set = u16::from(may_stand(None));
            for piece in Piece::ALL {
                set |= u16::from(may_stand(Some(piece))) << (1 + piece.index());
            }
            let allowed = &mut self.allowed[square.index()];
            *allowed &= set;
            if *allowed == 0 {
                return Err((at, PatternFault::Contradiction(square)));
            }
        }
        self.conditions.push(condition);
        Ok(())
    }

    fn set_mover(&mut self, at: usize, side: Side) -> Result<(), Fault> {
        match self.mover.replace(side) {
            Some(before) if before != side => Err((at, PatternFault::TwoMovers)),
            _ => Ok(()),
        }
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

//! His drawings as pictures: each beside what the rules say, differences ringed.

use std::fmt::Write;

use hathi_model::drawing::escape;
use hathi_rules::{Bitboard, Position, Square};

use super::drawings::{Beside, DRAWINGS};

const CELL: f64 = 14.0;
const BOARD: f64 = 8.0 * CELL;
/// From one pair of boards to the next, and from one row to the next.
const WIDE: f64 = 2.0 * BOARD + 60.0;
const HIGH: f64 = BOARD + 58.0;
const COLUMNS: usize = 3;
const LEFT: f64 = 24.0;
const TOP: f64 = 64.0;

const STYLE: &str = "\
.sets{font:11px sans-serif}.sets .ground{fill:#fff}.sets text{fill:#222}.sets .title{font-size:16px}\
.sets .name{font:600 12px ui-monospace,monospace}.sets .small{font-size:9px;fill:#555}\
.sets .board{fill:none;stroke:#999}.sets .trap{fill:#ddd}.sets .mark{fill:#0072b2;opacity:.75}\
.sets .wrong{fill:none;stroke:#d55e00;stroke-width:2}\
@media(prefers-color-scheme:dark){.sets .ground{fill:#1b1d21}.sets text{fill:#ddd}.sets .small{fill:#aaa}\
.sets .board{stroke:#777}.sets .trap{fill:#3a3d43}.sets .mark{fill:#56b4e9}.sets .wrong{stroke:#ff8c4a}}";

/// All of them.
pub(super) fn svg() -> anyhow::Result<String> {
    let rows = DRAWINGS.len().div_ceil(COLUMNS);
    let title = "His drawings (left) and the rules (right); differences are ringed";
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"sets\" role=\"img\" viewBox=\"0 0 {} {}\">\n\
         <style>{STYLE}</style>\n<title>{title}</title>\n\
         <rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n\
         <text class=\"title\" x=\"{LEFT}\" y=\"28\">{title}</text>\n",
        LEFT + COLUMNS as f64 * WIDE,
        TOP + rows as f64 * HIGH,
        title = escape(title),
    );
    for (place, drawing) in DRAWINGS.iter().enumerate() {
        let left = LEFT + (place % COLUMNS) as f64 * WIDE;
        let top = TOP + (place / COLUMNS) as f64 * HIGH;
        let Beside {
            position,
            drawn,
            rules,
            ..
        } = drawing.beside()?;
        let _ = writeln!(
            text,
            "<text class=\"name\" x=\"{left}\" y=\"{}\">{}</text>",
            top - 8.0,
            escape(drawing.name)
        );
        let differing = drawn ^ rules;
        board(&mut text, (left, top), &position, drawn, differing);
        let right = left + BOARD + 20.0;
        board(&mut text, (right, top), &position, rules, differing);
    }
    text.push_str("</svg>\n");
    Ok(text)
}

fn board(
    text: &mut String,
    (left, top): (f64, f64),
    position: &Position,
    marked: Bitboard,
    differing: Bitboard,
) {
    let corner = |square: Square| {
        let (file, rank) = (square.file().index(), square.rank().index());
        (left + file as f64 * CELL, top + (7 - rank) as f64 * CELL)
    };
    for trap in Square::TRAPS {
        let (x, y) = corner(trap);
        let _ = write!(
            text,
            "<rect class=\"trap\" x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\"/>"
        );
    }
    for square in marked {
        let (x, y) = corner(square);
        let _ = write!(
            text,
            "<rect class=\"mark\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
            x + 1.5,
            y + 1.5,
            CELL - 3.0,
            CELL - 3.0
        );
    }
    for (square, piece) in position.board().iter() {
        let (x, y) = corner(square);
        let _ = write!(
            text,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            x + CELL / 2.0,
            y + CELL - 3.0,
            piece.to_char()
        );
    }
    for square in differing {
        let (x, y) = corner(square);
        let _ = write!(
            text,
            "<rect class=\"wrong\" x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\"/>"
        );
    }
    let _ = writeln!(
        text,
        "<rect class=\"board\" x=\"{left}\" y=\"{top}\" width=\"{BOARD}\" height=\"{BOARD}\"/>"
    );
    for file in 0..8 {
        let _ = write!(
            text,
            "<text class=\"small\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            left + (f64::from(file) + 0.5) * CELL,
            top + BOARD + 11.0,
            char::from(b'a' + file)
        );
        let _ = writeln!(
            text,
            "<text class=\"small\" x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>",
            left - 3.0,
            top + (7.5 - f64::from(file)) * CELL + 3.0,
            file + 1
        );
    }
}

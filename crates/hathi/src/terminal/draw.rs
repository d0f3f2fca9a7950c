//! The board as `show` and `replay` draw it.
//!
//! ```text
//!    ┌────────────────────────┐
//!  6 │ ·  · (H) ·  ·  ×  ·  · │    an occupied and an empty trap
//!  5 │ ·  ·  h  ·  ·  r° ·  · │    a frozen rabbit
//! ```
//!
//! A piece on a trap has a friend beside it, so it is never frozen: the two
//! marks do not get in each other's way.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use hathi_rules::{Board, File, Piece, Rank, Side, Square};

/// Which characters to draw with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Charset {
    horizontal: &'static str,
    vertical: &'static str,
    /// Top left, top right, bottom left, bottom right.
    corners: [&'static str; 4],
    empty: &'static str,
    trap: &'static str,
    frozen: &'static str,
}

impl Charset {
    const UNICODE: Charset = Charset {
        horizontal: "─",
        vertical: "│",
        corners: ["┌", "┐", "└", "┘"],
        empty: "·",
        trap: "×",
        frozen: "°",
    };

    const ASCII: Charset = Charset {
        horizontal: "-",
        vertical: "|",
        corners: ["+", "+", "+", "+"],
        empty: ".",
        trap: "x",
        frozen: "*",
    };

    /// ASCII if asked for, else Unicode.
    pub(crate) const fn new(ascii: bool) -> Charset {
        if ascii {
            Charset::ASCII
        } else {
            Charset::UNICODE
        }
    }
}

const FRAME: Style = Style::new().dimmed();
const TRAP: Style = AnsiColor::Red.on_default();
const FROZEN: Style = AnsiColor::Cyan.on_default();

/// The colour of a side's pieces and name.
pub(crate) const fn side_style(side: Side) -> Style {
    match side {
        Side::Gold => AnsiColor::Yellow.on_default().bold(),
        Side::Silver => AnsiColor::BrightBlue.on_default().bold(),
    }
}

/// Draws a board with frame and coordinates.
pub(crate) fn board(out: &mut impl Write, board: &Board, charset: Charset) -> io::Result<()> {
    let [top_left, top_right, bottom_left, bottom_right] = charset.corners;
    let edge = charset.horizontal.repeat(3 * File::ALL.len());
    let bar = charset.vertical;
    writeln!(out, "   {FRAME}{top_left}{edge}{top_right}{FRAME:#}")?;
    for rank in Rank::ALL.into_iter().rev() {
        write!(out, " {rank} {FRAME}{bar}{FRAME:#}")?;
        for file in File::ALL {
            square(out, board, Square::new(file, rank), charset)?;
        }
        writeln!(out, "{FRAME}{bar}{FRAME:#}")?;
    }
    writeln!(out, "   {FRAME}{bottom_left}{edge}{bottom_right}{FRAME:#}")?;
    write!(out, "    ")?;
    for file in File::ALL {
        write!(out, " {file}{}", if file == File::H { "\n" } else { " " })?;
    }
    Ok(())
}

/// Three columns: a mark, the piece, a mark.
fn square(out: &mut impl Write, board: &Board, square: Square, charset: Charset) -> io::Result<()> {
    let Some(piece) = board.piece_at(square) else {
        return if square.is_trap() {
            write!(out, " {TRAP}{}{TRAP:#} ", charset.trap)
        } else {
            write!(out, " {FRAME}{}{FRAME:#} ", charset.empty)
        };
    };
    let style = side_style(piece.side());
    if square.is_trap() {
        write!(out, "{TRAP}({TRAP:#}{style}{piece}{style:#}{TRAP}){TRAP:#}")
    } else if is_frozen(board, square, piece) {
        write!(
            out,
            " {style}{piece}{style:#}{FROZEN}{}{FROZEN:#}",
            charset.frozen
        )
    } else {
        write!(out, " {style}{piece}{style:#} ")
    }
}

fn is_frozen(board: &Board, square: Square, piece: Piece) -> bool {
    board.frozen(piece.side()).contains(square)
}

/// Explains the marks.
pub(crate) fn legend(out: &mut impl Write, charset: Charset) -> io::Result<()> {
    let (trap, frozen) = (charset.trap, charset.frozen);
    let (gold, silver) = (side_style(Side::Gold), side_style(Side::Silver));
    writeln!(
        out,
        "    {gold}EMHDCR{gold:#} Gold  {silver}emhdcr{silver:#} Silver\n    \
         {TRAP}{trap}{TRAP:#} trap  {TRAP}({TRAP:#}H{TRAP}){TRAP:#} on a trap  \
         h{FROZEN}{frozen}{FROZEN:#} frozen"
    )
}

//! Boards as pictures: SVG, PNG, and whole games as moving GIFs. The animals
//! are those of the page. Without the feature `pictures` there is SVG only.

mod letters;
#[cfg(feature = "pictures")]
mod moving;
#[cfg(feature = "pictures")]
mod pixels;
#[cfg(not(feature = "pictures"))]
mod svg_only;

use std::fmt::Write as _;
use std::sync::OnceLock;
use std::time::Duration;

use hathi_rules::{Board, Piece, Role, Side, Square, Turn};

#[cfg(feature = "pictures")]
pub(crate) use moving::gif;
#[cfg(feature = "pictures")]
pub(crate) use pixels::png;
#[cfg(not(feature = "pictures"))]
pub(crate) use svg_only::{gif, png};

use crate::assets;

/// Units of a square in our drawings.
const UNIT: usize = 100;

const LIGHT: &str = "#c4d2c8";
const DARK: &str = "#aec0b5";
const TRAP: &str = "#5d7a6d";
const ARROW: &str = "#1d4ed8";
const LAST: &str = "#f2d06b";

/// The smallest and the largest picture, in pixels.
pub(crate) const SIZES: std::ops::RangeInclusive<u32> = 64..=1600;

/// What to draw.
#[derive(Clone, Debug)]
pub(crate) struct Drawing<'a> {
    pub(crate) board: &'a Board,
    /// Who sits at the bottom.
    pub(crate) bottom: Side,
    /// Drawn as arrows.
    pub(crate) turn: Option<&'a Turn>,
    /// Squares that a turn has just touched.
    pub(crate) marked: &'a [Square],
    /// Letters and numbers along two edges.
    pub(crate) coordinates: bool,
    pub(crate) size: u32,
}

/// How a whole game is drawn.
#[derive(Clone, Copy, Debug)]
// Without pictures there is nobody to look at it.
#[cfg_attr(not(feature = "pictures"), allow(dead_code))]
pub(crate) struct Film {
    pub(crate) bottom: Side,
    pub(crate) coordinates: bool,
    /// In pixels.
    pub(crate) size: u32,
    /// For a turn.
    pub(crate) delay: Duration,
}

/// Left and top of a square.
fn corner(square: Square, bottom: Side) -> (usize, usize) {
    let (file, rank) = (square.file().index(), square.rank().index());
    match bottom {
        Side::Gold => (file * UNIT, (7 - rank) * UNIT),
        Side::Silver => ((7 - file) * UNIT, rank * UNIT),
    }
}

/// The drawing as SVG.
pub(crate) fn svg(drawing: &Drawing<'_>) -> String {
    let side = 8 * UNIT;
    let size = drawing.size;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{size}\" height=\"{size}\" \
         viewBox=\"0 0 {side} {side}\">\n"
    );
    for square in Square::all() {
        let (x, y) = corner(square, drawing.bottom);
        let dark = (square.file().index() + square.rank().index()).is_multiple_of(2);
        let colour = if dark { DARK } else { LIGHT };
        let _ = writeln!(
            svg,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{UNIT}\" height=\"{UNIT}\" fill=\"{colour}\"/>"
        );
        if square.is_trap() {
            let (x, y) = (x + UNIT / 2, y + UNIT / 2);
            let _ = writeln!(
                svg,
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"30\" fill=\"none\" stroke=\"{TRAP}\" stroke-width=\"8\"/>"
            );
        }
        if drawing.marked.contains(&square) {
            let _ = writeln!(
                svg,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{UNIT}\" height=\"{UNIT}\" fill=\"{LAST}\" fill-opacity=\"0.6\"/>"
            );
        }
    }
    for (square, piece) in drawing.board.iter() {
        let (x, y) = corner(square, drawing.bottom);
        svg += &nested(piece, x, y);
    }
    if drawing.coordinates {
        letters::write(&mut svg, drawing.bottom);
    }
    for step in drawing.turn.into_iter().flat_map(Turn::steps) {
        if let Some(to) = step.to() {
            arrow(
                &mut svg,
                corner(step.from(), drawing.bottom),
                corner(to, drawing.bottom),
            );
        }
    }
    svg += "</svg>\n";
    svg
}

/// From the middle of one square to the middle of the next.
fn arrow(svg: &mut String, (x1, y1): (usize, usize), (x2, y2): (usize, usize)) {
    let middle = |v: usize| v as f64 + UNIT as f64 / 2.0;
    let (x1, y1, x2, y2) = (middle(x1), middle(y1), middle(x2), middle(y2));
    let (dx, dy) = ((x2 - x1) / UNIT as f64, (y2 - y1) / UNIT as f64);
    let (x3, y3) = (x2 - 30.0 * dx, y2 - 30.0 * dy);
    let _ = writeln!(
        svg,
        "<path d=\"M{x1} {y1}L{x3} {y3}\" stroke=\"{ARROW}\" stroke-width=\"14\" stroke-opacity=\"0.75\"/>\
         <path d=\"M{x2} {y2}L{} {}L{} {}z\" fill=\"{ARROW}\" fill-opacity=\"0.75\"/>",
        x3 - 22.0 * dy,
        y3 + 22.0 * dx,
        x3 + 22.0 * dy,
        y3 - 22.0 * dx,
    );
}

/// A piece's own drawing, put on a square.
fn nested(piece: Piece, x: usize, y: usize) -> String {
    let text = drawing_of(piece);
    let Some(start) = text.find("<svg") else {
        return String::new();
    };
    let root = &text[start + 4..];
    format!("<svg x=\"{x}\" y=\"{y}\" width=\"{UNIT}\" height=\"{UNIT}\"{root}")
}

/// The file of a piece.
fn drawing_of(piece: Piece) -> &'static str {
    static DRAWINGS: OnceLock<Vec<String>> = OnceLock::new();
    let drawings = DRAWINGS.get_or_init(|| {
        let file = |side: Side, role: Role| {
            let path = format!("pieces/{}-{}.svg", side.name().to_lowercase(), role.name());
            assets::text(&path).unwrap_or_default()
        };
        [Side::Gold, Side::Silver]
            .into_iter()
            .flat_map(|side| Role::ALL.map(|role| file(side, role)))
            .collect()
    });
    let place = match piece.side() {
        Side::Gold => 0,
        Side::Silver => 6,
    };
    drawings
        .get(place + piece.role().index())
        .map_or("", String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hathi_rules::Position;

    #[test]
    fn a_board_can_be_drawn() {
        let position: Position =
            "g [rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR]"
                .parse()
                .expect("a position");
        let turn: Turn = "Ee2n Ee3n".parse().expect("a turn");
        let drawing = Drawing {
            board: position.board(),
            bottom: Side::Gold,
            turn: Some(&turn),
            marked: &[],
            coordinates: false,
            size: 160,
        };
        let text = svg(&drawing);
        // 32 pieces and the board itself.
        assert_eq!(text.matches("<svg").count(), 33);
        let with = svg(&Drawing {
            coordinates: true,
            ..drawing.clone()
        });
        let letters = with.matches("<path").count() - text.matches("<path").count();
        assert_eq!(letters, 16);
        #[cfg(feature = "pictures")]
        its_pieces_can_be_seen(&drawing, &text);
    }

    #[cfg(feature = "pictures")]
    fn its_pieces_can_be_seen(drawing: &Drawing<'_>, text: &str) {
        let bytes = png(drawing).expect("a picture");
        assert!(bytes.starts_with(b"\x89PNG"));
        let pixels = pixels::raster(text, 160).expect("pixels");
        let colours: std::collections::HashSet<_> = pixels
            .pixels()
            .iter()
            .map(|p| (p.red(), p.green()))
            .collect();
        assert!(colours.len() > 30, "pieces are drawn: {}", colours.len());
    }
}

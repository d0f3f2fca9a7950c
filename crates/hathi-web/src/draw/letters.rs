//! The letters of files and the numbers of ranks, drawn as lines: a picture has no
//! fonts.

use std::fmt::Write as _;

use hathi_rules::{Side, Square};

use super::{UNIT, corner};

const COLOUR: &str = "#33463c";

/// Each in a box 10 wide and 14 high.
const FILES: [&str; 8] = [
    "M9 5V14M9 9.5A4.2 4.5 0 1 1 .6 9.5A4.2 4.5 0 1 1 9 9.5",
    "M1 0V14M1 9.5A4.2 4.5 0 1 1 9.4 9.5A4.2 4.5 0 1 1 1 9.5",
    "M9 6.6A4.4 4.6 0 1 0 9 12.4",
    "M9 0V14M9 9.5A4.2 4.5 0 1 1 .6 9.5A4.2 4.5 0 1 1 9 9.5",
    "M.8 9.5H9.2A4.2 4.5 0 1 0 8 12.6",
    "M8.5 .8A3.2 3.2 0 0 0 4.3 3.6V14M1 6H8",
    "M9 5V14.5A4 3.4 0 0 1 1.4 16M9 9.5A4.2 4.5 0 1 1 .6 9.5A4.2 4.5 0 1 1 9 9.5",
    "M1 0V14M1 9A4 4 0 0 1 9 9V14",
];

const RANKS: [&str; 8] = [
    "M2 3L6 0V14",
    "M1 4A4 4 0 1 1 8 6.5L1 14H9",
    "M1 .5H9L5 6A4 4 0 1 1 1 12.5",
    "M7 14V0L.8 9.5H9.8",
    "M8.6 .5H2L1.4 6.4A4.2 4.2 0 1 1 1 12.4",
    "M7.6 0L1.8 7.6M9 9.8A4 4.2 0 1 1 1 9.8A4 4.2 0 1 1 9 9.8",
    "M1 .5H9L4 14",
    "M8.2 3.4A3.2 3.4 0 1 1 1.8 3.4A3.2 3.4 0 1 1 8.2 3.4M9 10.4A4 3.7 0 1 1 1 10.4A4 3.7 0 1 1 9 10.4",
];

/// How much larger than their boxes they are drawn.
const SCALE: f64 = 1.45;

/// A number in the corner of every square of the left edge, and a letter in the
/// opposite corner of every one of the lower edge.
pub(super) fn write(svg: &mut String, bottom: Side) {
    let mut draw = |path: &str, x: f64, y: f64| {
        let _ = writeln!(
            svg,
            "<path d=\"{path}\" transform=\"translate({x} {y}) scale({SCALE})\" fill=\"none\" \
             stroke=\"{COLOUR}\" stroke-width=\"2.2\" stroke-linecap=\"round\" stroke-linejoin=\"round\"/>"
        );
    };
    for square in Square::all() {
        let (left, top) = corner(square, bottom);
        let (x, y) = (left as f64, top as f64);
        let unit = UNIT as f64;
        if left == 0 {
            draw(RANKS[square.rank().index()], x + 4.0, y + 5.0);
        }
        if top == 7 * UNIT {
            let (width, height) = (10.0 * SCALE, 14.0 * SCALE);
            let file = FILES[square.file().index()];
            draw(file, x + unit - width - 4.0, y + unit - height - 7.0);
        }
    }
}

//! The eighths as a drawing: ours and McKee's on one scale. Both axes are
//! logarithmic, so that a small archive of ours can be seen beside his.

use std::fmt::Write;
use std::ops::RangeInclusive;

use super::eighths::Eighth;
use super::mckee;

const WIDTH: f64 = 860.0;
const HEIGHT: f64 = 560.0;
/// Where the axes are.
const LEFT: f64 = 80.0;
const RIGHT: f64 = 610.0;
const TOP: f64 = 60.0;
const BOTTOM: f64 = 490.0;

/// A microsecond to a hundred seconds: eight powers of ten.
const LOWEST: f64 = -6.0;
const HIGHEST: f64 = 2.0;

/// Colours that the colour-blind can tell apart (Okabe and Ito).
const COLOURS: [&str; 5] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00"];

/// An SVG file.
pub(super) fn svg(eighths: &[Eighth]) -> String {
    let sizes = eighths.iter().map(|eighth| eighth.positions);
    let (fewest, most) = sizes
        .chain(mckee::POSITIONS)
        .filter(|&positions| positions > 0)
        .fold((u64::MAX, 1), |(fewest, most), n| {
            (fewest.min(n), most.max(n))
        });
    // Some room on both sides.
    let (first, last) = (fewest as f64 / 1.1, most as f64 * 1.1);
    let x = |positions: u64| {
        let share = (positions as f64 / first).max(1.0).ln() / (last / first).ln();
        LEFT + (RIGHT - LEFT) * share
    };
    let y = |seconds: f64| {
        let share = (seconds.log10().clamp(LOWEST, HIGHEST) - LOWEST) / (HIGHEST - LOWEST);
        BOTTOM - (BOTTOM - TOP) * share
    };
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"30\" font-size=\"18\">Time to answer by number of positions: \
         Hathi and McKee 2014</text>\n"
    );
    axes(&mut text, fewest..=most, x, y);
    for (i, table) in mckee::TABLES.iter().enumerate() {
        let colour = COLOURS[i];
        let ours = eighths
            .iter()
            .map(|eighth| (x(eighth.positions), y(eighth.seconds[i])));
        let his = mckee::POSITIONS
            .iter()
            .zip(table.seconds)
            .filter_map(|(&positions, seconds)| Some((x(positions), y(seconds?))));
        line(&mut text, ours.collect(), colour, "");
        line(
            &mut text,
            his.collect(),
            colour,
            " stroke-dasharray=\"6 4\"",
        );
        legend(&mut text, i, table.name, colour);
    }
    for (row, note) in [
        "solid: Hathi",
        "dashed: McKee; what took",
        "him less than 1 s is not drawn",
    ]
    .iter()
    .enumerate()
    {
        let _ = writeln!(
            text,
            "<text x=\"{}\" y=\"{}\" fill=\"#555\">{note}</text>",
            RIGHT + 30.0,
            TOP + 150.0 + 18.0 * row as f64,
        );
    }
    text.push_str("</svg>\n");
    text
}

fn axes(
    text: &mut String,
    sizes: RangeInclusive<u64>,
    x: impl Fn(u64) -> f64,
    y: impl Fn(f64) -> f64,
) {
    for power in LOWEST as i32..=HIGHEST as i32 {
        let at = y(10f64.powi(power));
        let label = match power {
            -6 => "1 µs",
            -5 => "10 µs",
            -4 => "100 µs",
            -3 => "1 ms",
            -2 => "10 ms",
            -1 => "100 ms",
            0 => "1 s",
            1 => "10 s",
            _ => "100 s",
        };
        let _ = writeln!(
            text,
            "<path d=\"M{LEFT} {at:.1}H{RIGHT}\" stroke=\"#ddd\"/>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>",
            LEFT - 8.0,
            at + 4.0,
        );
    }
    let powers = (0..19).map(|power| 10u64.pow(power));
    let ticks = powers.flat_map(|power| [1, 2, 3, 5].map(|digit| power.saturating_mul(digit)));
    for positions in ticks.filter(|positions| sizes.contains(positions)) {
        let at = x(positions);
        let _ = writeln!(
            text,
            "<path d=\"M{at:.1} {TOP}V{BOTTOM}\" stroke=\"#eee\"/>\
             <text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            BOTTOM + 20.0,
            positions as f64 / 1e6,
        );
    }
    let _ = write!(
        text,
        "<path d=\"M{LEFT} {TOP}V{BOTTOM}H{RIGHT}\" fill=\"none\" stroke=\"black\"/>\n\
         <text x=\"{}\" y=\"{}\" text-anchor=\"middle\">millions of positions</text>\n",
        f64::midpoint(LEFT, RIGHT),
        BOTTOM + 45.0,
    );
}

fn line(text: &mut String, points: Vec<(f64, f64)>, colour: &str, style: &str) {
    let places: Vec<String> = points
        .iter()
        .map(|(x, y)| format!("{x:.1},{y:.1}"))
        .collect();
    let _ = writeln!(
        text,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"{style}/>",
        places.join(" ")
    );
    for (x, y) in points {
        let _ = writeln!(
            text,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>"
        );
    }
}

fn legend(text: &mut String, row: usize, name: &str, colour: &str) {
    let at = TOP + 20.0 + 24.0 * row as f64;
    let _ = writeln!(
        text,
        "<path d=\"M{} {at}h24\" stroke=\"{colour}\" stroke-width=\"2\"/>\
         <text x=\"{}\" y=\"{}\">{}</text>",
        RIGHT + 30.0,
        RIGHT + 62.0,
        at + 4.0,
        // The only character of ours that means something in XML.
        name.replace('\'', "&#39;"),
    );
}

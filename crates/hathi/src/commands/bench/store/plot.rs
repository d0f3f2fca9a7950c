//! The eighths as a drawing: ours and McKee's on one scale.

use std::fmt::Write;

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
    let most = eighths.last().map_or(1, |last| last.positions);
    let most = most.max(mckee::POSITIONS[7]) as f64;
    let x = |positions: u64| LEFT + (RIGHT - LEFT) * positions as f64 / most;
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
    axes(&mut text, most, x, y);
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
    let _ = write!(
        text,
        "<text x=\"{}\" y=\"{}\" fill=\"#555\">solid: Hathi</text>\n\
         <text x=\"{}\" y=\"{}\" fill=\"#555\">dashed: McKee, from one second on</text>\n\
         </svg>\n",
        RIGHT + 30.0,
        TOP + 150.0,
        RIGHT + 30.0,
        TOP + 170.0,
    );
    text
}

fn axes(text: &mut String, most: f64, x: impl Fn(u64) -> f64, y: impl Fn(f64) -> f64) {
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
    for eighth in 1..=8 {
        let positions = (most / 8.0 * f64::from(eighth)) as u64;
        let _ = writeln!(
            text,
            "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{:.1}</text>",
            x(positions),
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

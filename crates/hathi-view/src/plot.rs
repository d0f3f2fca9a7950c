//! Lines over two axes as an SVG drawing, readable on light and on dark
//! ground, on a page or as a file.

use std::fmt::Write;

use hathi_model::drawing::escape;

const WIDTH: f64 = 860.0;
const HEIGHT: f64 = 440.0;
/// Where the axes are.
const LEFT: f64 = 70.0;
const RIGHT: f64 = 620.0;
const TOP: f64 = 50.0;
const BOTTOM: f64 = 380.0;

/// The style goes with the drawing, so that it can stand alone. Colours that
/// the colour-blind can tell apart (Okabe and Ito), lighter ones on dark.
const STYLE: &str = "\
.plot{font:13px sans-serif}.plot .ground{fill:#fff}.plot text{fill:#222}.plot .title{font-size:17px}\
.plot .axis{stroke:#222;fill:none}.plot .grid{stroke:#ddd}\
.plot .line{fill:none;stroke-width:2}.plot .his{stroke-dasharray:6 4}.plot .band{opacity:.15}\
.plot .c0{--c:#0072b2}.plot .c1{--c:#d55e00}.plot .c2{--c:#009e73}.plot .c3{--c:#b0568a}\
.plot .c4{--c:#c98a00}\
.plot .line{stroke:var(--c)}.plot .dot,.plot .band{fill:var(--c)}\
@media(prefers-color-scheme:dark){.plot .ground{fill:#1b1d21}.plot text{fill:#ddd}\
.plot .axis{stroke:#bbb}.plot .grid{stroke:#3a3d43}.plot .c0{--c:#56b4e9}.plot .c1{--c:#ff8c4a}\
.plot .c2{--c:#2fc79c}.plot .c3{--c:#e59cc6}.plot .c4{--c:#f0c040}}";

/// How many colours there are.
const COLOURS: usize = 5;

/// A drawing.
#[derive(Debug)]
pub struct Plot {
    /// Above it.
    pub title: String,
    /// From left to right.
    pub x: Axis,
    /// From bottom to top.
    pub y: Axis,
    /// What was measured.
    pub lines: Vec<Line>,
}

/// One of the two axes.
#[derive(Debug)]
pub struct Axis {
    /// What is on it.
    pub label: String,
    /// Where it begins.
    pub low: f64,
    /// Where it ends.
    pub high: f64,
    /// Powers of ten are equally far apart.
    pub logarithmic: bool,
    /// Where something is written, and what.
    pub ticks: Vec<(f64, String)>,
}

/// Something that was measured.
#[derive(Debug, Default)]
pub struct Line {
    /// In the legend.
    pub name: String,
    /// Its number; there are five, then they come again.
    pub colour: usize,
    /// For what others have measured.
    pub dashed: bool,
    /// Without marks, for many points.
    pub smooth: bool,
    /// From left to right.
    pub points: Vec<(f64, f64)>,
    /// How sure it is: x, from, to. May be empty.
    pub band: Vec<(f64, f64, f64)>,
}

impl Axis {
    /// 0 to `high` per cent.
    pub fn percent(label: &str, high: f64) -> Axis {
        let step = if high > 60.0 { 20 } else { 10 };
        let ticks = (0..=100).step_by(step).map(f64::from);
        Axis {
            label: label.to_owned(),
            low: 0.0,
            high,
            logarithmic: false,
            ticks: ticks
                .filter(|&tick| tick <= high)
                .map(|tick| (tick, format!("{tick} %")))
                .collect(),
        }
    }

    /// From 1 to `most` of what the label says.
    pub fn count(label: &str, most: f64) -> Axis {
        Axis {
            label: label.to_owned(),
            low: 1.0,
            high: most,
            logarithmic: false,
            ticks: rounded_ticks(most),
        }
    }

    /// Where a value is, 0 to 1; values beyond the ends stand at the ends.
    fn share(&self, value: f64) -> f64 {
        let scale = |value: f64| {
            if self.logarithmic {
                value.max(f64::MIN_POSITIVE).log10()
            } else {
                value
            }
        };
        let (low, high) = (scale(self.low), scale(self.high));
        if high <= low {
            return 0.0;
        }
        ((scale(value) - low) / (high - low)).clamp(0.0, 1.0)
    }
}

impl Plot {
    /// The drawing as SVG.
    pub fn svg(&self) -> String {
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" role=\"img\" \
             viewBox=\"0 0 {WIDTH} {HEIGHT}\">\n<style>{STYLE}</style>\n\
             <title>{title}</title>\n<rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n\
             <text class=\"title\" x=\"{LEFT}\" y=\"28\">{title}</text>\n",
            title = escape(&self.title),
        );
        self.axes(&mut text);
        for line in &self.lines {
            self.line(&mut text, line);
        }
        let mut row = 0;
        for line in &self.lines {
            row += legend(&mut text, row, line);
        }
        text.push_str("</svg>\n");
        text
    }

    fn x(&self, value: f64) -> f64 {
        LEFT + (RIGHT - LEFT) * self.x.share(value)
    }

    fn y(&self, value: f64) -> f64 {
        BOTTOM - (BOTTOM - TOP) * self.y.share(value)
    }

    fn axes(&self, text: &mut String) {
        for (value, label) in &self.y.ticks {
            let at = self.y(*value);
            let _ = writeln!(
                text,
                "<path class=\"grid\" d=\"M{LEFT} {at:.1}H{RIGHT}\"/>\
                 <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                LEFT - 8.0,
                at + 4.0,
                escape(label),
            );
        }
        let letters = self.tick_letters();
        let mut rows = 1;
        for (value, label) in &self.x.ticks {
            let parts = broken(label, letters);
            rows = rows.max(parts.len());
            for (row, part) in parts.iter().enumerate() {
                let _ = writeln!(
                    text,
                    "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                    self.x(*value),
                    BOTTOM + 20.0 + TICK_ROW * row as f64,
                    escape(part),
                );
            }
        }
        let _ = writeln!(
            text,
            "<path class=\"axis\" d=\"M{LEFT} {TOP}V{BOTTOM}H{RIGHT}\"/>\
             <text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\
             <text x=\"{}\" y=\"{}\">{}</text>",
            f64::midpoint(LEFT, RIGHT),
            // Two rows of ticks leave room for it, more would not.
            BOTTOM + 44.0 + if rows > 1 { 8.0 } else { 0.0 },
            escape(&self.x.label),
            RIGHT + 20.0,
            TOP - 8.0,
            escape(&self.y.label),
        );
    }

    /// Letters of what is written at a tick that do not run into the next one.
    fn tick_letters(&self) -> usize {
        let places = self.x.ticks.iter().map(|(value, _)| self.x(*value));
        let gaps = places.clone().skip(1).zip(places).map(|(b, a)| b - a);
        let closest = gaps.fold(RIGHT - LEFT, f64::min).max(0.0);
        #[allow(clippy::cast_sign_loss)] // not below 0
        let letters = (closest / LETTER) as usize;
        letters.saturating_sub(1).max(1)
    }

    fn line(&self, text: &mut String, line: &Line) {
        let colour = line.colour % COLOURS;
        if line.band.len() > 1 {
            let above = line.band.iter().map(|&(x, _, to)| (x, to));
            let below = line.band.iter().rev().map(|&(x, from, _)| (x, from));
            let _ = writeln!(
                text,
                "<polygon class=\"band c{colour}\" points=\"{}\"/>",
                self.places(above.chain(below))
            );
        }
        let _ = writeln!(
            text,
            "<polyline class=\"line c{colour}{}\" points=\"{}\"/>",
            if line.dashed { " his" } else { "" },
            self.places(line.points.iter().copied())
        );
        // A line of one point would not be seen at all.
        if !line.smooth || line.points.len() == 1 {
            for &(x, y) in &line.points {
                let _ = writeln!(
                    text,
                    "<circle class=\"dot c{colour}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\"/>",
                    self.x(x),
                    self.y(y)
                );
            }
        }
    }

    fn places(&self, points: impl Iterator<Item = (f64, f64)>) -> String {
        let places: Vec<String> = points
            .map(|(x, y)| format!("{:.1},{:.1}", self.x(x), self.y(y)))
            .collect();
        places.join(" ")
    }
}

/// About how wide a letter is, and from one row of ticks to the next.
const LETTER: f64 = 6.5;
const TICK_ROW: f64 = 14.0;

/// Letters of a name that fit beside the drawing.
const LEGEND: usize = 25;

/// Writes the name of a line, broken where it is too long; returns the rows it
/// takes.
fn legend(text: &mut String, row: usize, line: &Line) -> usize {
    let at = |row: usize| TOP + 22.0 + 20.0 * row as f64;
    let _ = write!(
        text,
        "<path class=\"line c{}{}\" d=\"M{} {}h24\"/><text>",
        line.colour % COLOURS,
        if line.dashed { " his" } else { "" },
        RIGHT + 20.0,
        at(row),
    );
    let parts = broken(&line.name, LEGEND);
    for (below, part) in parts.iter().enumerate() {
        let _ = write!(
            text,
            "<tspan x=\"{}\" y=\"{}\">{}</tspan>",
            RIGHT + 52.0,
            at(row + below) + 4.0,
            escape(part),
        );
    }
    text.push_str("</text>\n");
    parts.len().max(1)
}

/// Words in rows of so many letters; a word that is longer has its own row.
fn broken(text: &str, most: usize) -> Vec<String> {
    let mut rows: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match rows.last_mut() {
            Some(row) if row.chars().count() + 1 + word.chars().count() <= most => {
                row.push(' ');
                row.push_str(word);
            }
            _ => rows.push(word.to_owned()),
        }
    }
    rows
}

/// Up to ten round numbers.
fn rounded_ticks(most: f64) -> Vec<(f64, String)> {
    let rough = most / 8.0;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0]
        .map(|factor| factor * power)
        .into_iter()
        .find(|&step| step >= rough)
        .unwrap_or(most)
        .max(1.0);
    let mut ticks = Vec::new();
    let mut at = step;
    while at <= most {
        ticks.push((at, format!("{at}")));
        at += step;
    }
    ticks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_broken_into_rows_that_fit() {
        let name = "Multiple Naive Bayes, features of the paper, on clusters";
        let rows = broken(name, LEGEND);
        assert!(rows.len() > 1);
        assert!(rows.iter().all(|row| row.len() <= LEGEND), "{rows:?}");
        assert_eq!(rows.join(" "), name);
        assert_eq!(broken("short", LEGEND), ["short"]);
    }

    fn plot(points: Vec<(f64, f64)>) -> Plot {
        Plot {
            title: "a < b".to_owned(),
            x: Axis {
                label: "x".to_owned(),
                low: 0.0,
                high: 10.0,
                logarithmic: false,
                ticks: vec![(5.0, "five".to_owned())],
            },
            y: Axis {
                logarithmic: true,
                low: 0.01,
                high: 100.0,
                ..Axis::percent("y", 100.0)
            },
            lines: vec![Line {
                name: "Silver's".to_owned(),
                points,
                ..Line::default()
            }],
        }
    }

    #[test]
    fn words_below_do_not_run_into_each_other() {
        let mut drawing = plot(vec![(5.0, 1.0)]);
        let names = ["random", "step", "¼ fallback", "½ fallback", "greedy (4)"];
        drawing.x.ticks = (1..)
            .step_by(2)
            .zip(names)
            .map(|(place, name)| (f64::from(place), name.to_owned()))
            .collect();
        assert!(drawing.svg().contains(">¼ fallback<"), "110 wide: it fits");
        for (place, tick) in drawing.x.ticks.iter_mut().enumerate() {
            tick.0 = place as f64;
        }
        let svg = drawing.svg();
        assert!(svg.contains(">¼<") && svg.contains(">fallback<"), "{svg}");
        assert!(svg.contains(">random<"), "{svg}");
    }

    #[test]
    fn points_stand_where_they_belong() {
        // The middle of both axes: 1 is the middle of 0.01 and 100.
        let svg = plot(vec![(5.0, 1.0)]).svg();
        assert!(svg.contains("cx=\"345.0\" cy=\"215.0\""), "{svg}");
        assert!(svg.contains("a &lt; b") && svg.contains("Silver&#39;s"));
    }

    #[test]
    fn nothing_falls_off_the_edge() {
        let svg = plot(vec![(-5.0, 0.0), (50.0, 1e9)]).svg();
        assert!(svg.contains("points=\"70.0,380.0 620.0,50.0\""), "{svg}");
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
    }
}

//! Boards by their phase features as an SVG drawing: the more, the darker.

use std::fmt::Write;

use hathi_model::drawing::{escape, grouped};
use hathi_model::phase::PhaseFeatures;

use crate::clusters::Clusters;
use crate::histogram::{Histogram, MOST};

/// The side of a cell.
const CELL: f64 = 26.0;
const LEFT: f64 = 60.0;
const TOP: f64 = 60.0;

/// One hue on light and on dark ground; what is not there is not drawn.
const STYLE: &str = "\
.heat{font:12px sans-serif}.heat .ground{fill:#fff}.heat text{fill:#222}.heat .title{font-size:16px}\
.heat .cell{fill:#0072b2}.heat .frame{fill:none;stroke:#999}\
.heat .here{fill:none;stroke:#d55e00;stroke-width:3}\
@media(prefers-color-scheme:dark){.heat .ground{fill:#1b1d21}.heat text{fill:#ddd}\
.heat .cell{fill:#56b4e9}.heat .here{stroke:#ff8c4a}}";

/// A drawing: `counts[y][x]`.
#[derive(Debug)]
pub struct HeatMap {
    title: String,
    x: String,
    y: String,
    counts: Vec<Vec<u64>>,
    /// A letter to write into a cell, as for the cluster it belongs to.
    marks: Vec<Vec<Option<char>>>,
    /// What the letters mean.
    legend: Vec<String>,
    /// A cell to point out: column and row.
    here: Option<(usize, usize)>,
}

/// The letter of a cluster in the drawings.
fn letter_of(cluster: usize) -> char {
    char::from(b'A' + (cluster % 26) as u8)
}

impl HeatMap {
    /// Boards with or without a goal threat, by pieces and advanced pieces,
    /// with the cluster each belongs to: figures 4 and 5 of the paper.
    pub fn of(boards: &Histogram, clusters: &Clusters, goal_threat: bool, title: String) -> Self {
        let grid = |cell: &dyn Fn(PhaseFeatures) -> u64| {
            let row = |y: usize| {
                let features = |x: usize| PhaseFeatures {
                    fewer_pieces: x as u32,
                    advanced: y as u32,
                    goal_threat,
                };
                (0..=MOST).map(|x| cell(features(x))).collect()
            };
            (0..=MOST).map(row).collect::<Vec<Vec<u64>>>()
        };
        let nearest = grid(&|features| clusters.nearest(features) as u64);
        let letters = |row: Vec<u64>| {
            let letters = row.into_iter().map(|n| Some(letter_of(n as usize)));
            letters.collect()
        };
        let legend = clusters.all().iter().enumerate();
        HeatMap {
            title,
            x: "pieces of the side that has fewer".to_owned(),
            y: "advanced pieces of the side that has more".to_owned(),
            counts: grid(&|features| boards.count(features)),
            marks: nearest.into_iter().map(letters).collect(),
            legend: legend
                .map(|(i, cluster)| format!("{} {}", letter_of(i), cluster.name))
                .collect(),
            here: None,
        }
    }

    /// Points out where a board with these features is.
    #[must_use]
    pub fn pointing_at(mut self, features: PhaseFeatures) -> Self {
        let place = |count: u32| (count as usize).min(MOST);
        self.here = Some((place(features.fewer_pieces), place(features.advanced)));
        self
    }

    /// The drawing as SVG.
    pub fn svg(&self) -> String {
        let columns = self.counts.iter().map(Vec::len).max().unwrap_or(0);
        let rows = self.counts.len();
        let (right, bottom) = (LEFT + CELL * columns as f64, TOP + CELL * rows as f64);
        let (width, height) = (right + 240.0, bottom + 60.0);
        let most = self.counts.iter().flatten().copied().max().unwrap_or(0);
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"heat\" role=\"img\" \
             viewBox=\"0 0 {width} {height}\">\n<style>{STYLE}</style>\n<title>{title}</title>\n\
             <rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n\
             <text class=\"title\" x=\"{LEFT}\" y=\"28\">{title}</text>\n",
            title = escape(&self.title),
        );
        for (y, row) in self.counts.iter().enumerate() {
            // Zero is at the bottom, as on any axis.
            let top = bottom - CELL * (y + 1) as f64;
            let _ = writeln!(
                text,
                "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{y}</text>",
                LEFT - 8.0,
                top + CELL / 2.0 + 4.0
            );
            for (x, &count) in row.iter().enumerate() {
                if count > 0 {
                    let mark = self.marks.get(y).and_then(|marks| marks.get(x));
                    cell(&mut text, LEFT + CELL * x as f64, top, count, most);
                    if let Some(Some(mark)) = mark {
                        letter(&mut text, LEFT + CELL * x as f64, top, *mark);
                    }
                }
            }
        }
        if let Some((x, y)) = self.here {
            let _ = writeln!(
                text,
                "<rect class=\"here\" x=\"{}\" y=\"{}\" width=\"{CELL}\" height=\"{CELL}\">\
                 <title>this position</title></rect>",
                LEFT + CELL * x as f64,
                bottom - CELL * (y + 1) as f64
            );
        }
        for x in 0..columns {
            let _ = writeln!(
                text,
                "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{x}</text>",
                LEFT + CELL * (x as f64 + 0.5),
                bottom + 18.0
            );
        }
        let _ = writeln!(
            text,
            "<rect class=\"frame\" x=\"{LEFT}\" y=\"{TOP}\" width=\"{}\" height=\"{}\"/>\n\
             <text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n\
             <text x=\"{LEFT}\" y=\"{}\">{}</text>",
            right - LEFT,
            bottom - TOP,
            f64::midpoint(LEFT, right),
            bottom + 42.0,
            escape(&self.x),
            TOP - 10.0,
            escape(&self.y),
        );
        self.legends(&mut text, right + 20.0, most);
        text.push_str("</svg>\n");
        text
    }

    /// What a colour stands for, and what a letter.
    fn legends(&self, text: &mut String, left: f64, most: u64) {
        let mut top = TOP;
        let mut count = most;
        while count > 0 {
            cell(text, left, top, count, most);
            let _ = writeln!(
                text,
                "<text x=\"{}\" y=\"{}\">{}</text>",
                left + CELL + 10.0,
                top + CELL / 2.0 + 4.0,
                grouped(count as usize)
            );
            top += CELL;
            count /= 10;
        }
        for (i, line) in self.legend.iter().enumerate() {
            let _ = writeln!(
                text,
                "<text x=\"{left}\" y=\"{}\">{}</text>",
                top + 24.0 + 18.0 * i as f64,
                escape(line)
            );
        }
    }
}

/// By the logarithm, as the commonest board is a thousand times as common as
/// many others.
fn cell(text: &mut String, left: f64, top: f64, count: u64, most: u64) {
    let share = (count as f64 + 1.0).ln() / (most as f64 + 1.0).ln();
    let _ = writeln!(
        text,
        "<rect class=\"cell\" x=\"{left}\" y=\"{top}\" width=\"{CELL}\" height=\"{CELL}\" \
         opacity=\"{:.2}\"><title>{}</title></rect>",
        0.08 + 0.92 * share,
        grouped(count as usize)
    );
}

fn letter(text: &mut String, left: f64, top: f64, letter: char) {
    let _ = writeln!(
        text,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
        left + CELL / 2.0,
        top + CELL / 2.0 + 4.0,
        escape(&letter.to_string())
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_stand_where_they_belong_and_empty_ones_are_left_out() {
        let map = HeatMap {
            title: "a < b".to_owned(),
            x: "x".to_owned(),
            y: "y".to_owned(),
            counts: vec![vec![0, 9], vec![1, 0]],
            marks: vec![vec![None, Some('A')]],
            legend: vec!["A one".to_owned()],
            here: None,
        };
        let svg = map.svg();
        assert!(svg.contains("a &lt; b") && svg.contains(">A one<"), "{svg}");
        // The lower row is the first; 9 is in its second column.
        assert!(svg.contains("x=\"86\" y=\"86\" width=\"26\" height=\"26\" opacity=\"1.00\""));
        // Two boards and one colour of the legend.
        assert_eq!(svg.matches("class=\"cell\"").count(), 3, "{svg}");
        let empty = HeatMap {
            counts: Vec::new(),
            ..map
        };
        assert!(!empty.svg().contains("NaN"));
    }

    #[test]
    fn a_board_is_counted_and_pointed_out() {
        let features = PhaseFeatures {
            fewer_pieces: 14,
            advanced: 2,
            goal_threat: false,
        };
        let mut boards = Histogram::default();
        boards.add(features);
        let clusters = Clusters::shipped().expect("clusters");
        let map = |threat| HeatMap::of(&boards, &clusters, threat, "boards".to_owned());
        let svg = map(false).pointing_at(features).svg();
        // The board, and one colour of the legend, at the same place as the frame round it.
        assert_eq!(svg.matches("class=\"cell\"").count(), 2, "{svg}");
        let place = "x=\"424\" y=\"424\" width=\"26\"";
        assert!(svg.contains(&format!("class=\"cell\" {place}")), "{svg}");
        assert!(svg.contains(&format!("class=\"here\" {place}")), "{svg}");
        assert!(!map(true).svg().contains("class=\"cell\""));
    }
}

//! Shares in rows and columns as an SVG drawing: the more, the darker, with the
//! number in each cell.

use std::fmt::Write;

use hathi_model::drawing::escape;

const WIDE: f64 = 62.0;
const HIGH: f64 = 26.0;
const LEFT: f64 = 90.0;
const TOP: f64 = 44.0;

const STYLE: &str = "\
.grid{font:12px sans-serif}.grid .ground{fill:#fff}.grid text{fill:#222}.grid .title{font-size:16px}\
.grid .cell{fill:#0072b2}\
@media(prefers-color-scheme:dark){.grid .ground{fill:#1b1d21}.grid text{fill:#ddd}.grid .cell{fill:#56b4e9}}";

/// A drawing.
#[derive(Debug)]
pub(crate) struct Grid {
    pub(crate) title: String,
    /// What stands below and at the left.
    pub(crate) x: String,
    pub(crate) y: String,
    pub(crate) columns: Vec<String>,
    /// From the top down, with a share for each column.
    pub(crate) rows: Vec<(String, Vec<f64>)>,
}

impl Grid {
    /// The drawing as SVG.
    pub(crate) fn svg(&self) -> String {
        let right = LEFT + WIDE * self.columns.len() as f64;
        let bottom = TOP + HIGH * self.rows.len() as f64;
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"grid\" role=\"img\" \
             viewBox=\"0 0 {} {}\">\n<style>{STYLE}</style>\n<title>{title}</title>\n\
             <rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n\
             <text class=\"title\" x=\"12\" y=\"24\">{title}</text>\n",
            right + 20.0,
            bottom + 56.0,
            title = escape(&self.title),
        );
        for (row, (name, shares)) in self.rows.iter().enumerate() {
            let top = TOP + HIGH * row as f64;
            let middle = top + HIGH / 2.0 + 4.0;
            let _ = writeln!(
                text,
                "<text x=\"{}\" y=\"{middle}\" text-anchor=\"end\">{}</text>",
                LEFT - 8.0,
                escape(name)
            );
            for (column, share) in shares.iter().enumerate() {
                let left = LEFT + WIDE * column as f64;
                // Numbers stay readable on the darkest cell.
                let _ = writeln!(
                    text,
                    "<rect class=\"cell\" x=\"{left}\" y=\"{top}\" width=\"{WIDE}\" height=\"{HIGH}\" \
                     opacity=\"{:.3}\"/><text x=\"{}\" y=\"{middle}\" text-anchor=\"middle\">{share:.2}</text>",
                    0.6 * share.clamp(0.0, 1.0),
                    left + WIDE / 2.0,
                );
            }
        }
        for (column, name) in self.columns.iter().enumerate() {
            let _ = writeln!(
                text,
                "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                LEFT + WIDE * (column as f64 + 0.5),
                bottom + 18.0,
                escape(name)
            );
        }
        let _ = writeln!(
            text,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\
             <text x=\"12\" y=\"{}\">{}</text>\n</svg>",
            f64::midpoint(LEFT, right),
            bottom + 42.0,
            escape(&self.x),
            TOP - 6.0,
            escape(&self.y)
        );
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_share_is_written_in_its_cell() {
        let grid = Grid {
            title: "a < b".to_owned(),
            x: "move".to_owned(),
            y: "percentile".to_owned(),
            columns: vec!["1-10".to_owned(), "11-20".to_owned()],
            rows: vec![
                ("90-100".to_owned(), vec![0.441, 1.0]),
                ("80-90".to_owned(), vec![0.0]),
            ],
        };
        let svg = grid.svg();
        for part in ["a &lt; b", ">0.44<", ">1.00<", ">0.00<", "11-20"] {
            assert!(svg.contains(part), "{part}: {svg}");
        }
        assert_eq!(svg.matches("class=\"cell\"").count(), 3);
    }
}

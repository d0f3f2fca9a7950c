//! The report on move ordering.

use std::io::{self, Write};

use hathi_learn::evaluate::Measures;
use hathi_model::features::{FEATURES, GROUPS};
use hathi_view::columns::{Align, Columns};
use hathi_view::plot::{Axis, Plot};

use super::experiments::{Line, Results};
use crate::document::{Document, Table};

/// What the paper says: after 150 games, and with 1000 training examples.
const THEIRS: [(&str, f64); 2] = [("Naive Bayes", 86.0), ("Multiple Naive Bayes", 87.5)];

const NUMBERS: [&str; 5] = ["mean", "median", "top 1 %", "top 5 %", "top 10 %"];

fn numbers(measures: &Measures) -> [String; 5] {
    [
        measures.mean_percentile,
        measures.median_percentile,
        measures.top_1,
        measures.top_5,
        measures.top_10,
    ]
    .map(|number| format!("{number:.1}"))
}

/// The table of models on the terminal.
pub(super) fn words(results: &Results, out: &mut impl Write) -> io::Result<()> {
    let mut headings = vec![("model", Align::Left), ("trained on", Align::Left)];
    headings.extend(NUMBERS.map(|name| (name, Align::Right)));
    headings.push(("paper", Align::Right));
    let mut table = Columns::new(&headings);
    for line in &results.models {
        let mut cells = vec![line.name.clone(), line.trained_on.to_owned()];
        cells.extend(numbers(&line.wu));
        cells.push(format!("{:.1}", line.paper.mean_percentile));
        table.row(cells);
    }
    table.write(out)
}

/// The whole report.
pub(super) fn document(results: &Results) -> Document {
    let mut document = Document::new("Move ordering: Choksi and others, section 5, done again");
    document.text(format!(
        "{} games in {} parts; each part is tested by models of the others. {} more games, never \
         tested on. {FEATURES} features, seed {}.",
        results.games, results.folds, results.also, results.seed
    ));
    document.heading("Models");
    document.text(
        "The percentile of the turn played among all distinct legal turns. Wu's protocol: turns \
         scored strictly higher; the first two moves, the loser's last two and wins in two left out. \
         The last column is the mean by the paper's protocol: every turn, ties count half.",
    );
    let mut headings = vec!["model", "trained on"];
    headings.extend(NUMBERS);
    headings.push("mean, paper");
    let mut table = Table::new("Models by Wu's protocol", &headings, 2);
    for line in &results.models {
        let mut cells = vec![line.name.clone(), line.trained_on.to_owned()];
        cells.extend(numbers(&line.wu));
        cells.push(format!("{:.1}", line.paper.mean_percentile));
        table.row(cells);
    }
    document.table(table);
    document.list(
        THEIRS
            .iter()
            .map(|(name, percentile)| {
                format!("The paper, {name}: {percentile} % mean on its own games.")
            })
            .collect(),
    );
    document.heading("Learning curves (figures 6 and 7)");
    for (file, number, what) in [
        ("training.svg", 1, "in training"),
        ("testing.svg", 2, "on games not seen"),
    ] {
        let caption = format!("Mean percentile {what}, the paper's protocol");
        document.figure(file, &caption, &curve(results, number, &caption));
    }
    document.heading("By move number (figures 8 and 9)");
    document.figure(
        "by-move.svg",
        "Share of turns ranked in the top 10 %",
        &by_move(results),
    );
    document.heading("What the features are worth");
    document.text("The blended Bradley-Terry model without one group of features.");
    document.table(ablation(results));
    document
}

fn ablation(results: &Results) -> Table {
    let mut headings = vec!["without", "what it says", "features"];
    headings.extend(NUMBERS);
    let mut table = Table::new(
        "Without a group of features, by Wu's protocol",
        &headings,
        2,
    );
    let whole = results
        .models
        .iter()
        .rfind(|line| line.name == "Blended Bradley-Terry" && line.trained_on == "the same");
    let mut row = |name: &str, features: String, about: &str, line: &Line| {
        let mut cells = vec![name.to_owned(), about.to_owned(), features];
        cells.extend(numbers(&line.wu));
        table.row(cells);
    };
    if let Some(whole) = whole {
        row("nothing", String::new(), "", whole);
    }
    for line in &results.ablation {
        if let Some(group) = GROUPS.iter().find(|group| group.name == line.name) {
            row(&line.name, group.len.to_string(), group.about, line);
        }
    }
    table
}

fn curve(results: &Results, number: usize, title: &str) -> Plot {
    let last = results
        .curves
        .iter()
        .flat_map(|curve| &curve.points)
        .map(|point| point.0)
        .max()
        .unwrap_or(10);
    let lines = results.curves.iter().enumerate();
    let mut lines: Vec<hathi_view::plot::Line> = lines
        .map(|(colour, curve)| hathi_view::plot::Line {
            name: curve.name.clone(),
            colour,
            points: curve
                .points
                .iter()
                .map(|&(games, training, testing)| {
                    let y = if number == 1 { training } else { testing };
                    (games as f64, y)
                })
                .collect(),
            ..hathi_view::plot::Line::default()
        })
        .collect();
    if number == 2 {
        lines.push(hathi_view::plot::Line {
            name: "the paper converges there".to_owned(),
            colour: 3,
            dashed: true,
            smooth: true,
            points: vec![(10.0, 86.0), (last as f64, 86.0)],
            ..hathi_view::plot::Line::default()
        });
    }
    let ticks = (0..=last).step_by(20).map(|n| (n as f64, n.to_string()));
    Plot {
        title: title.to_owned(),
        x: Axis {
            label: "games, 70 % of them for training".to_owned(),
            low: 0.0,
            high: last as f64,
            logarithmic: false,
            ticks: ticks.collect(),
        },
        y: Axis {
            label: "mean percentile".to_owned(),
            low: 70.0,
            high: 100.0,
            logarithmic: false,
            ticks: [70, 75, 80, 85, 90, 95, 100]
                .map(|n| (f64::from(n), n.to_string()))
                .to_vec(),
        },
        lines,
    }
}

fn by_move(results: &Results) -> Plot {
    let last = results
        .by_move
        .iter()
        .flat_map(|by| &by.tens)
        .map(|ten| ten.0 + 9)
        .max()
        .unwrap_or(10);
    let lines = results.by_move.iter().enumerate();
    let ticks = (0..=last)
        .step_by(10)
        .map(|n| (f64::from(n), n.to_string()));
    Plot {
        title: "Turns ranked in the top 10 %".to_owned(),
        x: Axis {
            label: "move".to_owned(),
            low: 0.0,
            high: f64::from(last),
            logarithmic: false,
            ticks: ticks.collect(),
        },
        y: Axis::percent("share", 100.0),
        lines: lines
            .map(|(colour, by)| hathi_view::plot::Line {
                name: by.name.clone(),
                colour,
                points: by
                    .tens
                    .iter()
                    .map(|ten| (f64::from(ten.0) + 4.5, ten.2))
                    .collect(),
                ..hathi_view::plot::Line::default()
            })
            .collect(),
    }
}

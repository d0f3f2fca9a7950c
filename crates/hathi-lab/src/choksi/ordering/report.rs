//! The report on move ordering.

use std::io::{self, Write};

use hathi_learn::evaluate::Measures;
use hathi_model::features::{FEATURES, GROUPS};
use hathi_view::columns::{Align, Columns};
use hathi_view::plot::{Axis, Plot};

use super::experiments::{ByMove, Line, Results};
use super::{Games, phases};
use crate::document::{Document, Table};
use crate::grid::Grid;
use crate::rate::Rate;

/// What the paper says: after 150 games, and with 1000 training examples.
const THEIRS: [(&str, f64); 2] = [
    ("Naive Bayes, features of the paper", 86.0),
    (
        "Multiple Naive Bayes on X-means clusters, features of the paper",
        87.5,
    ),
];

/// Of moves 61 to 70: the share of turns they ranked in the top 10 %.
const THEIR_LAST: [(&str, f64); 2] = [(THEIRS[0].0, 0.36), (THEIRS[1].0, 0.44)];

/// The first of these moves.
const LAST_TEN: u32 = 61;

fn theirs(table: &[(&str, f64)], name: &str) -> Option<f64> {
    let found = table.iter().find(|(of, _)| *of == name);
    found.map(|(_, value)| *value)
}

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
pub(super) fn document(results: &Results, games: &Games) -> Document {
    let mut document = Document::new("Move ordering: Choksi and others, section 5, done again");
    document.text(format!(
        "{} games in {} parts; each part is tested by models of the others. {} more games, never \
         tested on. {FEATURES} features, seed {}.",
        results.games, results.folds, results.also, results.seed
    ));
    phases::write(&mut document, games);
    document.heading("Models");
    document.text(
        "The percentile of the turn played among all distinct legal turns. Wu's protocol: turns \
         scored strictly higher; the first two moves, the loser's last two and wins in two left out. \
         The last column is the mean by the paper's protocol: every turn, ties count half.",
    );
    let mut headings = vec!["model", "trained on"];
    headings.extend(NUMBERS);
    headings.extend(["mean, paper's protocol", "theirs"]);
    let mut table = Table::new("Models by Wu's protocol", &headings, 2);
    for line in &results.models {
        let mut cells = vec![line.name.clone(), line.trained_on.to_owned()];
        cells.extend(numbers(&line.wu));
        cells.push(format!("{:.1}", line.paper.mean_percentile));
        let theirs = theirs(&THEIRS, &line.name).filter(|_| line.trained_on == "the same");
        cells.push(theirs.map_or("–".to_owned(), |percentile| format!("{percentile}")));
        table.row(cells);
    }
    document.table(table);
    document.text(
        "Theirs are of their own games: Naive Bayes after 150 of them, Multiple Naive Bayes after 1,000 training \
         examples. Models \"on X-means clusters\" have a set of weights for each of the three clusters above, as \
         sections 5.2 and 5.3 of the paper; \"multiple\" and \"blended\" without these words go by phases with \
         borders drawn by hand. Blended: by how likely a board is of each (their section 6.2.1).",
    );
    document.heading("Learning curves (figures 6 and 7)");
    for (file, number, what) in [
        ("training.svg", 1, "in training"),
        ("testing.svg", 2, "on games not seen"),
    ] {
        let caption = format!("Mean percentile {what}, the paper's protocol, with 95 % intervals");
        document.figure(file, &caption, &curve(results, number, &caption));
    }
    document.heading("By move number (figures 8 and 9)");
    document.text(
        "Turns by the number of the move and by the percentile they were ranked at: shares of the turns of ten moves. \
         The paper gives two numbers of its drawings: in moves 61 to 70 the top row is .36 for Naive Bayes and .44 \
         for Multiple Naive Bayes.",
    );
    for (figure, by) in [(8, 0), (9, 2)] {
        if let Some(by) = results.by_move.get(by) {
            let title = format!("Figure {figure}: {}", by.name);
            document.drawing(
                &format!("figure-{figure}.svg"),
                &title,
                histogram(by, &title),
            );
        }
    }
    document.table(late(results));
    document.figure(
        "by-move.svg",
        "Share of turns ranked in the top 10 %, with 95 % intervals",
        &by_move(results),
    );
    document.heading("What the features are worth");
    document.text("The blended Bradley-Terry model without one group of features.");
    document.table(ablation(results));
    document
}

/// Percentiles by move: the best row on top.
fn histogram(by: &ByMove, title: &str) -> String {
    let rows = (0..10).rev().map(|group| {
        let shares = by.groups.iter().map(|shares| shares[group]).collect();
        (format!("{} to {}", 10 * group, 10 * group + 10), shares)
    });
    Grid {
        title: title.to_owned(),
        x: "move".to_owned(),
        y: "percentile".to_owned(),
        columns: by
            .tens
            .iter()
            .map(|ten| format!("{}-{}", ten.0, ten.0 + 9))
            .collect(),
        rows: rows.collect(),
    }
    .svg()
}

/// Moves 61 to 70, theirs beside ours.
fn late(results: &Results) -> Table {
    let mut table = Table::new(
        "Turns of moves 61 to 70 ranked in the top 10 %",
        &["model", "theirs", "ours (95 %)", "turns"],
        1,
    );
    for by in &results.by_move {
        let ten = by.tens.iter().find(|ten| ten.0 == LAST_TEN);
        let ours = ten.map_or("–".to_owned(), |ten| {
            let rate = rate_of(ten);
            format!("{:.2} ({:.2} to {:.2})", rate.value, rate.low, rate.high)
        });
        let theirs = theirs(&THEIR_LAST, &by.name);
        table.row([
            by.name.clone(),
            theirs.map_or("–".to_owned(), |share| format!("{share}")),
            ours,
            ten.map_or(0, |ten| ten.1).to_string(),
        ]);
    }
    table
}

/// The share in the top 10 % with its interval.
fn rate_of(&(_, turns, top_10, _): &(u32, usize, f64, f64)) -> Rate {
    #[allow(clippy::cast_sign_loss)] // a share of turns
    let best = (top_10 / 100.0 * turns as f64).round() as u64;
    Rate::of(best, turns as u64, turns as u64)
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
                .map(|&(games, training, testing, _, _)| {
                    let y = if number == 1 { training } else { testing };
                    (games as f64, y)
                })
                .collect(),
            band: curve
                .points
                .iter()
                .map(|&(games, training, testing, of_training, of_testing)| {
                    let (y, margin) = if number == 1 {
                        (training, of_training)
                    } else {
                        (testing, of_testing)
                    };
                    (games as f64, y - margin, (y + margin).min(100.0))
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
                band: by
                    .tens
                    .iter()
                    .map(|ten| {
                        let rate = rate_of(ten);
                        (f64::from(ten.0) + 4.5, 100.0 * rate.low, 100.0 * rate.high)
                    })
                    .collect(),
                ..hathi_view::plot::Line::default()
            })
            .collect(),
    }
}

//! `hathi learn features`: what models look at.

use std::io::Write;

use hathi_model::features::{FEATURES, GROUPS};
use hathi_view::columns::{Align, Columns};
use hathi_view::numbers::grouped;
use serde::Serialize;

use crate::Answer;
use crate::terminal::output;

/// List what models look at in a turn
///
/// Groups of features with their number. All are seen from the side to move and mirrored left-right.
/// Pieces are of eight kinds a side: those that are not rabbits by how many stronger enemies are left
/// (0, 1, 2, 3-4, 5+), rabbits by how many enemies that are no rabbits (7-8, 5-6, 0-4).
///
/// A hidden layer (`hathi learn train --hidden`) sees 718 features of the position as well: who stands
/// where, guards of traps, threats.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    group: &'static str,
    features: usize,
    in_paper: bool,
    about: &'static str,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    let rows: Vec<Row> = GROUPS
        .iter()
        .map(|group| Row {
            group: group.name,
            features: group.len,
            in_paper: group.in_paper,
            about: group.about,
        })
        .collect();
    output::show(args.json, &rows, |out| {
        let mut table = Columns::new(&[
            ("group", Align::Left),
            ("features", Align::Right),
            ("in the paper", Align::Left),
            ("what", Align::Left),
        ]);
        for row in &rows {
            let in_paper = if row.in_paper { "yes" } else { "" };
            table.row(vec![
                row.group.to_owned(),
                grouped(row.features),
                in_paper.to_owned(),
                row.about.to_owned(),
            ]);
        }
        table.write(out)?;
        writeln!(out, "\n{} features", grouped(FEATURES))
    })?;
    Ok(Answer::Yes)
}

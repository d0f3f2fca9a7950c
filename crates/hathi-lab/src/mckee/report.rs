//! The report: his figures and ours side by side, in the order of the thesis.

mod differences;
mod figures;
mod tables;

use hathi_view::numbers::{counted, grouped, time_text};

use super::summary::Summary;
use super::thesis;
use crate::document::Document;
use crate::eighths;

/// Puts it together.
pub(super) fn document(summary: &Summary) -> Document {
    let mut document = Document::new("McKee 2014, chapter 4, again");
    introduction(&mut document, summary);
    setups(&mut document, summary);
    questions(&mut document, summary);
    hit_rates(&mut document, summary);
    overall(&mut document, summary);
    wins(&mut document, summary);
    document.heading("Time of a turn");
    document.text(
        "Turns of the matches, setups not counted. He says only that no turn of 1,000 games took \
         more than the 30 seconds allowed.",
    );
    document.table(tables::times(summary));
    memories(&mut document, summary);
    document.heading("Where it differs, and why");
    differences::write(&mut document, summary);
    document
}

fn introduction(document: &mut Document, summary: &Summary) {
    let experiment = &summary.experiment;
    document.text(
        "Patrick McKee's thesis (\"Arimaa: developing a higher ranked fall back move generator using a \
         relational database\", Rowan University, 2014) asks how far a bot comes that plays what others have played before: \
         it looks the position up in a database of games, first the whole board, then ranks 3 to 6, \
         then the 5x5 squares round the trap nearest to the opponent's last move, then the same \
         squares with strengths seen from one piece. This report repeats the measurements of its \
         chapters 3 and 4. `mimic-2014` is his bot by the letter of the thesis; `mimic` is ours, \
         which checks what it remembers by search; `fallback` is a search that aims at two turns \
         ahead, the kind of opponent he had, and gets as far as its limit allows (below).",
    );
    if !summary.complete {
        document.text(
            "This experiment was interrupted: the figures below are those so far, and the same \
             command goes on with it.",
        );
    }
    document.table(tables::glance(summary));
    document.text(format!(
        "Conditions: {}; {}; seed {}; pieces are counted after 150 moves; a turn of more than 30 \
         seconds would lose. Intervals are 95 % \
         (Wilson's, of the games that differ, taken as independent). The memory has {} with {} and {} in its table of \
         wins in two, {} of them linked to a position, which is what can be met.",
        experiment.limit,
        if experiment.drawn_setups {
            "setups drawn by chance"
        } else {
            "everybody sets up as they like, as in the thesis"
        },
        experiment.seed,
        counted(experiment.store_games as usize, "game"),
        counted(experiment.store_positions as usize, "position"),
        counted(experiment.puzzles as usize, "puzzle"),
        grouped(experiment.puzzles_linked as usize),
    ));
}

fn setups(document: &mut Document, summary: &Summary) {
    let popular = &summary.setups;
    document.heading("Setups (table 5)");
    document.text(format!(
        "His query took {} s for {} games and found {} different setups of Gold; ours took {} for \
         {} and found {}. He compared texts, so the same arrangement written in two orders counts \
         twice: his rows 4 and 7 are one setup, and so are his rows 8 and 9. Together the former \
         have {} games and would be his second, nearly his first. Ours are counted by arrangement.",
        thesis::SETUP_SECONDS,
        grouped(thesis::GAMES as usize),
        grouped(thesis::SETUP_KINDS as usize),
        time_text(popular.seconds),
        grouped(popular.games as usize),
        grouped(popular.kinds as usize),
        grouped((thesis::SETUPS[3].games + thesis::SETUPS[6].games) as usize),
    ));
    document.table(tables::popular_setups(popular));
    document.table(tables::his_setups(popular));
}

fn questions(document: &mut Document, summary: &Summary) {
    document.heading("Time of questions (tables 6 and 8 to 11)");
    if summary.queries.is_empty() {
        document.text("Not measured yet.");
        return;
    }
    document.text(
        "The games were added to a store in eighths, in their order, and asked after each. Ours are \
         medians over positions from all over the store, asked for the second time, of the best hit \
         that is legal, boards compared literally as he did; he gives one time for the commonest \
         board, and calls less than a second negligible.",
    );
    document.table(tables::queries(&summary.queries));
    let plot = eighths::plot(&summary.queries);
    document.figure(
        "questions.svg",
        "Tables 6 and 8 to 11 as a drawing: time to answer by the number of positions. Ours ends \
         where the memory ends.",
        &plot,
    );
}

fn hit_rates(document: &mut Document, summary: &Summary) {
    document.heading("Hit rates by move number (figures 8 to 11)");
    document.text(
        "For every position in which a memory bot was to move, each level was asked whether it has \
         an answer that is legal on the board, whatever the levels above it said. Move numbers are \
         those of the notation: move 1 is the setup and is not counted, so that the first group \
         holds moves 2 to 5.",
    );
    for level in 0..4 {
        document.figure(
            &format!("figure-{}.svg", 8 + level),
            &format!(
                "Figure {} of the thesis: {} hit percentage by move number.",
                8 + level,
                tables::LEVEL_NAMES[level]
            ),
            &figures::hit_rates(summary, level),
        );
    }
}

fn overall(document: &mut Document, summary: &Summary) {
    document.heading("Overall hit rate (table 12)");
    document.text(
        "His overall hit rate is meant to be the chance that some level answers. His formula, \
         P(just A) + P(just B) + P(just C) + P(just D), is the chance that exactly one does, if the \
         levels were independent. His first row is that sum; his rows 2 to 10 are its last term \
         alone, P(just D), as the table shows: they are the chance that only the last method \
         answers. The chance that any does, 1 - (1-A)(1-B)(1-C)(1-D), is 52 to 64 % by his own \
         figures. His average of 30.416 % is the mean of the ten rows as printed.",
    );
    document.table(tables::his_hits());
    document.text(
        "For ours, the union was also measured, and it is the one to trust: the levels are not \
         independent, as a full board that is known has a half board and an area that are known. The \
         last column is how often the bot played from memory: `mimic-2014` takes the top answer of a \
         level or none, and asks a second area when the answer leads out of the first, so it may \
         differ a little from the union; `mimic` asks symmetric positions and refuses what does not \
         stand up to search.",
    );
    for played in &summary.matches {
        document.table(tables::our_hits(played));
    }
    document.text(
        "His pseudocode goes by \"results > 0\", before anything is tried on the board, and his figures may \
         count that. So here is how often a level has any result, and how often one that can be played.",
    );
    document.table(tables::found(summary));
    document.table(tables::levels(summary));
}

fn wins(document: &mut Document, summary: &Summary) {
    document.heading("Win rate (figure 12)");
    document.text(format!(
        "He played {} games and \"mostly hovered above the 65% mark\"; no other number is given. The \
         bands are 95 % intervals of games taken as independent.",
        grouped(thesis::PLAYED as usize)
    ));
    document.figure(
        "figure-12.svg",
        "Figure 12 of the thesis: share of games won so far, by number of games.",
        &figures::wins(summary),
    );
    document.table(tables::wins(summary));
    // With setups drawn by chance few are the same, and nothing more can be done.
    let way_out = if summary.experiment.drawn_setups {
        "."
    } else {
        "; `--drawn-setups` gives games that differ."
    };
    for played in &summary.matches {
        if played.distinct < played.games {
            document.text(format!(
                "Only {} of the {} games of `{}` differ from each other: where neither player throws \
                 dice, a game repeats itself. Repeated games are no new evidence, so its interval is \
                 wider than it looks{way_out}",
                grouped(played.distinct as usize),
                grouped(played.games as usize),
                played.player
            ));
        }
    }
}

fn memories(document: &mut Document, summary: &Summary) {
    document.heading("Other memories");
    if summary.memories.is_empty() {
        document.text("Not measured.");
        return;
    }
    document.text(
        "The same match with memories made of some of the games. Smaller ones are drawn by chance, \
         each a part of the next, so that they differ in size only. Those of strong players are \
         smaller, too: beside each stands one of about as many games drawn by chance, and only the \
         difference between these two speaks of quality. These memories have no table of wins in \
         two. The last rows are the matches above.",
    );
    document.table(tables::memories(summary));
    document.figure(
        "memories.svg",
        "Win rate by size of the memory, with 95 % intervals.",
        &figures::memories(summary),
    );
}

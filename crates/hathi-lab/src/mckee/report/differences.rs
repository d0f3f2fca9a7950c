//! What can be said about the difference to his result, and what cannot.

use hathi_engine::Level;
use hathi_view::numbers::grouped;

use super::super::matches::Match;
use super::super::summary::Summary;
use super::super::thesis;
use super::tables::percent;
use crate::document::Document;
use crate::mckee::waited;
use crate::rate::Rate;

pub(super) fn write(document: &mut Document, summary: &Summary) {
    let matches = summary.matches.iter().chain([&summary.against_random]);
    let mut findings: Vec<String> = matches.filter_map(against_his).collect();
    findings.extend(summary.matches.iter().filter_map(by_chance));
    findings.extend(sizes(summary));
    findings.extend(qualities(summary));
    if findings.is_empty() {
        findings.push("No games have been played yet.".to_owned());
    }
    document.text(
        "What was measured (each comparison at 95 %: of twenty without a difference, one would seem to \
         have one):",
    );
    document.list(findings);
    document.text("What is not the same as in 2014, by description:");
    document.list(conditions(summary));
    document.text(
        "Not measured: his bot, his opponent and his database themselves, none of which is at hand. \
         Of the conditions above only the size of the memory and the strength of its players were \
         varied on purpose; how much each of the others adds to the difference is not known from \
         this experiment. Other limits of thinking can be tried with --time and --nodes.",
    );
}

/// His 65 % taken for 650 of 1,000 games.
fn against_his(played: &Match) -> Option<String> {
    if played.games == 0 {
        return None;
    }
    let rate = played.rate;
    let his = Rate::of(thesis::WON, thesis::PLAYED, thesis::PLAYED);
    let verdict = match rate.differs_from(his) {
        Some(true) => "more than 650 of 1,000, beyond chance",
        Some(false) => "less than 650 of 1,000, beyond chance",
        None => "these games show no difference to 650 of 1,000",
    };
    Some(format!(
        "`{}` won {} of {} games against `{}`, {} ({} to {}): {verdict}.",
        played.player,
        grouped(played.wins as usize),
        grouped(played.games as usize),
        played.opponent,
        percent(rate.value),
        percent(rate.low),
        percent(rate.high),
    ))
}

/// How often his bot had nothing to go by.
fn by_chance(played: &Match) -> Option<String> {
    let turns = *played.levels.get(Level::Chance.name())?;
    let unions = thesis::HITS.map(|row| row.rates().union());
    let least = unions.iter().copied().fold(1.0, f64::min);
    let most = unions.iter().copied().fold(0.0, f64::max);
    Some(format!(
        "`{}` played {} of its turns by chance, as nothing that could be played was remembered. By the \
         union of his own figures his bot had no answer to {} to {} of its moves.",
        played.player,
        percent(played.bins.all.share(turns)),
        percent(1.0 - most),
        percent(1.0 - least),
    ))
}

/// The smallest memory drawn by chance against all games.
fn sizes(summary: &Summary) -> Vec<String> {
    let mut findings = Vec::new();
    for played in summary.matches.iter().filter(|m| m.games > 0) {
        let smallest = summary
            .memories
            .iter()
            .filter(|m| m.by_chance && m.result.player == played.player && m.result.games > 0)
            .min_by_key(|memory| memory.contents.games);
        let Some(smallest) = smallest else { continue };
        findings.push(format!(
            "Size: `{}` with {} games in memory won {}, with {} games {}: {}.",
            played.player,
            grouped(smallest.contents.games as usize),
            percent(smallest.result.rate.value),
            grouped(summary.experiment.store_games as usize),
            percent(played.rate.value),
            compared(&smallest.result, played),
        ));
    }
    findings
}

/// Strong players against as many games by chance.
fn qualities(summary: &Summary) -> Vec<String> {
    let mut findings = Vec::new();
    for strong in summary.memories.iter().filter(|m| !m.by_chance) {
        let control = summary.memories.iter().find(|memory| {
            memory.rating == strong.rating
                && memory.by_chance
                && memory.result.player == strong.result.player
        });
        let Some(control) = control else { continue };
        if strong.result.games == 0 || control.result.games == 0 {
            continue;
        }
        findings.push(format!(
            "Quality: `{}` with about as many games by chance won {}, with {} {}: {}.",
            strong.result.player,
            percent(control.result.rate.value),
            strong.what,
            percent(strong.result.rate.value),
            compared(&control.result, &strong.result),
        ));
    }
    findings
}

/// Is the second beyond chance above or below the first?
fn compared(first: &Match, second: &Match) -> &'static str {
    match second.rate.differs_from(first.rate) {
        None => "these games show no difference",
        Some(true) => "the second is more, beyond chance",
        Some(false) => "the second is less, beyond chance",
    }
}

fn conditions(summary: &Summary) -> Vec<String> {
    let experiment = &summary.experiment;
    let mut items = vec![format!(
        "The memory: {} games with {} positions here, {} with {} there ({} as large by positions).",
        grouped(experiment.store_games as usize),
        grouped(experiment.store_positions as usize),
        grouped(thesis::GAMES as usize),
        grouped(waited::POSITIONS[7] as usize),
        percent(experiment.store_positions as f64 / waited::POSITIONS[7] as f64),
    )];
    if let Some(played) = summary.matches.first().filter(|m| m.games > 0) {
        let depth = played.opponent_depth;
        items.push(format!(
            "The opponent: of the two-move search the thesis says that it \"basically amounts to a move \
             that is no better than a random move\" (section 1.7); how it values a position and how \
             long it had in the games is not said. So `random` was an opponent, too. Our `fallback` had {}, looked \
             ahead {} steps (median), and came to the end of two turns (8 steps) in {} of its \
             turns.",
            experiment.limit,
            depth.median,
            percent(depth.two_turns),
        ));
    }
    items.push(
        "The bot: the thesis leaves open what happens when the answer of a half board cannot be \
         played (here: the next level is asked), which piece to look through when the area has no \
         answer (here: the strongest that can move), and what the win rate's games began with \
         (here: see the conditions above)."
            .to_owned(),
    );
    items.push(
        "Hits: he does not say whether an answer that cannot be played counts as a hit. Here only \
         legal answers count, and of several the best legal one, not only the top one."
            .to_owned(),
    );
    items
}

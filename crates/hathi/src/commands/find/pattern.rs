//! `hathi find --pattern`: every position that a pattern describes.

use std::io::Write;
use std::path::Path;
use std::time::Instant;

use hathi_store::{Pattern, PatternQuestion};
use hathi_view::PatternHitView;
use hathi_view::numbers::grouped;
use serde::Serialize;

use super::Args;
use crate::Answer;
use crate::args::store::{StoreArgs, build_facts};
use crate::failure::BadInput;
use crate::terminal::output;

/// The keys are stable: scripts read them.
#[derive(Serialize)]
struct Found {
    pattern: String,
    hits: u64,
    games: u64,
    milliseconds: f64,
    best: Vec<PatternHitView>,
}

/// The pattern, or the file that holds it, as options ask about it.
pub(super) fn question(args: &Args, text: &str) -> anyhow::Result<PatternQuestion> {
    let text = match std::fs::read_to_string(text) {
        Ok(contents) if Path::new(text).is_file() => contents,
        _ => text.to_owned(),
    };
    let pattern = Pattern::parse(&text).map_err(|error| {
        let marked = error.marked(&text).replace('\n', "\n  ");
        BadInput::error(format!("the pattern cannot be read: {error}\n  {marked}"))
    })?;
    Ok(PatternQuestion {
        pattern,
        matching: args.filter.matching(),
        filter: args.filter.filter()?,
        limit: args.limit.of(usize::MAX),
        one_per_game: args.one_per_game,
    })
}

pub(super) fn run(args: &Args, question: &PatternQuestion) -> anyhow::Result<Answer> {
    let mut store = args.store.open()?;
    build_facts(&mut *store, question.pattern.facts_needed())?;
    let (answer, milliseconds) = StoreArgs::ask(&mut *store, |store| {
        let started = Instant::now();
        let answer = store.search(question)?;
        Ok((answer, started.elapsed().as_secs_f64() * 1000.0))
    })?;
    let found = Found {
        pattern: question.pattern.to_string(),
        hits: answer.hits,
        games: answer.games,
        milliseconds,
        best: PatternHitView::all(question, &answer, &*store)?,
    };
    let mut out = output::plain();
    if args.json {
        output::json(&mut out, &found)?;
    } else {
        writeln!(
            out,
            "{} positions of {} games in {milliseconds:.1} ms.",
            grouped(found.hits as usize),
            grouped(found.games as usize)
        )?;
        for hit in &found.best {
            let rating = hit
                .rating
                .map_or(String::new(), |rating| format!(", rated {rating},"));
            let result = if hit.won { "won" } else { "did not win" };
            writeln!(
                out,
                "\n{}\n  {} was played at {} of game {}; the player{rating} {result}",
                hit.position, hit.turn, hit.r#move, hit.game
            )?;
            for turn in hit.turns.iter().skip(1) {
                writeln!(out, "  {} {}", turn.r#move, turn.turn)?;
            }
        }
        if (found.best.len() as u64) < found.hits {
            writeln!(
                out,
                "\n{} shown; --limit shows as many as you like.",
                grouped(found.best.len())
            )?;
        }
    }
    out.flush()?;
    Ok(if found.hits == 0 {
        Answer::No
    } else {
        Answer::Yes
    })
}

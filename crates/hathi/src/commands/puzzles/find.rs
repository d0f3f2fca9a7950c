//! `hathi puzzles --find`: wins in two in the games of the store.

use std::io::Write;

use hathi_archive::Puzzle;
use hathi_engine::{Limits, Solution, solve};
use hathi_rules::{Game, Ply};
use hathi_store::{Filter, StoredGame};
use serde::Serialize;

use super::Args;
use crate::Answer;
use crate::terminal::output;
use crate::terminal::progress::GamesBar;
use crate::terminal::stop;

/// The keys are stable: scripts read them.
#[derive(Serialize)]
struct View {
    game: String,
    r#move: String,
    turn: String,
    position: String,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Answer> {
    stop::listen();
    let (mut store, _) = args.store.open_or_make()?;
    let bar = GamesBar::new(store.totals()?.games);
    let mut found = Vec::new();
    let mut looked_at = 0;
    store.visit_filtered(&Filter::default(), None, &mut |stored| {
        found.extend(puzzle(&stored, args));
        looked_at += 1;
        bar.show(looked_at);
        stop::flow()
    })?;
    bar.finish();
    let puzzles: Vec<Puzzle> = found.iter().map(|(puzzle, _)| *puzzle).collect();
    let summary = store.import_puzzles(&puzzles)?;
    let mut out = output::plain();
    if args.json {
        let views: Vec<View> = found
            .iter()
            .map(|(puzzle, position)| View {
                game: puzzle.game.to_string(),
                r#move: puzzle.label.to_string(),
                turn: puzzle.turn.to_string(),
                position: position.clone(),
            })
            .collect();
        output::json(&mut out, &views)?;
    } else {
        for puzzle in &puzzles {
            writeln!(out, "{puzzle}")?;
        }
    }
    out.flush()?;
    output::note(&format!(
        "{} found, {} of them new",
        puzzles.len(),
        summary.added
    ));
    Ok(match (stop::asked(), puzzles.is_empty()) {
        (true, _) => Answer::Interrupted,
        (false, true) => Answer::No,
        (false, false) => Answer::Yes,
    })
}

/// The win in two a game ended with, if it can be proven, and its position.
fn puzzle(stored: &StoredGame, args: &Args) -> Option<(Puzzle, String)> {
    let game: Game = stored.moves.replay(stored.game.rules()).ok()?;
    let winner = game.outcome()?.winner?;
    // The winner's last turn ended the game; the one before began the win.
    let last = game.turns().len().checked_sub(1)?;
    let (ply, position) = (last.checked_sub(2)?, game.positions().get(last - 2)?);
    if position.side_to_move() != winner {
        return None;
    }
    let limits = Limits::time(args.time).with_stop(stop::for_engines());
    let Solution::WinInTwo { turn, .. } = solve(position, 2, &limits) else {
        return None;
    };
    let puzzle = Puzzle {
        game: stored.game.id,
        label: Ply::after(ply).label(),
        turn,
        mark: None,
    };
    Some((puzzle, position.to_string()))
}

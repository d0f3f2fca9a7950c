//! What was played from a position, as `find` and `explore` show it.

use std::io::{self, Write};

use hathi_view::columns::{Align, Columns};
use hathi_view::numbers::{counted, grouped};
use hathi_view::{BestView, GameView, TurnView};

use crate::terminal::games::player;

/// The best hit in words; `game` is the one it is from.
pub(crate) fn write_best(
    out: &mut impl Write,
    best: &BestView,
    game: Option<&GameView>,
) -> io::Result<()> {
    writeln!(out, "Best: {}", best.turn)?;
    write!(out, "  played at {}", best.r#move)?;
    if let Some(game) = &best.game {
        write!(out, " of game {game}")?;
    }
    if let Some(game) = game {
        let (gold, silver) = (player(&game.gold), player(&game.silver));
        write!(out, ", {gold} (Gold) against {silver} (Silver)")?;
    }
    if let Some(date) = &best.date {
        write!(out, ", {date}")?;
    }
    let rating = best
        .rating
        .map_or(String::new(), |rating| format!(", rated {rating},"));
    write!(out, ";\n  who played it{rating} ")?;
    match (best.won, best.turns_left) {
        (true, 0 | 1) => write!(out, "won, with no turn more")?,
        (true, left) => {
            let turns = counted(usize::from(left) - 1, "turn");
            write!(out, "won, {turns} later")?;
        }
        (false, _) => write!(out, "did not win")?,
    }
    match (best.mirrored, best.flipped) {
        (false, false) => {}
        (true, false) => write!(out, " (the board is mirrored)")?,
        (false, true) => write!(out, " (the colours are exchanged)")?,
        (true, true) => write!(out, " (the board is mirrored, the colours are exchanged)")?,
    }
    writeln!(out)
}
/// The turns below each other.
pub(crate) fn table(turns: &[TurnView]) -> Columns {
    let with_reached = turns.iter().any(|turn| turn.reached.is_some());
    let mut headings = vec![("played", Align::Right)];
    if with_reached {
        headings.push(("reached", Align::Right));
    }
    headings.extend([
        ("won", Align::Right),
        ("rating", Align::Right),
        ("last played", Align::Left),
        ("turn", Align::Left),
        ("games", Align::Left),
    ]);
    let mut table = Columns::new(&headings);
    for turn in turns {
        let mut cells = vec![grouped(turn.count as usize)];
        if with_reached {
            cells.push(turn.reached.map_or(String::new(), |n| grouped(n as usize)));
        }
        let ids: Vec<String> = turn.games.iter().map(ToString::to_string).collect();
        cells.extend([
            format!("{:.1}%", 100.0 * turn.win_rate),
            turn.rating.map_or("-".to_owned(), |r| format!("{r:.0}")),
            turn.last_played.clone().unwrap_or_else(|| "?".to_owned()),
            turn.turn.clone(),
            ids.join(" "),
        ]);
        table.row(cells);
    }
    table
}

/// Says what is not shown.
pub(crate) fn more_turns(out: &mut impl Write, all: usize, shown: usize) -> io::Result<()> {
    if all > shown {
        let more = counted(all - shown, "more turn");
        writeln!(out, "\n{more}; --limit shows as many as you like.")?;
    }
    Ok(())
}

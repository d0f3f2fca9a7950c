//! A match of an experiment, with a bar while it goes on.

use std::path::Path;

use hathi_arena::{Event, Standings, Tournament};
use hathi_engine::Stop;

use crate::commands::arena;
use crate::progress::ArenaBar;

/// Plays a match to its end, or until somebody says stop; games that are in
/// the folder already are not played again.
pub(super) fn play(
    tournament: &Tournament,
    name: &str,
    place: &Path,
    stop: &Stop,
) -> anyhow::Result<Standings> {
    let bar = ArenaBar::new();
    bar.show(0, tournament.games, name);
    let listener = |event: &Event<'_>| match event {
        Event::Finished { standings, .. } => bar.show(
            standings.games,
            standings.planned,
            &format!("{name}: {}", arena::live(standings)),
        ),
        _ => bar.tick(),
    };
    let standings = tournament.run(Some(place), stop, &listener);
    bar.finish();
    standings.map_err(arena::explain)
}

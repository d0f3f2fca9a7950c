//! A match of an experiment, with a bar while it goes on.

use std::path::Path;

use hathi_arena::{Event, Standings, Tournament};

use crate::failure::BadInput;
use crate::watcher::Watcher;

/// Plays a match to its end, or until somebody says stop; games that are in
/// the folder already are not played again.
pub(crate) fn play(
    tournament: &Tournament,
    name: &str,
    place: &Path,
    watcher: &dyn Watcher,
) -> anyhow::Result<Standings> {
    let bar = watcher.playing(name, tournament.games);
    let listener = |event: &Event<'_>| match event {
        Event::Finished { standings, .. } => bar(Some(standings)),
        _ => bar(None),
    };
    let standings = tournament.run(Some(place), &watcher.stop(), &listener);
    standings.map_err(|error| {
        if error.can_be_mended() {
            BadInput::error(error.to_string())
        } else {
            error.into()
        }
    })
}

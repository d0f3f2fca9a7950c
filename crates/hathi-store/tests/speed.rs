//! What must stay quick whatever the size: adding a game.

mod common;

use std::time::{Duration, Instant};

use common::{TempStore, playout_games};
use hathi_store::{Filter, Kind, Matching};

#[test]
fn a_game_just_added_is_found_at_once() {
    let games = playout_games(300, 21);
    let mut temp = TempStore::new();
    temp.insert(&games[..200]);
    temp.store.build_index(1, |_, _| {}).expect("built");
    let mut fastest = Duration::MAX;
    for game in &games[200..] {
        let replayed = game.moves.replay(game.game.rules()).expect("legal");
        let last = replayed.positions()[replayed.turns().len() - 1];
        let hits = |temp: &TempStore| {
            let (kind, matching) = (Kind::Full, Matching::Literal);
            let found = temp.store.find(&last, kind, matching, &Filter::default());
            found.expect("an answer").hits
        };
        let before = hits(&temp);
        let started = Instant::now();
        temp.insert(std::slice::from_ref(game));
        let after = hits(&temp);
        fastest = fastest.min(started.elapsed());
        assert!(after > before, "{after} hits, {before} before");
    }
    // The best of a hundred: other tests run beside this one.
    assert!(fastest < Duration::from_millis(5), "{fastest:?}");
}

//! What must stay quick whatever the size: adding a game. How quick it is
//! depends on the machine (`hathi bench store` says); that the work does not
//! grow with the store does not.

mod common;

use common::{TempStore, playout_games};
use hathi_store::{Kind, PositionQuestion, Positions, Upkeep};

#[test]
fn a_game_just_added_is_found_at_once() {
    let games = playout_games(300, 21);
    let mut temp = TempStore::new();
    temp.insert(&games[..200]);
    temp.store.build_index(1, &mut |_, _| {}).expect("built");
    let built = temp.store.index_state();
    assert_eq!((built.indexed_games, built.recent_games), (200, 0));
    let mut positions = 0;
    for (number, game) in (1..).zip(&games[200..]) {
        let replayed = game.moves.replay(game.game.rules()).expect("legal");
        let last = replayed.positions()[replayed.turns().len() - 1];
        let hits = |temp: &TempStore| {
            let found = temp
                .store
                .find(&PositionQuestion::new(last, Kind::Full).literal());
            found.expect("an answer").hits
        };
        let before = hits(&temp);
        temp.insert(std::slice::from_ref(game));
        let after = hits(&temp);
        assert!(after > before, "{after} hits, {before} before");
        // The file is as it was, and beside it are the new game's positions and
        // no others.
        let state = temp.store.index_state();
        positions += replayed.turns().len() as u64;
        assert_eq!(state.indexed_games, 200);
        assert_eq!(state.indexed_positions, built.indexed_positions);
        assert_eq!(state.bytes, built.bytes);
        assert_eq!(state.recent_games, number);
        assert_eq!(state.recent_positions, positions);
    }
}

//! The log of a game as the store keeps it: packed.

use std::thread;

use crate::cores::joined;
use crate::model::NewGame;

/// A real log has some 15 kilobytes; no hostile one gets beyond this.
const LONGEST: usize = 64 << 20;

/// Text with the same few words in every line: the quickest level will do.
const LEVEL: i32 = 1;

/// The logs of these games, packed on all cores; none for those without.
pub(crate) fn pack_all(games: &[NewGame]) -> Vec<Option<Vec<u8>>> {
    if games.iter().all(|new| new.game.events.is_none()) {
        return vec![None; games.len()];
    }
    let pack = |new: &NewGame| zstd::bulk::compress(new.game.events.as_deref()?, LEVEL).ok();
    let share = games.len().div_ceil(crate::cores::threads(0)).max(64);
    thread::scope(|scope| {
        let packed: Vec<_> = games
            .chunks(share)
            .map(|share| scope.spawn(move || share.iter().map(pack).collect::<Vec<_>>()))
            .collect();
        packed.into_iter().flat_map(joined).collect()
    })
}

/// What was packed; nothing if it is damaged.
pub(crate) fn unpack(packed: &[u8]) -> Option<Vec<u8>> {
    zstd::bulk::decompress(packed, LONGEST).ok()
}

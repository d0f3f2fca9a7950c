//! Random numbers behind the incremental hashes, made at compile time.

use crate::{Piece, Side, Square};

/// One step of `SplitMix64`: a good 64-bit mix from a counter.
const fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// By code of the piece; the codes that mean no piece are never asked for.
static PIECES: [[u64; 64]; 16] = {
    let mut keys = [[0; 64]; 16];
    let mut i = 0;
    while i < 16 * 64 {
        keys[i / 64][i % 64] = mix(i as u64 + 1);
        i += 1;
    }
    keys
};

const SILVER_TO_MOVE: u64 = mix(2000);

/// The key of a piece on a square.
#[inline]
pub(crate) fn piece(piece: Piece, square: Square) -> u64 {
    PIECES[piece.code()][square.index()]
}

/// The key of the side to move.
#[inline]
pub(crate) const fn side(side: Side) -> u64 {
    match side {
        Side::Gold => 0,
        Side::Silver => SILVER_TO_MOVE,
    }
}

/// The key of a state inside a turn: steps left, and what a push or pull
/// demands. `code` is 0 at the start of a turn, which hashes to nothing, so
/// that a position at the start of a turn has the plain hash of its board and
/// side.
#[inline]
pub(crate) const fn inside_turn(code: u32) -> u64 {
    if code == 0 {
        0
    } else {
        mix(3000 + code as u64)
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn keys_are_distinct() {
        let mut keys: Vec<u64> = super::PIECES.iter().flatten().copied().collect();
        keys.push(super::SILVER_TO_MOVE);
        keys.extend((0..5760).map(super::inside_turn));
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), 16 * 64 + 1 + 5760);
    }
}

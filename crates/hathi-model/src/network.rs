//! The evaluation network: what a board is worth, learned from positions and
//! their scores instead of being written down term by term.
//!
//! A first layer, seen twice: each side sees the board as its own; and a small
//! second one that weighs the two views against each other. What lasts of a
//! board's worth is what one side makes of it less what the other does; what
//! being on move is worth (a piece about to be captured, a rabbit about to
//! run) is made of both views, too, for each number of steps left of the turn
//! by itself: a capture that takes three steps is worth nothing with two left.
//! So the two sides cannot disagree, and a board and its colour flip are worth
//! the same. The first layer's sums are kept from board to board and only
//! corrected for what has changed ([`Accumulator`]); everything is integers, so
//! the result does not depend on how a board was reached or on the processor.
//!
//! `hathi-learn` trains networks and writes them; `hathi-engine` plays by them.

mod accumulator;
mod file;
pub mod inputs;
mod mean;
mod wide;

pub use accumulator::Accumulator;
pub use file::{About, NetworkError};

use std::sync::LazyLock;

use hathi_rules::{Board, Side};

/// Units of the hidden layer.
pub const HIDDEN: usize = 64;

/// Units of the second layer.
pub const SECOND: usize = 16;

/// One as a weight of the second layer.
pub const SECOND_ONE: i16 = 256;

/// One as a unit of the first layer that the second one sees: squared, and
/// rounded down to fit a byte.
pub const SEEN_ONE: i32 = 254;

/// One in the second layer; its units go from nothing to this.
pub const SECOND_FULL: i32 = SEEN_ONE * SECOND_ONE as i32;

/// One as an output weight of the second layer.
pub const SECOND_OUT_ONE: i32 = 256;

/// Sets of output weights: one for each stretch of the game.
pub const BUCKETS: usize = 4;

/// Steps that can be left of a turn: one to four.
pub const LEFT: usize = 4;

/// One in the hidden layer; its units go from nothing to this.
pub const ONE: i16 = 255;

/// One as an output weight.
pub const OUT_ONE: i16 = 64;

/// Hundredths of a rabbit in one of the network's own unit.
pub const UNIT: i32 = 400;

/// A hundredth of a rabbit in the direct weights of the rows.
pub const DIRECT_ONE: i32 = 64;

/// A network, ready to play by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    /// What each row adds to the hidden layer.
    pub rows: Vec<[i16; HIDDEN]>,
    /// What each row adds to the score directly.
    pub direct: Vec<i32>,
    /// The hidden layer of an empty board.
    pub bias: [i16; HIDDEN],
    /// What each unit counts, by stretch of the game.
    pub out: [[i16; HIDDEN]; BUCKETS],
    /// What each unit adds to the worth of being on move with one to four steps
    /// left, as the side on move sees the board, and as the other does.
    pub gain: [[[[i16; HIDDEN]; 2]; BUCKETS]; LEFT],
    /// What the second layer makes of the units as its side sees the board and as
    /// the other does, see [`SecondWeights`].
    pub second: SecondWeights,
    /// The second layer of an empty board.
    pub second_bias: [i32; SECOND],
    /// What each of its units counts, by stretch of the game.
    pub second_out: [[i32; SECOND]; BUCKETS],
    /// What each adds to the worth of being on move, by steps left and view as in `gain`.
    pub second_gain: [[[[i32; SECOND]; 2]; BUCKETS]; LEFT],
    /// What being on move is worth on any board with one to four steps left, in
    /// hundredths of a rabbit.
    pub tempo: [i32; LEFT],
    /// Where it comes from.
    pub about: About,
}

/// Weights of the second layer. A unit of it weighs each unit of its own side's
/// view with one weight and that of the other's with another. First come the
/// two added, then the second taken from the first: so what both views need is
/// worked out once. Two neighbouring units of the first layer lie together, for
/// each unit of the second, as the processor multiplies them.
pub type SecondWeights = [[[i16; 2 * SECOND]; HIDDEN / 2]; 2];

/// The stretch of the game by pieces left on the board.
#[inline]
pub fn bucket(board: &Board) -> usize {
    match board.occupied().len() {
        30.. => 0,
        26..=29 => 1,
        20..=25 => 2,
        _ => 3,
    }
}

/// The network that is shipped, as its file.
static SHIPPED_FILE: &[u8] = include_bytes!("../networks/hathi.net");

/// The same, read. A test sees to it that it can be.
static SHIPPED: LazyLock<Result<Network, String>> =
    LazyLock::new(|| Network::read(SHIPPED_FILE).map_err(|error| error.to_string()));

/// A number that tells contents apart (FNV-1a): not for strangers' files, who
/// could make two alike.
pub fn hash_of(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |hash, &byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}

impl Network {
    /// The network that is shipped.
    pub fn shipped() -> Result<&'static Network, NetworkError> {
        SHIPPED
            .as_ref()
            .map_err(|error| NetworkError::Shipped(error.clone()))
    }

    /// What its file comes to: another network has another number.
    pub fn shipped_hash() -> u32 {
        static HASH: LazyLock<u32> = LazyLock::new(|| hash_of(SHIPPED_FILE));
        *HASH
    }

    /// The worth of a board for the side whose turn begins, in hundredths of a
    /// rabbit, worked out from nothing.
    pub fn evaluate(&self, board: &Board, side: Side) -> i32 {
        Accumulator::new(self, board).worth(self, side, 4)
    }
}

//! Which step the mover is likely to take: a network that orders the steps of a
//! search.
//!
//! A search tries likely steps first and most others never, so it asks at
//! nearly every node, and the answer has to be quick. A first layer sees the
//! board with the same rows as the evaluation network, as the mover and as the
//! other side; its sums are kept from board to board ([`StepSums`]). Each step
//! (which piece, from where, which way) has a row of weights for these units;
//! to that come a few small tables about the squares beside it and what moved
//! lately. Everything is integers, so an order does not depend on the processor.
//!
//! `hathi-learn` trains it on the turns that searches chose; `hathi-engine`
//! orders steps by it.

mod file;
mod foreseen;
mod sums;
mod view;
mod wide;

pub use file::{AboutSteps, StepNetworkError};
pub use foreseen::Foreseen;
pub use sums::{StepSums, StepUnits};
pub use view::StepView;

use std::sync::LazyLock;

use hathi_rules::Step;

/// Units of the first layer.
pub const STEP_HIDDEN: usize = 64;

/// Units a row weighs: those of the mover's view, then those of the other's.
pub const STEP_UNITS: usize = 2 * STEP_HIDDEN;

/// One in the first layer; its units go from nothing to this, and are squared.
pub const STEP_FIRST_ONE: i16 = 127;

/// One as a squared unit.
pub const STEP_UNIT_ONE: i32 = 128;

/// One as a weight of a row.
pub const STEP_WEIGHT_ONE: i32 = 64;

/// One in the tables and in what comes out: logarithms of chances.
pub const STEP_ONE: i32 = 1024;

/// What a product of a unit and a weight is shifted by to come out in the same measure.
const SHIFT: u32 = (STEP_UNIT_ONE * STEP_WEIGHT_ONE / STEP_ONE).ilog2();

/// Kinds of pieces as the mover sees them: six of its own, six of the enemy's.
const KINDS: usize = 12;

/// A row for each piece, square and direction, and one for ending the turn.
pub const STEP_ROWS: usize = KINDS * 64 * 4 + 1;

/// The row of ending the turn.
pub const END_ROW: usize = STEP_ROWS - 1;

/// What can stand on a square: nothing, one of twelve kinds, the rim.
const CONTENTS: usize = 14;

/// Squares beside a step: ahead of it, left and right of where it goes; behind
/// it, left and right of where it comes from.
pub const BESIDE: usize = 6;

/// Entries about squares beside a step.
pub const BESIDE_ENTRIES: usize = KINDS * 4 * BESIDE * CONTENTS;

/// What a piece meets on a square: a stronger enemy or not, a weaker one or not,
/// no, one or several friends.
const MEETS: usize = 12;

/// Entries about what a piece meets where it goes and where it comes from.
pub const MEETS_ENTRIES: usize = KINDS * MEETS * MEETS;

/// Entries about what moved lately: how far the squares left and entered are
/// from the opponent's last turn and from what this one has changed, and whether
/// the step goes back on our last turn.
pub const RECENT_ENTRIES: usize = KINDS * 4 * 4 * 3 * 3 * 2 * 2;

/// Where the numbers of a step are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepPlaces {
    /// Its row.
    pub row: u16,
    /// The squares beside it.
    pub beside: [u16; BESIDE],
    /// What its piece meets.
    pub meets: u16,
    /// What moved lately.
    pub recent: u16,
}

/// An order of steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepNetwork {
    /// What each row of the board adds to the first layer.
    pub first: Vec<[i8; STEP_HIDDEN]>,
    /// The first layer of an empty board.
    pub first_bias: [i16; STEP_HIDDEN],
    /// What the units count, for each row of steps.
    pub rows: Vec<[i8; STEP_UNITS]>,
    /// What each row counts by itself, with one to four steps left.
    pub alone: Vec<[i16; 4]>,
    /// By squares beside.
    pub beside: Vec<i16>,
    /// By what the piece meets.
    pub meets: Vec<i16>,
    /// By what moved lately.
    pub recent: Vec<i16>,
    /// Where it comes from.
    pub about: AboutSteps,
}

/// The network of steps that is shipped, read. A test sees to it that it can be.
static SHIPPED: LazyLock<Result<StepNetwork, String>> = LazyLock::new(|| {
    let bytes = include_bytes!("../networks/steps.net");
    StepNetwork::read(bytes).map_err(|error| error.to_string())
});

impl StepNetwork {
    /// The one that is shipped.
    pub fn shipped() -> Result<&'static StepNetwork, StepNetworkError> {
        SHIPPED
            .as_ref()
            .map_err(|error| StepNetworkError::Shipped(error.clone()))
    }

    /// How likely a step is beside others of the position: the logarithm of its
    /// chance, but for what all have in common, times [`STEP_ONE`].
    #[inline]
    pub fn score(&self, view: &StepView, units: &StepUnits, step: Step) -> i32 {
        let places = view.places(step);
        let row = usize::from(places.row);
        let mut sum = wide::weigh(units, &self.rows[row]) >> SHIFT;
        sum += i32::from(self.alone[row][view.left()]);
        for place in places.beside {
            sum += i32::from(self.beside[usize::from(place)]);
        }
        sum + i32::from(self.meets[usize::from(places.meets)])
            + i32::from(self.recent[usize::from(places.recent)])
    }

    /// The same for ending the turn.
    #[inline]
    pub fn score_end(&self, view: &StepView, units: &StepUnits) -> i32 {
        (wide::weigh(units, &self.rows[END_ROW]) >> SHIFT)
            + i32::from(self.alone[END_ROW][view.left()])
    }
}

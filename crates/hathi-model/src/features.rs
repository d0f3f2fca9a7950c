//! What a turn looks like to a model: a list of numbered features.
//!
//! A feature holds or does not hold for a change of the board, from the board
//! before (the [`Context`]) to the board after; a few need what happened on
//! the turns before (the [`Past`]). All are seen from the side that moves and
//! mirrored left-right, so that one turn teaches four. A feature that holds for
//! two pieces at once (two rabbits leave mirrored squares) is listed twice.
//!
//! The same features describe a whole turn and a single step: both are a change
//! from one board to another. Everything is found from the squares that
//! changed and a few sets of squares, never by scanning the board.
//!
//! Pieces are told apart by their strength relative to the enemies left
//! ([`Kinds`]), not by name: when the enemy elephant has lost its camel, a
//! camel is what an elephant was.

mod context;
mod kinds;
mod listing;
mod outlook;
mod scene;

pub use context::{Context, Past};
pub use kinds::Kinds;
pub use outlook::{Outlook, Worths};
pub use scene::{ALWAYS, SCENE};

/// A group of features with consecutive numbers.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// Its name, in model files and tables.
    pub name: &'static str,
    /// What its features say.
    pub about: &'static str,
    /// The number of its first feature.
    pub start: usize,
    /// How many there are.
    pub len: usize,
    /// Is it one of the four kinds of features that the paper had?
    pub in_paper: bool,
}

/// Kinds of pieces of one side.
pub(crate) const KINDS: usize = 8;
/// Kinds of pieces of both: own ones first.
pub(crate) const BOTH: usize = 2 * KINDS;
/// Squares of the left half.
pub(crate) const HALF: usize = 32;
/// Guards of a trap, see [`context`].
pub(crate) const GUARDS: usize = 8;

const fn group(name: &'static str, len: usize, in_paper: bool, about: &'static str) -> Group {
    Group {
        name,
        about,
        start: 0,
        len,
        in_paper,
    }
}

const fn laid_out<const N: usize>(mut groups: [Group; N]) -> [Group; N] {
    let mut i = 1;
    while i < N {
        groups[i].start = groups[i - 1].start + groups[i - 1].len;
        i += 1;
    }
    groups
}

/// All groups, in the order of their numbers.
pub const GROUPS: [Group; 32] = laid_out([
    group(
        "source",
        BOTH * HALF,
        true,
        "a piece leaves a square: kind, square",
    ),
    group(
        "target",
        BOTH * HALF,
        true,
        "a piece arrives on a square: kind, square",
    ),
    group("captured", BOTH, true, "a piece is lost: kind"),
    group(
        "trap",
        2 * 2 * GUARDS * GUARDS,
        true,
        "the guards of a trap change: whose, home or away, before, after",
    ),
    group(
        "frozen",
        2 * 2 * (KINDS + HALF),
        true,
        "a piece is newly frozen or free: whose, which of the two, kind and square",
    ),
    group(
        "on-trap",
        BOTH * 2 * 3,
        true,
        "a piece arrives on a trap: kind, home or away, friends beside it (1, 2, 3+)",
    ),
    group(
        "control",
        2 * GUARDS * GUARDS,
        false,
        "both sides' guards of a trap that changed: home or away, own, enemy",
    ),
    group(
        "dominated",
        2 * 2 * (KINDS + HALF),
        false,
        "a piece has newly a stronger enemy beside it, or no more: as frozen",
    ),
    group(
        "hanging",
        2 * 2 * KINDS * 2,
        false,
        "the only guard of a trap is newly beside a stronger enemy (a capture threat), or no more: \
         whose, which of the two, kind, home or away",
    ),
    group(
        "loose",
        2 * 2 * KINDS * 2,
        false,
        "the same with the stronger enemy two steps away",
    ),
    group(
        "threatened",
        3 * KINDS,
        false,
        "a piece that could be captured, found by search before the turn: it moves, its trap gets a \
         guard, or neither: kind",
    ),
    group(
        "goal",
        6,
        false,
        "goal reached; enemy goal threat met, left open, allowed; own goal threat made, given up",
    ),
    group(
        "leaving",
        BOTH * 12,
        false,
        "company of a piece where it leaves: kind, friends (0, 1, 2+), stronger and weaker enemies",
    ),
    group(
        "arriving",
        BOTH * 12,
        false,
        "company of a piece where it arrives: the same",
    ),
    group(
        "from-enemies",
        KINDS * 16,
        false,
        "an own piece leaves: kind, steps to a stronger and to a weaker enemy (1, 2, 3, more)",
    ),
    group(
        "to-enemies",
        KINDS * 16,
        false,
        "an own piece arrives: the same",
    ),
    group(
        "near-last",
        2 * BOTH * 5,
        false,
        "steps from where the opponent just moved (0 to 3, more): leaving or arriving, kind",
    ),
    group(
        "again",
        2 * KINDS,
        false,
        "a piece that moved last turn moves again; an own piece goes where one came from: kind",
    ),
    group(
        "steps",
        4 * 5 * 3,
        false,
        "steps used, own pieces moved (0 to 4), enemies moved (0, 1, 2)",
    ),
    group(
        "together",
        KINDS * KINDS,
        false,
        "two own pieces move in the same turn: kind, kind",
    ),
    group(
        "phalanx",
        2 * 5,
        false,
        "pairs of neighbours more or fewer (-2 to 2): own, enemy",
    ),
    group(
        "room",
        2 * 5,
        false,
        "empty squares beside the elephant change: whose, now (0 to 4); none is a frame",
    ),
    group(
        "rabbit",
        2 * 8 * 3,
        false,
        "a rabbit arrives: whose, rank, the three files before it free, held, shut",
    ),
    group(
        "in-turn",
        BOTH * 5 + KINDS * 2,
        false,
        "a single step: steps from where this turn has moved (0 to 3, more), kind; a push, a pull: kind",
    ),
    group(
        "worth",
        outlook::CHANGES.len() + 1,
        false,
        "the evaluation network's worth of the board after the turn, less that of the board before",
    ),
    group(
        "worth-behind",
        outlook::BEHIND.len() + 1,
        false,
        "how far that worth is behind what one turn of a hundred reaches",
    ),
    group(
        "worth-rank",
        outlook::RANKS.len() + 1,
        false,
        "the share of all turns that the network finds better",
    ),
    group(
        "exposed",
        2 * 2 * KINDS,
        false,
        "a piece the opponent can capture after the turn: in two steps or more, newly or as before, kind",
    ),
    group(
        "attacked",
        2 * 2 * KINDS,
        false,
        "an enemy piece that could be captured after the turn: the same",
    ),
    group(
        "foreseen",
        outlook::SURPRISES.len() + 1,
        false,
        "how little the network of steps expects the turn: minus the logarithm of its chance",
    ),
    group(
        "foreseen-behind",
        outlook::LESS_LIKELY.len() + 1,
        false,
        "how far that is behind the likeliest turn",
    ),
    group(
        "foreseen-rank",
        outlook::RANKS.len() + 1,
        false,
        "the share of all turns that the network of steps finds likelier",
    ),
]);

/// How many features there are.
pub const FEATURES: usize = GROUPS[GROUPS.len() - 1].start + GROUPS[GROUPS.len() - 1].len;

/// The number of the first feature that says what comes of a turn
/// ([`Outlook`]); those before are found at once.
pub const OUTLOOK: usize = at::WORTH;

/// The number of the first feature that says how likely the network of steps
/// finds a turn.
pub const FORESEEN: usize = at::FORESEEN;

/// The number of the first feature of each group.
mod at {
    use super::GROUPS;

    pub(super) const SOURCE: usize = GROUPS[0].start;
    pub(super) const TARGET: usize = GROUPS[1].start;
    pub(super) const CAPTURED: usize = GROUPS[2].start;
    pub(super) const TRAP: usize = GROUPS[3].start;
    pub(super) const FROZEN: usize = GROUPS[4].start;
    pub(super) const ON_TRAP: usize = GROUPS[5].start;
    pub(super) const CONTROL: usize = GROUPS[6].start;
    pub(super) const DOMINATED: usize = GROUPS[7].start;
    pub(super) const HANGING: usize = GROUPS[8].start;
    pub(super) const LOOSE: usize = GROUPS[9].start;
    pub(super) const THREATENED: usize = GROUPS[10].start;
    pub(super) const GOAL: usize = GROUPS[11].start;
    pub(super) const LEAVING: usize = GROUPS[12].start;
    pub(super) const ARRIVING: usize = GROUPS[13].start;
    pub(super) const FROM_ENEMIES: usize = GROUPS[14].start;
    pub(super) const TO_ENEMIES: usize = GROUPS[15].start;
    pub(super) const NEAR_LAST: usize = GROUPS[16].start;
    pub(super) const AGAIN: usize = GROUPS[17].start;
    pub(super) const STEPS: usize = GROUPS[18].start;
    pub(super) const TOGETHER: usize = GROUPS[19].start;
    pub(super) const PHALANX: usize = GROUPS[20].start;
    pub(super) const ROOM: usize = GROUPS[21].start;
    pub(super) const RABBIT: usize = GROUPS[22].start;
    pub(super) const IN_TURN: usize = GROUPS[23].start;
    pub(super) const WORTH: usize = GROUPS[24].start;
    pub(super) const WORTH_BEHIND: usize = GROUPS[25].start;
    pub(super) const WORTH_RANK: usize = GROUPS[26].start;
    pub(super) const EXPOSED: usize = GROUPS[27].start;
    pub(super) const ATTACKED: usize = GROUPS[28].start;
    pub(super) const FORESEEN: usize = GROUPS[29].start;
    pub(super) const FORESEEN_BEHIND: usize = GROUPS[30].start;
    pub(super) const FORESEEN_RANK: usize = GROUPS[31].start;
}

/// Takes the features of a change, one after the other.
pub trait Sink {
    /// This feature holds.
    fn add(&mut self, feature: usize);
}

impl Sink for Vec<u16> {
    #[inline]
    fn add(&mut self, feature: usize) {
        self.push(feature as u16);
    }
}

/// Adds up the weights of features.
#[derive(Debug)]
pub struct Sum<'a> {
    weights: &'a [f32; FEATURES],
    /// The sum so far.
    pub total: f32,
}

impl<'a> Sum<'a> {
    /// Nothing yet.
    #[inline]
    pub fn new(weights: &'a [f32; FEATURES]) -> Sum<'a> {
        Sum {
            weights,
            total: 0.0,
        }
    }
}

impl Sink for Sum<'_> {
    #[inline]
    fn add(&mut self, feature: usize) {
        self.total += self.weights[feature];
    }
}

/// The group of a feature.
#[cfg(test)]
fn group_of(feature: usize) -> Option<&'static Group> {
    GROUPS
        .iter()
        .find(|group| (group.start..group.start + group.len).contains(&feature))
}

#[cfg(test)]
mod tests;

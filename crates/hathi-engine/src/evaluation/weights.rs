//! The weighted evaluation, and the files its weights come from.

use hathi_rules::{Board, Role, Side};

use super::terms::{self, GROUPS, Group, Sink, TERMS};
use super::{Evaluate, material};
use crate::EngineError;
use crate::engine::read_file;

/// A weight for every term, in hundredths of a rabbit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights([i16; TERMS]);

/// Why a weight file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("weights, line {line}: {what}")]
pub struct WeightsError {
    line: usize,
    what: String,
}

impl WeightsError {
    #[allow(clippy::needless_pass_by_value)] // made by format! everywhere
    pub(super) fn new(line: usize, what: String) -> WeightsError {
        // A word of a file that is something else may be a file long.
        let what = crate::options::shortened(&what, 120);
        WeightsError { line, what }
    }
}

/// The weights that are shipped: those of the file, and by hand what it does
/// not name. A test sees to it that the file can be read.
static SHIPPED: std::sync::LazyLock<Weights> = std::sync::LazyLock::new(|| {
    Weights::parse(include_str!("../../weights/fairy.txt")).unwrap_or_else(|_| Weights::by_hand())
});

impl Weights {
    /// The weights that are shipped.
    pub fn shipped() -> Weights {
        SHIPPED.clone()
    }

    /// A weight.
    pub fn get(&self, term: usize) -> i16 {
        self.0[term]
    }

    /// Changes a weight.
    pub fn set(&mut self, term: usize, weight: i16) {
        self.0[term] = weight;
    }

    /// Weights from common sense, where tuning starts.
    pub(crate) fn by_hand() -> Weights {
        let mut weights = Weights([0; TERMS]);
        for square in 0..32 {
            let (rank, file) = ((square / 4) as i16, (square % 4) as i16);
            let advance = [0, 1, 3, 6, 12, 24, 50, 0][square / 4];
            // Distance from the centre of the board, in half squares.
            let off_centre = (2 * rank - 7).abs() + (7 - 2 * file);
            let mut set = |role: Role, weight: i16| {
                weights.0[terms::PLACE.start + 32 * role.index() + square] = weight;
            };
            set(Role::Elephant, 30 - 6 * off_centre);
            set(
                Role::Camel,
                8 - 3 * (off_centre - 4) - 4 * (rank - 3).max(0),
            );
            set(
                Role::Horse,
                6 * rank.min(5) - 2 * (2 - file).abs() - if rank == 0 { 6 } else { 0 },
            );
            set(Role::Dog, -3 * (rank - 2).abs() - 4 * (rank - 3).max(0));
            set(Role::Cat, -3 * (rank - 1).abs() - 6 * (rank - 2).max(0));
            // On the wings a rabbit is out of harm's way.
            set(Role::Rabbit, advance - 3 * file * i16::from(rank > 1));
        }
        for (r, cost) in [(0, 6), (1, 9), (2, 12), (3, 22), (4, 40)] {
            weights.0[terms::FROZEN.start + 2 * r] = -cost;
            weights.0[terms::FROZEN.start + 2 * r + 1] = -2 * cost;
            weights.0[terms::HANGING.start + 2 * r] = -3 * cost;
            weights.0[terms::HANGING.start + 2 * r + 1] = -6 * cost;
            weights.0[terms::ON_TRAP.start + r] = -2 * cost;
            weights.0[terms::NEAR_AWAY_TRAP.start + r] = -cost;
        }
        for i in 0..4 {
            for (steps, cost) in [(0, 6), (1, 4), (2, 2)] {
                weights.0[terms::DISTANCE.start + 8 * i + steps] = -cost * (i as i16 + 1) / 2;
                weights.0[terms::DISTANCE.start + 8 * i + 4 + steps] = -cost * (i as i16 + 1);
            }
        }
        for away in 0..2 {
            for (i, weight) in weights.0[terms::TRAP.start + 16 * away..][..16]
                .iter_mut()
                .enumerate()
            {
                let (friends, foes) = ((i / 4) as i16, (i % 4) as i16);
                *weight = 12 * (friends.min(2) - foes.min(2));
            }
            weights.0[terms::STRONGEST.start + away] = 15;
            weights.0[terms::ELEPHANT.start + away] = 6;
        }
        for (room, weight) in [(0, -60), (1, -20), (2, -4)] {
            weights.0[terms::ELEPHANT_ROOM.start + room] = weight;
        }
        for rank in 3..7 {
            weights.0[terms::RABBIT_PATH.start + 3 * rank] =
                3 * (rank as i16 - 2) * (rank as i16 - 2);
        }
        weights.0[terms::ESCORT.start] = 8;
        weights.0[terms::MOBILE.start] = 1;
        weights
    }

    /// Reads a weight file: a line for each group, `name: numbers`; `#` begins
    /// a comment. Groups that are not named keep the weights made by hand.
    pub fn parse(text: &str) -> Result<Weights, WeightsError> {
        let mut weights = Weights::by_hand();
        let mut group: Option<(Group, usize)> = None;
        let check = |group: Option<(Group, usize)>, line: usize| match group {
            Some((group, filled)) if filled != group.len => Err(WeightsError {
                line,
                what: format!(
                    "{} has {filled} numbers, expected {}",
                    group.name, group.len
                ),
            }),
            _ => Ok(()),
        };
        let mut last = 0;
        for (number, line) in (1..).zip(text.lines()) {
            last = number;
            let fail = |what: String| WeightsError::new(number, what);
            let line = line.split('#').next().unwrap_or_default();
            let numbers = match line.split_once(':') {
                Some((name, rest)) => {
                    check(group, number)?;
                    let named = GROUPS.iter().find(|group| group.name == name.trim());
                    let named = named.ok_or_else(|| fail(format!("no group is named {name:?}")))?;
                    group = Some((*named, 0));
                    rest
                }
                None => line,
            };
            for word in numbers.split_whitespace() {
                let weight = word
                    .parse()
                    .map_err(|_| fail(format!("{word:?} is not a whole number")))?;
                let Some((group, filled)) = &mut group else {
                    return Err(fail("numbers before the first group".to_owned()));
                };
                if *filled == group.len {
                    return Err(fail(format!(
                        "{} has more than {} numbers",
                        group.name, group.len
                    )));
                }
                weights.0[group.start + *filled] = weight;
                *filled += 1;
            }
        }
        check(group, last)?;
        Ok(weights)
    }
}

impl std::fmt::Display for Weights {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for group in GROUPS {
            writeln!(f, "{}:", group.name)?;
            for row in self.0[group.start..group.start + group.len].chunks(8) {
                for weight in row {
                    write!(f, " {weight:4}")?;
                }
                writeln!(f)?;
            }
        }
        Ok(())
    }
}

/// Material and weighted terms.
#[derive(Clone, Debug)]
pub(crate) struct Weighted {
    weights: Weights,
}

impl Weighted {
    #[cfg(test)]
    pub(crate) fn shipped() -> Weighted {
        Weighted::new(Weights::shipped())
    }

    fn new(weights: Weights) -> Weighted {
        Weighted { weights }
    }

    /// With the weights of a file, or those shipped.
    pub(crate) fn from_file(path: &str) -> Result<Weighted, EngineError> {
        from_file("weights", path, Weights::parse, Weights::shipped).map(Weighted::new)
    }
}

/// What the file of an option says, or what is shipped if none is named.
pub(super) fn from_file<T>(
    option: &'static str,
    path: &str,
    parse: impl FnOnce(&str) -> Result<T, WeightsError>,
    shipped: impl FnOnce() -> T,
) -> Result<T, EngineError> {
    match path {
        "" => Ok(shipped()),
        path => read_file(option, path, parse),
    }
}

struct Sum<'a> {
    weights: &'a [i16; TERMS],
    total: i32,
}

impl Sink for Sum<'_> {
    #[inline]
    fn add(&mut self, term: usize, count: i32) {
        self.total += i32::from(self.weights[term]) * count;
    }
}

impl Evaluate for Weighted {
    type Track = ();

    fn track(&self) {}

    fn evaluate(&self, board: &Board, side: Side) -> i32 {
        let mut sum = Sum {
            weights: &self.weights.0,
            total: material::balance(board),
        };
        terms::list(board, &mut sum);
        match side {
            Side::Gold => sum.total,
            Side::Silver => -sum.total,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hathi_rules::Position;

    const MIDDLE: &str = "
        g
         +-----------------+
        8| r . r r c r r r |
        7| . h d . . . h . |
        6| r . x . M x . . |
        5| . . e . . . . r |
        4| . . . E . . H . |
        3| . H x m . x . . |
        2| R D C . . C D R |
        1| R R R . . R R R |
         +-----------------+
           a b c d e f g h";

    #[test]
    fn the_shipped_weights_can_be_read() {
        Weights::parse(include_str!("../../weights/fairy.txt")).expect("readable");
    }

    #[test]
    fn weights_survive_a_file() {
        let weights = Weights::by_hand();
        assert_eq!(Weights::parse(&weights.to_string()), Ok(weights));
    }

    #[test]
    fn bad_files_are_refused_with_a_reason() {
        for (text, reason) in [
            (
                "trap: 1 2",
                "weights, line 1: trap has 2 numbers, expected 32",
            ),
            ("\nno: 1", "weights, line 2: no group is named \"no\""),
            ("mobile: x", "weights, line 1: \"x\" is not a whole number"),
            ("5", "weights, line 1: numbers before the first group"),
            (
                "mobile: 1 2",
                "weights, line 1: mobile has more than 1 numbers",
            ),
        ] {
            assert_eq!(Weights::parse(text).unwrap_err().to_string(), reason);
        }
    }

    /// The terms of a board with their counts, Gold's less Silver's, and the
    /// material balance.
    fn trace(board: &Board) -> (i32, Vec<(usize, i32)>) {
        struct Counts([i32; TERMS]);
        impl Sink for Counts {
            fn add(&mut self, term: usize, count: i32) {
                self.0[term] += count;
            }
        }
        let mut counts = Counts([0; TERMS]);
        terms::list(board, &mut counts);
        let terms = (0..TERMS).zip(counts.0).filter(|&(_, count)| count != 0);
        (material::balance(board), terms.collect())
    }

    #[test]
    fn a_trace_adds_up_to_the_evaluation() {
        let position: Position = MIDDLE.parse().expect("a position");
        let weights = Weights::shipped();
        let (material, terms) = trace(position.board());
        let sum: i32 = terms
            .iter()
            .map(|&(term, count)| i32::from(weights.get(term)) * count)
            .sum();
        let evaluation = Weighted::shipped().evaluate(position.board(), Side::Gold);
        assert_eq!(material + sum, evaluation);
    }

    #[test]
    fn mirror_and_colours_change_nothing() {
        use hathi_rules::{Symmetric, Symmetry};
        let position: Position = MIDDLE.parse().expect("a position");
        let evaluation = Weighted::shipped();
        let value = evaluation.evaluate(position.board(), position.side_to_move());
        assert_ne!(value, 0);
        for symmetry in Symmetry::ALL {
            let image = position.under(symmetry);
            let seen = evaluation.evaluate(image.board(), image.side_to_move());
            assert_eq!(seen, value, "{symmetry:?}");
        }
    }
}

//! One lesson through the network and back.

use hathi_model::network::inputs::{self, Row, Scene};
use hathi_model::network::{BUCKETS, HIDDEN, LEFT, SECOND, bucket};
use hathi_rules::{Board, Symmetric, Symmetry};

use super::lesson::{Lesson, chance};

/// The numbers of a network while it learns, or what to change about them.
#[derive(Clone)]
pub(super) struct Numbers {
    /// `HIDDEN` for each row.
    pub(super) rows: Vec<f32>,
    /// One for each row.
    pub(super) direct: Vec<f32>,
    pub(super) bias: [f32; HIDDEN],
    pub(super) out: [[f32; HIDDEN]; BUCKETS],
    /// To be on move: boards only looked at, boards searched; with one to four steps left.
    pub(super) tempo: [[f32; LEFT]; 2],
    /// The same by what the units are: looked at or searched, steps left, stretch of the
    /// game, the view of the side on move and of the other.
    pub(super) gain: Gains<HIDDEN>,
    /// What each unit of the second layer makes of the units of both views.
    pub(super) second: [[[f32; HIDDEN]; 2]; SECOND],
    /// The second layer of an empty board.
    pub(super) second_bias: [f32; SECOND],
    /// What each unit of the second layer counts, by stretch of the game.
    pub(super) second_out: [[f32; SECOND]; BUCKETS],
    /// What each adds to the worth of being on move, as `gain`.
    pub(super) second_gain: Gains<SECOND>,
}

impl Numbers {
    pub(super) fn zero(rows: usize) -> Numbers {
        Numbers {
            rows: vec![0.0; rows * HIDDEN],
            direct: vec![0.0; rows],
            bias: [0.0; HIDDEN],
            out: [[0.0; HIDDEN]; BUCKETS],
            tempo: [[0.0; LEFT]; 2],
            gain: [[[[[0.0; HIDDEN]; 2]; BUCKETS]; LEFT]; 2],
            second: [[[0.0; HIDDEN]; 2]; SECOND],
            second_bias: [0.0; SECOND],
            second_out: [[0.0; SECOND]; BUCKETS],
            second_gain: [[[[[0.0; SECOND]; 2]; BUCKETS]; LEFT]; 2],
        }
    }

    /// All numbers but those of the rows, one after the other.
    pub(super) fn few(&self) -> impl Iterator<Item = &f32> {
        self.bias
            .iter()
            .chain(self.out.as_flattened())
            .chain(flat(&self.gain))
            .chain(self.second.as_flattened().as_flattened())
            .chain(&self.second_bias)
            .chain(self.second_out.as_flattened())
            .chain(flat(&self.second_gain))
            .chain(self.tempo.as_flattened())
    }

    /// The same, to be changed.
    pub(super) fn few_mut(&mut self) -> impl Iterator<Item = &mut f32> {
        self.bias
            .iter_mut()
            .chain(self.out.as_flattened_mut())
            .chain(flat_mut(&mut self.gain))
            .chain(self.second.as_flattened_mut().as_flattened_mut())
            .chain(&mut self.second_bias)
            .chain(self.second_out.as_flattened_mut())
            .chain(flat_mut(&mut self.second_gain))
            .chain(self.tempo.as_flattened_mut())
    }

    pub(super) fn clear(&mut self) {
        self.rows.fill(0.0);
        self.direct.fill(0.0);
        self.few_mut().for_each(|number| *number = 0.0);
    }

    pub(super) fn add(&mut self, other: &Numbers) {
        let pairs = self.rows.iter_mut().zip(&other.rows);
        for (sum, more) in pairs.chain(self.direct.iter_mut().zip(&other.direct)) {
            *sum += more;
        }
        for (sum, more) in self.few_mut().zip(other.few()) {
            *sum += more;
        }
    }
}

/// Gains of the units of a layer: looked at or searched, steps left, stretch of the game, view.
pub(super) type Gains<const UNITS: usize> = [[[[[f32; UNITS]; 2]; BUCKETS]; LEFT]; 2];

fn flat<const UNITS: usize>(gains: &Gains<UNITS>) -> &[f32] {
    let by_view = gains.as_flattened().as_flattened().as_flattened();
    by_view.as_flattened()
}

pub(super) fn flat_mut<const UNITS: usize>(gains: &mut Gains<UNITS>) -> &mut [f32] {
    let by_stretch = gains.as_flattened_mut().as_flattened_mut();
    by_stretch.as_flattened_mut().as_flattened_mut()
}

/// What a lesson looks like from both sides: rows of its own side, rows of
/// the other.
#[derive(Default)]
pub(super) struct Views {
    rows: [Vec<Row>; 2],
    bucket: usize,
    /// Only looked at, or searched.
    kind: usize,
    /// The place of the steps left among one to four.
    left: usize,
}

impl Views {
    pub(super) fn look(&mut self, lesson: &Lesson, mirrored: bool) -> bool {
        let Ok(board) = Board::try_from(lesson.board) else {
            return false;
        };
        let board = if mirrored {
            board.under(Symmetry::MIRROR)
        } else {
            board
        };
        self.bucket = bucket(&board);
        self.kind = usize::from(lesson.searched);
        self.left = usize::from(lesson.left).clamp(1, LEFT) - 1;
        let [own, other] = &mut self.rows;
        own.clear();
        other.clear();
        inputs::list(&Scene::of(&board), |[gold, silver]| {
            own.push(gold);
            other.push(silver);
        });
        true
    }
}

#[inline(always)]
fn sum_rows(numbers: &Numbers, rows: &[Row]) -> [f32; HIDDEN] {
    let mut sums = numbers.bias;
    for &row in rows {
        let weights = &numbers.rows[row as usize * HIDDEN..][..HIDDEN];
        for (sum, weight) in sums.iter_mut().zip(weights) {
            *sum += weight;
        }
    }
    sums
}

/// The second layer as the side on move sees the board, and as the other does.
#[inline(always)]
fn second_layer(
    numbers: &Numbers,
    own: &[f32; HIDDEN],
    other: &[f32; HIDDEN],
) -> [[f32; SECOND]; 2] {
    let mut sums = [numbers.second_bias; 2];
    for (unit, [by_own, by_other]) in numbers.second.iter().enumerate() {
        let (mut mine, mut theirs) = ([0.0; LANES], [0.0; LANES]);
        for index in (0..HIDDEN).step_by(LANES) {
            for lane in 0..LANES {
                let (a, b) = (own[index + lane], other[index + lane]);
                let (p, q) = (by_own[index + lane], by_other[index + lane]);
                mine[lane] += p * a + q * b;
                theirs[lane] += p * b + q * a;
            }
        }
        sums[0][unit] += mine.iter().sum::<f32>();
        sums[1][unit] += theirs.iter().sum::<f32>();
    }
    sums
}

/// Sums kept apart, so that wide registers can be used.
const LANES: usize = 8;

/// What the network makes of a lesson, and if `change` is given, how each
/// number would have to change to do better.
#[inline(always)]
fn learn_body(numbers: &Numbers, views: &Views, wanted: f32, change: Option<&mut Numbers>) -> f32 {
    let own = sum_rows(numbers, &views.rows[0]);
    let other = sum_rows(numbers, &views.rows[1]);
    let squares = |sums: &[f32; HIDDEN]| sums.map(|sum| sum.clamp(0.0, 1.0) * sum.clamp(0.0, 1.0));
    let (own_units, other_units) = (squares(&own), squares(&other));
    let out = &numbers.out[views.bucket];
    let gains = &numbers.gain[views.kind][views.left][views.bucket];
    let mut hidden = 0.0;
    for unit in 0..HIDDEN {
        let (a, b) = (own_units[unit], other_units[unit]);
        hidden += out[unit] * (a - b) + gains[0][unit] * a + gains[1][unit] * b;
    }
    let [mine, theirs] = second_layer(numbers, &own_units, &other_units);
    let second_out = &numbers.second_out[views.bucket];
    let second_gain = &numbers.second_gain[views.kind][views.left][views.bucket];
    for unit in 0..SECOND {
        let (a, b) = (mine[unit].clamp(0.0, 1.0), theirs[unit].clamp(0.0, 1.0));
        hidden += second_out[unit] * (a - b) + second_gain[0][unit] * a + second_gain[1][unit] * b;
    }
    let direct =
        |rows: &[Row]| -> f32 { rows.iter().map(|&row| numbers.direct[row as usize]).sum() };
    let score = hidden + direct(&views.rows[0]) - direct(&views.rows[1])
        + numbers.tempo[views.kind][views.left];
    let seen = chance(score);
    let Some(change) = change else {
        return seen;
    };
    let slope = 2.0 * (seen - wanted) * seen * (1.0 - seen);
    let inside = |sum: f32| if sum > 0.0 && sum < 1.0 { 1.0 } else { 0.0 };
    change.tempo[views.kind][views.left] += slope;
    // What each unit of the first layer should change by.
    let mut own_slope = [0.0; HIDDEN];
    let mut other_slope = [0.0; HIDDEN];
    for unit in 0..HIDDEN {
        own_slope[unit] = slope * (out[unit] + gains[0][unit]);
        other_slope[unit] = slope * (gains[1][unit] - out[unit]);
    }
    for unit in 0..SECOND {
        let (a, b) = (mine[unit].clamp(0.0, 1.0), theirs[unit].clamp(0.0, 1.0));
        change.second_out[views.bucket][unit] += slope * (a - b);
        let second_changes = &mut change.second_gain[views.kind][views.left][views.bucket];
        second_changes[0][unit] += slope * a;
        second_changes[1][unit] += slope * b;
        let by_mine = slope * (second_out[unit] + second_gain[0][unit]) * inside(mine[unit]);
        let by_theirs = slope * (second_gain[1][unit] - second_out[unit]) * inside(theirs[unit]);
        if by_mine == 0.0 && by_theirs == 0.0 {
            continue;
        }
        change.second_bias[unit] += by_mine + by_theirs;
        let [by_own, by_other] = &numbers.second[unit];
        let [own_changes, other_changes] = &mut change.second[unit];
        for index in 0..HIDDEN {
            let (a, b) = (own_units[index], other_units[index]);
            own_changes[index] += by_mine * a + by_theirs * b;
            other_changes[index] += by_mine * b + by_theirs * a;
            own_slope[index] += by_mine * by_own[index] + by_theirs * by_other[index];
            other_slope[index] += by_mine * by_other[index] + by_theirs * by_own[index];
        }
    }
    let gain_changes = &mut change.gain[views.kind][views.left][views.bucket];
    let changes = &mut change.out[views.bucket];
    for unit in 0..HIDDEN {
        let (a, b) = (own_units[unit], other_units[unit]);
        changes[unit] += slope * (a - b);
        gain_changes[0][unit] += slope * a;
        gain_changes[1][unit] += slope * b;
        own_slope[unit] *= 2.0 * own[unit].clamp(0.0, 1.0) * inside(own[unit]);
        other_slope[unit] *= 2.0 * other[unit].clamp(0.0, 1.0) * inside(other[unit]);
    }
    for unit in 0..HIDDEN {
        change.bias[unit] += own_slope[unit] + other_slope[unit];
    }
    for (rows, slopes, slope) in [
        (&views.rows[0], &own_slope, slope),
        (&views.rows[1], &other_slope, -slope),
    ] {
        for &row in rows {
            change.direct[row as usize] += slope;
            let changes = &mut change.rows[row as usize * HIDDEN..][..HIDDEN];
            for (change, slope) in changes.iter_mut().zip(slopes) {
                *change += slope;
            }
        }
    }
    seen
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn learn_avx2(numbers: &Numbers, views: &Views, wanted: f32, change: Option<&mut Numbers>) -> f32 {
    learn_body(numbers, views, wanted, change)
}

/// See [`learn_body`].
#[allow(unsafe_code)] // for processors that have AVX2: twice as fast
pub(super) fn learn(
    numbers: &Numbers,
    views: &Views,
    wanted: f32,
    change: Option<&mut Numbers>,
) -> f32 {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        // SAFETY: the processor has what the function needs, as just asked.
        return unsafe { learn_avx2(numbers, views, wanted, change) };
    }
    learn_body(numbers, views, wanted, change)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hathi_model::network::inputs::ROWS;
    use hathi_rules::{Position, Side};

    /// What is learned from a lesson is the slope of its error: each number moved
    /// a little changes the error by as much as was said.
    #[test]
    fn slopes_are_those_of_the_error() {
        for left in [4, 1] {
            slopes_with(left);
        }
    }

    fn slopes_with(left: u8) {
        let position: Position =
            "g [rrrrr rr hd e   m    c   C     d  M H   E   D    HDC   RRRRRRRR ]"
                .parse()
                .expect("a position");
        let lesson = Lesson {
            left,
            ..Lesson::new(position.board(), Side::Gold, 0.7, 0)
        };
        let mut views = Views::default();
        assert!(views.look(&lesson, false));
        let mut random = fastrand::Rng::with_seed(5);
        let mut numbers = Numbers::zero(ROWS);
        for number in &mut numbers.rows {
            *number = (random.f32() - 0.48) * 0.1;
        }
        numbers
            .few_mut()
            .for_each(|number| *number = (random.f32() - 0.45) * 0.15);
        let error = |numbers: &Numbers| (learn(numbers, &views, 0.7, None) - 0.7).powi(2);
        let mut slopes = Numbers::zero(ROWS);
        learn(&numbers, &views, 0.7, Some(&mut slopes));
        let told: Vec<f32> = slopes.few().copied().collect();
        let mut checked = 0;
        for (index, &told) in told.iter().enumerate() {
            let moved = |by: f32| {
                let mut moved = numbers.clone();
                if let Some(number) = moved.few_mut().nth(index) {
                    *number += by;
                }
                error(&moved)
            };
            // Every seventh is enough, and all of those that count most.
            if index % 7 != 0 && told.abs() < 0.01 {
                continue;
            }
            let seen = (moved(0.004) - moved(-0.004)) / 0.008;
            assert!(
                (seen - told).abs() < 0.002 + 0.05 * told.abs(),
                "number {index}: {told} told, {seen} seen"
            );
            checked += usize::from(told.abs() > 0.001);
        }
        assert!(checked > 50, "{checked} numbers matter");
        for row in views.rows.iter().flatten().map(|&row| usize::from(row)) {
            for unit in [0, 17, 40, 63] {
                let place = row * HIDDEN + unit;
                let moved = |by: f32| {
                    let mut moved = numbers.clone();
                    moved.rows[place] += by;
                    error(&moved)
                };
                let (told, seen) = (slopes.rows[place], (moved(0.002) - moved(-0.002)) / 0.004);
                assert!(
                    (seen - told).abs() < 0.004 + 0.05 * told.abs(),
                    "row {row}, unit {unit}: {told} told, {seen} seen"
                );
            }
        }
    }
}

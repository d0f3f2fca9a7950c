//! One lesson through the network and back.

use hathi_model::network::inputs::{self, Row, Scene};
use hathi_model::network::{BUCKETS, HIDDEN, bucket};
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
    /// To be on move: boards only looked at, boards searched.
    pub(super) tempo: [f32; 2],
    /// The same by what the units are: looked at or searched, stretch of the
    /// game, the view of the side on move and of the other.
    pub(super) gain: [[[[f32; HIDDEN]; 2]; BUCKETS]; 2],
}

impl Numbers {
    pub(super) fn zero(rows: usize) -> Numbers {
        Numbers {
            rows: vec![0.0; rows * HIDDEN],
            direct: vec![0.0; rows],
            bias: [0.0; HIDDEN],
            out: [[0.0; HIDDEN]; BUCKETS],
            tempo: [0.0; 2],
            gain: [[[[0.0; HIDDEN]; 2]; BUCKETS]; 2],
        }
    }

    pub(super) fn clear(&mut self) {
        self.rows.fill(0.0);
        self.direct.fill(0.0);
        self.bias = [0.0; HIDDEN];
        self.out = [[0.0; HIDDEN]; BUCKETS];
        self.tempo = [0.0; 2];
        self.gain = [[[[0.0; HIDDEN]; 2]; BUCKETS]; 2];
    }

    pub(super) fn add(&mut self, other: &Numbers) {
        let pairs = self.rows.iter_mut().zip(&other.rows);
        for (sum, more) in pairs.chain(self.direct.iter_mut().zip(&other.direct)) {
            *sum += more;
        }
        for (sum, more) in self.bias.iter_mut().zip(&other.bias) {
            *sum += more;
        }
        let out = self.out.iter_mut().flatten();
        for (sum, more) in out.zip(other.out.iter().flatten()) {
            *sum += more;
        }
        for (sum, more) in self.tempo.iter_mut().zip(&other.tempo) {
            *sum += more;
        }
        let gain = self.gain.iter_mut().flatten().flatten().flatten();
        for (sum, more) in gain.zip(other.gain.iter().flatten().flatten().flatten()) {
            *sum += more;
        }
    }
}

/// What a lesson looks like from both sides: rows of its own side, rows of
/// the other.
#[derive(Default)]
pub(super) struct Views {
    rows: [Vec<Row>; 2],
    bucket: usize,
    /// Only looked at, or searched.
    kind: usize,
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

/// What the network makes of a lesson, and if `change` is given, how each
/// number would have to change to do better.
#[inline(always)]
fn learn_body(numbers: &Numbers, views: &Views, wanted: f32, change: Option<&mut Numbers>) -> f32 {
    let own = sum_rows(numbers, &views.rows[0]);
    let other = sum_rows(numbers, &views.rows[1]);
    let out = &numbers.out[views.bucket];
    let gains = &numbers.gain[views.kind][views.bucket];
    let mut hidden = 0.0;
    for unit in 0..HIDDEN {
        let (a, b) = (own[unit].clamp(0.0, 1.0), other[unit].clamp(0.0, 1.0));
        hidden += out[unit] * (a * a - b * b) + gains[0][unit] * a * a + gains[1][unit] * b * b;
    }
    let direct =
        |rows: &[Row]| -> f32 { rows.iter().map(|&row| numbers.direct[row as usize]).sum() };
    let score =
        hidden + direct(&views.rows[0]) - direct(&views.rows[1]) + numbers.tempo[views.kind];
    let seen = chance(score);
    let Some(change) = change else {
        return seen;
    };
    let slope = 2.0 * (seen - wanted) * seen * (1.0 - seen);
    change.tempo[views.kind] += slope;
    let gain_changes = &mut change.gain[views.kind][views.bucket];
    let changes = &mut change.out[views.bucket];
    let mut own_slope = [0.0; HIDDEN];
    let mut other_slope = [0.0; HIDDEN];
    for unit in 0..HIDDEN {
        let (a, b) = (own[unit].clamp(0.0, 1.0), other[unit].clamp(0.0, 1.0));
        changes[unit] += slope * (a * a - b * b);
        let inside = |sum: f32| if sum > 0.0 && sum < 1.0 { 1.0 } else { 0.0 };
        gain_changes[0][unit] += slope * a * a;
        gain_changes[1][unit] += slope * b * b;
        own_slope[unit] = slope * (out[unit] + gains[0][unit]) * 2.0 * a * inside(own[unit]);
        other_slope[unit] = slope * (gains[1][unit] - out[unit]) * 2.0 * b * inside(other[unit]);
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

//! Timing a piece of work over a set of items.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// What a measure found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timing {
    /// How many items one pass goes over.
    pub(super) items: usize,
    /// The sum of what `work` returned in one pass.
    pub(super) units: u64,
    /// The time of a pass, the best of several.
    pub(super) best: Duration,
}

impl Timing {
    pub(super) fn units_per_second(self) -> f64 {
        self.units as f64 / self.best.as_secs_f64()
    }

    pub(super) fn items_per_second(self) -> f64 {
        self.items as f64 / self.best.as_secs_f64()
    }

    pub(super) fn nanoseconds_per_item(self) -> f64 {
        self.best.as_secs_f64() * 1e9 / self.items as f64
    }
}

/// Passes after the warm-up, at least.
const PASSES: u32 = 3;

/// A pass is timed in pieces of about this length, and the best time of each
/// piece counts. Another program that takes the core away spoils a piece or
/// two, not the pass.
const PIECE: Duration = Duration::from_millis(2);

/// Times `work`, which returns how much it did, over the items. If all of them
/// would take longer than the budget allows, over an even sample of them.
pub(super) fn measure<T>(items: &[T], budget: Duration, mut work: impl FnMut(&T) -> u64) -> Timing {
    let pass_time = budget / (PASSES + 1);
    let fitting = warm_up(items, pass_time, &mut work);
    // The estimate is rough: all items, if nearly all would fit.
    let sample = if fitting * 1.5 >= items.len() as f64 {
        items.len()
    } else {
        (fitting as usize).max(1)
    };
    let per_piece = fitting * PIECE.as_secs_f64() / pass_time.as_secs_f64();
    let per_piece = (per_piece as usize).max(1);

    let mut best = vec![Duration::MAX; sample.div_ceil(per_piece)];
    let mut units = 0;
    let mut passes = 0;
    let start = Instant::now();
    while passes < PASSES || start.elapsed() < pass_time * PASSES {
        units = 0;
        for (piece, best) in best.iter_mut().enumerate() {
            let first = piece * per_piece;
            let end = sample.min(first + per_piece);
            let start = Instant::now();
            for i in first..end {
                units += work(black_box(&items[i * items.len() / sample]));
            }
            *best = start.elapsed().min(*best);
        }
        passes += 1;
    }
    Timing {
        items: sample,
        units,
        best: best.iter().sum(),
    }
}

/// Runs for a while, and tells how many items fit into this time.
fn warm_up<T>(items: &[T], time: Duration, work: &mut impl FnMut(&T) -> u64) -> f64 {
    /// Longer than a game, so that one item is not much like the next.
    const STRIDE: usize = 7919;
    let start = Instant::now();
    let mut done = 0;
    while start.elapsed() < time {
        black_box(work(&items[done * STRIDE % items.len()]));
        done += 1;
    }
    done as f64 * time.as_secs_f64() / start.elapsed().as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_those_of_one_pass() {
        let timing = measure(&[1, 2, 3], Duration::from_millis(8), |&n| n);
        assert_eq!((timing.items, timing.units), (3, 6));
        assert!(timing.units_per_second() > 0.0);
    }

    #[test]
    fn slow_work_is_sampled() {
        let slow = |_: &u8| {
            std::thread::sleep(Duration::from_millis(1));
            1
        };
        let timing = measure(&[0; 1000], Duration::from_millis(40), slow);
        assert!(timing.items < 100, "{timing:?}");
        assert!(timing.nanoseconds_per_item() >= 1e6);
    }
}

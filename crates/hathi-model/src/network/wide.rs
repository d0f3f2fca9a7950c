//! The loops over the hidden layer, where most of an evaluation's time goes:
//! with the wide registers of the processor if it has them, else with those
//! that every one has. Both are the same lines of Rust, so they say the same.
#![allow(unsafe_code)]

use super::inputs::Seen;
use super::{HIDDEN, ONE};

/// The first layer's sums, as each side sees the board.
pub(super) type Sums = [[i16; HIDDEN]; 2];

/// The sums after some rows have come and others have gone.
#[inline]
pub(super) fn apply(
    rows: &[[i16; HIDDEN]],
    from: &Sums,
    to: &mut Sums,
    come: &[Seen],
    go: &[Seen],
) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has just said that it can.
        return unsafe { apply_avx2(rows, from, to, come, go) };
    }
    apply_plainly(rows, from, to, come, go);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn apply_avx2(rows: &[[i16; HIDDEN]], from: &Sums, to: &mut Sums, come: &[Seen], go: &[Seen]) {
    apply_plainly(rows, from, to, come, go);
}

#[inline(always)]
#[allow(clippy::inline_always)] // or it would not be compiled for wide registers
fn apply_plainly(rows: &[[i16; HIDDEN]], from: &Sums, to: &mut Sums, come: &[Seen], go: &[Seen]) {
    for view in 0..2 {
        let mut sums = from[view];
        for row in come {
            for (sum, weight) in sums.iter_mut().zip(&rows[row[view] as usize]) {
                *sum = sum.wrapping_add(*weight);
            }
        }
        for row in go {
            for (sum, weight) in sums.iter_mut().zip(&rows[row[view] as usize]) {
                *sum = sum.wrapping_sub(*weight);
            }
        }
        to[view] = sums;
    }
}

/// Each unit squared, times what it counts.
#[inline]
pub(super) fn layer(sums: &[i16; HIDDEN], out: &[i16; HIDDEN]) -> i32 {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has just said that it can.
        return unsafe { layer_avx2(sums, out) };
    }
    layer_plainly(sums, out)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn layer_avx2(sums: &[i16; HIDDEN], out: &[i16; HIDDEN]) -> i32 {
    layer_plainly(sums, out)
}

#[inline(always)]
#[allow(clippy::inline_always)] // as above
fn layer_plainly(sums: &[i16; HIDDEN], out: &[i16; HIDDEN]) -> i32 {
    let mut total = 0i32;
    for (&sum, &weight) in sums.iter().zip(out) {
        let unit = sum.clamp(0, ONE);
        // At most 255 times 127: fits.
        let counted = unit.wrapping_mul(weight);
        total += i32::from(unit) * i32::from(counted);
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_and_plain_say_the_same() {
        let mut dice = 1u64;
        let mut next = || {
            dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (dice >> 40) as i16
        };
        let rows: Vec<[i16; HIDDEN]> = (0..64)
            .map(|_| std::array::from_fn(|_| next() % 200))
            .collect();
        for _ in 0..200 {
            let from: Sums = std::array::from_fn(|_| std::array::from_fn(|_| next()));
            let seen = |count: i16, next: &mut dyn FnMut() -> i16| -> Vec<Seen> {
                (0..count)
                    .map(|_| [next().unsigned_abs() % 64, next().unsigned_abs() % 64])
                    .collect()
            };
            let count = next().rem_euclid(20);
            let (come, go) = (seen(count, &mut next), seen(20 - count, &mut next));
            let (mut wide, mut plain) = (from, from);
            apply(&rows, &from, &mut wide, &come, &go);
            apply_plainly(&rows, &from, &mut plain, &come, &go);
            assert_eq!(wide, plain);
            let out: [i16; HIDDEN] = std::array::from_fn(|_| next() % 128);
            assert_eq!(layer(&wide[0], &out), layer_plainly(&plain[0], &out));
        }
    }
}

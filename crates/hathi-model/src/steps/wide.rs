//! The loops over the first layer, with the processor's wide registers where it
//! has them; the plain ones say the same.
#![allow(unsafe_code)]

use super::{STEP_HIDDEN, STEP_UNITS};
use crate::network::inputs::Seen;

/// The first layer's sums, as each side sees the board.
pub(super) type Sums = [[i16; STEP_HIDDEN]; 2];

/// The sums after some rows have come and others have gone.
#[inline]
pub(super) fn apply(
    rows: &[[i8; STEP_HIDDEN]],
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
fn apply_avx2(rows: &[[i8; STEP_HIDDEN]], from: &Sums, to: &mut Sums, come: &[Seen], go: &[Seen]) {
    apply_plainly(rows, from, to, come, go);
}

#[inline(always)]
#[allow(clippy::inline_always)] // or it would not be compiled for wide registers
fn apply_plainly(
    rows: &[[i8; STEP_HIDDEN]],
    from: &Sums,
    to: &mut Sums,
    come: &[Seen],
    go: &[Seen],
) {
    for view in 0..2 {
        let mut sums = from[view];
        for row in come {
            for (sum, weight) in sums.iter_mut().zip(&rows[row[view] as usize]) {
                *sum = sum.wrapping_add(i16::from(*weight));
            }
        }
        for row in go {
            for (sum, weight) in sums.iter_mut().zip(&rows[row[view] as usize]) {
                *sum = sum.wrapping_sub(i16::from(*weight));
            }
        }
        to[view] = sums;
    }
}

/// Units up to 127 times their weights, added up.
#[inline]
pub(super) fn weigh(units: &[u8; STEP_UNITS], weights: &[i8; STEP_UNITS]) -> i32 {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has just said that it can.
        return unsafe { weigh_avx2(units, weights) };
    }
    weigh_plainly(units, weights)
}

/// Two units at a time: 127 times 127 twice fits two bytes, so nothing is cut off.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
#[allow(clippy::cast_ptr_alignment)] // these loads need none
fn weigh_avx2(units: &[u8; STEP_UNITS], weights: &[i8; STEP_UNITS]) -> i32 {
    use std::arch::x86_64::{
        __m256i, _mm_add_epi32, _mm_cvtsi128_si32, _mm_shuffle_epi32, _mm256_add_epi32,
        _mm256_castsi256_si128, _mm256_extracti128_si256, _mm256_loadu_si256, _mm256_madd_epi16,
        _mm256_maddubs_epi16, _mm256_set1_epi16, _mm256_setzero_si256,
    };
    let ones = _mm256_set1_epi16(1);
    let mut sums = _mm256_setzero_si256();
    let pairs = units.as_chunks::<32>().0.iter();
    for (units, weights) in pairs.zip(weights.as_chunks::<32>().0) {
        // SAFETY: both are 32 bytes.
        let (units, weights) = unsafe {
            (
                _mm256_loadu_si256(units.as_ptr().cast::<__m256i>()),
                _mm256_loadu_si256(weights.as_ptr().cast::<__m256i>()),
            )
        };
        let products = _mm256_madd_epi16(_mm256_maddubs_epi16(units, weights), ones);
        sums = _mm256_add_epi32(sums, products);
    }
    let four = _mm_add_epi32(
        _mm256_castsi256_si128(sums),
        _mm256_extracti128_si256::<1>(sums),
    );
    let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b01_00_11_10>(four));
    let one = _mm_add_epi32(two, _mm_shuffle_epi32::<0b10_11_00_01>(two));
    _mm_cvtsi128_si32(one)
}

fn weigh_plainly(units: &[u8; STEP_UNITS], weights: &[i8; STEP_UNITS]) -> i32 {
    let products = units
        .iter()
        .zip(weights)
        .map(|(&unit, &weight)| i32::from(unit) * i32::from(weight));
    products.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_and_plain_say_the_same() {
        let mut random = fastrand::Rng::with_seed(1);
        let rows: Vec<[i8; STEP_HIDDEN]> = (0..64)
            .map(|_| std::array::from_fn(|_| random.i8(..)))
            .collect();
        for _ in 0..200 {
            let from: Sums = std::array::from_fn(|_| std::array::from_fn(|_| random.i16(..)));
            let mut seen = |count: usize| -> Vec<Seen> {
                (0..count)
                    .map(|_| [random.u16(..64), random.u16(..64)])
                    .collect()
            };
            let (come, go) = (seen(9), seen(5));
            let (mut wide, mut plain) = (from, from);
            apply(&rows, &from, &mut wide, &come, &go);
            apply_plainly(&rows, &from, &mut plain, &come, &go);
            assert_eq!(wide, plain);
            let units = std::array::from_fn(|_| random.u8(..=127));
            let weights = std::array::from_fn(|_| random.i8(-127..));
            assert_eq!(weigh(&units, &weights), weigh_plainly(&units, &weights));
        }
    }
}

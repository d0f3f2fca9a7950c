//! The loops over the hidden layer, where most of an evaluation's time goes:
//! with the wide registers of the processor if it has them, else with those
//! that every one has. Both are the same lines of Rust, so they say the same.
#![allow(unsafe_code)]

use super::inputs::Seen;
use super::{HIDDEN, Network, ONE, SECOND, SECOND_FULL};

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

/// Units of the second layer, as each of the two views makes them.
pub(super) type Second = [[i32; SECOND]; 2];

/// The second layer; the first view is the one whose own pieces come first.
#[inline]
pub(super) fn second(network: &Network, own: &[i16; HIDDEN], other: &[i16; HIDDEN]) -> Second {
    let (mut sums, mut differences) = ([0; HIDDEN], [0; HIDDEN]);
    for unit in 0..HIDDEN {
        let (own, other) = (seen(own[unit]), seen(other[unit]));
        sums[unit] = own + other;
        differences[unit] = own - other;
    }
    let [added, taken] = &network.second;
    let (alike, unlike) = (product(added, &sums), product(taken, &differences));
    // With weights p and q a unit is p own + q other, in the other view p other + q own:
    // half of (p + q)(own + other), with and less half of (p - q)(own - other).
    let unit = |unit: usize, weighed: i32| {
        network.second_bias[unit]
            .saturating_add(weighed / 2)
            .clamp(0, SECOND_FULL)
    };
    [
        std::array::from_fn(|index| unit(index, alike[index].wrapping_add(unlike[index]))),
        std::array::from_fn(|index| unit(index, alike[index].wrapping_sub(unlike[index]))),
    ]
}

/// A unit of the first layer as the second sees it: squared.
#[inline]
fn seen(sum: i16) -> i16 {
    let unit = sum.clamp(0, ONE).cast_unsigned();
    // At most 255 times 255: fits without a sign.
    (unit.wrapping_mul(unit) >> 8).cast_signed()
}

/// What each unit of the second layer makes of the first.
#[inline]
fn product(weights: &[[i16; 2 * SECOND]; HIDDEN / 2], units: &[i16; HIDDEN]) -> [i32; SECOND] {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has just said that it can.
        return unsafe { product_avx2(weights, units) };
    }
    product_plainly(weights, units)
}

/// Two units at a time with the instruction made for it, which compilers do not
/// find by themselves here.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
#[allow(clippy::cast_ptr_alignment)] // these loads and stores need none
fn product_avx2(weights: &[[i16; 2 * SECOND]; HIDDEN / 2], units: &[i16; HIDDEN]) -> [i32; SECOND] {
    use std::arch::x86_64::{
        __m256i, _mm256_add_epi32, _mm256_loadu_si256, _mm256_madd_epi16, _mm256_set1_epi32,
        _mm256_setzero_si256, _mm256_storeu_si256,
    };
    let mut sums = [_mm256_setzero_si256(); SECOND / 8];
    for (weights, units) in weights.iter().zip(units.as_chunks::<2>().0) {
        let both = u32::from(units[0].cast_unsigned()) | u32::from(units[1].cast_unsigned()) << 16;
        let both = _mm256_set1_epi32(both.cast_signed());
        for (sum, weights) in sums.iter_mut().zip(weights.as_chunks::<16>().0) {
            // SAFETY: sixteen numbers of two bytes are the 32 bytes read.
            let weights = unsafe { _mm256_loadu_si256(weights.as_ptr().cast::<__m256i>()) };
            *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(weights, both));
        }
    }
    let mut product = [0; SECOND];
    for (sum, to) in sums.iter().zip(product.as_chunks_mut::<8>().0) {
        // SAFETY: eight numbers of four bytes are the 32 bytes written.
        unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast::<__m256i>(), *sum) };
    }
    product
}

fn product_plainly(
    weights: &[[i16; 2 * SECOND]; HIDDEN / 2],
    units: &[i16; HIDDEN],
) -> [i32; SECOND] {
    let mut product = [0i32; SECOND];
    for (weights, units) in weights.iter().zip(units.as_chunks::<2>().0) {
        for (sum, weights) in product.iter_mut().zip(weights.as_chunks::<2>().0) {
            // As the processor's instruction does: numbers that no training gives go round.
            let both = (i32::from(weights[0]) * i32::from(units[0]))
                .wrapping_add(i32::from(weights[1]) * i32::from(units[1]));
            *sum = sum.wrapping_add(both);
        }
    }
    product
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
            let weights = std::array::from_fn(|_| std::array::from_fn(|_| next() / 2));
            let units = wide[1].map(|unit| unit % 509);
            assert_eq!(product(&weights, &units), product_plainly(&weights, &units));
        }
    }
}

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

/// What both layers make of a board for the side on move: the first one; of the second what lasts,
/// and what being on move gains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Weighed {
    pub(super) first: i64,
    pub(super) lasting: i64,
    pub(super) gained: i64,
}

/// Both layers, from the view of the side on move and that of the other; `place` is that of the steps
/// left among one to four.
#[inline]
pub(super) fn weigh(
    network: &Network,
    own: &[i16; HIDDEN],
    other: &[i16; HIDDEN],
    bucket: usize,
    place: usize,
) -> Weighed {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has just said that it can.
        return unsafe { weigh_avx2(network, own, other, bucket, place) };
    }
    weigh_plainly(network, own, other, bucket, place, product_plainly)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn weigh_avx2(
    network: &Network,
    own: &[i16; HIDDEN],
    other: &[i16; HIDDEN],
    bucket: usize,
    place: usize,
) -> Weighed {
    weigh_plainly(network, own, other, bucket, place, |weights, units| {
        product_avx2(weights, units)
    })
}

#[inline(always)]
#[allow(clippy::inline_always)] // as above
fn weigh_plainly(
    network: &Network,
    own: &[i16; HIDDEN],
    other: &[i16; HIDDEN],
    bucket: usize,
    place: usize,
    product: impl Fn(&Weights, &[i16; HIDDEN]) -> [i32; SECOND],
) -> Weighed {
    let (out, gain) = (&network.out[bucket], &network.gain[place][bucket]);
    // Each has its view of the first layer, and they are added up where nothing can overflow.
    let lasting = i64::from(layer(own, out)) - i64::from(layer(other, out));
    let gained = i64::from(layer(own, &gain[0])) + i64::from(layer(other, &gain[1]));
    let [mine, theirs] = second(network, own, other, product);
    let (out, gain) = (
        &network.second_out[bucket],
        &network.second_gain[place][bucket],
    );
    Weighed {
        first: lasting + gained,
        lasting: count(&std::array::from_fn(|unit| mine[unit] - theirs[unit]), out),
        gained: count(&mine, &gain[0]) + count(&theirs, &gain[1]),
    }
}

/// Each unit squared, times what it counts.
#[inline(always)]
#[allow(clippy::inline_always)] // as above
fn layer(sums: &[i16; HIDDEN], out: &[i16; HIDDEN]) -> i32 {
    let mut total = 0i32;
    for (&sum, &weight) in sums.iter().zip(out) {
        let unit = sum.clamp(0, ONE);
        // At most 255 times 127: fits.
        let counted = unit.wrapping_mul(weight);
        total += i32::from(unit) * i32::from(counted);
    }
    total
}

/// What units of the second layer count.
#[inline(always)]
#[allow(clippy::inline_always)] // as above
fn count(units: &[i32; SECOND], weights: &[i32; SECOND]) -> i64 {
    units
        .iter()
        .zip(weights)
        .map(|(&unit, &weight)| i64::from(unit) * i64::from(weight))
        .sum()
}

/// Units of the second layer, as each of the two views makes them.
type Second = [[i32; SECOND]; 2];

/// Weights of the second layer, of one kind.
type Weights = [[i16; 2 * SECOND]; HIDDEN / 2];

/// The second layer; the first view is the one whose own pieces come first.
#[inline(always)]
#[allow(clippy::inline_always)] // as above
fn second(
    network: &Network,
    own: &[i16; HIDDEN],
    other: &[i16; HIDDEN],
    product: impl Fn(&Weights, &[i16; HIDDEN]) -> [i32; SECOND],
) -> Second {
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
#[inline(always)]
#[allow(clippy::inline_always)] // as above
fn seen(sum: i16) -> i16 {
    let unit = sum.clamp(0, ONE).cast_unsigned();
    // At most 255 times 255: fits without a sign.
    (unit.wrapping_mul(unit) >> 8).cast_signed()
}

/// What each unit of the second layer makes of the first: two units at a time with the instruction
/// made for it, which compilers do not find by themselves here.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
#[allow(clippy::cast_ptr_alignment)] // these loads and stores need none
fn product_avx2(weights: &Weights, units: &[i16; HIDDEN]) -> [i32; SECOND] {
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

fn product_plainly(weights: &Weights, units: &[i16; HIDDEN]) -> [i32; SECOND] {
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
        let mut network = Network::shipped().expect("a network").clone();
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
            let weights: [[[i16; 2 * SECOND]; HIDDEN / 2]; 2] = std::array::from_fn(|_| {
                std::array::from_fn(|_| std::array::from_fn(|_| next() / 2))
            });
            network.second = weights;
            for weight in network.second_out.as_flattened_mut() {
                *weight = i32::from(next()) * 60_000;
            }
            let (bucket, place) = (next().unsigned_abs() % 4, next().unsigned_abs() % 4);
            let (bucket, place) = (usize::from(bucket), usize::from(place));
            let [own, other] = &wide;
            assert_eq!(
                weigh(&network, own, other, bucket, place),
                weigh_plainly(&network, own, other, bucket, place, product_plainly)
            );
        }
    }
}

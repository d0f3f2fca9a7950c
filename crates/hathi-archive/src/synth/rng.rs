//! A small random number generator whose numbers never change with a version
//! of a library: the same seed must give the same archive for ever.

/// `SplitMix64` (Steele, Lea, Flood 2014).
#[derive(Clone, Debug)]
pub(super) struct Rng(u64);

/// Scatters the bits of a number.
pub(super) const fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Rng {
    /// The generator of one thing among many: neighbouring numbers give
    /// unrelated sequences.
    pub(super) const fn of(seed: u64, stream: u64) -> Rng {
        Rng(mix(seed ^ mix(stream.wrapping_add(0x9e37_79b9_7f4a_7c15))))
    }

    #[inline]
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// Below `n`, which is not 0.
    #[inline]
    pub(super) fn below(&mut self, n: u32) -> u32 {
        (((self.next() >> 32) * u64::from(n)) >> 32) as u32
    }

    /// From 0 up to, but never, 1.
    #[inline]
    pub(super) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// True with this probability.
    #[inline]
    pub(super) fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// About normally distributed: mean 0, deviation 1, never beyond 4.9.
    pub(super) fn normal(&mut self) -> f64 {
        let sum: f64 = (0..8).map(|_| self.unit()).sum();
        (sum - 4.0) * 1.224_744_871
    }

    /// One of them.
    pub(super) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u32) as usize]
    }

    /// One of them, as often as its weight says.
    pub(super) fn weighted<T: Copy>(&mut self, from: &[(T, u32)]) -> T {
        let total: u32 = from.iter().map(|(_, weight)| weight).sum();
        let mut n = self.below(total);
        for &(thing, weight) in from {
            if n < weight {
                return thing;
            }
            n -= weight;
        }
        from[0].0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_numbers() {
        // From the reference implementation, seed 1234567.
        let mut rng = Rng(1_234_567);
        assert_eq!(rng.next(), 6_457_827_717_110_365_317);
        assert_eq!(rng.next(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn even_and_in_range() {
        let mut rng = Rng::of(1, 2);
        let mut seen = [0; 6];
        let mut sum = 0.0;
        for _ in 0..6000 {
            seen[rng.below(6) as usize] += 1;
            let x = rng.normal();
            assert!(x.abs() < 5.0);
            sum += x;
        }
        assert!(seen.iter().all(|&n| (850..1150).contains(&n)), "{seen:?}");
        assert!(sum.abs() < 300.0);
    }
}

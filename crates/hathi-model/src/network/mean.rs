//! Networks that learned further from the same one, made one.

use super::Network;

impl Network {
    /// The mean of all numbers of some networks; none of none. What each learned by heart fades, what
    /// all learned stays. That holds for networks that learned further from the same one: units of
    /// others have nothing to do with each other. What is told about it is the first one's.
    pub fn mean(mut networks: Vec<Network>) -> Option<Network> {
        let count = networks.len() as i64;
        let mut sums = Vec::new();
        for network in &mut networks {
            let (shorts, longs) = network.numbers();
            let shorts = shorts.map(|number| i64::from(*number));
            let numbers = shorts.chain(longs.map(|number| i64::from(*number)));
            if sums.is_empty() {
                sums = numbers.collect();
            } else {
                for (sum, number) in sums.iter_mut().zip(numbers) {
                    *sum += number;
                }
            }
        }
        let mut mean = networks.into_iter().next()?;
        // To the nearest, halves away from nothing.
        let mut means = sums
            .into_iter()
            .map(|sum| (2 * sum + sum.signum() * count) / (2 * count));
        let (shorts, longs) = mean.numbers();
        for (number, mean) in shorts.zip(&mut means) {
            *number = mean as i16;
        }
        for (number, mean) in longs.zip(&mut means) {
            *number = mean as i32;
        }
        Some(mean)
    }

    /// All numbers, the small ones and the large ones.
    fn numbers(
        &mut self,
    ) -> (
        impl Iterator<Item = &mut i16>,
        impl Iterator<Item = &mut i32>,
    ) {
        let gain = self.gain.as_flattened_mut().as_flattened_mut();
        let second = self.second.as_flattened_mut().as_flattened_mut();
        let shorts = (self.rows.as_flattened_mut().iter_mut())
            .chain(&mut self.bias)
            .chain(self.out.as_flattened_mut())
            .chain(gain.as_flattened_mut())
            .chain(second);
        let gain = self.second_gain.as_flattened_mut().as_flattened_mut();
        let longs = (self.direct.iter_mut())
            .chain(&mut self.second_bias)
            .chain(self.second_out.as_flattened_mut())
            .chain(gain.as_flattened_mut())
            .chain(&mut self.tempo);
        (shorts, longs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_of_networks_is_that_of_their_numbers() {
        let shipped = Network::shipped().expect("readable");
        let mut other = shipped.clone();
        let (shorts, longs) = other.numbers();
        shorts.for_each(|number| *number = number.saturating_add(4));
        longs.for_each(|number| *number += 3);
        let mut mean = Network::mean(vec![shipped.clone(), other]).expect("two");
        let mut before = shipped.clone();
        let halves = |before: i32| before + if before >= -1 { 2 } else { 1 };
        {
            let (shorts, longs) = mean.numbers();
            let (short_before, long_before) = before.numbers();
            assert!(
                shorts
                    .zip(short_before)
                    .all(|(mean, old)| *mean == *old + 2)
            );
            assert!(
                longs
                    .zip(long_before)
                    .all(|(mean, old)| *mean == halves(*old))
            );
        }
        assert!(Network::mean(vec![before.clone()]) == Some(before));
        assert!(Network::mean(Vec::new()).is_none());
    }
}

//! Numbers of sixty-four positions, bit by bit: the first word has the lowest
//! bit of each, the next one the next. So all of them are compared with a
//! number at once, in as many steps as they have bits.

/// Writes the number of a position; bits for which there is no word are lost.
pub(crate) fn put(words: &mut [u64], position: usize, number: u64) {
    for (bit, word) in words.iter_mut().enumerate() {
        *word |= (number >> bit & 1) << position;
    }
}

/// The positions whose number is at least so much.
pub(crate) fn at_least(words: &[u64], least: i64) -> u64 {
    if least <= 0 {
        return !0;
    }
    if least >> words.len() != 0 {
        return 0;
    }
    // Those that are equal as far down as was looked, and those above already.
    let (mut equal, mut above) = (!0, 0);
    for (bit, &word) in words.iter().enumerate().rev() {
        if least >> bit & 1 != 0 {
            equal &= word;
        } else {
            above |= equal & word;
            equal &= !word;
        }
    }
    above | equal
}

/// The positions whose number is in a range, both ends included.
pub(crate) fn within(words: &[u64], least: i64, most: i64) -> u64 {
    at_least(words, least) & !at_least(words, most.saturating_add(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn all_are_compared_at_once(
            numbers in proptest::collection::vec(0u64..256, 64),
            least in -3i64..300,
            width in -2i64..300,
        ) {
            let mut words = [0; 8];
            for (position, &number) in numbers.iter().enumerate() {
                put(&mut words, position, number);
            }
            let found = within(&words, least, least + width);
            for (position, &number) in numbers.iter().enumerate() {
                let inside = (least..=least + width).contains(&number.cast_signed());
                proptest::prop_assert_eq!(found >> position & 1 != 0, inside);
            }
        }
    }
}

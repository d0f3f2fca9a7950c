//! How often boards have which phase features: what figures 4 and 5 of the
//! paper show.

use hathi_model::phase::PhaseFeatures;

/// The most pieces counted, of either feature; more count as many.
pub const MOST: usize = 16;

/// Boards by their features.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Histogram {
    /// Without and with a goal threat; by advanced pieces; by pieces.
    counts: Box<[[[u64; MOST + 1]; MOST + 1]; 2]>,
}

impl Default for Histogram {
    fn default() -> Histogram {
        Histogram {
            counts: Box::new([[[0; MOST + 1]; MOST + 1]; 2]),
        }
    }
}

impl Histogram {
    /// One more board.
    pub fn add(&mut self, features: PhaseFeatures) {
        let [threat, advanced, pieces] = place(features);
        self.counts[threat][advanced][pieces] += 1;
    }

    /// How many boards have these features.
    pub fn count(&self, features: PhaseFeatures) -> u64 {
        let [threat, advanced, pieces] = place(features);
        self.counts[threat][advanced][pieces]
    }

    /// All features that occur, and how often.
    pub fn iter(&self) -> impl Iterator<Item = (PhaseFeatures, u64)> + '_ {
        all_features()
            .map(|features| (features, self.count(features)))
            .filter(|&(_, count)| count > 0)
    }

    /// All boards.
    pub fn boards(&self) -> u64 {
        self.iter().map(|(_, count)| count).sum()
    }
}

fn place(features: PhaseFeatures) -> [usize; 3] {
    [
        usize::from(features.goal_threat),
        (features.advanced as usize).min(MOST),
        (features.fewer_pieces as usize).min(MOST),
    ]
}

/// Everything the features can be.
pub(crate) fn all_features() -> impl Iterator<Item = PhaseFeatures> {
    let most = MOST as u32;
    [false, true].into_iter().flat_map(move |goal_threat| {
        (0..=most).flat_map(move |advanced| {
            (0..=most).map(move |fewer_pieces| PhaseFeatures {
                fewer_pieces,
                advanced,
                goal_threat,
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_counted_by_their_features() {
        let features = |fewer_pieces, advanced, goal_threat| PhaseFeatures {
            fewer_pieces,
            advanced,
            goal_threat,
        };
        let mut histogram = Histogram::default();
        for _ in 0..3 {
            histogram.add(features(14, 2, false));
        }
        histogram.add(features(14, 2, true));
        // Compositions may have more.
        histogram.add(features(20, 2, false));
        assert_eq!(histogram.count(features(14, 2, false)), 3);
        assert_eq!(histogram.count(features(14, 2, true)), 1);
        assert_eq!(histogram.count(features(16, 2, false)), 1);
        assert_eq!(histogram.count(features(13, 2, false)), 0);
        assert_eq!(histogram.boards(), 5);
        assert_eq!(histogram.iter().count(), 3);
    }
}

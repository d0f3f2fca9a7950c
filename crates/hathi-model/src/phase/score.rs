//! One number for how early it is, and what follows from it.
//!
//! Weights, cut-offs and normal densities are those of the authors' published
//! program; the paper says only that they were found by trial and error.

use std::sync::LazyLock;

use serde::Serialize;

use super::Phase;

/// Pieces of the side with fewer, less half the advanced pieces of the side
/// with more: 16 at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PhaseScore {
    /// Halves above the lowest score, -8.
    index: u8,
}

/// Halves below zero.
const BELOW: u32 = 16;

/// Above this score it is the opening, above the second the middle game.
const CUTS: [f64; 2] = [14.0, 11.0];

/// The scores at the heart of opening, middle and end game.
const CENTRES: [f64; 3] = [16.0, 12.0, 9.0];
/// How far phases spread round them.
const DEVIATION: f64 = 2.0;

static PROBABILITIES: LazyLock<[Probabilities; PhaseScore::COUNT]> = LazyLock::new(|| {
    std::array::from_fn(|index| {
        let score = PhaseScore { index: index as u8 }.value();
        let densities = CENTRES.map(|centre| {
            let deviations = (score - centre) / DEVIATION;
            (-0.5 * deviations * deviations).exp()
        });
        let sum: f64 = densities.iter().sum();
        Probabilities(densities.map(|density| density / sum))
    })
});

impl PhaseScore {
    /// How many scores there are.
    pub const COUNT: usize = BELOW as usize + 32 + 1;

    /// More than 16 pieces, in compositions, count as 16.
    #[inline]
    pub fn new(fewer_pieces: u32, advanced: u32) -> PhaseScore {
        let index = BELOW + 2 * fewer_pieces.min(16) - advanced.min(BELOW);
        PhaseScore { index: index as u8 }
    }

    /// All of them, the latest first.
    pub fn all() -> impl Iterator<Item = PhaseScore> {
        (0..Self::COUNT as u8).map(|index| PhaseScore { index })
    }

    /// Position in tables of [`COUNT`](PhaseScore::COUNT) entries.
    #[inline]
    pub const fn index(self) -> usize {
        self.index as usize
    }

    /// The number itself.
    pub fn value(self) -> f64 {
        (f64::from(self.index) - f64::from(BELOW)) / 2.0
    }

    /// The phase by cut-offs.
    pub fn phase(self) -> Phase {
        let value = self.value();
        if value > CUTS[0] {
            Phase::Opening
        } else if value > CUTS[1] {
            Phase::Middle
        } else {
            Phase::End
        }
    }

    /// The chances of the phases.
    #[inline]
    pub fn probabilities(self) -> Probabilities {
        PROBABILITIES[self.index()]
    }
}

/// Chances of opening, middle and end game; they add up to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Probabilities(pub [f64; 3]);

impl Probabilities {
    /// It is this phase and no other.
    pub const fn certain(phase: Phase) -> Probabilities {
        let mut chances = [0.0; 3];
        chances[phase.index()] = 1.0;
        Probabilities(chances)
    }

    /// The chance of a phase.
    pub const fn of(&self, phase: Phase) -> f64 {
        self.0[phase.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cut_offs_are_the_authors() {
        for (fewer, advanced, phase) in [
            (16, 0, Phase::Opening),
            (16, 3, Phase::Opening),
            (16, 4, Phase::Middle),
            (14, 0, Phase::Middle),
            (12, 1, Phase::Middle),
            (12, 2, Phase::End),
            (11, 0, Phase::End),
            (0, 16, Phase::End),
            (32, 0, Phase::Opening),
        ] {
            let score = PhaseScore::new(fewer, advanced);
            assert_eq!(score.phase(), phase, "{fewer} {advanced}");
        }
        let score = PhaseScore::new(13, 5);
        assert!((score.value() - 10.5).abs() < 1e-12);
    }

    #[test]
    fn chances_add_up_and_move_with_the_score() {
        let mut end_before = 1.0;
        for score in PhaseScore::all() {
            let chances = score.probabilities();
            assert!((chances.0.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            assert!(chances.of(Phase::End) <= end_before);
            end_before = chances.of(Phase::End);
        }
        // Between two centres both are equally likely.
        let between = PhaseScore::new(14, 0).probabilities();
        assert!((between.of(Phase::Opening) - between.of(Phase::Middle)).abs() < 1e-12);
        assert!(between.of(Phase::End) < 0.05);
        let start = PhaseScore::new(16, 0).probabilities();
        assert!(start.of(Phase::Opening) > 0.85);
    }
}

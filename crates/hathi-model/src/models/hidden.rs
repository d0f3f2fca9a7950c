//! A hidden layer: cells that see the features of a turn together with those of
//! the position, where weights alone see each feature by itself.
//!
//! A cell adds up its parts of all features that hold, and counts if the sum is
//! above zero. So "the elephant leaves" can be worth one thing where it holds a
//! camel and another where it does not.
//!
//! All numbers are thousandths in sixteen bits, as in the file: half the time
//! of floating point, and a layer is the same before and after it was written.

use crate::features::{FEATURES, SCENE};

/// Cells of a layer.
pub const CELLS: usize = 32;

/// One number for each cell; a line of the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct Cells(pub [i16; CELLS]);

impl Cells {
    /// From numbers as they are learned.
    pub fn of(numbers: &[f32; CELLS]) -> Cells {
        // What does not fit becomes the largest or smallest that does.
        Cells(numbers.map(|number| (number * 1000.0).round() as i16))
    }

    #[inline]
    fn add(&mut self, parts: &Cells) {
        for (cell, part) in self.0.iter_mut().zip(&parts.0) {
            *cell = cell.saturating_add(*part);
        }
    }
}

/// The layer.
#[derive(Clone, Debug, PartialEq)]
pub struct Hidden {
    /// What each feature of a turn adds to the cells.
    pub(super) features: Vec<Cells>,
    /// What each feature of a position adds.
    pub(super) scene: Vec<Cells>,
    /// What a cell that is above zero counts.
    pub(super) out: Cells,
}

impl Hidden {
    /// A layer of a row for each feature of a turn, a row for each of a
    /// position, and what the cells count.
    ///
    /// # Panics
    ///
    /// If there are more or fewer rows than that.
    pub fn new(features: Vec<Cells>, scene: Vec<Cells>, out: Cells) -> Hidden {
        assert_eq!(features.len(), FEATURES);
        assert_eq!(scene.len(), SCENE);
        Hidden {
            features,
            scene,
            out,
        }
    }

    /// The same with what its cells count changed by a factor.
    #[must_use]
    pub fn scaled(mut self, factor: f32) -> Hidden {
        self.out.0 = self
            .out
            .0
            .map(|out| (f32::from(out) * factor).round() as i16);
        self
    }

    /// What each feature of a turn adds to the cells.
    pub fn features(&self) -> &[Cells] {
        &self.features
    }

    /// Does it look at features from this one on?
    pub(super) fn uses(&self, first: usize) -> bool {
        let rows = &self.features[first..];
        rows.iter().any(|row| row.0.iter().any(|&part| part != 0))
    }

    /// The cells before any turn.
    pub fn start(&self, scene: &[u16]) -> Cells {
        let mut cells = Cells([0; CELLS]);
        for &feature in scene {
            cells.add(&self.scene[usize::from(feature)]);
        }
        cells
    }

    /// What these features of a turn come to.
    #[inline]
    pub fn score(&self, start: &Cells, features: &[u16]) -> f32 {
        let mut cells = *start;
        for &feature in features {
            cells.add(&self.features[usize::from(feature)]);
        }
        // Only numbers that no training gives could be too large together.
        let counted = cells.0.iter().zip(&self.out.0);
        let millionths = counted
            .map(|(&cell, &out)| i32::from(cell.max(0)) * i32::from(out))
            .fold(0, i32::wrapping_add);
        millionths as f32 * 1e-6
    }
}

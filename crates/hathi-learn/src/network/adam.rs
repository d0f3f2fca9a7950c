//! Adam: each number moves by its own measure.

/// How far numbers have been pulled lately, and how strongly.
pub(crate) struct Adam {
    mean: Vec<f32>,
    square: Vec<f32>,
}

/// Numbers as they were before a network learned further, and how strongly it holds on to them.
pub(crate) struct Home<Numbers> {
    pub(crate) numbers: Numbers,
    pub(crate) strength: f32,
}

const FADE_MEAN: f32 = 0.9;
const FADE_SQUARE: f32 = 0.999;

impl Adam {
    pub(crate) fn new(len: usize) -> Adam {
        Adam {
            mean: vec![0.0; len],
            square: vec![0.0; len],
        }
    }

    /// One update; `time` counts them from 1. `pull` says how strongly a number is pulled back, by its
    /// place and what it is.
    pub(crate) fn update(
        &mut self,
        numbers: &mut [f32],
        slopes: &[f32],
        rate: f32,
        pull: impl Fn(usize, f32) -> f32,
        time: i32,
    ) {
        let rate = rate * (1.0 - FADE_SQUARE.powi(time)).sqrt() / (1.0 - FADE_MEAN.powi(time));
        let moments = self.mean.iter_mut().zip(&mut self.square);
        let numbers = numbers.iter_mut().zip(slopes).enumerate();
        for ((index, (number, slope)), (mean, square)) in numbers.zip(moments) {
            *mean = FADE_MEAN * *mean + (1.0 - FADE_MEAN) * slope;
            *square = FADE_SQUARE * *square + (1.0 - FADE_SQUARE) * slope * slope;
            *number -= rate * (*mean / (square.sqrt() + 1e-8) + pull(index, *number));
        }
    }
}

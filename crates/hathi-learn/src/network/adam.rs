//! Adam: each number moves by its own measure.

/// How far numbers have been pulled lately, and how strongly.
pub(crate) struct Adam {
    mean: Vec<f32>,
    square: Vec<f32>,
}

/// Where decay pulls numbers to, and how strongly.
#[derive(Clone, Copy)]
pub(crate) struct Pull<'a> {
    /// To these numbers; to nothing if there are none.
    pub(crate) to: Option<&'a [f32]>,
    pub(crate) strength: f32,
}

impl Pull<'_> {
    /// To nothing.
    pub(crate) const fn to_nothing(strength: f32) -> Pull<'static> {
        Pull { to: None, strength }
    }
}

/// Numbers as they were before a network learned further, and how strongly it holds on to them.
#[derive(Clone)]
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

    /// One update; `time` counts them from 1.
    pub(crate) fn update(
        &mut self,
        numbers: &mut [f32],
        slopes: &[f32],
        rate: f32,
        pull: Pull<'_>,
        time: i32,
    ) {
        let rate = rate * (1.0 - FADE_SQUARE.powi(time)).sqrt() / (1.0 - FADE_MEAN.powi(time));
        let mut step = |index: usize, number: &mut f32, slope: f32, home: f32| {
            let (mean, square) = (&mut self.mean[index], &mut self.square[index]);
            *mean = FADE_MEAN * *mean + (1.0 - FADE_MEAN) * slope;
            *square = FADE_SQUARE * *square + (1.0 - FADE_SQUARE) * slope * slope;
            *number -= rate * (*mean / (square.sqrt() + 1e-8) + pull.strength * (*number - home));
        };
        let pairs = numbers.iter_mut().zip(slopes).enumerate();
        match pull.to {
            None => pairs.for_each(|(index, (number, slope))| step(index, number, *slope, 0.0)),
            Some(home) => pairs
                .zip(home)
                .for_each(|((index, (number, slope)), home)| step(index, number, *slope, *home)),
        }
    }
}

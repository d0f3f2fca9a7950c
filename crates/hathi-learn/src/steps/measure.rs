//! How well an order of steps foresees what searches choose.

use hathi_model::features::{Context, Sum};
use hathi_model::models::Model;
use hathi_model::steps::{STEP_ONE, StepNetwork, StepSums, StepView};

use super::lesson::StepLesson;

/// How well.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Foresight {
    /// Lessons asked about.
    pub lessons: usize,
    /// The mean surprise: minus the logarithm of the chance given to what was right.
    pub surprise: f64,
    /// How often the likeliest was right.
    pub first: f64,
    /// How often one of the three likeliest was.
    pub in_three: f64,
    /// How often one of the six likeliest was.
    pub in_six: f64,
}

/// What was said of one lesson: logarithms of chances, the end of the turn last if it was possible.
fn judge(lesson: &StepLesson, said: &[f32], ends: Option<f32>, sum: &mut Foresight) {
    let right = |index: usize| lesson.right >> index & 1 == 1;
    let top = said.iter().copied().chain(ends).fold(f32::MIN, f32::max);
    let (mut all, mut good) = (0.0, 0.0);
    let mut best_right = f32::MIN;
    for (index, &value) in said.iter().enumerate() {
        let chance = f64::from((value - top).exp());
        all += chance;
        if right(index) {
            good += chance;
            best_right = best_right.max(value);
        }
    }
    if let Some(value) = ends {
        let chance = f64::from((value - top).exp());
        all += chance;
        if lesson.ends {
            good += chance;
            best_right = best_right.max(value);
        }
    }
    let before = said
        .iter()
        .enumerate()
        .filter(|&(index, &value)| value > best_right && !right(index))
        .count()
        + usize::from(ends.is_some_and(|value| value > best_right && !lesson.ends));
    sum.lessons += 1;
    sum.surprise -= (good / all).max(1e-30).ln();
    sum.first += f64::from(u8::from(before == 0));
    sum.in_three += f64::from(u8::from(before < 3));
    sum.in_six += f64::from(u8::from(before < 6));
}

impl Foresight {
    fn mean(mut self) -> Foresight {
        let lessons = self.lessons.max(1) as f64;
        for sum in [
            &mut self.surprise,
            &mut self.first,
            &mut self.in_three,
            &mut self.in_six,
        ] {
            *sum /= lessons;
        }
        self
    }
}

/// By a network of steps.
pub fn by_network<'a>(
    network: &StepNetwork,
    lessons: impl IntoIterator<Item = &'a StepLesson>,
) -> Foresight {
    let mut sum = Foresight::default();
    for lesson in lessons {
        let position = &lesson.position;
        let units = StepSums::new(network, position.board()).units(position.side_to_move());
        let view = StepView::of(position, &lesson.past, false);
        let said: Vec<f32> = position
            .legal_steps()
            .into_iter()
            .map(|step| network.score(&view, &units, step) as f32 / STEP_ONE as f32)
            .collect();
        let ends = position
            .can_end_turn()
            .then(|| network.score_end(&view, &units) as f32 / STEP_ONE as f32);
        judge(lesson, &said, ends, &mut sum);
    }
    sum.mean()
}

/// By a model of steps, which says nothing of ending a turn: that is taken to be
/// 3 behind the likeliest step, as a search does.
pub fn by_model<'a>(model: &Model, lessons: impl IntoIterator<Item = &'a StepLesson>) -> Foresight {
    let mut sum = Foresight::default();
    for lesson in lessons {
        let position = &lesson.position;
        let weights = model.weights(position);
        let context = Context::at_a_glance(position, &lesson.past);
        let said: Vec<f32> = position
            .legal_steps()
            .into_iter()
            .map(|step| {
                let mut sum = Sum::new(&weights);
                context.list_step(position, step, &mut sum);
                sum.total
            })
            .collect();
        let top = said.iter().copied().fold(f32::MIN, f32::max);
        let ends = position.can_end_turn().then_some(top - 3.0);
        judge(lesson, &said, ends, &mut sum);
    }
    sum.mean()
}

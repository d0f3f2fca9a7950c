//! The whole way from games to a model: samples, if need be a first model that
//! points out the hard turns, and training.
//!
//! `hathi learn train` runs it; the experiments of `hathi-lab` use its parts,
//! [`Sampling`], [`Samples`] and [`Recipe`], to train many models of the same
//! samples.

use hathi_model::models::{Model, Unit};

use crate::lessons::LessonGame;
use crate::samples::{Samples, Sampling};
use crate::train::Recipe;

/// How a model is made of games.
#[derive(Clone, Debug)]
pub struct Pipeline {
    /// What is trained.
    pub recipe: Recipe,
    /// How games become samples; the unit is that of the recipe.
    pub sampling: Sampling,
    /// How often the games of the second kind are gone through for once through
    /// the others.
    pub emphasis: u32,
}

/// Who is told how far it is.
pub trait PipelineWatcher: Sync {
    /// Games are being looked at; told how many are done, says whether to go on.
    fn sampling(&self, games: usize) -> Box<dyn Fn(usize) -> bool + Sync + '_>;

    /// A model is being trained; told which share is done.
    fn training(&self) -> Box<dyn FnMut(f64) + '_>;
}

impl Pipeline {
    /// Trains a model of games, the emphasized ones gone through more often.
    /// None if the watcher said stop.
    pub fn run(
        &self,
        plain: &[LessonGame],
        emphasized: &[LessonGame],
        watcher: &dyn PipelineWatcher,
    ) -> Option<Model> {
        let sample = |sampling: &Sampling, guide: Option<&Model>| {
            let tick = watcher.sampling(plain.len() + emphasized.len());
            let plain_samples = sampling.of_each(plain, guide, &tick)?;
            let emphasized =
                sampling.of_each(emphasized, guide, |done| tick(plain.len() + done))?;
            let plain_samples = Samples::together(&plain_samples);
            Some(plain_samples.emphasizing(&Samples::together(&emphasized), self.emphasis))
        };
        let train =
            |recipe: &Recipe, samples: &Samples| recipe.train(samples, &mut *watcher.training());
        if self.sampling.drawing.best == 0 || self.sampling.unit == Unit::Step {
            return Some(train(&self.recipe, &sample(&self.sampling, None)?));
        }
        // The first model only finds the turns that are hard to tell apart.
        let first = Recipe {
            layers: 0,
            ..self.recipe.clone()
        };
        let mut quick = self.sampling;
        quick.drawing.outlook = false;
        let guide = train(&first, &sample(&quick, None)?);
        Some(train(&self.recipe, &sample(&self.sampling, Some(&guide))?))
    }
}

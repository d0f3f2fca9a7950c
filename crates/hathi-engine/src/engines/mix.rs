//! Two engines in one: each choice is the first one's with a given chance, else
//! the second one's. For asking how often somebody has to play well.

use crate::{Decision, Engine, EngineError, EngineOptions, EngineSpec, Limits, Thought};

/// Draws who decides, each time anew.
pub(crate) struct Mix {
    parts: [Part; 2],
    /// The chance of the first.
    share: f64,
    random: fastrand::Rng,
}

struct Part {
    name: String,
    engine: Box<dyn Engine>,
}

impl Mix {
    pub(crate) fn new(options: &EngineOptions) -> Result<Mix, EngineError> {
        let part = |spec: EngineSpec| -> Result<Part, EngineError> {
            Ok(Part {
                name: spec.kind.name().to_owned(),
                engine: spec.build()?,
            })
        };
        let [first, second] = options.mixture.parts(options);
        Ok(Mix {
            parts: [part(first)?, part(second)?],
            share: options.mixture.share.chance(),
            random: fastrand::Rng::with_seed(0),
        })
    }
}

impl Engine for Mix {
    fn new_game(&mut self, seed: u64) {
        // Who decides must not depend on what the parts draw, nor they on it.
        self.random = fastrand::Rng::with_seed(seed ^ 0x6d69_785f_6f66_5f32);
        for part in &mut self.parts {
            part.engine.new_game(seed);
        }
    }

    fn decide(
        &mut self,
        game: &hathi_rules::Game,
        limits: &Limits,
        listener: &mut dyn FnMut(&Thought),
    ) -> Result<Decision, EngineError> {
        let drawn = usize::from(self.random.f64() >= self.share);
        let part = &mut self.parts[drawn];
        let mut decision = part.engine.decide(game, limits, listener)?;
        decision
            .reasons
            .push(format!("{} was drawn to decide", part.name));
        Ok(decision)
    }
}

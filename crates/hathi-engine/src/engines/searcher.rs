//! The engines that look ahead: greedy, fallback, fairy and tweaked. They share the
//! search and differ in what they look at.

use hathi_model::models::{Model, Unit};
use hathi_model::steps::StepNetwork;
use hathi_rules::Game;

use crate::evaluation::{ByNetwork, Evaluate, Phased, Plain, Weighted};
use crate::search::margins::Margins;
use crate::search::{GoalsBy, SURE, Search, Settings, StepModel, WIN};
use crate::setups;
use crate::{
    Analysis, AnalysisRequest, Choice, Decision, Engine, EngineError, EngineOptions, Limits,
    MOST_LINES, PhasePruning, SearchStyle, StepOrder, Thought, Visited,
};

/// Steps in a turn.
const TURN: u32 = 4;

/// An engine that plays what a search finds.
pub(crate) struct Searcher<E> {
    pub(super) search: Search<E>,
    /// Depth in steps beyond which it never looks.
    pub(super) deepest: u32,
    pub(super) nodes: u64,
    /// Turns it thinks about at the same time, to show them.
    pub(super) lines: usize,
    pub(super) random: fastrand::Rng,
}

impl Searcher<Plain> {
    /// One turn ahead.
    pub(crate) fn greedy(options: &EngineOptions) -> Searcher<Plain> {
        Searcher::new(Plain, BLUNT, TURN, options)
    }

    /// Two turns ahead: the method the papers measure against.
    pub(crate) fn fallback(options: &EngineOptions) -> Searcher<Plain> {
        Searcher::new(Plain, BLUNT, 2 * TURN, options)
    }
}

impl Searcher<Weighted> {
    /// As deep as time allows.
    pub(crate) fn fairy(options: &EngineOptions) -> Result<Searcher<Weighted>, EngineError> {
        let evaluation = Weighted::from_file(&options.weights)?;
        Searcher::new(evaluation, by_hand(options), u32::MAX, options)
            .with_order(&options.ordering, shipped_weights)
    }
}

impl Searcher<ByNetwork> {
    /// As deep as time allows, with an evaluation that was learned.
    pub(crate) fn hathi(options: &EngineOptions) -> Result<Searcher<ByNetwork>, EngineError> {
        let evaluation = ByNetwork::from_file(&options.network)?;
        let settings = Settings {
            margins: options.margins.of(Margins::NETWORK),
            by_what_follows: true,
            ..KEEN
        };
        Searcher::new(evaluation, settings, u32::MAX, options)
            .with_order(&options.ordering, shipped_network)
    }
}

impl Searcher<Phased> {
    /// The same with an evaluation by game phase.
    pub(crate) fn tweaked(options: &EngineOptions) -> Result<Searcher<Phased>, EngineError> {
        let evaluation = Phased::from_options(options)?;
        let settings = Settings {
            phase_pruning: options.phase_pruning,
            ..by_hand(options)
        };
        Searcher::new(evaluation, settings, u32::MAX, options)
            .with_order(&options.ordering, shipped_weights)
    }
}

/// How the engines search whose evaluation was made by hand.
fn by_hand(options: &EngineOptions) -> Settings {
    match options.search {
        SearchStyle::Full => KEEN,
        SearchStyle::Plain => Settings {
            goals: GoalsBy::Steps,
            ..BLUNT
        },
        SearchStyle::NoGoals => Settings {
            goals: GoalsBy::Steps,
            ..KEEN
        },
        SearchStyle::NoQuiescence => Settings {
            quiescence: false,
            ..KEEN
        },
        SearchStyle::NoReductions => Settings {
            selective: false,
            ..KEEN
        },
        SearchStyle::PlainGoals => BLUNT,
    }
}

/// Captures played out, unlikely steps looked at less.
const KEEN: Settings = Settings {
    quiescence: true,
    selective: true,
    margins: Margins::BY_HAND,
    by_what_follows: false,
    goals: GoalsBy::Search,
    phase_pruning: PhasePruning::Off,
};

/// Every step to the same depth, the board valued as it stands.
const BLUNT: Settings = Settings {
    quiescence: false,
    selective: false,
    margins: Margins::BY_HAND,
    by_what_follows: false,
    goals: GoalsBy::Search,
    phase_pruning: PhasePruning::Off,
};

impl<E: Evaluate + Sync> Searcher<E> {
    fn new(evaluation: E, settings: Settings, deepest: u32, options: &EngineOptions) -> Self {
        Searcher {
            search: Search::new(evaluation, settings, options.hash).with_threads(options.threads),
            deepest: match options.depth {
                0 => deepest,
                depth => depth.min(deepest),
            },
            nodes: options.nodes,
            lines: options.multipv,
            random: fastrand::Rng::with_seed(0),
        }
    }

    /// Steps in the order a model has learned, or not.
    fn with_order(
        mut self,
        order: &StepOrder,
        usual: fn() -> Result<StepModel, EngineError>,
    ) -> Result<Self, EngineError> {
        let model = match order {
            StepOrder::None => None,
            StepOrder::Learned => Some(usual()?),
            StepOrder::File(file) => Some(step_order(file)?),
        };
        self.search = self.search.with_model(model);
        Ok(self)
    }
}

/// The network of steps that is shipped: what the engine with the evaluation network goes by.
fn shipped_network() -> Result<StepModel, EngineError> {
    Ok(StepModel::Shipped(StepNetwork::shipped()?))
}

/// The model of steps that is shipped: what the engines go by whose evaluation was made by hand.
pub(crate) fn shipped_weights() -> Result<StepModel, EngineError> {
    Ok(StepModel::Weighted(Model::shipped_steps()?))
}

/// An order of steps in a file: a network or a model.
pub(crate) fn step_order(file: &str) -> Result<StepModel, EngineError> {
    let fail = |what: String| EngineError::File {
        option: "ordering",
        path: file.to_owned(),
        what,
    };
    let bytes = std::fs::read(file).map_err(|error| fail(error.to_string()))?;
    if StepNetwork::is_meant(&bytes) {
        let network = StepNetwork::read(&bytes).map_err(|error| fail(error.to_string()))?;
        return Ok(StepModel::Own(Box::new(network)));
    }
    let text = String::from_utf8(bytes).map_err(|_| {
        fail(
            "neither a network of steps nor a model of steps; \
             `hathi learn steps` and `hathi learn train --unit step` write them"
                .to_owned(),
        )
    })?;
    Ok(StepModel::Weighted(step_model(&text).map_err(fail)?))
}

/// A model that can order steps in a search: one of single steps, and no
/// hidden layer, which would cost more time than a better order saves.
fn step_model(text: &str) -> Result<Model, String> {
    let model = Model::from_text(text).map_err(|error| error.to_string())?;
    if model.training.unit != Unit::Step {
        return Err(
            "a model of whole turns; train one with `hathi learn train --unit step`".to_owned(),
        );
    }
    if model.cells() > 0 {
        return Err("a model with a hidden layer, which the search cannot use".to_owned());
    }
    Ok(model)
}

impl<E: Evaluate + Send + Sync> Engine for Searcher<E> {
    fn new_game(&mut self, seed: u64) {
        self.random = fastrand::Rng::with_seed(seed);
        self.search.new_game();
    }

    fn decide(
        &mut self,
        game: &Game,
        limits: &Limits,
        listener: &mut dyn FnMut(&Thought),
    ) -> Result<Decision, EngineError> {
        if let Some(setup) = setups::sound(game, &mut self.random)? {
            return Ok(setup);
        }
        if self.lines > 1 {
            return self.decide_by_lines(game, limits, listener);
        }
        let limits = limits.at_most(self.nodes);
        let found = self
            .search
            .run(game, &limits, self.deepest, listener)
            .ok_or(EngineError::NoTurn)?;
        Ok(Decision {
            choice: Choice::Play(found.turn),
            reasons: vec![reason(&found.thought)],
            thought: Some(found.thought),
            level: None,
        })
    }

    fn analyse(
        &mut self,
        request: &AnalysisRequest<'_>,
        limits: &Limits,
        listener: &mut dyn FnMut(&Analysis),
    ) -> Result<Analysis, EngineError> {
        request.check()?;
        let request = AnalysisRequest {
            lines: request.lines.min(MOST_LINES),
            ..*request
        };
        let limits = limits.at_most(self.nodes);
        self.search
            .analyse(&request, &limits, self.deepest, listener)
            .ok_or(EngineError::NoTurn)
    }

    fn visited(
        &mut self,
        game: &Game,
        limits: &Limits,
        wanted: usize,
        seed: u64,
    ) -> Result<Vec<Visited>, EngineError> {
        AnalysisRequest::of(game).check()?;
        let limits = limits.at_most(self.nodes);
        Ok(self
            .search
            .visited(game, &limits, self.deepest, wanted, seed))
    }
}

impl<E: Evaluate + Send + Sync> Searcher<E> {
    /// The best turn, while several are shown.
    fn decide_by_lines(
        &mut self,
        game: &Game,
        limits: &Limits,
        listener: &mut dyn FnMut(&Thought),
    ) -> Result<Decision, EngineError> {
        let request = AnalysisRequest {
            lines: self.lines,
            ..AnalysisRequest::of(game)
        };
        let analysis = self.analyse(&request, limits, &mut |analysis| {
            analysis.lines.iter().for_each(&mut *listener);
        })?;
        let thought = analysis.lines.into_iter().next();
        let thought = thought.ok_or(EngineError::NoTurn)?;
        let turn = thought.line.first().ok_or(EngineError::NoTurn)?;
        Ok(Decision {
            choice: Choice::Play(*turn),
            reasons: vec![reason(&thought)],
            thought: Some(thought),
            level: None,
        })
    }
}

/// What a search says for its choice.
pub(crate) fn reason(thought: &Thought) -> String {
    let looked = format!(
        "looked {} steps ahead at {} positions",
        thought.depth, thought.nodes
    );
    let score = thought.score;
    if score > SURE {
        match WIN - score {
            1 => format!("wins this turn; {looked}"),
            turns => format!("wins in {} turns; {looked}", (turns + 1) / 2),
        }
    } else if score < -SURE {
        format!("nothing holds any longer; {looked}")
    } else {
        let better = if score >= 0 { "better" } else { "worse" };
        format!(
            "expects to stand {:.2} rabbits {better}; {looked}",
            f64::from(score.abs()) / 100.0
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn between_full_and_plain_one_part_is_missing() {
        let parts = |search| {
            let settings = by_hand(&EngineOptions {
                search,
                ..EngineOptions::default()
            });
            [
                settings.goals == GoalsBy::Search,
                settings.quiescence,
                settings.selective,
            ]
        };
        assert_eq!(parts(SearchStyle::Full), [true, true, true]);
        assert_eq!(parts(SearchStyle::NoGoals), [false, true, true]);
        assert_eq!(parts(SearchStyle::NoQuiescence), [true, false, true]);
        assert_eq!(parts(SearchStyle::NoReductions), [true, true, false]);
        assert_eq!(parts(SearchStyle::PlainGoals), [true, false, false]);
        assert_eq!(parts(SearchStyle::Plain), [false, false, false]);
    }
}

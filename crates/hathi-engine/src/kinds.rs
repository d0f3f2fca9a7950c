//! The engines there are.

use crate::engines::{Leveled, Mix, RandomSteps, RandomTurns, Searcher, Uct};
#[cfg(feature = "memory")]
use crate::engines::{Mimic, Mimic2014, Remembering};
use crate::evaluation::{ByNetwork, Phased, Plain, StaticEvaluation, Weighted};
use crate::rat::Rat;
use crate::{Engine, EngineError, EngineSpec, PlayLevel, RecallUse};

/// An engine by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EngineKind {
    /// Any legal turn, all equally likely.
    Random,
    /// Random steps.
    Step,
    /// One turn ahead.
    Greedy,
    /// Up to two turns ahead, as far as it gets.
    Fallback,
    /// A classical alpha-beta search.
    Fairy,
    /// The same search with an evaluation that was learned.
    Hathi,
    /// The same with an evaluation that goes by the phase of the game.
    Tweaked,
    /// Monte-Carlo tree search with the same evaluation.
    Uct,
    /// Plans and patterns guide a narrow search.
    Rat,
    /// McKee's memory bot by the letter.
    Mimic2014,
    /// Our memory bot.
    Mimic,
    /// Two engines in one, drawn anew for each choice.
    Mix,
    /// One of the levels for people.
    Level(PlayLevel),
}

impl EngineKind {
    /// All of them but the [levels](PlayLevel), weakest first.
    pub const ALL: [EngineKind; 12] = [
        EngineKind::Mimic2014,
        EngineKind::Step,
        EngineKind::Random,
        EngineKind::Greedy,
        EngineKind::Mix,
        EngineKind::Fallback,
        EngineKind::Rat,
        EngineKind::Fairy,
        EngineKind::Tweaked,
        EngineKind::Mimic,
        EngineKind::Uct,
        EngineKind::Hathi,
    ];

    /// The one that plays when nobody says who: the strongest.
    pub const USUAL: EngineKind = EngineKind::Hathi;

    /// The name by which it is asked for.
    pub const fn name(self) -> &'static str {
        match self {
            EngineKind::Random => "random",
            EngineKind::Step => "step",
            EngineKind::Greedy => "greedy",
            EngineKind::Fallback => "fallback",
            EngineKind::Fairy => "fairy",
            EngineKind::Hathi => "hathi",
            EngineKind::Tweaked => "tweaked",
            EngineKind::Uct => "uct",
            EngineKind::Rat => "rat",
            EngineKind::Mimic2014 => "mimic-2014",
            EngineKind::Mimic => "mimic",
            EngineKind::Mix => "mix",
            EngineKind::Level(level) => level.engine(),
        }
    }

    /// What it does, in a sentence.
    pub const fn about(self) -> &'static str {
        match self {
            EngineKind::Random => "plays any legal turn, all equally likely",
            EngineKind::Step => "plays random steps, one to four of them",
            EngineKind::Greedy => "the best turn by a plain evaluation, one turn ahead",
            EngineKind::Fallback => {
                "alpha-beta that aims at two turns ahead, with a plain evaluation; at 10,000 positions a turn it reaches 3 steps"
            }
            EngineKind::Fairy => {
                "a classical alpha-beta search as deep as time allows, with a rich evaluation"
            }
            EngineKind::Hathi => {
                "the same search with an evaluation network that learned from games; the strongest"
            }
            EngineKind::Tweaked => {
                "fairy with an evaluation that goes by the phase of the game (option phase)"
            }
            EngineKind::Uct => {
                "Monte-Carlo tree search with learned priors and the network instead of playouts"
            }
            EngineKind::Rat => {
                "plans, move categories and pattern graphs that guide a narrow search, after Trippen"
            }
            EngineKind::Mimic2014 => {
                "McKee's memory bot by the letter: literal boards, his order, a random move in the end"
            }
            EngineKind::Mimic => {
                "plays what the memory suggests if it stands up to search; else what search finds"
            }
            EngineKind::Mix => {
                "each choice is the engine a's with chance p, else b's, as in mix:p=0.57,a=greedy,b=random"
            }
            EngineKind::Level(level) => level.about(),
        }
    }

    /// What it is like to play against, in a sentence for players.
    pub const fn for_players(self) -> &'static str {
        match self {
            EngineKind::Random => "wanders about without any plan: for trying out the rules",
            EngineKind::Step => "wanders about without any plan, often in short turns",
            EngineKind::Greedy => "takes what it can get this turn and never thinks of your answer",
            EngineKind::Fallback => "thinks a few steps ahead, but knows little",
            EngineKind::Fairy => "looks far ahead and knows traps, hostages and goals by heart",
            EngineKind::Hathi => {
                "looks far ahead and has learned what counts from games: the strongest"
            }
            EngineKind::Tweaked => "as fairy, but with other aims in the opening than near the end",
            EngineKind::Uct => {
                "tries likely turns again and again and plays the one that stood up best"
            }
            EngineKind::Rat => "makes plans, such as taking a hostage, and follows them",
            EngineKind::Mimic2014 => {
                "does what was done in the games it remembers, and else anything"
            }
            EngineKind::Mimic => "does what worked in the games it remembers, and else looks ahead",
            EngineKind::Mix => "plays as the strongest half of the time, and else anything",
            EngineKind::Level(level) => level.about(),
        }
    }

    /// The engine of this name.
    pub fn by_name(name: &str) -> Option<EngineKind> {
        let levels = PlayLevel::all().map(EngineKind::Level);
        Self::ALL
            .into_iter()
            .chain(levels)
            .find(|kind| kind.name() == name)
    }

    /// All names, for messages.
    pub(crate) fn list() -> String {
        let names: Vec<&str> = Self::ALL.iter().map(|kind| kind.name()).collect();
        let levels: Vec<PlayLevel> = PlayLevel::all().collect();
        match levels[..] {
            [first, .., last] => format!(
                "{}, {} to {}",
                names.join(", "),
                first.engine(),
                last.engine()
            ),
            _ => names.join(", "),
        }
    }
}

impl EngineSpec {
    /// An engine with its options as they come.
    pub fn of(kind: EngineKind) -> EngineSpec {
        EngineSpec {
            kind,
            options: crate::EngineOptions::default(),
        }
    }

    /// Does it play from a memory of games?
    pub fn remembers(&self) -> bool {
        match self.kind {
            EngineKind::Mimic | EngineKind::Mimic2014 => true,
            EngineKind::Hathi => self.options.recall != RecallUse::Never,
            _ => false,
        }
    }

    /// Does it end its thinking by itself, on every machine at the same point?
    pub fn is_limited(&self) -> bool {
        let by_level = match self.kind {
            EngineKind::Level(level) => !level.takes_all_time(),
            EngineKind::Mix => {
                let mut parts = self.options.mixture.parts(&self.options).into_iter();
                parts.all(|part| part.is_limited())
            }
            _ => false,
        };
        by_level || self.options.depth > 0 || self.options.nodes > 0
    }

    /// Makes the engine, ready to play.
    pub fn build(&self) -> Result<Box<dyn Engine>, EngineError> {
        Ok(match self.kind {
            EngineKind::Random => Box::new(RandomTurns::default()),
            EngineKind::Step => Box::new(RandomSteps::default()),
            EngineKind::Greedy => Box::new(Searcher::greedy(&self.options)),
            EngineKind::Fallback => Box::new(Searcher::fallback(&self.options)),
            #[cfg(feature = "memory")]
            EngineKind::Mimic2014 => {
                forgetful(Box::new(Mimic2014::new(&self.options)?), &self.options)
            }
            #[cfg(feature = "memory")]
            EngineKind::Mimic => forgetful(Box::new(Mimic::new(&self.options)?), &self.options),
            #[cfg(not(feature = "memory"))]
            kind @ (EngineKind::Mimic2014 | EngineKind::Mimic) => {
                return Err(EngineError::NoMemory(kind.name()));
            }
            EngineKind::Rat => Box::new(Rat::new(&self.options)?),
            EngineKind::Fairy => Box::new(Searcher::fairy(&self.options)?),
            #[cfg(feature = "memory")]
            EngineKind::Hathi if self.options.recall != RecallUse::Never => {
                forgetful(Box::new(Remembering::new(&self.options)?), &self.options)
            }
            #[cfg(not(feature = "memory"))]
            EngineKind::Hathi if self.options.recall != RecallUse::Never => {
                return Err(EngineError::NoMemory("hathi:recall"));
            }
            EngineKind::Hathi => Box::new(Searcher::hathi(&self.options)?),
            EngineKind::Uct => Box::new(Uct::new(&self.options)?),
            EngineKind::Tweaked => Box::new(Searcher::tweaked(&self.options)?),
            EngineKind::Mix => Box::new(Mix::new(&self.options)?),
            EngineKind::Level(level) => Box::new(Leveled::new(level, &self.options)?),
        })
    }

    /// The evaluation that its search has at the leaves; none if it has no search of its own, or, as
    /// `rat`, one that does not value boards by themselves.
    pub fn evaluation(&self) -> Result<Option<StaticEvaluation>, EngineError> {
        let options = &self.options;
        Ok(match self.kind {
            EngineKind::Random
            | EngineKind::Step
            | EngineKind::Rat
            | EngineKind::Mimic2014
            | EngineKind::Mix => None,
            EngineKind::Greedy | EngineKind::Fallback => Some(StaticEvaluation::new(Plain)),
            EngineKind::Fairy => {
                let evaluation = Weighted::from_file(&options.weights)?;
                Some(StaticEvaluation::new(evaluation))
            }
            EngineKind::Tweaked => {
                let evaluation = Phased::from_options(options)?;
                Some(StaticEvaluation::new(evaluation))
            }
            EngineKind::Hathi | EngineKind::Uct | EngineKind::Mimic | EngineKind::Level(_) => {
                let evaluation = ByNetwork::from_file(&options.network)?;
                Some(StaticEvaluation::new(evaluation))
            }
        })
    }
}

/// An engine that would remember if there were a store, and says that there is
/// none.
#[cfg(feature = "memory")]
struct Forgetful {
    engine: Box<dyn Engine>,
    why: String,
}

#[cfg(feature = "memory")]
fn forgetful(engine: Box<dyn Engine>, options: &crate::EngineOptions) -> Box<dyn Engine> {
    match crate::recall::without_memory(options) {
        None => engine,
        Some(why) => Box::new(Forgetful {
            engine,
            why: format!("{why}: playing with an empty memory"),
        }),
    }
}

#[cfg(feature = "memory")]
impl Engine for Forgetful {
    fn new_game(&mut self, seed: u64) {
        self.engine.new_game(seed);
    }

    fn decide(
        &mut self,
        game: &hathi_rules::Game,
        limits: &crate::Limits,
        listener: &mut dyn FnMut(&crate::Thought),
    ) -> Result<crate::Decision, EngineError> {
        let mut decision = self.engine.decide(game, limits, listener)?;
        decision.reasons.push(self.why.clone());
        Ok(decision)
    }
}

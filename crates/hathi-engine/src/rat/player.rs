//! The engine.

use hathi_rules::{Game, Turn};

use super::Knowledge;
use super::local::Patterns;
use super::report::explain;
use super::search::{Search, Settings};
use crate::dpg::{self, Graph};
use crate::engines::searcher;
use crate::search::WIN;
use crate::setups;
use crate::{Choice, Decision, Engine, EngineError, EngineOptions, Limits, Thought};

/// Steps that two plies have.
const DEPTH: u32 = 8;

/// Trippen's bot.
pub(crate) struct Rat {
    knowledge: Knowledge,
    settings: Settings,
    nodes: u64,
    random: fastrand::Rng,
}

impl Rat {
    pub(crate) fn new(options: &EngineOptions) -> Result<Rat, EngineError> {
        Ok(Rat {
            knowledge: Knowledge::of(options)?,
            settings: Settings {
                keep: options.keep,
                plans: options.plans,
                shared: options.shared,
                strict: options.strict,
            },
            nodes: options.nodes,
            random: fastrand::Rng::with_seed(0),
        })
    }
}

/// What rat plays with these graphs and no others.
pub fn decide_with_graphs(
    graphs: Vec<Graph>,
    game: &Game,
    limits: &Limits,
) -> Result<Decision, EngineError> {
    let mut rat = Rat::new(&EngineOptions {
        dpg: "off".to_owned(),
        ..EngineOptions::default()
    })?;
    rat.knowledge.graphs = graphs;
    rat.decide(game, limits, &mut |_| {})
}

impl Knowledge {
    /// What the options say.
    pub(crate) fn of(options: &EngineOptions) -> Result<Knowledge, EngineError> {
        Ok(Knowledge {
            patterns: Patterns::shipped(),
            graphs: dpg::load(&options.dpg)?,
        })
    }
}

impl Engine for Rat {
    fn new_game(&mut self, seed: u64) {
        self.random = fastrand::Rng::with_seed(seed);
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
        let root = game.position();
        if let Some(turn) = root.can_goal() {
            let thought = thought(turn, WIN - 1, 1, limits);
            listener(&thought);
            return Ok(Decision {
                choice: Choice::Play(turn),
                reasons: vec!["brings a rabbit home".to_owned()],
                thought: Some(thought),
                level: None,
            });
        }
        let limits = limits.at_most(self.nodes);
        let mut search = Search::new(&self.knowledge, self.settings, game, &limits);
        let found = search.run().ok_or(EngineError::NoTurn)?;
        let found = search.fill(found);
        let mut found = search.in_hand(found);
        found.turn = root.tidied(&found.turn);
        let thought = thought(found.turn, found.score, search.nodes, &limits);
        listener(&thought);
        let mut reasons = explain(&root, &found, &self.knowledge);
        reasons.push(searcher::reason(&thought));
        Ok(Decision {
            choice: Choice::Play(found.turn),
            reasons,
            thought: Some(thought),
            level: None,
        })
    }
}

fn thought(turn: Turn, score: i32, nodes: u64, limits: &Limits) -> Thought {
    Thought {
        depth: DEPTH,
        nodes,
        time: limits.elapsed(),
        score,
        line: vec![turn],
        ..Thought::default()
    }
}

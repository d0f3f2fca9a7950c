//! Who scores positions: tables of another program, and engines. Which scores say that a game is
//! decided.

use std::time::Instant;

use hathi_engine::{Engine, EngineSpec, Limits, winning_chance};
use hathi_rules::{Game, Position, RuleSet};
use hathi_view::numbers::rounded;

use crate::watcher::Watcher;

/// A win at once, as tables have it; so many thousandths of a rabbit less for each step it takes.
pub(super) const WON: i32 = 1_000_000;

/// What is worth so much is forced: no board is.
const FORCED: i32 = 900_000;

/// How a score says that the game ends for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Call {
    Won,
    Lost,
}

impl Call {
    /// What a table says; none if it leaves the game open.
    pub(super) fn by_table(score: i32) -> Option<Call> {
        let forced = (FORCED..=WON).contains(&score.saturating_abs());
        forced.then_some(if score > 0 { Call::Won } else { Call::Lost })
    }

    /// What an engine says; none if it leaves the game open.
    pub(super) fn by_engine(score: i32) -> Option<Call> {
        let chance = winning_chance(score);
        if chance >= 1.0 {
            Some(Call::Won)
        } else if chance <= 0.0 {
            Some(Call::Lost)
        } else {
            None
        }
    }
}

/// The game that goes on from a position of a table, if there is something to find out: it is not
/// over, and there is no goal in this turn, which everybody sees.
pub(super) fn worth_a_look(position: Position) -> Option<Game> {
    let game = Game::from_position(RuleSet::Modern, position);
    let open = game.outcome().is_none() && game.has_legal_turn();
    (open && position.can_goal().is_none()).then_some(game)
}

/// An engine that is asked what positions are worth.
pub(super) struct Scorer {
    engine: Box<dyn Engine>,
    asked: u32,
    seconds: f64,
}

impl Scorer {
    /// Makes the engine.
    pub(super) fn build(spec: &EngineSpec) -> anyhow::Result<Scorer> {
        Ok(Scorer {
            engine: spec.build()?,
            asked: 0,
            seconds: 0.0,
        })
    }

    /// What it says of the side to move, in hundredths of a rabbit, having looked at so many
    /// positions; none if it says nothing. It remembers nothing from one game to the next.
    pub(super) fn score(
        &mut self,
        game: &Game,
        nodes: u64,
        watcher: &dyn Watcher,
    ) -> anyhow::Result<Option<i32>> {
        let started = Instant::now();
        self.engine.new_game(1);
        let limits = Limits::nodes(nodes).with_stop(watcher.stop());
        let decision = self.engine.decide(game, &limits, &mut |_| {})?;
        self.asked += 1;
        self.seconds += started.elapsed().as_secs_f64();
        Ok(decision.thought.map(|thought| thought.score))
    }

    /// How long it took for a position.
    pub(super) fn milliseconds(&self) -> f64 {
        rounded(1e3 * self.seconds / f64::from(self.asked.max(1)), 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_certain_is_decided() {
        assert_eq!(Call::by_engine(99_997), Some(Call::Won));
        assert_eq!(Call::by_engine(-99_997), Some(Call::Lost));
        assert_eq!(Call::by_engine(5_000), None);
        assert_eq!(Call::by_engine(-5_000), None);
        assert_eq!(Call::by_table(999_988), Some(Call::Won));
        assert_eq!(Call::by_table(-WON), Some(Call::Lost));
        for open in [30_353, -899_999, WON + 1, i32::MIN] {
            assert_eq!(Call::by_table(open), None, "{open}");
        }
    }

    #[test]
    fn what_is_over_or_seen_at_once_is_not_worth_a_look() {
        let looks = |text: &str| {
            let position: Position = text.parse().expect("a position");
            worth_a_look(position).is_some()
        };
        // A rabbit that runs; the same a step from goal; one that is there; nobody who can move.
        assert!(looks(
            "g [...............r........................R.......................]"
        ));
        assert!(!looks(
            "g [........R......r................................................]"
        ));
        assert!(!looks(
            "g [........R.....................................................r.]"
        ));
        assert!(!looks(
            "g [.......r........................................d.......Rd......]"
        ));
    }
}

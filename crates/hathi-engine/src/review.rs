//! Was a turn a mistake? The turn played and the best one are valued by one
//! search to the same depth, and what counts is the chance to win that was
//! given away, not the score.

use hathi_rules::{Game, Turn};

use crate::search::SURE;
use crate::{AnalysisRequest, Engine, EngineError, Limits, Thought, winning_chance};

/// Positions to look at for a turn if nothing else is said.
pub const REVIEW_NODES: u64 = 100_000;

/// No turn is marked by less: its own four steps, and eight after it, for the
/// turn played and for the best one.
pub const LEAST_DEPTH: u32 = 12;

/// A turn that seems to give away so much is looked at again.
const SUSPECT: f64 = 0.06;

/// How much longer the second look is than the first.
const SECOND_LOOK: u32 = 4;

/// The engine that judges, with its network: what was judged by another one may
/// be judged otherwise.
pub fn engine_version() -> String {
    let network = hathi_model::network::Network::shipped();
    let name = network.map_or("none", |network| network.about.name.as_str());
    format!("{}, network {name}", env!("CARGO_PKG_VERSION"))
}

/// How bad a turn was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// It made a difference.
    Mistake,
    /// It gave away much of the game.
    Blunder,
}

/// The chance to win that must be lost, and what that is called; worst first.
const MARKS: [(f64, Mark); 2] = [(0.25, Mark::Blunder), (0.12, Mark::Mistake)];

impl Mark {
    /// The mark for so much chance lost.
    pub fn of(loss: f64) -> Option<Mark> {
        let fits = MARKS.iter().find(|(least, _)| loss >= *least);
        fits.map(|(_, mark)| *mark)
    }

    /// "mistake" or "blunder".
    pub const fn name(self) -> &'static str {
        match self {
            Mark::Mistake => "mistake",
            Mark::Blunder => "blunder",
        }
    }
}

/// What a search makes of a turn that was played.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// The best turn and what is expected after it.
    pub best: Thought,
    /// The same for the turn played, from the same search.
    pub played: Thought,
    /// The chance to win that the turn gave away, 0 to 1.
    pub loss: f64,
    /// What that is called, if the search was deep enough to say.
    pub mark: Option<Mark>,
}

/// Judges the next turn of a game. The same engine, game, turn and number of
/// positions give the same verdict: nothing is remembered from other turns.
///
/// A first look finds the best turn. A turn that seems to be worse is compared
/// with it by a second look, four times as long, at these two turns alone: so it
/// is deeper, and the mark stands.
pub fn judge(
    engine: &mut dyn Engine,
    game: &Game,
    turn: &Turn,
    limits: &Limits,
) -> Result<Judged, EngineError> {
    engine.new_game(1);
    let request = AnalysisRequest {
        also: &[*turn],
        ..AnalysisRequest::of(game)
    };
    let analysis = engine.analyse(&request, limits, &mut |_| {})?;
    let best = analysis.lines.into_iter().next();
    let best = best.ok_or(EngineError::NoTurn)?;
    // Without time for one depth there is nothing to compare.
    let played = analysis.also.into_iter().next();
    let played = played.unwrap_or_else(|| best.clone());
    let first = Judged::new(best, played);
    // However shallow it was: the second look says whether that turn is better.
    let suspect = first.loss >= SUSPECT && !limits.stop.asked();
    let (Some(best), true) = (first.best.line.first(), suspect) else {
        return Ok(first);
    };
    let longer = Limits {
        started: std::time::Instant::now(),
        nodes: limits.nodes.map(|n| n.saturating_mul(SECOND_LOOK.into())),
        aim: limits.aim.map(|time| time * SECOND_LOOK),
        most: limits.most.map(|time| time * SECOND_LOOK),
        ..limits.clone()
    };
    let request = AnalysisRequest {
        lines: 0,
        also: &[*best, *turn],
        ..AnalysisRequest::of(game)
    };
    let analysis = engine.analyse(&request, &longer, &mut |_| {})?;
    let Ok([best, played]) = <[Thought; 2]>::try_from(analysis.also) else {
        return Ok(first);
    };
    let mut second = Judged::new(best, played);
    if second.best.depth >= LEAST_DEPTH || second.is_decided() {
        second.mark = Mark::of(second.loss);
    }
    Ok(second)
}

impl Judged {
    /// Not marked yet.
    fn new(best: Thought, played: Thought) -> Judged {
        let loss = winning_chance(best.score) - winning_chance(played.score);
        Judged {
            best,
            played,
            loss: loss.max(0.0),
            mark: None,
        }
    }

    /// Has the search an end of the game in sight for both turns?
    fn is_decided(&self) -> bool {
        self.best.score.abs() > SURE && self.played.score.abs() > SURE
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::EngineSpec;
    use hathi_rules::{Position, RuleSet};

    /// Silver threatens to run down the h file; the horse can stop it.
    const THREAT: &str = "
        g
        8| r r r . . r r . |
        7| . . . . . . . . |
        6| . . x . . x . . |
        5| . . . e . . . . |
        4| . . . . . . . r |
        3| . . x . E x . . |
        2| . . . . . H . . |
        1| R R R . . . . . |";

    fn judged(turn: &str, nodes: u64) -> Judged {
        let position: Position = THREAT.parse().expect("a position");
        let game = Game::from_position(RuleSet::Modern, position);
        let spec: EngineSpec = "hathi:hash=8".parse().expect("an engine");
        let mut engine = spec.build().expect("ready");
        let turn = turn.parse().expect("a turn");
        judge(&mut *engine, &game, &turn, &Limits::nodes(nodes)).expect("a verdict")
    }

    #[test]
    fn a_turn_that_lets_the_rabbit_run_is_a_blunder() {
        let verdict = judged("Ra1n", 60_000);
        assert_eq!(verdict.mark, Some(Mark::Blunder), "{verdict:?}");
        assert!(verdict.played.score < -SURE);
        assert_eq!(verdict.played.line[0].to_string(), "Ra1n");
        assert!(verdict.loss > 0.25);
    }

    #[test]
    fn the_best_turn_is_none_and_verdicts_repeat() {
        let first = judged("Ra1n", 60_000);
        let best = first.best.line[0].to_string();
        let again = judged(&best, 60_000);
        assert_eq!(again.mark, None, "{again:?}");
        let repeated = judged("Ra1n", 60_000);
        assert_eq!(repeated.played.line, first.played.line);
        assert_eq!(repeated.best.line, first.best.line);
        assert_eq!(repeated.played.score, first.played.score);
    }

    #[test]
    fn without_depth_there_is_no_mark() {
        // A few positions are one or two steps: the loss is not believed.
        let start = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]";
        let game = Game::from_position(RuleSet::Modern, start.parse().expect("a position"));
        let spec: EngineSpec = "hathi:hash=8".parse().expect("an engine");
        let mut engine = spec.build().expect("ready");
        for nodes in [1, 100, 2_000] {
            for turn in ["Ee2n Ee3n Ee4n Ee5n", "Ha2n"] {
                let turn = turn.parse().expect("a turn");
                let verdict =
                    judge(&mut *engine, &game, &turn, &Limits::nodes(nodes)).expect("a verdict");
                assert!(verdict.best.depth < LEAST_DEPTH);
                assert_eq!(verdict.mark, None);
            }
        }
    }
}

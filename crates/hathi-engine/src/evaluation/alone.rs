//! The evaluation of an engine without its search, called as the search calls it: benches ask what it
//! costs.

use hathi_rules::{Board, Position};

use super::Evaluate;

/// The static evaluation of an engine, see [`EngineSpec::evaluation`](crate::EngineSpec::evaluation).
pub struct StaticEvaluation(Box<dyn ValueLines>);

impl StaticEvaluation {
    pub(crate) fn new(evaluation: impl Evaluate + Send + 'static) -> StaticEvaluation {
        let track = evaluation.track();
        StaticEvaluation(Box::new(Tracked { evaluation, track }))
    }

    /// A search starts from this board.
    pub fn start_from(&mut self, root: &Board) {
        self.0.start_from(root);
    }

    /// Values the positions of a line, the first of which is a step from where the search started.
    /// Each follows from the one before, as when a search goes down the line. The sum of what they
    /// are worth, each for its side to move, in hundredths of a rabbit.
    pub fn value_line(&mut self, line: &[Position]) -> i64 {
        self.0.value_line(line)
    }
}

/// Dynamic for whole lines only, so that each evaluation is called as directly as in a search.
trait ValueLines: Send {
    fn start_from(&mut self, root: &Board);
    fn value_line(&mut self, line: &[Position]) -> i64;
}

struct Tracked<E: Evaluate> {
    evaluation: E,
    track: E::Track,
}

impl<E: Evaluate + Send> ValueLines for Tracked<E> {
    fn start_from(&mut self, root: &Board) {
        self.evaluation.start_from(root);
    }

    fn value_line(&mut self, line: &[Position]) -> i64 {
        let mut sum = 0;
        for (ply, position) in (1..).zip(line) {
            let (board, side) = (position.board(), position.side_to_move());
            let left = position.steps_left();
            let worth = self
                .evaluation
                .evaluate_at(&mut self.track, ply, board, side, left);
            sum += i64::from(worth);
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use crate::{EngineKind, EngineSpec};
    use hathi_rules::Position;

    /// The start and what follows when somebody walks about.
    fn line() -> Vec<Position> {
        let start: Position =
            "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]"
                .parse()
                .expect("a position");
        let mut line = Vec::new();
        let mut here = start;
        for number in 0..30 {
            let steps = here.legal_steps();
            here = here.after(steps[number * 7 % steps.len()]);
            if here.steps_left() == 0 && !here.is_mid_push() {
                here = here.end_turn();
            }
            line.push(here);
        }
        line
    }

    #[test]
    fn a_line_is_worth_what_its_positions_are() {
        let line = line();
        for name in ["fallback", "fairy", "tweaked:phase-at=root", "hathi", "uct"] {
            let spec: EngineSpec = name.parse().expect("an engine");
            let new = || {
                let mut evaluation = spec.evaluation().expect("builds").expect("there is one");
                evaluation.start_from(line[0].board());
                evaluation
            };
            let mut each_alone = 0;
            for position in &line {
                each_alone += new().value_line(&[*position]);
            }
            let mut evaluation = new();
            assert_eq!(evaluation.value_line(&line), each_alone, "{name}");
            // Coming back to where it has been changes nothing.
            evaluation.value_line(&line[20..]);
            assert_eq!(evaluation.value_line(&line), each_alone, "{name}");
        }
    }

    #[test]
    fn engines_that_search_have_an_evaluation() {
        for kind in EngineKind::ALL {
            let evaluation = EngineSpec::of(kind).evaluation().expect("builds");
            let without = [
                EngineKind::Random,
                EngineKind::Step,
                EngineKind::Mix,
                EngineKind::Rat,
                EngineKind::Mimic2014,
            ];
            assert_eq!(evaluation.is_none(), without.contains(&kind), "{kind:?}");
        }
        let missing: EngineSpec = "hathi:network=missing.hnn".parse().expect("an engine");
        assert!(missing.evaluation().is_err());
    }
}

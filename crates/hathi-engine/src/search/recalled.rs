//! What a memory of games knows about the turns from the root: which steps to
//! try first there, and what speaks for or against a turn.

use std::collections::HashMap;

use hathi_rules::{Position, Turn};

use super::order::Scored;
use super::table::Best;

/// Evidence never outweighs more than a rabbit.
pub(crate) const MOST_EVIDENCE: i32 = 100;

/// Turns from a root, with what games say about them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recalled {
    /// For every position inside those turns the steps that go on, the best first.
    steps: HashMap<u64, Vec<Best>>,
    /// For positions after the turn: hundredths of a rabbit for the side that
    /// moves at the root.
    evidence: HashMap<u64, i32>,
    /// Of the evidence: what is found with it is kept apart in the table.
    key: u64,
}

impl Recalled {
    /// Nothing is known.
    pub(crate) fn is_empty(&self) -> bool {
        self.steps.is_empty() && self.evidence.is_empty()
    }

    /// This turn is to be tried after those named before.
    pub(crate) fn suggest(&mut self, root: &Position, turn: &Turn) {
        let mut position = *root;
        for &step in turn.steps() {
            self.go_on(&position, Best::Step(step));
            position.apply(step);
        }
        if position.can_end_turn() && position.steps_left() > 0 {
            self.go_on(&position, Best::Pass);
        }
    }

    fn go_on(&mut self, position: &Position, best: Best) {
        let known = self.steps.entry(position.hash()).or_default();
        if !known.contains(&best) {
            known.push(best);
        }
    }

    /// So much speaks for the turn that leads to this position.
    pub(crate) fn weigh(&mut self, after: &Position, evidence: i32) {
        let evidence = evidence.clamp(-MOST_EVIDENCE, MOST_EVIDENCE);
        if evidence != 0 {
            let mixed = after.hash() ^ u64::from(evidence.cast_unsigned());
            self.key ^= mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            self.evidence.insert(after.hash(), evidence);
        }
    }

    /// What to mark keys of the table with; 0 without evidence.
    pub(super) fn key(&self) -> u64 {
        self.key
    }

    /// What speaks for the turn that leads here.
    pub(super) fn evidence(&self, after: u64) -> i32 {
        self.evidence.get(&after).copied().unwrap_or(0)
    }

    /// Moves steps that were taken here up.
    pub(super) fn order(&self, position: &Position, steps: &mut [Scored]) {
        let Some(known) = self.steps.get(&position.hash()) else {
            return;
        };
        for (place, best) in known.iter().enumerate() {
            let found = steps.iter_mut().find(|step| step.best() == *best);
            if let Some(step) = found {
                step.raise(-(place as i32));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]";

    #[test]
    fn steps_of_recalled_turns_come_first_in_their_order() {
        let root: Position = START.parse().expect("a position");
        let mut recalled = Recalled::default();
        assert!(recalled.is_empty());
        let turn = |text: &str| text.parse::<Turn>().expect("a turn");
        recalled.suggest(&root, &turn("Ee2n Ee3n Ee4n Ee5n"));
        recalled.suggest(&root, &turn("Ha2n Ha3n"));
        let mut steps: Vec<Scored> = Vec::new();
        root.for_each_step(|step| steps.push(Scored::step(step, 0)));
        recalled.order(&root, &mut steps);
        let order = |steps: &mut Vec<Scored>| -> Vec<String> {
            let picked = (0..2).map(|at| super::super::order::pick(steps, at));
            let picked = picked.map(|step| step.as_step().map(|step| step.to_string()));
            picked.flatten().collect()
        };
        assert_eq!(order(&mut steps), ["Ee2n", "Ha2n"]);
        // Inside the turn: on with it, or its end.
        let inside = root.after_turn(turn("Ha2n").steps());
        assert_eq!(inside.steps_left(), 4, "the turn is over");
        let mut inside = root;
        inside.apply(turn("Ha2n").steps()[0]);
        inside.apply(turn("Ha3n").steps()[0]);
        let mut steps = vec![Scored::pass(0)];
        inside.for_each_step(|step| steps.push(Scored::step(step, 50)));
        recalled.order(&inside, &mut steps);
        assert_eq!(super::super::order::pick(&mut steps, 0).best(), Best::Pass);
    }

    #[test]
    fn evidence_is_bounded_and_marks_the_table() {
        let root: Position = START.parse().expect("a position");
        let mut recalled = Recalled::default();
        assert_eq!(recalled.key(), 0);
        let turn: Turn = "Ee2n Ee3n".parse().expect("a turn");
        let after = root.after_turn(turn.steps());
        recalled.weigh(&after, 9_999);
        assert_eq!(recalled.evidence(after.hash()), MOST_EVIDENCE);
        assert_eq!(recalled.evidence(root.hash()), 0);
        assert_ne!(recalled.key(), 0);
    }
}

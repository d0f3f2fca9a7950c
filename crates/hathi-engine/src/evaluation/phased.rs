//! The weighted evaluation with an eye on the phase of the game.

use hathi_model::phase::{self, Phase, PhaseFeatures, PhaseScore, Probabilities};
use hathi_rules::{Board, Side};

use super::knobs::{KNOBS, knobs};
use super::tweaks::Tweaks;
use super::weights::from_file;
use super::{Evaluate, Weights};
use crate::{EngineError, EngineOptions, PhaseAt, PhaseUse};

/// Shares are kept in this part of a per cent, so that blends lose nothing
/// that matters.
const FINE: i32 = 16;

/// What each theme counts, in `FINE` parts of a per cent.
type Shares = [i32; KNOBS];

/// An evaluation that goes by the phase of the game.
#[derive(Clone, Debug)]
pub struct Phased {
    weights: Weights,
    /// By the score of the phase, as nothing else decides but a goal threat.
    by_score: Box<[Shares]>,
    /// With a goal threat; none if nobody looks for one.
    with_threat: Option<Shares>,
    at: PhaseAt,
    /// Those of the board that the search started from, if that one decides.
    of_root: Option<Shares>,
}

impl Phased {
    /// Weights of the terms, shares of the themes by phase, and how the phase
    /// is told.
    pub fn new(weights: Weights, tweaks: &Tweaks, phase_use: PhaseUse) -> Phased {
        let hard = |phase: Phase| shares(tweaks, Probabilities::certain(phase));
        let by_score = PhaseScore::all().map(|score| match phase_use {
            PhaseUse::Smooth => shares(tweaks, score.probabilities()),
            PhaseUse::GoalThreats | PhaseUse::NoGoalThreats => hard(score.phase()),
        });
        Phased {
            weights,
            by_score: by_score.collect(),
            with_threat: (phase_use == PhaseUse::GoalThreats).then(|| hard(Phase::End)),
            at: PhaseAt::Leaf,
            of_root: None,
        }
    }

    /// The same, asking for the phase elsewhere.
    #[must_use]
    pub fn asking_at(mut self, at: PhaseAt) -> Phased {
        self.at = at;
        self
    }

    /// As the options of an engine say.
    pub(crate) fn from_options(options: &EngineOptions) -> Result<Phased, EngineError> {
        let weights = from_file(
            "weights",
            &options.weights,
            Weights::parse,
            Weights::shipped,
        )?;
        let tweaks = from_file("tweaks", &options.tweaks, Tweaks::parse, || {
            match options.phase {
                PhaseUse::Smooth => Tweaks::shipped(),
                PhaseUse::GoalThreats | PhaseUse::NoGoalThreats => Tweaks::by_the_paper(),
            }
        })?;
        let at = options
            .phase_at
            .unwrap_or_else(|| options.phase.usually_at());
        Ok(Phased::new(weights, &tweaks, options.phase).asking_at(at))
    }

    /// What a board is worth to Gold, in hundredths of a rabbit.
    pub fn value(&self, board: &Board) -> i32 {
        let shares = self.of_root.as_ref();
        self.valued_by(board, shares.unwrap_or_else(|| self.shares(board)))
    }

    /// The same as if it were in the phase of another board.
    pub fn value_in_phase_of(&self, board: &Board, other: &Board) -> i32 {
        self.valued_by(board, self.shares(other))
    }

    fn valued_by(&self, board: &Board, shares: &Shares) -> i32 {
        let values = knobs(&self.weights, board);
        let sum: i32 = values
            .iter()
            .zip(shares.iter())
            .map(|(v, share)| v * share)
            .sum();
        sum / (100 * FINE)
    }

    fn shares(&self, board: &Board) -> &Shares {
        if let Some(shares) = &self.with_threat
            && phase::goal_threat(board)
        {
            return shares;
        }
        &self.by_score[PhaseFeatures::quick(board).score().index()]
    }
}

/// A blend of the phases.
fn shares(tweaks: &Tweaks, chances: Probabilities) -> Shares {
    std::array::from_fn(|knob| {
        let share = |phase: Phase| chances.of(phase) * f64::from(tweaks.get(knob, phase));
        let sum: f64 = Phase::ALL.into_iter().map(share).sum();
        (sum * f64::from(FINE)).round() as i32
    })
}

impl Evaluate for Phased {
    type Track = ();

    fn track(&self) {}

    fn evaluate(&self, board: &Board, side: Side) -> i32 {
        let gold = self.value(board);
        match side {
            Side::Gold => gold,
            Side::Silver => -gold,
        }
    }

    fn start_from(&mut self, root: &Board) -> bool {
        let shares = match self.at {
            PhaseAt::Leaf => None,
            PhaseAt::Root => Some(*self.shares(root)),
        };
        let changed = shares != self.of_root;
        self.of_root = shares;
        changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::Weighted;
    use hathi_rules::{Position, Symmetric, Symmetry};

    const USES: [PhaseUse; 3] = [
        PhaseUse::GoalThreats,
        PhaseUse::NoGoalThreats,
        PhaseUse::Smooth,
    ];

    /// Twelve pieces and one advanced: the end of the middle game, just.
    const LATE: &str = "
        g
        8| . . r r . r . r |
        7| . h . . c . . . |
        6| r . x . . x . . |
        5| . . . e . . . r |
        4| . . . E . . . . |
        3| . H x . . x C . |
        2| R D . . . . D R |
        1| R R R . . R . R |";

    fn phased(tweaks: &Tweaks, phase_use: PhaseUse) -> Phased {
        Phased::new(Weights::shipped(), tweaks, phase_use)
    }

    #[test]
    fn without_tweaks_it_is_the_weighted_evaluation() {
        let position: Position = LATE.parse().expect("a position");
        let board = position.board();
        for phase_use in USES {
            let same = phased(&Tweaks::none(), phase_use).evaluate(board, Side::Silver);
            assert_eq!(same, Weighted::shipped().evaluate(board, Side::Silver));
        }
    }

    #[test]
    fn mirror_and_colours_change_nothing() {
        let position: Position = LATE.parse().expect("a position");
        for phase_use in USES {
            let evaluation = phased(&Tweaks::by_the_paper(), phase_use);
            let value = evaluation.evaluate(position.board(), position.side_to_move());
            for symmetry in Symmetry::ALL {
                let image = position.under(symmetry);
                let seen = evaluation.evaluate(image.board(), image.side_to_move());
                assert_eq!(seen, value, "{symmetry:?}");
            }
        }
    }

    #[test]
    fn only_gt_looks_for_goals() {
        // A rabbit one step from goal, most pieces still there.
        let position: Position =
            "g [rrrrr rrhdcemRDh                                HDCMEC HRRRR RRR]"
                .parse()
                .expect("a position");
        let board = position.board();
        let with = phased(&Tweaks::by_the_paper(), PhaseUse::GoalThreats);
        let without = phased(&Tweaks::by_the_paper(), PhaseUse::NoGoalThreats);
        assert_ne!(
            with.evaluate(board, Side::Gold),
            without.evaluate(board, Side::Gold)
        );
    }

    #[test]
    fn the_root_decides_for_the_whole_search() {
        let late: Position = LATE.parse().expect("a position");
        let early: Position =
            "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]"
                .parse()
                .expect("a position");
        for phase_use in USES {
            let everywhere = phased(&Tweaks::by_the_paper(), phase_use);
            let mut once = everywhere.clone().asking_at(PhaseAt::Root);
            assert!(once.start_from(late.board()), "a phase where none was");
            assert_eq!(once.value(late.board()), everywhere.value(late.board()));
            let of_late = once.value(late.board());
            assert!(!once.start_from(late.board()), "the same phase");
            assert!(once.start_from(early.board()), "another phase");
            assert_ne!(once.value(late.board()), of_late);
            let as_if = everywhere.value_in_phase_of(late.board(), early.board());
            assert_eq!(once.value(late.board()), as_if);
            // Asked everywhere, it does not matter where the search starts.
            let mut same = everywhere.clone();
            assert!(!same.start_from(early.board()));
            assert_eq!(same.value(late.board()), of_late);
        }
    }

    #[test]
    fn a_smooth_border_is_no_cliff() {
        // The rabbits of one side forward, step by step; hard phases jump at a
        // border by far more than smooth ones do anywhere.
        let mut jumps = [0; 2];
        for (jump, phase_use) in jumps.iter_mut().zip([USES[1], USES[2]]) {
            let evaluation = phased(&Tweaks::by_the_paper(), phase_use);
            let shares = evaluation.by_score.windows(2);
            *jump = shares
                .map(|pair| (pair[0][2] - pair[1][2]).abs())
                .max()
                .expect("scores");
        }
        assert!(jumps[0] > 3 * jumps[1], "{jumps:?}");
    }
}

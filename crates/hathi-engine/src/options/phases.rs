//! What engines do with the phase of the game.

/// How an evaluation goes by the phase of the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PhaseUse {
    /// Weights blend by the chances of the phases: no border, no cliff.
    #[default]
    Smooth,
    /// Hard phases; a goal threat belongs to the end game.
    GoalThreats,
    /// Hard phases without a look for goal threats.
    NoGoalThreats,
}

impl PhaseUse {
    /// All of them.
    pub const ALL: [PhaseUse; 3] = [
        PhaseUse::Smooth,
        PhaseUse::GoalThreats,
        PhaseUse::NoGoalThreats,
    ];

    /// Where the phase is asked for if nobody says otherwise: as the paper
    /// does it with its hard phases, at the root with ours.
    pub(crate) const fn usually_at(self) -> PhaseAt {
        match self {
            PhaseUse::Smooth => PhaseAt::Root,
            PhaseUse::GoalThreats | PhaseUse::NoGoalThreats => PhaseAt::Leaf,
        }
    }

    /// "smooth", "gt" or "ngt".
    pub const fn name(self) -> &'static str {
        match self {
            PhaseUse::Smooth => "smooth",
            PhaseUse::GoalThreats => "gt",
            PhaseUse::NoGoalThreats => "ngt",
        }
    }
}

/// Where an evaluation by the phase of the game asks for the phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PhaseAt {
    /// On every board that it values, as the paper does.
    Leaf,
    /// Once, on the board that the search starts from: all boards of a search
    /// are valued by the same measure.
    Root,
}

impl PhaseAt {
    /// Both of them.
    pub const ALL: [PhaseAt; 2] = [PhaseAt::Leaf, PhaseAt::Root];

    /// "leaf" or "root".
    pub const fn name(self) -> &'static str {
        match self {
            PhaseAt::Leaf => "leaf",
            PhaseAt::Root => "root",
        }
    }
}

/// What a search does with lines that lead back toward the opening.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PhasePruning {
    /// Searches them as any other.
    #[default]
    Off,
    /// Searches them less deeply.
    Reduce,
    /// Ends them there.
    Cut,
}

impl PhasePruning {
    /// All of them.
    pub const ALL: [PhasePruning; 3] = [PhasePruning::Off, PhasePruning::Reduce, PhasePruning::Cut];

    /// "off", "reduce" or "cut".
    pub const fn name(self) -> &'static str {
        match self {
            PhasePruning::Off => "off",
            PhasePruning::Reduce => "reduce",
            PhasePruning::Cut => "cut",
        }
    }
}

//! What a search makes of the memory.

/// What a search makes of turns that were played in positions like its root.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RecallUse {
    /// Nothing: it does not ask.
    #[default]
    Never,
    /// They are tried first.
    Order,
    /// Their results count for or against them.
    Evidence,
    /// Both.
    Both,
}

impl RecallUse {
    /// All of them.
    pub const ALL: [RecallUse; 4] = [
        RecallUse::Never,
        RecallUse::Order,
        RecallUse::Evidence,
        RecallUse::Both,
    ];

    /// "off", "order", "evidence" or "both".
    pub const fn name(self) -> &'static str {
        match self {
            RecallUse::Never => "off",
            RecallUse::Order => "order",
            RecallUse::Evidence => "evidence",
            RecallUse::Both => "both",
        }
    }

    /// Are they tried first?
    pub const fn orders(self) -> bool {
        matches!(self, RecallUse::Order | RecallUse::Both)
    }

    /// Do their results count?
    pub const fn weighs(self) -> bool {
        matches!(self, RecallUse::Evidence | RecallUse::Both)
    }
}

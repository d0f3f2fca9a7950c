//! Where a choice came from: the memory, a proof, search or chance.

/// Where a choice came from.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// A setup of the memory.
    Setup,
    /// The table of wins in two.
    Puzzle,
    /// A win that was proven.
    Proof,
    /// The whole board has been seen before.
    Full,
    /// Ranks 3 to 6 have been seen before.
    Half,
    /// The area round a trap has been seen before.
    Area,
    /// The area round a trap, from the strength of one piece.
    AreaByPiece,
    /// Search.
    Search,
    /// Chance.
    Chance,
}

impl Level {
    /// All of them, in the order they are asked.
    pub const ALL: [Level; 9] = [
        Level::Setup,
        Level::Puzzle,
        Level::Proof,
        Level::Full,
        Level::Half,
        Level::Area,
        Level::AreaByPiece,
        Level::Search,
        Level::Chance,
    ];

    /// In words.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Setup => "setup",
            Level::Puzzle => "win in two, table",
            Level::Proof => "win in two, proven",
            Level::Full => "full board",
            Level::Half => "half board",
            Level::Area => "area",
            Level::AreaByPiece => "area by piece",
            Level::Search => "search",
            Level::Chance => "chance",
        }
    }
}

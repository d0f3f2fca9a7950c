//! What values the leaves of uct.

/// What values the leaves of a Monte-Carlo tree search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Playouts {
    /// None: the evaluation does.
    #[default]
    None,
    /// One game of random steps to its end.
    Random,
}

impl Playouts {
    /// Both of them.
    pub const ALL: [Playouts; 2] = [Playouts::None, Playouts::Random];

    /// "none" or "random".
    pub const fn name(self) -> &'static str {
        match self {
            Playouts::None => "none",
            Playouts::Random => "random",
        }
    }
}

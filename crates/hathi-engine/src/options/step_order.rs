//! What the order of steps comes from.

/// What the order of steps in a search comes from, beside what the search
/// itself finds out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum StepOrder {
    /// Nothing else.
    None,
    /// The model of the steps strong players take that is shipped.
    #[default]
    Learned,
    /// A model of steps in a file, as `hathi learn train` writes it.
    File(String),
}

impl StepOrder {
    pub(super) fn read(text: &str) -> StepOrder {
        match text {
            "none" => StepOrder::None,
            "learned" | "" => StepOrder::Learned,
            file => StepOrder::File(file.to_owned()),
        }
    }

    pub(super) fn text(&self) -> &str {
        match self {
            StepOrder::None => "none",
            StepOrder::Learned => "learned",
            StepOrder::File(file) => file,
        }
    }
}

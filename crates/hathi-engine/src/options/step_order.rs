//! What the order of steps comes from.

/// What the order of steps in a search comes from, beside what the search
/// itself finds out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum StepOrder {
    /// Nothing else.
    None,
    /// What is shipped: a network of steps for hathi, uct and what stands on
    /// them, a model of the steps strong players take for the other engines.
    #[default]
    Learned,
    /// A file of `hathi learn steps` (a network) or of `hathi learn train
    /// --unit step` (a model).
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

//! What every engine is: a game and limits in, a choice and its reasons out.

use std::time::Duration;

use hathi_rules::{Bitboard, Board, Choice, Game, Position, Turn};

use crate::{Analysis, AnalysisRequest, Level, Limits};

/// A player.
///
/// Engines are built by name from an [`EngineSpec`](crate::EngineSpec). One
/// engine plays one game at a time, but any number in a row.
pub trait Engine: Send {
    /// A new game begins. The same seed and the same game give the same
    /// choices, as far as limits are not about time.
    fn new_game(&mut self, seed: u64);

    /// Chooses the next turn, or the setup if the game is not set up yet.
    ///
    /// Comes back soon after a limit is reached or [`Limits::stop`] is asked
    /// for, always with a legal choice. `listener` hears what the engine
    /// thinks meanwhile.
    fn decide(
        &mut self,
        game: &Game,
        limits: &Limits,
        listener: &mut dyn FnMut(&Thought),
    ) -> Result<Decision, EngineError>;

    /// The best several turns, and what they are worth; for engines that
    /// search. `listener` hears of every depth that is reached.
    ///
    /// Comes back as [`decide`](Engine::decide) does.
    fn analyse(
        &mut self,
        _request: &AnalysisRequest<'_>,
        _limits: &Limits,
        _listener: &mut dyn FnMut(&Analysis),
    ) -> Result<Analysis, EngineError> {
        Err(EngineError::NoAnalysis)
    }

    /// Up to so many of the positions that a search within the limits looks at, drawn by chance, each
    /// as likely as any other; for engines that search. What evaluations and orders of steps are
    /// asked about most.
    fn visited(
        &mut self,
        _game: &Game,
        _limits: &Limits,
        _wanted: usize,
        _seed: u64,
    ) -> Result<Vec<Visited>, EngineError> {
        Err(EngineError::NoAnalysis)
    }
}

/// A position that a search looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visited {
    /// The board its turn began with.
    pub start: Board,
    /// Where the turn stands.
    pub position: Position,
    /// Squares the turn before had changed, as far as is known.
    pub changed: Bitboard,
}

/// A choice and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// What to do.
    pub choice: Choice,
    /// The reasons, in sentences a player can read, the most important first.
    pub reasons: Vec<String>,
    /// The last thing thought, for engines that search.
    pub thought: Option<Thought>,
    /// Where the choice came from, for engines that remember.
    pub level: Option<Level>,
}

impl Decision {
    /// A choice for one reason.
    pub fn because(choice: Choice, reason: impl Into<String>) -> Decision {
        Decision {
            choice,
            reasons: vec![reason.into()],
            thought: None,
            level: None,
        }
    }
}

/// How far an engine has come.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Thought {
    /// Depth reached, in steps.
    pub depth: u32,
    /// This is from the next step of depth, which is not looked through yet.
    pub unfinished: bool,
    /// Positions looked at.
    pub nodes: u64,
    /// Time spent.
    pub time: Duration,
    /// The value of the position for the side to move, in hundredths of a
    /// rabbit.
    pub score: i32,
    /// The turns expected, the engine's first. The last may be incomplete.
    pub line: Vec<Turn>,
    /// Its place among the lines thought about, 0 for the best.
    pub rank: u32,
}

/// Why an engine has no answer.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The side to move has lost by the rules: there is no legal turn.
    #[error("there is no legal turn")]
    NoTurn,
    /// The game is over already.
    #[error("the game is over")]
    GameOver,
    /// It does not search, or not in a way that values turns.
    #[error("this engine cannot analyse; hathi, uct, fairy, tweaked, fallback and greedy can")]
    NoAnalysis,
    /// The setups are not made yet.
    #[error("there is nothing to analyse before both sides have set up")]
    NotSetUp,
    /// The steps said to be taken already cannot be taken.
    #[error("the steps of this turn cannot be taken here")]
    BadSteps,
    /// A file that an option names cannot be used.
    #[error("option {option}: {path}: {what}")]
    File {
        /// The option.
        option: &'static str,
        /// The file.
        path: String,
        /// What is wrong with it.
        what: String,
    },
    /// The evaluation network cannot be used.
    #[error(transparent)]
    Network(#[from] hathi_model::network::NetworkError),
    /// The model that orders steps cannot be used.
    #[error(transparent)]
    Model(#[from] hathi_model::models::ModelError),
    /// The network that orders steps cannot be used.
    #[error(transparent)]
    Steps(#[from] hathi_model::steps::StepNetworkError),
    /// A pattern graph cannot be used.
    #[error(transparent)]
    Graph(#[from] crate::dpg::LoadError),
    /// It plays from a memory, and this program was built without.
    #[error("this program was built without the memory that {0} plays from")]
    NoMemory(&'static str),
    /// The memory cannot be asked.
    #[cfg(feature = "memory")]
    #[error(transparent)]
    Store(#[from] hathi_store::StoreError),
}

/// What a file says that an option names.
pub(crate) fn read_file<T, E: std::fmt::Display>(
    option: &'static str,
    path: &str,
    parse: impl FnOnce(&str) -> Result<T, E>,
) -> Result<T, EngineError> {
    let unusable = |what: String| EngineError::File {
        option,
        path: path.to_owned(),
        what,
    };
    let text = std::fs::read_to_string(path).map_err(|error| unusable(error.to_string()))?;
    parse(&text).map_err(|error| unusable(error.to_string()))
}

//! The words in which answers are written: clients of the API and those who ask
//! the command line for JSON get the same ones. Knows nothing of HTTP or of a
//! terminal.
//!
//! | to find | look in |
//! |---|---|
//! | games in lists and move by move | [`GameView`], [`GameDetail`], [`Games`] |
//! | what was played from a position | [`BestView`], [`TurnView`] |
//! | whole answers of a store, for `--json` and for Python | [`FoundAnswer`], [`ExploredAnswer`], [`PatternHitView`] |
//! | how games begin | [`SetupView`] |
//! | forced wins | [`Solved`] |
//! | the best several turns | [`AnalysedView`] |
//! | a stretch of a game that a sequence describes | [`StretchTurn`] |
//! | a turn that was played, judged | [`JudgedView`], [`ReviewSummary`], [`ReviewView`] |
//! | games with comments and variations | [`StudyView`] |
//! | named patterns, and where a game has them | [`MotifView`], [`MotifTag`] |
//! | where games are from, and which count | [`SourceList`] |
//! | numbers, times and sizes as text | [`numbers`] |
//! | tables for the eye | [`columns`] |
//! | lines over two axes, as SVG | [`plot`] |
//!
//! With the feature `schema` the words describe themselves for `OpenAPI`.

#![forbid(unsafe_code)]

mod analysed;
mod answered;
pub mod columns;
mod games;
mod judged;
mod motifs;
pub mod numbers;
mod played;
pub mod plot;
mod reviewed;
mod setups;
mod solved;
mod sources;
mod stretch;
mod study;

pub use analysed::{AnalysedLine, AnalysedView, for_gold, score_words};
pub use answered::{ExploredAnswer, FoundAnswer, PatternHitView};
pub use games::{
    GameDetail, GameView, Games, MoveView, OutcomeView, PlayerView, SetupsView, moves, start,
};
pub use judged::{JudgedView, ReviewCount, ReviewSummary, SideReview};
pub use motifs::{
    MotifExample, MotifScoreView, MotifTag, MotifView, RatedScore, TaggedGame, YearScore,
};
pub use played::{BestView, SampleView, TurnView};
pub use reviewed::ReviewView;
pub use setups::SetupView;
pub use solved::{Line, Solved};
pub use sources::{SourceList, SourceView};
pub use stretch::StretchTurn;
pub use study::{MOST_NOTES, StudyError, StudyNote, StudyView};

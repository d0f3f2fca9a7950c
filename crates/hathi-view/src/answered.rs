//! Whole answers of a store: for the command line and for Python, who ask alike.

use hathi_rules::Role;
use hathi_store::{
    Answer, Memory, PatternAnswer, PatternHit, PatternQuestion, PositionQuestion, StoreError,
};
use serde::Serialize;

use crate::{BestView, GameView, Games, StretchTurn, TurnView};

/// What was played in positions like one. The keys are stable: scripts read them.
#[derive(Clone, Debug, Serialize)]
pub struct FoundAnswer {
    /// Which part of the board was compared.
    pub kind: &'static str,
    /// The position asked about.
    pub position: String,
    /// The trap of the area.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trap: Option<String>,
    /// The piece that enemies were compared with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub piece: Option<char>,
    /// Positions that match.
    pub hits: u64,
    /// Games the hits are from.
    pub games: u64,
    /// Hits whose turn is not legal here.
    pub illegal: u64,
    /// The best hit.
    pub best: Option<BestView>,
    /// How many different turns there are, shown or not.
    pub different_turns: usize,
    /// The turns that were played, most frequent first.
    pub turns: Vec<TurnView>,
}

impl FoundAnswer {
    /// The answer to a question, in words.
    pub fn new(
        question: &PositionQuestion,
        answer: &Answer,
        store: &dyn Memory,
    ) -> Result<FoundAnswer, StoreError> {
        let kind = question.kind;
        let best = answer.best.as_ref();
        Ok(FoundAnswer {
            kind: kind.name(),
            position: question.position.to_string(),
            trap: kind.trap().map(|trap| trap.to_string()),
            piece: kind
                .piece()
                .map(Role::to_char)
                .map(|piece| piece.to_ascii_uppercase()),
            hits: answer.hits,
            games: answer.games,
            illegal: answer.illegal,
            best: best.map(|hit| BestView::new(hit, store)).transpose()?,
            different_turns: answer.different_turns,
            turns: (answer.turns.iter())
                .map(|stats| TurnView::new(stats, store))
                .collect::<Result<_, _>>()?,
        })
    }
}

/// One step through the tree of everything that was played.
#[derive(Clone, Debug, Serialize)]
pub struct ExploredAnswer {
    /// The position asked about.
    pub position: String,
    /// How often it was reached.
    pub hits: u64,
    /// In how many games.
    pub games: u64,
    /// How many different turns there are, shown or not.
    pub different_turns: usize,
    /// The turns that were played, and how often where they lead to was reached.
    pub turns: Vec<TurnView>,
    /// The games of the strongest players.
    pub top_rated: Vec<GameView>,
    /// The newest games.
    pub most_recent: Vec<GameView>,
}

impl ExploredAnswer {
    /// The answer to a question about a whole board, in words. Asks the store
    /// where the turns lead to.
    pub fn new(
        question: &PositionQuestion,
        answer: &Answer,
        store: &dyn Memory,
    ) -> Result<ExploredAnswer, StoreError> {
        let mut turns = Vec::with_capacity(answer.turns.len());
        for stats in &answer.turns {
            let mut turn = TurnView::new(stats, store)?;
            turn.reached = Some(store.find(&question.reached(stats.after))?.hits);
            turns.push(turn);
        }
        let mut games = Games::new(store);
        Ok(ExploredAnswer {
            position: question.position.to_string(),
            hits: answer.hits,
            games: answer.games,
            different_turns: answer.different_turns,
            turns,
            top_rated: games.all(&answer.top_rated)?,
            most_recent: games.all(&answer.most_recent)?,
        })
    }
}

/// A position that a pattern describes. The keys are stable: scripts read them.
#[derive(Clone, Debug, Serialize)]
pub struct PatternHitView {
    /// The game, by what it is known by.
    pub game: String,
    /// Its label there: `12g`.
    pub r#move: String,
    /// The position, turned so that it fits the pattern as written.
    pub position: String,
    /// The turn played there, turned likewise.
    pub turn: String,
    /// Did who played it win?
    pub won: bool,
    /// Their rating.
    pub rating: Option<u16>,
    /// The game's board is the mirror image of the one shown.
    pub mirrored: bool,
    /// The whole stretch, if the pattern is about several positions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub turns: Vec<StretchTurn>,
}

impl PatternHitView {
    /// One of the hits of an answer.
    pub fn new(
        question: &PatternQuestion,
        hit: &PatternHit,
        store: &dyn Memory,
    ) -> Result<PatternHitView, StoreError> {
        let stored = store.game(hit.game)?;
        let turns = match &stored {
            Some(stored) if question.pattern.is_sequence() => StretchTurn::all(hit, &stored.moves),
            _ => Vec::new(),
        };
        Ok(PatternHitView {
            game: stored.map_or(String::new(), |stored| stored.game.id.to_string()),
            r#move: hit.ply.label().to_string(),
            position: hit.position.to_string(),
            turn: hit.turn.to_string(),
            won: hit.won,
            rating: hit.rating,
            mirrored: hit.symmetry.mirror,
            turns,
        })
    }

    /// All hits of an answer.
    pub fn all(
        question: &PatternQuestion,
        answer: &PatternAnswer,
        store: &dyn Memory,
    ) -> Result<Vec<PatternHitView>, StoreError> {
        (answer.best.iter())
            .map(|hit| PatternHitView::new(question, hit, store))
            .collect()
    }
}

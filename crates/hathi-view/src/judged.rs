//! What a search makes of turns that were played, in words.

use hathi_engine::{Judged, Limits, Mark, forced, winning_chance};
use hathi_rules::{BySide, Game, Ply, Side, Turn};
use serde::{Deserialize, Serialize};

use crate::analysed::{for_gold, score_words};

/// A turn and what a search thinks of it; scores are Gold's, in hundredths of
/// a rabbit.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct JudgedView {
    /// The number of the turn in its game, from 0.
    pub ply: usize,
    /// Its label, as `12s`.
    pub label: String,
    /// The turn played.
    pub turn: String,
    /// What it is worth.
    pub score: i32,
    /// Gold's chance to win after it, 0 to 1.
    pub gold_chance: f64,
    /// The score in words.
    pub words: String,
    /// The best turn found.
    pub best: String,
    /// What that would have been worth, by the same search.
    pub best_score: i32,
    /// The chance to win that was given away, 0 to 1.
    pub loss: f64,
    /// `mistake` or `blunder`.
    pub mark: Option<String>,
    /// Steps looked ahead, the turn's own among them.
    pub depth: u32,
    /// Positions looked at.
    pub nodes: u64,
    /// What would have come after the best turn, that turn first.
    pub line: Vec<String>,
    /// What is expected after the turn played, that turn first.
    pub played_line: Vec<String>,
}

/// Positions looked at to prove what a search claims.
const PROOF: u64 = 40_000;

impl JudgedView {
    /// The verdict on the next turn of a game.
    #[must_use]
    pub fn new(game: &Game, turn: &Turn, judged: &Judged) -> JudgedView {
        let mover = game.side_to_move();
        let ply = game.turns().len();
        let score = for_gold(judged.played.score, mover);
        let certain = forced(game, &judged.played, &Limits::nodes(PROOF));
        let text = |turns: &[Turn]| turns.iter().map(ToString::to_string).collect();
        JudgedView {
            ply,
            label: game.label_of(Ply::after(ply)).to_string(),
            turn: turn.to_string(),
            score,
            gold_chance: winning_chance(score),
            words: score_words(score, mover, certain),
            best: judged
                .best
                .line
                .first()
                .map(ToString::to_string)
                .unwrap_or_default(),
            best_score: for_gold(judged.best.score, mover),
            loss: judged.loss,
            mark: judged.mark.map(|mark| mark.name().to_owned()),
            depth: judged.best.depth,
            nodes: judged.nodes,
            line: text(&judged.best.line),
            played_line: text(&judged.played.line),
        }
    }
}

/// How a side played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SideReview {
    /// Turns marked so.
    pub mistakes: u32,
    /// Turns marked so.
    pub blunders: u32,
    /// Turns judged.
    pub turns: u32,
    /// The share of its chances that the side kept, averaged over its turns, 0 to 100.
    pub accuracy: f64,
}

/// Both sides at the end of a review.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ReviewSummary {
    /// Gold.
    pub gold: SideReview,
    /// Silver.
    pub silver: SideReview,
}

/// Adds verdicts up.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReviewCount {
    sides: BySide<SideReview>,
    losses: BySide<f64>,
}

impl ReviewCount {
    /// One more turn of this side.
    pub fn add(&mut self, side: Side, judged: &Judged) {
        let (count, lost) = (&mut self.sides[side], &mut self.losses[side]);
        count.turns += 1;
        *lost += judged.loss;
        match judged.mark {
            Some(Mark::Mistake) => count.mistakes += 1,
            Some(Mark::Blunder) => count.blunders += 1,
            None => {}
        }
    }

    /// What it comes to.
    #[must_use]
    pub fn summary(&self) -> ReviewSummary {
        let of = |side: Side| SideReview {
            accuracy: 100.0 * (1.0 - self.losses[side] / f64::from(self.sides[side].turns.max(1))),
            ..self.sides[side]
        };
        ReviewSummary {
            gold: of(Side::Gold),
            silver: of(Side::Silver),
        }
    }
}

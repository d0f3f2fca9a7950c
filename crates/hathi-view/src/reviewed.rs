//! A whole review, as it is kept with its game.

use hathi_engine::engine_version;
use hathi_store::KeptReview;
use serde::{Deserialize, Serialize};

use crate::{JudgedView, ReviewSummary};

/// A review and how it was made.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ReviewView {
    /// The engine, with its options.
    pub engine: String,
    /// Positions looked at for a turn.
    pub nodes: u64,
    /// The version of the engine.
    pub version: String,
    /// Is that the version we have now?
    pub current: bool,
    /// When it was made: seconds since 1970.
    pub made: i64,
    /// Every turn.
    pub turns: Vec<JudgedView>,
    /// What it comes to.
    pub summary: ReviewSummary,
}

/// What the store keeps as text.
#[derive(Serialize, Deserialize)]
struct Body {
    turns: Vec<JudgedView>,
    summary: ReviewSummary,
}

impl ReviewView {
    /// A review made just now, by the engine we have.
    pub fn new(
        engine: &str,
        nodes: u64,
        made: i64,
        turns: Vec<JudgedView>,
        summary: ReviewSummary,
    ) -> ReviewView {
        ReviewView {
            engine: engine.to_owned(),
            nodes,
            version: engine_version(),
            current: true,
            made,
            turns,
            summary,
        }
    }

    /// As a store keeps it.
    pub fn kept(&self) -> KeptReview {
        let body = Body {
            turns: self.turns.clone(),
            summary: self.summary,
        };
        KeptReview {
            engine: self.engine.clone(),
            nodes: self.nodes,
            version: self.version.clone(),
            made: self.made,
            body: serde_json::to_string(&body).unwrap_or_default(),
        }
    }

    /// What a store has kept; nothing if it was written in other words.
    pub fn read(kept: KeptReview) -> Option<ReviewView> {
        let Body { turns, summary } = serde_json::from_str(&kept.body).ok()?;
        Some(ReviewView {
            current: kept.version == engine_version(),
            engine: kept.engine,
            nodes: kept.nodes,
            version: kept.version,
            made: kept.made,
            turns,
            summary,
        })
    }

    /// Would the same engine with as many positions say the same now?
    pub fn answers(&self, engine: &str, nodes: u64) -> bool {
        self.current && self.engine == engine && self.nodes == nodes
    }

    /// Should it take the place of what is kept? Not if that is as new and has
    /// looked at more.
    pub fn replaces(&self, kept: Option<&KeptReview>) -> bool {
        kept.is_none_or(|kept| kept.version != self.version || kept.nodes <= self.nodes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_read_again() {
        let turn = JudgedView {
            ply: 3,
            label: "3s".to_owned(),
            turn: "ee7s".to_owned(),
            score: -12,
            gold_chance: 0.49,
            words: "even".to_owned(),
            best: "ee7s".to_owned(),
            best_score: -12,
            loss: 0.31,
            mark: Some("blunder".to_owned()),
            depth: 12,
            nodes: 1000,
            line: vec!["ee7s".to_owned()],
            played_line: Vec::new(),
        };
        let review = ReviewView::new("hathi", 1000, 5, vec![turn], ReviewSummary::default());
        let kept = review.kept();
        let again = ReviewView::read(kept.clone()).expect("our own words");
        assert_eq!(again.turns[0].mark.as_deref(), Some("blunder"));
        assert!(again.answers("hathi", 1000) && !again.answers("hathi", 999));
        assert!(review.replaces(None) && review.replaces(Some(&kept)));
        let more = KeptReview {
            nodes: 2000,
            ..kept.clone()
        };
        assert!(!review.replaces(Some(&more)));
        let older = KeptReview {
            version: "0".to_owned(),
            ..more
        };
        assert!(review.replaces(Some(&older)));
        assert!(!ReviewView::read(older).expect("read").current);
        let damaged = KeptReview {
            body: "?".to_owned(),
            ..kept
        };
        assert!(ReviewView::read(damaged).is_none());
    }
}

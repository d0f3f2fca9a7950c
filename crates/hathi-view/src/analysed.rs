//! What a search makes of a position, in words.

use hathi_engine::{Analysis, Forced, Limits, Thought, forced, winning_chance};
use hathi_rules::{Game, Side};
use serde::Serialize;

/// Positions looked at to prove a win that a search claims.
const PROOF: u64 = 40_000;

/// Beyond it a search takes the game for decided.
const DECIDED: i32 = 90_000;

/// How far an analysis has come; every line to the same depth.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct AnalysedView {
    /// Steps looked ahead.
    pub depth: u32,
    /// Positions looked at.
    pub nodes: u64,
    /// Time spent.
    pub seconds: f64,
    /// The best turns, best first; they lead to different positions.
    pub lines: Vec<AnalysedLine>,
    /// The turn that was to be valued beside them.
    pub also: Option<AnalysedLine>,
}

/// One of the best turns and what is expected after it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct AnalysedLine {
    /// The turn.
    pub turn: String,
    /// Hundredths of a rabbit for Gold.
    pub gold_score: i32,
    /// Gold's chance to win, 0 to 1.
    pub gold_chance: f64,
    /// The score in words; a win is only called one in so many turns if that is proven.
    pub words: String,
    /// The turns expected, this one first; the last may be incomplete.
    pub line: Vec<String>,
    /// The position after the turn.
    pub position_after: Option<String>,
}

impl AnalysedView {
    /// What was found about the turn at hand of a game.
    #[must_use]
    pub fn new(game: &Game, analysis: &Analysis) -> AnalysedView {
        let best = analysis.lines.first();
        AnalysedView {
            depth: best.map_or(0, |best| best.depth),
            nodes: best.map_or(0, |best| best.nodes),
            seconds: best.map_or(0.0, |best| best.time.as_secs_f64()),
            lines: analysis
                .lines
                .iter()
                .map(|line| AnalysedLine::new(game, line))
                .collect(),
            also: analysis
                .also
                .first()
                .map(|line| AnalysedLine::new(game, line)),
        }
    }
}

impl AnalysedLine {
    fn new(game: &Game, thought: &Thought) -> AnalysedLine {
        let mover = game.side_to_move();
        let gold_score = for_gold(thought.score, mover);
        let turn = thought.line.first();
        let after = turn.and_then(|turn| game.check_turn(turn).ok());
        let certain = forced(game, thought, &Limits::nodes(PROOF));
        AnalysedLine {
            turn: turn.map(ToString::to_string).unwrap_or_default(),
            gold_score,
            gold_chance: winning_chance(gold_score),
            words: score_words(gold_score, mover, certain),
            line: thought.line.iter().map(ToString::to_string).collect(),
            position_after: after.map(|(_, after)| after.to_string()),
        }
    }
}

/// A score of the side to move as Gold sees it.
#[must_use]
pub fn for_gold(score: i32, mover: Side) -> i32 {
    match mover {
        Side::Gold => score,
        Side::Silver => -score,
    }
}

/// A score for Gold in words, and what is certain about the line of the side
/// to move.
#[must_use]
pub fn score_words(gold_score: i32, mover: Side, certain: Option<Forced>) -> String {
    match certain {
        Some(Forced::Win { turns: 1 }) => return format!("{} wins this turn", mover.name()),
        Some(Forced::Win { turns }) => return format!("{} wins in {turns} turns", mover.name()),
        Some(Forced::Loss) => return format!("{} wins next turn", mover.opponent().name()),
        None => {}
    }
    let ahead = if gold_score >= 0 {
        Side::Gold
    } else {
        Side::Silver
    };
    match gold_score.abs() {
        score if score >= DECIDED => format!("{} should win", ahead.name()),
        score if score < 25 => "about even".to_owned(),
        score => {
            let rabbits = f64::from(score) / 100.0;
            let noun = if (95..105).contains(&score) {
                "rabbit"
            } else {
                "rabbits"
            };
            format!("{} is {rabbits:.1} {noun} ahead", ahead.name())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_in_words() {
        let words = |score| score_words(score, Side::Silver, None);
        assert_eq!(words(0), "about even");
        assert_eq!(words(-24), "about even");
        assert_eq!(words(130), "Gold is 1.3 rabbits ahead");
        assert_eq!(words(-100), "Silver is 1.0 rabbit ahead");
        // Not proven: no number of turns.
        assert_eq!(words(99_997), "Gold should win");
        let win = Some(Forced::Win { turns: 2 });
        assert_eq!(
            score_words(-99_997, Side::Silver, win),
            "Silver wins in 2 turns"
        );
        let loss = Some(Forced::Loss);
        assert_eq!(
            score_words(99_998, Side::Silver, loss),
            "Gold wins next turn"
        );
    }
}

//! Turns that the memory suggests, from all levels together.

use std::collections::HashMap;

use hathi_rules::{Board, Game, Position, Role, Square, Turn};
use hathi_store::{
    GameRow, Kind, Memory, PositionQuestion, StoreError, TurnStats, area, nearest_trap,
};

use crate::Level;
use crate::Limits;
use crate::recall;

/// A turn that was played in positions like this one.
#[derive(Clone, Debug)]
pub(in crate::engines) struct Candidate {
    pub(in crate::engines) turn: Turn,
    /// The board it leads to, the opponent to move.
    pub(in crate::engines) after: Position,
    /// How much speaks for it.
    pub(in crate::engines) weight: f64,
    /// The level that knows most about it.
    pub(in crate::engines) level: Level,
    /// There: how often it was played, and how often that won.
    pub(in crate::engines) count: u64,
    pub(in crate::engines) wins: u64,
    pub(in crate::engines) rating: Option<f64>,
    /// Games that show it.
    pub(in crate::engines) games: Vec<GameRow>,
}

/// What was found, and how much was looked through.
#[derive(Clone, Debug, Default)]
pub(in crate::engines) struct Suggestions {
    /// The most convincing first.
    pub(in crate::engines) candidates: Vec<Candidate>,
    /// Positions that matched, at each level.
    pub(in crate::engines) hits: Vec<(Level, u64)>,
    /// For every turn that was played: what its results say about it, as a
    /// change of the odds to win (natural logarithm), all levels together.
    pub(in crate::engines) evidence: HashMap<Position, f64>,
}

/// How much an answer counts: the more of the board it has seen, the more.
fn specificity(level: Level) -> f64 {
    match level {
        Level::Full => 8.0,
        Level::Half => 4.0,
        Level::Area => 1.5,
        _ => 0.7,
    }
}

/// How far the results of an answer are believed.
fn trust(level: Level) -> f64 {
    match level {
        Level::Full => 0.5,
        Level::Half => 0.25,
        Level::Area => 0.1,
        _ => 0.05,
    }
}

/// Games that the results of a turn are held against, won as often as all
/// turns of the answer together.
const DOUBT: f64 = 10.0;

/// How much better or worse than all of them a turn did.
fn evidence(level: Level, all: &[TurnStats], stats: &TurnStats) -> f64 {
    let sum = |of: fn(&TurnStats) -> u64| all.iter().map(of).sum::<u64>() as f64;
    let mean = (sum(|one| one.wins) + 1.0) / (sum(|one| one.count) + 2.0);
    let rate = (stats.wins as f64 + DOUBT * mean) / (stats.count as f64 + DOUBT);
    let odds = |rate: f64| (rate / (1.0 - rate)).ln();
    trust(level) * (odds(rate.clamp(0.01, 0.99)) - odds(mean.clamp(0.01, 0.99)))
}

/// Hits that are looked at for a question, the best first.
const ENOUGH: usize = 1000;

/// Games that a win rate starts from, half of them won.
const PRIOR: f64 = 4.0;
/// A turn that wins less than this says nothing for itself.
const WORTHLESS: f64 = 0.4;
/// What a year is worth, of a memory some twenty years long.
const RECENCY_PER_YEAR: f64 = 0.01;
const SECONDS_IN_A_YEAR: f64 = 31_557_600.0;
const FIRST_YEAR: f64 = 32.0;

/// Asks all levels. `full` says whether the whole board is worth asking
/// about; `limits` may cut the questions short.
pub(in crate::engines) fn gather(
    memory: &dyn Memory,
    game: &Game,
    full: bool,
    limits: &Limits,
) -> Result<Suggestions, StoreError> {
    let position = game.position();
    let mut suggestions = Suggestions::default();
    let mut places: HashMap<Board, usize> = HashMap::new();
    for (level, kind, share) in questions(game, &position, full) {
        if !limits.has_time_for_more() {
            break;
        }
        let answer = memory.find(&PositionQuestion::new(position, kind).best_hits(ENOUGH))?;
        match suggestions
            .hits
            .iter_mut()
            .find(|(known, _)| *known == level)
        {
            Some((_, hits)) => *hits += answer.hits,
            None => suggestions.hits.push((level, answer.hits)),
        }
        for stats in &answer.turns {
            *suggestions.evidence.entry(stats.after).or_default() +=
                share * evidence(level, &answer.turns, stats);
            let weight = share * weigh(level, stats);
            if weight <= 0.0 || game.is_third_repetition(&stats.after) {
                continue;
            }
            let board = *stats.after.board();
            if let Some(&place) = places.get(&board) {
                suggestions.candidates[place].weight += weight;
                continue;
            }
            places.insert(board, suggestions.candidates.len());
            suggestions.candidates.push(Candidate {
                turn: stats.turn,
                after: stats.after,
                weight,
                level,
                count: stats.count,
                wins: stats.wins,
                rating: stats.rating,
                games: stats.samples.iter().map(|&(game, _)| game).collect(),
            });
        }
    }
    suggestions
        .candidates
        .sort_by(|a, b| b.weight.total_cmp(&a.weight));
    Ok(suggestions)
}

/// What to ask, most specific first, each with its share of trust.
fn questions(game: &Game, position: &Position, full: bool) -> Vec<(Level, Kind, f64)> {
    let mut questions = Vec::new();
    if full {
        questions.push((Level::Full, Kind::Full, 1.0));
    }
    questions.push((Level::Half, Kind::Half, 1.0));
    let focus = recall::last_moved(game).map(nearest_trap);
    for trap in Square::TRAPS {
        let share = if focus.is_none_or(|focus| focus == trap) {
            1.0
        } else {
            0.4
        };
        questions.push((Level::Area, Kind::Area { trap }, share));
    }
    if let Some(trap) = focus {
        let board = position.board();
        let able = board.mobile(position.side_to_move()) & board.empty().near() & area(trap);
        for piece in Role::ALL.into_iter().rev() {
            if able.intersects(board.role(piece)) {
                questions.push((Level::AreaByPiece, Kind::AreaByPiece { trap, piece }, 1.0));
            }
        }
    }
    questions
}

/// Win rate with a prior, number of games, rating and recency in one number.
fn weigh(level: Level, stats: &TurnStats) -> f64 {
    let count = stats.count as f64;
    let rate = (stats.wins as f64 + PRIOR / 2.0) / (count + PRIOR);
    let rating = stats.rating.map_or(1.0, |rating| {
        (1.0 + (rating - 1500.0) / 1000.0).clamp(0.5, 2.0)
    });
    let years = stats.last_played.map_or(0.0, |seconds| {
        (seconds as f64 / SECONDS_IN_A_YEAR - FIRST_YEAR).clamp(0.0, 50.0)
    });
    let recency = 1.0 + RECENCY_PER_YEAR * years;
    specificity(level) * (rate - WORTHLESS).max(0.0) * (1.0 + count).ln() * rating * recency
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evidence_goes_by_results_and_by_how_many_there_are() {
        let position: Position =
            "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]"
                .parse()
                .expect("a position");
        let stats = |count, wins| TurnStats {
            turn: Turn::EMPTY,
            after: position,
            count,
            wins,
            rating: None,
            last_played: None,
            samples: Vec::new(),
        };
        let all = [stats(10, 8), stats(10, 2), stats(1000, 500), stats(1, 1)];
        let of = |level, one: &TurnStats| evidence(level, &all, one);
        assert!(of(Level::Full, &all[0]) > 0.1);
        assert!(of(Level::Full, &all[1]) < -0.1);
        assert!(of(Level::Full, &all[2]).abs() < 0.01);
        assert!(of(Level::Full, &all[3]) < of(Level::Full, &all[0]));
        assert!(of(Level::Area, &all[0]) < of(Level::Full, &all[0]));
        let only = [stats(7, 7)];
        assert!(evidence(Level::Full, &only, &only[0]).is_finite());
    }
}

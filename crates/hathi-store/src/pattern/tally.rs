//! What was played where a pattern holds, and how it scored, over all
//! positions that have it.

use std::collections::HashMap;

use hathi_rules::{BySide, Side, Step, Turn};

use super::found::PatternHit;

/// How often something was played, and won.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// How often.
    pub count: u64,
    /// How often whoever played it won.
    pub wins: u64,
}

impl Score {
    fn add(&mut self, other: Score) {
        self.count += other.count;
        self.wins += other.wins;
    }

    /// Share of wins, 0 to 1.
    pub fn win_rate(&self) -> f64 {
        self.wins as f64 / self.count.max(1) as f64
    }
}

/// What was played where a pattern holds, turned as the pattern is written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PatternPlay {
    /// By the side to move, on the board of the pattern.
    pub to_move: BySide<Score>,
    /// Whole turns, in whatever order of steps, most played first.
    pub turns: Vec<PlayedAt<Turn>>,
    /// Single steps that turns had among others, most played first.
    pub steps: Vec<PlayedAt<Step>>,
}

/// A turn or a step that was played where a pattern holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayedAt<T> {
    /// Whose turn it was, on the board of the pattern.
    pub side: Side,
    /// What was played.
    pub what: T,
    /// How often, and with what success.
    pub score: Score,
}

impl PatternPlay {
    /// Positions that are looked at one by one: some fifty megabytes while they
    /// are counted.
    pub const MOST_HITS: usize = 200_000;

    /// Adds up all hits of a pattern.
    pub(crate) fn of(hits: &[PatternHit], limit: usize) -> PatternPlay {
        let mut to_move = BySide::<Score>::default();
        let mut steps: HashMap<(Side, u16), (Step, Score)> = HashMap::new();
        let mut written: HashMap<(Side, [u16; 4]), (Turn, Score)> = HashMap::new();
        for hit in hits {
            let side = hit.position.side_to_move();
            let score = Score {
                count: 1,
                wins: u64::from(hit.won),
            };
            to_move[side].add(score);
            let played = hit.turn.steps();
            let mut key = [0; 4];
            for (at, step) in played.iter().enumerate().take(4) {
                key[at] = step.to_bits();
                // A step may be made twice in a turn, there and back and there.
                if !played[..at].contains(step) {
                    let sum = steps.entry((side, step.to_bits()));
                    sum.or_insert((*step, Score::default())).1.add(score);
                }
            }
            let sum = written.entry((side, key));
            sum.or_insert((hit.turn, Score::default())).1.add(score);
        }
        let steps = steps.into_iter();
        PatternPlay {
            to_move,
            turns: most_played(merged(written), limit),
            steps: most_played(
                steps
                    .map(|((side, _), (what, score))| PlayedAt { side, what, score })
                    .collect(),
                limit,
            ),
        }
    }
}

/// Turns with the same steps are one, written as it was played most.
fn merged(written: HashMap<(Side, [u16; 4]), (Turn, Score)>) -> Vec<PlayedAt<Turn>> {
    let mut sums: HashMap<(Side, [u16; 4]), (Turn, Score, u64)> = HashMap::new();
    let mut written: Vec<_> = written.into_iter().collect();
    // In an order that does not depend on chance.
    written.sort_unstable_by_key(|((side, key), _)| (*side as u8, *key));
    for ((side, mut key), (turn, score)) in written {
        key.sort_unstable();
        let sum = sums
            .entry((side, key))
            .or_insert((turn, Score::default(), 0));
        sum.1.add(score);
        if score.count > sum.2 {
            (sum.0, sum.2) = (turn, score.count);
        }
    }
    sums.into_iter()
        .map(|((side, _), (what, score, _))| PlayedAt { side, what, score })
        .collect()
}

fn most_played<T: ToString>(mut played: Vec<PlayedAt<T>>, limit: usize) -> Vec<PlayedAt<T>> {
    // Most are played once: words only for those that are close.
    let key = |score: &Score| std::cmp::Reverse((score.count, score.wins));
    played.sort_unstable_by_key(|at| key(&at.score));
    let last = played.get(limit.saturating_sub(1)).map(|at| at.score);
    if let Some(last) = last {
        played.retain(|at| key(&at.score) <= key(&last));
    }
    played.sort_by_cached_key(|at| (key(&at.score), at.side as u8, at.what.to_string()));
    played.truncate(limit);
    played
}

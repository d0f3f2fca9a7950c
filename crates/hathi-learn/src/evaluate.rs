//! How high a model ranks the turns that were played.

use std::time::{Duration, Instant};

use hathi_engine::{Limits, Solution, solve};
use hathi_model::features::Context;
use hathi_model::models::Model;
use hathi_rules::TurnGenerator;

use crate::lessons::Lesson;

/// Which turns count, and how a rank becomes a percentile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Protocol {
    /// Choksi and others: every turn; of turns with the same score half count
    /// as higher.
    Paper,
    /// Wu: turns scored strictly higher count; the first two moves, the
    /// loser's last two and positions that are won in two are left out.
    Wu,
}

impl Protocol {
    /// Its name on command lines.
    pub const fn name(self) -> &'static str {
        match self {
            Protocol::Paper => "paper",
            Protocol::Wu => "wu",
        }
    }

    /// Does this turn count? `won` says whether the side to move can force a
    /// win in two turns; it is asked last.
    pub fn counts(self, lesson: &Lesson, won: impl FnOnce(&Lesson) -> bool) -> bool {
        self == Protocol::Paper
            || lesson.number > 2
                && !(lesson.won == Some(false) && lesson.to_come < 2)
                && lesson.position.can_goal().is_none()
                && !won(lesson)
    }
}

/// Positions to look at to see whether one is won in two. Nearly all are
/// settled by a small part of them; a limit of time would make results depend
/// on the machine.
const SOLVE: u64 = 1_000_000;

/// Can the side to move force a win in two turns?
pub fn won_in_two(lesson: &Lesson) -> bool {
    matches!(
        solve(&lesson.position, 2, &Limits::nodes(SOLVE)),
        Solution::WinNow { .. } | Solution::WinInTwo { .. }
    )
}

/// The place of a turn that was played among all.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Rank {
    /// Distinct turns there were.
    pub turns: usize,
    /// Those scored higher.
    pub higher: usize,
    /// Others scored the same.
    pub equal: usize,
    /// The number of the move.
    pub number: u32,
}

impl Rank {
    fn among(scores: &[f32], played: usize, lesson: &Lesson) -> Rank {
        let score = scores[played];
        Rank {
            turns: scores.len(),
            higher: scores.iter().filter(|&&other| other > score).count(),
            // The turn itself is one of those with its score.
            equal: scores.iter().filter(|&&other| other >= score).count()
                - scores.iter().filter(|&&other| other > score).count()
                - 1,
            number: lesson.number,
        }
    }

    /// The share of turns that are not ranked above, 0 to 100.
    pub fn percentile(&self, protocol: Protocol) -> f64 {
        let above = match protocol {
            Protocol::Wu => self.higher as f64,
            Protocol::Paper => self.higher as f64 + self.equal as f64 / 2.0,
        };
        100.0 * (1.0 - above / self.turns.max(1) as f64)
    }
}

/// Ranks turns one after the other, without new memory.
#[derive(Debug, Default)]
pub struct Ranker {
    generator: TurnGenerator,
    scores: Vec<f32>,
    /// Time spent on listing and scoring turns.
    pub spent: Duration,
    /// Positions it was spent on.
    pub positions: usize,
}

impl Ranker {
    /// The rank of the turn that was played; none if it is no legal turn.
    pub fn rank(&mut self, model: &Model, lesson: &Lesson) -> Option<Rank> {
        let started = Instant::now();
        let Ranker {
            generator, scores, ..
        } = self;
        model.score_turns(&lesson.position, &lesson.past, generator, scores);
        self.spent += started.elapsed();
        self.positions += 1;
        let mut reached = generator.generate(&lesson.position);
        let played = reached.position(|reached| *reached.board() == lesson.after)?;
        Some(Rank::among(&self.scores, played, lesson))
    }

    /// The same for several models at once: features are listed only once. What
    /// comes of a turn is not looked at; [`Ranker::rank`] does that.
    pub fn rank_all(&mut self, models: &[&Model], lesson: &Lesson) -> Option<Vec<Rank>> {
        let context = Context::new(&lesson.position, &lesson.past);
        let ready: Vec<_> = models
            .iter()
            .map(|model| model.ready(&lesson.position, &context))
            .collect();
        let mut scores = vec![Vec::new(); models.len()];
        let mut features = Vec::new();
        let mut played = None;
        for (number, reached) in self.generator.generate(&lesson.position).enumerate() {
            if *reached.board() == lesson.after {
                played = Some(number);
            }
            features.clear();
            context.list_turn(reached.board(), reached.steps_used(), &mut features);
            for (scores, ready) in scores.iter_mut().zip(&ready) {
                scores.push(ready.score(&features));
            }
        }
        let played = played?;
        let rank = |scores: &Vec<f32>| Rank::among(scores, played, lesson);
        Some(scores.iter().map(rank).collect())
    }
}

/// What the ranks of many turns come to.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Measures {
    /// Turns.
    pub positions: usize,
    /// The mean percentile, 0 to 100.
    pub mean_percentile: f64,
    /// The median.
    pub median_percentile: f64,
    /// Per cent of turns ranked in the top 1 %.
    pub top_1: f64,
    /// In the top 5 %.
    pub top_5: f64,
    /// In the top 10 %.
    pub top_10: f64,
    /// In the top 20 %.
    pub top_20: f64,
}

impl Measures {
    /// Sums up ranks; all zero if there are none.
    pub fn of(ranks: &[Rank], protocol: Protocol) -> Measures {
        let mut percentiles: Vec<f64> =
            ranks.iter().map(|rank| rank.percentile(protocol)).collect();
        percentiles.sort_unstable_by(f64::total_cmp);
        let count = percentiles.len().max(1) as f64;
        let top = |share: f64| {
            let within = percentiles.iter().filter(|&&p| p >= 100.0 - share).count();
            100.0 * within as f64 / count
        };
        Measures {
            positions: ranks.len(),
            mean_percentile: percentiles.iter().sum::<f64>() / count,
            median_percentile: percentiles
                .get(percentiles.len() / 2)
                .copied()
                .unwrap_or(0.0),
            top_1: top(1.0),
            top_5: top(5.0),
            top_10: top(10.0),
            top_20: top(20.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_become_percentiles_by_protocol() {
        let rank = |higher, equal| Rank {
            turns: 100,
            higher,
            equal,
            number: 3,
        };
        assert!((rank(0, 10).percentile(Protocol::Wu) - 100.0).abs() < 1e-9);
        assert!((rank(0, 10).percentile(Protocol::Paper) - 95.0).abs() < 1e-9);
        let measures = Measures::of(&[rank(0, 0), rank(4, 0), rank(50, 0)], Protocol::Wu);
        assert_eq!(measures.positions, 3);
        assert!((measures.mean_percentile - 82.0).abs() < 1e-9);
        assert!((measures.median_percentile - 96.0).abs() < 1e-9);
        assert!((measures.top_1 - 100.0 / 3.0).abs() < 1e-9);
        assert!((measures.top_5 - 200.0 / 3.0).abs() < 1e-9);
        assert!(Measures::of(&[], Protocol::Wu).mean_percentile.abs() < 1e-9);
    }
}

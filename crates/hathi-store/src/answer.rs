//! What was played from a position, turn by turn.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher};

use hathi_rules::{Ply, Position, Turn};

use crate::hits::{Hit, RawHit};
use crate::model::GameRow;
use crate::notable::Notable;
use crate::question::PositionQuestion;

/// What happened after one turn.
#[derive(Clone, Debug, PartialEq)]
pub struct TurnStats {
    /// The turn, on the board that was asked about, removals filled in.
    pub turn: Turn,
    /// The position it leads to, the opponent to move.
    pub after: Position,
    /// How often it was played, in whatever order of steps.
    pub count: u64,
    /// How often whoever played it won.
    pub wins: u64,
    /// Average rating of those who played it, where known.
    pub rating: Option<f64>,
    /// Start of the newest game, in seconds since 1970.
    pub last_played: Option<i64>,
    /// Some games, best first, and where in them.
    pub samples: Vec<(GameRow, Ply)>,
}

#[cfg(feature = "postgres")]
impl Answer {
    /// There were so many hits; those that are not in it had turns that cannot
    /// be legal.
    pub(crate) fn leave_out(&mut self, hits: u64) {
        self.illegal += hits.saturating_sub(self.hits);
        self.hits = hits;
    }
}

impl TurnStats {
    /// Share of wins, 0 to 1.
    pub fn win_rate(&self) -> f64 {
        self.wins as f64 / self.count.max(1) as f64
    }
}

/// The answer to "what was played here?".
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// How many positions matched.
    pub hits: u64,
    /// How many of them are left out because their turn is not legal on the
    /// board that was asked about.
    pub illegal: u64,
    /// The best hit that is legal.
    pub best: Option<Hit>,
    /// Turn by turn, most played first, as many as were asked for.
    pub turns: Vec<TurnStats>,
    /// How many different turns there are, given back or not.
    pub different_turns: usize,
    /// How many different games the matches come from.
    pub games: u64,
    /// The games with the highest average of the known ratings, best first, a
    /// few.
    pub top_rated: Vec<GameRow>,
    /// The games that began last, newest first, a few.
    pub most_recent: Vec<GameRow>,
}

/// Games named for a turn.
pub(crate) const SAMPLES: usize = 5;

/// Adds up hits, first by turn as it is written, turned to the board that was
/// asked about. There may be hundreds of thousands of hits and a few hundred
/// turns, so adding one must not cost more than a look-up.
#[derive(Default)]
pub(crate) struct Tally {
    hits: u64,
    numbers: HashMap<u64, u32, Folding>,
    sums: Vec<Sum>,
    notable: Notable,
}

/// Four steps in one word.
#[inline]
fn turn_key(hit: &RawHit) -> u64 {
    hit.played.turn.iter().rev().fold(0, |key, &step| {
        let step = if hit.mirrored { mirrored(step) } else { step };
        key << 16 | u64::from(step)
    })
}

/// A step with left and right exchanged, on its bits: the file is reversed
/// (three low bits) and so are east and west (2 and 3 in bits 6 and 7).
#[inline]
const fn mirrored(step: u16) -> u16 {
    if step == 0 {
        return 0;
    }
    step ^ 0b111 ^ (step >> 7 & 1) << 6
}

/// A hash for keys that are words already.
#[derive(Clone, Default)]
struct Folding(u64);

impl BuildHasher for Folding {
    type Hasher = Folding;
    fn build_hasher(&self) -> Folding {
        Folding(0)
    }
}

impl Hasher for Folding {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }
    #[inline]
    fn write_u64(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word) * 0x9e37_79b9_7f4a_7c15;
        self.0 = (product as u64) ^ (product >> 64) as u64;
    }
}

/// Hits with the same turn that a database has added up.
#[cfg(feature = "postgres")]
pub(crate) struct Group {
    /// The best of them; what only its game knows may be left out.
    pub(crate) first: RawHit,
    pub(crate) count: u64,
    pub(crate) wins: u64,
    /// Sum of the ratings that are known, and how many are.
    pub(crate) ratings: u64,
    pub(crate) rated: u64,
    pub(crate) last_played: i64,
    /// The best few, in order.
    pub(crate) samples: Vec<Sample>,
}

struct Sum {
    first: RawHit,
    count: u64,
    wins: u64,
    ratings: u64,
    rated: u64,
    last_played: i64,
    /// The best few, in order; `first` is the first of them.
    samples: [Sample; SAMPLES],
}

/// Rank, game and ply.
pub(crate) type Sample = (u32, GameRow, Ply);

fn sample_of(hit: &RawHit) -> Sample {
    (hit.rank(), hit.game.row, hit.played.ply())
}

/// Comes after every real one.
const NO_SAMPLE: Sample = (u32::MAX, GameRow::AFTER_ALL, Ply::after(u32::MAX as usize));

impl Sum {
    fn new(first: &RawHit) -> Sum {
        Sum {
            first: *first,
            count: 0,
            wins: 0,
            ratings: 0,
            rated: 0,
            last_played: i64::MIN,
            samples: [NO_SAMPLE; SAMPLES],
        }
    }

    /// Keeps the best samples in order.
    #[inline]
    fn sample(&mut self, sample: Sample) {
        // Hits come best first, so this is what most of them are.
        if sample >= self.samples[SAMPLES - 1] {
            return;
        }
        let mut better = sample;
        for place in &mut self.samples {
            if better < *place {
                std::mem::swap(place, &mut better);
            }
        }
    }

    /// The real ones.
    fn samples(&self) -> impl Iterator<Item = Sample> + '_ {
        self.samples
            .iter()
            .copied()
            .take_while(|sample| *sample != NO_SAMPLE)
    }
}

impl Tally {
    pub(crate) fn add(&mut self, hit: &RawHit) {
        self.hits += 1;
        self.notable.add(hit.played.game, &hit.game);
        let number = *self.numbers.entry(turn_key(hit)).or_insert_with(|| {
            self.sums.push(Sum::new(hit));
            self.sums.len() as u32 - 1
        });
        let Some(sum) = self.sums.get_mut(number as usize) else {
            return;
        };
        sum.count += 1;
        sum.wins += u64::from(hit.won());
        if let Some(rating) = hit.rating() {
            sum.ratings += u64::from(rating);
            sum.rated += 1;
        }
        sum.last_played = sum.last_played.max(hit.game.started);
        let sample = sample_of(hit);
        if sample < sum.samples[0] {
            sum.first = *hit;
        }
        sum.sample(sample);
    }

    /// Adds hits that are added up already; their games are counted elsewhere.
    /// Of equal hits those that come first are offered.
    #[cfg(feature = "postgres")]
    pub(crate) fn add_group(&mut self, group: Group) {
        self.hits += group.count;
        let number = *self
            .numbers
            .entry(turn_key(&group.first))
            .or_insert_with(|| {
                self.sums.push(Sum::new(&group.first));
                self.sums.len() as u32 - 1
            });
        let Some(sum) = self.sums.get_mut(number as usize) else {
            return;
        };
        sum.count += group.count;
        sum.wins += group.wins;
        sum.ratings += group.ratings;
        sum.rated += group.rated;
        sum.last_played = sum.last_played.max(group.last_played);
        if group
            .samples
            .first()
            .is_some_and(|best| *best < sum.samples[0])
        {
            sum.first = group.first;
        }
        for sample in group.samples {
            sum.sample(sample);
        }
    }

    /// What comes next has other numbers of games.
    pub(crate) fn start_other_numbers(&mut self) {
        self.notable.start_other_numbers();
    }

    /// Adds what another has added up.
    pub(crate) fn merge(&mut self, other: Tally) {
        if self.sums.is_empty() {
            *self = other;
            return;
        }
        self.hits += other.hits;
        self.notable.merge(other.notable);
        for (key, number) in other.numbers {
            let Some(theirs) = other.sums.get(number as usize) else {
                continue;
            };
            let place = *self.numbers.entry(key).or_insert_with(|| {
                self.sums.push(Sum::new(&theirs.first));
                self.sums.len() as u32 - 1
            });
            let Some(ours) = self.sums.get_mut(place as usize) else {
                continue;
            };
            ours.count += theirs.count;
            ours.wins += theirs.wins;
            ours.ratings += theirs.ratings;
            ours.rated += theirs.rated;
            ours.last_played = ours.last_played.max(theirs.last_played);
            if theirs.samples[0] < ours.samples[0] {
                ours.first = theirs.first;
            }
            for sample in theirs.samples() {
                ours.sample(sample);
            }
        }
    }

    /// Checks each turn on the real board and puts together those that lead
    /// to the same position.
    pub(crate) fn finish(self, question: &PositionQuestion) -> Answer {
        let position = &question.position;
        let side = position.side_to_move();
        let mut answer = Answer {
            hits: self.hits,
            games: self.notable.games(),
            top_rated: self.notable.strongest(),
            most_recent: self.notable.newest(),
            ..Answer::default()
        };
        let mut by_position: HashMap<[u8; 32], usize> = HashMap::new();
        let mut sums: Vec<(TurnStats, u64, u64)> = Vec::new();
        let mut legal = Vec::new();
        for sum in &self.sums {
            // Most turns from elsewhere fail at once: the piece is not there.
            let played = sum
                .first
                .turn(side)
                .filter(|turn| {
                    turn.first().is_some_and(|step| {
                        position.board().piece_at(step.from()) == Some(step.piece())
                    })
                })
                .and_then(|turn| position.check_turn(&without_removals(&turn)).ok());
            match played {
                Some((turn, after)) => legal.push((sum, turn, after)),
                None => answer.illegal += sum.count,
            }
        }
        // Best first; of equally good ones the lowest game, so that the answer
        // does not depend on who added what first.
        legal.sort_unstable_by_key(|(sum, ..)| (sum.samples[0], sum.first.mirrored));
        for (sum, turn, after) in legal {
            if answer.best.is_none() {
                answer.best = sum.first.translate(side).map(|hit| Hit { turn, ..hit });
            }
            let board = hathi_rules::PackedBoard::from(after.board()).0;
            let known = *by_position.entry(board).or_insert_with(|| {
                sums.push((
                    TurnStats {
                        turn,
                        after,
                        count: 0,
                        wins: 0,
                        rating: None,
                        last_played: None,
                        samples: Vec::new(),
                    },
                    0,
                    0,
                ));
                sums.len() - 1
            });
            let (stats, ratings, rated) = &mut sums[known];
            stats.count += sum.count;
            stats.wins += sum.wins;
            *ratings += sum.ratings;
            *rated += sum.rated;
            let last_played = (sum.last_played != i64::MIN).then_some(sum.last_played);
            stats.last_played = stats.last_played.max(last_played);
            let samples = sum.samples().map(|(_, game, ply)| (game, ply));
            stats.samples.extend(samples);
            stats.samples.truncate(SAMPLES);
        }
        answer.turns = sums
            .into_iter()
            .map(|(stats, ratings, rated)| TurnStats {
                rating: (rated > 0).then(|| ratings as f64 / rated as f64),
                ..stats
            })
            .collect();
        answer
            .turns
            .sort_by_key(|turn| std::cmp::Reverse(turn.count));
        answer.different_turns = answer.turns.len();
        answer.turns.truncate(question.limit);
        answer
    }
}

/// On another board other pieces fall; the rules fill that in again.
pub(crate) fn without_removals(turn: &Turn) -> Turn {
    Turn::from_steps(turn.iter().map(|step| step.bare())).unwrap_or(*turn)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hathi_rules::Symmetry;

    #[test]
    fn mirroring_bits_is_mirroring_steps() {
        for text in ["Ea2n", "rb3e rc3x", "Hg5w", "dd4s", "Cc6e"] {
            let step: hathi_rules::Step = text.parse().unwrap();
            let image = Symmetry::MIRROR.apply(step);
            assert_eq!(mirrored(step.to_bits()), image.to_bits(), "{text}");
        }
        assert_eq!(mirrored(0), 0);
    }
}

//! Adding up what was played from the shapes that are kept.

use std::cmp::Reverse;
use std::collections::HashMap;

use hathi_rules::Side;

use super::shape::{self, KeptShape};
use crate::answer::SAMPLES;
use crate::model::GameRow;
use crate::notable::NAMED;
use crate::seen::Seen;

/// A position with the turn played from it, as its row has it.
#[derive(Clone, Copy, Debug)]
pub(in crate::postgres) struct PlayedPosition {
    pub(in crate::postgres) board: Seen,
    pub(in crate::postgres) place: i64,
    pub(in crate::postgres) turn: i64,
    /// The number of the game in its archive.
    pub(in crate::postgres) number: i64,
    pub(in crate::postgres) game: GameRow,
    pub(in crate::postgres) started: Option<i64>,
    pub(in crate::postgres) ply: u16,
    pub(in crate::postgres) turns_left: u16,
    /// Of the mover and of the opponent; 0 if unknown.
    pub(in crate::postgres) rating: u16,
    pub(in crate::postgres) other_rating: u16,
    pub(in crate::postgres) mover: Side,
    pub(in crate::postgres) won: bool,
    pub(in crate::postgres) sample: bool,
}

/// The shapes that are kept.
#[derive(Debug, Default)]
pub(in crate::postgres) struct KeptShapes {
    shapes: Vec<(i64, KeptShape)>,
    by_key: HashMap<u64, u32>,
    /// By their rows.
    numbers: HashMap<i64, u32>,
}

impl KeptShapes {
    pub(super) fn new(shapes: Vec<(i64, KeptShape)>) -> KeptShapes {
        let by_key = shapes
            .iter()
            .zip(0..)
            .map(|((_, shape), number)| (shape.key(), number))
            .collect();
        let numbers = shapes.iter().map(|(row, _)| *row).zip(0..).collect();
        KeptShapes {
            shapes,
            by_key,
            numbers,
        }
    }

    pub(in crate::postgres) fn is_empty(&self) -> bool {
        self.shapes.is_empty()
    }

    /// The row of a shape.
    pub(super) fn row(&self, number: u32) -> i64 {
        self.shapes.get(number as usize).map_or(0, |(row, _)| *row)
    }

    /// The rows of all of them.
    pub(super) fn rows(&self) -> Vec<i64> {
        self.shapes.iter().map(|(row, _)| *row).collect()
    }

    /// The shape with this number.
    pub(super) fn shape(&self, number: u32) -> Option<&KeptShape> {
        self.shapes.get(number as usize).map(|(_, shape)| shape)
    }

    /// The number of the shape with this row.
    pub(super) fn number(&self, row: i64) -> Option<u32> {
        self.numbers.get(&row).copied()
    }

    pub(super) fn find(&self, wanted: &KeptShape) -> Option<u32> {
        let number = *self.by_key.get(&wanted.key())?;
        let (_, known) = self.shapes.get(number as usize)?;
        (known == wanted).then_some(number)
    }
}

/// Of whom a sum is: a side to move and a way round, of the samples or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Part {
    pub(super) mover: Side,
    pub(super) turned: bool,
    pub(super) sample: bool,
}

impl Part {
    /// 0 to 3, of side and way round.
    pub(super) fn number(self) -> i32 {
        i32::from(self.turned) << 1 | self.mover as i32
    }
}

/// The number of all parts together.
pub(super) const ALL_PARTS: i32 = 4;

/// A turn from a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct TurnKey {
    pub(super) shape: u32,
    pub(super) turn: i64,
    pub(super) part: Part,
}

/// Where it was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TurnSample {
    pub(super) place: i64,
    pub(super) ply: u16,
    pub(super) number: i64,
}

/// How a turn did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TurnSum {
    pub(super) count: u64,
    pub(super) wins: u64,
    pub(super) ratings: u64,
    pub(super) rated: u64,
    pub(super) last_played: Option<i64>,
    /// The best few, in order.
    pub(super) samples: Vec<TurnSample>,
}

impl TurnSum {
    fn sample(&mut self, sample: TurnSample) {
        if self.samples.len() == SAMPLES && self.samples.last().is_some_and(|last| *last < sample) {
            return;
        }
        let at = self.samples.partition_point(|known| *known < sample);
        if self.samples.is_empty() {
            // Most turns are played once.
            self.samples.reserve_exact(1);
        }
        self.samples.insert(at, sample);
        self.samples.truncate(SAMPLES);
    }

    pub(super) fn merge(&mut self, other: TurnSum) {
        self.count += other.count;
        self.wins += other.wins;
        self.ratings += other.ratings;
        self.rated += other.rated;
        self.last_played = self.last_played.max(other.last_played);
        for sample in other.samples {
            self.sample(sample);
        }
    }

    /// What is left without some of its hits; none if it never had them.
    pub(super) fn without(mut self, gone: &TurnSum) -> Option<LeftOfTurn> {
        self.count = self.count.checked_sub(gone.count)?;
        self.wins = self.wins.checked_sub(gone.wins)?;
        self.ratings = self.ratings.checked_sub(gone.ratings)?;
        self.rated = self.rated.checked_sub(gone.rated)?;
        if self.count == 0 {
            return Some(LeftOfTurn::Nothing);
        }
        let named = self.samples.len();
        self.samples.retain(|sample| !gone.samples.contains(sample));
        let next_wanted = self.samples.len() < named && (self.samples.len() as u64) < self.count;
        let newest_gone = gone.last_played.is_some() && gone.last_played == self.last_played;
        let all_named = self.samples.len() as u64 == self.count;
        Some(match (next_wanted, newest_gone) {
            (false, false) => LeftOfTurn::Sum(self),
            (false, true) if all_named => LeftOfTurn::Undated(self),
            _ => LeftOfTurn::Unknown,
        })
    }
}

/// How a turn did without games that go.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum LeftOfTurn {
    /// Nobody else played it.
    Nothing,
    Sum(TurnSum),
    /// All its hits are named; when the last of them was played, their games
    /// know.
    Undated(TurnSum),
    /// Its hits have to be asked.
    Unknown,
}

/// The games of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct GamesKey {
    pub(super) shape: u32,
    pub(super) sample: bool,
    pub(super) part: i32,
}

/// The first few in order: what counts, the game, its number in the archive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct FirstGames(pub(super) Vec<(Reverse<i64>, GameRow, i64)>);

impl FirstGames {
    fn offer(&mut self, game: (Reverse<i64>, GameRow, i64)) {
        if self.0.len() == NAMED && self.0.last().is_some_and(|last| *last <= game) {
            return;
        }
        if let Err(at) = self.0.binary_search(&game) {
            self.0.insert(at, game);
            self.0.truncate(NAMED);
        }
    }

    /// Takes games out; true if others may come after the last that is left.
    fn take_out(&mut self, gone: &FirstGames) -> bool {
        let named = self.0.len();
        self.0.retain(|game| !gone.0.contains(game));
        named == NAMED && self.0.len() < named
    }
}

/// Of which lists the end is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LostGames {
    pub(super) strongest: bool,
    pub(super) newest: bool,
}

/// Hits, and which games they are of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct GamesSum {
    pub(super) hits: u64,
    pub(super) games: u64,
    /// By the sum of both ratings, or twice the one that is known.
    pub(super) strongest: FirstGames,
    pub(super) newest: FirstGames,
    /// The last one that was added: positions of a game come together.
    last: Option<GameRow>,
}

impl GamesSum {
    pub(super) fn new(
        hits: u64,
        games: u64,
        strongest: FirstGames,
        newest: FirstGames,
    ) -> GamesSum {
        GamesSum {
            hits,
            games,
            strongest,
            newest,
            last: None,
        }
    }

    pub(super) fn add(&mut self, played: &PlayedPosition) {
        self.hits += 1;
        if self.last == Some(played.game) {
            return;
        }
        self.last = Some(played.game);
        self.games += 1;
        let ratings = match (played.rating, played.other_rating) {
            (0, one) | (one, 0) => 2 * i64::from(one),
            (one, other) => i64::from(one) + i64::from(other),
        };
        if ratings > 0 {
            self.strongest
                .offer((Reverse(ratings), played.game, played.number));
        }
        if let Some(started) = played.started {
            self.newest
                .offer((Reverse(started), played.game, played.number));
        }
    }

    /// Takes some of its games out; none if it never had them.
    pub(super) fn subtract(&mut self, gone: &GamesSum) -> Option<LostGames> {
        self.hits = self.hits.checked_sub(gone.hits)?;
        self.games = self.games.checked_sub(gone.games)?;
        Some(LostGames {
            strongest: self.strongest.take_out(&gone.strongest),
            newest: self.newest.take_out(&gone.newest),
        })
    }

    /// Says it the same?
    fn is(&self, other: &GamesSum) -> bool {
        let said = |sum: &GamesSum| (sum.hits, sum.games);
        said(self) == said(other)
            && self.strongest == other.strongest
            && self.newest == other.newest
    }

    /// Adds those of other games.
    pub(super) fn merge(&mut self, other: GamesSum) {
        self.hits += other.hits;
        self.games += other.games;
        for game in other.strongest.0 {
            self.strongest.offer(game);
        }
        for game in other.newest.0 {
            self.newest.offer(game);
        }
    }
}

/// All sums of some games.
#[derive(Debug, Default)]
pub(in crate::postgres) struct Sums {
    pub(super) turns: HashMap<TurnKey, TurnSum>,
    pub(super) games: HashMap<GamesKey, GamesSum>,
}

impl Sums {
    /// Adds a position; those of a game have to come one after the other.
    pub(in crate::postgres) fn add(&mut self, shapes: &KeptShapes, played: &PlayedPosition) {
        shape::for_each(played.board, |standing| {
            let Some(shape) = shapes.find(&standing.shape) else {
                return;
            };
            let part = Part {
                mover: played.mover,
                turned: standing.turned,
                sample: played.sample,
            };
            let key = TurnKey {
                shape,
                turn: played.turn,
                part,
            };
            let sum = self.turns.entry(key).or_default();
            sum.count += 1;
            sum.wins += u64::from(played.won);
            sum.ratings += u64::from(played.rating);
            sum.rated += u64::from(played.rating > 0);
            sum.last_played = sum.last_played.max(played.started);
            sum.sample(TurnSample {
                place: played.place,
                ply: played.ply,
                number: played.number,
            });
            for part in [part.number(), ALL_PARTS] {
                let key = GamesKey {
                    shape,
                    sample: played.sample,
                    part,
                };
                self.games.entry(key).or_default().add(played);
            }
        });
    }

    /// Are these the same sums?
    pub(super) fn is(&self, other: &Sums) -> bool {
        let same = |(key, sum): (&GamesKey, &GamesSum)| {
            other.games.get(key).is_some_and(|other| sum.is(other))
        };
        self.turns == other.turns
            && self.games.len() == other.games.len()
            && self.games.iter().all(same)
    }

    /// Adds what another has added up of other games.
    pub(in crate::postgres) fn merge(&mut self, other: Sums) {
        if self.turns.is_empty() && self.games.is_empty() {
            *self = other;
            return;
        }
        for (key, sum) in other.turns {
            self.turns.entry(key).or_default().merge(sum);
        }
        for (key, sum) in other.games {
            self.games.entry(key).or_default().merge(sum);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hit(place: i64, started: i64) -> TurnSum {
        let sample = TurnSample {
            place,
            ply: 4,
            number: place + 100,
        };
        TurnSum {
            count: 1,
            wins: 1,
            ratings: 1500,
            rated: 1,
            last_played: Some(started),
            samples: vec![sample],
        }
    }

    /// A turn played so many times; the first was the last to be played.
    fn turn(hits: i64) -> TurnSum {
        let mut sum = TurnSum::default();
        for i in 0..hits {
            sum.merge(hit(i, 1000 - i));
        }
        sum
    }

    #[test]
    fn what_was_added_can_be_taken_out() {
        // Neither the newest nor among those that are named.
        let mut one_less = turn(7);
        one_less.count = 6;
        one_less.wins = 6;
        one_less.ratings = 6 * 1500;
        one_less.rated = 6;
        let left = turn(7).without(&hit(6, 994));
        assert_eq!(left, Some(LeftOfTurn::Sum(one_less)));
        assert_eq!(turn(1).without(&hit(0, 1000)), Some(LeftOfTurn::Nothing));
        // Named, so another should be now, which only the hits know.
        let left = turn(7).without(&hit(3, 997));
        assert_eq!(left, Some(LeftOfTurn::Unknown));
        // All are named, but not when they were played.
        let Some(LeftOfTurn::Undated(left)) = turn(3).without(&hit(0, 1000)) else {
            panic!("the newest has gone");
        };
        assert_eq!((left.count, left.samples.len()), (2, 2));
        // It never was there.
        let twice = turn(2);
        assert_eq!(turn(1).without(&twice), None);
    }

    #[test]
    fn a_list_that_was_full_may_have_a_next_game() {
        let games = |rows: std::ops::Range<i64>| {
            FirstGames(rows.map(|i| (Reverse(-i), GameRow::new(i), i)).collect())
        };
        let mut full = games(0..NAMED as i64);
        assert!(!full.clone().take_out(&games(20..22)));
        assert!(full.take_out(&games(2..3)));
        assert_eq!(full.0.len(), NAMED - 1);
        let mut short = games(0..3);
        assert!(!short.take_out(&games(0..1)));
        assert_eq!(short.0.len(), 2);
    }
}

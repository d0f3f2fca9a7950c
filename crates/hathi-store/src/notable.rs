//! Which games the hits of a question come from: how many there are, the
//! strongest and the newest of them. Exact, not from samples.

use std::cmp::Reverse;

use crate::index::IndexedGame;
use crate::model::GameRow;

/// Games named in an answer.
pub(crate) const NAMED: usize = 5;

/// Games seen so far. A game may be hit more than once.
#[derive(Default)]
pub(crate) struct Notable {
    /// One bit for each number of a game.
    seen: Vec<u64>,
    /// Games of another numbering, counted before.
    counted: u64,
    strongest: Best<Reverse<u32>>,
    newest: Best<Reverse<i64>>,
}

impl Notable {
    /// A hit in the game with this number.
    #[inline]
    pub(crate) fn add(&mut self, number: u32, game: &IndexedGame) {
        let (word, bit) = (number as usize / 64, 1 << (number % 64));
        if word >= self.seen.len() {
            self.seen.resize(word + 1, 0);
        }
        if self.seen[word] & bit != 0 {
            return;
        }
        self.seen[word] |= bit;
        let twice_average = match (game.gold_rating, game.silver_rating) {
            (0, one) | (one, 0) => 2 * u32::from(one),
            (gold, silver) => u32::from(gold) + u32::from(silver),
        };
        if twice_average > 0 {
            self.strongest.offer((Reverse(twice_average), game.row));
        }
        if game.started != i64::MIN {
            self.newest.offer((Reverse(game.started), game.row));
        }
    }

    /// What comes next numbers other games.
    pub(crate) fn start_other_numbers(&mut self) {
        self.counted = self.games();
        self.seen.clear();
    }

    /// Adds what another has seen of the same games.
    pub(crate) fn merge(&mut self, other: Notable) {
        self.counted += other.counted;
        if self.seen.len() < other.seen.len() {
            self.seen.resize(other.seen.len(), 0);
        }
        for (ours, theirs) in self.seen.iter_mut().zip(&other.seen) {
            *ours |= theirs;
        }
        for place in other.strongest.0 {
            self.strongest.offer(place);
        }
        for place in other.newest.0 {
            self.newest.offer(place);
        }
    }

    /// How many different games.
    pub(crate) fn games(&self) -> u64 {
        let seen: u64 = self.seen.iter().map(|w| u64::from(w.count_ones())).sum();
        self.counted + seen
    }

    /// Rows of those with the highest average of the known ratings.
    pub(crate) fn strongest(&self) -> Vec<GameRow> {
        self.strongest.rows()
    }

    /// Rows of those that began last.
    pub(crate) fn newest(&self) -> Vec<GameRow> {
        self.newest.rows()
    }
}

/// The first few in order: key, then row.
#[derive(Default)]
struct Best<K>(Vec<(K, GameRow)>);

impl<K: Ord + Copy> Best<K> {
    #[inline]
    fn offer(&mut self, place: (K, GameRow)) {
        if self.0.len() == NAMED && self.0.last().is_some_and(|last| *last <= place) {
            return;
        }
        // Another thread may have seen the same game.
        if let Err(at) = self.0.binary_search(&place) {
            self.0.insert(at, place);
            self.0.truncate(NAMED);
        }
    }

    fn rows(&self) -> Vec<GameRow> {
        self.0.iter().map(|&(_, row)| row).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytemuck::Zeroable;

    fn game(row: i64, rating: u16, started: i64) -> IndexedGame {
        IndexedGame {
            row: GameRow::new(row),
            started,
            gold_rating: rating,
            silver_rating: rating,
            ..IndexedGame::zeroed()
        }
    }

    #[test]
    fn games_count_once_however_they_are_shared_out() {
        let games: Vec<IndexedGame> = (0..200)
            .map(|i: u16| game(i.into(), i * 37 % 101 * 20, i64::from(i) * 53 % 97))
            .collect();
        let mut alone = Notable::default();
        let mut halves = [Notable::default(), Notable::default()];
        for hit in 0..1000 {
            let number = hit * hit % 200;
            alone.add(number as u32, &games[number]);
            halves[hit % 2].add(number as u32, &games[number]);
        }
        let [mut one, other] = halves;
        one.merge(other);
        let mut different: Vec<usize> = (0..1000).map(|hit| hit * hit % 200).collect();
        different.sort_unstable();
        different.dedup();
        for notable in [&alone, &one] {
            assert_eq!(notable.games(), different.len() as u64);
            let mut by_start: Vec<_> = different
                .iter()
                .map(|&i| (Reverse(games[i].started), games[i].row))
                .collect();
            by_start.sort_unstable();
            let expected: Vec<GameRow> = by_start.iter().take(NAMED).map(|&(_, row)| row).collect();
            assert_eq!(notable.newest(), expected);
            let mut by_rating: Vec<_> = different
                .iter()
                .filter(|&&i| games[i].gold_rating > 0)
                .map(|&i| (Reverse(games[i].gold_rating), games[i].row))
                .collect();
            by_rating.sort_unstable();
            let expected: Vec<GameRow> =
                by_rating.iter().take(NAMED).map(|&(_, row)| row).collect();
            assert_eq!(notable.strongest(), expected);
        }
    }

    #[test]
    fn two_numberings_are_two_sets_of_games() {
        let mut notable = Notable::default();
        notable.add(3, &game(30, 1500, 1));
        notable.start_other_numbers();
        notable.add(3, &game(7, 1600, 2));
        notable.add(3, &game(7, 1600, 2));
        assert_eq!(notable.games(), 2);
        assert_eq!(notable.strongest(), [7, 30].map(GameRow::new));
    }
}

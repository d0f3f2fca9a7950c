//! Any pattern at all: the server leaves out what cannot match, and every
//! position that it sends is compared with the pattern.

use std::collections::{HashMap, HashSet};

use postgres::fallible_iterator::FallibleIterator;

use super::ask::conditions;
use super::rows::{HIT, Stored};
use super::{PostgresStore, parameters};
use crate::error::StoreError;
use crate::model::GameRow;
use crate::pattern::{PatternAnswer, Raw, translate};
use crate::question::PatternQuestion;

impl PostgresStore {
    pub(super) fn scan(&self, question: &PatternQuestion) -> Result<PatternAnswer, StoreError> {
        self.check_ready()?;
        let compiled = question.pattern.compile(question.matching);
        let (condition, values) = conditions(&question.filter.counting(self.samples_left_out));
        let sql = format!(
            "SELECT {HIT} FROM positions WHERE {}{condition}",
            compiled.to_sql()
        );
        self.ask(|connection| {
            let mut hits = 0;
            let mut games = HashSet::new();
            let mut best = Best::new(question.limit, question.one_per_game);
            let mut rows = connection.client.query_raw(&sql, parameters(&values))?;
            while let Some(row) = rows.next()? {
                let stored = Stored::of(&row)?;
                let mover = stored.played.mover();
                if let Some(symmetry) = compiled.matches(&stored.board.0, mover) {
                    hits += 1;
                    games.insert(stored.game.row);
                    best.offer(
                        stored.place,
                        Raw {
                            board: stored.board,
                            played: stored.played,
                            game: stored.game,
                            symmetry,
                        },
                    );
                }
            }
            Ok(PatternAnswer {
                hits,
                games: games.len() as u64,
                best: best.finish().iter().filter_map(translate).collect(),
            })
        })
    }
}

/// The best hits, of all or one a game.
struct Best {
    limit: usize,
    one_per_game: bool,
    kept: Vec<(i64, Raw)>,
    of_game: HashMap<GameRow, (i64, Raw)>,
}

impl Best {
    fn new(limit: usize, one_per_game: bool) -> Best {
        Best {
            limit,
            one_per_game,
            kept: Vec::new(),
            of_game: HashMap::new(),
        }
    }

    fn offer(&mut self, place: i64, hit: Raw) {
        if self.one_per_game {
            let known = self.of_game.get(&hit.game.row);
            if known.is_none_or(|(best, _)| place < *best) {
                self.of_game.insert(hit.game.row, (place, hit));
            }
            return;
        }
        self.kept.push((place, hit));
        // Now and then, so that a common pattern does not fill the memory.
        if self.kept.len() >= self.limit.saturating_mul(2).max(10_000) {
            self.trim();
        }
    }

    fn trim(&mut self) {
        self.kept.sort_unstable_by_key(|(place, _)| *place);
        self.kept.truncate(self.limit);
    }

    fn finish(mut self) -> Vec<Raw> {
        self.kept.extend(self.of_game.drain().map(|(_, hit)| hit));
        self.trim();
        self.kept.into_iter().map(|(_, hit)| hit).collect()
    }
}

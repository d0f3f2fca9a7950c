//! Win-in-two puzzles.

use std::collections::HashSet;

use hathi_archive::Puzzle;
use hathi_rules::{Ply, Position};
use postgres::binary_copy::BinaryCopyInWriter;
use postgres::types::Type;

use super::PostgresStore;
use super::games::{count, id_in};
use super::load::Writer;
use crate::error::StoreError;
use crate::memory::{Games, Puzzles};
use crate::model::GameRow;
use crate::puzzles::{
    NO_GAME, PuzzleHit, PuzzleSummary, StoredPuzzle, UnlinkedPuzzle, link, stored_hit,
};
use crate::question::Matching;
use crate::seen::Seen;

/// Puzzles whose games are read together.
const TOGETHER: usize = 500;

impl Puzzles for PostgresStore {
    fn import_puzzles(&mut self, puzzles: &[Puzzle]) -> Result<PuzzleSummary, StoreError> {
        let added = self.write(Writer::Alone, |transaction| {
            // Asked for and not left to ON CONFLICT, whose count of rows is not
            // that of the new ones where they are spread over several servers.
            let numbers: Vec<i64> = puzzles.iter().map(|puzzle| puzzle.game.to_i64()).collect();
            let known = transaction.query(
                "SELECT archive_id, source, label FROM puzzles WHERE archive_id = ANY($1)",
                &[&numbers],
            )?;
            let mut there: HashSet<(i64, String, String)> = HashSet::new();
            for row in &known {
                there.insert((row.try_get(0)?, row.try_get(1)?, row.try_get(2)?));
            }
            let last = transaction.query_one("SELECT coalesce(max(id), 0) FROM puzzles", &[])?;
            let mut id: i64 = last.try_get(0)?;
            let sql = "COPY puzzles (id, archive_id, label, turn, source, fault)
                FROM STDIN (FORMAT binary)";
            let types = [
                Type::INT8,
                Type::INT8,
                Type::TEXT,
                Type::TEXT,
                Type::TEXT,
                Type::TEXT,
            ];
            let mut writer = BinaryCopyInWriter::new(transaction.copy_in(sql)?, &types);
            for puzzle in puzzles {
                let (number, source) = (puzzle.game.to_i64(), puzzle.game.source().name());
                let label = puzzle.label.to_string();
                if there.insert((number, source.to_owned(), label.clone())) {
                    id += 1;
                    let turn = puzzle.turn.to_string();
                    writer.write(&[&id, &number, &label, &turn, &source, &NO_GAME])?;
                }
            }
            Ok(writer.finish()?)
        })?;
        self.link_puzzles()?;
        Ok(PuzzleSummary {
            read: puzzles.len() as u64,
            added,
            ..self.puzzle_counts()?
        })
    }

    fn puzzle_counts(&self) -> Result<PuzzleSummary, StoreError> {
        self.ask(|connection| {
            let row = connection.client.query_one(
                "SELECT count(game_id), count(*) FILTER (WHERE fault = $1),
                        count(*) FILTER (WHERE fault <> $1) FROM puzzles",
                &[&NO_GAME],
            )?;
            Ok(PuzzleSummary {
                linked: count(&row, 0)?,
                without_game: count(&row, 1)?,
                broken: count(&row, 2)?,
                ..PuzzleSummary::default()
            })
        })
    }

    fn puzzles_at(
        &self,
        position: &Position,
        matching: Matching,
    ) -> Result<Vec<PuzzleHit>, StoreError> {
        let seen = Seen::of(position);
        let (direct, image) = (seen.to_packed().0, seen.mirrored().to_packed().0);
        self.ask(|connection| {
            let statement = connection.prepared(
                "SELECT games.source, games.archive_id, copy, label, turn, side, board FROM puzzles
                 JOIN games ON games.id = game_id AND games.archive_id = puzzles.archive_id
                 WHERE board IN ($1, $2)
                 ORDER BY games.source, games.archive_id, copy, label",
            )?;
            let rows = connection
                .client
                .query(&statement, &[&direct.as_slice(), &image.as_slice()])?;
            let mut hits = Vec::new();
            for row in rows {
                let stored = StoredPuzzle {
                    game: id_in(&row)?,
                    label: row.try_get(3)?,
                    turn: row.try_get(4)?,
                    side: row.try_get(5)?,
                    board: row.try_get(6)?,
                };
                hits.extend(stored.hit(position, matching));
            }
            Ok(hits)
        })
    }

    fn broken_puzzles(&self) -> Result<Vec<UnlinkedPuzzle>, StoreError> {
        self.ask(|connection| {
            let rows = connection.client.query(
                "SELECT source, archive_id, 1::bigint, label, fault FROM puzzles WHERE fault <> $1
                 ORDER BY source, archive_id, id",
                &[&NO_GAME],
            )?;
            rows.iter()
                .map(|row| {
                    Ok(UnlinkedPuzzle {
                        game: id_in(row)?,
                        label: row.try_get(3)?,
                        reason: row.try_get(4)?,
                    })
                })
                .collect()
        })
    }

    fn linked_puzzle(&self, number: u64) -> Result<Option<(PuzzleHit, Position)>, StoreError> {
        let row = self.ask(|connection| {
            connection.client.query_opt(
                "SELECT label, turn, game_id, ply, archive_id FROM puzzles WHERE game_id IS NOT NULL
                 ORDER BY source, archive_id, ply LIMIT 1 OFFSET $1",
                &[&number.cast_signed()],
            )
        })?;
        let Some(row) = row else {
            return Ok(None);
        };
        let game = GameRow::new(row.get(2));
        let ply = Ply::from(u32::try_from(row.get::<_, i64>(3)).unwrap_or(u32::MAX));
        let (label, turn): (String, String) = (row.get(0), row.get(1));
        self.expect_games([(game, row.get(4))]);
        let hit = stored_hit(self.game(game)?, label, &turn, ply);
        Ok(Some(hit.ok_or(StoreError::Damaged(game))?))
    }

    fn link_puzzles(&mut self) -> Result<(), StoreError> {
        let waiting = self.ask(|connection| {
            connection.client.query(
                "SELECT puzzles.archive_id, puzzles.source, label, turn,
                        array_agg(games.id ORDER BY copy)
                 FROM puzzles JOIN games ON games.archive_id = puzzles.archive_id
                     AND games.source = puzzles.source
                 WHERE game_id IS NULL
                 GROUP BY puzzles.archive_id, puzzles.source, label, turn",
                &[],
            )
        })?;
        if waiting.is_empty() {
            return Ok(());
        }
        let mut outcomes = Vec::with_capacity(waiting.len());
        for (i, row) in waiting.iter().enumerate() {
            if i % TOGETHER == 0 {
                let next = waiting.iter().skip(i).take(TOGETHER);
                self.expect_games(next.flat_map(|row| {
                    let (number, games): (i64, Vec<i64>) = (row.get(0), row.get(4));
                    games
                        .into_iter()
                        .map(move |game| (GameRow::new(game), number))
                }));
            }
            let (archive_id, source): (i64, String) = (row.get(0), row.get(1));
            let (label, turn): (String, String) = (row.get(2), row.get(3));
            let games: Vec<i64> = row.get(4);
            let games = games.into_iter().map(|row| self.game(GameRow::new(row)));
            let outcome = link(games, &label, &turn)?;
            outcomes.push((archive_id, source, label, outcome));
        }
        self.write(Writer::Alone, |transaction| {
            for (archive_id, source, label, outcome) in &outcomes {
                match outcome {
                    Ok(linked) => transaction.execute(
                        "UPDATE puzzles SET game_id = $4, ply = $5, board = $6, side = $7,
                             fault = NULL WHERE archive_id = $1 AND source = $2 AND label = $3",
                        &[
                            archive_id,
                            source,
                            label,
                            &linked.game.get(),
                            &i64::from(linked.ply.get()),
                            &Seen::of(&linked.position).to_packed().0.as_slice(),
                            &linked.position.side_to_move().to_string(),
                        ],
                    )?,
                    Err(reason) => transaction.execute(
                        "UPDATE puzzles SET fault = $4
                         WHERE archive_id = $1 AND source = $2 AND label = $3",
                        &[archive_id, source, label, reason],
                    )?,
                };
            }
            Ok(())
        })
    }
}

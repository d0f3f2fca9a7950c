//! Win-in-two puzzles.

use hathi_archive::{GameId, Puzzle};
use hathi_rules::{Ply, Position};

use super::PostgresStore;
use super::games::count;
use crate::error::StoreError;
use crate::memory::{Games, Puzzles};
use crate::model::GameRow;
use crate::puzzles::{
    NO_GAME, PuzzleHit, PuzzleSummary, StoredPuzzle, UnlinkedPuzzle, link, stored_hit,
};
use crate::question::Matching;
use crate::seen::Seen;

impl Puzzles for PostgresStore {
    fn import_puzzles(&mut self, puzzles: &[Puzzle]) -> Result<PuzzleSummary, StoreError> {
        let ids: Vec<i64> = puzzles.iter().map(|puzzle| puzzle.game.to_i64()).collect();
        let labels: Vec<String> = puzzles
            .iter()
            .map(|puzzle| puzzle.label.to_string())
            .collect();
        let turns: Vec<String> = puzzles
            .iter()
            .map(|puzzle| puzzle.turn.to_string())
            .collect();
        let added = self.write(|transaction| {
            Ok(transaction.execute(
                "INSERT INTO puzzles (id, archive_id, label, turn, fault)
                 SELECT (SELECT coalesce(max(id), 0) FROM puzzles) + number,
                        archive_id, label, turn, $4
                 FROM unnest($1::bigint[], $2::text[], $3::text[])
                     WITH ORDINALITY AS list (archive_id, label, turn, number)
                 ON CONFLICT (archive_id, label) DO NOTHING",
                &[&ids, &labels, &turns, &NO_GAME],
            )?)
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
                "SELECT archive_id, label, turn, side, board FROM puzzles
                 WHERE board IN ($1, $2) ORDER BY archive_id, label",
            )?;
            let rows = connection
                .client
                .query(&statement, &[&direct.as_slice(), &image.as_slice()])?;
            let mut hits = Vec::new();
            for row in rows {
                let stored = StoredPuzzle {
                    archive_id: row.try_get(0)?,
                    label: row.try_get(1)?,
                    turn: row.try_get(2)?,
                    side: row.try_get(3)?,
                    board: row.try_get(4)?,
                };
                hits.extend(stored.hit(position, matching));
            }
            Ok(hits)
        })
    }

    fn broken_puzzles(&self) -> Result<Vec<UnlinkedPuzzle>, StoreError> {
        self.ask(|connection| {
            let rows = connection.client.query(
                "SELECT archive_id, label, fault FROM puzzles WHERE fault <> $1
                 ORDER BY archive_id, id",
                &[&NO_GAME],
            )?;
            rows.iter()
                .map(|row| {
                    let archive_id: i64 = row.try_get(0)?;
                    Ok(UnlinkedPuzzle {
                        game: GameId::new(archive_id.cast_unsigned()).unwrap_or_default(),
                        label: row.try_get(1)?,
                        reason: row.try_get(2)?,
                    })
                })
                .collect()
        })
    }

    fn linked_puzzle(&self, number: u64) -> Result<Option<(PuzzleHit, Position)>, StoreError> {
        let row = self.ask(|connection| {
            connection.client.query_opt(
                "SELECT archive_id, label, turn, game_id, ply FROM puzzles
                 WHERE game_id IS NOT NULL ORDER BY archive_id, ply LIMIT 1 OFFSET $1",
                &[&number.cast_signed()],
            )
        })?;
        let Some(row) = row else {
            return Ok(None);
        };
        let (archive_id, game) = (row.get(0), GameRow::new(row.get(3)));
        let ply = Ply::from(u32::try_from(row.get::<_, i64>(4)).unwrap_or(u32::MAX));
        let (label, turn): (String, String) = (row.get(1), row.get(2));
        let hit = stored_hit(self.game(game)?, archive_id, label, &turn, ply);
        Ok(Some(hit.ok_or(StoreError::Damaged(game))?))
    }
}

impl PostgresStore {
    /// Links the puzzles whose game has come into the store since.
    fn link_puzzles(&mut self) -> Result<(), StoreError> {
        let waiting = self.ask(|connection| {
            connection.client.query(
                "SELECT puzzles.archive_id, label, turn, min(games.id) FROM puzzles
                 JOIN games USING (archive_id) WHERE game_id IS NULL
                 GROUP BY puzzles.archive_id, label, turn",
                &[],
            )
        })?;
        let mut outcomes = Vec::with_capacity(waiting.len());
        for row in &waiting {
            let (archive_id, game_id): (i64, i64) = (row.get(0), row.get(3));
            let (label, turn): (String, String) = (row.get(1), row.get(2));
            let outcome = link(self.game(GameRow::new(game_id))?, &label, &turn);
            outcomes.push((archive_id, label, game_id, outcome));
        }
        self.write(|transaction| {
            for (archive_id, label, game_id, outcome) in &outcomes {
                match outcome {
                    Ok((ply, position)) => transaction.execute(
                        "UPDATE puzzles SET game_id = $3, ply = $4, board = $5, side = $6,
                             fault = NULL WHERE archive_id = $1 AND label = $2",
                        &[
                            archive_id,
                            label,
                            game_id,
                            &i64::from(ply.get()),
                            &Seen::of(position).to_packed().0.as_slice(),
                            &position.side_to_move().to_string(),
                        ],
                    )?,
                    Err(reason) => transaction.execute(
                        "UPDATE puzzles SET fault = $3 WHERE archive_id = $1 AND label = $2",
                        &[archive_id, label, reason],
                    )?,
                };
            }
            Ok(())
        })
    }
}

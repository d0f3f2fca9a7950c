//! Win in two: positions of archived games with a turn that wins.

use hathi_archive::{GameId, Puzzle};
use hathi_rules::{Position, Symmetry, Turn};
use rusqlite::{OptionalExtension, TransactionBehavior, params};

use crate::database::{Database, DatabaseError, StoredGame};
use crate::memory::Matching;
use crate::seen::Seen;

/// What became of the puzzles of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PuzzleSummary {
    /// Puzzles in the list.
    pub read: u64,
    /// Not there before.
    pub added: u64,
    /// Of those in the store now: linked to a position of a stored game.
    pub linked: u64,
    /// Not linked because their game is not in the store.
    pub without_game: u64,
    /// Not linked for another reason: the move is not there, or not legal.
    pub broken: u64,
}

/// A puzzle whose position is on the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PuzzleHit {
    /// The game it is from.
    pub game: GameId,
    /// The move before which it stood there, such as `26s`.
    pub label: String,
    /// The turn that wins, on the board that was asked about.
    pub turn: Turn,
}

/// A puzzle that could not be linked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnlinkedPuzzle {
    /// The game it names.
    pub game: GameId,
    /// The move it names.
    pub label: String,
    /// Why.
    pub reason: String,
}

pub(crate) const NO_GAME: &str = "the game is not in the store";

impl Database {
    /// Adds puzzles and links every one in the store, old or new, to its game
    /// and position if it can be.
    pub fn import_puzzles(&mut self, puzzles: &[Puzzle]) -> Result<PuzzleSummary, DatabaseError> {
        let mut summary = PuzzleSummary {
            read: puzzles.len() as u64,
            ..PuzzleSummary::default()
        };
        self.in_transaction(|transaction| {
            let mut insert = transaction.prepare_cached(
                "INSERT INTO puzzles(archive_id, label, turn, fault) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT(archive_id, label) DO NOTHING",
            )?;
            for puzzle in puzzles {
                summary.added += insert.execute(params![
                    puzzle.game.to_i64(),
                    puzzle.label.to_string(),
                    puzzle.turn.to_string(),
                    NO_GAME,
                ])? as u64;
            }
            Ok(())
        })?;
        self.link_puzzles()?;
        let now = self.puzzle_counts()?;
        Ok(PuzzleSummary {
            read: summary.read,
            added: summary.added,
            ..now
        })
    }

    /// How many puzzles of the store are linked, and how many are not.
    pub fn puzzle_counts(&self) -> Result<PuzzleSummary, DatabaseError> {
        let count = |condition: &str| -> Result<u64, DatabaseError> {
            self.connection()
                .query_row(
                    &format!("SELECT count(*) FROM puzzles WHERE {condition}"),
                    [],
                    |row| row.get::<_, i64>(0),
                )
                .map(i64::cast_unsigned)
                .map_err(|error| self.error(error))
        };
        Ok(PuzzleSummary {
            linked: count("game_id IS NOT NULL")?,
            without_game: count(&format!("fault = '{NO_GAME}'"))?,
            broken: count(&format!("fault <> '{NO_GAME}'"))?,
            ..PuzzleSummary::default()
        })
    }

    /// Links the puzzles whose game has come into the store since.
    fn link_puzzles(&mut self) -> Result<(), DatabaseError> {
        let waiting: Vec<(i64, i64, String, String)> = {
            let failed = |error| self.error(error);
            let mut statement = self
                .connection()
                .prepare(
                    "SELECT puzzles.id, min(games.id), label, turn FROM puzzles
                     JOIN games USING (archive_id) WHERE game_id IS NULL GROUP BY puzzles.id",
                )
                .map_err(failed)?;
            let rows = statement
                .query_map([], |row| {
                    Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
                })
                .map_err(failed)?;
            rows.collect::<Result<_, _>>().map_err(failed)?
        };
        for (id, game_id, label, turn) in waiting {
            let outcome = link(self.game(game_id)?, &label, &turn);
            self.in_transaction(|transaction| {
                match &outcome {
                    Ok((ply, position)) => transaction.execute(
                        "UPDATE puzzles SET game_id = ?2, ply = ?3, board = ?4, side = ?5,
                             fault = NULL WHERE id = ?1",
                        params![
                            id,
                            game_id,
                            *ply as i64,
                            Seen::of(position).to_packed().0,
                            position.side_to_move().to_string(),
                        ],
                    )?,
                    Err(reason) => transaction.execute(
                        "UPDATE puzzles SET fault = ?2 WHERE id = ?1",
                        params![id, reason],
                    )?,
                };
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Is the position in the table, and what wins there?
    pub fn puzzles_at(
        &self,
        position: &Position,
        matching: Matching,
    ) -> Result<Vec<PuzzleHit>, DatabaseError> {
        let failed = |error| self.error(error);
        let seen = Seen::of(position);
        let mut statement = self
            .connection()
            .prepare_cached(
                "SELECT archive_id, label, turn, side, board FROM puzzles
                 WHERE board IN (?1, ?2) ORDER BY archive_id, label",
            )
            .map_err(failed)?;
        let (direct, image) = (seen.to_packed().0, seen.mirrored().to_packed().0);
        let mut rows = statement.query(params![direct, image]).map_err(failed)?;
        let mut hits = Vec::new();
        while let Some(row) = rows.next().map_err(failed)? {
            let stored = StoredPuzzle {
                archive_id: row.get(0).map_err(failed)?,
                label: row.get(1).map_err(failed)?,
                turn: row.get(2).map_err(failed)?,
                side: row.get(3).map_err(failed)?,
                board: row.get(4).map_err(failed)?,
            };
            hits.extend(stored.hit(position, matching));
        }
        Ok(hits)
    }

    /// The puzzles that could not be linked although their game is there.
    pub fn broken_puzzles(&self) -> Result<Vec<UnlinkedPuzzle>, DatabaseError> {
        let failed = |error| self.error(error);
        let mut statement = self
            .connection()
            .prepare(&format!(
                "SELECT archive_id, label, fault FROM puzzles WHERE fault <> '{NO_GAME}'
                 ORDER BY archive_id, id"
            ))
            .map_err(failed)?;
        let rows = statement
            .query_map([], |row| {
                Ok(UnlinkedPuzzle {
                    game: GameId::new(row.get::<_, i64>(0)?.cast_unsigned()).unwrap_or_default(),
                    label: row.get(1)?,
                    reason: row.get(2)?,
                })
            })
            .map_err(failed)?;
        rows.collect::<Result<_, _>>().map_err(failed)
    }

    /// The position of the puzzle with this number among the linked ones, for
    /// whoever wants to solve them in order.
    pub fn linked_puzzle(
        &self,
        number: u64,
    ) -> Result<Option<(PuzzleHit, Position)>, DatabaseError> {
        let failed = |error| self.error(error);
        let row: Option<(i64, String, String, i64, i64)> = self
            .connection()
            .query_row(
                "SELECT archive_id, label, turn, game_id, ply FROM puzzles
                 WHERE game_id IS NOT NULL ORDER BY archive_id, ply LIMIT 1 OFFSET ?1",
                [number.cast_signed()],
                |row| {
                    Ok((
                        row.get(0)?,
                        row.get(1)?,
                        row.get(2)?,
                        row.get(3)?,
                        row.get(4)?,
                    ))
                },
            )
            .optional()
            .map_err(failed)?;
        let Some((archive_id, label, turn, game_id, ply)) = row else {
            return Ok(None);
        };
        let hit = stored_hit(self.game(game_id)?, archive_id, label, &turn, ply);
        hit.ok_or(DatabaseError::Damaged(game_id)).map(Some)
    }

    fn in_transaction(
        &mut self,
        work: impl FnOnce(&rusqlite::Transaction<'_>) -> rusqlite::Result<()>,
    ) -> Result<(), DatabaseError> {
        let result = self
            .connection_mut()
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .and_then(|transaction| {
                work(&transaction)?;
                transaction.commit()
            });
        result.map_err(|error| self.error(error))
    }
}

/// A puzzle as the database has it.
pub(crate) struct StoredPuzzle {
    pub(crate) archive_id: i64,
    pub(crate) label: String,
    pub(crate) turn: String,
    pub(crate) side: String,
    pub(crate) board: Vec<u8>,
}

impl StoredPuzzle {
    /// Turned to the position that was asked about. None if it must not be,
    /// or if its turn does not fit.
    pub(crate) fn hit(self, position: &Position, matching: Matching) -> Option<PuzzleHit> {
        let symmetry = Symmetry {
            mirror: self.board != Seen::of(position).to_packed().0,
            flip: self.side != position.side_to_move().to_string(),
        };
        if matching == Matching::Literal && symmetry != Symmetry::IDENTITY {
            return None;
        }
        let turn: Turn = self.turn.parse().ok()?;
        let game = GameId::new(self.archive_id.cast_unsigned())?;
        let (turn, _) = position.check_turn(&symmetry.apply(turn)).ok()?;
        Some(PuzzleHit {
            game,
            label: self.label,
            turn,
        })
    }
}

/// The ply and position of a puzzle in its game, or why there is none.
pub(crate) fn link(
    stored: Option<StoredGame>,
    label: &str,
    turn: &str,
) -> Result<(usize, Position), String> {
    let stored = stored.ok_or(NO_GAME)?;
    let (Ok(label), Ok(turn)) = (label.parse(), turn.parse()) else {
        return Err("the stored puzzle is damaged".to_owned());
    };
    let puzzle = Puzzle {
        game: stored.game.id,
        label,
        turn,
        mark: None,
    };
    let Ok(game) = stored.moves.replay(stored.game.rules()) else {
        return Err("the stored game is damaged".to_owned());
    };
    match puzzle.link(&game) {
        Ok(linked) => {
            let ply = puzzle.label.ply().unwrap_or(2).saturating_sub(2);
            Ok((ply, linked.position))
        }
        Err(fault) => Err(fault.to_string()),
    }
}

/// A linked puzzle with its position; none if something in it is damaged.
pub(crate) fn stored_hit(
    stored: Option<StoredGame>,
    archive_id: i64,
    label: String,
    turn: &str,
    ply: i64,
) -> Option<(PuzzleHit, Position)> {
    let stored = stored?;
    let game = stored.moves.replay(stored.game.rules()).ok()?;
    let position = *game.positions().get(usize::try_from(ply).ok()?)?;
    let hit = PuzzleHit {
        game: GameId::new(archive_id.cast_unsigned()).unwrap_or_default(),
        label,
        turn: turn.parse().ok()?,
    };
    Some((hit, position))
}

//! Turns that were played, as something to learn from or to be asked about.

use std::ops::ControlFlow;
use std::path::PathBuf;

use hathi_archive::{ArchiveError, ArchiveReader, Replayer};
use hathi_model::features::Past;
use hathi_rules::{Board, Game, Position, Side, Turn};

/// A position and the turn played there.
#[derive(Clone, Debug)]
pub struct Lesson {
    /// Before the turn, at its start.
    pub position: Position,
    /// What happened before.
    pub past: Past,
    /// The turn that was played.
    pub turn: Turn,
    /// The board after it.
    pub after: Board,
    /// The number of the move: 2 is the first after the setup.
    pub number: u32,
    /// Moves of the same side that were still to come in the game.
    pub to_come: u32,
    /// Did the side to move win the game?
    pub won: Option<bool>,
}

/// The turns of one game. Games are never torn apart between training and
/// testing.
#[derive(Clone, Debug)]
pub struct LessonGame {
    /// The game's number in its archive.
    pub id: u64,
    /// Its turns, in order.
    pub lessons: Vec<Lesson>,
}

impl LessonGame {
    /// The turns of a game; `winner` as the record says, if it does.
    pub fn new(id: u64, game: &Game, winner: Option<Side>) -> LessonGame {
        let positions = game.positions();
        let turns = positions.len().saturating_sub(1);
        let played = game.turns().iter().enumerate().take(turns);
        let lessons = played
            .map(|(ply, &turn)| Lesson {
                position: positions[ply],
                turn,
                past: Past::of(&positions[..=ply]),
                after: *positions[ply + 1].board(),
                number: ply as u32 / 2 + 2,
                to_come: (turns - 1 - ply) as u32 / 2,
                won: winner.map(|side| side == positions[ply].side_to_move()),
            })
            .collect();
        LessonGame { id, lessons }
    }
}

/// Games out of archives: those whose lower rating (0 if there is none) is
/// wanted, and that have a turn to learn from. Beside them the first row that
/// could not be read, if there is one.
pub fn read(
    archives: &[PathBuf],
    wanted: impl Fn(i32) -> bool,
) -> Result<(Vec<LessonGame>, Option<ArchiveError>), ArchiveError> {
    let reader = ArchiveReader::open(archives)?;
    let mut games = Vec::new();
    let mut replayer = Replayer::new();
    let mut first = None;
    let _ = reader.for_each(|row| {
        match row {
            Err(error) => {
                first.get_or_insert(error);
            }
            Ok(row) => {
                let rating = |side| row.rating(side).unwrap_or(0);
                if wanted(rating(Side::Gold).min(rating(Side::Silver))) {
                    let replayed = replayer.replay(&row);
                    let game = LessonGame::new(row.id().number(), replayed.game, row.result());
                    if !game.lessons.is_empty() {
                        games.push(game);
                    }
                }
            }
        }
        ControlFlow::<()>::Continue(())
    });
    Ok((games, first))
}

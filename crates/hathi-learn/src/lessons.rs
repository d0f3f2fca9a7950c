//! Turns that were played, as something to learn from or to be asked about.

use hathi_rules::{Board, Game, Position, Side, Turn};

use hathi_model::features::Past;

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

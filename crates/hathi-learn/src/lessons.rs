//! Turns that were played, as something to learn from or to be asked about.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use hathi_archive::{ArchiveError, ArchiveReader, Replayer};
use hathi_model::features::Past;
use hathi_rules::{Board, Game, Position, Side, Turn};

use crate::selfplay::{Games, OpenError, PlayedGame};

/// A position and the turn played there.
#[derive(Clone, Debug)]
pub struct Lesson {
    /// Before the turn, at its start.
    pub position: Position,
    /// What happened before.
    pub past: Past,
    /// The turn that was played; not known of self-play, which keeps boards.
    pub turn: Option<Turn>,
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
                turn: Some(turn),
                past: Past::of(&positions[..=ply]),
                after: *positions[ply + 1].board(),
                number: ply as u32 / 2 + 2,
                to_come: (turns - 1 - ply) as u32 / 2,
                won: winner.map(|side| side == positions[ply].side_to_move()),
            })
            .collect();
        LessonGame { id, lessons }
    }

    /// The turns of a game of self-play, each told by the boards before and
    /// after it: where two positions follow each other and nothing is decided.
    /// Of all such turns every `every`th, beginning with the one numbered so.
    fn of_selfplay(game: &PlayedGame, number: &mut u64, every: u64) -> LessonGame {
        let position = |played: &crate::selfplay::PlayedPosition| {
            // In the middle of a turn there is no whole one to learn.
            let board = Board::try_from(played.board)
                .ok()
                .filter(|_| played.taken == 0);
            Position::new(board?, played.side).ok()
        };
        let positions: Vec<Option<Position>> = game.positions.iter().map(position).collect();
        let mut lessons = Vec::new();
        // Positions since the last gap.
        let mut run: Vec<Position> = Vec::new();
        for (ply, found) in positions.iter().enumerate() {
            let Some(next) = found else {
                run.clear();
                continue;
            };
            let follows = |now: &Position| now.side_to_move() != next.side_to_move();
            if !run.last().is_some_and(follows) {
                run.clear();
            }
            if let (Some(now), Some(played)) = (run.last(), ply.checked_sub(1)) {
                *number += 1;
                let undecided = game.positions[played].score.abs() <= UNDECIDED;
                if number.is_multiple_of(every) && undecided {
                    lessons.push(Lesson {
                        position: *now,
                        turn: None,
                        past: Past::of(&run),
                        after: *next.board(),
                        number: played as u32 / 2 + 2,
                        to_come: (positions.len() - 1 - played) as u32 / 2,
                        won: game.winner.map(|side| side == now.side_to_move()),
                    });
                }
            }
            run.push(*next);
        }
        LessonGame {
            id: game.number,
            lessons,
        }
    }
}

/// A side further ahead than this, in hundredths of a rabbit, wins however it
/// plays, and so teaches little.
const UNDECIDED: i32 = 1000;

/// Every so many turns of a file of self-play, as far as two positions of it
/// follow each other. Games without any are left out.
pub fn read_selfplay(path: &Path, every: u32) -> Result<Vec<LessonGame>, OpenError> {
    let mut file = Games::open(path)?;
    let mut number = 0;
    let mut games = Vec::new();
    while let Some(game) = file.next_game() {
        let game = LessonGame::of_selfplay(&game, &mut number, u64::from(every.max(1)));
        if !game.lessons.is_empty() {
            games.push(game);
        }
    }
    Ok(games)
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

#[cfg(test)]
mod tests {
    use hathi_rules::{PackedBoard, RuleSet, TurnGenerator};

    use super::*;
    use crate::selfplay::PlayedPosition;

    #[test]
    fn self_play_is_read_turn_by_turn() {
        let start = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]";
        let mut game = Game::from_position(RuleSet::Modern, start.parse().expect("a position"));
        for turn in [
            "Ee2n Ee3n Ee4n Hh2n",
            "ed7s ed6s ed5s ha7s",
            "Ha2n Ha3n Dg2n Md2n",
            "hh7s hh6s me7s",
        ] {
            game.play(&turn.parse().expect("a turn")).expect("legal");
        }
        let mut positions: Vec<PlayedPosition> = game
            .positions()
            .iter()
            .map(|position| PlayedPosition {
                board: PackedBoard::from(position.board()),
                side: position.side_to_move(),
                score: 0,
                depth: 4,
                taken: 0,
                turn: Turn::EMPTY,
                changed: hathi_rules::Bitboard::EMPTY,
                moved: hathi_rules::Bitboard::EMPTY,
            })
            .collect();
        let read = |positions: &[PlayedPosition]| {
            let played = PlayedGame {
                number: 7,
                winner: Some(Side::Gold),
                positions: positions.to_vec(),
            };
            LessonGame::of_selfplay(&played, &mut 0, 1).lessons
        };
        let lessons = read(&positions);
        let real = LessonGame::new(7, &game, Some(Side::Gold)).lessons;
        assert_eq!(lessons.len(), 4);
        for (lesson, real) in lessons.iter().zip(&real) {
            assert_eq!(lesson.position, real.position);
            assert_eq!(lesson.after, real.after);
            assert_eq!(lesson.past.opponent, real.past.opponent);
            assert_eq!(lesson.past.entered, real.past.entered);
            let mut generator = TurnGenerator::new();
            let mut reached = generator.generate(&lesson.position);
            assert!(reached.any(|turn| *turn.board() == lesson.after));
        }
        // A random turn was played in the third position, which is not there.
        positions.remove(2);
        assert_eq!(read(&positions).len(), 2);
        // Who is far ahead teaches nothing.
        positions[0].score = 2000;
        assert_eq!(read(&positions).len(), 1);
    }
}

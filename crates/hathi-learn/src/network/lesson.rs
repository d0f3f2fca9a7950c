//! What the network learns from: a board, and what it is worth.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use hathi_model::network::UNIT;
use hathi_rules::{Board, PackedBoard, Position, Side, Symmetric, Symmetry};

use super::ResultCurve;
use crate::selfplay::PlayedGame;

/// A board as the side to move sees it, and how good it is for that side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lesson {
    /// The board, turned so that Gold is to move.
    pub board: PackedBoard,
    /// The chance to win that the network should see, 0 to 1.
    pub chance: f32,
    /// Lessons of one game have the same number, so that all of a game are
    /// either learned or used for checking.
    pub game: u32,
    /// Does the chance come from a search or a game, or was the board only
    /// looked at? What being on move is worth is learned of both, each for
    /// itself, and the network plays by what searches say.
    pub searched: bool,
    /// Steps that the side to move has left of its turn, 1 to 4.
    pub left: u8,
}

/// Why lessons cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum LessonError {
    /// The file cannot be read.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: String,
        /// What the system says.
        error: std::io::Error,
    },
    /// A line makes no sense.
    #[error("{path}, line {line}: {what}")]
    Line {
        /// The file.
        path: String,
        /// The line's number.
        line: usize,
        /// What is wrong.
        what: String,
    },
}

/// Lines of scored positions that stand together belong to one game, or to
/// its neighbourhood; which is not said.
const LINES_TOGETHER: usize = 64;

/// A score of a proven win, as a chance.
const PROVEN: f32 = 0.999;

impl Lesson {
    /// A lesson of a board, with the chance to win of the side to move.
    pub fn new(board: &Board, side: Side, chance: f32, game: u32) -> Lesson {
        let board = match side {
            Side::Gold => *board,
            Side::Silver => board.under(Symmetry::FLIP),
        };
        Lesson {
            board: PackedBoard::from(&board),
            chance,
            game,
            searched: true,
            left: 4,
        }
    }

    /// The lessons of a game of self-play: the score of the search, and how much better or worse
    /// the game ended than such scores do, which counts for `share` (0 to 1). A random turn makes
    /// the result of what came before it worthless.
    pub fn of_game(
        game: &PlayedGame,
        number: u32,
        results: ResultCurve,
        share: f32,
        lessons: &mut Vec<Lesson>,
    ) {
        let chosen = game.chosen_to_the_end();
        for (index, position) in game.positions.iter().enumerate() {
            let Ok(board) = Board::try_from(position.board) else {
                continue;
            };
            let scored = chance_of(position.score);
            let chance = match game.winner {
                Some(winner) if index >= chosen => {
                    let won = if winner == position.side { 1.0 } else { 0.0 };
                    let surprise = won - results.expected(position.score);
                    (scored + surprise * share).clamp(1.0 - PROVEN, PROVEN)
                }
                _ => scored,
            };
            lessons.push(Lesson {
                left: 4 - position.taken.min(3),
                ..Lesson::new(&board, position.side, chance, number)
            });
        }
    }
}

/// The chance to win that belongs to a score in the network's own unit.
pub(super) fn chance(score: f32) -> f32 {
    1.0 / (1.0 + (-score).exp())
}

/// The chance to win that belongs to a score in hundredths of a rabbit.
pub fn chance_of(score: i32) -> f32 {
    chance(score as f32 / UNIT as f32).clamp(1.0 - PROVEN, PROVEN)
}

/// A line of a table that another program has scored.
#[derive(Clone, Copy, Debug)]
pub struct ScoredPosition {
    /// Where a turn begins.
    pub position: Position,
    /// For the side to move, in thousandths of a rabbit.
    pub score: i32,
    /// Positions of one game, or lines that stand together, have the same number.
    pub game: u32,
    /// Did the side to move win the game? None if the table does not say.
    pub won: Option<bool>,
}

/// Reads positions scored by another program as lessons, see [`read_scored_positions`].
pub fn read_scored(path: &Path) -> Result<Vec<Lesson>, LessonError> {
    let mut lessons = Vec::new();
    read_scored_positions(path, |scored| {
        let board = scored.position.board();
        let chance = chance_of(scored.score / 10);
        lessons.push(Lesson {
            searched: false,
            ..Lesson::new(board, scored.position.side_to_move(), chance, scored.game)
        });
    })?;
    Ok(lessons)
}

/// Reads positions scored by another program: tab-separated lines with columns
/// `side`, `board` and `score`, named in the first line; the score is in
/// thousandths of a rabbit for the side to move. There may be a column `game`,
/// a number, and a column `won`, 1 if the side to move won the game, 0 if not
/// and empty if that is not known. Packed with gzip or not.
pub fn read_scored_positions(
    path: &Path,
    mut visit: impl FnMut(ScoredPosition),
) -> Result<(), LessonError> {
    let io = |error| LessonError::Io {
        path: path.display().to_string(),
        error,
    };
    let file = std::fs::File::open(path).map_err(io)?;
    let mut file = BufReader::new(file);
    let packed = file.fill_buf().map_err(io)?.starts_with(&[0x1f, 0x8b]);
    let text: Box<dyn Read> = if packed {
        Box::new(flate2::read::MultiGzDecoder::new(file))
    } else {
        Box::new(file)
    };
    let mut columns: Option<Columns> = None;
    for (number, line) in (1..).zip(BufReader::new(text).lines()) {
        let line = line.map_err(io)?;
        let fail = |what: &str| LessonError::Line {
            path: path.display().to_string(),
            line: number,
            what: what.to_owned(),
        };
        let parts: Vec<&str> = line.split('\t').collect();
        let Some(columns) = &columns else {
            let found = Columns::find(&parts);
            columns =
                Some(found.ok_or_else(|| fail("expected columns named side, board and score"))?);
            continue;
        };
        let part = |column: usize| {
            let part = parts.get(column).copied();
            part.ok_or_else(|| fail("a column is missing"))
        };
        let (side, board) = (part(columns.side)?, part(columns.board)?);
        let position: Position = format!("{side} [{board}]")
            .parse()
            .map_err(|_| fail("not a position"))?;
        let score: i32 = part(columns.score)?
            .parse()
            .map_err(|_| fail("not a score"))?;
        let game = columns.game.and_then(|game| parts.get(game)?.parse().ok());
        let won = match columns.won.map(part).transpose()? {
            Some("1") => Some(true),
            Some("0") => Some(false),
            Some("") | None => None,
            Some(_) => return Err(fail("not a result: column won has 1, 0 or nothing")),
        };
        visit(ScoredPosition {
            position,
            score,
            game: game.unwrap_or((number / LINES_TOGETHER) as u32),
            won,
        });
    }
    Ok(())
}

/// Where the columns of a table stand.
struct Columns {
    side: usize,
    board: usize,
    score: usize,
    game: Option<usize>,
    won: Option<usize>,
}

impl Columns {
    /// By the names in the first line; none if one is missing that must be there.
    fn find(names: &[&str]) -> Option<Columns> {
        let named = |name: &str| names.iter().position(|&other| other == name);
        Some(Columns {
            side: named("side")?,
            board: named("board")?,
            score: named("score")?,
            game: named("game"),
            won: named("won"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The games and results of a table.
    fn read(name: &str, text: &str) -> Result<Vec<(u32, Option<bool>)>, LessonError> {
        let path = std::env::temp_dir().join(format!("hathi-lesson-{}-{name}", std::process::id()));
        std::fs::write(&path, text).expect("written");
        let mut found = Vec::new();
        let read = read_scored_positions(&path, |scored| found.push((scored.game, scored.won)));
        std::fs::remove_file(&path).expect("removed");
        read.map(|()| found)
    }

    const BOARD: &str = "........R......r................................................";

    #[test]
    fn results_and_games_are_read_if_they_are_there() {
        let all = format!(
            "won\tboard\tgame\tside\tscore\n1\t{BOARD}\t7\tg\t5\n0\t{BOARD}\t8\ts\t-5\n\t{BOARD}\t8\tg\t0\n"
        );
        let all = read("all", &all).expect("a table");
        assert_eq!(all, [(7, Some(true)), (8, Some(false)), (8, None)]);
        let bare = format!("side\tboard\tscore\ng\t{BOARD}\t5\n");
        assert_eq!(read("bare", &bare).expect("a table"), [(0, None)]);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let message = |name: &str, row: &str| {
            let text = format!("side\tboard\tscore\twon\n{row}\n");
            read(name, &text).expect_err("no table").to_string()
        };
        let odd = message("odd", &format!("g\t{BOARD}\t5\tyes"));
        assert!(
            odd.ends_with("line 2: not a result: column won has 1, 0 or nothing"),
            "{odd}"
        );
        let short = message("short", &format!("g\t{BOARD}\t5"));
        assert!(short.ends_with("line 2: a column is missing"), "{short}");
    }
}

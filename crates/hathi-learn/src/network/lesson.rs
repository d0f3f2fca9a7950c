//! What the network learns from: a board, and what it is worth.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use hathi_model::network::UNIT;
use hathi_rules::{Board, PackedBoard, Position, Side, Symmetric, Symmetry};

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

/// How often games are won from a score: what is better than that is news. It is a flatter curve
/// than the network's own where chance plays a part in games; mixed with results as they are,
/// positions with a result would be valued on another scale than those without.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ResultCurve {
    /// So many times as steep as the network's own curve.
    steepness: f32,
}

impl ResultCurve {
    /// Fitted to positions of games that somebody won: the score and whether its side did.
    pub fn fit(scores: &[(i32, bool)]) -> ResultCurve {
        let mut steepness = 1.0_f64;
        // Newton's method for logistic regression with one number; it has one optimum.
        for _ in 0..20 {
            let (mut slope, mut bend) = (0.0, 1e-9);
            for &(score, won) in scores {
                let score = f64::from(score.clamp(-MOST_SCORE, MOST_SCORE)) / f64::from(UNIT);
                let seen = 1.0 / (1.0 + (-steepness * score).exp());
                slope += (f64::from(u8::from(won)) - seen) * score;
                bend += seen * (1.0 - seen) * score * score;
            }
            steepness = (steepness + slope / bend).clamp(0.05, 20.0);
        }
        ResultCurve {
            steepness: steepness as f32,
        }
    }

    fn expected(self, score: i32) -> f32 {
        let score = score.clamp(-MOST_SCORE, MOST_SCORE) as f32 / UNIT as f32;
        chance(self.steepness * score)
    }

    /// So many times as steep as the network's own curve.
    pub fn steepness(self) -> f32 {
        self.steepness
    }
}

/// Scores beyond this, proven wins among them, say no more: 40 rabbits.
const MOST_SCORE: i32 = 4_000;

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
/// thousandths of a rabbit for the side to move. Packed with gzip or not.
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
    let mut columns: Option<[usize; 4]> = None;
    for (number, line) in (1..).zip(BufReader::new(text).lines()) {
        let line = line.map_err(io)?;
        let fail = |what: &str| LessonError::Line {
            path: path.display().to_string(),
            line: number,
            what: what.to_owned(),
        };
        let parts: Vec<&str> = line.split('\t').collect();
        let Some([side, board, score, game]) = columns else {
            let named = |name: &str| parts.iter().position(|&part| part == name);
            let (Some(side), Some(board), Some(score)) =
                (named("side"), named("board"), named("score"))
            else {
                return Err(fail("expected columns named side, board and score"));
            };
            columns = Some([side, board, score, named("game").unwrap_or(usize::MAX)]);
            continue;
        };
        let (Some(side), Some(board), Some(score)) =
            (parts.get(side), parts.get(board), parts.get(score))
        else {
            return Err(fail("a column is missing"));
        };
        let position: Position = format!("{side} [{board}]")
            .parse()
            .map_err(|_| fail("not a position"))?;
        let score: i32 = score.parse().map_err(|_| fail("not a score"))?;
        let game = parts.get(game).and_then(|game| game.parse().ok());
        visit(ScoredPosition {
            position,
            score,
            game: game.unwrap_or((number / LINES_TOGETHER) as u32),
        });
    }
    Ok(())
}

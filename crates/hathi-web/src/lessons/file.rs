//! A lesson as it is written in its file, and the way from there to a
//! [`Lesson`]: text becomes pieces, squares and turns, or a reason why not.

use std::fmt::Display;
use std::str::FromStr;

use hathi_rules::{
    Bitboard, Board, Game, Piece, Position, RuleSet, Setup, Side, Square, Termination, Turn,
};
use serde::Deserialize;

use super::condition::Placed;
use super::{
    Ask, BoardCondition, Choice, Choosable, Claim, Condition, Fact, Goal, Lesson, Part, Question,
    Task, Try,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LessonFile {
    title: String,
    about: String,
    part: Part,
    tasks: Vec<TaskFile>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TaskFile {
    text: String,
    done: String,
    /// Eight rows, the eighth rank first, `.` for an empty square.
    board: Vec<String>,
    #[serde(default = "gold")]
    side: char,
    /// Turns played from there before the task begins.
    #[serde(default)]
    played: Vec<String>,
    ask: AskFile,
    answer: TryFile,
    #[serde(default)]
    wrong: Vec<WrongFile>,
}

fn gold() -> char {
    'g'
}

/// A try that must fail, and the words it must get.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrongFile {
    r#try: TryFile,
    says: String,
}

/// A turn, a setup or squares as text; the number of an answer.
#[derive(Deserialize)]
#[serde(untagged)]
enum TryFile {
    Text(String),
    Number(usize),
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum AskFile {
    Turn(Vec<GoalFile<ConditionFile>>),
    Setup(Vec<GoalFile<BoardFile>>),
    Squares(QuestionFile),
    Choice(ChoiceFile),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GoalFile<C> {
    goal: C,
    r#else: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum BoardFile {
    /// `Ed2 Ee2`: one of them.
    Stands(String),
    Among {
        pieces: String,
        squares: String,
        least: u32,
    },
    Empty(String),
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum ConditionFile {
    Wins(Ending),
    Captures(char),
    LosesNothing,
    Free(String),
    Frozen(String),
    Guards {
        trap: String,
        least: u32,
    },
    Pushes(char),
    Pulls(char),
    StepsAtMost(usize),
    NoGoalNext,
    Safe(char),
    Threatens(char),
    Stuck(String),
    #[serde(untagged)]
    Board(BoardFile),
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Ending {
    Goal,
    Elimination,
    Immobilisation,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum QuestionFile {
    Frozen(char),
    Steps(String),
    Pushers(String),
    PushedTo { by: String, enemy: String },
    Pullable(String),
    FallsWithout(String),
    WeakerThan(String),
    Capturable,
    Guards(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ChoiceFile {
    asks: FactFile,
    options: Vec<OptionFile>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum FactFile {
    Outcome,
    Legal(String),
    LeadsTo(Vec<String>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OptionFile {
    text: String,
    /// `g`, `s` or `nobody`; `yes` or `no`; a turn.
    claims: String,
    because: String,
}

/// Reads the file of that name.
pub(super) fn lesson(name: &str, data: &[u8]) -> Result<Lesson, String> {
    let file: LessonFile = serde_json::from_slice(data).map_err(|error| error.to_string())?;
    let id = name.trim_end_matches(".json");
    // The number before the name only says where it stands.
    let id = id.split_once('-').map_or(id, |(_, id)| id);
    let tasks = (1..)
        .zip(file.tasks)
        .map(|(number, raw)| task(raw).map_err(|reason| format!("task {number}: {reason}")));
    Ok(Lesson {
        id: id.to_owned(),
        title: file.title,
        about: file.about,
        part: file.part,
        tasks: tasks.collect::<Result<_, _>>()?,
    })
}

fn task(file: TaskFile) -> Result<Task, String> {
    let side = side(file.side)?;
    let position = Position::composed(board(&file.board)?, side);
    let mut game = Game::from_position(RuleSet::Modern, position);
    for text in &file.played {
        let turn = parsed::<Turn>(text)?;
        game.play(&turn)
            .map_err(|error| format!("{text}: {error}"))?;
    }
    let ask = ask(file.ask, game.position().side_to_move())?;
    let attempt = |text: TryFile| attempt(&ask, text);
    let answer = attempt(file.answer)?;
    let wrong = file
        .wrong
        .into_iter()
        .map(|wrong| Ok((attempt(wrong.r#try)?, wrong.says)))
        .collect::<Result<_, String>>()?;
    Ok(Task {
        text: file.text,
        done: file.done,
        game,
        answer,
        wrong,
        ask,
    })
}

fn attempt(ask: &Ask, file: TryFile) -> Result<Try, String> {
    match (ask, file) {
        (Ask::Turn(_), TryFile::Text(text)) => parsed(&text).map(Try::Turn),
        (Ask::Setup(..), TryFile::Text(text)) => parsed::<Setup>(&text).map(Try::Setup),
        (Ask::Squares(_), TryFile::Text(text)) => squares(&text).map(Try::Squares),
        (Ask::Choice(_), TryFile::Number(number)) => Ok(Try::Choice(number)),
        _ => Err("the answer is of another kind than the question".to_owned()),
    }
}

fn ask(file: AskFile, mover: Side) -> Result<Ask, String> {
    Ok(match file {
        AskFile::Turn(goals) => Ask::Turn(all(goals, condition)?),
        AskFile::Setup(goals) => Ask::Setup(mover, all(goals, board_condition)?),
        AskFile::Squares(file) => Ask::Squares(question(&file)?),
        AskFile::Choice(file) => Ask::Choice(choice(file)?),
    })
}

fn all<F, C>(
    goals: Vec<GoalFile<F>>,
    read: impl Fn(F) -> Result<C, String>,
) -> Result<Vec<Goal<C>>, String> {
    let goal = |file: GoalFile<F>| {
        Ok(Goal {
            condition: read(file.goal)?,
            or_else: file.r#else,
        })
    };
    goals.into_iter().map(goal).collect()
}

fn condition(file: ConditionFile) -> Result<Condition, String> {
    Ok(match file {
        ConditionFile::Wins(ending) => Condition::Wins(match ending {
            Ending::Goal => Termination::Goal,
            Ending::Elimination => Termination::Elimination,
            Ending::Immobilisation => Termination::Immobilised,
        }),
        ConditionFile::Captures(letter) => Condition::Captures(piece(letter)?),
        ConditionFile::LosesNothing => Condition::LosesNothing,
        ConditionFile::Free(text) => Condition::Free(placed(&text)?),
        ConditionFile::Frozen(text) => Condition::Frozen(placed(&text)?),
        ConditionFile::Guards { trap, least } => Condition::Guards {
            trap: parsed(&trap)?,
            least,
        },
        ConditionFile::Pushes(letter) => Condition::Pushes(piece(letter)?),
        ConditionFile::Pulls(letter) => Condition::Pulls(piece(letter)?),
        ConditionFile::StepsAtMost(steps) => Condition::StepsAtMost(steps),
        ConditionFile::NoGoalNext => Condition::NoGoalNext,
        ConditionFile::Safe(letter) => Condition::Safe(piece(letter)?),
        ConditionFile::Threatens(letter) => Condition::Threatens(piece(letter)?),
        ConditionFile::Stuck(text) => Condition::Stuck(placed(&text)?),
        ConditionFile::Board(file) => Condition::Board(board_condition(file)?),
    })
}

fn board_condition(file: BoardFile) -> Result<BoardCondition, String> {
    Ok(match file {
        BoardFile::Stands(text) => {
            let any = text.split_whitespace().map(placed);
            BoardCondition::Stands(any.collect::<Result<_, _>>()?)
        }
        BoardFile::Among {
            pieces,
            squares: text,
            least,
        } => BoardCondition::Among {
            pieces: pieces.chars().map(piece).collect::<Result<_, _>>()?,
            squares: squares(&text)?,
            least,
        },
        BoardFile::Empty(text) => BoardCondition::Empty(squares(&text)?),
    })
}

fn question(file: &QuestionFile) -> Result<Question, String> {
    Ok(match file {
        QuestionFile::Frozen(letter) => Question::Frozen(side(*letter)?),
        QuestionFile::Steps(from) => Question::Steps(parsed(from)?),
        QuestionFile::Pushers(enemy) => Question::Pushers(parsed(enemy)?),
        QuestionFile::PushedTo { by, enemy } => Question::PushedTo {
            by: parsed(by)?,
            enemy: parsed(enemy)?,
        },
        QuestionFile::Pullable(by) => Question::Pullable(parsed(by)?),
        QuestionFile::FallsWithout(guard) => Question::FallsWithout(parsed(guard)?),
        QuestionFile::WeakerThan(square) => Question::WeakerThan(parsed(square)?),
        QuestionFile::Capturable => Question::Capturable,
        QuestionFile::Guards(trap) => Question::Guards(parsed(trap)?),
    })
}

fn choice(file: ChoiceFile) -> Result<Choice, String> {
    let asks = match file.asks {
        FactFile::Outcome => Fact::Outcome,
        FactFile::Legal(turn) => Fact::Legal(parsed(&turn)?),
        FactFile::LeadsTo(rows) => Fact::LeadsTo(board(&rows)?),
    };
    let option = |option: OptionFile| {
        let claim = match (&asks, option.claims.as_str()) {
            (Fact::Outcome, "nobody") => Claim::Winner(None),
            (Fact::Outcome, "g") => Claim::Winner(Some(Side::Gold)),
            (Fact::Outcome, "s") => Claim::Winner(Some(Side::Silver)),
            (Fact::Legal(_), "yes") => Claim::Legal(true),
            (Fact::Legal(_), "no") => Claim::Legal(false),
            (Fact::LeadsTo(_), turn) => Claim::Turn(parsed(turn)?),
            (_, other) => return Err(format!("`{other}` does not answer this question")),
        };
        Ok(Choosable {
            text: option.text,
            claim,
            because: option.because,
        })
    };
    let options = file.options.into_iter().map(option);
    let options = options.collect::<Result<_, String>>()?;
    Ok(Choice { asks, options })
}

fn board(rows: &[String]) -> Result<Board, String> {
    if rows.len() != 8 || rows.iter().any(|row| row.chars().count() != 8) {
        return Err("a board has eight rows of eight squares".to_owned());
    }
    let text = format!("g [{}]", rows.concat());
    parsed::<Position>(&text).map(|position| *position.board())
}

fn side(letter: char) -> Result<Side, String> {
    Side::from_char(letter).ok_or_else(|| format!("`{letter}` is no side"))
}

fn piece(letter: char) -> Result<Piece, String> {
    Piece::from_char(letter).ok_or_else(|| format!("`{letter}` is no piece"))
}

fn placed(text: &str) -> Result<Placed, String> {
    let mut letters = text.chars();
    let letter = letters.next().unwrap_or(' ');
    Ok(Placed {
        piece: piece(letter)?,
        square: parsed(letters.as_str())?,
    })
}

/// `a1 b2`.
fn squares(text: &str) -> Result<Bitboard, String> {
    let mut all = Bitboard::EMPTY;
    for word in text.split_whitespace() {
        all |= parsed::<Square>(word)?.bit();
    }
    Ok(all)
}

fn parsed<T: FromStr<Err: Display>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error| format!("`{text}`: {error}"))
}

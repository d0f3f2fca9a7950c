//! Learn: lessons, tasks, and the judge of what somebody tries.

use axum::Json;
use hathi_rules::{Bitboard, Square};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::{ApiError, ErrorBody};
use crate::extract::{Body, Part};
use crate::lessons::{self, Ask, BadLesson, Lesson, Task, Try};
use crate::read;

impl From<BadLesson> for ApiError {
    fn from(error: BadLesson) -> ApiError {
        ApiError::internal(error.to_string())
    }
}

/// What there is to learn.
#[derive(Serialize, ToSchema)]
pub(crate) struct Lessons {
    /// In the order in which they are best learned.
    lessons: Vec<LessonLine>,
}

/// A lesson in the list.
#[derive(Serialize, ToSchema)]
pub(crate) struct LessonLine {
    id: String,
    title: String,
    /// In a sentence.
    about: String,
    part: lessons::Part,
    /// How many tasks it has.
    tasks: usize,
}

/// A lesson.
#[derive(Serialize, ToSchema)]
pub(crate) struct LessonView {
    id: String,
    title: String,
    about: String,
    part: lessons::Part,
    tasks: Vec<TaskView>,
    /// Is it the last of the basics, or of the strategy?
    last_of_part: bool,
    /// The lesson after it.
    next: Option<String>,
}

/// Something to do.
#[derive(Serialize, ToSchema)]
pub(crate) struct TaskView {
    text: String,
    /// `turn`, `setup`, `squares` or `choice`: what is asked for.
    kind: TaskKind,
    /// `g [64 characters]`.
    position: String,
    /// Turns that led there, if they matter.
    played: Vec<String>,
    /// The answers to choose from, if it is a choice.
    options: Vec<String>,
}

/// What a task asks for.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum TaskKind {
    /// A turn.
    Turn,
    /// An arrangement of the pieces.
    Setup,
    /// Squares.
    Squares,
    /// One of some answers.
    Choice,
}

/// A try, or an answer: what the task asks for, the rest left out.
#[derive(Default, Serialize, Deserialize, ToSchema)]
pub(crate) struct Attempt {
    /// `Ed2n Ed3n`.
    turn: Option<String>,
    /// `Ra1 Rb1 ...`.
    setup: Option<String>,
    squares: Option<Vec<String>>,
    /// The number of an answer, from 0.
    choice: Option<usize>,
}

/// What the rules say to a try.
#[derive(Serialize, ToSchema)]
pub(crate) struct Judged {
    right: bool,
    /// Why, for people.
    words: String,
}

/// The lessons, in order
#[utoipa::path(get, path = "/lessons", tag = "learn", responses((status = 200, body = Lessons), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)))]
pub(crate) async fn list() -> Result<Json<Lessons>, ApiError> {
    let line = |lesson: &Lesson| LessonLine {
        id: lesson.id.clone(),
        title: lesson.title.clone(),
        about: lesson.about.clone(),
        part: lesson.part,
        tasks: lesson.tasks.len(),
    };
    let lessons = lessons::all()?.iter().map(line).collect();
    Ok(Json(Lessons { lessons }))
}

/// A lesson and its tasks
#[utoipa::path(
    get, path = "/lessons/{id}", tag = "learn", params(("id" = String, Path, example = "steps")),
    responses((status = 200, body = LessonView), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn one(Part(id): Part<String>) -> Result<Json<LessonView>, ApiError> {
    let lesson = find(&id)?;
    let all = lessons::all()?;
    let next = all.iter().skip_while(|one| one.id != id).nth(1);
    Ok(Json(LessonView {
        id: lesson.id.clone(),
        title: lesson.title.clone(),
        about: lesson.about.clone(),
        part: lesson.part,
        tasks: lesson.tasks.iter().map(view).collect(),
        last_of_part: next.is_none_or(|next| next.part != lesson.part),
        next: next.map(|lesson| lesson.id.clone()),
    }))
}

fn view(task: &Task) -> TaskView {
    let (kind, options) = match &task.ask {
        Ask::Turn(_) => (TaskKind::Turn, Vec::new()),
        Ask::Setup(..) => (TaskKind::Setup, Vec::new()),
        Ask::Squares(_) => (TaskKind::Squares, Vec::new()),
        Ask::Choice(choice) => {
            let options = choice.options.iter().map(|option| option.text.clone());
            (TaskKind::Choice, options.collect())
        }
    };
    TaskView {
        text: task.text.clone(),
        kind,
        position: task.position().to_string(),
        played: task.played().iter().map(ToString::to_string).collect(),
        options,
    }
}

/// Is this right, and why not?
#[utoipa::path(
    post, path = "/lessons/{id}/{number}/try", tag = "learn", request_body = Attempt,
    params(("id" = String, Path, example = "steps"), ("number" = usize, Path, description = "from 1", example = 1)),
    responses((status = 200, body = Judged), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn attempt(
    Part((id, number)): Part<(String, usize)>,
    Body(body): Body<Attempt>,
) -> Result<Json<Judged>, ApiError> {
    let task = find_task(&id, number)?;
    let verdict = task.judge(&read_attempt(&body)?);
    let verdict = verdict.map_err(|error| ApiError::bad_request(error.to_string()))?;
    Ok(Json(Judged {
        right: verdict.right,
        words: verdict.words,
    }))
}

/// One way to do it
#[utoipa::path(
    get, path = "/lessons/{id}/{number}/answer", tag = "learn",
    params(("id" = String, Path, example = "steps"), ("number" = usize, Path, description = "from 1", example = 1)),
    responses((status = 200, body = Attempt), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn answer(
    Part((id, number)): Part<(String, usize)>,
) -> Result<Json<Attempt>, ApiError> {
    let mut answer = Attempt::default();
    match find_task(&id, number)?.answer() {
        Try::Turn(turn) => answer.turn = Some(turn.to_string()),
        Try::Setup(setup) => answer.setup = Some(setup.to_string()),
        Try::Squares(squares) => {
            answer.squares = Some(squares.iter().map(|one| one.to_string()).collect());
        }
        Try::Choice(number) => answer.choice = Some(*number),
    }
    Ok(Json(answer))
}

fn find(id: &str) -> Result<&'static Lesson, ApiError> {
    let found = lessons::all()?.iter().find(|lesson| lesson.id == id);
    found.ok_or_else(|| ApiError::not_found(format!("there is no lesson called {id}")))
}

fn find_task(id: &str, number: usize) -> Result<&'static Task, ApiError> {
    let lesson = find(id)?;
    let task = number.checked_sub(1).and_then(|i| lesson.tasks.get(i));
    task.ok_or_else(|| {
        let count = lesson.tasks.len();
        ApiError::not_found(format!("the lesson {id} has tasks 1 to {count}"))
    })
}

fn read_attempt(body: &Attempt) -> Result<Try, ApiError> {
    if let Some(turn) = &body.turn {
        return read::turn(turn).map(Try::Turn);
    }
    if let Some(setup) = &body.setup {
        let setup = setup.parse();
        return setup
            .map(Try::Setup)
            .map_err(|error| ApiError::bad_request(format!("the setup cannot be read: {error}")));
    }
    if let Some(names) = &body.squares {
        let mut all = Bitboard::EMPTY;
        for name in names {
            let square: Result<Square, _> = name.parse();
            let square = square.map_err(|error| ApiError::bad_request(error.to_string()))?;
            all |= square.bit();
        }
        return Ok(Try::Squares(all));
    }
    let choice = body.choice.map(Try::Choice);
    choice.ok_or_else(|| ApiError::bad_request("send a turn, a setup, squares or a choice"))
}

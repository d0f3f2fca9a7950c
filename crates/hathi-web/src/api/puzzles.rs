//! Win in two, goal this turn: to be solved.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::State;
use hathi_archive::GameId;
use hathi_engine::{Difficulty, Limits, Solution, Theme, longest_defence, refute, solve, themes};
use hathi_rules::{Outcome, Ply, Position, RuleSet, Termination, Turn};
use hathi_store::{Filter, Memory};
use hathi_view::Solved;
use serde::{Deserialize, Serialize};
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, Schema, SchemaType, Type};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::answer;
use crate::client::{self, Client};
use crate::engines;
use crate::error::{ApiError, ErrorBody};
use crate::extract::{Ask, Body, Part};
use crate::gradings::ToMeasure;
use crate::read;
use crate::state::App;

/// How long the solver tries.
const SOLVE: Duration = Duration::from_secs(10);

/// Goal puzzles looked for in the store at most.
const MOST_GOALS: usize = 2000;

/// Steps a goal must need at least to be a puzzle.
const SHORTEST_GOAL: usize = 3;

/// What is to be found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum PuzzleKind {
    /// A win in two turns.
    #[default]
    Win,
    /// A goal this turn.
    Goal,
}

/// A position to solve.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct PuzzleView {
    /// Such as `win-12-26s`.
    id: String,
    kind: PuzzleKind,
    /// The game it is from, by what it is known by.
    game: String,
    r#move: String,
    position: String,
    /// Who is to win: g or s.
    side: char,
    /// Who played the game.
    players: String,
    /// What the winning turn is about, by the rules.
    #[schema(schema_with = theme_list)]
    themes: Vec<&'static str>,
    /// How hard it is, by the effort of the solver and by first tries; none until it is measured.
    rating: Option<u32>,
    /// Easy, medium or hard by that.
    #[schema(schema_with = level_or_none)]
    level: Option<&'static str>,
    /// First turns that look right.
    plausible: Option<u64>,
    /// Positions the solver needs.
    positions: Option<u64>,
    /// First tries on this server.
    tries: u64,
    /// Of them right, without a hint.
    solved: u64,
    #[serde(skip)]
    solution: Turn,
}

impl PuzzleView {
    fn new(
        kind: PuzzleKind,
        game: GameId,
        label: &str,
        position: &Position,
        solution: Turn,
        players: String,
    ) -> PuzzleView {
        let name = match kind {
            PuzzleKind::Win => "win",
            PuzzleKind::Goal => "goal",
        };
        PuzzleView {
            id: format!("{name}-{game}-{label}"),
            kind,
            game: game.to_string(),
            r#move: label.to_owned(),
            position: position.to_string(),
            side: position.side_to_move().to_char(),
            players,
            themes: (themes(position, &solution).iter())
                .map(|theme| theme.name())
                .collect(),
            rating: None,
            level: None,
            plausible: None,
            positions: None,
            tries: 0,
            solved: 0,
            solution,
        }
    }

    /// With how hard it is, as far as that is known.
    fn graded(mut self, app: &App) -> PuzzleView {
        let grade = app.gradings.of(&self.id, &self.position);
        self.rating = grade.rating();
        self.level = (self.rating).map(|rating| Difficulty::of_rating(rating).name());
        self.plausible = grade.effort.map(|effort| effort.plausible);
        self.positions = grade.effort.map(|effort| effort.positions);
        (self.tries, self.solved) = (grade.tries, grade.solved);
        self
    }

    fn position(&self) -> Result<Position, ApiError> {
        read::position(&self.position)
    }
}

fn names(names: impl IntoIterator<Item = &'static str>) -> ObjectBuilder {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .enum_values(Some(names))
}

fn theme_list() -> Schema {
    let themes = names(Theme::ALL.map(Theme::name));
    ArrayBuilder::new().items(themes).into()
}

fn level_or_none() -> Schema {
    names(Difficulty::ALL.map(Difficulty::name))
        .schema_type(SchemaType::from_iter([Type::String, Type::Null]))
        .into()
}

/// All puzzles of a kind, kept until the store changes.
pub(crate) type Puzzles = Arc<Vec<PuzzleView>>;

fn players(game: &hathi_archive::ArchivedGame) -> String {
    let name = |player: &hathi_archive::Player| match player.name.as_str() {
        "" => "?".to_owned(),
        name => name.to_owned(),
    };
    format!(
        "{} – {}",
        name(&game.players.gold),
        name(&game.players.silver)
    )
}

fn all(store: &dyn Memory, kind: PuzzleKind) -> Result<Puzzles, ApiError> {
    let mut puzzles = Vec::new();
    match kind {
        PuzzleKind::Win => {
            let mut number = 0;
            while let Some((hit, position)) = store.linked_puzzle(number)? {
                number += 1;
                let row = store.row_of(hit.game)?;
                let game = row.map(|row| store.game(row)).transpose()?.flatten();
                let players = game.map_or(String::new(), |game| players(&game.game));
                let id = hit.game;
                puzzles.push(PuzzleView::new(
                    kind, id, &hit.label, &position, hit.turn, players,
                ));
            }
        }
        PuzzleKind::Goal => {
            let won_by_goal = Filter {
                termination: Some(Termination::Goal),
                ..Filter::default()
            };
            store.visit_filtered(&won_by_goal, None, &mut |stored| {
                let game = stored.moves.replay(stored.game.rules());
                if let Ok(game) = game
                    && let [.., before, _] = game.positions()
                    && let Some(goal) = before.can_goal()
                    && goal.steps().len() >= SHORTEST_GOAL
                {
                    let label = Ply::after(game.turns().len().saturating_sub(1))
                        .label()
                        .to_string();
                    let id = stored.game.id;
                    let players = players(&stored.game);
                    puzzles.push(PuzzleView::new(kind, id, &label, before, goal, players));
                }
                if puzzles.len() < MOST_GOALS {
                    ControlFlow::Continue(())
                } else {
                    ControlFlow::Break(())
                }
            })?;
        }
    }
    Ok(Arc::new(puzzles))
}

/// The puzzles of the store as it is now.
async fn known(app: &App, kind: PuzzleKind) -> Result<Puzzles, ApiError> {
    let version = app.pool.version();
    if let Some(puzzles) = app.puzzles.get(kind == PuzzleKind::Goal, version) {
        return Ok(puzzles);
    }
    let puzzles = app.pool.ask(move |store| all(store, kind)).await?;
    let unmeasured = puzzles.iter().map(|puzzle| ToMeasure {
        position: puzzle.position.clone(),
        goal: kind == PuzzleKind::Goal,
    });
    app.gradings.measure(unmeasured.collect(), &app.stop);
    app.puzzles
        .keep(kind == PuzzleKind::Goal, version, puzzles.clone());
    Ok(puzzles)
}

/// Puzzles of both kinds, and the version of the store they are from.
#[derive(Default)]
pub(crate) struct Known(std::sync::Mutex<[Option<(u64, Puzzles)>; 2]>);

impl Known {
    fn get(&self, goal: bool, version: u64) -> Option<Puzzles> {
        let known = crate::pool::lock(&self.0);
        let (at, puzzles) = known[usize::from(goal)].as_ref()?;
        (*at == version).then(|| puzzles.clone())
    }

    fn keep(&self, goal: bool, version: u64, puzzles: Puzzles) {
        crate::pool::lock(&self.0)[usize::from(goal)] = Some((version, puzzles));
    }
}

/// The puzzle of this name.
async fn puzzle(app: &App, id: &str) -> Result<PuzzleView, ApiError> {
    let missing = || ApiError::not_found(format!("there is no puzzle {id:?}"));
    let mut parts = id.splitn(3, '-');
    let kind = match parts.next() {
        Some("win") => PuzzleKind::Win,
        Some("goal") => PuzzleKind::Goal,
        _ => return Err(missing()),
    };
    let puzzles = known(app, kind).await?;
    let found = puzzles.iter().find(|puzzle| puzzle.id == id);
    let found = found.cloned().ok_or_else(missing)?;
    Ok(found.graded(app))
}

/// Which puzzles.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ListParams {
    /// What is to be found.
    #[serde(default)]
    #[param(inline, default = "win")]
    kind: PuzzleKind,
    /// Puzzles to show.
    #[serde(default = "fifty")]
    #[param(default = 50, minimum = 0, maximum = 500)]
    limit: usize,
    /// `next` of the page before.
    #[serde(default)]
    #[param(minimum = 0)]
    after: usize,
}

const fn fifty() -> usize {
    50
}

/// A page of puzzles.
#[derive(Serialize, ToSchema)]
pub(crate) struct PuzzlePage {
    kind: PuzzleKind,
    total: usize,
    puzzles: Vec<PuzzleView>,
    next: Option<usize>,
    /// How many there are of each difficulty, of all pages.
    levels: Vec<PuzzleCount>,
    /// How many there are with each theme.
    themes: Vec<PuzzleCount>,
    /// How many are not measured yet.
    unmeasured: usize,
}

/// Puzzles of a kind.
#[derive(Serialize, ToSchema)]
pub(crate) struct PuzzleCount {
    name: &'static str,
    puzzles: usize,
}

fn count<'a>(
    names: impl IntoIterator<Item = &'static str>,
    puzzles: &'a [PuzzleView],
    fits: impl Fn(&'a PuzzleView, &str) -> bool,
) -> Vec<PuzzleCount> {
    let count = |name| puzzles.iter().filter(|puzzle| fits(puzzle, name)).count();
    names
        .into_iter()
        .map(|name| PuzzleCount {
            name,
            puzzles: count(name),
        })
        .filter(|count| count.puzzles > 0)
        .collect()
}

/// The puzzles of the store
#[utoipa::path(
    get, path = "/puzzles", tag = "puzzles", params(ListParams),
    responses((status = 200, body = PuzzlePage), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn list(
    State(app): State<App>,
    Ask(params): Ask<ListParams>,
) -> Result<Json<PuzzlePage>, ApiError> {
    let limit = answer::limit(params.limit, 500)?;
    let puzzles = known(&app, params.kind).await?;
    let end = params.after.saturating_add(limit);
    let all: Vec<PuzzleView> = (puzzles.iter())
        .map(|puzzle| puzzle.clone().graded(&app))
        .collect();
    Ok(Json(PuzzlePage {
        kind: params.kind,
        total: all.len(),
        next: (end < all.len()).then_some(end),
        levels: count(
            Difficulty::ALL.map(Difficulty::name),
            &all,
            |puzzle, name| puzzle.level == Some(name),
        ),
        themes: count(Theme::ALL.map(Theme::name), &all, |puzzle, name| {
            puzzle.themes.contains(&name)
        }),
        unmeasured: all.iter().filter(|puzzle| puzzle.rating.is_none()).count(),
        puzzles: all.into_iter().skip(params.after).take(limit).collect(),
    }))
}

/// One puzzle
#[utoipa::path(
    get, path = "/puzzles/{id}", tag = "puzzles",
    params(("id" = String, Path, description = "Such as win-12-26s")),
    responses((status = 200, body = PuzzleView), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn one(
    State(app): State<App>,
    Part(id): Part<String>,
) -> Result<Json<PuzzleView>, ApiError> {
    Ok(Json(puzzle(&app, &id).await?))
}

/// What was solved already.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct NextParams {
    /// What is to be found.
    #[serde(default)]
    #[param(inline, default = "win")]
    kind: PuzzleKind,
    /// Puzzles not to be shown again, with commas between them.
    #[serde(default)]
    seen: String,
    /// Only of this difficulty: easy, medium or hard.
    #[param(inline)]
    level: Option<LevelName>,
    /// Only with this theme, such as `pull`.
    theme: Option<String>,
    /// One that is about as hard as this.
    #[param(minimum = 0, maximum = 5000)]
    near: Option<u32>,
}

/// How hard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum LevelName {
    Easy,
    Medium,
    Hard,
}

impl LevelName {
    fn difficulty(self) -> Difficulty {
        match self {
            LevelName::Easy => Difficulty::Easy,
            LevelName::Medium => Difficulty::Medium,
            LevelName::Hard => Difficulty::Hard,
        }
    }
}

/// Of so many puzzles that are closest to what was wished one is drawn.
const CLOSEST: usize = 5;

/// A puzzle by chance that was not seen yet
#[utoipa::path(
    get, path = "/puzzles/next", tag = "puzzles", params(NextParams),
    responses((status = 200, body = PuzzleView), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn next(
    State(app): State<App>,
    Ask(params): Ask<NextParams>,
) -> Result<Json<PuzzleView>, ApiError> {
    let puzzles = known(&app, params.kind).await?;
    let seen: std::collections::HashSet<&str> = params.seen.split(',').collect();
    let fits = |puzzle: &PuzzleView| {
        let level = params.level.map(|level| level.difficulty().name());
        let theme = params.theme.as_deref();
        level.is_none_or(|level| puzzle.level == Some(level))
            && theme.is_none_or(|theme| puzzle.themes.contains(&theme))
    };
    let mut new: Vec<PuzzleView> = puzzles
        .iter()
        .filter(|puzzle| !seen.contains(puzzle.id.as_str()))
        .map(|puzzle| puzzle.clone().graded(&app))
        .filter(fits)
        .collect();
    if let Some(near) = params.near {
        // Those that are not measured yet come last.
        let far = |puzzle: &PuzzleView| puzzle.rating.map_or(u32::MAX, |r| r.abs_diff(near));
        new.sort_by_key(far);
        new.truncate(CLOSEST);
    }
    if new.is_empty() {
        return Err(ApiError::not_found(if puzzles.is_empty() {
            "there are no puzzles in the store: `hathi puzzles --import` or `hathi puzzles --find` \
             adds some"
        } else {
            "you have seen all puzzles of this kind"
        }));
    }
    Ok(Json(new.swap_remove(fastrand::usize(..new.len()))))
}

/// A try.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct TryBody {
    /// The turn.
    #[schema(example = "Ee2n Ee3n")]
    turn: String,
    /// The turns played before it since the puzzle: the first one and the defence, for the second.
    #[serde(default)]
    #[schema(max_items = 2)]
    before: Vec<String>,
    /// Hints that were taken: then it does not count as solved.
    #[serde(default)]
    hints: u32,
}

/// What came of it.
#[derive(Serialize, ToSchema)]
pub(crate) struct Tried {
    legal: bool,
    /// Does it solve the puzzle? None if the solver ran out of time.
    correct: Option<bool>,
    /// Why not.
    reason: Option<String>,
    /// What refutes it; if it is right, the defence that makes the second turn hardest.
    reply: Option<String>,
    position_after: Option<String>,
    /// Is it solved, or is there a second turn to find?
    over: bool,
}

/// Try a turn
#[utoipa::path(
    post, path = "/puzzles/{id}/try", tag = "puzzles", request_body = TryBody,
    params(("id" = String, Path, description = "Such as win-12-26s")),
    responses((status = 200, body = Tried), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn attempt(
    State(app): State<App>,
    client: Client,
    Part(id): Part<String>,
    Body(body): Body<TryBody>,
) -> Result<Json<Tried>, ApiError> {
    let turn = read::turn(&body.turn)?;
    let puzzle = puzzle(&app, &id).await?;
    let mut position = puzzle.position()?;
    let mut kind = puzzle.kind;
    match body.before.as_slice() {
        [] => {}
        [first, defence] if kind == PuzzleKind::Win => {
            for before in [first, defence] {
                let checked = position.check_turn(&read::turn(before)?);
                position = checked
                    .map_err(|error| ApiError::bad_turn(format!("{before}: {error}")))?
                    .1;
            }
            kind = PuzzleKind::Goal;
        }
        _ => {
            return Err(ApiError::bad_request(
                "`before` is the first turn and the defence, or nothing",
            ));
        }
    }
    let is_first = body.before.is_empty();
    let (turn, after) = match position.check_turn(&turn) {
        Ok(checked) => checked,
        Err(reason) => {
            return Ok(Json(Tried {
                legal: false,
                correct: Some(false),
                reason: Some(reason.to_string()),
                reply: None,
                position_after: None,
                over: false,
            }));
        }
    };
    let (correct, reason, reply) = think(&app, SOLVE, move |limits| {
        judge(kind, &position, &turn, &after, limits)
    })
    .await?;
    if is_first && let Some(correct) = correct {
        app.gradings
            .tried(&client.id, &id, correct && body.hints == 0);
    }
    Ok(Json(Tried {
        legal: true,
        correct,
        reason,
        // A reply to a turn that is right is one to be answered.
        over: correct == Some(true) && reply.is_none(),
        reply: reply.map(|reply| reply.to_string()),
        position_after: Some(after.to_string()),
    }))
}

fn judge(
    kind: PuzzleKind,
    position: &Position,
    turn: &Turn,
    after: &Position,
    limits: &Limits,
) -> (Option<bool>, Option<String>, Option<Turn>) {
    let side = position.side_to_move();
    let outcome = Outcome::on_board(after.board(), side, RuleSet::Modern);
    match outcome.map(|outcome| outcome.winner == Some(side)) {
        Some(true) => return (Some(true), None, None),
        Some(false) => return (Some(false), Some("this loses the game".to_owned()), None),
        None if kind == PuzzleKind::Goal => {
            let reason = "this does not win at once".to_owned();
            return (Some(false), Some(reason), None);
        }
        None => {}
    }
    match refute(position, turn, limits) {
        Some(reply) => {
            let reason = format!("{} holds with {reply}", side.opponent().name());
            (Some(false), Some(reason), Some(reply))
        }
        None if limits.is_over() => (None, Some("the solver ran out of time".to_owned()), None),
        None => {
            let defence = longest_defence(position, turn, limits).flatten();
            (Some(true), None, defence.map(|(reply, _)| reply))
        }
    }
}

/// All routes; who tries is known by his cookie.
pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(next))
        .routes(routes!(one))
        .routes(routes!(hint))
        .routes(routes!(solution))
        .routes(routes!(solve_position))
        .merge(
            OpenApiRouter::new()
                .routes(routes!(attempt))
                .layer(axum::middleware::from_fn(client::know)),
        )
}

/// The solver at work.
async fn think<T: Send + 'static>(
    app: &App,
    time: Duration,
    work: impl FnOnce(&Limits) -> T + Send + 'static,
) -> Result<T, ApiError> {
    engines::work(app, time, move |limits| Ok(work(limits))).await
}

/// How much to tell.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct HintParams {
    /// 1 to 3.
    #[serde(default = "one_level")]
    #[param(default = 1, minimum = 1, maximum = 3)]
    level: u32,
}

const fn one_level() -> u32 {
    1
}

/// A hint.
#[derive(Serialize, ToSchema)]
pub(crate) struct HintView {
    level: u32,
    text: String,
    squares: Vec<String>,
}

/// A hint: which piece, where to, the first step
#[utoipa::path(
    get, path = "/puzzles/{id}/hint", tag = "puzzles",
    params(("id" = String, Path, description = "Such as win-12-26s"), HintParams),
    responses((status = 200, body = HintView), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn hint(
    State(app): State<App>,
    Part(id): Part<String>,
    Ask(params): Ask<HintParams>,
) -> Result<Json<HintView>, ApiError> {
    let puzzle = puzzle(&app, &id).await?;
    let turn = puzzle.solution;
    let Some(first) = turn.steps().first() else {
        return Err(ApiError::not_found("this puzzle has no hint"));
    };
    let piece = first.piece();
    let whose = if piece.side() == puzzle.position()?.side_to_move() {
        "your"
    } else {
        "the enemy"
    };
    let role = piece.role().name();
    let from = first.from().to_string();
    let (text, squares) = match params.level {
        1 => (format!("It begins with {whose} {role}."), Vec::new()),
        2 => (
            format!("It begins with {whose} {role} on {from}."),
            vec![from],
        ),
        3 => {
            let to = first.to().map(|to| to.to_string()).unwrap_or_default();
            (
                format!("The first step is {first}: {whose} {role} from {from} to {to}."),
                vec![from, to],
            )
        }
        _ => return Err(ApiError::bad_request("`level` is 1, 2 or 3")),
    };
    Ok(Json(HintView {
        level: params.level,
        text,
        squares,
    }))
}

/// What solves a puzzle.
#[derive(Serialize, ToSchema)]
pub(crate) struct SolutionView {
    id: String,
    kind: PuzzleKind,
    turn: String,
    position_after: Option<String>,
    /// Has the solver proven it?
    proven: bool,
    /// Replies there are.
    replies: Option<usize>,
    /// Some of them, and what wins then.
    defences: Vec<Defence>,
    seconds: f64,
}

/// A reply, and what wins then.
#[derive(Serialize, ToSchema)]
pub(crate) struct Defence {
    reply: String,
    answer: String,
}

/// The solution, with the replies that fail
#[utoipa::path(
    get, path = "/puzzles/{id}/solution", tag = "puzzles",
    params(("id" = String, Path, description = "Such as win-12-26s")),
    responses((status = 200, body = SolutionView), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn solution(
    State(app): State<App>,
    Part(id): Part<String>,
) -> Result<Json<SolutionView>, ApiError> {
    let puzzle = puzzle(&app, &id).await?;
    let position = puzzle.position()?;
    let turns = match puzzle.kind {
        PuzzleKind::Goal => 1,
        PuzzleKind::Win => 2,
    };
    let started = Instant::now();
    let solved = think(&app, SOLVE, move |limits| solve(&position, turns, limits)).await?;
    let (turn, proven, replies, defences) = match solved {
        Solution::WinNow { turn } => (turn, true, None, Vec::new()),
        Solution::WinInTwo {
            turn,
            defences,
            replies,
        } => (turn, true, Some(replies), defences),
        // The table says so; we could not show it.
        _ => (puzzle.solution, false, None, Vec::new()),
    };
    let after = position.check_turn(&turn).ok();
    Ok(Json(SolutionView {
        id: puzzle.id,
        kind: puzzle.kind,
        turn: turn.to_string(),
        position_after: after.map(|(_, after)| after.to_string()),
        proven,
        replies,
        defences: defences
            .iter()
            .map(|(reply, answer)| Defence {
                reply: reply.to_string(),
                answer: answer.to_string(),
            })
            .collect(),
        seconds: started.elapsed().as_secs_f64(),
    }))
}

/// What to solve.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct SolveParams {
    /// `g [64 characters]`.
    #[param(example = "g [rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR]")]
    position: String,
    /// Own turns within which to win: 1 or 2.
    #[serde(default = "two")]
    #[param(default = 2, minimum = 1, maximum = 2)]
    turns: u32,
    /// Seconds to try.
    #[serde(default = "ten")]
    #[param(default = 10.0, minimum = 0.001, maximum = 20.0)]
    seconds: f64,
}

const fn two() -> u32 {
    2
}

const fn ten() -> f64 {
    10.0
}

/// Is there a forced win in at most two turns?
#[utoipa::path(
    get, path = "/solve", tag = "puzzles", params(SolveParams),
    responses((status = 200, body = Solved), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn solve_position(
    State(app): State<App>,
    Ask(params): Ask<SolveParams>,
) -> Result<Json<Solved>, ApiError> {
    let position = read::playable(&params.position)?;
    if !(1..=2).contains(&params.turns) {
        return Err(ApiError::bad_request("`turns` is 1 or 2"));
    }
    if !(0.001..=20.0).contains(&params.seconds) {
        return Err(ApiError::bad_request("`seconds` is 0.001 to 20"));
    }
    let time = Duration::from_secs_f64(params.seconds);
    let started = Instant::now();
    let solution = think(&app, time, move |limits| {
        solve(&position, params.turns, limits)
    })
    .await?;
    let seconds = started.elapsed().as_secs_f64();
    Ok(Json(Solved::new(&solution, seconds)))
}

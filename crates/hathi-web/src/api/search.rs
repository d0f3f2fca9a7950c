//! Any pattern: every position is compared with it.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Instant;

use axum::Json;
use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use hathi_rules::Side;
use hathi_store::{Memory, Pattern, PatternAnswer, PatternHit, PatternQuestion, PlayedAt, Score};
use hathi_view::{GameView, Games, StretchTurn};
use serde::{Deserialize, Serialize};
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{IntoParams, ToSchema};

use super::answer;
use super::games::archive_text;
use crate::asker::Asker;
use crate::cache::Asked;
use crate::error::{ApiError, ErrorBody};
use crate::extract::Ask;
use crate::filter::{FilterParams, MatchParams};
use crate::state::App;
use crate::stream;

/// Games in an exported file at most.
const MOST_EXPORTED: usize = 1000;

/// What to look for.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct SearchParams {
    /// A pattern, see `/pattern/help`.
    #[param(example = "E@near(c6) h@trap(c6) g to move")]
    pattern: String,
    /// Positions to show.
    #[serde(default = "sixty")]
    #[param(default = 60, minimum = 0, maximum = 500)]
    limit: usize,
    /// At most one position of each game.
    #[serde(default)]
    one_per_game: bool,
}

const fn sixty() -> usize {
    60
}

/// Which of the hits.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct AfterParams {
    /// Positions to leave out: those that were shown before.
    #[serde(default)]
    #[param(default = 0, minimum = 0, maximum = 10000)]
    after: usize,
}

/// Positions that are shown of a pattern in all, page by page.
const MOST_SHOWN: usize = 10_000;

/// The question that is meant.
fn question(
    app: &App,
    search: &SearchParams,
    matching: &MatchParams,
    games: &FilterParams,
) -> Result<PatternQuestion, ApiError> {
    Ok(PatternQuestion {
        pattern: pattern(&search.pattern)?,
        matching: matching.matching(),
        filter: matching.filter(games)?,
        limit: answer::limit(search.limit, app.config.limits.search_results)?,
        one_per_game: search.one_per_game,
    })
}

/// The answer, and the milliseconds it took.
fn ask(store: &dyn Memory, question: &PatternQuestion) -> Result<(PatternAnswer, f64), ApiError> {
    answer::check_facts(store, question.pattern.facts_needed())?;
    let started = Instant::now();
    let answer = store.search(question)?;
    Ok((answer, started.elapsed().as_secs_f64() * 1000.0))
}

/// Characters of a pattern: some hundred conditions.
const LONGEST: usize = 4000;

fn pattern(text: &str) -> Result<Pattern, ApiError> {
    if text.len() > LONGEST {
        return Err(ApiError::bad_pattern(format!(
            "a pattern has at most {LONGEST} characters"
        )));
    }
    text.parse()
        .map_err(|error| ApiError::bad_pattern(format!("the pattern cannot be read: {error}")))
}

/// What was found.
#[derive(Serialize, ToSchema)]
pub(crate) struct Found {
    pattern: String,
    /// Positions that match.
    hits: u64,
    /// Games they are from.
    games: u64,
    milliseconds: f64,
    /// The best of them.
    best: Vec<FoundView>,
}

/// A position that was found.
#[derive(Serialize, ToSchema)]
pub(crate) struct FoundView {
    game: GameView,
    r#move: String,
    ply: u32,
    /// Turned so that it fits the pattern as written.
    position: String,
    /// The turn played there, turned likewise.
    turn: String,
    won: bool,
    rating: Option<u16>,
    mirrored: bool,
    flipped: bool,
    /// The whole stretch of the game, if the pattern is about several
    /// positions.
    stretch: Vec<StretchTurn>,
}

impl FoundView {
    fn new(
        hit: &PatternHit,
        question: &PatternQuestion,
        store: &dyn Memory,
        games: &mut Games<'_>,
    ) -> Result<Option<FoundView>, ApiError> {
        let stored = if question.pattern.is_sequence() {
            store.game(hit.game)?
        } else {
            None
        };
        let stretch = stored.map_or_else(Vec::new, |game| StretchTurn::all(hit, &game.moves));
        Ok(games.get(hit.game)?.map(|game| FoundView {
            game: game.clone(),
            r#move: hit.ply.label().to_string(),
            ply: hit.ply.get(),
            position: hit.position.to_string(),
            turn: hit.turn.to_string(),
            won: hit.won,
            rating: hit.rating,
            mirrored: hit.symmetry.mirror,
            flipped: hit.symmetry.flip,
            stretch,
        }))
    }
}

/// Every position that a pattern describes
#[utoipa::path(
    get, path = "/search", tag = "search",
    params(SearchParams, MatchParams, FilterParams),
    responses((status = 200, body = Found), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn search(
    State(app): State<App>,
    Ask(search): Ask<SearchParams>,
    Ask(matching): Ask<MatchParams>,
    Ask(games): Ask<FilterParams>,
) -> Result<Response, ApiError> {
    let question = Arc::new(question(&app, &search, &matching, &games)?);
    let asked = Asked::Search(Arc::clone(&question));
    answer::cached(&app, asked, move |store| {
        let (answer, milliseconds) = ask(store, &question)?;
        let mut games = Games::new(store);
        let mut best = Vec::new();
        for hit in &answer.best {
            best.extend(FoundView::new(hit, &question, store, &mut games)?);
        }
        Ok(Found {
            pattern: question.pattern.to_string(),
            hits: answer.hits,
            games: answer.games,
            milliseconds,
            best,
        })
    })
    .await
}

/// How much was found.
#[derive(Serialize)]
struct Count {
    hits: u64,
    games: u64,
    milliseconds: f64,
}

/// How much was shown.
#[derive(Serialize)]
struct Done {
    shown: usize,
    /// Nothing comes after these.
    last: bool,
    #[serde(flatten)]
    count: Count,
}

/// The same, one by one as events: `count`, `hit`..., `done`
#[utoipa::path(
    get, path = "/search/stream", tag = "search",
    params(SearchParams, AfterParams, MatchParams, FilterParams),
    responses((status = 200, body = String, content_type = "text/event-stream"), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn search_stream(
    State(app): State<App>,
    Ask(search): Ask<SearchParams>,
    Ask(matching): Ask<MatchParams>,
    Ask(games): Ask<FilterParams>,
    Ask(AfterParams { after }): Ask<AfterParams>,
) -> Result<Response, ApiError> {
    let mut question = question(&app, &search, &matching, &games)?;
    if after > MOST_SHOWN {
        return Err(ApiError::bad_request(format!(
            "`after` is at most {MOST_SHOWN}: export what is found"
        )));
    }
    let wanted = question.limit;
    // One more tells whether that was all.
    question.limit = after + wanted + 1;
    let (sender, response) = stream::open(&app)?;
    let work = async move {
        let asked = app.pool.ask(move |store| {
            let (answer, milliseconds) = ask(store, &question)?;
            let count = Count {
                hits: answer.hits,
                games: answer.games,
                milliseconds,
            };
            let mut games = Games::new(store);
            let mut found = Vec::new();
            for hit in answer.best.iter().skip(after).take(wanted) {
                found.extend(FoundView::new(hit, &question, store, &mut games)?);
            }
            let last = answer.best.len() <= after + wanted || after + wanted >= MOST_SHOWN;
            Ok((count, found, last))
        });
        // Sent after the store is free again: a client may read as slowly as
        // it likes.
        let result = match asked.await {
            Err(error) => Err(error),
            Ok((count, found, last)) => {
                let mut sent = sender.send_async("count", &count).await;
                for view in &found {
                    if sent.is_ok() {
                        sent = sender.send_async("hit", view).await;
                    }
                }
                Ok(Done {
                    shown: found.len(),
                    last,
                    count,
                })
            }
        };
        sender.finish_async(result).await;
    };
    tokio::spawn(Asker::current().scope(work));
    Ok(response)
}

/// How often, and with what success.
#[derive(Serialize, ToSchema)]
pub(crate) struct ScoreView {
    count: u64,
    /// How often whoever played it won.
    wins: u64,
    win_rate: f64,
}

impl From<Score> for ScoreView {
    fn from(score: Score) -> ScoreView {
        ScoreView {
            count: score.count,
            wins: score.wins,
            win_rate: hathi_view::numbers::rounded(score.win_rate(), 4),
        }
    }
}

/// A turn or a step that was played where the pattern holds.
#[derive(Serialize, ToSchema)]
pub(crate) struct PlayedThere {
    /// In notation, on the board of the pattern.
    what: String,
    /// Whose.
    #[schema(schema_with = side_names)]
    side: char,
    score: ScoreView,
}

impl PlayedThere {
    fn of<T: ToString>(at: &PlayedAt<T>) -> PlayedThere {
        PlayedThere {
            what: at.what.to_string(),
            side: at.side.to_char(),
            score: at.score.into(),
        }
    }
}

fn side_names() -> Schema {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .enum_values(Some(["g", "s"]))
        .into()
}

/// What was played in all positions with a pattern.
#[derive(Serialize, ToSchema)]
pub(crate) struct PatternPlayView {
    /// There are more than 200,000 positions: nothing is counted.
    too_many: bool,
    /// With Gold to move, on the board of the pattern.
    gold: ScoreView,
    /// With Silver to move.
    silver: ScoreView,
    /// Whole turns, in whatever order of steps, most played first.
    turns: Vec<PlayedThere>,
    /// Steps as parts of turns, most played first.
    steps: Vec<PlayedThere>,
}

/// What was played in all positions that a pattern describes, and how it scored
#[utoipa::path(
    get, path = "/search/played", tag = "search",
    params(SearchParams, MatchParams, FilterParams),
    responses((status = 200, body = PatternPlayView), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn played(
    State(app): State<App>,
    uri: Uri,
    Ask(search): Ask<SearchParams>,
    Ask(matching): Ask<MatchParams>,
    Ask(games): Ask<FilterParams>,
) -> Result<Response, ApiError> {
    let question = question(&app, &search, &matching, &games)?;
    answer::cached(&app, &uri, move |store| {
        let played = store.played_at(&question)?;
        let too_many = played.is_none();
        let played = played.unwrap_or_default();
        Ok(PatternPlayView {
            too_many,
            gold: played.to_move[Side::Gold].into(),
            silver: played.to_move[Side::Silver].into(),
            turns: played.turns.iter().map(PlayedThere::of).collect(),
            steps: played.steps.iter().map(PlayedThere::of).collect(),
        })
    })
    .await
}

/// The games in which a pattern was found, as an archive file
#[utoipa::path(
    get, path = "/search/export", tag = "search",
    params(SearchParams, MatchParams, FilterParams),
    responses((status = 200, body = String, content_type = "text/plain"), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn export(
    State(app): State<App>,
    Ask(search): Ask<SearchParams>,
    Ask(matching): Ask<MatchParams>,
    Ask(games): Ask<FilterParams>,
) -> Result<Response, ApiError> {
    let mut question = question(&app, &search, &matching, &games)?;
    question.limit = MOST_EXPORTED;
    question.one_per_game = true;
    let text = app
        .pool
        .ask(move |store| {
            let (answer, _) = ask(store, &question)?;
            let mut seen = HashSet::new();
            let mut games = Vec::new();
            for hit in &answer.best {
                if seen.insert(hit.game) {
                    games.extend(store.game(hit.game)?);
                }
            }
            archive_text(games.into_iter())
        })
        .await?;
    Ok(answer::attachment("found.txt", text))
}

/// A pattern alone.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct PatternParams {
    /// The pattern.
    #[param(example = "Ed5 hc6 g to move")]
    pattern: String,
}

/// Whether a pattern can be understood.
#[derive(Serialize, ToSchema)]
pub(crate) struct PatternView {
    ok: bool,
    /// As it is understood.
    pattern: Option<String>,
    error: Option<String>,
}

/// Can a pattern be understood, and how?
#[utoipa::path(
    get, path = "/pattern", tag = "search", params(PatternParams),
    responses((status = 200, body = PatternView), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn check_pattern(Ask(params): Ask<PatternParams>) -> Json<PatternView> {
    Json(match pattern(&params.pattern) {
        Ok(pattern) => PatternView {
            ok: true,
            pattern: Some(pattern.to_string()),
            error: None,
        },
        Err(error) => PatternView {
            ok: false,
            pattern: None,
            error: Some(error.message),
        },
    })
}

/// Text for people.
#[derive(Serialize, ToSchema)]
pub(crate) struct Help {
    text: &'static str,
}

/// The pattern language
#[utoipa::path(get, path = "/pattern/help", tag = "search", responses((status = 200, body = Help), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)))]
pub(crate) async fn pattern_help() -> Json<Help> {
    Json(Help {
        text: hathi_store::pattern::HELP,
    })
}

//! Games against engines.

use std::collections::HashMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::middleware::from_fn;
use axum::response::Response;
use hathi_engine::{Choice, EngineKind, EngineSpec};
use hathi_rules::{Game, Setup, Side};
use hathi_store::{Kind, Memory, PositionQuestion};
use hathi_view::{MoveView, OutcomeView, moves, start};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::setups::setup;
use super::think::ThoughtView;
use crate::client::{Client, know};
use crate::engines::{self, Purpose};
use crate::error::{ApiError, ErrorBody};
use crate::extract::{Ask, Body, Part};
use crate::filter::SideParam;
use crate::plays::{Explained, Phase, Play, PlayState, Terms};
use crate::read;
use crate::state::App;
use crate::stream;

/// For a hint of the engine.
const HINT_TIME: std::time::Duration = std::time::Duration::from_secs(2);

/// Hits looked at for a hint.
const HINT_HITS: usize = 200;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list, create))
        .routes(routes!(one, delete))
        .routes(routes!(events))
        .routes(routes!(set_up))
        .routes(routes!(play))
        .routes(routes!(take_back))
        .routes(routes!(resign))
        .routes(routes!(hint))
        .layer(from_fn(know))
}

/// What is agreed before a game.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct NewPlay {
    /// NAME or NAME:OPTION=VALUE,...
    #[serde(default = "usual_engine")]
    #[schema(example = "greedy")]
    engine: String,
    /// The person's side.
    #[serde(default = "gold")]
    side: SideParam,
    /// For a turn of the engine.
    #[schema(minimum = 0.001, maximum = 60.0, example = 0.1)]
    seconds: Option<f64>,
    /// A clock for both, such as `15s/1`.
    #[schema(example = "15s/1")]
    control: Option<String>,
    /// Where it begins, if not with setups.
    position: Option<String>,
    /// The setups it begins with, Gold's and Silver's: an opening once more.
    #[schema(max_items = 2)]
    #[serde(default)]
    setups: Vec<String>,
    /// What you are called.
    #[schema(max_length = 60)]
    name: Option<String>,
    /// Does the game go to the memory when it is over?
    #[serde(default)]
    remember: bool,
}

fn usual_engine() -> String {
    hathi_engine::EngineKind::USUAL.name().to_owned()
}

const fn gold() -> SideParam {
    SideParam::Gold
}

/// A game against an engine.
#[derive(Serialize, ToSchema)]
pub(crate) struct PlayView {
    id: String,
    engine: String,
    /// What people call the engine.
    opponent: String,
    /// The person's side.
    side: char,
    name: String,
    /// `yours`, `thinking`, `over`, or `failed` if the engine broke down.
    state: &'static str,
    /// Whose decision is next.
    to_move: char,
    /// The board; none before Gold has set up.
    position: Option<String>,
    must_set_up: bool,
    /// The move that is next, such as `12g`.
    label: String,
    moves: Vec<MoveView>,
    start: Option<String>,
    /// Does it begin with setups?
    from_setup: bool,
    /// Does it go to the memory when it is over?
    remember: bool,
    /// For a turn of the engine, without a clock.
    seconds: f64,
    clock: Option<ClockView>,
    outcome: Option<OutcomeView>,
    /// Why the engine moved as it did.
    explained: Vec<Explained>,
    thought: Option<ThoughtView>,
    /// What it is known by in the store, when it is over and kept there.
    game: Option<String>,
    error: Option<String>,
}

/// The clock of a game.
#[derive(Serialize, ToSchema)]
pub(crate) struct ClockView {
    control: String,
    /// Seconds left now.
    gold: Option<f64>,
    silver: Option<f64>,
    /// Whose clock runs.
    running: Option<char>,
}

impl PlayView {
    fn new(play: &Play, state: &PlayState, with_moves: bool) -> PlayView {
        let game = state.game();
        let outcome = state.timed.outcome();
        let to_move = game.side_to_move();
        let set_up = game.must_set_up() != Some(Side::Gold);
        PlayView {
            id: play.id.clone(),
            engine: play.terms.engine.clone(),
            opponent: opponent(&play.terms.engine),
            side: play.terms.side,
            name: play.terms.name.clone(),
            state: match state.phase {
                Phase::Yours => "yours",
                Phase::Thinking => "thinking",
                Phase::Over => "over",
                Phase::Failed => "failed",
            },
            to_move: to_move.to_char(),
            position: set_up.then(|| game.position().to_string()),
            must_set_up: game.must_set_up().is_some(),
            label: game.next_label().to_string(),
            moves: if with_moves {
                moves(game, &HashMap::new())
            } else {
                Vec::new()
            },
            start: start(game),
            from_setup: play.terms.position.is_none(),
            remember: play.terms.remember,
            seconds: play.terms.seconds,
            clock: state.timed.clock().map(|clock| ClockView {
                control: clock.control().to_string(),
                gold: state.left(Side::Gold),
                silver: state.left(Side::Silver),
                running: outcome.is_none().then(|| to_move.to_char()),
            }),
            outcome: outcome.map(Into::into),
            explained: if with_moves {
                state.explained.clone()
            } else {
                Vec::new()
            },
            thought: state.thought.clone(),
            game: state.stored.map(|id| id.to_string()),
            error: state.error.clone(),
        }
    }

    fn of(play: &Play) -> PlayView {
        play.look(|state| PlayView::new(play, state, true))
    }
}

/// What people call an engine.
fn opponent(engine: &str) -> String {
    match EngineSpec::for_anybody(engine).map(|spec| spec.kind) {
        Ok(EngineKind::Level(level)) => format!("level {} ({})", level.number(), level.name()),
        _ => engine.to_owned(),
    }
}

/// The games of a client.
#[derive(Serialize, ToSchema)]
pub(crate) struct PlayList {
    plays: Vec<PlayView>,
    /// On all pages.
    total: usize,
}

/// Games or tournaments on a page at most.
const MOST: usize = 200;

/// Which page of a list.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ListParams {
    /// How many.
    #[serde(default = "fifty")]
    #[param(default = 50, minimum = 0, maximum = 200)]
    limit: usize,
    /// How many to leave out first.
    #[serde(default)]
    #[param(default = 0, minimum = 0)]
    offset: usize,
}

const fn fifty() -> usize {
    50
}

impl ListParams {
    /// This page of a list.
    pub(super) fn page<T>(&self, all: Vec<T>) -> Result<impl Iterator<Item = T>, ApiError> {
        let limit = super::answer::limit(self.limit, MOST)?;
        Ok(all.into_iter().skip(self.offset).take(limit))
    }
}

/// Your games against engines, newest first
#[utoipa::path(get, path = "/plays", tag = "play", params(ListParams), responses((status = 200, body = PlayList), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)))]
pub(crate) async fn list(
    State(app): State<App>,
    client: Client,
    Ask(page): Ask<ListParams>,
) -> Result<Json<PlayList>, ApiError> {
    let plays = app.plays.of(&client.id);
    let view = |play: Arc<Play>| play.look(|state| PlayView::new(&play, state, false));
    Ok(Json(PlayList {
        total: plays.len(),
        plays: page.page(plays)?.map(view).collect(),
    }))
}

/// Begin a game against an engine
#[utoipa::path(
    post, path = "/plays", tag = "play", request_body = NewPlay,
    responses((status = 201, body = PlayView), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn create(
    State(app): State<App>,
    client: Client,
    Body(new): Body<NewPlay>,
) -> Result<(StatusCode, Json<PlayView>), ApiError> {
    let spec = engines::read(&app, &new.engine, Purpose::Play)?;
    if new.seconds.is_some() && new.control.is_some() {
        return Err(ApiError::bad_request(
            "give either `seconds` for the engine or `control` for both",
        ));
    }
    let seconds = engines::seconds(&app, new.seconds.unwrap_or(2.0))?;
    let name = new.name.unwrap_or_default();
    let name: String = name
        .chars()
        .filter(|c| !c.is_control())
        .take(60)
        .collect::<String>()
        .trim()
        .to_owned();
    // What is kept is how we write it, not whatever could be read.
    let control = new.control.as_deref().map(read::control).transpose()?;
    let position = new.position.as_deref().map(read::playable).transpose()?;
    let terms = Terms {
        engine: spec.to_string(),
        side: Side::from(new.side).to_char(),
        seconds: seconds.as_secs_f64(),
        control: control.map(|control| control.to_string()),
        position: position.map(|position| position.to_string()),
        name: if name.is_empty() {
            "you".to_owned()
        } else {
            name
        },
        seed: fastrand::u64(..),
        remember: new.remember,
    };
    let setups: Vec<Setup> = (new.setups.iter())
        .map(|text| setup(text))
        .collect::<Result<_, _>>()?;
    if !setups.is_empty() && terms.position.is_some() {
        return Err(ApiError::bad_request(
            "give either a `position` or `setups` to begin with",
        ));
    }
    let play = app.plays.add(&app, &client, terms, &setups)?;
    play.clone().begin(&app);
    Ok((StatusCode::CREATED, Json(PlayView::of(&play))))
}

/// One game
#[utoipa::path(
    get, path = "/plays/{id}", tag = "play", params(("id" = String, Path)),
    responses((status = 200, body = PlayView), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn one(
    State(app): State<App>,
    Part(id): Part<String>,
) -> Result<Json<PlayView>, ApiError> {
    let play = app.plays.get(&id)?;
    play.watch();
    Ok(Json(PlayView::of(&play)))
}

/// The game, if it is this client's.
fn own(app: &App, client: &Client, id: &str) -> Result<Arc<Play>, ApiError> {
    let play = app.plays.get(id)?;
    if play.client == client.id {
        Ok(play)
    } else {
        Err(ApiError::foreign("this game is played in another browser"))
    }
}

/// Give up a game, and forget it
#[utoipa::path(
    delete, path = "/plays/{id}", tag = "play", params(("id" = String, Path)),
    responses((status = 204), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn delete(
    State(app): State<App>,
    client: Client,
    Part(id): Part<String>,
) -> Result<StatusCode, ApiError> {
    own(&app, &client, &id)?;
    app.plays.remove(&id);
    Ok(StatusCode::NO_CONTENT)
}

/// The game as it goes on: events `play`, `thought`, `done` when it is over
#[utoipa::path(
    get, path = "/plays/{id}/events", tag = "play", params(("id" = String, Path)),
    responses((status = 200, body = String, content_type = "text/event-stream"), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn events(
    State(app): State<App>,
    Part(id): Part<String>,
) -> Result<Response, ApiError> {
    let play = app.plays.get(&id)?;
    let (sender, response) = stream::open(&app)?;
    tokio::spawn(async move {
        let mut changes = play.changes();
        let mut thoughts = play.thoughts();
        loop {
            changes.mark_unchanged();
            let view = PlayView::of(&play);
            // Over and stored, or never to be.
            let over = view.state == "over";
            if sender.send_async("play", &view).await.is_err() {
                return;
            }
            if over && (view.game.is_some() || view.error.is_some() || !view.from_setup) {
                sender.finish_async(Ok(serde_json::json!({}))).await;
                return;
            }
            loop {
                tokio::select! {
                    changed = changes.changed() => {
                        if changed.is_err() {
                            return;
                        }
                        break;
                    }
                    thought = thoughts.recv() => {
                        if let Ok(thought) = thought {
                            sender.offer("thought", &thought);
                        }
                    }
                    () = sender.closed() => return,
                    // A game over without a turn is never stored.
                    () = tokio::time::sleep(std::time::Duration::from_secs(2)), if over => {
                        sender.finish_async(Ok(serde_json::json!({}))).await;
                        return;
                    }
                }
            }
        }
    });
    Ok(response)
}

/// A setup.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct SetupBody {
    #[schema(example = "Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2")]
    setup: String,
}

/// Set up
#[utoipa::path(
    post, path = "/plays/{id}/setup", tag = "play", params(("id" = String, Path)), request_body = SetupBody,
    responses((status = 200, body = PlayView), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn set_up(
    State(app): State<App>,
    client: Client,
    Part(id): Part<String>,
    Body(body): Body<SetupBody>,
) -> Result<Json<PlayView>, ApiError> {
    let play = own(&app, &client, &id)?;
    play.set_up(&app, setup(&body.setup)?).await?;
    Ok(Json(PlayView::of(&play)))
}

/// A turn.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct TurnBody {
    #[schema(example = "Ee2n Ee3n")]
    turn: String,
}

/// Move
#[utoipa::path(
    post, path = "/plays/{id}/turn", tag = "play", params(("id" = String, Path)), request_body = TurnBody,
    responses((status = 200, body = PlayView), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn play(
    State(app): State<App>,
    client: Client,
    Part(id): Part<String>,
    Body(body): Body<TurnBody>,
) -> Result<Json<PlayView>, ApiError> {
    let play = own(&app, &client, &id)?;
    play.play(&app, read::turn(&body.turn)?).await?;
    Ok(Json(PlayView::of(&play)))
}

/// Take your last decision back, and the engine's answer with it
#[utoipa::path(
    post, path = "/plays/{id}/takeback", tag = "play", params(("id" = String, Path)),
    responses((status = 200, body = PlayView), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn take_back(
    State(app): State<App>,
    client: Client,
    Part(id): Part<String>,
) -> Result<Json<PlayView>, ApiError> {
    let play = own(&app, &client, &id)?;
    play.take_back(&app)?;
    Ok(Json(PlayView::of(&play)))
}

/// Give up
#[utoipa::path(
    post, path = "/plays/{id}/resign", tag = "play", params(("id" = String, Path)),
    responses((status = 200, body = PlayView), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn resign(
    State(app): State<App>,
    client: Client,
    Part(id): Part<String>,
) -> Result<Json<PlayView>, ApiError> {
    let play = own(&app, &client, &id)?;
    play.resign(&app).await?;
    Ok(Json(PlayView::of(&play)))
}

/// Advice.
#[derive(Serialize, ToSchema)]
pub(crate) struct Advice {
    turn: Option<String>,
    setup: Option<String>,
    /// `memory` or `engine`.
    from: &'static str,
    reasons: Vec<String>,
    position_after: Option<String>,
}

/// A hint: what was played here before, else what an engine would do
#[utoipa::path(
    post, path = "/plays/{id}/hint", tag = "play", params(("id" = String, Path)),
    responses((status = 200, body = Advice), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn hint(
    State(app): State<App>,
    client: Client,
    Part(id): Part<String>,
) -> Result<Json<Advice>, ApiError> {
    let play = own(&app, &client, &id)?;
    let (phase, game) = play.look(|state| (state.phase, state.game().clone()));
    if phase != Phase::Yours {
        return Err(ApiError::conflict("it is not your turn"));
    }
    let asked = game.clone();
    let remembered = app.pool.ask(move |store| remembered(store, &asked)).await?;
    if let Some(advice) = remembered {
        return Ok(Json(advice));
    }
    let spec = engines::spec(&app, "hathi:hash=16", Purpose::Question)?;
    engines::work(&app, HINT_TIME, move |limits| {
        let unable = |error: hathi_engine::EngineError| ApiError::conflict(error.to_string());
        let mut engine = spec.build().map_err(unable)?;
        engine.new_game(1);
        let decision = engine.decide(&game, limits, &mut |_| {}).map_err(unable)?;
        let (turn, setup) = match decision.choice {
            Choice::Play(turn) => (Some(turn), None),
            Choice::SetUp(setup) => (None, Some(setup)),
        };
        let after = turn.and_then(|turn| game.position().check_turn(&turn).ok());
        Ok(Json(Advice {
            turn: turn.map(|turn| turn.to_string()),
            setup: setup.map(|setup| setup.to_string()),
            from: "engine",
            reasons: decision.reasons,
            position_after: after.map(|(_, after)| after.to_string()),
        }))
    })
    .await
}

/// What games of the store did here, if it worked.
fn remembered(store: &dyn Memory, game: &Game) -> Result<Option<Advice>, ApiError> {
    if let Some(side) = game.must_set_up() {
        let gold = game.setups().0;
        let setups = store.setups(side, gold, false, &hathi_store::Filter::default(), 1)?;
        return Ok(setups.top.first().map(|stats| Advice {
            turn: None,
            setup: Some(stats.setup.to_string()),
            from: "memory",
            reasons: vec![format!(
                "{} of {} games of the memory begin so; {} of them were won.",
                stats.games, setups.games, stats.wins
            )],
            position_after: None,
        }));
    }
    let position = game.position();
    for (kind, what) in [
        (Kind::Full, "this position"),
        (Kind::Half, "the middle of the board"),
    ] {
        let answer = store.find(&PositionQuestion::new(position, kind).best_hits(HINT_HITS))?;
        let known = answer
            .turns
            .iter()
            .filter(|stats| {
                stats.wins * 2 >= stats.count && !game.is_third_repetition(&stats.after)
            })
            .max_by_key(|stats| (stats.wins, stats.count));
        if let Some(stats) = known {
            let mut reasons = vec![format!(
                "The memory knows {what}: this was played {} {}, and {} of those games were won.",
                stats.count,
                if stats.count == 1 { "time" } else { "times" },
                stats.wins
            )];
            if let Some(rating) = stats.rating {
                reasons.push(format!(
                    "Those who played it are rated {rating:.0} on average."
                ));
            }
            return Ok(Some(Advice {
                turn: Some(stats.turn.to_string()),
                setup: None,
                from: "memory",
                reasons,
                position_after: Some(stats.after.to_string()),
            }));
        }
    }
    Ok(None)
}

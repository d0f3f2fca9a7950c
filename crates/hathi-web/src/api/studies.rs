//! Studies: games and positions with comments and variations.

use axum::Json;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::StatusCode;
use axum::response::Response;
use hathi_archive::{plain, unix_time};
use hathi_rules::Game;
use hathi_view::{StudyNote, StudyView};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::answer;
use super::pictures::{self, Format, GifParams, PictureParams};
use crate::error::{ApiError, ErrorBody};
use crate::extract::{Ask, Body, Part};
use crate::pool::blocking;
use crate::read;
use crate::secret;
use crate::state::App;

/// Studies in a list.
const MOST: u64 = 200;

/// Studies that are kept at most: who wants more takes some away.
const ROOM: u64 = 10_000;

/// Routes that take long texts.
pub(super) fn routes(most: usize) -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list, create))
        .routes(routes!(one, change, remove))
        .routes(routes!(text))
        .routes(routes!(board))
        .routes(routes!(film))
        .layer(DefaultBodyLimit::max(most))
}

/// A study to be kept.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct StudyBody {
    #[schema(example = "How to lose a camel", max_length = 200)]
    title: String,
    /// A move list, a row of an archive, or a position.
    text: String,
    /// Comments and variations.
    #[serde(default)]
    notes: Vec<StudyNote>,
}

/// A study in a list.
#[derive(Serialize, ToSchema)]
pub(crate) struct ListedStudy {
    id: String,
    title: String,
    /// Seconds since 1970.
    changed: i64,
}

/// The studies there are.
#[derive(Serialize, ToSchema)]
pub(crate) struct StudyList {
    studies: Vec<ListedStudy>,
}

/// The studies there are, the last changed first
#[utoipa::path(get, path = "/studies", tag = "review", responses((status = 200, body = StudyList), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)))]
pub(crate) async fn list(State(app): State<App>) -> Result<Json<StudyList>, ApiError> {
    let studies = app.pool.ask(|store| Ok(store.studies(MOST)?)).await?;
    let listed = studies.into_iter().map(|study| ListedStudy {
        id: study.id,
        title: study.title,
        changed: study.changed,
    });
    Ok(Json(StudyList {
        studies: listed.collect(),
    }))
}

/// Keep a study
#[utoipa::path(
    post, path = "/studies", tag = "review", request_body = StudyBody,
    responses((status = 201, body = StudyView), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn create(
    State(app): State<App>,
    Body(body): Body<StudyBody>,
) -> Result<(StatusCode, Json<StudyView>), ApiError> {
    let kept = app.pool.ask(|store| Ok(store.studies(ROOM)?.len())).await?;
    if kept as u64 >= ROOM {
        return Err(ApiError::too_many(
            "too many studies are kept: take some away",
        ));
    }
    let study = keep(&app, secret::new()?, body).await?;
    Ok((StatusCode::CREATED, Json(study)))
}

/// Change a study
#[utoipa::path(
    put, path = "/studies/{id}", tag = "review", params(("id" = String, Path)), request_body = StudyBody,
    responses((status = 200, body = StudyView), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn change(
    State(app): State<App>,
    Part(id): Part<String>,
    Body(body): Body<StudyBody>,
) -> Result<Json<StudyView>, ApiError> {
    find(&app, id.clone()).await?;
    Ok(Json(keep(&app, id, body).await?))
}

/// Checks a study and writes it down.
async fn keep(app: &App, id: String, body: StudyBody) -> Result<StudyView, ApiError> {
    let study = app
        .errand(move || {
            let pasted = read::game(&body.text)?;
            let game = &pasted.game;
            let text = match game.setups() {
                (Some(_), _) => plain::notation(&pasted.about, game, pasted.fault.as_deref()),
                _ => game.position().to_string(),
            };
            StudyView::new(id, &body.title, unix_time(), text, game, body.notes)
                .map_err(|error| ApiError::bad_request(error.to_string()))
        })
        .await?;
    let (pool, kept) = (app.pool.clone(), study.kept());
    blocking(move || Ok(pool.note(|store| store.keep_study(&kept))?)).await?;
    Ok(study)
}

async fn find(app: &App, id: String) -> Result<StudyView, ApiError> {
    let kept = app.pool.ask(move |store| Ok(store.study(&id)?)).await?;
    kept.and_then(StudyView::read)
        .ok_or_else(|| ApiError::not_found("there is no such study"))
}

/// One study
#[utoipa::path(
    get, path = "/studies/{id}", tag = "review", params(("id" = String, Path)),
    responses((status = 200, body = StudyView), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn one(
    State(app): State<App>,
    Part(id): Part<String>,
) -> Result<Json<StudyView>, ApiError> {
    Ok(Json(find(&app, id).await?))
}

/// Take a study away
#[utoipa::path(
    delete, path = "/studies/{id}", tag = "review", params(("id" = String, Path)),
    responses((status = 204), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn remove(
    State(app): State<App>,
    Part(id): Part<String>,
) -> Result<StatusCode, ApiError> {
    let pool = app.pool.clone();
    let removed = blocking(move || Ok(pool.note(|store| store.remove_study(&id))?)).await?;
    if removed {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(ApiError::not_found("there is no such study"))
    }
}

/// A study as a move list with comments
#[utoipa::path(
    get, path = "/studies/{id}/study.txt", tag = "review", params(("id" = String, Path)),
    responses((status = 200, body = String, content_type = "text/plain"), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn text(
    State(app): State<App>,
    Part(id): Part<String>,
) -> Result<Response, ApiError> {
    let study = find(&app, id).await?;
    let text = app
        .errand(move || {
            let game: Game = read::game(&study.text)?.game;
            Ok(study.annotated(&game))
        })
        .await?;
    Ok(answer::attachment("study.txt", text))
}

/// Which variation of a study.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct VariationParams {
    /// The number of a variation, from 1, in the order of the notes; the game itself if left out.
    #[param(minimum = 1)]
    variation: Option<usize>,
}

/// Which position of it.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct StudyPlyParams {
    /// Turns of the game or of the variation before it; the last position if left out.
    ply: Option<usize>,
}

/// What a picture of a study shows.
async fn shown(app: &App, id: String, variation: Option<usize>) -> Result<Game, ApiError> {
    let study = find(app, id).await?;
    app.errand(move || {
        let game = read::game(&study.text)?.game;
        study
            .shown(&game, variation)
            .map_err(|error| ApiError::not_found(error.to_string()))
    })
    .await
}

/// A position of a study as PNG
#[utoipa::path(
    get, path = "/studies/{id}/board.png", tag = "review", params(("id" = String, Path), VariationParams, StudyPlyParams, PictureParams),
    responses((status = 200, body = [u8], content_type = "image/png"), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn board(
    State(app): State<App>,
    Part(id): Part<String>,
    Ask(which): Ask<VariationParams>,
    Ask(at): Ask<StudyPlyParams>,
    Ask(how): Ask<PictureParams>,
) -> Result<Response, ApiError> {
    let how = how.check()?;
    let game = shown(&app, id, which.variation).await?;
    app.errand(move || pictures::game_picture(&game, at.ply, how, Format::Png))
        .await
}

/// A study, or one of its variations, as a moving GIF
#[utoipa::path(
    get, path = "/studies/{id}/study.gif", tag = "review", params(("id" = String, Path), VariationParams, GifParams),
    responses((status = 200, body = [u8], content_type = "image/gif"), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn film(
    State(app): State<App>,
    Part(id): Part<String>,
    Ask(which): Ask<VariationParams>,
    Ask(how): Ask<GifParams>,
) -> Result<Response, ApiError> {
    let game = shown(&app, id, which.variation).await?;
    pictures::gif(&app, game, &how).await
}

//! Boards and games as pictures.

use std::time::Duration;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use hathi_archive::GameId;
use hathi_rules::Game;
use hathi_view::StudyNote;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use super::games::{replayed, stored};
use crate::draw::{self, Drawing, Film, SIZES};
use crate::engines;
use crate::error::{ApiError, ErrorBody};
use crate::extract::{Ask, Body, GameName, Part};
use crate::filter::SideParam;
use crate::pictures::touched;
use crate::read;
use crate::state::App;

/// Moving pictures are not larger than this.
const LARGEST_GIF: u32 = 800;

/// How to draw.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct PictureParams {
    /// Width and height in pixels.
    #[serde(default = "size")]
    #[param(default = 480, minimum = 64, maximum = 1600)]
    size: u32,
    /// Who sits at the bottom.
    #[serde(default = "gold")]
    #[param(inline, default = "g")]
    side: SideParam,
    /// Letters and numbers along two edges.
    #[serde(default)]
    #[param(default = false)]
    coordinates: bool,
}

const fn size() -> u32 {
    480
}

const fn gold() -> SideParam {
    SideParam::Gold
}

impl PictureParams {
    pub(super) fn check(self) -> Result<PictureParams, ApiError> {
        if SIZES.contains(&self.size) {
            Ok(self)
        } else {
            let (low, high) = (SIZES.start(), SIZES.end());
            Err(ApiError::bad_request(format!("`size` is {low} to {high}")))
        }
    }
}

/// Which position of a game.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct PlyParams {
    /// Turns before it; the last position if left out.
    ply: Option<usize>,
}

/// Any position.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct BoardParams {
    /// `g [64 characters]`.
    #[param(example = "g [rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR]")]
    position: String,
    /// A turn to draw as arrows.
    turn: Option<String>,
}

#[derive(Clone, Copy)]
pub(super) enum Format {
    Svg,
    Png,
}

fn draw(drawing: &Drawing<'_>, format: Format) -> Result<Response, ApiError> {
    Ok(match format {
        Format::Svg => image("image/svg+xml", draw::svg(drawing).into_bytes()),
        Format::Png => image("image/png", draw::png(drawing)?),
    })
}

pub(super) fn image(kind: &'static str, bytes: Vec<u8>) -> Response {
    // A picture that is opened by itself runs nothing and loads nothing.
    let policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
    (
        [
            (header::CONTENT_TYPE, kind),
            (header::CONTENT_SECURITY_POLICY, policy),
        ],
        bytes,
    )
        .into_response()
}

async fn board(
    app: &App,
    board: BoardParams,
    how: PictureParams,
    format: Format,
) -> Result<Response, ApiError> {
    let how = how.check()?;
    let position = read::position(&board.position)?;
    let turn = board.turn.as_deref().map(read::turn).transpose()?;
    app.errand(move || {
        let drawing = Drawing {
            board: position.board(),
            bottom: how.side.into(),
            turn: turn.as_ref(),
            marked: &[],
            coordinates: how.coordinates,
            size: how.size,
        };
        draw(&drawing, format)
    })
    .await
}

/// A position as SVG
#[utoipa::path(
    get, path = "/board.svg", tag = "pictures", params(BoardParams, PictureParams),
    responses((status = 200, body = String, content_type = "image/svg+xml"), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn board_svg(
    State(app): State<App>,
    Ask(position): Ask<BoardParams>,
    Ask(how): Ask<PictureParams>,
) -> Result<Response, ApiError> {
    board(&app, position, how, Format::Svg).await
}

/// A position as PNG
#[utoipa::path(
    get, path = "/board.png", tag = "pictures", params(BoardParams, PictureParams),
    responses((status = 200, body = [u8], content_type = "image/png"), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn board_png(
    State(app): State<App>,
    Ask(position): Ask<BoardParams>,
    Ask(how): Ask<PictureParams>,
) -> Result<Response, ApiError> {
    board(&app, position, how, Format::Png).await
}

async fn game_board(
    app: &App,
    id: GameId,
    ply: Option<usize>,
    how: PictureParams,
    format: Format,
) -> Result<Response, ApiError> {
    let how = how.check()?;
    let game = game(app, id).await?;
    app.errand(move || game_picture(&game, ply, how, format))
        .await
}

pub(super) fn game_picture(
    game: &Game,
    ply: Option<usize>,
    how: PictureParams,
    format: Format,
) -> Result<Response, ApiError> {
    let last = game.positions().len().saturating_sub(1);
    let ply = ply.unwrap_or(last);
    let Some(position) = game.positions().get(ply) else {
        return Err(ApiError::not_found(format!("the game has {last} turns")));
    };
    let marked = touched(game, ply);
    let drawing = Drawing {
        board: position.board(),
        bottom: how.side.into(),
        turn: None,
        marked: &marked,
        coordinates: how.coordinates,
        size: how.size,
    };
    draw(&drawing, format)
}

async fn game(app: &App, id: GameId) -> Result<Game, ApiError> {
    app.pool
        .ask(move |store| replayed(&stored(store, id)?))
        .await
}

/// A position of a game as SVG
#[utoipa::path(
    get, path = "/games/{id}/board.svg", tag = "pictures",
    params(("id" = String, Path, description = "Its number in the archive, or source and number such as sample:15", example = "sample:15"), PlyParams, PictureParams),
    responses((status = 200, body = String, content_type = "image/svg+xml"), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn game_svg(
    State(app): State<App>,
    Part(GameName(id)): Part<GameName>,
    Ask(at): Ask<PlyParams>,
    Ask(how): Ask<PictureParams>,
) -> Result<Response, ApiError> {
    game_board(&app, id, at.ply, how, Format::Svg).await
}

/// A position of a game as PNG
#[utoipa::path(
    get, path = "/games/{id}/board.png", tag = "pictures",
    params(("id" = String, Path, description = "Its number in the archive, or source and number such as sample:15", example = "sample:15"), PlyParams, PictureParams),
    responses((status = 200, body = [u8], content_type = "image/png"), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn game_png(
    State(app): State<App>,
    Part(GameName(id)): Part<GameName>,
    Ask(at): Ask<PlyParams>,
    Ask(how): Ask<PictureParams>,
) -> Result<Response, ApiError> {
    game_board(&app, id, at.ply, how, Format::Png).await
}

/// How to move.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct GifParams {
    /// Width and height in pixels, up to 800.
    #[serde(default = "gif_size")]
    #[param(default = 320, minimum = 64, maximum = 800)]
    size: u32,
    /// Who sits at the bottom.
    #[serde(default = "gold")]
    #[param(inline, default = "g")]
    side: SideParam,
    /// Letters and numbers along two edges.
    #[serde(default)]
    #[param(default = false)]
    coordinates: bool,
    /// Milliseconds a turn.
    #[serde(default = "delay")]
    #[param(default = 700, minimum = 20, maximum = 10_000)]
    delay: u64,
}

const fn gif_size() -> u32 {
    320
}

const fn delay() -> u64 {
    700
}

/// A game as a moving GIF
#[utoipa::path(
    get, path = "/games/{id}/game.gif", tag = "pictures",
    params(("id" = String, Path, description = "Its number in the archive, or source and number such as sample:15", example = "sample:15"), GifParams),
    responses((status = 200, body = [u8], content_type = "image/gif"), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn game_gif(
    State(app): State<App>,
    Part(GameName(id)): Part<GameName>,
    Ask(how): Ask<GifParams>,
) -> Result<Response, ApiError> {
    let game = game(&app, id).await?;
    gif(&app, game, &how).await
}

pub(super) async fn gif(app: &App, game: Game, how: &GifParams) -> Result<Response, ApiError> {
    let (size, delay) = (how.size, how.delay);
    if !(*SIZES.start()..=LARGEST_GIF).contains(&size) {
        return Err(ApiError::bad_request(format!(
            "`size` is {} to {LARGEST_GIF}",
            SIZES.start()
        )));
    }
    if !(20..=10_000).contains(&delay) {
        return Err(ApiError::bad_request("`delay` is 20 to 10000 milliseconds"));
    }
    let film = Film {
        bottom: how.side.into(),
        coordinates: how.coordinates,
        size,
        delay: Duration::from_millis(delay),
    };
    let longest = app.config.limits.request;
    engines::work(app, longest, move |limits| {
        let bytes = draw::gif(&game, film, &limits.stop)?;
        Ok(image("image/gif", bytes))
    })
    .await
}

/// A pasted game to draw.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct DrawBody {
    /// A move list, a row of an archive or a position.
    text: String,
    /// `svg`, `png` or `gif`.
    format: PictureFormat,
    /// Width and height in pixels; up to 800 for a GIF.
    #[serde(default = "gif_size")]
    #[schema(default = 320, minimum = 64, maximum = 1600)]
    size: u32,
    #[serde(default = "gold")]
    side: SideParam,
    /// Letters and numbers along two edges.
    #[serde(default)]
    coordinates: bool,
    /// Milliseconds a turn.
    #[serde(default = "delay")]
    #[schema(default = 700, minimum = 20, maximum = 10_000)]
    delay: u64,
    /// Turns before the position drawn; the last if left out.
    ply: Option<usize>,
    /// Turns of a variation from there: it is drawn instead, a GIF from its
    /// first turn to its last.
    #[serde(default)]
    #[schema(max_items = 100)]
    then: Vec<String>,
}

/// What kind of picture.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum PictureFormat {
    Svg,
    Png,
    Gif,
}

/// Draw a pasted game
#[utoipa::path(
    post, path = "/draw", tag = "pictures", request_body = DrawBody,
    responses((status = 200, description = "The picture", content((String = "image/svg+xml"), ([u8] = "image/png"), ([u8] = "image/gif"))), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn draw_pasted(
    State(app): State<App>,
    Body(body): Body<DrawBody>,
) -> Result<Response, ApiError> {
    let (text, at, then) = (body.text, body.ply, body.then);
    let is_variation = !then.is_empty();
    let drawn = move || {
        let game = read::game(&text)?.game;
        if then.is_empty() {
            return Ok(game);
        }
        let ply = at.unwrap_or(game.turns().len());
        let text = String::new();
        let note = StudyNote { ply, then, text };
        note.variation(&game)
            .map_err(|error| ApiError::bad_request(error.to_string()))
    };
    let game = app.errand(drawn).await?;
    let format = match body.format {
        PictureFormat::Gif => {
            let how = GifParams {
                size: body.size,
                side: body.side,
                coordinates: body.coordinates,
                delay: body.delay,
            };
            return gif(&app, game, &how).await;
        }
        PictureFormat::Svg => Format::Svg,
        PictureFormat::Png => Format::Png,
    };
    let how = PictureParams {
        size: body.size,
        side: body.side,
        coordinates: body.coordinates,
    }
    .check()?;
    let ply = body.ply.filter(|_| !is_variation);
    app.errand(move || game_picture(&game, ply, how, format))
        .await
}

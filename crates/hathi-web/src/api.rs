//! The routes, one file a subject.

mod analyse;
mod analyse_by;
mod answer;
mod arenas;
mod explore;
mod games;
mod imports;
pub(crate) mod lab;
mod lessons;
mod motifs;
mod pictures;
mod plays;
pub(crate) mod puzzles;
mod review;
mod rules;
mod search;
mod setups;
mod sources;
pub(crate) mod status;
mod studies;
pub(crate) mod think;

pub(crate) use explore::ExploreQuestion;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::asker;
use crate::assets;
use crate::error::ApiError;
use crate::guard::guard;
use crate::sending;
use crate::state::App;

/// Pages of the one page; what comes after a slash is the page's business.
const PAGES: [&str; 22] = [
    "/",
    "/learn",
    "/learn/{*rest}",
    "/explore",
    "/play",
    "/play/{*rest}",
    "/review",
    "/review/{*rest}",
    "/study/{*rest}",
    "/search",
    "/motifs",
    "/puzzles",
    "/puzzles/{*rest}",
    "/watch",
    "/watch/{*rest}",
    "/lab",
    "/lab/{*rest}",
    "/setups",
    "/memory",
    "/about",
    "/api",
    "/api/",
];

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Hathi",
        description = "The memory of Arimaa: what was played in any position, games, patterns, \
            puzzles, engines and tournaments."
    ),
    // What streams send: no route says it, but the page reads it.
    components(schemas(
        review::Known,
        review::Left,
        analyse_by::SaidView,
        hathi_view::AnalysedView,
        hathi_view::JudgedView,
        hathi_view::ReviewSummary,
        think::DecidedView
    ))
)]
struct Description;

/// Everything the server answers.
pub(crate) fn router(app: App) -> Router {
    let (api, description) = OpenApiRouter::with_openapi(Description::openapi())
        .nest("/api/v1", routes_v1(&app))
        .split_for_parts();
    let description: std::sync::Arc<str> = description.to_json().unwrap_or_default().into();
    let mut router = api
        .route(
            "/api/v1/openapi.json",
            get(move || {
                let json = description.to_string();
                async { ([("content-type", "application/json")], json) }
            }),
        )
        .route("/lab-files/{name}/{file}", get(lab::reports::file))
        .route("/assets/{*path}", get(assets::asset))
        .route("/favicon.ico", get(assets::favicon))
        .route("/favicon.svg", get(assets::favicon));
    for page in PAGES {
        router = router.route(page, get(assets::page));
    }
    router
        .fallback(nothing_here)
        .method_not_allowed_fallback(not_so)
        .layer(DefaultBodyLimit::max(app.config.limits.body))
        .layer(from_fn_with_state(app.clone(), in_time))
        .layer(from_fn_with_state(app.clone(), sending::count))
        .layer(from_fn_with_state(app.clone(), asker::know))
        .layer(from_fn_with_state(app.clone(), guard))
        .with_state(app)
}

fn routes_v1(app: &App) -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(status::status))
        .routes(routes!(status::engines))
        .routes(routes!(lessons::list))
        .routes(routes!(lessons::one))
        .routes(routes!(lessons::attempt))
        .routes(routes!(lessons::answer))
        .routes(routes!(explore::explore))
        .routes(routes!(setups::setups))
        .routes(routes!(rules::steps))
        .routes(routes!(rules::check))
        .routes(routes!(games::games))
        .routes(routes!(games::players))
        .routes(routes!(games::game, sources::remove_game))
        .routes(routes!(sources::list))
        .routes(routes!(sources::remove_source))
        .merge(imports::routes(app.config.limits.pasted))
        .routes(routes!(games::archive))
        .routes(routes!(games::notation))
        .routes(routes!(motifs::list))
        .routes(routes!(motifs::of_game))
        .routes(routes!(motifs::of_games))
        .routes(routes!(search::search))
        .routes(routes!(search::search_stream))
        .routes(routes!(search::played))
        .routes(routes!(search::export))
        .routes(routes!(search::check_pattern))
        .routes(routes!(search::pattern_help))
        .merge(puzzles::routes())
        .routes(routes!(think::think))
        .routes(routes!(analyse::analyse))
        .routes(routes!(analyse_by::analyse_by))
        .routes(routes!(review::stored_game))
        .routes(routes!(review::kept_review))
        .merge(review::pasting(app.config.limits.pasted))
        .merge(studies::routes(app.config.limits.pasted))
        .merge(plays::routes())
        .merge(arenas::routes())
        .merge(lab::routes())
        .routes(routes!(pictures::board_svg))
        .routes(routes!(pictures::board_png))
        .routes(routes!(pictures::game_svg))
        .routes(routes!(pictures::game_png))
        .routes(routes!(pictures::game_gif))
        .routes(routes!(pictures::draw_pasted))
        .merge(games::pasting(app.config.limits.pasted))
}

/// People get the page, which says so in its own words; programs get an error.
async fn nothing_here(request: Request) -> Response {
    let path = request.uri().path();
    let accepts = request.headers().get(header::ACCEPT);
    let by_a_person = request.method() == Method::GET
        && accepts.is_some_and(|types| {
            types
                .to_str()
                .is_ok_and(|types| types.contains("text/html"))
        })
        && !["/api/", "/assets/", "/lab-files/"]
            .iter()
            .any(|folder| path.starts_with(folder));
    if by_a_person {
        // Without what the browser knows: the answer must have a body.
        let mut page = assets::page(HeaderMap::new()).await;
        *page.status_mut() = StatusCode::NOT_FOUND;
        return page;
    }
    ApiError::not_found(format!("there is nothing at {path}")).into_response()
}

async fn not_so(method: Method) -> ApiError {
    ApiError::not_allowed(format!("{method} does not go here"))
}

/// Ends requests that take too long; a stream has begun to answer by then.
async fn in_time(State(app): State<App>, request: Request, next: Next) -> Response {
    match tokio::time::timeout(app.config.limits.request, next.run(request)).await {
        Ok(response) => response,
        Err(_) => ApiError::timeout("this took too long; ask for less").into_response(),
    }
}

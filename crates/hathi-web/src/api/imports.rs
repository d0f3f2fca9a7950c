//! Files of games into the memory, piece by piece.

use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::client::{self, Client};
use crate::error::{ApiError, ErrorBody};
use crate::extract::{Ask, Body, Part};
use crate::imports::{ImportView, Imports};
use crate::pool::blocking;
use crate::state::App;

/// A file that is to come.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct NewImport {
    /// What it is called, for messages.
    #[schema(example = "allgames2002.txt.gz")]
    name: String,
    /// Its size.
    #[schema(minimum = 1, example = 100)]
    bytes: u64,
}

/// Which piece it is.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct PieceParams {
    /// The byte of the file with which it begins: as many as have come.
    #[param(example = 0)]
    from: u64,
}

/// Imports since the server was started.
#[derive(Serialize, ToSchema)]
pub(crate) struct ImportList {
    /// Yours, newest first.
    imports: Vec<ImportView>,
    /// Megabytes of a file at most.
    most_megabytes: u64,
    /// Bytes of a piece at most.
    most_piece: usize,
}

/// All routes; a piece is as long as a pasted game may be.
pub(super) fn routes(most: usize) -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list, begin))
        .routes(routes!(one))
        .routes(routes!(stop))
        .merge(
            OpenApiRouter::new()
                .routes(routes!(piece))
                .layer(DefaultBodyLimit::max(most)),
        )
        .layer(axum::middleware::from_fn(client::know))
}

/// Your imports since the server was started
#[utoipa::path(
    get, path = "/imports", tag = "games",
    responses((status = 200, body = ImportList), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn list(State(app): State<App>, client: Client) -> Json<ImportList> {
    let imports = app.imports.list(&client);
    Json(ImportList {
        imports: imports.iter().map(|import| import.view()).collect(),
        most_megabytes: app.config.limits.import >> 20,
        most_piece: app.config.limits.pasted,
    })
}

/// Begin to import a file of games, plain or packed, an archive or a move list
///
/// Its bytes follow, piece by piece; with the last one it is read. One import at a time.
#[utoipa::path(
    post, path = "/imports", tag = "games", request_body = NewImport,
    responses((status = 201, body = ImportView), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn begin(
    State(app): State<App>,
    client: Client,
    Body(new): Body<NewImport>,
) -> Result<(StatusCode, Json<ImportView>), ApiError> {
    let import = app.imports.begin(&app, &client, &new.name, new.bytes)?;
    Ok((StatusCode::CREATED, Json(import.view())))
}

/// How far an import is
#[utoipa::path(
    get, path = "/imports/{id}", tag = "games",
    params(("id" = String, Path, description = "As it was begun with")),
    responses((status = 200, body = ImportView), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn one(
    State(app): State<App>,
    client: Client,
    Part(id): Part<String>,
) -> Result<Json<ImportView>, ApiError> {
    Ok(Json(app.imports.get(&client, &id)?.view()))
}

/// The next bytes of the file
#[utoipa::path(
    put, path = "/imports/{id}/bytes", tag = "games",
    params(("id" = String, Path, description = "As it was begun with"), PieceParams),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 200, body = ImportView), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn piece(
    State(app): State<App>,
    client: Client,
    Part(id): Part<String>,
    Ask(params): Ask<PieceParams>,
    bytes: Result<Bytes, BytesRejection>,
) -> Result<Json<ImportView>, ApiError> {
    let import = app.imports.get(&client, &id)?;
    let bytes = bytes.map_err(|error| match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => ApiError::too_large("the piece is too long"),
        _ => ApiError::bad_request(format!("the piece cannot be read: {}", error.body_text())),
    })?;
    blocking(move || {
        app.imports.take(&app, &import, params.from, &bytes)?;
        Ok(Json(import.view()))
    })
    .await
}

/// End an import; the games added so far stay
#[utoipa::path(
    post, path = "/imports/{id}/stop", tag = "games",
    params(("id" = String, Path, description = "As it was begun with")),
    responses((status = 200, body = ImportView), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
pub(crate) async fn stop(
    State(app): State<App>,
    client: Client,
    Part(id): Part<String>,
) -> Result<Json<ImportView>, ApiError> {
    let import = app.imports.get(&client, &id)?;
    Imports::stop(&import)?;
    Ok(Json(import.view()))
}

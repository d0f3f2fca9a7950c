//! Reading requests, with errors in our own words.

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use hathi_archive::{GameId, ParseGameIdError};
use serde::de::DeserializeOwned;

use crate::error::ApiError;

/// Parameters of the address.
pub(crate) struct Ask<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Ask<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        match Query::try_from_uri(&parts.uri) {
            Ok(Query(value)) => Ok(Ask(value)),
            Err(error) => {
                let text = error.body_text();
                let text = text.strip_prefix("Failed to deserialize query string: ");
                Err(ApiError::bad_request(format!(
                    "the parameters cannot be read: {}",
                    text.unwrap_or(&error.body_text())
                )))
            }
        }
    }
}

/// A part of the path.
pub(crate) struct Part<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Part<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        match Path::from_request_parts(parts, state).await {
            Ok(Path(value)) => Ok(Part(value)),
            Err(error) => Err(ApiError::not_found(format!(
                "there is nothing of this name: {}",
                error.body_text()
            ))),
        }
    }
}

/// A game of the store, named in a path: `15`, `sample:15`, `15~2`.
#[derive(Clone, Copy, Debug, serde::Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct GameName(pub(crate) GameId);

impl TryFrom<String> for GameName {
    type Error = ParseGameIdError;

    fn try_from(text: String) -> Result<GameName, ParseGameIdError> {
        text.parse().map(GameName)
    }
}

/// A body of JSON.
pub(crate) struct Body<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        match Json::from_request(request, state).await {
            Ok(Json(value)) => Ok(Body(value)),
            Err(JsonRejection::MissingJsonContentType(_)) => Err(ApiError::not_json(
                "send JSON, with the header Content-Type: application/json",
            )),
            Err(error) if error.status() == StatusCode::PAYLOAD_TOO_LARGE => {
                Err(ApiError::too_large("the request is too long"))
            }
            Err(error) => Err(ApiError::bad_request(format!(
                "the request cannot be read: {}",
                error.body_text()
            ))),
        }
    }
}

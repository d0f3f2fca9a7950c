//! Answers that many ask for, and limits of lists.

use axum::body::Bytes;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use hathi_store::Memory;
use serde::Serialize;

use crate::cache::Asked;
use crate::error::ApiError;
use crate::state::App;

/// Asks the store, unless the same was asked since it last changed.
pub(super) async fn cached<T: Serialize>(
    app: &App,
    asked: impl Into<Asked>,
    question: impl FnOnce(&dyn Memory) -> Result<T, ApiError> + Send + 'static,
) -> Result<Response, ApiError> {
    let asked = asked.into();
    // Before asking: games that come in meanwhile make it old at once.
    let version = app.pool.version();
    if let Some(known) = app.answers.get(version, &asked) {
        return Ok(json(known));
    }
    let answer = app
        .pool
        .ask(move |store| {
            let answer = question(store)?;
            serde_json::to_vec(&answer)
                .map_err(|error| ApiError::internal(format!("the answer cannot be sent: {error}")))
        })
        .await?;
    let answer = Bytes::from(answer);
    app.answers.insert(version, asked, answer.clone());
    Ok(json(answer))
}

fn json(bytes: Bytes) -> Response {
    let mut response = bytes.into_response();
    let json = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, json);
    response
}

/// A number of results that is not too large.
pub(super) fn limit(asked: usize, most: usize) -> Result<usize, ApiError> {
    if asked <= most {
        Ok(asked)
    } else {
        Err(ApiError::bad_request(format!("`limit` is at most {most}")))
    }
}

/// Text with a name to save it by.
pub(super) fn attachment(name: &str, text: impl Into<axum::body::Body>) -> Response {
    let disposition = format!("attachment; filename=\"{name}\"");
    (
        [
            (header::CONTENT_TYPE, "text/plain; charset=utf-8".to_owned()),
            (header::CONTENT_DISPOSITION, disposition),
        ],
        text.into(),
    )
        .into_response()
}

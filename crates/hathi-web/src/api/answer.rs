//! Answers that many ask for, and limits of lists.

use axum::body::Bytes;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use hathi_store::{FactsInWork, FactsNeeded, Memory};
use hathi_view::numbers::counted;
use serde::Serialize;

use crate::cache::Asked;
use crate::error::ApiError;
use crate::pool::MANY_POSITIONS;
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

/// An error if what these facts look at is just being worked out for many
/// positions: nobody has to wait for that without knowing. For few it is there in
/// a second.
pub(super) fn check_facts(store: &dyn Memory, needs: FactsNeeded) -> Result<(), ApiError> {
    match store.facts_in_work(needs) {
        Some(work) if work.positions >= MANY_POSITIONS => Err(ApiError::facts(words_of(work))),
        _ => Ok(()),
    }
}

fn words_of(FactsInWork { positions, share }: FactsInWork) -> String {
    let positions = counted(positions as usize, "position");
    let percent = (share * 100.0).floor();
    format!("the facts of {positions} are being computed: {percent} %")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_asks_too_early_is_told_how_far_it_is() {
        let work = FactsInWork {
            positions: 15_504_061,
            share: 0.409,
        };
        assert_eq!(
            words_of(work),
            "the facts of 15,504,061 positions are being computed: 40 %"
        );
    }
}

//! Telling clients apart: a cookie with a number nobody can guess, which the
//! page's scripts cannot read and other sites cannot make it send.

use axum::extract::{FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::asker::Asker;
use crate::error::ApiError;
use crate::secret;

const NAME: &str = "hathi-client";

/// Who asks.
#[derive(Clone, Debug)]
pub(crate) struct Client {
    pub(crate) id: String,
    pub(crate) asker: Asker,
}

/// Gives a cookie to who has none.
pub(crate) async fn know(mut request: Request, next: Next) -> Response {
    // Only the browser itself could lie here, and only to itself.
    let secure = request
        .headers()
        .get("x-forwarded-proto")
        .is_some_and(|protocol| protocol.as_bytes().eq_ignore_ascii_case(b"https"));
    let known = known(request.headers());
    let id = match known.clone().map_or_else(secret::new, Ok) {
        Ok(id) => id,
        Err(error) => return error.into_response(),
    };
    request.extensions_mut().insert(Client {
        id: id.clone(),
        asker: Asker::current(),
    });
    let mut response = next.run(request).await;
    if known.is_none() {
        let secure = if secure { "; Secure" } else { "" };
        let cookie =
            format!("{NAME}={id}; Path=/api/; HttpOnly; SameSite=Strict; Max-Age=31536000{secure}");
        if let Ok(cookie) = HeaderValue::from_str(&cookie) {
            response.headers_mut().append(header::SET_COOKIE, cookie);
        }
    }
    response
}

fn known(headers: &HeaderMap) -> Option<String> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|cookies| cookies.split(';'))
        .filter_map(|cookie| cookie.trim().split_once('='))
        .find(|(name, value)| {
            *name == NAME && value.len() == 32 && value.bytes().all(|b| b.is_ascii_hexdigit())
        })
        .map(|(_, value)| value.to_owned())
}

impl<S: Send + Sync> FromRequestParts<S> for Client {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Client, ApiError> {
        let client = parts.extensions.get::<Client>().cloned();
        client.ok_or_else(|| ApiError::internal("the client is not known"))
    }
}

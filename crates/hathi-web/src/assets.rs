//! The page's files, inside the program. Debug builds read them from the
//! disk, so that they can be worked on without compiling.

use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;

use crate::error::ApiError;

#[derive(RustEmbed)]
#[folder = "assets"]
struct Assets;

/// A file as text, for those who draw with it.
pub(crate) fn text(path: &str) -> Option<String> {
    let file = Assets::get(path)?;
    String::from_utf8(file.data.into_owned()).ok()
}

/// `/assets/...`
pub(crate) async fn asset(Path(path): Path<String>, headers: HeaderMap) -> Response {
    file(&path, &headers)
}

/// The page itself: every address of it is the same file.
pub(crate) async fn page(headers: HeaderMap) -> Response {
    file("index.html", &headers)
}

/// The little picture in the tab.
pub(crate) async fn favicon(headers: HeaderMap) -> Response {
    file("favicon.svg", &headers)
}

fn file(path: &str, headers: &HeaderMap) -> Response {
    // Names are looked up, not opened, in a release; on disk they must not
    // lead elsewhere.
    let plain = path
        .split('/')
        .all(|part| !part.is_empty() && !part.starts_with('.') && !part.contains(['\\', '\0']));
    let Some(file) = Assets::get(path).filter(|_| plain) else {
        return ApiError::not_found("there is no such file").into_response();
    };
    let hash = file.metadata.sha256_hash();
    let start = hash
        .iter()
        .take(12)
        .fold(0u128, |start, &byte| start << 8 | u128::from(byte));
    let etag = format!("\"{start:024x}\"");
    let known = headers
        .get(header::IF_NONE_MATCH)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|known| known.split(',').any(|one| one.trim() == etag));
    let mut response = if known {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        ([(header::CONTENT_TYPE, media_type(path))], file.data).into_response()
    };
    let headers = response.headers_mut();
    if let Ok(etag) = HeaderValue::from_str(&etag) {
        headers.insert(header::ETAG, etag);
    }
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}

/// By the end of the name.
pub(crate) fn media_type(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "gif" => "image/gif",
        "ogg" | "oga" => "audio/ogg",
        "wav" => "audio/wav",
        "mp3" => "audio/mpeg",
        "woff2" => "font/woff2",
        "md" | "txt" | "csv" | "tsv" | "jsonl" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

//! Who may ask, and what every answer says about itself.
//!
//! The server listens on this machine, but so does the browser of whoever
//! uses it, and a browser runs the pages of strangers. Three things keep them
//! out: the name in `Host` must be one of ours (a stranger's name that points
//! here is refused), `Origin` must be the page itself for whatever changes
//! something, and what a browser marks as asked by another site is refused.

use std::net::IpAddr;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::error::ApiError;
use crate::state::App;

/// What the page may load: its own files, nothing else.
const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; media-src 'self'; \
    frame-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

/// Lets a request through, or not, and completes the answer's headers.
pub(crate) async fn guard(State(app): State<App>, request: Request, next: Next) -> Response {
    let mut response = match check(&app.config.names, request.method(), &request) {
        Ok(()) => next.run(request).await,
        Err(error) => error.into_response(),
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, PAGE_POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "SAMEORIGIN"),
    ] {
        headers
            .entry(name)
            .or_insert(HeaderValue::from_static(value));
    }
    for (name, value) in [
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
        (
            "permissions-policy",
            "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
        ),
    ] {
        headers
            .entry(name)
            .or_insert(HeaderValue::from_static(value));
    }
    response
}

fn check(names: &[String], method: &Method, request: &Request) -> Result<(), ApiError> {
    let headers = request.headers();
    let host = host(headers, request)?;
    if !is_ours(name_of(&host), names) {
        return Err(ApiError::foreign(format!(
            "this server is not called {:?}: use localhost or its address, or start it with \
             --name {0}",
            name_of(&host)
        )));
    }
    let reads = matches!(*method, Method::GET | Method::HEAD);
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    // A browser that is led here by a link on another site may see the page.
    let shows_page = reads
        && text("sec-fetch-mode") == Some("navigate")
        && !request.uri().path().starts_with("/api/");
    if text("sec-fetch-site").is_some_and(|site| site != "same-origin" && site != "none")
        && !shows_page
    {
        return Err(ApiError::foreign(
            "this was asked by another site: only Hathi's own page may",
        ));
    }
    if reads {
        return Ok(());
    }
    match headers.get(header::ORIGIN) {
        None => Ok(()),
        Some(origin) => {
            let same = origin.to_str().ok().and_then(|origin| {
                let (_, authority) = origin.split_once("://")?;
                Some(authority.eq_ignore_ascii_case(&host))
            });
            if same == Some(true) {
                Ok(())
            } else {
                Err(ApiError::foreign(
                    "this was sent by another site: only Hathi's own page may change things",
                ))
            }
        }
    }
}

/// The one `Host` a request has.
fn host(headers: &HeaderMap, request: &Request) -> Result<String, ApiError> {
    let mut hosts = headers.get_all(header::HOST).iter();
    let host = match (hosts.next(), hosts.next()) {
        (Some(host), None) => host.to_str().ok().map(str::to_owned),
        (None, None) => request.uri().authority().map(ToString::to_string),
        _ => None,
    };
    host.filter(|host| !host.is_empty())
        .ok_or_else(|| ApiError::bad_request("a request needs one Host header"))
}

/// `localhost` of `localhost:8080`, `::1` of `[::1]:8080`.
fn name_of(host: &str) -> &str {
    if let Some(rest) = host.strip_prefix('[') {
        return rest.split(']').next().unwrap_or(rest);
    }
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}

/// A plain address cannot be made to point elsewhere; a name can.
fn is_ours(name: &str, names: &[String]) -> bool {
    name.eq_ignore_ascii_case("localhost")
        || name.parse::<IpAddr>().is_ok()
        || names.iter().any(|known| known.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_in_hosts() {
        for (host, name) in [
            ("localhost", "localhost"),
            ("localhost:8080", "localhost"),
            ("127.0.0.1:1", "127.0.0.1"),
            ("[::1]:8080", "::1"),
            ("[::1]", "::1"),
            ("evil.example:80", "evil.example"),
            ("evil.example:80x", "evil.example:80x"),
        ] {
            assert_eq!(name_of(host), name, "{host}");
        }
    }

    #[test]
    fn strangers_names_are_not_ours() {
        let names = ["board.example".to_owned()];
        for name in ["localhost", "LOCALHOST", "127.0.0.1", "::1", "192.168.0.7"] {
            assert!(is_ours(name, &[]), "{name}");
        }
        assert!(is_ours("Board.example", &names));
        for name in [
            "board.example",
            "localhost.evil.example",
            "127.0.0.1.nip.io",
            "",
        ] {
            assert!(!is_ours(name, &[]), "{name}");
        }
    }
}

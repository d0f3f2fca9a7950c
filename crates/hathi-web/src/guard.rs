//! Who may ask, and what every answer says about itself.
//!
//! The server listens on this machine, but so does the browser of whoever
//! uses it, and a browser runs the pages of strangers. Three things keep them
//! out: the name in `Host` must be one of ours (a stranger's name that points
//! here is refused), `Origin` must be the page itself for whatever changes
//! something, and what a browser marks as asked by another site is refused.

use std::net::{Ipv4Addr, Ipv6Addr};
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::access;
use crate::error::{ApiError, Said};
use crate::state::App;

/// What the page may load: its own files, nothing else.
const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; media-src 'self'; \
    frame-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

/// How long a wrong password waits for its answer.
const WRONG_PASSWORD: Duration = Duration::from_secs(1);

/// Characters of a stranger's name that are told.
const LONGEST_NAME: usize = 100;

/// Lets a request through, or not, and completes the answer's headers.
pub(crate) async fn guard(State(app): State<App>, request: Request, next: Next) -> Response {
    let config = &app.config;
    let allowed = check(&config.names, request.method(), &request).and_then(|()| {
        let path = request.uri().path();
        access::check(&config.access, request.method(), path, request.headers())
    });
    let mut response = match allowed {
        Ok(()) => next.run(request).await,
        Err(error) => {
            // Whoever tries passwords has few connections, and each takes a while.
            if error.code == "password" && request.headers().contains_key(header::AUTHORIZATION) {
                tokio::time::sleep(WRONG_PASSWORD).await;
            }
            error.into_response()
        }
    };
    if config.access.is_public()
        && let Some(said) = response.extensions_mut().remove::<Said>()
    {
        let status = response.status();
        let discreet = app.discreet(said.message.clone());
        if discreet != said.message {
            response = ApiError {
                status,
                code: said.code,
                message: discreet,
            }
            .into_response();
        }
    }
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
    if !is_ours(&host, names) {
        let name: String = host.chars().take(LONGEST_NAME).collect();
        return Err(ApiError::foreign(format!(
            "this server is not called {name:?}: use localhost or its address, or start it with \
             --name NAME"
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
    // Forms send no JSON: what has no body needs the type all the same.
    if *method == Method::POST && !is_json(text("content-type")) {
        return Err(ApiError::not_json(
            "send JSON, with the header Content-Type: application/json",
        ));
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

/// `application/json`, with or without a character set.
fn is_json(content_type: Option<&str>) -> bool {
    let kind = content_type.and_then(|value| value.split(';').next());
    kind.is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
}

/// A host is a name or an address and perhaps a port, and nothing else: what
/// only begins like ours is a stranger's. A plain address cannot be made to
/// point elsewhere; a name can.
fn is_ours(host: &str, names: &[String]) -> bool {
    let (name, port) = match host.strip_prefix('[') {
        Some(rest) => {
            let Some((address, rest)) = rest.split_once(']') else {
                return false;
            };
            if address.parse::<Ipv6Addr>().is_err() {
                return false;
            }
            return rest.is_empty() || rest.strip_prefix(':').is_some_and(is_port);
        }
        None => match host.split_once(':') {
            Some((name, port)) => (name, Some(port)),
            None => (host, None),
        },
    };
    let known = name.eq_ignore_ascii_case("localhost")
        || name.parse::<Ipv4Addr>().is_ok()
        || names.iter().any(|known| known.eq_ignore_ascii_case(name));
    known && port.is_none_or(is_port)
}

fn is_port(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit()) && text.parse::<u16>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_compared_as_a_whole() {
        let names = ["board.example".to_owned()];
        for host in [
            "localhost",
            "LOCALHOST:8080",
            "127.0.0.1:1",
            "192.168.0.7",
            "[::1]",
            "[::1]:8080",
            "Board.example",
            "board.example:443",
        ] {
            assert!(is_ours(host, &names), "{host}");
        }
        for host in [
            "",
            ":80",
            "localhost:",
            "localhost:80x",
            "localhost:80:80",
            "localhost:99999",
            "localhost.evil.example",
            "localhost@evil.example",
            "127.0.0.1.nip.io",
            "[::1].evil.example",
            "[::1]evil.example:80",
            "[::1]x",
            "[::1",
            "[localhost]",
            "::1",
            "board.example.evil.example",
            "evil.example:80",
        ] {
            assert!(!is_ours(host, &names), "{host}");
        }
        assert!(!is_ours("board.example", &[]));
    }
}

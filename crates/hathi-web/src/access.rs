//! Who may change something: everybody at this machine, or whoever knows the
//! password of a server that is open to others.

use std::hint::black_box;

use axum::http::{HeaderMap, Method, header};

use crate::error::ApiError;

/// Characters of a password at least: it is all there is between the network
/// and the store.
const SHORTEST: usize = 16;

/// To whom the server is open.
#[derive(Clone, Debug, Default)]
pub enum Access {
    /// To who sits at this machine.
    #[default]
    Local,
    /// To everybody, for reading; with the password for writing.
    Public(Password),
}

impl Access {
    /// Is it open to others?
    pub fn is_public(&self) -> bool {
        matches!(self, Access::Public(_))
    }
}

/// The password for writing.
#[derive(Clone)]
pub struct Password(String);

impl std::fmt::Debug for Password {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Password(...)")
    }
}

/// Why text is no password.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PasswordError {
    /// Easily guessed.
    #[error("a password has at least {SHORTEST} characters")]
    TooShort,
    /// Headers have no such characters.
    #[error("a password is of printable ASCII characters, without spaces")]
    NotPrintable,
    /// The system has no random numbers.
    #[error("no password can be made: the system has no random numbers")]
    NoRandom,
}

impl Password {
    /// This one, without white space around it.
    pub fn new(text: &str) -> Result<Password, PasswordError> {
        let text = text.trim();
        if text.len() < SHORTEST {
            return Err(PasswordError::TooShort);
        }
        if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(PasswordError::NotPrintable);
        }
        Ok(Password(text.to_owned()))
    }

    /// A new one that nobody can guess.
    pub fn random() -> Result<Password, PasswordError> {
        let text = crate::secret::new().map_err(|_| PasswordError::NoRandom)?;
        Ok(Password(text))
    }

    /// To write it down.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Takes as long for a wrong one as for the right one.
    fn is(&self, other: &str) -> bool {
        let (ours, theirs) = (self.0.as_bytes(), other.as_bytes());
        let mut different = ours.len() ^ theirs.len();
        for (at, byte) in ours.iter().enumerate() {
            let other = theirs.get(at).copied().unwrap_or(0);
            different |= black_box(usize::from(byte ^ other));
        }
        different == 0
    }
}

/// What is sent with POST because it is long, and changes nothing. Whatever
/// else is not read asks for the password: what is added later, too.
fn only_asks(method: &Method, path: &str) -> bool {
    let Some(path) = path.strip_prefix("/api/v1/") else {
        return matches!(*method, Method::GET | Method::HEAD);
    };
    match *method {
        Method::GET | Method::HEAD => true,
        Method::POST => {
            matches!(path, "read" | "draw" | "review")
                || (path.starts_with("lessons/") || path.starts_with("puzzles/"))
                    && path.ends_with("/try")
        }
        _ => false,
    }
}

/// May this be done?
pub(crate) fn check(
    access: &Access,
    method: &Method,
    path: &str,
    headers: &HeaderMap,
) -> Result<(), ApiError> {
    let Access::Public(password) = access else {
        return Ok(());
    };
    if only_asks(method, path) {
        return Ok(());
    }
    let given = headers.get(header::AUTHORIZATION);
    let given = given.and_then(|value| value.to_str().ok());
    match given.map(|given| credentials(given).is_some_and(|given| password.is(&given))) {
        Some(true) => Ok(()),
        Some(false) => Err(ApiError::no_password(
            "this is not the password for writing",
        )),
        None => Err(ApiError::no_password(
            "this changes something: it needs the password for writing",
        )),
    }
}

/// `Bearer PASSWORD` as programs send it, or `Basic ...` as browsers do after
/// they have asked for it; the user's name does not matter.
fn credentials(header: &str) -> Option<String> {
    let (scheme, rest) = header.split_once(' ')?;
    if scheme.eq_ignore_ascii_case("bearer") {
        return Some(rest.trim().to_owned());
    }
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let decoded = String::from_utf8(base64(rest.trim())?).ok()?;
    let (_, password) = decoded.split_once(':')?;
    Some(password.to_owned())
}

/// Reads base 64.
fn base64(text: &str) -> Option<Vec<u8>> {
    let (mut bits, mut count) = (0_u32, 0);
    let mut bytes = Vec::with_capacity(text.len());
    for byte in text.trim_end_matches('=').bytes() {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = (bits << 6) | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push(u8::try_from((bits >> count) & 0xff).ok()?);
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_read_as_programs_and_browsers_send_them() {
        assert_eq!(credentials("Bearer abc").as_deref(), Some("abc"));
        assert_eq!(credentials("bearer  abc ").as_deref(), Some("abc"));
        // "me:open sesame"
        assert_eq!(
            credentials("Basic bWU6b3BlbiBzZXNhbWU=").as_deref(),
            Some("open sesame")
        );
        for nonsense in ["", "Bearer", "Basic !!", "Basic bWU=", "Digest x", "abc"] {
            assert_eq!(credentials(nonsense), None, "{nonsense}");
        }
    }

    #[test]
    fn only_the_right_password_is_right() {
        let password = Password::new("0123456789abcdef").expect("long enough");
        assert!(password.is("0123456789abcdef"));
        for wrong in [
            "",
            "0123456789abcde",
            "0123456789abcdefg",
            "0123456789abcdeF",
        ] {
            assert!(!password.is(wrong), "{wrong}");
        }
        assert_eq!(Password::new("short").err(), Some(PasswordError::TooShort));
        assert!(Password::new("ähnlich wie ein Passwort").is_err());
        assert!(!format!("{password:?}").contains("0123"));
    }

    #[test]
    fn what_changes_something_is_not_asking() {
        for path in [
            "read",
            "draw",
            "review",
            "lessons/goal/1/try",
            "puzzles/x/try",
        ] {
            assert!(
                only_asks(&Method::POST, &format!("/api/v1/{path}")),
                "{path}"
            );
        }
        for path in [
            "plays",
            "plays/x/resign",
            "arenas",
            "arenas/x/stop",
            "games/remove",
        ] {
            assert!(
                !only_asks(&Method::POST, &format!("/api/v1/{path}")),
                "{path}"
            );
        }
        assert!(!only_asks(&Method::DELETE, "/api/v1/plays/x"));
        assert!(!only_asks(&Method::POST, "/"));
        assert!(only_asks(&Method::GET, "/api/v1/plays"));
    }
}

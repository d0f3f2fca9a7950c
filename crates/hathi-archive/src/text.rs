//! Bytes of old files to strings and back.
//!
//! Archive files are Latin-1, some newer tools write UTF-8. Text that is
//! valid UTF-8 is taken as such, anything else as Latin-1.

use std::borrow::Cow;

/// Decodes a field.
pub(crate) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(|&byte| byte as char).collect()),
    }
}

/// Encodes a field as the real archives do, in Latin-1, if [`decode`] gives
/// the same text back; in UTF-8 otherwise.
pub(crate) fn encode(text: &str) -> Cow<'_, [u8]> {
    if text.is_ascii() {
        return Cow::Borrowed(text.as_bytes());
    }
    let latin: Option<Vec<u8>> = text.chars().map(|c| u8::try_from(c).ok()).collect();
    match latin {
        Some(bytes) if std::str::from_utf8(&bytes).is_err() => Cow::Owned(bytes),
        _ => Cow::Borrowed(text.as_bytes()),
    }
}

/// Reads a whole number; nothing if it is none or too big.
pub(crate) fn number<T: std::str::FromStr>(bytes: &[u8]) -> Option<T> {
    std::str::from_utf8(bytes.trim_ascii()).ok()?.parse().ok()
}

/// A piece of input for an error message, cut to a readable length.
pub(crate) fn shorten(bytes: &[u8]) -> String {
    const LONGEST: usize = 40;
    let text = decode(&bytes[..bytes.len().min(4 * LONGEST)]);
    let mut short: String = text.chars().take(LONGEST).collect();
    if short.len() < bytes.len() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latin_1_and_utf_8_both_come_back() {
        assert_eq!(decode(b"Andr\xe9"), "André");
        assert_eq!(decode("André".as_bytes()), "André");
        assert_eq!(&*encode("André"), b"Andr\xe9");
        assert_eq!(&*encode("Łukasz"), "Łukasz".as_bytes());
        // In Latin-1 this would be read as the UTF-8 of an e acute.
        assert_eq!(&*encode("Ã©"), "Ã©".as_bytes());
    }

    #[test]
    fn shortened_text_says_so() {
        assert_eq!(shorten(b"abc"), "abc");
        assert_eq!(shorten(&[b'a'; 99]), "a".repeat(40) + "…");
    }
}

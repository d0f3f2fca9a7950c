//! Standard output for results, standard error for messages.

use std::borrow::Cow;
use std::io::{self, BufWriter, Write};

use anstream::AutoStream;
use anstyle::{AnsiColor, Style};
use serde::Serialize;

/// Standard output for text without colours: numbers, tables, JSON.
pub(crate) fn plain() -> BufWriter<io::StdoutLock<'static>> {
    BufWriter::with_capacity(1 << 16, io::stdout().lock())
}

/// See [`styled`].
pub(crate) type Styled = BufWriter<AutoStream<io::StdoutLock<'static>>>;

/// Standard output for drawings and reports. Styles may be written always;
/// they are dropped when colours are off.
pub(crate) fn styled() -> Styled {
    BufWriter::new(AutoStream::auto(io::stdout().lock()))
}

/// One JSON value on a line of its own.
pub(crate) fn json(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    writeln!(out)
}

/// A result on standard output: as JSON, or in words.
pub(crate) fn show(
    as_json: bool,
    value: &impl Serialize,
    in_words: impl FnOnce(&mut Styled) -> io::Result<()>,
) -> io::Result<()> {
    if as_json {
        let mut out = plain();
        json(&mut out, value)?;
        out.flush()
    } else {
        let mut out = styled();
        in_words(&mut out)?;
        out.flush()
    }
}

const LABEL: Style = Style::new().dimmed();

/// A label and what it is about.
pub(crate) fn line(out: &mut impl Write, label: &str, text: &str) -> io::Result<()> {
    writeln!(out, "{LABEL}{label:<10}{LABEL:#}  {text}")
}

const ERROR: Style = AnsiColor::Red.on_default().bold();
const NOTE: Style = AnsiColor::Cyan.on_default().bold();

/// Tells the user what went wrong.
pub(crate) fn error(message: &str) {
    say(ERROR, "error", message);
}

/// Tells the user something worth knowing beside the result.
pub(crate) fn note(message: &str) {
    say(NOTE, "note", message);
}

fn say(style: Style, kind: &str, message: &str) {
    let mut stderr = anstream::stderr().lock();
    // If nobody listens on standard error, there is nobody to tell.
    let _ = writeln!(stderr, "{style}{kind}{style:#}: {}", printable(message));
}

/// The text with control characters spelt out, as input quoted in a message
/// must not steer the terminal.
pub(crate) fn printable(text: &str) -> Cow<'_, str> {
    let harmless = |c: char| c == '\n' || !c.is_control();
    if text.chars().all(harmless) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        if harmless(c) {
            safe.push(c);
        } else {
            safe.extend(c.escape_default());
        }
    }
    Cow::Owned(safe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_spelt_out() {
        assert_eq!(printable("a\u{1b}[2Jb\nc\té"), "a\\u{1b}[2Jb\nc\\té");
    }
}

//! Standard output for results, standard error for messages.

use std::borrow::Cow;
use std::io::{self, BufWriter, Write};

use anstream::AutoStream;
use anstyle::{AnsiColor, Style};
pub(crate) use hathi_model::drawing::grouped;
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

/// A number for JSON with as many decimals as mean something.
pub(crate) fn rounded(number: f64, decimals: i32) -> f64 {
    let unit = 10f64.powi(decimals);
    (number * unit).round() / unit
}

/// How much of `whole` a part is, 0 of nothing.
#[allow(clippy::cast_precision_loss)] // nobody has counted to 2^52
pub(crate) fn ratio(part: u64, whole: u64) -> f64 {
    part as f64 / whole.max(1) as f64
}

/// `37,086` when that many were done each second.
#[allow(clippy::cast_precision_loss, clippy::cast_sign_loss)]
pub(crate) fn per_second(count: u64, seconds: f64) -> String {
    grouped((count as f64 / seconds.max(0.001)) as usize)
}

/// A time: `1.3 µs`, `20.0 ms`, `7.5 s`.
pub(crate) fn time_text(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{:.1} µs", s * 1e6),
        s if s < 1.0 => format!("{:.1} ms", s * 1e3),
        s => format!("{s:.1} s"),
    }
}

/// A size: `812 bytes`, `3.4 MB`.
pub(crate) fn bytes_text(bytes: u64) -> String {
    #[allow(clippy::cast_precision_loss)] // shown with one decimal
    let mut size = bytes as f64;
    let mut unit = "";
    for larger in ["KB", "MB", "GB", "TB"] {
        if size < 1000.0 {
            break;
        }
        size /= 1000.0;
        unit = larger;
    }
    if unit.is_empty() {
        counted(bytes as usize, "byte")
    } else {
        format!("{size:.1} {unit}")
    }
}

/// "1 step", "3 steps".
pub(crate) fn counted(number: usize, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {what}{plural}", grouped(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands() {
        let texts = [0, 999, 1000, 37_086, 1_234_567].map(grouped);
        assert_eq!(texts, ["0", "999", "1,000", "37,086", "1,234,567"]);
        assert_eq!(counted(1, "step"), "1 step");
        assert_eq!(counted(1200, "turn"), "1,200 turns");
    }

    #[test]
    fn sizes() {
        let texts = [1, 999, 1000, 3_440_000, 2_900_000_000].map(bytes_text);
        assert_eq!(texts, ["1 byte", "999 bytes", "1.0 KB", "3.4 MB", "2.9 GB"]);
        assert!((rounded(0.123_46, 3) - 0.123).abs() < 1e-12);
    }

    #[test]
    fn control_characters_are_spelt_out() {
        assert_eq!(printable("a\u{1b}[2Jb\nc\té"), "a\\u{1b}[2Jb\nc\\té");
    }
}

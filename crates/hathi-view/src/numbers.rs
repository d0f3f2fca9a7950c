//! Numbers, times and sizes as text.

pub use hathi_model::drawing::grouped;

/// A number for JSON with as many decimals as mean something.
pub fn rounded(number: f64, decimals: i32) -> f64 {
    let unit = 10f64.powi(decimals);
    (number * unit).round() / unit
}

/// How much of `whole` a part is, 0 of nothing.
#[allow(clippy::cast_precision_loss)] // nobody has counted to 2^52
pub fn ratio(part: u64, whole: u64) -> f64 {
    part as f64 / whole.max(1) as f64
}

/// `37,086` when that many were done each second.
#[allow(clippy::cast_precision_loss, clippy::cast_sign_loss)]
pub fn per_second(count: u64, seconds: f64) -> String {
    grouped((count as f64 / seconds.max(0.001)) as usize)
}

/// A time: `1.3 µs`, `20.0 ms`, `7.5 s`.
pub fn time_text(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{:.1} µs", s * 1e6),
        s if s < 1.0 => format!("{:.1} ms", s * 1e3),
        s => format!("{s:.1} s"),
    }
}

/// A size: `812 bytes`, `3.4 MB`.
pub fn bytes_text(bytes: u64) -> String {
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
pub fn counted(number: usize, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {what}{plural}", grouped(number))
}

/// A whole number with its sign; what rounds to 0 is `+0`, never `-0`.
pub fn signed(number: f64) -> String {
    format!("{:+.0}", number.round() + 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_has_a_minus_of_its_own() {
        let written = [-0.3, -0.0, 0.4, -1.2, 12.5].map(signed);
        assert_eq!(written, ["+0", "+0", "+0", "-1", "+13"]);
    }

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
}

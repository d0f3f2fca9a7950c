//! What a score means for the result of a game.

use crate::search::SURE;

/// Hundredths of a rabbit that make the odds e times as good. Fitted on games:
/// see `docs/measurements.md` and `hathi bench review`.
pub const CHANCE_SCALE: f64 = 560.0;

/// The chance to win that goes with a score in hundredths of a rabbit: a
/// logistic curve. What the search takes for won is 1.
///
/// ```
/// use hathi_engine::winning_chance;
/// assert_eq!(winning_chance(0), 0.5);
/// assert!(winning_chance(300) > 0.6 && winning_chance(-300) < 0.4);
/// assert_eq!(winning_chance(99_999), 1.0);
/// ```
pub fn winning_chance(score: i32) -> f64 {
    if score.abs() > SURE {
        return if score > 0 { 1.0 } else { 0.0 };
    }
    1.0 / (1.0 + (-f64::from(score) / CHANCE_SCALE).exp())
}

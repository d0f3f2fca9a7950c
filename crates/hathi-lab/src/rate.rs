//! Win rates and how sure they are.

use serde::Serialize;

use hathi_arena::Score;
use hathi_view::plot::Line;

/// Half of the 95 % interval of a normal distribution.
const Z95: f64 = 1.959_964;

/// A win rate with its 95 % interval (Wilson's, which is sound for few games
/// and for none or all won).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Rate {
    pub(crate) value: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Rate {
    /// Only games that differ from all others make it more certain.
    pub(crate) fn of(wins: u64, games: u64, distinct: u64) -> Rate {
        let count = distinct.min(games) as f64;
        if count < 1.0 {
            return Rate {
                value: 0.5,
                low: 0.0,
                high: 1.0,
            };
        }
        Rate::wilson(wins as f64 / games as f64, count)
    }

    /// Of games in pairs, the same opening once with each colour: they count as
    /// many games as independent ones would be as certain, and where one result
    /// fills all, a pair counts as one.
    pub(crate) fn of_pairs(score: &Score) -> Rate {
        let games = score.games();
        if games == 0 {
            return Rate::of(0, 0, 0);
        }
        let value = score.mean();
        let spread = value * (1.0 - value);
        let count = if spread > 0.0 {
            (spread / score.variance()).clamp(1.0, games as f64)
        } else {
            games.div_ceil(2) as f64
        };
        Rate::wilson(value, count)
    }

    fn wilson(value: f64, count: f64) -> Rate {
        let square = Z95 * Z95 / count;
        let middle = value + square / 2.0;
        let spread = (square * (value * (1.0 - value) + square / 4.0)).sqrt();
        Rate {
            value,
            low: ((middle - spread) / (1.0 + square)).max(0.0),
            high: ((middle + spread) / (1.0 + square)).min(1.0),
        }
    }

    /// Is this rate beyond chance above (true) or below (false) another one?
    /// By Newcombe's interval of the difference, 95 %.
    pub(crate) fn differs_from(self, other: Rate) -> Option<bool> {
        let difference = self.value - other.value;
        let down = (self.value - self.low).hypot(other.high - other.value);
        let up = (self.high - self.value).hypot(other.value - other.low);
        if difference - down > 0.0 {
            Some(true)
        } else if difference + up < 0.0 {
            Some(false)
        } else {
            None
        }
    }
}

/// The share of games won, game by game, with its interval.
pub(crate) fn so_far(name: String, colour: usize, won: &[bool]) -> Line {
    let mut line = Line {
        name,
        colour,
        smooth: true,
        ..Line::default()
    };
    let mut wins = 0;
    for (game, &win) in (1..).zip(won) {
        wins += u64::from(win);
        let rate = Rate::of(wins, game, game);
        let x = game as f64;
        line.points.push((x, 100.0 * rate.value));
        line.band.push((x, 100.0 * rate.low, 100.0 * rate.high));
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) {
        assert!((a - b).abs() < 0.0005, "{a} is not {b}");
    }

    #[test]
    fn known_intervals() {
        // 81 of 263, Newcombe 1998, table I: 0.2553 to 0.3662.
        let rate = Rate::of(81, 263, 263);
        close(rate.low, 0.2553);
        close(rate.high, 0.3662);
        // 0 of 20: 0 to 0.1611.
        let none = Rate::of(0, 20, 20);
        close(none.low, 0.0);
        close(none.high, 0.1611);
        let all = Rate::of(20, 20, 20);
        close(all.low, 1.0 - 0.1611);
        close(all.high, 1.0);
    }

    #[test]
    fn repeated_games_make_nothing_surer() {
        assert_eq!(Rate::of(30, 60, 6), Rate::of(3, 6, 6));
        let unknown = Rate::of(0, 0, 0);
        assert!(unknown.low <= 0.0 && unknown.high >= 1.0);
    }

    #[test]
    fn pairs_hold_their_own_value_even_where_one_result_fills_all() {
        let score = |pairs| Score {
            pairs,
            ..Score::default()
        };
        for pairs in [
            [5, 0, 0],
            [0, 0, 5],
            [0, 5, 0],
            [1, 0, 0],
            [200, 100, 200],
            [0, 1, 9],
        ] {
            let rate = Rate::of_pairs(&score(pairs));
            assert!(
                rate.low <= rate.value && rate.value <= rate.high,
                "{rate:?}"
            );
            assert!(rate.low >= 0.0 && rate.high <= 1.0 && rate.low < rate.high);
        }
        // None of ten games in five pairs is as sure as none of five.
        assert_eq!(Rate::of_pairs(&score([5, 0, 0])), Rate::of(0, 5, 5));
        // Pairs that were decided by the opening say less than as many games.
        let split = Rate::of_pairs(&score([250, 0, 250]));
        let alone = Rate::of(500, 1000, 1000);
        assert!(split.high - split.low > 1.3 * (alone.high - alone.low));
    }

    #[test]
    fn differences_beyond_chance() {
        // 56 of 70 and 48 of 80, Newcombe 1998b: 0.0524 to 0.3339.
        let (one, other) = (Rate::of(56, 70, 70), Rate::of(48, 80, 80));
        assert_eq!(one.differs_from(other), Some(true));
        assert_eq!(other.differs_from(one), Some(false));
        assert_eq!(one.differs_from(one), None);
        assert_eq!(Rate::of(4, 4, 4).differs_from(Rate::of(2, 4, 4)), None);
    }
}

//! What the solver has found.

use hathi_engine::Solution;
use hathi_rules::Turn;
use serde::Serialize;

/// Whether there is a forced win.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Solved {
    /// `win`, `no win` or `unknown`.
    pub answer: &'static str,
    /// Turns to the win.
    pub turns: Option<u32>,
    /// The turn that wins.
    pub turn: Option<String>,
    /// Replies it wins against, all there are.
    pub replies: Option<usize>,
    /// Pairs of a reply and what wins then; or of a turn and what refutes it.
    pub lines: Vec<Line>,
    /// Turns that were tried and do not win.
    pub tried: Option<usize>,
    /// How long it took.
    pub seconds: f64,
}

/// A turn and the answer to it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Line {
    /// The turn.
    pub turn: String,
    /// What is played after it.
    pub answer: String,
}

impl Line {
    /// Both as text.
    #[must_use]
    pub fn new(turn: &Turn, answer: &Turn) -> Line {
        Line {
            turn: turn.to_string(),
            answer: answer.to_string(),
        }
    }

    fn all(pairs: &[(Turn, Turn)]) -> Vec<Line> {
        let line = |(turn, answer): &(Turn, Turn)| Line::new(turn, answer);
        pairs.iter().map(line).collect()
    }
}

impl Solved {
    /// What was found in so many seconds.
    #[must_use]
    pub fn new(solution: &Solution, seconds: f64) -> Solved {
        let nothing = Solved {
            answer: "win",
            turns: None,
            turn: None,
            replies: None,
            lines: Vec::new(),
            tried: None,
            seconds,
        };
        match solution {
            Solution::WinNow { turn } => Solved {
                turns: Some(1),
                turn: Some(turn.to_string()),
                ..nothing
            },
            Solution::WinInTwo {
                turn,
                defences,
                replies,
            } => Solved {
                turns: Some(2),
                turn: Some(turn.to_string()),
                replies: Some(*replies),
                lines: Line::all(defences),
                ..nothing
            },
            Solution::NoWin { refuted, tried } => Solved {
                answer: "no win",
                lines: Line::all(refuted),
                tried: Some(*tried),
                ..nothing
            },
            Solution::Unknown { tried, .. } => Solved {
                answer: "unknown",
                tried: Some(*tried),
                ..nothing
            },
        }
    }
}

//! The phase over the moves of a game: on the terminal, and as a drawing in
//! the manner of the paper's figure 3.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use hathi_model::phase::{Phase, PhaseFeatures};
use hathi_rules::Label;
use hathi_view::plot::{Axis, Line, Plot};

use crate::input::given::GivenGame;

/// Moves a line.
const WIDTH: usize = 60;

/// `Game 55: omar against naveed`.
pub(super) fn title(given: &GivenGame) -> String {
    let name = match &given.id {
        Some(id) => format!("Game {id}"),
        None => "Game".to_owned(),
    };
    match (&given.players.gold, &given.players.silver) {
        (Some(gold), Some(silver)) => format!("{name}: {gold} against {silver}"),
        _ => name,
    }
}

const fn style(phase: Phase) -> Style {
    match phase {
        Phase::Opening => AnsiColor::Green,
        Phase::Middle => AnsiColor::Yellow,
        Phase::End => AnsiColor::Red,
    }
    .on_default()
}

/// A row a phase, a column a move; goal threats below.
pub(super) fn write(out: &mut impl Write, moves: &[PhaseFeatures], ascii: bool) -> io::Result<()> {
    let (full, threat) = if ascii { ('#', '!') } else { ('█', '▲') };
    for (line, part) in moves.chunks(WIDTH).enumerate() {
        if line > 0 {
            writeln!(out)?;
        }
        let first = line * WIDTH;
        for phase in Phase::ALL {
            let marks = part.iter().map(|features| {
                if features.heuristic() == phase {
                    full
                } else {
                    ' '
                }
            });
            let marks: String = marks.collect();
            let style = style(phase);
            writeln!(out, "{:>8} |{style}{marks}{style:#}|", phase.name())?;
        }
        if part.iter().any(|features| features.goal_threat) {
            let marks = part
                .iter()
                .map(|f| if f.goal_threat { threat } else { ' ' });
            writeln!(out, "{:>8} |{}|", "goal?", marks.collect::<String>())?;
        }
        writeln!(out, "{:>8}  {}", "", scale(first, part.len()).trim_end())?;
    }
    let count = |phase| moves.iter().filter(|f| f.heuristic() == phase).count();
    writeln!(
        out,
        "\nafter {} moves: opening {}, middle {}, end {}",
        moves.len(),
        count(Phase::Opening),
        count(Phase::Middle),
        count(Phase::End)
    )
}

/// Labels of some moves, each below its own.
fn scale(first: usize, len: usize) -> String {
    let mut text = String::new();
    for column in (0..len).step_by(10) {
        while text.chars().count() < column {
            text.push(' ');
        }
        text.push_str(&Label::at_index(first + column + 1).to_string());
    }
    text
}

/// Figure 3, with the chances beside it: 0 is the opening, 2 the end game.
pub(super) fn plot(title: String, moves: &[PhaseFeatures]) -> Plot {
    // Two plies are a move of the notation; setups are the first.
    let at = |ply: usize| 1.5 + 0.5 * ply as f64;
    let last = at(moves.len().saturating_sub(1)).max(2.0);
    let line = |name: &str, colour, value: &dyn Fn(&PhaseFeatures) -> f64| Line {
        name: name.to_owned(),
        colour,
        smooth: true,
        points: moves
            .iter()
            .enumerate()
            .map(|(ply, features)| (at(ply), value(features)))
            .collect(),
        ..Line::default()
    };
    let phase = |features: &PhaseFeatures| features.heuristic().index() as f64;
    let expected = |features: &PhaseFeatures| {
        let chances = PhaseFeatures {
            goal_threat: false,
            ..*features
        }
        .probabilities();
        chances.of(Phase::Middle) + 2.0 * chances.of(Phase::End)
    };
    let mut hard = line("phase", 0, &phase);
    hard.points = steps(&hard.points);
    Plot {
        title,
        x: Axis::count("move", last),
        y: Axis {
            label: String::new(),
            low: 0.0,
            high: 2.0,
            logarithmic: false,
            ticks: Phase::ALL
                .map(|phase| (phase.index() as f64, phase.name().to_owned()))
                .to_vec(),
        },
        lines: vec![hard, line("by chances, no goals", 1, &expected)],
    }
}

/// A line that stays level until the next point.
fn steps(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut level = Vec::with_capacity(2 * points.len());
    for pair in points.windows(2) {
        level.push(pair[0]);
        level.push((pair[1].0, pair[0].1));
    }
    level.extend(points.last());
    level
}

#[cfg(test)]
mod tests {
    use super::*;

    fn features(fewer_pieces: u32, goal_threat: bool) -> PhaseFeatures {
        PhaseFeatures {
            fewer_pieces,
            advanced: 0,
            goal_threat,
        }
    }

    #[test]
    fn a_column_a_move() {
        let moves = [
            features(16, false),
            features(13, false),
            features(13, true),
            features(9, false),
        ];
        let mut out = Vec::new();
        write(&mut out, &moves, true).expect("memory");
        let text = anstream::adapter::strip_bytes(&out).into_vec();
        let text = String::from_utf8(text).expect("UTF-8");
        let expected = " opening |#   |\n  middle | #  |\n     end |  ##|\n   goal? |  ! |\n\
                        \x20         1s\n\nafter 4 moves: opening 1, middle 1, end 2\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_drawing_has_steps_and_chances() {
        let plot = plot("x".to_owned(), &[features(16, false), features(9, false)]);
        assert_eq!(plot.lines[0].points, [(1.5, 0.0), (2.0, 0.0), (2.0, 2.0)]);
        let last = plot.lines[1].points[1].1;
        assert!((1.5..2.0).contains(&last), "{last}");
    }
}

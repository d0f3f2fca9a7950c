//! Local patterns: where guards and attackers of a trap should stand.
//!
//! A library of a few hundred, one a line, in `patterns/local.txt`: what it is
//! for, how good it is, and who stands where. Written for Gold at c3
//! (`protect`) and c6 (`attack`), used at all traps and for both colours.
//! Rat asks which of them it can reach with the steps left.

use hathi_rules::{Board, Position, Square, Turn};

use super::scene::Scene;
use super::view::rank;
use super::walk::walks;
use crate::dpg::Placement;

/// What a pattern is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    Protect,
    Attack,
}

#[derive(Clone, Debug)]
struct Pattern {
    purpose: Purpose,
    rating: i32,
    places: Vec<Placement>,
}

/// The library.
#[derive(Clone, Debug, Default)]
pub(crate) struct Patterns {
    list: Vec<Pattern>,
}

/// The patterns shipped.
const SHIPPED: &str = include_str!("../../patterns/local.txt");

impl Patterns {
    /// # Panics
    /// Never: a test reads every line of the library.
    pub(crate) fn shipped() -> Patterns {
        Patterns::parse(SHIPPED).expect("the patterns shipped are in order")
    }

    pub(crate) fn parse(text: &str) -> Result<Patterns, String> {
        let mut list = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.split('#').next().unwrap_or_default().trim();
            if !line.is_empty() {
                list.push(parse_line(line).map_err(|what| format!("line {number}: {what}"))?);
            }
        }
        Ok(Patterns { list })
    }

    /// Turns after which a pattern holds at the trap, and how much better it
    /// is than the best that holds now.
    pub(crate) fn reach(
        &self,
        scene: &Scene<'_>,
        purpose: Purpose,
        trap: Square,
    ) -> Vec<(Turn, Position, i32)> {
        let mirror = trap.index() % 8 > 3;
        let flip = purpose == Purpose::Protect && rank(trap) > 3;
        let board = scene.board();
        let mut now = 0;
        let mut open: Vec<(i32, Vec<Placement>)> = Vec::new();
        for pattern in self.list.iter().filter(|one| one.purpose == purpose) {
            let places = pattern.places.iter().map(|place| place.moved(mirror, flip));
            let missing = places.clone().filter(|place| !place.holds(board)).count();
            if missing == 0 {
                now = now.max(pattern.rating);
            } else if missing <= 2
                && places
                    .clone()
                    .all(|place| place.wants_ours() || place.holds(board))
            {
                open.push((pattern.rating, places.collect()));
            }
        }
        let mut found = Vec::new();
        for (rating, places) in open {
            if rating > now {
                reach_one(scene, &places, &mut |turn, after| {
                    found.push((turn, *after, rating - now));
                });
            }
        }
        found
    }
}

fn parse_line(line: &str) -> Result<Pattern, String> {
    let mut words = line.split_whitespace();
    let purpose = match words.next() {
        Some("protect") => Purpose::Protect,
        Some("attack") => Purpose::Attack,
        other => return Err(format!("{other:?} is neither protect nor attack")),
    };
    let rating = words
        .next()
        .and_then(|word| word.parse().ok())
        .ok_or("a number should say how good it is")?;
    let places = words
        .map(|word| Placement::parse(word).ok_or_else(|| format!("{word:?} is no placement")))
        .collect::<Result<Vec<_>, _>>()?;
    if !places.iter().any(|place| place.wants_ours()) {
        return Err("no piece of ours is asked for".to_owned());
    }
    Ok(Pattern {
        purpose,
        rating,
        places,
    })
}

/// Fills the places still empty, one or two of them.
fn reach_one(scene: &Scene<'_>, places: &[Placement], found: &mut impl FnMut(Turn, &Position)) {
    let board = scene.board();
    let holds = |board: &Board| places.iter().all(|place| place.holds(board));
    let Some(first) = places.iter().find(|place| !place.holds(board)) else {
        return;
    };
    for walk in scene.walks_to(first.square) {
        let wanted = board
            .piece_at(walk.from)
            .is_some_and(|piece| first.pieces.contains(piece));
        // Who is in place already stays there.
        let needed = places.iter().any(|place| place.square == walk.from);
        if !wanted || needed {
            continue;
        }
        let after = walk.after.board();
        if holds(after) {
            found(walk.turn, &walk.after);
            continue;
        }
        let mut rest = places.iter().filter(|place| !place.holds(after));
        let (Some(second), None) = (rest.next(), rest.next()) else {
            continue;
        };
        let left = walk.after.steps_left();
        if left == 0 || !second.wants_ours() {
            continue;
        }
        let near = scene.walks_to(second.square).filter(|other| {
            other.from != walk.from
                && other.turn.steps().len() <= left as usize
                && board
                    .piece_at(other.from)
                    .is_some_and(|piece| second.pieces.contains(piece))
                && !places.iter().any(|place| place.square == other.from)
        });
        for other in near {
            let again = walks(&walk.after, other.from, left)
                .into_iter()
                .find(|again| again.to == second.square);
            if let Some(again) = again
                && holds(again.after.board())
            {
                let mut turn = walk.turn;
                if again
                    .turn
                    .steps()
                    .iter()
                    .all(|&step| turn.push(step).is_ok())
                {
                    found(turn, &again.after);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_is_in_order() {
        let patterns = Patterns::parse(SHIPPED).expect("every line is a pattern");
        let count = patterns.list.len();
        assert!(count >= 200, "{count} patterns");
        for (text, error) in [
            ("guard 3 Eb3", "line 1: Some(\"guard\") is neither"),
            ("\nprotect many Eb3", "line 2: a number"),
            ("protect 3 Eb9", "line 1: \"Eb9\" is no placement"),
            ("protect 3 !b3", "line 1: no piece of ours"),
        ] {
            let said = Patterns::parse(text).expect_err("an error");
            assert!(said.starts_with(error), "{said}");
        }
    }
}

//! How selective a search is: the numbers that decide what is cut off, what is
//! searched less deeply and what a leaf is worth beside its board. They depend
//! on the evaluation, so each has its own, found by matches.

use std::fmt;
use std::str::FromStr;

/// The numbers; scores are hundredths of a rabbit, depths are steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Margins {
    /// What a step is hoped to gain at most, near the leaves.
    pub futility: i32,
    /// Up to this depth.
    pub futility_depth: i32,
    /// Half the first window round the score expected.
    pub window: i32,
    /// What a step that is left is worth.
    pub tempo: i32,
    /// What it costs that the opponent threatens to reach goal.
    pub goal_threat: i32,
    /// Late steps lose so many hundredths of a step of depth,
    pub reduction: i32,
    /// and one for each so many hundredths of ln(depth) times ln(place in the order).
    pub reduction_scale: i32,
    /// From this depth on.
    pub reduction_depth: i32,
    /// A turn that is skipped is answered by a search shallower by this.
    pub skip: i32,
    /// From this depth on.
    pub skip_depth: i32,
    /// Captures in a row that are played out at a leaf.
    pub captures: i32,
    /// Victims tried at each.
    pub victims: i32,
    /// Near the leaves so many quiet steps are tried, and for each step of depth
    /// as many again; 0 for all.
    pub tries: i32,
    /// Up to this depth.
    pub tries_depth: i32,
    /// From this depth on steps are tried in the order of the model of steps: below,
    /// in that of what the search itself has found out, which costs nothing.
    pub order_depth: i32,
    /// 1: steps skipped as hopeless may be as good as was assumed of them, so a node
    /// whose other steps all lose is not lost; 0: they are forgotten.
    pub hope: i32,
    /// Near the leaves a position that is so far ahead, and as much again for each
    /// step of depth, is good enough; 0 for never.
    pub ahead: i32,
    /// Up to this depth.
    pub ahead_depth: i32,
    /// 1: what is cut off goes by what the table knows of a position, where it knows
    /// more than the board shows; 0: by the board.
    pub known: i32,
    /// 1: where the opponent is about to reach goal, steps that can have nothing to do with it are
    /// not tried when few steps are left; 0: all are.
    pub ground: i32,
}

impl Margins {
    /// For the evaluations made by hand.
    pub const BY_HAND: Margins = Margins {
        futility: 60,
        futility_depth: 3,
        window: 60,
        tempo: 6,
        goal_threat: 120,
        reduction: 30,
        reduction_scale: 120,
        reduction_depth: 3,
        skip: 6,
        skip_depth: 4,
        captures: 2,
        victims: 3,
        tries: 0,
        tries_depth: 3,
        order_depth: 3,
        hope: 0,
        ahead: 0,
        ahead_depth: 3,
        known: 0,
        ground: 0,
    };

    /// For the network, which knows itself what the steps that are left are worth.
    /// Found by SPSA (as `hathi learn margins` does it) and matches, see `docs/log/2026-11-18-search.md`;
    /// `ground` by `docs/log/2026-11-18-threats.md`.
    pub const NETWORK: Margins = Margins {
        futility: 20,
        futility_depth: 2,
        window: 90,
        tempo: 0,
        reduction: 80,
        reduction_scale: 150,
        skip: 8,
        skip_depth: 3,
        tries: 1,
        tries_depth: 6,
        order_depth: 1,
        hope: 1,
        ahead: 100,
        ahead_depth: 3,
        known: 1,
        ground: 1,
        ..Margins::BY_HAND
    };

    /// For `mimic`, which asks the same network whether remembered turns stand: those it was
    /// measured with.
    #[cfg_attr(not(feature = "memory"), allow(dead_code))]
    pub const REMEMBERING: Margins = Margins {
        tempo: 0,
        tries: 4,
        hope: 1,
        ..Margins::BY_HAND
    };

    /// A number by its name.
    fn named(&mut self, name: &str) -> Option<&mut i32> {
        Some(match name {
            "futility" => &mut self.futility,
            "futility-depth" => &mut self.futility_depth,
            "window" => &mut self.window,
            "tempo" => &mut self.tempo,
            "goal-threat" => &mut self.goal_threat,
            "reduction" => &mut self.reduction,
            "reduction-scale" => &mut self.reduction_scale,
            "reduction-depth" => &mut self.reduction_depth,
            "skip" => &mut self.skip,
            "skip-depth" => &mut self.skip_depth,
            "captures" => &mut self.captures,
            "victims" => &mut self.victims,
            "tries" => &mut self.tries,
            "tries-depth" => &mut self.tries_depth,
            "order-depth" => &mut self.order_depth,
            "hope" => &mut self.hope,
            "ahead" => &mut self.ahead,
            "ahead-depth" => &mut self.ahead_depth,
            "known" => &mut self.known,
            "ground" => &mut self.ground,
            _ => return None,
        })
    }

    /// All names, in the order in which they are written.
    pub const NAMES: [&str; 20] = [
        "futility",
        "futility-depth",
        "window",
        "tempo",
        "goal-threat",
        "reduction",
        "reduction-scale",
        "reduction-depth",
        "skip",
        "skip-depth",
        "captures",
        "victims",
        "tries",
        "tries-depth",
        "order-depth",
        "hope",
        "ahead",
        "ahead-depth",
        "known",
        "ground",
    ];
}

/// Some margins changed, as text: `futility:120+tempo:13`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MarginChanges(Vec<(String, i32)>);

impl MarginChanges {
    /// The margins with these changes.
    pub(crate) fn of(&self, margins: Margins) -> Margins {
        let mut changed = margins;
        for (name, value) in &self.0 {
            if let Some(number) = changed.named(name) {
                *number = *value;
            }
        }
        changed
    }
}

/// Why text says nothing about margins.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no margin: write NAME:NUMBER, joined by +, with one of {names}", names = Margins::NAMES.join(", "))]
pub struct ParseMarginsError(String);

impl FromStr for MarginChanges {
    type Err = ParseMarginsError;

    fn from_str(text: &str) -> Result<MarginChanges, ParseMarginsError> {
        let mut changes = Vec::new();
        for part in text.split('+').filter(|part| !part.trim().is_empty()) {
            let fail = || ParseMarginsError(part.trim().to_owned());
            let (name, value) = part.trim().split_once(':').ok_or_else(fail)?;
            let value: i32 = value.parse().map_err(|_| fail())?;
            // Beyond this they would overflow scores.
            if !Margins::NAMES.contains(&name) || !(0..=10_000).contains(&value) {
                return Err(fail());
            }
            changes.push((name.to_owned(), value));
        }
        Ok(MarginChanges(changes))
    }
}

impl fmt::Display for MarginChanges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (name, value)) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str("+")?;
            }
            write!(f, "{name}:{value}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_changes_its_number_and_no_other() {
        for name in Margins::NAMES {
            let changes: MarginChanges = format!("{name}:77").parse().expect(name);
            assert_eq!(changes.to_string(), format!("{name}:77"));
            let mut changed = changes.of(Margins::BY_HAND);
            assert_eq!(changed.named(name).copied(), Some(77));
            if let (Some(number), Some(usual)) = (
                changed.named(name),
                Margins { ..Margins::BY_HAND }.named(name),
            ) {
                *number = *usual;
            }
            assert_eq!(changed, Margins::BY_HAND, "{name}");
        }
    }

    #[test]
    fn nonsense_is_refused_with_the_names() {
        for text in [
            "futility",
            "futility:",
            "futility:x",
            "fertility:5",
            "window:-1",
            "skip:99999",
        ] {
            let error = text.parse::<MarginChanges>().expect_err(text).to_string();
            assert!(error.contains("goal-threat"), "{error}");
        }
        assert_eq!("".parse(), Ok(MarginChanges::default()));
    }
}

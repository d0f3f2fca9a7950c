//! How much each theme of the evaluation counts in each phase of the game,
//! and the files that say so.

use hathi_model::phase::Phase;

use super::knobs::{ADVANCED_MINOR, FRAMED, KNOB_NAMES, KNOBS, MATERIAL, RABBITS, TRAPS};
use super::weights::WeightsError;

/// A share in per cent for every theme, by phase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tweaks([[i16; 3]; KNOBS]);

/// The tuned shares that are shipped. A test sees to it that they can be read.
static SHIPPED: std::sync::LazyLock<Tweaks> = std::sync::LazyLock::new(|| {
    Tweaks::parse(include_str!("../../weights/smooth.txt")).unwrap_or_else(|_| Tweaks::none())
});

impl Tweaks {
    /// Nothing is changed: the same in all phases.
    pub fn none() -> Tweaks {
        let mut shares = [[100; 3]; KNOBS];
        shares[ADVANCED_MINOR] = [0; 3];
        shares[FRAMED] = [0; 3];
        Tweaks(shares)
    }

    /// The three changes of Choksi, Ebrahim-Zadeh and Mohan, section 4.1. The
    /// paper gives no figures; these are ours, by its words: "slightly" is a
    /// tenth, "heavily" is twice.
    pub fn by_the_paper() -> Tweaks {
        let mut tweaks = Tweaks::none();
        tweaks.0[ADVANCED_MINOR] = [-30, 0, 0];
        tweaks.0[FRAMED] = [0, 0, 100];
        tweaks.0[MATERIAL] = [110, 110, 100];
        tweaks.0[TRAPS] = [110, 110, 100];
        tweaks.0[RABBITS] = [100, 100, 200];
        tweaks
    }

    /// The tuned ones that are shipped.
    pub fn shipped() -> Tweaks {
        SHIPPED.clone()
    }

    /// A share in per cent.
    pub fn get(&self, knob: usize, phase: Phase) -> i16 {
        self.0[knob][phase.index()]
    }

    /// Changes a share.
    pub fn set(&mut self, knob: usize, phase: Phase, share: i16) {
        self.0[knob][phase.index()] = share;
    }

    /// Reads a file: a line for each theme, its name, a colon and the shares in
    /// opening, middle and end game; `#` begins a comment. Themes that are not
    /// named are left as they are.
    pub fn parse(text: &str) -> Result<Tweaks, WeightsError> {
        let mut tweaks = Tweaks::none();
        for (number, line) in (1..).zip(text.lines()) {
            let fail = |what: String| WeightsError::new(number, what);
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            let (name, shares) = line
                .split_once(':')
                .ok_or_else(|| fail(format!("expected `name: numbers`, found {line:?}")))?;
            let knob = KNOB_NAMES
                .iter()
                .position(|known| *known == name.trim())
                .ok_or_else(|| {
                    let list = KNOB_NAMES.join(", ");
                    fail(format!("no theme is named {name:?}; there are {list}"))
                })?;
            let shares: Vec<i16> = shares
                .split_whitespace()
                .map(|word| {
                    word.parse()
                        .map_err(|_| fail(format!("{word:?} is not a whole number")))
                })
                .collect::<Result<_, _>>()?;
            tweaks.0[knob] = shares.as_slice().try_into().map_err(|_| {
                fail(format!(
                    "{name} has {} numbers, expected 3: opening, middle, end",
                    shares.len()
                ))
            })?;
        }
        Ok(tweaks)
    }
}

impl std::fmt::Display for Tweaks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (name, [opening, middle, end]) in KNOB_NAMES.iter().zip(self.0) {
            writeln!(
                f,
                "{:16} {opening:4} {middle:4} {end:4}",
                format!("{name}:")
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_tweaks_can_be_read_and_are_some() {
        let read = Tweaks::parse(include_str!("../../weights/smooth.txt")).expect("readable");
        assert_ne!(read, Tweaks::none());
    }

    #[test]
    fn tweaks_survive_a_file() {
        let tweaks = Tweaks::by_the_paper();
        assert_eq!(Tweaks::parse(&tweaks.to_string()), Ok(tweaks));
    }

    #[test]
    fn bad_files_are_refused_with_a_reason() {
        for (text, reason) in [
            (
                "traps: 1 2",
                "weights, line 1: traps has 2 numbers, expected 3: opening, middle, end",
            ),
            (
                "\nmaterial: 1 x 3",
                "weights, line 2: \"x\" is not a whole number",
            ),
            ("1 2 3", "weights, line 1: expected `name: numbers`"),
            ("no: 1 2 3", "weights, line 1: no theme is named \"no\""),
        ] {
            let said = Tweaks::parse(text).unwrap_err().to_string();
            assert!(said.starts_with(reason), "{said}");
        }
    }
}

//! What the engine `mix` is mixed from: `mix:p=0.57,a=greedy,b=random`.

use std::fmt;
use std::str::FromStr;

use crate::options::OptionAccess;
use crate::{EngineKind, EngineOption, EngineOptions, EngineSpec};

/// Two engines, and how often the first decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mixture {
    /// The chance that the first decides.
    pub share: MixShare,
    /// The first.
    pub first: MixPart,
    /// The second.
    pub second: MixPart,
}

/// A chance, in ten thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MixShare(u16);

impl MixShare {
    const WHOLE: u16 = 10_000;

    /// The chance, 0 to 1.
    pub fn chance(self) -> f64 {
        f64::from(self.0) / f64::from(MixShare::WHOLE)
    }

    /// Reads `0.57`: 0 to 1, with up to four digits.
    pub(crate) fn read(text: &str) -> Option<MixShare> {
        let share: f64 = text.parse().ok()?;
        let parts = (share * f64::from(MixShare::WHOLE)).round();
        #[allow(clippy::cast_sign_loss)] // between 0 and 1
        (0.0..=1.0)
            .contains(&share)
            .then_some(MixShare(parts as u16))
    }
}

impl fmt::Display for MixShare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.chance())
    }
}

/// One of the two: an engine and its own options, `fallback+depth:4+nodes:1000`.
/// What it does not set it has from the mixture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MixPart {
    kind: EngineKind,
    own: Vec<(&'static str, String)>,
}

impl MixPart {
    fn of(kind: EngineKind) -> MixPart {
        MixPart {
            kind,
            own: Vec::new(),
        }
    }

    /// Reads it. No mixtures inside, and no options that name files or the
    /// memory: those are the mixture's.
    pub(crate) fn read(text: &str) -> Option<MixPart> {
        let mut words = text.split('+');
        let kind = EngineKind::by_name(words.next()?.trim())?;
        if kind == EngineKind::Mix {
            return None;
        }
        let mut part = MixPart::of(kind);
        for word in words {
            let (name, value) = word.split_once(':')?;
            let option = EngineOption::by_name(name.trim())?;
            if option.access == OptionAccess::Files || option.is_of_mixture() {
                return None;
            }
            EngineOptions::default().set(option.name, value).ok()?;
            part.own.push((option.name, value.trim().to_owned()));
        }
        Some(part)
    }

    /// The engine, with the options of the mixture where it has none of its own.
    fn spec(&self, of_mixture: &EngineOptions) -> EngineSpec {
        let mut options = EngineOptions {
            mixture: Box::default(),
            ..of_mixture.clone()
        };
        for (name, value) in &self.own {
            // Tried when it was read.
            let _ = options.set(name, value);
        }
        EngineSpec {
            kind: self.kind,
            options,
        }
    }
}

impl fmt::Display for MixPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.name())?;
        for (name, value) in &self.own {
            write!(f, "+{name}:{value}")?;
        }
        Ok(())
    }
}

impl FromStr for MixPart {
    type Err = ();

    fn from_str(text: &str) -> Result<MixPart, ()> {
        MixPart::read(text).ok_or(())
    }
}

impl Mixture {
    /// Both engines.
    pub(crate) fn parts(&self, options: &EngineOptions) -> [EngineSpec; 2] {
        [&self.first, &self.second].map(|part| part.spec(options))
    }
}

impl Default for Mixture {
    fn default() -> Mixture {
        Mixture {
            share: MixShare(MixShare::WHOLE / 2),
            first: MixPart::of(EngineKind::USUAL),
            second: MixPart::of(EngineKind::Random),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_read_and_written_back() {
        for text in ["greedy", "fallback+depth:4+nodes:1000", "level-3"] {
            assert_eq!(MixPart::read(text).expect(text).to_string(), text);
        }
        for bad in [
            "",
            "nobody",
            "mix",
            "fairy+depth",
            "fairy+depth:x",
            "mimic+store:x.db",
            "fairy+p:0.5",
            "fairy+a:random",
            "fairy:depth=4",
        ] {
            assert_eq!(MixPart::read(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_part_has_its_own_options_and_the_rest_from_the_mixture() {
        let spec: EngineSpec = "mix:nodes=500,hash=2,store=x.db,p=0.57,a=fallback+depth:4,b=step"
            .parse()
            .expect("a mixture");
        let [first, second] = spec.options.mixture.parts(&spec.options);
        let has = |spec: &EngineSpec| (spec.options.nodes, spec.options.depth, spec.options.hash);
        assert_eq!(
            (first.kind, has(&first)),
            (EngineKind::Fallback, (500, 4, 2))
        );
        assert_eq!((second.kind, has(&second)), (EngineKind::Step, (500, 0, 2)));
        assert_eq!(second.options.store, "x.db");
    }

    #[test]
    fn shares_are_chances() {
        for (text, chance) in [("0", 0.0), ("1", 1.0), ("0.57", 0.57), ("0.1234", 0.1234)] {
            let share = MixShare::read(text).expect(text);
            assert!((share.chance() - chance).abs() < 1e-9);
            assert_eq!(share.to_string(), text);
        }
        for bad in ["", "x", "-0.1", "1.1", "nan", "inf"] {
            assert_eq!(MixShare::read(bad), None, "{bad}");
        }
    }
}

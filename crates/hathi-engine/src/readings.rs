//! Readings of McKee's thesis: where its words allow two, `mimic-2014` can
//! follow either. The first of each is what his pseudocode says.

/// A choice of few words, as options are written.
macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($(#[$of:meta])* $value:ident = $word:literal),+ $(,)? }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$of])* $value),+
        }

        impl $name {
            /// All of them, the usual one first.
            pub const ALL: &'static [$name] = &[$($name::$value),+];

            /// The word for it.
            pub const fn name(self) -> &'static str {
                match self {
                    $($name::$value => $word),+
                }
            }

            /// The one of this name.
            pub fn by_name(name: &str) -> Option<$name> {
                Self::ALL.iter().copied().find(|one| one.name() == name)
            }
        }
    };
}

words! {
    /// What of a turn is played again on another board.
    Replay {
        /// The same kind of piece from the same square.
        #[default]
        Letter = "letter",
        /// Whatever piece stands on the same square: "all friendly pieces will
        /// have their strength shrunk to rabbits" (Figure 7).
        Square = "square",
    }
}

words! {
    /// What the last window lies round.
    WindowRound {
        /// The trap, as in the pseudocode of Figure 7.
        #[default]
        Trap = "trap",
        /// The piece to move, as in the words before it ("using the piece we are
        /// supposed to move as the center of our area of concentration").
        Piece = "piece",
    }
}

words! {
    /// Which of the answers of a level can be played.
    HitsUsed {
        /// The top one, or none.
        #[default]
        Top = "top",
        /// The best one that is legal, which he wishes for (section 5.3).
        Legal = "legal",
    }
}

words! {
    /// Where the setup comes from.
    SetupsFrom {
        /// The memory (section 3.1).
        #[default]
        Own = "own",
        /// Chance.
        Drawn = "drawn",
    }
}

words! {
    /// What is played when nothing is remembered.
    Otherwise {
        /// Any turn (section 3.7).
        #[default]
        Random = "random",
        /// What the engine `fallback` finds.
        Search = "search",
    }
}

/// How `mimic-2014` reads the thesis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Readings {
    /// What of a turn is played again.
    pub replay: Replay,
    /// What the last window lies round.
    pub window: WindowRound,
    /// Which answers can be played.
    pub hits: HitsUsed,
    /// Where the setup comes from.
    pub setups: SetupsFrom,
    /// What is played when nothing is remembered.
    pub otherwise: Otherwise,
}

impl Readings {
    /// All there are, what his pseudocode says first.
    pub fn all() -> impl Iterator<Item = Readings> {
        Replay::ALL.iter().flat_map(|&replay| {
            WindowRound::ALL.iter().flat_map(move |&window| {
                HitsUsed::ALL.iter().flat_map(move |&hits| {
                    SetupsFrom::ALL.iter().flat_map(move |&setups| {
                        Otherwise::ALL.iter().map(move |&otherwise| Readings {
                            replay,
                            window,
                            hits,
                            setups,
                            otherwise,
                        })
                    })
                })
            })
        })
    }

    /// In five words: `letter, trap, top, own, random`.
    pub fn words(self) -> String {
        [
            self.replay.name(),
            self.window.name(),
            self.hits.name(),
            self.setups.name(),
            self.otherwise.name(),
        ]
        .join(", ")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_reading_is_there_once_and_the_usual_one_first() {
        let all: Vec<Readings> = Readings::all().collect();
        assert_eq!(all.len(), 32);
        assert_eq!(all[0], Readings::default());
        let words: HashSet<String> = all.iter().map(|one| one.words()).collect();
        assert_eq!(words.len(), 32);
        assert_eq!(all[0].words(), "letter, trap, top, own, random");
    }
}

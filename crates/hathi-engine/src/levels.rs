//! Opponents for people, from somebody who has just learned the rules to the
//! engine with all it has: ten levels, weakest first.
//!
//! A level plays as people of that strength do: it thinks of fewer turns, does
//! not look at the answer, looks less far, and takes the second best where it
//! is nearly as good. None of it depends on the speed of the machine but level
//! 10, which takes the time it is given.

/// How many levels there are.
pub const LEVELS: usize = TABLE.len();

/// What ratings are counted from, in a sentence for people.
pub const RATING_SCALE: &str = "On this scale a player who takes any legal turn by chance has 0, and 200 more means winning three games of four.";

/// One of the levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PlayLevel(u8);

impl PlayLevel {
    /// All of them, weakest first.
    pub fn all() -> impl Iterator<Item = PlayLevel> {
        (0..LEVELS as u8).map(PlayLevel)
    }

    /// The level of this number, from 1.
    ///
    /// ```
    /// use hathi_engine::PlayLevel;
    /// assert_eq!(PlayLevel::new(3).map(PlayLevel::number), Some(3));
    /// assert_eq!(PlayLevel::new(0), None);
    /// assert_eq!(PlayLevel::new(11), None);
    /// ```
    pub fn new(number: usize) -> Option<PlayLevel> {
        let index = number.checked_sub(1).filter(|index| *index < LEVELS)?;
        u8::try_from(index).ok().map(PlayLevel)
    }

    /// Its number, from 1 for the weakest.
    pub const fn number(self) -> usize {
        self.0 as usize + 1
    }

    /// The engine's name by which it is asked for: `level-3`.
    pub const fn engine(self) -> &'static str {
        self.settings().engine
    }

    /// What people call it.
    pub const fn name(self) -> &'static str {
        self.settings().name
    }

    /// How it plays, in a sentence for players.
    pub const fn about(self) -> &'static str {
        self.settings().about
    }

    /// What it was measured at, on [`RATING_SCALE`]; see
    /// `docs/measurements.md`.
    pub const fn rating(self) -> i32 {
        self.settings().rating
    }

    /// Does it think for as long as it is allowed to?
    pub(crate) const fn takes_all_time(self) -> bool {
        matches!(self.settings().sight, Sight::Full)
    }

    pub(crate) const fn settings(self) -> &'static LevelSettings {
        &TABLE[self.0 as usize]
    }
}

/// How a level thinks.
#[derive(Debug)]
pub(crate) struct LevelSettings {
    engine: &'static str,
    name: &'static str,
    about: &'static str,
    rating: i32,
    pub(crate) sight: Sight,
    /// How much chance to win a turn may give away and still be taken now and
    /// then: that much less makes it e times less likely.
    pub(crate) temperature: f64,
}

/// What a level sees.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Sight {
    /// Some turns that come to mind, and the boards right after them.
    Glance {
        /// So many.
        turns: usize,
        /// A goal is seen if it takes no more steps.
        goal: usize,
    },
    /// A search, the same on every machine.
    Search {
        /// Steps it looks ahead.
        depth: u32,
        /// Positions it looks at.
        nodes: u64,
        /// Turns it chooses from; 1 for the best alone.
        lines: usize,
    },
    /// A search with all the time there is.
    Full,
}

const TABLE: [LevelSettings; 10] = [
    LevelSettings {
        engine: "level-1",
        name: "First steps",
        about: "knows the rules and moves about; takes a goal that is one step away",
        rating: 110,
        sight: Sight::Glance { turns: 2, goal: 1 },
        temperature: 0.3,
    },
    LevelSettings {
        engine: "level-2",
        name: "Beginner",
        about: "thinks of three turns and takes the nicest; never thinks of your answer",
        rating: 460,
        sight: Sight::Glance { turns: 3, goal: 2 },
        temperature: 0.06,
    },
    LevelSettings {
        engine: "level-3",
        name: "Easy",
        about: "sees a capture now and then, and a goal of three steps, but none of yours",
        rating: 800,
        sight: Sight::Glance { turns: 8, goal: 3 },
        temperature: 0.03,
    },
    LevelSettings {
        engine: "level-4",
        name: "Casual",
        about: "thinks of many turns and often finds a capture; does not see your threats",
        rating: 1180,
        sight: Sight::Glance { turns: 40, goal: 4 },
        temperature: 0.015,
    },
    LevelSettings {
        engine: "level-5",
        name: "Steady",
        about: "rarely overlooks what it can do this turn, but does not see your threats",
        rating: 1620,
        sight: Sight::Glance {
            turns: 500,
            goal: 4,
        },
        temperature: 0.006,
    },
    LevelSettings {
        engine: "level-6",
        name: "Attentive",
        about: "looks through its own turn before it chooses",
        rating: 2320,
        sight: Sight::Search {
            depth: 4,
            nodes: 2_000,
            lines: 5,
        },
        temperature: 0.015,
    },
    LevelSettings {
        engine: "level-7",
        name: "Solid",
        about: "looks through its own turn and at the first steps of your answer",
        rating: 2500,
        sight: Sight::Search {
            depth: 6,
            nodes: 5_000,
            lines: 5,
        },
        temperature: 0.01,
    },
    LevelSettings {
        engine: "level-8",
        name: "Strong",
        about: "looks at your answer, too, and plays what is nearly best now and then",
        rating: 2660,
        sight: Sight::Search {
            depth: 40,
            nodes: 12_000,
            lines: 5,
        },
        temperature: 0.005,
    },
    LevelSettings {
        engine: "level-9",
        name: "Very strong",
        about: "looks as far, and plays only what it takes for best",
        rating: 3040,
        sight: Sight::Search {
            depth: 40,
            nodes: 10_000,
            lines: 1,
        },
        temperature: 0.005,
    },
    LevelSettings {
        engine: "level-10",
        name: "Full strength",
        about: "the strongest engine, with all the time it is given",
        rating: 3530,
        sight: Sight::Full,
        temperature: 0.005,
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_numbered_named_and_in_order() {
        let levels: Vec<PlayLevel> = PlayLevel::all().collect();
        assert_eq!(levels.len(), 10);
        for (index, level) in levels.iter().enumerate() {
            assert_eq!(level.number(), index + 1);
            assert_eq!(PlayLevel::new(index + 1), Some(*level));
            assert_eq!(level.engine(), format!("level-{}", index + 1));
        }
        assert!(levels.is_sorted_by(|a, b| a.rating() < b.rating()));
    }
}

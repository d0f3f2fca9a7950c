//! Where games begin: sound setups of many kinds, and a few random turns; or
//! positions somebody chose.

use std::fmt;
use std::sync::Arc;

use hathi_rules::{Game, Outcome, Position, Role, RuleSet, Setup, Side, Square, TurnGenerator};

/// How paired games begin: both sides play the same opening once with each
/// colour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Openings {
    /// The engines set up themselves.
    Own,
    /// Sound setups drawn by chance, then this many random turns.
    Drawn {
        /// Turns after the setups.
        turns: usize,
    },
    /// From these positions, one pair of games after the other, and from the
    /// first again after the last.
    From(StartPositions),
}

/// Positions to play from: at least one, and no game is over in any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartPositions(Arc<[Position]>);

/// Why positions are none to play from.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StartPositionsError {
    /// Not one.
    #[error("there is no position to play from")]
    Empty,
    /// Nothing to play here.
    #[error("line {line}: the game is over here: {outcome}")]
    Over {
        /// Its line, from 1.
        line: usize,
        /// How it has ended.
        outcome: Outcome,
    },
    /// A line that is none.
    #[error("line {line}: {why}")]
    Unreadable {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
}

impl StartPositions {
    /// Reads positions, one a line as `g [64 characters]`; empty lines and those
    /// that begin with `#` are passed over.
    ///
    /// ```
    /// use hathi_arena::StartPositions;
    /// let text = "# a race\n\ng [r......................................R........................]";
    /// assert_eq!(StartPositions::read(text)?.len(), 1);
    /// let error = StartPositions::read("\ng [rR]").unwrap_err();
    /// assert!(error.to_string().starts_with("line 2: "), "{error}");
    /// # Ok::<(), hathi_arena::StartPositionsError>(())
    /// ```
    pub fn read(text: &str) -> Result<StartPositions, StartPositionsError> {
        let mut positions = Vec::new();
        for (line, text) in (1..).zip(text.lines()) {
            let text = text.trim_start_matches('\u{feff}').trim();
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            let position: Position =
                text.parse()
                    .map_err(|error: hathi_rules::ParsePositionError| {
                        StartPositionsError::Unreadable {
                            line,
                            why: error.to_string(),
                        }
                    })?;
            let game = Game::from_position(RuleSet::Modern, position);
            if let Some(outcome) = game.outcome() {
                return Err(StartPositionsError::Over { line, outcome });
            }
            positions.push(game.position());
        }
        if positions.is_empty() {
            return Err(StartPositionsError::Empty);
        }
        Ok(StartPositions(positions.into()))
    }

    /// How many there are.
    #[allow(clippy::len_without_is_empty)] // it never is
    pub fn len(&self) -> usize {
        self.0.len()
    }

    fn get(&self, number: u64) -> Position {
        self.0[(number % self.0.len() as u64) as usize]
    }
}

/// The text they are read from, but for what was passed over.
impl fmt::Display for StartPositions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for position in self.0.iter() {
            writeln!(f, "{position}")?;
        }
        Ok(())
    }
}

/// As tournaments on disk know them.
impl fmt::Display for Openings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Openings::Own | Openings::Drawn { .. } => write!(f, "{self:?}"),
            Openings::From(positions) => {
                let hash = positions.0.iter().fold(0, |hash: u64, position| {
                    hash.rotate_left(7) ^ position.hash()
                });
                write!(f, "{} positions, {hash:016x}", positions.len())
            }
        }
    }
}

impl Openings {
    /// The game as it stands when the engines take over. The same seed and
    /// number give the same opening.
    pub fn game(&self, seed: u64, number: u64) -> Game {
        let turns = match self {
            Openings::Own => return Game::new(RuleSet::Modern),
            Openings::From(positions) => {
                return Game::from_position(RuleSet::Modern, positions.get(number));
            }
            Openings::Drawn { turns } => *turns,
        };
        let mut random = fastrand::Rng::with_seed(seed.wrapping_add(mix(number)));
        loop {
            let mut game = Game::new(RuleSet::Modern);
            for side in [Side::Gold, Side::Silver] {
                // Both setups are complete and in order.
                let _ = game.set_up(&sound_setup(side, &mut random));
            }
            let mut generator = TurnGenerator::new();
            for _ in 0..turns {
                let reached = generator.generate(&game.position());
                let pick = random.usize(..reached.len().max(1));
                if let Some(turn) = { reached }.nth(pick).map(|reached| reached.turn()) {
                    let _ = game.play(&turn);
                }
            }
            // Random turns may end a game; those are drawn again.
            if game.outcome().is_none() {
                return game;
            }
        }
    }
}

/// Neighbouring numbers give unrelated dice.
pub(crate) fn mix(number: u64) -> u64 {
    let mut rng = fastrand::Rng::with_seed(number ^ 0x9e37_79b9_7f4a_7c15);
    rng.u64(..)
}

/// Elephant and camel in the centre, horses on the wings, a cat or a dog
/// behind each trap, rabbits behind.
///
/// # Panics
/// Never: every draw places all sixteen pieces, which a test sees to.
pub fn sound_setup(side: Side, random: &mut fastrand::Rng) -> Setup {
    draw(side, random).unwrap_or_else(|| usual_setup(side))
}

/// One setup that is always good.
///
/// # Panics
/// Never: the arrangement is complete, which a test sees to.
pub fn usual_setup(side: Side) -> Setup {
    let home = [
        Role::Rabbit,
        Role::Rabbit,
        Role::Rabbit,
        Role::Dog,
        Role::Dog,
        Role::Rabbit,
        Role::Rabbit,
        Role::Rabbit,
        Role::Rabbit,
        Role::Horse,
        Role::Cat,
        Role::Camel,
        Role::Elephant,
        Role::Cat,
        Role::Horse,
        Role::Rabbit,
    ];
    arrange(side, home).expect("a complete arrangement")
}

fn draw(side: Side, random: &mut fastrand::Rng) -> Option<Setup> {
    const A2: usize = 8;
    let mut home = [Role::Rabbit; 16];
    let mut centre = [Role::Elephant, Role::Camel];
    random.shuffle(&mut centre);
    [home[A2 + 3], home[A2 + 4]] = centre;
    let wing = random.usize(..2);
    home[A2 + wing] = Role::Horse;
    home[A2 + 7 - wing] = Role::Horse;
    let mut guards = [Role::Dog, Role::Dog, Role::Cat, Role::Cat];
    random.shuffle(&mut guards);
    let [left, right, third, fourth] = guards;
    home[A2 + 2] = left;
    home[A2 + 5] = right;
    // b1 and g1, c1 and f1, or d1 and e1.
    let back = 1 + random.usize(..3);
    home[back] = third;
    home[7 - back] = fourth;
    arrange(side, home)
}

/// Gold's a1 to h1, then a2 to h2; Silver sees it from its own side.
fn arrange(side: Side, home: [Role; 16]) -> Option<Setup> {
    let mut ordered = [Role::Rabbit; 16];
    for (place, square) in ordered.iter_mut().zip(side.home()) {
        let seen: Square = match side {
            Side::Gold => square,
            Side::Silver => square.flip(),
        };
        *place = *home.get(seen.index())?;
    }
    Setup::new(side, ordered).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_draw_is_complete_and_there_are_many() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut seen = std::collections::HashSet::new();
        for _ in 0..2000 {
            for side in [Side::Gold, Side::Silver] {
                seen.insert(draw(side, &mut random).expect("complete").to_string());
            }
        }
        assert!(seen.len() > 100, "{}", seen.len());
        for side in [Side::Gold, Side::Silver] {
            assert_eq!(usual_setup(side).side(), side);
        }
        assert!(usual_setup(Side::Silver).to_string().contains("ee7"));
    }

    #[test]
    fn openings_depend_on_seed_and_number_only() {
        let openings = Openings::Drawn { turns: 4 };
        let position = |seed, number| openings.game(seed, number).position();
        assert_eq!(position(1, 2), position(1, 2));
        assert_ne!(position(1, 2), position(1, 3));
        assert_ne!(position(1, 2), position(2, 2));
        assert_eq!(openings.game(5, 0).turns().len(), 4);
        assert_eq!(Openings::Own.game(5, 0).must_set_up(), Some(Side::Gold));
    }

    #[test]
    fn positions_are_taken_in_turn_and_bad_ones_named_by_their_line() {
        let race = format!("g [r{}R{}]", " ".repeat(38), " ".repeat(24));
        let other = format!("s [r{}R{}]", " ".repeat(40), " ".repeat(22));
        let text = format!("\u{feff}# two\n\n{race}\n  {other}  \n");
        let positions = StartPositions::read(&text).expect("two positions");
        assert_eq!(positions.to_string(), format!("{race}\n{other}\n"));
        let openings = Openings::From(positions);
        let side = |number| openings.game(7, number).side_to_move();
        assert_eq!(
            [side(0), side(1), side(2)],
            [Side::Gold, Side::Silver, Side::Gold]
        );
        assert!(openings.to_string().starts_with("2 positions, "));
        assert_ne!(
            openings.to_string(),
            Openings::From(StartPositions::read(&race).expect("one")).to_string()
        );

        let over = format!("g [R{}r{}]", " ".repeat(38), " ".repeat(24));
        for (text, said) in [
            (String::new(), "there is no position to play from"),
            (
                "# nothing\n".to_owned(),
                "there is no position to play from",
            ),
            (format!("{race}\nnonsense"), "line 2: "),
            (
                format!("{race}\n\n{over}"),
                "line 3: the game is over here: Gold wins by goal",
            ),
        ] {
            let error = StartPositions::read(&text).expect_err("no use").to_string();
            assert!(error.starts_with(said), "{error}");
        }
    }
}

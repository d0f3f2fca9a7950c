//! Setups for engines without a memory of them: a few arrangements, and how
//! each did when `hathi` played them against each other.

use std::sync::LazyLock;

#[cfg(feature = "memory")]
use hathi_rules::Symmetry;
use hathi_rules::{Bitboard, Game, Role, Setup, Side, Square};

use crate::{Choice, Decision, EngineError};

/// The arrangements and their results, as `hathi learn setups` writes them.
static TABLE: &str = include_str!("setups.tsv");

/// Setups that won so many hundredths of their games less than the best one
/// are not played.
const BEHIND: f64 = 5.0;

/// Games won of games played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games won.
    pub won: u32,
    /// Games that somebody won.
    pub games: u32,
}

impl Tally {
    /// Hundredths of the games that were won; half of them while there are none.
    pub fn share(self) -> f64 {
        if self.games == 0 {
            50.0
        } else {
            100.0 * f64::from(self.won) / f64::from(self.games)
        }
    }
}

/// An arrangement of the pieces at the start, and how it did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SoundSetup {
    /// The rows from a to h: the one behind, then the one in front.
    pub rows: [String; 2],
    /// Its results by side, Gold's first.
    pub results: [Tally; 2],
}

/// Why a table of setups cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "line {line}: {text:?} is no setup: write its back row and its front row (8 letters of EMHDCR each, 16 pieces in all), \
     then games won and played as Gold and as Silver"
)]
pub struct SetupTableError {
    line: usize,
    text: String,
}

impl SoundSetup {
    /// Reads a table: a setup a line, lines with `#` are notes.
    pub fn read_all(table: &str) -> Result<Vec<SoundSetup>, SetupTableError> {
        let lines = table.lines().enumerate();
        lines
            .filter(|(_, text)| !text.starts_with('#') && !text.trim().is_empty())
            .map(|(index, text)| {
                SoundSetup::read(text).ok_or_else(|| SetupTableError {
                    line: index + 1,
                    text: text.to_owned(),
                })
            })
            .collect()
    }

    fn read(line: &str) -> Option<SoundSetup> {
        let mut words = line.split_whitespace();
        let rows = [words.next()?.to_owned(), words.next()?.to_owned()];
        let mut results = [Tally::default(); 2];
        for tally in &mut results {
            // New ones have no results yet.
            if let Some(won) = words.next() {
                tally.won = won.parse().ok()?;
                tally.games = words.next()?.parse().ok()?;
            }
        }
        let fits = results.iter().all(|tally| tally.won <= tally.games);
        let setup = SoundSetup { rows, results };
        (fits && words.next().is_none() && setup.on(Side::Gold, false).is_some()).then_some(setup)
    }

    /// Its results on both sides: a setup is as good for one as for the other, and twice the games
    /// say more.
    pub fn tally(&self) -> Tally {
        let [gold, silver] = self.results;
        Tally {
            won: gold.won + silver.won,
            games: gold.games + silver.games,
        }
    }

    /// The setup of a side, as written or with left and right exchanged.
    pub fn on(&self, side: Side, mirrored: bool) -> Option<Setup> {
        arrange(side, &self.rows, mirrored)
    }
}

/// The setups that engines without a memory know. A test sees to it that all can be read.
pub fn sound_setups() -> &'static [SoundSetup] {
    static ALL: LazyLock<Vec<SoundSetup>> =
        LazyLock::new(|| SoundSetup::read_all(TABLE).unwrap_or_default());
    &ALL
}

/// Those that do best, or nearly so.
fn best() -> Vec<&'static SoundSetup> {
    let share = |setup: &SoundSetup| setup.tally().share();
    let top = sound_setups().iter().map(share).fold(0.0, f64::max);
    let good = |setup: &&SoundSetup| share(setup) >= top - BEHIND;
    sound_setups().iter().filter(good).collect()
}

/// The half of the board where a side sets up.
pub(crate) const fn own_half(side: Side) -> Bitboard {
    match side {
        Side::Gold => Bitboard(0x0000_0000_ffff_ffff),
        Side::Silver => Bitboard(0xffff_ffff_0000_0000),
    }
}

/// If the game is to be set up, one of the setups that did best, by chance.
pub(crate) fn sound(
    game: &Game,
    random: &mut fastrand::Rng,
) -> Result<Option<Decision>, EngineError> {
    choose(game, |side| {
        let Some(setup) = random.choice(best()) else {
            return (None, String::new());
        };
        let Tally { won, games } = setup.tally();
        let reason = if games == 0 {
            "a sound setup".to_owned()
        } else {
            format!("a setup that won {won} of {games} games of ours, drawn from the best")
        };
        (setup.on(side, random.bool()), reason)
    })
}

/// A game that others played says this much of what one of ours does: who won it may have been the
/// better player.
#[cfg(feature = "memory")]
const OTHERS_COUNT: f64 = 0.25;

/// So many games half of which are won keep chance finds down, where there are no games of ours.
#[cfg(feature = "memory")]
const PRIOR: f64 = 20.0;

/// The same, by our own results and those that a memory has of setups: theirs count less, and may
/// speak for setups of others as well. A setup of the memory may stand for its mirror image, too.
#[cfg(feature = "memory")]
pub(crate) fn sound_or_remembered(
    game: &Game,
    remembered: &[(Setup, Tally)],
    random: &mut fastrand::Rng,
) -> Result<Option<Decision>, EngineError> {
    choose(game, |side| {
        let known = weigh(side, remembered);
        let top = known.iter().map(Known::share).fold(0.0, f64::max);
        let good = known.iter().filter(|known| known.share() >= top - BEHIND);
        let Some(known) = random.choice(good.collect::<Vec<_>>()) else {
            return (None, String::new());
        };
        let Tally { won, games } = known.ours;
        let ours = match games {
            0 => String::new(),
            _ => format!("won {won} of {games} games of ours"),
        };
        let Tally { won, games } = known.theirs;
        let theirs = match games {
            0 => String::new(),
            _ => format!("won {won} of {games} in the memory"),
        };
        let parts: Vec<_> = [ours, theirs]
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect();
        let reason = format!("a setup that {}, drawn from the best", parts.join(" and "));
        let mirrored = random.bool();
        let setup = if mirrored {
            Symmetry::MIRROR.apply(known.setup)
        } else {
            known.setup
        };
        (Some(setup), reason)
    })
}

/// What is known of a setup and its mirror image.
#[cfg(feature = "memory")]
struct Known {
    setup: Setup,
    ours: Tally,
    theirs: Tally,
}

#[cfg(feature = "memory")]
impl Known {
    /// Hundredths of the games that were won, by both.
    fn share(&self) -> f64 {
        let prior = if self.ours.games == 0 { PRIOR } else { 0.0 };
        let both = |ours: u32, theirs: u32| f64::from(ours) + OTHERS_COUNT * f64::from(theirs);
        let won = both(self.ours.won, self.theirs.won) + prior / 2.0;
        let games = both(self.ours.games, self.theirs.games) + prior;
        100.0 * won / games
    }
}

/// Our setups and those of the memory, each with both results.
#[cfg(feature = "memory")]
fn weigh(side: Side, remembered: &[(Setup, Tally)]) -> Vec<Known> {
    let ours = sound_setups().iter().filter_map(|sound| {
        Some(Known {
            setup: sound.on(side, false)?,
            ours: sound.tally(),
            theirs: Tally::default(),
        })
    });
    let mut all: Vec<Known> = ours.collect();
    for &(setup, tally) in remembered {
        let mirror = Symmetry::MIRROR.apply(setup);
        let same = all
            .iter_mut()
            .find(|known| [setup, mirror].contains(&known.setup));
        match same {
            Some(known) => {
                known.theirs.won = known.theirs.won.saturating_add(tally.won);
                known.theirs.games = known.theirs.games.saturating_add(tally.games);
            }
            None => all.push(Known {
                setup,
                ours: Tally::default(),
                theirs: tally,
            }),
        }
    }
    all
}

/// If the game is to be set up, any arrangement at all.
pub(crate) fn random(
    game: &Game,
    random: &mut fastrand::Rng,
) -> Result<Option<Decision>, EngineError> {
    choose(game, |side| {
        let mut roles = [Role::Rabbit; 16];
        let mut filled = 0;
        for role in Role::ALL {
            let count = role.count_at_start() as usize;
            roles[filled..filled + count].fill(role);
            filled += count;
        }
        random.shuffle(&mut roles);
        (
            Setup::new(side, roles).ok(),
            "pieces placed by chance".to_owned(),
        )
    })
}

fn choose(
    game: &Game,
    make: impl FnOnce(Side) -> (Option<Setup>, String),
) -> Result<Option<Decision>, EngineError> {
    if game.outcome().is_some() {
        return Err(EngineError::GameOver);
    }
    let Some(side) = game.must_set_up() else {
        return Ok(None);
    };
    let (setup, reason) = make(side);
    let setup = setup.unwrap_or_else(|| usual(side));
    Ok(Some(Decision::because(Choice::SetUp(setup), reason)))
}

/// One that holds up against anything: rabbits behind, cats and dogs to guard
/// the traps, the horses on the wings, elephant and camel in the centre.
///
/// # Panics
/// Never: the arrangement is complete, which a test sees to.
pub(crate) fn usual(side: Side) -> Setup {
    arrange(side, &["RRRDDRRR", "RHCMECHR"], false).expect("a complete arrangement")
}

/// Gold's back row first, from a to h.
fn arrange(side: Side, rows: &[impl AsRef<str>; 2], mirrored: bool) -> Option<Setup> {
    let mut roles = Vec::with_capacity(16);
    for row in rows {
        let row = row.as_ref().chars().map(Role::from_char);
        let mut row: Vec<Role> = row.collect::<Option<_>>()?;
        if mirrored {
            row.reverse();
        }
        roles.extend(row);
    }
    let by_square: [Role; 16] = roles.try_into().ok()?;
    // A setup lists its squares upwards from its own first square.
    let mut ordered = [Role::Rabbit; 16];
    let home = Setup::new(side, by_square).ok()?;
    for (place, (square, _)) in ordered.iter_mut().zip(home.placements()) {
        *place = by_square[seen_from_gold(side, square).index()];
    }
    Setup::new(side, ordered).ok()
}

fn seen_from_gold(side: Side, square: Square) -> Square {
    match side {
        Side::Gold => square,
        Side::Silver => square.flip(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hathi_rules::{Board, RuleSet};

    #[test]
    fn all_sound_setups_are_complete_on_both_sides_and_different() {
        assert_eq!(
            SoundSetup::read_all(TABLE)
                .expect("the shipped table")
                .len(),
            sound_setups().len()
        );
        assert!(sound_setups().len() >= 8);
        let mut seen = Vec::new();
        for sound in sound_setups() {
            for mirrored in [false, true] {
                let setup = sound.on(Side::Gold, mirrored).expect("complete");
                let mut board = Board::EMPTY;
                setup.place_on(&mut board);
                let home = board.role(Role::Elephant).first().expect("an elephant");
                assert!(home.to_string().ends_with('2'), "{home}");
                let mut other = Board::EMPTY;
                let silver = sound.on(Side::Silver, mirrored).expect("complete");
                silver.place_on(&mut other);
                let away = other.role(Role::Elephant).first().expect("an elephant");
                assert_eq!(away, home.flip());
                if !mirrored {
                    assert!(!seen.contains(&board), "twice: {:?}", sound.rows);
                }
                seen.push(board);
            }
        }
    }

    #[test]
    fn the_best_by_results_are_played_and_not_only_one() {
        let good = best();
        let top = sound_setups()
            .iter()
            .map(|setup| setup.tally().share())
            .fold(0.0, f64::max);
        assert!(good.len() >= 2, "one setup would be one game");
        assert!(good.len() < sound_setups().len(), "results count");
        for setup in good {
            assert!(setup.tally().share() >= top - BEHIND);
        }
    }

    #[cfg(feature = "memory")]
    #[test]
    fn what_a_memory_has_of_setups_counts_less_than_our_own_games() {
        let tally = |won, games| Tally { won, games };
        let drawn = |remembered: &[(Setup, Tally)]| -> Vec<(Setup, String)> {
            let mut random_numbers = fastrand::Rng::with_seed(3);
            let one = |_| {
                let game = Game::new(RuleSet::default());
                let decision = sound_or_remembered(&game, remembered, &mut random_numbers);
                let decision = decision.expect("on").expect("a setup");
                let Choice::SetUp(setup) = decision.choice else {
                    panic!("no setup");
                };
                (setup, decision.reasons.join("; "))
            };
            (0..60).map(one).collect()
        };
        let ours: Vec<Setup> = best()
            .into_iter()
            .flat_map(|sound| [false, true].map(|mirrored| sound.on(Side::Gold, mirrored)))
            .flatten()
            .collect();
        // An empty memory changes nothing.
        for (setup, reason) in drawn(&[]) {
            assert!(ours.contains(&setup), "{reason}");
        }
        // A strange setup that won a few games of others is not played, one that won many is; and
        // the image that stands in the memory is not the only one played.
        let strange = arrange(Side::Gold, &["RRRRRRRR", "HDCMECDH"], false).expect("complete");
        assert!(
            drawn(&[(strange, tally(6, 6))])
                .iter()
                .all(|(setup, _)| ours.contains(setup))
        );
        let many = drawn(&[(strange, tally(2_700, 3_000))]);
        let mirror = Symmetry::MIRROR.apply(strange);
        assert!(
            many.iter()
                .all(|(setup, _)| [strange, mirror].contains(setup))
        );
        assert!(many.iter().any(|(setup, _)| *setup == mirror));
        assert!(
            many[0].1.contains("2700 of 3000 in the memory"),
            "{}",
            many[0].1
        );
        // What the memory says of a setup of ours, or of its mirror image, is added to it.
        let mirrored = best()[0].on(Side::Gold, true).expect("complete");
        let lost = drawn(&[(mirrored, tally(0, 3_000))]);
        let image = Symmetry::MIRROR.apply(mirrored);
        assert!(
            lost.iter()
                .all(|(setup, _)| ![mirrored, image].contains(setup))
        );
    }

    #[test]
    fn bad_tables_are_refused_with_the_line() {
        for bad in [
            "RRRDDRRR",
            "RRRDDRRR RHCMECHX",
            "RRRDDRRR RHCMECHR 5",
            "RRRDDRRR RHCMECHR 5 4",
            "RRRDDRRR RHCMECHR 1 4 1 4 9",
            "RRRRDRRR RHCMECHR",
        ] {
            let table = format!("# a note\n{bad}\n");
            let error = SoundSetup::read_all(&table).expect_err(bad).to_string();
            assert!(error.starts_with("line 2"), "{error}");
        }
        let new = SoundSetup::read_all("RRRDDRRR RHCMECHR\n").expect("no results yet");
        assert_eq!(new[0].results, [Tally::default(); 2]);
    }

    #[test]
    fn every_random_setup_can_be_played() {
        let mut random_numbers = fastrand::Rng::with_seed(5);
        for _ in 0..100 {
            let mut game = Game::new(RuleSet::default());
            for _ in 0..2 {
                let decision = random(&game, &mut random_numbers)
                    .expect("the game is on")
                    .expect("a setup");
                let Choice::SetUp(setup) = decision.choice else {
                    panic!("no setup");
                };
                game.set_up(&setup).expect("complete");
            }
            assert_eq!(random(&game, &mut random_numbers).expect("on"), None);
        }
    }
}

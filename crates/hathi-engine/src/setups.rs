//! Setups for engines without a memory of them.

use hathi_rules::{Bitboard, Game, Role, Setup, Side, Square};

use crate::{Choice, Decision, EngineError};

/// Arrangements that hold up against anything, from a1 to h2 as Gold sees
/// them: rabbits behind, cats and dogs to guard the traps, the horses on the
/// wings, elephant and camel in the centre.
const SOUND: [[&str; 2]; 4] = [
    ["RRRDDRRR", "RHCMECHR"],
    ["RRRCCRRR", "RHDMEDHR"],
    ["RRRDDRRR", "RHCEMCHR"],
    ["RRCRRCRR", "RHDMEDHR"],
];

/// The half of the board where a side sets up.
pub(crate) const fn own_half(side: Side) -> Bitboard {
    match side {
        Side::Gold => Bitboard(0x0000_0000_ffff_ffff),
        Side::Silver => Bitboard(0xffff_ffff_0000_0000),
    }
}

/// If the game is to be set up, one of the sound setups by chance.
pub(crate) fn sound(
    game: &Game,
    random: &mut fastrand::Rng,
) -> Result<Option<Decision>, EngineError> {
    choose(game, |side| {
        let rows = SOUND[random.usize(..SOUND.len())];
        (
            arrange(side, &rows, random.bool()),
            "a sound setup, drawn from a few",
        )
    })
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
        (Setup::new(side, roles).ok(), "pieces placed by chance")
    })
}

fn choose(
    game: &Game,
    make: impl FnOnce(Side) -> (Option<Setup>, &'static str),
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

/// The first of the sound ones.
///
/// # Panics
/// Never: the arrangement is complete, which a test sees to.
pub(crate) fn usual(side: Side) -> Setup {
    arrange(side, &SOUND[0], false).expect("a complete arrangement")
}

/// Gold's back row first, from a to h.
fn arrange(side: Side, rows: &[&str; 2], mirrored: bool) -> Option<Setup> {
    let mut roles = Vec::with_capacity(16);
    for row in rows {
        let mut row: Vec<Role> = row.chars().filter_map(Role::from_char).collect();
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
    fn all_sound_setups_are_complete_on_both_sides() {
        for rows in &SOUND {
            for side in [Side::Gold, Side::Silver] {
                for mirrored in [false, true] {
                    let setup = arrange(side, rows, mirrored).expect("complete");
                    let mut board = Board::EMPTY;
                    setup.place_on(&mut board);
                    let elephant = board.role(Role::Elephant).first().expect("an elephant");
                    // Second row, in the centre.
                    let rank = match side {
                        Side::Gold => "2",
                        Side::Silver => "7",
                    };
                    assert!(elephant.to_string().ends_with(rank), "{elephant}");
                    assert!("de".contains(&elephant.to_string()[..1]), "{elephant}");
                }
            }
        }
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

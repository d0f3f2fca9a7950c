//! Sums as bytes: a common shape has a hundred thousand turns, most of them
//! played once.

use std::cmp::Reverse;

use hathi_rules::Side;

use super::sums::{FirstGames, Part, TurnSample, TurnSum};
use crate::model::GameRow;

const SILVER: u8 = 1;
const TURNED: u8 = 2;
const SAMPLE: u8 = 4;
/// Played once: what follows is about that game.
const ONCE: u8 = 8;
const WON: u8 = 16;
const DATED: u8 = 32;

/// Adds a turn to what is packed.
pub(super) fn pack_turn(out: &mut Vec<u8>, turn: i64, part: Part, sum: &TurnSum) {
    let once = sum.count == 1 && sum.samples.len() == 1;
    let flag = |flag: u8, is: bool| if is { flag } else { 0 };
    out.push(
        flag(SILVER, part.mover == Side::Silver)
            | flag(TURNED, part.turned)
            | flag(SAMPLE, part.sample)
            | flag(ONCE, once)
            | flag(WON, once && sum.wins == 1)
            | flag(DATED, sum.last_played.is_some()),
    );
    out.extend(turn.to_le_bytes());
    number(out, sum.ratings);
    if !once {
        number(out, sum.count);
        number(out, sum.wins);
        number(out, sum.rated);
        number(out, sum.samples.len() as u64);
    }
    if let Some(last) = sum.last_played {
        signed(out, last);
    }
    for sample in &sum.samples {
        out.extend(sample.place.to_le_bytes());
        number(out, sample.ply.into());
        signed(out, sample.number);
    }
}

/// The next turn; None if it is not what [`pack_turn`] wrote.
pub(super) fn unpack_turn(bytes: &mut &[u8]) -> Option<(i64, Part, TurnSum)> {
    let flags = byte(bytes)?;
    let part = Part {
        mover: if flags & SILVER == 0 {
            Side::Gold
        } else {
            Side::Silver
        },
        turned: flags & TURNED != 0,
        sample: flags & SAMPLE != 0,
    };
    let turn = word(bytes)?;
    let mut sum = TurnSum {
        ratings: read_number(bytes)?,
        ..TurnSum::default()
    };
    let samples = if flags & ONCE != 0 {
        sum.count = 1;
        sum.wins = u64::from(flags & WON != 0);
        sum.rated = u64::from(sum.ratings > 0);
        1
    } else {
        sum.count = read_number(bytes)?;
        sum.wins = read_number(bytes)?;
        sum.rated = read_number(bytes)?;
        read_number(bytes)?
    };
    if flags & DATED != 0 {
        sum.last_played = Some(read_signed(bytes)?);
    }
    for _ in 0..samples {
        sum.samples.push(TurnSample {
            place: word(bytes)?,
            ply: u16::try_from(read_number(bytes)?).ok()?,
            number: read_signed(bytes)?,
        });
    }
    Some((turn, part, sum))
}

/// The games that are named.
pub(super) fn pack_games(strongest: &FirstGames, newest: &FirstGames) -> Vec<u8> {
    let mut out = Vec::new();
    for games in [strongest, newest] {
        number(&mut out, games.0.len() as u64);
        for (Reverse(by), game, archive) in &games.0 {
            signed(&mut out, *by);
            signed(&mut out, game.get());
            signed(&mut out, *archive);
        }
    }
    out
}

/// The same back: the strongest and the newest.
pub(super) fn unpack_games(mut bytes: &[u8]) -> Option<(FirstGames, FirstGames)> {
    let mut games = || {
        let mut games = FirstGames::default();
        for _ in 0..read_number(&mut bytes)? {
            games.0.push((
                Reverse(read_signed(&mut bytes)?),
                GameRow::new(read_signed(&mut bytes)?),
                read_signed(&mut bytes)?,
            ));
        }
        Some(games)
    };
    Some((games()?, games()?))
}

/// Seven bits a byte, the lowest first.
fn number(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// The sign in the lowest bit, so that small numbers stay short.
fn signed(out: &mut Vec<u8>, value: i64) {
    number(out, (value << 1 ^ value >> 63).cast_unsigned());
}

fn byte(bytes: &mut &[u8]) -> Option<u8> {
    let (&first, rest) = bytes.split_first()?;
    *bytes = rest;
    Some(first)
}

fn word(bytes: &mut &[u8]) -> Option<i64> {
    let (first, rest) = bytes.split_first_chunk::<8>()?;
    *bytes = rest;
    Some(i64::from_le_bytes(*first))
}

fn read_number(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0u64;
    for shift in (0..64).step_by(7) {
        let byte = byte(bytes)?;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

fn read_signed(bytes: &mut &[u8]) -> Option<i64> {
    let number = read_number(bytes)?;
    Some((number >> 1).cast_signed() ^ -((number & 1).cast_signed()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let values = [0, 1, -1, 63, -64, 64, 300, i64::MAX, i64::MIN, i64::MIN + 1];
        let mut out = Vec::new();
        for value in values {
            signed(&mut out, value);
            number(&mut out, value.cast_unsigned());
        }
        let mut bytes = out.as_slice();
        for value in values {
            assert_eq!(read_signed(&mut bytes), Some(value));
            assert_eq!(read_number(&mut bytes), Some(value.cast_unsigned()));
        }
        assert_eq!(read_number(&mut bytes), None);
    }

    #[test]
    fn turns_and_games_come_back_and_half_of_them_do_not() {
        let sample = |place, ply, number| TurnSample { place, ply, number };
        let once = TurnSum {
            count: 1,
            wins: 1,
            ratings: 1800,
            rated: 1,
            last_played: Some(1_300_000_000),
            samples: vec![sample(i64::MAX, 65535, -3)],
        };
        let unrated = TurnSum {
            wins: 0,
            ratings: 0,
            rated: 0,
            last_played: None,
            ..once.clone()
        };
        let often = TurnSum {
            count: 700,
            wins: 300,
            ratings: 1_000_000,
            rated: 650,
            last_played: Some(-5),
            samples: (0..5).map(|i| sample(i, 7, i + 1000)).collect(),
        };
        let mut out = Vec::new();
        let mut expected = Vec::new();
        for (i, sum) in [once, unrated, often].into_iter().enumerate() {
            for mover in Side::ALL {
                let part = Part {
                    mover,
                    turned: i == 1,
                    sample: i == 2,
                };
                let turn = i64::MIN + i as i64;
                pack_turn(&mut out, turn, part, &sum);
                expected.push((turn, part, sum.clone()));
            }
        }
        let mut bytes = out.as_slice();
        for turn in expected {
            assert_eq!(unpack_turn(&mut bytes), Some(turn));
        }
        assert!(bytes.is_empty());
        for end in 1..10 {
            assert_eq!(unpack_turn(&mut &out[..end]), None);
        }
        let games = FirstGames(vec![(Reverse(4000), GameRow::new(7), 12)]);
        let packed = pack_games(&games, &FirstGames::default());
        assert_eq!(unpack_games(&packed), Some((games, FirstGames::default())));
        assert_eq!(unpack_games(&packed[..2]), None);
    }
}

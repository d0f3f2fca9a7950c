//! A synthetic archive is legal, repeatable, and looks like the real one.

use std::collections::BTreeMap;

use super::*;
use crate::{Agreement, Replayer};

fn archive(synth: Synth, threads: usize) -> Vec<u8> {
    let mut writer = ArchiveWriter::new(Vec::new()).unwrap();
    synth.write(&mut writer, threads, |_| {}).unwrap();
    writer.finish().unwrap()
}

#[test]
fn the_same_whatever_the_number_of_threads() {
    let synth = Synth::new(3).with_games(150);
    let one = archive(synth, 1);
    assert!(one == archive(synth, 2) && one == archive(synth, 5));
    assert!(one != archive(Synth::new(4).with_games(150), 2));
    // Alone, a game is the same as in the row.
    let mut line = Vec::new();
    write_game(&mut line, &synth.game(77));
    let row = one.split_inclusive(|&c| c == b'\n').nth(78).unwrap();
    assert_eq!(row, line);
}

#[test]
fn the_statistics_are_those_of_the_real_archive() {
    const GAMES: u64 = 3000;
    let mut replayer = Replayer::new();
    let mut ends: BTreeMap<char, u64> = BTreeMap::new();
    let (mut positions, mut takebacks, mut resigned) = (0, 0, 0);
    let (mut favourites, mut favourite_wins) = (0, 0);
    let mut before = (0, 0);
    let _ = Synth::new(1).with_games(GAMES).for_each(2, |game| {
        let replayed = replayer.replay_game(&game);
        assert_eq!(replayed.fault, None, "game {}", game.id);
        assert!(
            matches!(replayed.agreement, Agreement::Same | Agreement::OffBoard),
            "game {}: {:?}",
            game.id,
            replayed.agreement
        );
        positions += replayed.game.positions().len() as u64;
        takebacks += replayed.takebacks;
        resigned += usize::from(game.movelist.windows(7).any(|word| word == b"resigns"));
        *ends.entry(game.termination.unwrap().to_char()).or_default() += 1;
        assert!(before < (game.id.number(), game.start.unwrap()));
        assert!(before.1 <= game.start.unwrap());
        before = (game.id.number(), game.start.unwrap());
        assert!(game.time_control().is_ok(), "{}", game.time_control);
        for side in Side::ALL {
            let rating = game.players[side].rating.unwrap();
            assert!((people::LOWEST..=people::HIGHEST).contains(&rating));
        }
        let (favourite, certainty) = people::favourite(&game.players);
        if certainty > 0.3 {
            favourites += 1;
            favourite_wins += u32::from(game.result == Some(favourite));
        }
        ControlFlow::<()>::Continue(())
    });
    let mean = positions as f64 / GAMES as f64;
    assert!((57.0..65.0).contains(&mean), "{mean} positions a game");
    let share = |letter: char| ends.get(&letter).copied().unwrap_or(0) as f64 / GAMES as f64;
    assert!((0.5..0.75).contains(&share('g')), "{ends:?}");
    assert!((0.1..0.25).contains(&share('t')), "{ends:?}");
    assert!((0.06..0.2).contains(&share('r')), "{ends:?}");
    for (letter, least) in [
        ('e', 0.005),
        ('m', 0.005),
        ('f', 0.002),
        ('a', 0.002),
        ('i', 0.001),
        ('s', 0.0005),
        ('p', 0.0003),
    ] {
        assert!(share(letter) >= least, "{letter}: {ends:?}");
    }
    assert!(
        takebacks > 20 && resigned > 5,
        "{takebacks} takebacks, {resigned} resign"
    );
    let won = f64::from(favourite_wins) / f64::from(favourites);
    assert!((0.62..0.9).contains(&won), "the favourite wins {won}");
}

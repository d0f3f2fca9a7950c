//! Tournaments of Hathi's own engines: the same seed the same games, resumed
//! after any interruption, kept as archives.

use std::fs;
use std::path::Path;

use hathi_archive::{Agreement, ArchiveReader, Replayer, Source};
use hathi_arena::{
    Event, Format, Openings, Sprt, SprtState, Standings, StateError, Thinking, Tournament,
    TournamentError, finished_games,
};
use hathi_engine::Stop;

fn tournament(players: &[&str]) -> Tournament {
    let players = players.iter().map(|p| p.parse().expect("a player"));
    let mut tournament = Tournament::new(players.collect());
    tournament.games = 4;
    tournament.thinking = Thinking {
        nodes: Some(200),
        ..Thinking::default()
    };
    tournament
}

fn run(tournament: &Tournament, folder: &Path) -> Standings {
    tournament
        .run(Some(folder), &Stop::default(), &|_| {})
        .expect("a tournament")
}

/// Moves of every game, by number.
fn games(folder: &Path) -> Vec<(u64, Vec<u8>)> {
    let mut games = Vec::new();
    let mut replayer = Replayer::new();
    let source = Source::file(folder.join("games.txt"));
    let ended = ArchiveReader::new([source]).for_each(|row| {
        let row = row.expect("a good row");
        let replayed = replayer.replay(&row);
        assert!(replayed.fault.is_none());
        assert!(
            matches!(replayed.agreement, Agreement::Same | Agreement::OffBoard),
            "{:?}",
            replayed.agreement
        );
        games.push((row.id().number(), row.movelist().to_vec()));
        std::ops::ControlFlow::<()>::Continue(())
    });
    assert!(ended.is_continue());
    games.sort();
    games
}

#[test]
fn the_same_seed_gives_the_same_games_however_many_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let (one, two) = (folder.path().join("one"), folder.path().join("two"));
    let mut tournament = tournament(&["greedy", "random", "step"]);
    run(&tournament, &one);
    tournament.concurrency = 3;
    let standings = run(&tournament, &two);
    assert_eq!(standings.games, 12);
    assert_eq!(games(&one), games(&two));
    assert_eq!(games(&one).len(), 12);
    // Both colours play each opening.
    let setups = |moves: &[u8]| {
        let end = moves
            .windows(4)
            .position(|w| w == b"\\n2w")
            .expect("a turn");
        moves[..end].to_vec()
    };
    let games = games(&one);
    for pair in games.chunks(2) {
        assert_eq!(setups(&pair[0].1), setups(&pair[1].1));
    }
    assert!(standings.players[0].wins > standings.players[2].wins);
}

#[test]
fn an_interrupted_tournament_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let (whole, parts) = (folder.path().join("whole"), folder.path().join("parts"));
    let tournament = tournament(&["greedy", "random"]);
    run(&tournament, &whole);
    let stop = Stop::default();
    let first = tournament
        .run(Some(&parts), &stop, &|event| {
            if let Event::Finished { .. } = event {
                stop.now();
            }
        })
        .expect("a tournament");
    assert!((1..4).contains(&first.games), "{}", first.games);
    // Cut off in the middle of writing the next game.
    for (name, bytes) in [
        ("games.txt", &b"77\t0\t0\thalf a ro"[..]),
        ("results.jsonl", b"{\"numb"),
    ] {
        let path = parts.join(name);
        let mut text = fs::read(&path).expect("a file");
        text.extend(bytes);
        fs::write(&path, text).expect("a file");
    }
    assert_eq!(run(&tournament, &parts).games, 4);
    assert_eq!(games(&whole), games(&parts));
    // Once more: there is nothing left to play.
    assert_eq!(run(&tournament, &parts).games, 4);
    assert_eq!(games(&whole), games(&parts));
    // More games are fine, other settings are not.
    let mut longer = tournament.clone();
    longer.games = 6;
    assert_eq!(run(&longer, &parts).games, 6);
    let mut other = tournament.clone();
    other.seed = 2;
    let error = other
        .run(Some(&parts), &Stop::default(), &|_| {})
        .expect_err("another seed");
    assert!(matches!(
        error,
        TournamentError::State(StateError::OtherSettings { .. })
    ));
    assert!(
        error.to_string().contains("another seed: 1, now 2"),
        "{error}"
    );
}

#[test]
fn a_test_stops_when_it_is_decided() {
    let mut tournament = tournament(&["greedy", "step"]);
    tournament.games = 1000;
    tournament.sprt = Some(Sprt {
        elo0: 0.0,
        elo1: 100.0,
        alpha: 0.05,
        beta: 0.05,
    });
    let standings = tournament
        .run(None, &Stop::default(), &|_| {})
        .expect("a tournament");
    let sprt = standings.sprt.expect("a test");
    assert_eq!(sprt.state, SprtState::Accepted);
    assert!(standings.games < 100, "{}", standings.games);
}

#[test]
fn a_gauntlet_and_own_setups() {
    let mut tournament = tournament(&["step", "random", "greedy"]);
    tournament.format = Format::Gauntlet;
    tournament.openings = Openings::Own;
    tournament.games = 2;
    tournament.max_moves = 10;
    let standings = tournament
        .run(None, &Stop::default(), &|_| {})
        .expect("a tournament");
    assert_eq!(standings.games, 4);
    assert_eq!(standings.pairings.len(), 2);
    // Ten moves are too short for a goal: pieces are counted.
    assert!(standings.terminations.contains_key(&'s'), "{standings:?}");
}

#[test]
fn a_clock_is_kept() {
    let mut tournament = tournament(&["random", "step"]);
    tournament.games = 2;
    tournament.thinking = Thinking {
        control: Some("1s/1s/100/0/12t".parse().expect("a control")),
        ..Thinking::default()
    };
    let standings = tournament
        .run(None, &Stop::default(), &|_| {})
        .expect("a tournament");
    assert_eq!(standings.terminations.get(&'t'), None);
    assert_eq!(standings.terminations.get(&'s'), Some(&2), "{standings:?}");
    assert!(standings.players[0].time.turns >= 20);
}

#[test]
fn impossible_tournaments_are_refused() {
    let refused = |tournament: &Tournament| {
        tournament
            .run(None, &Stop::default(), &|_| {})
            .expect_err("refused")
            .to_string()
    };
    assert!(refused(&tournament(&["step"])).contains("two players"));
    assert!(refused(&tournament(&["step", "step"])).contains("called `step`"));
    let mut odd = tournament(&["step", "other=step"]);
    odd.games = 3;
    assert!(refused(&odd).contains("even number"));
}

#[test]
fn where_turns_came_from_is_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut tournament = tournament(&["fairy", "random"]);
    tournament.games = 2;
    run(&tournament, folder.path());
    let finished = finished_games(folder.path()).expect("results");
    assert_eq!(finished.len(), 2);
    for game in &finished {
        for (side, player) in [game.gold, game.silver].into_iter().enumerate() {
            let (used, depths) = (&game.used[side], &game.depths[side]);
            assert_eq!(
                (depths.len(), game.levels[side].len()),
                (used.len(), used.len())
            );
            // Neither plays from memory, one of them searches.
            assert!(game.levels[side].iter().all(Option::is_none));
            assert!(depths.iter().all(|depth| depth.is_some() == (player == 0)));
        }
    }
    let nothing = finished_games(&folder.path().join("elsewhere"));
    assert_eq!(nothing.expect("no results"), []);
}

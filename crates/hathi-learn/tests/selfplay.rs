//! Self-play: the same games from the same seed, nothing lost by an
//! interruption, and a network that learns from them.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use hathi_engine::{Stop, sound_setups};
use hathi_learn::network::{
    Lesson, Progress, ResultCurve, Settings as Training, Trainer, agreement, chance_of,
};
use hathi_learn::selfplay::{
    Begun, Games, OpenError, PlayedGame, PlayedPosition, SelfPlayError, Settings, away, play,
    score, within,
};
use hathi_learn::setups;
use hathi_model::network::{About, Accumulator, Network};
use hathi_rules::{
    Bitboard, Board, Game, PackedBoard, Position, RuleSet, Side, Symmetric, Symmetry, Turn,
};

fn settings() -> Settings {
    Settings {
        engine: "hathi:hash=1,ordering=none".to_owned(),
        nodes: 12_000,
        seed: 7,
        random_turns: 50,
        longest: 12,
        setups: Vec::new(),
        visited: 0,
    }
}

fn file(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let path = folder.join(format!("{name}-{}.hsp", std::process::id()));
    let _ = std::fs::remove_file(&path);
    path
}

fn games(path: &Path) -> BTreeMap<u64, PlayedGame> {
    let mut games = Games::open(path).expect("readable");
    std::iter::from_fn(|| games.next_game())
        .map(|game| (game.number, game))
        .collect()
}

fn play_some(path: &Path, count: u64, threads: usize) {
    let standing = play(path, &settings(), count, threads, &Stop::default(), &|_| {});
    assert_eq!(standing.expect("played").games, count);
}

#[test]
fn the_same_seed_gives_the_same_games_and_an_interruption_loses_none() {
    let (one, other) = (file("one"), file("other"));
    play_some(&one, 4, 2);
    play_some(&other, 4, 1);
    let whole = games(&one);
    assert_eq!(whole.len(), 4);
    assert_eq!(whole, games(&other));
    for position in whole.values().flat_map(|game| &game.positions) {
        assert!(position.depth >= 4, "searches that say something");
        assert!(Board::try_from(position.board).is_ok());
    }
    assert!(whole.values().any(|game| game.positions.len() > 2));

    // Killed while a game was written: it is played again, the rest stays.
    let bytes = std::fs::read(&one).expect("there");
    for cut in [1, 13, 40, 333] {
        std::fs::write(&one, &bytes[..bytes.len() - cut]).expect("written");
        play_some(&one, 4, 2);
        assert_eq!(games(&one), whole, "{cut} bytes cut off");
    }
    // More of them go behind.
    play_some(&one, 5, 2);
    assert_eq!(games(&one).len(), 5);
    for path in [one, other] {
        let _ = std::fs::remove_file(path);
    }
}

#[test]
fn other_settings_and_other_files_are_refused() {
    let path = file("refused");
    play_some(&path, 1, 1);
    let other = Settings {
        nodes: 9_000,
        ..settings()
    };
    let refused = play(&path, &other, 2, 1, &Stop::default(), &|_| {});
    assert!(matches!(
        refused,
        Err(SelfPlayError::Open(OpenError::OtherSettings { .. }))
    ));
    std::fs::write(&path, "something else\n").expect("written");
    let refused = play(&path, &settings(), 2, 1, &Stop::default(), &|_| {});
    assert!(matches!(
        refused,
        Err(SelfPlayError::Open(OpenError::NotOurs(_)))
    ));
    assert_eq!(std::fs::read(&path).expect("there"), b"something else\n");
    let unknown = Settings {
        engine: "nobody".to_owned(),
        ..settings()
    };
    let refused = play(&file("nobody"), &unknown, 1, 1, &Stop::default(), &|_| {});
    assert!(matches!(refused, Err(SelfPlayError::Spec(_))));
    let _ = std::fs::remove_file(path);
}

/// Boards with some pieces missing, and who is to move.
fn thinned_boards(count: usize) -> Vec<(Board, Side)> {
    let mut random = fastrand::Rng::with_seed(3);
    let start: Position = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]"
        .parse()
        .expect("a position");
    let thinned = |_| {
        let mut board = *start.board();
        for _ in 0..random.u32(..12) {
            let occupied: Vec<_> = board.occupied().iter().collect();
            board.remove(occupied[random.usize(..occupied.len())]);
        }
        let side = if random.bool() {
            Side::Gold
        } else {
            Side::Silver
        };
        (board, side)
    };
    (0..count).map(thinned).collect()
}

/// How many pieces a side has more.
fn pieces_ahead(board: &Board, side: Side) -> i32 {
    let pieces = board.count();
    pieces[side].cast_signed() - pieces[side.opponent()].cast_signed()
}

#[test]
fn a_network_learns_what_it_is_told_and_plays_what_it_learned() {
    let lessons: Vec<Lesson> = (0..)
        .zip(thinned_boards(3_000))
        .map(|(number, (board, side))| {
            let worth = chance_of(100 * pieces_ahead(&board, side));
            Lesson::new(&board, side, worth, number)
        })
        .collect();
    let training = Training {
        epochs: 30,
        batch: 64,
        rate: 0.005,
        check_every: 5,
        threads: 1,
        ..Training::default()
    };
    let mut errors = Vec::new();
    let mut trainer = Trainer::new(training);
    trainer.train(&lessons, &mut |progress| {
        if let Progress::Done(epoch) = progress {
            errors.push(epoch.checked.expect("games kept apart"));
        }
        ControlFlow::Continue(())
    });
    assert_eq!(errors.len(), 30);
    assert!(errors[29] < errors[0] / 2.0, "{errors:?}");
    // Rounded to integers it sees the same.
    let network = trainer.network(About::default());
    let agreed = agreement(&network, &lessons);
    assert_eq!(agreed.positions, lessons.len());
    assert!(agreed.error < agreed.spread / 4.0, "{agreed:?}");
    assert!(agreed.error < trainer.error(&lessons) + 0.001, "{agreed:?}");
}

#[test]
fn a_network_that_learns_further_begins_with_what_it_knows() {
    let shipped = Network::shipped().expect("readable");
    let trainer = Trainer::from_network(Training::default(), shipped);
    says_the_same(&trainer.network(About::default()), shipped);
}

#[test]
fn a_network_that_holds_on_stays_nearer_to_what_it_was() {
    let shipped = Network::shipped().expect("readable");
    // What it is told is the contrary of what it knows.
    let lessons: Vec<Lesson> = (0..)
        .zip(thinned_boards(600))
        .map(|(number, (board, side))| {
            let worth = chance_of(-100 * pieces_ahead(&board, side));
            Lesson::new(&board, side, worth, number)
        })
        .collect();
    let moved = |hold| {
        let training = Training {
            epochs: 8,
            batch: 64,
            rate: 0.005,
            decay: 0.0,
            hold,
            threads: 1,
            ..Training::default()
        };
        let mut trainer = Trainer::from_network(training, shipped);
        // With units that were dead awake.
        let before = trainer.network(About::default());
        trainer.train(&lessons, &mut |_| ControlFlow::Continue(()));
        let learned = trainer.network(About::default());
        let rows = learned.rows.iter().zip(&before.rows);
        rows.flat_map(|(now, then)| now.iter().zip(then))
            .map(|(now, then)| u64::from(now.abs_diff(*then)))
            .sum::<u64>()
    };
    let (free, held) = (moved(None), moved(Some(100.0)));
    assert!(0 < held && held < free / 2, "held {held}, free {free}");
}

/// On boards of all stretches of a game.
fn says_the_same(one: &Network, other: &Network) {
    for text in [
        "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]",
        "g [rrrrr rr hd e   m    c   C     d  M H   E   D    HDC   RRRRRRRR ]",
        "g [rr r   .d..... .e.m....c...C.....d..M.H...E...D....H........RRRR]",
        "g [..r....r......e......c..........d..M.....E........H.......R....R]",
    ] {
        let position: Position = text.parse().expect("a position");
        for left in 0..=4 {
            let worth = |network: &Network| {
                let sums = Accumulator::new(network, position.board());
                sums.worth(network, Side::Gold, left)
            };
            assert_eq!(worth(one), worth(other), "{text}, {left} steps left");
        }
    }
}

#[test]
fn units_that_are_dead_begin_with_chance_and_change_nothing() {
    let mut dead = Network::shipped().expect("readable").clone();
    let unit = 5;
    for row in dead.rows.iter_mut().chain([&mut dead.bias]) {
        row[unit] = 0;
    }
    let trainer = Trainer::from_network(Training::default(), &dead);
    let awake = trainer.network(About::default());
    let rows = awake.rows.iter().filter(|row| row[unit] != 0).count();
    assert!(rows > awake.rows.len() / 2, "{rows} rows");
    says_the_same(&awake, &dead);
}

#[test]
fn results_count_by_how_surprising_they_are_and_only_where_every_turn_was_chosen() {
    // Won as often as odds twice as good as the scores' own say.
    let mut random = fastrand::Rng::with_seed(8);
    let scores: Vec<(i32, bool)> = (0..20_000)
        .map(|_| {
            let score = random.i32(-900..=900);
            (score, random.f32() < chance_of(2 * score))
        })
        .collect();
    let results = ResultCurve::fit(&scores);
    assert!((results.steepness() - 2.0).abs() < 0.1, "{results:?}");

    let start: Position = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]"
        .parse()
        .expect("a position");
    let sides = [Side::Gold, Side::Silver, Side::Silver, Side::Gold];
    let game = PlayedGame {
        number: 0,
        winner: Some(Side::Silver),
        positions: sides
            .map(|side| PlayedPosition {
                board: PackedBoard::from(start.board()),
                side,
                score: 0,
                depth: 4,
                taken: 0,
                turn: Turn::EMPTY,
                changed: Bitboard::EMPTY,
                moved: Bitboard::EMPTY,
            })
            .to_vec(),
    };
    assert_eq!(game.chosen_to_the_end(), 2, "Gold's turn is missing there");
    let mut lessons = Vec::new();
    Lesson::of_game(&game, 1, results, 0.2, &mut lessons);
    let chances: Vec<i32> = lessons
        .iter()
        .map(|lesson| (lesson.chance * 100.0).round() as i32)
        .collect();
    assert_eq!(chances, [50, 50, 60, 40]);
}

#[test]
fn boards_in_the_middle_of_a_turn_are_searched_with_the_steps_that_are_left() {
    let path = file("begun");
    play_some(&path, 1, 1);
    let boards: Vec<Board> = games(&path)
        .values()
        .flat_map(|game| &game.positions)
        .filter_map(PlayedPosition::seen)
        .collect();
    let boards: Vec<Begun> = boards.into_iter().map(Begun::from).collect();
    let begun = within(&boards, 4);
    assert_eq!(begun, within(&boards, 4));
    assert!(begun.len() > boards.len() / 2);
    let scored = file("within");
    let settings = Settings {
        engine: "hathi:hash=1,depth=4".to_owned(),
        ..settings()
    };
    score(&scored, &begun, &settings, 1, &Stop::default(), &|_| {}).expect("searched");
    let found: Vec<PlayedPosition> = games(&scored)
        .into_values()
        .flat_map(|game| game.positions)
        .collect();
    assert!(
        found.len() > begun.len() / 2,
        "{} of {}",
        found.len(),
        begun.len()
    );
    for position in &found {
        assert!((1..=3).contains(&position.taken), "{position:?}");
        let of = begun.iter().find(|begun| {
            let start = Position::new(begun.board, Side::Gold).expect("a position");
            let mut reached = start;
            for &step in begun.turn.steps() {
                reached.apply(step);
            }
            PackedBoard::from(reached.board()) == position.board
                && 4 - reached.steps_left() == position.taken
        });
        let of = of.expect("one of those that were to be searched");
        // What was chosen is the rest of a legal turn.
        let whole = of.turn.steps().iter().chain(position.turn.steps());
        let whole = Turn::from_steps(whole.copied()).expect("no more than four steps");
        let start = Position::new(of.board, Side::Gold).expect("a position");
        let game = Game::from_position(RuleSet::default(), start);
        assert!(game.check_turn(&whole).is_ok(), "{whole}");
        assert!(position.moved.any());
        assert_eq!(position.seen(), None, "no board to begin a turn from");
    }
    // They are learned with the steps that are left.
    let mut lessons = Vec::new();
    for game in games(&scored).values() {
        Lesson::of_game(game, 0, ResultCurve::fit(&[]), 0.0, &mut lessons);
    }
    let left: Vec<u8> = lessons.iter().map(|lesson| 4 - lesson.left).collect();
    let taken: Vec<u8> = found.iter().map(|position| position.taken).collect();
    assert_eq!(left, taken);
    for path in [path, scored] {
        let _ = std::fs::remove_file(path);
    }
}

#[test]
fn positions_that_searches_look_at_are_drawn_from_them_and_searched() {
    let path = file("sources");
    play_some(&path, 1, 1);
    let boards: Vec<Begun> = games(&path)
        .values()
        .flat_map(|game| &game.positions)
        .filter_map(PlayedPosition::seen)
        .take(6)
        .map(Begun::from)
        .collect();
    let settings = Settings {
        engine: "hathi:hash=1".to_owned(),
        nodes: 3_000,
        visited: 16,
        ..settings()
    };
    let (one, other) = (file("visited"), file("visited-again"));
    for (path, threads) in [(&one, 1), (&other, 2)] {
        let stop = Stop::default();
        score(path, &boards, &settings, threads, &stop, &|_| {}).expect("searched");
    }
    assert_eq!(games(&one), games(&other), "the same by seed");
    let found: Vec<PlayedPosition> = games(&one)
        .into_values()
        .flat_map(|game| game.positions)
        .collect();
    assert!(found.len() > boards.len() * 12, "{} found", found.len());
    for taken in 0..4 {
        let count = found.iter().filter(|seen| seen.taken == taken).count();
        assert!(count > 0, "{taken} steps taken");
    }
    for seen in &found {
        // Steps there and back change nothing.
        assert!(seen.taken > 0 || seen.moved.is_empty());
        let board = Board::try_from(seen.board).expect("a board");
        let near = boards.iter().any(|begun| {
            let flipped = begun.board.under(Symmetry::FLIP);
            [begun.board, flipped]
                .iter()
                .any(|from| from.differing(&board).len() <= 3 * 16)
        });
        assert!(near, "some turns from a board of the game");
    }
    for path in [path, one, other] {
        let _ = std::fs::remove_file(path);
    }
}

#[test]
fn games_are_resumed_and_their_results_counted_by_side() {
    let path = file("setups");
    let listed = &sound_setups()[..2];
    let settings = Settings {
        engine: "fallback:hash=1".to_owned(),
        nodes: 2_000,
        seed: 5,
        random_turns: 0,
        longest: 300,
        setups: setups::names(listed),
        visited: 0,
    };
    let stop = Stop::default();
    for count in [2, 4] {
        let standing =
            setups::play(&path, listed, &settings, count, 1, &stop, &|_| {}).expect("played");
        assert_eq!(standing.games, count);
    }
    let found = setups::results(&path, listed).expect("results");
    let mut winners = [0; 2];
    for game in games(&path).values() {
        if let Some(side) = game.winner {
            winners[side as usize] += 1;
        }
    }
    assert!(winners[0] + winners[1] > 0, "somebody wins");
    let won = |side: Side| -> u32 {
        found
            .iter()
            .map(|setup| setup.results[side as usize].won)
            .sum()
    };
    assert_eq!([won(Side::Gold), won(Side::Silver)], winners);
    for side in [Side::Gold, Side::Silver] {
        let played: u32 = found
            .iter()
            .map(|setup| setup.results[side as usize].games)
            .sum();
        assert_eq!(played, winners[0] + winners[1]);
    }
    assert!(
        setups::results(&path, &sound_setups()[..3]).is_err(),
        "other setups"
    );
    assert!(setups::play(&path, &listed[..1], &settings, 4, 1, &stop, &|_| {}).is_err());
}

#[test]
fn boards_some_turns_away_are_others_and_the_same_by_seed() {
    let path = file("away");
    play_some(&path, 2, 2);
    let boards: Vec<Board> = games(&path)
        .values()
        .flat_map(|game| &game.positions)
        .filter_map(PlayedPosition::seen)
        .collect();
    let found = away(&boards, 2, 3, 9);
    assert!(found.len() > 2 * boards.len(), "few games end by chance");
    assert_eq!(found, away(&boards, 2, 3, 9));
    assert_ne!(found, away(&boards, 2, 3, 10));
    let others = found
        .iter()
        .filter(|begun| !boards.contains(&begun.board))
        .count();
    assert!(others > found.len() * 9 / 10, "{others} of {}", found.len());
    for begun in &found {
        assert!(begun.changed.any(), "what the last turn changed");
        let game = Game::from_position(
            RuleSet::default(),
            Position::new(begun.board, Side::Gold).expect("a position"),
        );
        assert!(
            game.outcome()
                .is_none_or(|outcome| outcome.winner == Some(Side::Silver))
        );
    }
}

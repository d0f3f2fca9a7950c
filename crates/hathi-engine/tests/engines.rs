//! Every engine by name: legal turns, reasons, no goal missed, the same again
//! with the same seed.

use hathi_archive::{ArchiveReader, ArchiveWriter, GameId, PackedFile, Synth};
use hathi_engine::{
    Choice, EngineError, EngineKind, EngineSpec, Level, Limits, PlayLevel, RecallUse,
    ask_all_levels, last_moved,
};
use hathi_rules::{Game, Position, RuleSet, Side};
use hathi_store::{Filter, ImportOptions, Memory, Place};

/// A small memory that goes away with the test.
struct Remembered {
    folder: tempfile::TempDir,
}

impl Remembered {
    fn new() -> Remembered {
        let folder = tempfile::tempdir().expect("a folder");
        let archive = folder.path().join("games.txt");
        let mut writer = ArchiveWriter::create(&archive).expect("a file");
        Synth::new(3)
            .with_games(150)
            .write(&mut writer, 1, |_| {})
            .expect("games");
        writer
            .finish()
            .and_then(PackedFile::close)
            .expect("written");
        let remembered = Remembered { folder };
        let mut store = remembered.open();
        let reader = ArchiveReader::open([&archive]).expect("an archive");
        store
            .import(reader, ImportOptions::default(), &mut |_| {}, &mut |_| true)
            .expect("imported");
        store.build_index(1, &mut |_, _| {}).expect("an index");
        remembered
    }

    fn name(&self) -> String {
        self.folder.path().join("memory.db").display().to_string()
    }

    fn open(&self) -> Box<dyn Memory> {
        let place = Place::new(self.name().as_ref()).expect("a place");
        place.open().expect("a store")
    }

    fn spec(&self, kind: EngineKind) -> EngineSpec {
        let mut spec = EngineSpec::of(kind);
        spec.options.store = self.name();
        spec.options.hash = 4;
        spec.options.nodes = 1500;
        spec
    }
}

/// Plays some plies of a game against itself; every turn must be legal.
fn play(spec: &EngineSpec, seed: u64, plies: usize) -> Game {
    let mut engine = spec.build().expect("an engine");
    engine.new_game(seed);
    let mut game = Game::new(RuleSet::Modern);
    for _ in 0..plies {
        if game.outcome().is_some() {
            break;
        }
        let decision = engine
            .decide(&game, &Limits::none(), &mut |_| {})
            .expect("a decision");
        assert!(!decision.reasons.is_empty(), "{spec} says why");
        match decision.choice {
            Choice::SetUp(setup) => game.set_up(&setup).expect("a setup"),
            Choice::Play(turn) => {
                game.play(&turn).expect("a legal turn");
            }
        }
    }
    game
}

#[test]
fn every_engine_plays_by_the_rules() {
    let memory = Remembered::new();
    for kind in EngineKind::ALL {
        let game = play(&memory.spec(kind), 5, 26);
        assert!(game.turns().len() > 5, "{}", kind.name());
    }
}

#[test]
fn the_same_seed_gives_the_same_game() {
    let memory = Remembered::new();
    for kind in EngineKind::ALL {
        let spec = memory.spec(kind);
        let (one, other) = (play(&spec, 9, 12), play(&spec, 9, 12));
        assert_eq!(one.setups(), other.setups(), "{}", kind.name());
        assert_eq!(one.turns(), other.turns(), "{}", kind.name());
    }
}

#[test]
fn every_level_plays_by_the_rules_and_the_same_with_the_same_seed() {
    for level in PlayLevel::all() {
        let text = format!("{}:nodes=800", level.engine());
        let spec: EngineSpec = text.parse().expect("an engine");
        assert_eq!(spec.to_string(), text);
        let (one, other) = (play(&spec, 3, 10), play(&spec, 3, 10));
        assert!(one.turns().len() > 5, "{text}");
        assert_eq!(one.turns(), other.turns(), "{text}");
        assert!(EngineSpec::for_anybody(level.engine()).is_ok());
    }
    // Not always the same turn: a level is somebody to play against again.
    let spec: EngineSpec = "level-4".parse().expect("an engine");
    assert_ne!(play(&spec, 1, 10).turns(), play(&spec, 2, 10).turns());
}

#[test]
fn levels_but_the_highest_end_their_thinking_themselves() {
    for level in PlayLevel::all() {
        let spec = EngineSpec::of(EngineKind::Level(level));
        assert_eq!(spec.is_limited(), level.number() < 10);
    }
    let error = "level-11".parse::<EngineSpec>().expect_err("no level");
    assert!(
        error.to_string().ends_with("level-1 to level-10"),
        "{error}"
    );
}

#[test]
fn nobody_who_looks_misses_a_goal() {
    let memory = Remembered::new();
    let position: Position = "
        g
        8| r r . . . . . r |
        7| . d . . . . . . |
        6| . . x . . x . . |
        5| . . . . . R . . |
        4| . . . e . . . . |
        3| . . x . . x . . |
        2| . . . . . . . . |
        1| . E . . . . . R |"
        .parse()
        .expect("a position");
    for kind in [
        EngineKind::Greedy,
        EngineKind::Fallback,
        EngineKind::Rat,
        EngineKind::Fairy,
        EngineKind::Tweaked,
        EngineKind::Mimic,
    ] {
        let mut engine = memory.spec(kind).build().expect("an engine");
        engine.new_game(1);
        let mut game = Game::from_position(RuleSet::Modern, position);
        let decision = engine
            .decide(&game, &Limits::none(), &mut |_| {})
            .expect("a decision");
        let Choice::Play(turn) = decision.choice else {
            panic!("no turn");
        };
        let outcome = game.play(&turn).expect("legal").expect("over");
        assert_eq!(outcome.winner, Some(Side::Gold), "{}", kind.name());
    }
}

#[test]
fn the_memory_is_used_and_says_so() {
    let memory = Remembered::new();
    let store = memory.open();
    let top = store
        .setups(Side::Gold, None, false, &Filter::default(), 1)
        .expect("setups");
    // Gold's most common setup, and Silver's most common reply to it.
    let game = play(&memory.spec(EngineKind::Mimic2014), 1, 2);
    assert_eq!(game.setups().0, top.top.first().map(|top| &top.setup));

    // Right after common setups the whole board has been seen.
    let mut engine = memory
        .spec(EngineKind::Mimic2014)
        .build()
        .expect("an engine");
    engine.new_game(1);
    let decision = engine
        .decide(&game, &Limits::none(), &mut |_| {})
        .expect("a decision");
    let hits = ask_all_levels(store.as_ref(), &game).expect("hits");
    assert!(hits.full.is_some());
    assert_eq!(decision.level, Some(Level::Full));
    assert_eq!(last_moved(&game), None, "nobody has moved yet");

    let game = play(&memory.spec(EngineKind::Mimic), 1, 8);
    let square = last_moved(&game).expect("somebody has moved");
    assert!(game.position().board().piece_at(square).is_some());
}

/// A memory inside the search: it asks, plays legally, and says when there is none.
#[test]
fn the_strongest_can_remember_while_it_searches() {
    let memory = Remembered::new();
    for recall in RecallUse::ALL {
        let mut spec = memory.spec(EngineKind::Hathi);
        spec.options.recall = recall;
        spec.options.nodes = 300;
        assert_eq!(spec.remembers(), recall != RecallUse::Never);
        let game = play(&spec, 3, 8);
        assert_eq!(game.turns().len(), 6, "{}", recall.name());
    }
}

/// Rows of the database count from 1; the games of this one are numbered
/// otherwise, and only those numbers lead anywhere.
#[test]
fn games_are_named_by_their_numbers_not_by_their_rows() {
    let memory = Remembered::new();
    let store = memory.open();
    for (kind, before) in [
        (EngineKind::Mimic2014, "follows game "),
        (EngineKind::Mimic, "see game "),
    ] {
        let mut engine = memory.spec(kind).build().expect("an engine");
        let mut named = 0;
        // A search may like none of what a small memory suggests, so several
        // games are begun.
        for seed in 0..20 {
            engine.new_game(seed);
            let game = play(&memory.spec(EngineKind::Mimic2014), seed, 2);
            let decision = engine
                .decide(&game, &Limits::none(), &mut |_| {})
                .expect("a decision");
            let rest = decision
                .reasons
                .iter()
                .find_map(|reason| Some(reason.split_once(before)?.1));
            for word in rest.into_iter().flat_map(|rest| rest.split(", ")) {
                let number = word.split(' ').next().unwrap_or_default();
                let Ok(number) = number.parse::<GameId>() else {
                    break;
                };
                let row = store.row_of(number).expect("an answer");
                assert!(row.is_some(), "{}: {:?}", kind.name(), decision.reasons);
                named += 1;
            }
            if named > 2 {
                break;
            }
        }
        assert!(named > 0, "{} followed a game", kind.name());
    }
}

#[test]
fn without_a_store_the_memory_bots_play_with_an_empty_memory_and_say_so() {
    for text in ["mimic", "mimic-2014", "hathi:recall=both"] {
        let mut spec: EngineSpec = text.parse().expect("an engine");
        "/no/such/store.db".clone_into(&mut spec.options.store);
        let mut engine = spec.build().expect("an engine");
        engine.new_game(1);
        let mut game = Game::new(RuleSet::Modern);
        for _ in 0..4 {
            let limits = Limits {
                nodes: Some(500),
                ..Limits::none()
            };
            let decision = engine
                .decide(&game, &limits, &mut |_| {})
                .expect("a decision");
            let said = decision.reasons.join("; ");
            assert!(
                said.contains("there is no store at /no/such/store.db: playing with an empty"),
                "{said}"
            );
            match decision.choice {
                Choice::SetUp(setup) => game.set_up(&setup).expect("legal"),
                Choice::Play(turn) => {
                    game.play(&turn).expect("legal");
                }
            }
        }
    }
    assert!(!std::path::Path::new("/no").exists());
}

#[test]
fn files_that_options_name_are_used_or_refused_by_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("written");
        path.display().to_string()
    };
    let steps = hathi_model::models::Model::shipped_steps().expect("the model of steps");
    let ours = file("steps.json", &steps.to_text().expect("its text"));
    let start: Position = "g [rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR]"
        .parse()
        .expect("a position");
    let game = Game::from_position(RuleSet::Modern, start);
    let nodes = |ordering: &str| {
        let spec: EngineSpec = format!("fairy:hash=1,ordering={ordering}")
            .parse()
            .expect("an engine");
        let mut engine = spec.build().expect("it can be made");
        engine.new_game(1);
        let limits = Limits::depth(4);
        let decision = engine.decide(&game, &limits, &mut |_| {}).expect("a turn");
        decision.thought.expect("a thought").nodes
    };
    // The file that is shipped orders steps as if it had not been named.
    assert_eq!(nodes(&ours), nodes("learned"));
    assert_ne!(nodes(&ours), nodes("none"));

    let whole_turns = hathi_model::models::Model::shipped().expect("the model of turns");
    let turns = file("turns.json", &whole_turns.to_text().expect("its text"));
    let broken = file("broken.json", "{\"hathi_model\": 1");
    for option in ["ordering", "weights", "tweaks"] {
        for bad in [broken.as_str(), "/no/such/file", turns.as_str(), "/"] {
            let spec: EngineSpec = format!("tweaked:hash=1,{option}={bad}")
                .parse()
                .expect("an engine");
            let error = spec.build().map(|_| ()).expect_err("no use");
            let EngineError::File {
                option: of, path, ..
            } = &error
            else {
                panic!("{option}={bad}: {error}");
            };
            assert_eq!((*of, path.as_str()), (option, bad));
            assert!(error.to_string().contains(bad), "{error}");
        }
    }
}

#[test]
fn a_finished_game_has_no_next_turn() {
    let memory = Remembered::new();
    let start: Position = "g [r                                       R               R      R]"
        .parse()
        .expect("a position");
    let mut game = Game::from_position(RuleSet::Modern, start);
    while game.outcome().is_none() {
        let mut engine = memory.spec(EngineKind::Greedy).build().expect("an engine");
        let decision = engine
            .decide(&game, &Limits::none(), &mut |_| {})
            .expect("a decision");
        let Choice::Play(turn) = decision.choice else {
            panic!("no turn");
        };
        game.play(&turn).expect("legal");
    }
    for kind in EngineKind::ALL {
        let mut engine = memory.spec(kind).build().expect("an engine");
        let ended = engine.decide(&game, &Limits::none(), &mut |_| {});
        assert!(
            matches!(ended, Err(EngineError::GameOver)),
            "{}",
            kind.name()
        );
    }
}

#[test]
fn names_and_options_survive_a_round_trip() {
    for kind in EngineKind::ALL {
        let text = format!(
            "{}:depth=8,nodes=5,hash=2,threads=3,learn=true",
            kind.name()
        );
        let spec: EngineSpec = text.parse().expect("a spec");
        assert_eq!(spec.to_string(), text);
    }
    for phase in ["gt", "ngt"] {
        let text = format!("tweaked:phase={phase},phase-at=root,tweaks=some.txt");
        let spec: EngineSpec = text.parse().expect("a spec");
        assert_eq!(spec.to_string(), text);
        let Err(error) = spec.build().map(|_| ()) else {
            panic!("there is no such file");
        };
        let text = error.to_string();
        assert!(text.starts_with("option tweaks: some.txt: "), "{text}");
    }
    let rat = "rat:dpg=off,plans=off,keep=1";
    assert_eq!(rat.parse::<EngineSpec>().expect("a spec").to_string(), rat);
    for (text, error) in [
        (
            "rat:plans=perhaps",
            "option plans is \"perhaps\", expected on or off",
        ),
        ("nobody", "there is no engine \"nobody\"; there are"),
        (
            "fairy:depth",
            "\"depth\" is not an option: write NAME=VALUE",
        ),
        ("fairy:deep=3", "there is no option \"deep\"; there are"),
        (
            "tweaked:phase=hard",
            "option phase is \"hard\", expected smooth, gt or ngt",
        ),
        ("fairy:hash=0", "option hash is \"0\", expected megabytes"),
    ] {
        let said = text.parse::<EngineSpec>().expect_err("no spec").to_string();
        assert!(said.starts_with(error), "{said}");
    }
}

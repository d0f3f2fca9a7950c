//! McKee's bot, branch by branch of his Figures 4 to 7, and the readings of his
//! thesis. Every test has a memory of a few games made for it.

use hathi_archive::ArchiveReader;
use hathi_engine::{Choice, Decision, EngineSpec, Level, Limits};
use hathi_rules::{Game, RuleSet};
use hathi_store::{ImportOptions, Memory, Place};
use std::fmt::Write;
use std::time::Duration;

const GOLD: &str = "Ra1 Rb1 Rc1 Cd1 Ce1 Rf1 Rg1 Rh1 Ra2 Hb2 Dc2 Md2 Ee2 Df2 Hg2 Rh2";
const SILVER: &str = "ra8 rb8 rc8 cd8 ce8 rf8 rg8 rh8 ra7 hb7 dc7 md7 ee7 df7 hg7 rh7";
/// Camel and elephant exchanged.
const GOLD_OTHER: &str = "Ra1 Rb1 Rc1 Cd1 Ce1 Rf1 Rg1 Rh1 Ra2 Hb2 Dc2 Ed2 Me2 Df2 Hg2 Rh2";
/// Dog and cat exchanged, both in the area round f3.
const GOLD_CATS: &str = "Ra1 Rb1 Rc1 Cd1 De1 Rf1 Rg1 Rh1 Ra2 Hb2 Dc2 Md2 Ee2 Cf2 Hg2 Rh2";
/// Silver's elephant comes to e4: the nearest trap is f3.
const TO_E4: &str = "ee7s ee6s ee5s";

/// A game of the memory.
#[derive(Clone, Copy)]
struct Known {
    gold: &'static str,
    silver: &'static str,
    turns: &'static [&'static str],
    /// Gold's rating; Silver has 1000.
    rating: u32,
    gold_won: bool,
}

const fn known(turns: &'static [&'static str], rating: u32, gold_won: bool) -> Known {
    Known {
        gold: GOLD,
        silver: SILVER,
        turns,
        rating,
        gold_won,
    }
}

impl Known {
    const fn by(mut self, gold: &'static str) -> Known {
        self.gold = gold;
        self
    }

    fn row(&self, number: usize) -> String {
        let mut moves = format!("1g {}\\n1s {}", self.gold, self.silver);
        for (i, turn) in self.turns.iter().enumerate() {
            let side = ['g', 's'][i % 2];
            let _ = write!(moves, "\\n{}{side} {turn}", 2 + i / 2);
        }
        let result = if self.gold_won { 'g' } else { 's' };
        let (rating, turns) = (self.rating, self.turns.len());
        format!(
            "{number}\tgold\tsilver\t{rating}\t1000\t{result}\tr\t{turns}\tIGS\t1\t0\t{moves}\n"
        )
    }
}

/// A memory of these games, numbered from 1, that goes away with the test.
struct Remembered(tempfile::TempDir);

impl Remembered {
    fn new(games: &[Known]) -> Remembered {
        let folder = tempfile::tempdir().expect("a folder");
        let mut text = "id\tgusername\tsusername\tgrating\tsrating\tresult\ttermination\tplycount\
                        \tmode\trated\tcorrupt\tmovelist\n"
            .to_owned();
        for (i, game) in games.iter().enumerate() {
            text += &game.row(i + 1);
        }
        let archive = folder.path().join("games.txt");
        std::fs::write(&archive, text).expect("written");
        let remembered = Remembered(folder);
        let mut store = remembered.open();
        let reader = ArchiveReader::open([&archive]).expect("an archive");
        store
            .import(reader, ImportOptions::default(), &mut |_| {}, &mut |_| true)
            .expect("imported");
        store.build_index(1, &mut |_, _| {}).expect("an index");
        assert_eq!(store.totals().expect("totals").games, games.len() as u64);
        remembered
    }

    fn name(&self) -> String {
        self.0.path().join("memory.db").display().to_string()
    }

    fn open(&self) -> Box<dyn Memory> {
        let place = Place::new(self.name().as_ref()).expect("a place");
        place.open().expect("a store")
    }

    fn ask_within(&self, options: &str, game: &Game, limits: &Limits) -> Decision {
        let text = format!("mimic-2014:hash=1,nodes=200,store={}{options}", self.name());
        let spec: EngineSpec = text.parse().expect("an engine");
        let mut engine = spec.build().expect("it can be made");
        engine.new_game(1);
        let decision = engine.decide(game, limits, &mut |_| {});
        decision.expect("a decision")
    }

    /// Where the choice came from and what it is.
    fn ask(&self, options: &str, game: &Game) -> (Level, String) {
        let decision = self.ask_within(options, game, &Limits::none());
        (decision.level.expect("a level"), turn(&decision))
    }
}

fn turn(decision: &Decision) -> String {
    match &decision.choice {
        Choice::Play(turn) => turn.to_string(),
        Choice::SetUp(setup) => setup.to_string(),
    }
}

/// The game to be asked about.
fn game(gold: &str, turns: &[&str]) -> Game {
    let mut game = Game::new(RuleSet::Modern);
    for setup in [gold, SILVER] {
        game.set_up(&setup.parse().expect("a setup"))
            .expect("legal");
    }
    for turn in turns {
        game.play(&turn.parse().expect("a turn")).expect("legal");
    }
    game
}

/// The games of a level that answers the game asked about: what Gold plays there
/// comes after `before`.
struct Branches {
    level: Level,
    asked: Game,
    /// For each turn a game may play there: the whole game.
    plays: fn(what: usize, rating: u32, won: bool, long: bool) -> Known,
}

/// "if results have wins discard results that result in losses; make move by
/// user with the highest rank; if the users have the same rank then make move
/// resulting in less moves left; if movesLeft are the same then make any move
/// left in the result set": the same in all four figures.
fn his_order(branches: &Branches) {
    let Branches {
        level,
        asked,
        plays,
    } = branches;
    let [a, b] = [0, 1].map(|what| plays(what, 1, true, false));
    let at = asked.turns().len();
    let [a, b] = [a.turns[at], b.turns[at]];
    let asked = |games: &[Known]| {
        let (from, turn) = Remembered::new(games).ask("", asked);
        assert_eq!(from, *level);
        turn
    };
    // results == 1
    assert_eq!(asked(&[plays(0, 1500, false, false)]), a);
    // A win by a weak player against a loss by a strong one.
    let (win, loss) = (plays(1, 1200, true, true), plays(0, 2400, false, false));
    assert_eq!(asked(&[loss, win]), b);
    // Losses only: the highest rank.
    let (weak, strong) = (plays(0, 1200, false, false), plays(1, 2400, false, true));
    assert_eq!(asked(&[weak, strong]), b);
    // Wins only: the highest rank.
    let (weak, strong) = (plays(0, 1200, true, false), plays(1, 2400, true, true));
    assert_eq!(asked(&[weak, strong]), b);
    // The same rank: fewer moves left.
    let (long, short) = (plays(0, 1500, true, true), plays(1, 1500, true, false));
    assert_eq!(asked(&[long, short]), b);
    // Nothing tells them apart: any of them.
    let (one, other) = (plays(0, 1500, true, false), plays(1, 1500, true, false));
    let any = asked(&[one, other]);
    assert!(any == a || any == b, "{any}");
}

#[test]
fn figure_4_the_whole_board() {
    his_order(&Branches {
        level: Level::Full,
        asked: game(GOLD, &[]),
        plays: |what, rating, won, long| {
            let turns: &[&str] = match (what, long) {
                (0, false) => &["Ee2n"],
                (0, true) => &["Ee2n", "ee7s", "Ee3n", "ee6s", "Ee4e"],
                (_, false) => &["Md2n"],
                (_, true) => &["Md2n", "ee7s", "Md3n", "ee6s", "Md4w"],
            };
            known(turns, rating, won)
        },
    });
}

#[test]
fn figure_4_without_a_result_half_the_board_is_asked() {
    let memory = Remembered::new(&[known(&["Hb2n"], 1500, true)]);
    let asked = game(GOLD_OTHER, &[]);
    assert_eq!(memory.ask("", &asked), (Level::Half, "Hb2n".to_owned()));
}

#[test]
fn figure_5_half_the_board() {
    his_order(&Branches {
        level: Level::Half,
        asked: game(GOLD_OTHER, &[]),
        plays: |what, rating, won, long| {
            let turns: &[&str] = match (what, long) {
                (0, false) => &["Hb2n"],
                (0, true) => &["Hb2n", "ee7s", "Ee2n", "ee6s", "Ee3e"],
                (_, false) => &["Hg2n"],
                (_, true) => &["Hg2n", "ee7s", "Md2n", "ee6s", "Md3w"],
            };
            known(turns, rating, won)
        },
    });
}

/// Half boards match, but the turn moves an elephant that is not there, and
/// nobody has moved yet: no area either.
#[test]
fn figure_5_a_turn_that_cannot_be_played_is_no_answer() {
    let memory = Remembered::new(&[known(&["Ee2n"], 1500, true)]);
    let (level, _) = memory.ask("", &game(GOLD_OTHER, &[]));
    assert_eq!(level, Level::Chance);
}

#[test]
fn figure_5_without_a_result_the_area_is_asked() {
    let memory = Remembered::new(&[known(&["Hb2n", TO_E4, "Md2n"], 1500, true)]);
    let asked = game(GOLD, &["Ra2n", TO_E4]);
    assert_eq!(memory.ask("", &asked), (Level::Area, "Md2n".to_owned()));
}

#[test]
fn figure_6_the_area_round_the_trap() {
    his_order(&Branches {
        level: Level::Area,
        asked: game(GOLD, &["Ra2n", TO_E4]),
        plays: |what, rating, won, long| {
            let turns: &[&str] = match (what, long) {
                (0, false) => &["Hb2n", TO_E4, "Md2n"],
                (0, true) => &["Hb2n", TO_E4, "Md2n", "ra7s", "Md3n", "ra6s", "Md4s"],
                (_, false) => &["Hb2n", TO_E4, "Ee2n"],
                (_, true) => &["Hb2n", TO_E4, "Ee2n", "ra7s", "Hb3n", "ra6s", "Hb4s"],
            };
            known(turns, rating, won)
        },
    });
}

/// The area answers with a turn of a horse that is not there: the piece to move
/// is a horse, and its eyes find another game.
#[test]
fn figure_6_a_turn_that_cannot_be_played_leads_to_its_piece() {
    let cannot = known(&["Hb2n", TO_E4, "Hb3n"], 1500, true);
    let can = known(&["Hb2n", TO_E4, "Md2n"], 2000, true).by(GOLD_CATS);
    let asked = game(GOLD, &["Ra2n", TO_E4]);
    let (level, turn) = Remembered::new(&[cannot, can]).ask("", &asked);
    assert_eq!((level, turn.as_str()), (Level::AreaByPiece, "Md2n"));
}

#[test]
fn figure_6_without_a_result_the_piece_is_asked() {
    let other = known(&["Hb2n", TO_E4, "Md2n"], 2000, true).by(GOLD_CATS);
    let asked = game(GOLD, &["Ra2n", TO_E4]);
    let (level, turn) = Remembered::new(&[other]).ask("", &asked);
    assert_eq!((level, turn.as_str()), (Level::AreaByPiece, "Md2n"));
}

/// Section 3.5: a turn that leads out of the area is asked about again there.
#[test]
fn an_answer_that_leads_out_of_the_area_is_asked_about_again() {
    let out = known(&["Hb2n", TO_E4, "Ee2n Ee3w Ed3w"], 2000, true);
    let there = known(&["Ra2n", "ee7s ee6s ee5s hg7s", "Hb2n"], 1500, true);
    let asked = game(GOLD, &["Ra2n", TO_E4]);
    // Nobody was round c3: the first answer stands.
    let (level, turn) = Remembered::new(&[out]).ask("", &asked);
    assert_eq!((level, turn.as_str()), (Level::Area, "Ee2n Ee3w Ed3w"));
    let (level, turn) = Remembered::new(&[out, there]).ask("", &asked);
    assert_eq!((level, turn.as_str()), (Level::Area, "Hb2n"));
}

#[test]
fn figure_7_the_area_by_piece() {
    his_order(&Branches {
        level: Level::AreaByPiece,
        asked: game(GOLD, &["Ra2n", TO_E4]),
        plays: |what, rating, won, long| {
            let turns: &[&str] = match (what, long) {
                (0, false) => &["Hb2n", TO_E4, "Md2n"],
                (0, true) => &["Hb2n", TO_E4, "Md2n", "ra7s", "Md3n", "ra6s", "Md4s"],
                (_, false) => &["Hb2n", TO_E4, "Ee2n"],
                (_, true) => &["Hb2n", TO_E4, "Ee2n", "ra7s", "Hb3n", "ra6s", "Hb4s"],
            };
            known(turns, rating, won).by(GOLD_CATS)
        },
    });
}

#[test]
fn figure_7_a_turn_that_cannot_be_played_leads_to_the_fallback() {
    let cannot = known(&["Hb2n", TO_E4, "Hb3n"], 1500, true).by(GOLD_CATS);
    let asked = game(GOLD, &["Ra2n", TO_E4]);
    let (level, _) = Remembered::new(&[cannot]).ask("", &asked);
    assert_eq!(level, Level::Chance);
}

#[test]
fn figure_7_without_a_result_the_fallback_plays() {
    let elsewhere = known(&["Rh2n", TO_E4, "Md2n"], 1500, true);
    let asked = game(GOLD, &["Ra2n", TO_E4]);
    let memory = Remembered::new(&[elsewhere]);
    assert_eq!(memory.ask("", &asked).0, Level::Chance);
    // Another reading: what the engine fallback finds.
    assert_eq!(memory.ask(",otherwise=search", &asked).0, Level::Search);
}

/// Section 3.7: the fallback is there for when the time runs out, too.
#[test]
fn when_the_time_is_up_any_turn_is_played() {
    let memory = Remembered::new(&[known(&["Ee2n"], 1500, true)]);
    let asked = game(GOLD, &[]);
    assert_eq!(memory.ask("", &asked).0, Level::Full);
    let limits = Limits::time(Duration::ZERO);
    for options in ["", ",otherwise=search"] {
        let late = memory.ask_within(options, &asked, &limits);
        assert_eq!(late.level, Some(Level::Chance));
        let said = late.reasons.join("; ");
        assert!(said.starts_with("the time is up"), "{said}");
    }
}

#[test]
fn replay_by_square_moves_whatever_stands_there() {
    let memory = Remembered::new(&[known(&["Ee2n Ee3n"], 1500, true)]);
    let asked = game(GOLD_OTHER, &[]);
    assert_eq!(memory.ask("", &asked).0, Level::Chance);
    let (level, turn) = memory.ask(",replay=square", &asked);
    assert_eq!((level, turn.as_str()), (Level::Half, "Me2n Me3n"));
    // An empty square cannot be moved from.
    let memory = Remembered::new(&[known(&["Hb2n", TO_E4, "Hb3n"], 1500, true)]);
    let asked = game(GOLD, &["Ra2n", TO_E4]);
    assert_eq!(memory.ask(",replay=square", &asked).0, Level::Chance);
}

#[test]
fn the_best_legal_hit_is_looked_for_behind_the_top_one() {
    let cannot = known(&["Ee2n"], 2400, true);
    let can = known(&["Hb2n"], 1500, true);
    let memory = Remembered::new(&[cannot, can]);
    let asked = game(GOLD_OTHER, &[]);
    assert_eq!(memory.ask("", &asked).0, Level::Chance);
    for replay in ["letter", "square"] {
        let (level, turn) = memory.ask(&format!(",hits=legal,replay={replay}"), &asked);
        let best = if replay == "letter" { "Hb2n" } else { "Me2n" };
        assert_eq!((level, turn.as_str()), (Level::Half, best));
    }
}

/// The piece to move is the elephant on e2. The game known differs on h3, which
/// is in the window of f3 and not in that of e2.
#[test]
fn the_last_window_can_lie_round_the_piece() {
    let memory = Remembered::new(&[known(&["Rh2n", TO_E4, "Md2n"], 1500, true)]);
    let asked = game(GOLD, &["Ra2n", TO_E4]);
    assert_eq!(memory.ask("", &asked).0, Level::Chance);
    for hits in ["top", "legal"] {
        let (level, turn) = memory.ask(&format!(",window=piece,hits={hits}"), &asked);
        assert_eq!((level, turn.as_str()), (Level::AreaByPiece, "Md2n"));
    }
    // The piece does not see round the corner: an enemy where there was none.
    let asked = game(GOLD, &["Ra2n", "ee7s ee6s ee5s ee4w"]);
    assert_eq!(memory.ask(",window=piece", &asked).0, Level::Chance);
}

/// Section 3.1: the most common setup, the most common reply, else the same.
#[test]
fn setups_come_from_the_memory_or_from_chance() {
    let memory = Remembered::new(&[
        known(&["Ee2n"], 1500, true),
        known(&["Md2n"], 1500, true),
        known(&["Md2n"], 1500, true).by(GOLD_CATS),
    ]);
    let mut asked = Game::new(RuleSet::Modern);
    let set_up =
        |game: &Game, options: &str| turn(&memory.ask_within(options, game, &Limits::none()));
    let as_text = |setup: &str| {
        setup
            .parse::<hathi_rules::Setup>()
            .expect("a setup")
            .to_string()
    };
    assert_eq!(set_up(&asked, ""), as_text(GOLD));
    asked
        .set_up(&GOLD.parse().expect("a setup"))
        .expect("legal");
    assert_eq!(set_up(&asked, ""), as_text(SILVER));
    let drawn = memory.ask_within(",setups=drawn", &asked, &Limits::none());
    assert_eq!(drawn.level, None);
    assert!(matches!(drawn.choice, Choice::SetUp(_)));
    let mut unknown = Game::new(RuleSet::Modern);
    unknown
        .set_up(&GOLD_OTHER.parse().expect("a setup"))
        .expect("legal");
    let mirrored = memory.ask_within("", &unknown, &Limits::none());
    let said = mirrored.reasons.join("; ");
    assert!(said.contains("the same, mirrored"), "{said}");
}

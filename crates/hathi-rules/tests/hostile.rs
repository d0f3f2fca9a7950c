//! What strangers may send: every parser of the crate against noise, damaged
//! files and giant inputs.
//!
//! Whatever comes in, a parser must not panic, must answer in time that grows
//! with the length of the input and no faster, must give back what it printed,
//! and must say what is wrong in a message one can read. `PROPTEST_CASES` sets
//! how many inputs are tried.

use std::fmt::{Debug, Display, Write as _};
use std::str::FromStr;
use std::time::{Duration, Instant};

use hathi_rules::{
    Board, GameRecord, Label, Lines, PackedBoard, Ply, Position, Replay, RuleSet, Setup, Side,
    Square, Step, TimeControl, Turn,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// Longer than any message has a reason to be.
const LONGEST_MESSAGE: usize = 400;

/// A parser, as a function from bytes to nothing that panics when it must
/// not.
type Feed = fn(&[u8]);

/// Every parser by name.
const PARSERS: [(&str, Feed); 12] = [
    ("Square", |bytes| reads_back::<Square>(bytes)),
    ("Step", |bytes| reads_back::<Step>(bytes)),
    ("Turn", |bytes| reads_back::<Turn>(bytes)),
    ("Setup", |bytes| reads_back::<Setup>(bytes)),
    ("Label", |bytes| reads_back::<Label>(bytes)),
    ("Position", |bytes| reads_back::<Position>(bytes)),
    ("Position, side given", position_with_side),
    ("TimeControl", time_control),
    ("GameRecord", game_record),
    ("Lines", lines),
    ("Replay", replay),
    ("PackedBoard", packed_board),
];

/// Text that is read must print as something that reads as the same value;
/// text that is refused must be refused in few words.
fn reads_back<T>(bytes: &[u8])
where
    T: FromStr<Err: Display> + Display + Debug + PartialEq,
{
    let text = String::from_utf8_lossy(bytes);
    match text.parse::<T>() {
        Ok(value) => {
            let printed = value.to_string();
            match printed.parse::<T>() {
                Ok(again) => assert_eq!(again, value, "printed as {printed:?}"),
                Err(error) => panic!("{value:?} is printed as {printed:?}: {error}"),
            }
        }
        Err(error) => is_short(&error),
    }
}

fn is_short(error: &impl Display) {
    let message = error.to_string();
    assert!(!message.is_empty());
    assert!(
        message.len() <= LONGEST_MESSAGE,
        "a message of {} bytes: {}...",
        message.len(),
        message.chars().take(80).collect::<String>()
    );
}

fn time_control(bytes: &[u8]) {
    reads_back::<TimeControl>(bytes);
}

fn position_with_side(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for side in Side::ALL {
        match Position::parse_with_side(&text, Some(side)) {
            Ok(position) => {
                for printed in [position.short_form(), position.long_form()] {
                    assert_eq!(printed.parse(), Ok(position), "printed as {printed:?}");
                }
                use_position(&position);
            }
            Err(error) => is_short(&error),
        }
    }
}

/// Whatever position text can describe, the rules can be asked about it. In a
/// composition a piece may stand on a trap without support, else never.
fn use_position(position: &Position) {
    let composed = position.board().unsupported_on_traps().any();
    for step in position.legal_steps() {
        assert_eq!(position.check_step(step), Ok(step));
        let after = position.after(step);
        assert!(composed || after.board().unsupported_on_traps().is_empty());
        assert_eq!(after.board().hash(), after.board().computed_hash());
    }
}

fn game_record(bytes: &[u8]) {
    match GameRecord::parse(bytes) {
        Ok(record) => {
            let printed = record.to_string();
            let again = printed.parse::<GameRecord>();
            let again = again.unwrap_or_else(|error| panic!("printed as {printed:?}: {error}"));
            assert_eq!(again, record, "printed as {printed:?}");
        }
        Err(error) => is_short(&error),
    }
}

fn lines(bytes: &[u8]) {
    let mut last = 0;
    for line in Lines::new(bytes) {
        let number = match line {
            Ok(line) => line.number,
            Err(error) => {
                is_short(&error);
                error.line
            }
        };
        assert!(number > last, "line {number} after line {last}");
        last = number;
    }
}

fn replay(bytes: &[u8]) {
    for rules in [RuleSet::Modern, RuleSet::Before2008] {
        let mut replay = Replay::new(rules);
        if let Err(error) = replay.read(bytes, rules) {
            is_short(&error);
        }
        // Wherever it stopped, the game must stand.
        let game = &replay.game;
        assert_eq!(game.positions().len().saturating_sub(1), game.turns().len());
        assert!(!game.ply_label().is_empty());
        let _ = replay.outcome();
        let record = GameRecord::of_game(game);
        let again = record.replay(rules).expect("what was played is legal");
        assert_eq!(again.game.position(), game.position());
    }
}

fn packed_board(bytes: &[u8]) {
    let Some(&bytes) = bytes.first_chunk::<32>() else {
        return;
    };
    let packed = PackedBoard(bytes);
    match Board::try_from(packed) {
        Ok(board) => {
            assert_eq!(PackedBoard::from(&board), packed);
            assert_eq!(board.hash(), board.computed_hash());
            for side in Side::ALL {
                use_position(&Position::composed(board, side));
            }
        }
        Err(error) => is_short(&error),
    }
}

/// Something good of every kind, to be spoilt.
const GOOD: [&str; 14] = [
    "c3",
    "Ea3n",
    "hc4s hc3x",
    "rb3e rc3x Hb2n Ed4n",
    "Ea3n pass",
    "Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2",
    "12s",
    "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]",
    "3w\n +-----------------+\n8| r . . r r r r r |\n7| h d c . m c d h |\n6| . . x . . x . . |\n\
     5| . . . e . . . . |\n4| . . . . . . . . |\n3| . . X . E x . . |\n2| H D C M . C D H |\n\
     1| R R R R R R R R |\n +-----------------+\n   a b c d e f g h",
    "s\n8|rrrrrrrr|\n7|hdcemcdh|\n6|        |\n5|        |\n4|        |\n3|        |\n2|HDCMECDH|\n1|RRRRRRRR|",
    "0:30/3/100/5/8",
    "2m30s/5m/100/1h/7h30/2:30",
    "1g Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2\n\
     1s ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7\n\
     2g Ee2n Ee3n Ee4n\n2s ed7s ed6s\n3g Ee5w ed5s Ed5n\n3s takeback\n3g Md2n\n3s resigns\n4g",
    "1w Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2\\n\
     1b ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7\\n\
     2w Ha2n Ha3n\\n2b ha7s\\n3w pass\\n3b lost\\n",
];

/// One way to damage a file.
#[derive(Clone, Debug)]
enum Damage {
    Flip(Index, u8),
    Insert(Index, Vec<u8>),
    Delete(Index, usize),
    Duplicate(Index, usize, usize),
    Truncate(Index),
}

impl Damage {
    fn apply(&self, text: &mut Vec<u8>) {
        if text.is_empty() {
            return;
        }
        let chunk = |at: &Index, length: usize| {
            let from = at.index(text.len());
            from..(from + length).min(text.len())
        };
        match self {
            Damage::Flip(at, bits) => {
                let at = at.index(text.len());
                text[at] ^= bits;
            }
            Damage::Insert(at, bytes) => {
                let at = at.index(text.len());
                text.splice(at..at, bytes.iter().copied());
            }
            Damage::Delete(at, length) => {
                text.drain(chunk(at, *length));
            }
            Damage::Duplicate(at, length, times) => {
                let range = chunk(at, *length);
                let copy = text[range.clone()].repeat(*times);
                text.splice(range.end..range.end, copy);
            }
            Damage::Truncate(at) => text.truncate(at.index(text.len())),
        }
    }
}

fn any_damage() -> impl Strategy<Value = Damage> {
    let at = any::<Index>;
    prop_oneof![
        (at(), any::<u8>()).prop_map(|(at, bits)| Damage::Flip(at, bits)),
        (at(), vec(any::<u8>(), 1..4)).prop_map(|(at, bytes)| Damage::Insert(at, bytes)),
        (at(), word()).prop_map(|(at, word)| Damage::Insert(at, word.into_bytes())),
        (at(), 1..20_usize).prop_map(|(at, length)| Damage::Delete(at, length)),
        (at(), 1..80_usize, 1..9_usize)
            .prop_map(|(at, length, times)| Damage::Duplicate(at, length, times)),
        at().prop_map(Damage::Truncate),
    ]
}

fn damaged() -> impl Strategy<Value = Vec<u8>> {
    (select(&GOOD[..]), vec(any_damage(), 1..6)).prop_map(|(good, damages)| {
        let mut text = good.as_bytes().to_vec();
        for damage in damages {
            damage.apply(&mut text);
        }
        text
    })
}

/// The words all notations are made of, and what stands between them.
fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[RCDHMErcdhme][a-h][1-8][nsewx]? ",
        1 => "[0-9]{0,7}[gswb]",
        1 => select(&[
            " ", "\n", "\\n", "\\", "\t", "\r\n", "#", "|", "[", "]", ".", "x", "/", ":", "+",
            "takeback", "resigns", "lost", "pass", "gold", "8|", " . ", "é", "\u{2028}", "\0",
            "-1", "0t", "1d", "2h30", "99999999999999999999",
        ][..])
        .prop_map(str::to_owned),
    ]
}

fn cases() -> ProptestConfig {
    let default = ProptestConfig::default();
    let asked = std::env::var_os("PROPTEST_CASES").is_some();
    ProptestConfig {
        cases: if asked { default.cases } else { 5000 },
        // A failing input is printed; it belongs in a unit test, not a file.
        failure_persistence: None,
        ..default
    }
}

fn feed_all(bytes: &[u8]) {
    for (_, feed) in PARSERS {
        feed(bytes);
    }
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn any_text(text in any::<String>()) {
        feed_all(text.as_bytes());
    }

    #[test]
    fn any_bytes(bytes in vec(any::<u8>(), 0..200)) {
        feed_all(&bytes);
    }

    #[test]
    fn words_of_notation_in_any_order(words in vec(word(), 0..40)) {
        feed_all(words.concat().as_bytes());
    }

    #[test]
    fn damaged_files(text in damaged()) {
        feed_all(&text);
    }

    #[test]
    fn damaged_boards(planes in any::<[u64; 4]>(), sparse in any::<[u64; 4]>()) {
        // Random planes nearly always hold an impossible code somewhere, so
        // the rest is made possible, and thin enough for a real position.
        let thin = planes[0].rotate_left(9) & sparse[0] & sparse[1];
        let [p0, p1, p2, p3] = planes;
        let p0 = p0 & !(p1 & p2);
        let possible = [p0, p1, p2, p3 & (p0 | p1 | p2)];
        for planes in [planes, possible, possible.map(|plane| plane & thin)] {
            let bytes: Vec<u8> = planes.iter().flat_map(|plane| plane.to_le_bytes()).collect();
            packed_board(&bytes);
        }
    }
}

/// Runs with a stopwatch. The bound is far above what a linear parser needs
/// (a few hundredths of a second) and far below what a quadratic one would.
fn within(limit: Duration, what: &str, run: impl FnOnce()) {
    let start = Instant::now();
    run();
    let took = start.elapsed();
    assert!(took < limit, "{what} took {took:?}");
}

const GIANT: usize = 10_000_000;
const SOON: Duration = Duration::from_secs(5);

#[test]
fn ten_megabytes_of_one_word() {
    let words = [
        " ",
        "a",
        "1",
        "g",
        "x",
        ".",
        "|",
        "[",
        "]",
        "/",
        ":",
        "#",
        "\\",
        "\\n",
        "\n",
        "\r\n",
        "\0",
        "é",
        "Ea3n ",
        "Ra1 ",
        "rc3x ",
        "pass ",
        "1d",
        "0/",
        "12g ",
        "2g\n",
        "2g pass\n",
        "2g resigns\n",
        "1g takeback\n",
        "1g\\n",
        "# comment\n",
        "a b c d e f g h\n",
        "8| . . . . . . . . |\n",
        " +-----------------+\n",
        "g [",
    ];
    for word in words {
        let text = word.repeat(GIANT / word.len());
        for (name, feed) in PARSERS {
            within(SOON, &format!("{name} on {word:?} repeated"), || {
                feed(text.as_bytes());
            });
        }
    }
}

#[test]
fn giant_tails_after_a_good_start() {
    for good in GOOD {
        for word in [
            " ",
            "\n",
            "\\n",
            "9",
            "Ea3n ",
            "x",
            "|",
            "2g\n",
            "takeback\n",
            "]",
        ] {
            let mut text = good.to_owned();
            text.push_str(&word.repeat(1_000_000 / word.len()));
            for (name, feed) in PARSERS {
                within(
                    SOON,
                    &format!("{name} on {good:?} and {word:?} repeated"),
                    || {
                        feed(text.as_bytes());
                    },
                );
            }
        }
    }
}

const SETUPS: &str = "\
1g Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2
1s ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 md7 ee7 cf7 dg7 hh7
";

#[test]
fn a_hundred_thousand_takebacks() {
    let text = SETUPS.to_owned() + &"2g Ee2n\n2s takeback\n".repeat(50_000);
    within(SOON, "a game of takebacks", || {
        let mut replay = Replay::new(RuleSet::Modern);
        replay
            .read(text.as_bytes(), RuleSet::Modern)
            .expect("a legal game");
        assert_eq!(replay.takebacks, 50_000);
    });
}

/// Pieces that walk to and fro on their files, one step a turn, so that all
/// together run through every combination of places (a reflected Gray code)
/// before the first comes back.
struct Walkers {
    files: &'static [(char, char)],
    home: i32,
    forward: i32,
    place: Vec<i32>,
    direction: Vec<i32>,
}

impl Walkers {
    const PLACES: i32 = 3;

    fn new(side: Side, files: &'static [(char, char)]) -> Walkers {
        let gold = side == Side::Gold;
        Walkers {
            files,
            home: if gold { 2 } else { 7 },
            forward: if gold { 1 } else { -1 },
            place: vec![0; files.len()],
            direction: vec![1; files.len()],
        }
    }

    fn step(&mut self) -> String {
        for i in 0..self.files.len() {
            let next = self.place[i] + self.direction[i];
            if !(0..Self::PLACES).contains(&next) {
                // At the end of its file: turn round, the next one moves.
                self.direction[i] = -self.direction[i];
                continue;
            }
            let rank = self.home + self.forward * self.place[i];
            self.place[i] = next;
            let (piece, file) = self.files[i];
            let north = self.direction[i] * self.forward > 0;
            return format!("{piece}{file}{rank}{}", if north { 'n' } else { 's' });
        }
        // All at an end and turned round: off they go the other way.
        self.step()
    }
}

/// A legal game of any length, without a capture and without a third
/// repetition, which is the slowest to check for one.
fn endless_game(turns: usize) -> String {
    // Both sides have the same piece on a file, so that nobody is frozen. The
    // periods (2 * 728 and 2 * 242 turns) have few factors in common.
    let mut gold = Walkers::new(
        Side::Gold,
        &[
            ('H', 'a'),
            ('D', 'b'),
            ('M', 'd'),
            ('E', 'e'),
            ('D', 'g'),
            ('H', 'h'),
        ],
    );
    let mut silver = Walkers::new(
        Side::Silver,
        &[('h', 'a'), ('d', 'b'), ('m', 'd'), ('e', 'e'), ('d', 'g')],
    );
    let mut text = SETUPS.to_owned();
    for turn in 0..turns {
        let label = Ply::after(turn).label();
        let step = match label.side {
            Side::Gold => gold.step(),
            Side::Silver => silver.step(),
        };
        let _ = writeln!(text, "{label} {step}");
    }
    text
}

#[test]
fn a_game_without_end() {
    // Looking for repetitions is quadratic in the turns since the last
    // capture. This is a hundred times longer than any real game.
    const TURNS: usize = 20_000;
    let text = endless_game(TURNS);
    within(SOON, "a game without end", || {
        let mut replay = Replay::new(RuleSet::Modern);
        let read = replay.read(text.as_bytes(), RuleSet::Modern);
        read.expect("a legal game");
        assert_eq!(replay.game.turns().len(), TURNS);
    });
}

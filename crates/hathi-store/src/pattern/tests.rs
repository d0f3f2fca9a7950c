use hathi_rules::{Bitboard, PackedBoard, Piece, Position, Square, Symmetry};
use proptest::prelude::*;

use super::*;
use crate::Matching;
use crate::seen::Seen;

fn pattern(text: &str) -> Pattern {
    Pattern::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn error(text: &str) -> String {
    Pattern::parse(text).unwrap_err().to_string()
}

/// Silver's horse on c6 is about to be lost.
fn position() -> Position {
    "g
     8| r r . . . r r r |
     7| r d c . . c d r |
     6| . . h E . m . . |
     5| . . R . . . . h |
     4| . H . . e . . . |
     3| . . C . . x . . |
     2| R D . M . C D H |
     1| R R R . . R R R |"
        .parse()
        .unwrap()
}

fn holds(text: &str) -> bool {
    pattern(text).holds(position().board(), Side::Gold)
}

#[test]
fn what_stands_on_a_square() {
    for yes in [
        "Ed6",
        "hc6",
        "Gd6",
        "Sc6",
        "*c6",
        "_d5",
        "!Ed5",
        "!ed6",
        "!_d6",
        "!*d5",
        "!Sd6",
        "!Sd5",
        "=Hc6",
        "=Hb4",
        "<Mc6",
        "S<Mc6",
        ">Dc6",
        "S>Dc6",
        ">=Hc6",
        "<=Hc6",
        "S<=Hc6",
        "!G<Mc6",
        "!<Hd5",
        "*<Mc6",
        "Ed6, hc6,,  Sa8",
        "!R@d5..e5",
    ] {
        assert!(holds(yes), "{yes}");
    }
    for no in [
        "ed6", "Gc6", "Sd6", "*d5", "_d6", "!Ed6", "<Hc6", ">Hc6", "G<Mc6", "<Hd5", ">Rd5",
    ] {
        assert!(!holds(no), "{no}");
    }
}

#[test]
fn somewhere_in_an_area() {
    for yes in [
        "E@near(c6)",
        "E@near c6",
        "S<H@near(c6)",
        "h@trap(c6)",
        "e@centre",
        "h@edge",
        "h@traps",
        "2h@board",
        "2+h@board",
        "2-h@board",
        "1..3h@board",
        "!3+h@board",
        "0m@home(g)",
        "!e@home",
        "R@away",
        "!r@away",
        "16-G@board",
        "8-r@home",
        "!R@goal",
        "m@rank(6)",
        "m@ranks(5..7)",
        "2+=H@files(a..c)",
        "h@(a1 c6)",
        "h@(a1, near(c7))",
        "*@c5..d6",
        "3*@c5..d6",
        "3*@d6..c5",
        "3*@c6..d5",
        "5+S@near(b7 b8)",
        "_@d5",
        "2_@near d5, Hb4",
        "1e@e4",
    ] {
        assert!(holds(yes), "{yes}");
    }
    for no in [
        "E@near(c3)",
        "!E@near(c6)",
        "3+h@board",
        "0h@board",
        "h@centre",
        "E@home",
        "C@trap(c6)",
        "!2+h@board",
        "M@file(e)",
        "2+e@board",
        "1-h@board",
        "!2h@board",
    ] {
        assert!(!holds(no), "{no}");
    }
}

/// The area of the first condition.
fn squares(text: &str) -> Bitboard {
    match pattern(text).only() {
        Some(Formula::All(all)) => all.conditions[0].area.squares(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn areas_have_the_size_they_should() {
    for (area, size) in [
        ("trap(c3)", 25),
        ("trap(f6)", 25),
        ("near(a1)", 2),
        ("near(d4)", 4),
        ("centre", 4),
        ("edge", 28),
        ("traps", 4),
        ("board", 64),
        ("home(g)", 32),
        ("away(s)", 32),
        ("goal(s)", 8),
        ("file(b)", 8),
        ("rank(1 3)", 16),
        ("c3..e5", 9),
        ("(c3 c3 c4)", 2),
    ] {
        assert_eq!(squares(&format!("*@{area}")).len(), size, "{area}");
    }
    assert_eq!(squares("*@trap(f6)"), squares("*@d4..h8"));
}

#[test]
fn whose_turn() {
    let board = *position().board();
    for (text, side) in [
        ("g to move", Side::Gold),
        ("S to move", Side::Silver),
        ("gold to move", Side::Gold),
        ("Silver to  Move", Side::Silver),
        ("b to move", Side::Silver),
    ] {
        assert!(pattern(text).holds(&board, side));
        assert!(!pattern(text).holds(&board, side.opponent()));
    }
}

#[test]
fn drawings() {
    let framed = "
         +-----------------+
        8| . . . . . . . . |
        7| . . * . . . . . |
        6| . . h E . x . . |
        5| . . . _ . . . . |
        4| . G . . . . . . |
        3| . . x . . x . . |
        2| . . . . . . . . |
        1| . . . . . . . R |
         +-----------------+
           a b c d e f g h
        2+S<H@near(c6)
        g to move";
    let line = "*c7 hc6 Ed6 _d5 Gb4 Rh1 2+S<H@near(c6) g to move";
    assert_eq!(pattern(framed), pattern(line));
    assert_eq!(pattern(framed).to_string(), line);
    let bare = "........\n..*.....\n..hE.x..\n..._....\n.G......\n..x..x..\n........\n.......R\n";
    assert_eq!(
        pattern(&format!("{bare}2+S<H@near(c6), g to move")),
        pattern(line)
    );
    // A position as it stands in a file is a pattern that matches it.
    let position = position();
    assert_eq!(pattern(&position.long_form()).mover(), Some(Side::Gold));
    assert!(pattern(&position.long_form()).holds(position.board(), Side::Gold));
}

#[test]
fn canonical_form() {
    for (text, canonical) in [
        ("E@d4", "Ed4"),
        ("G=Ed4", "Ed4"),
        ("*=ed4", "=Ed4"),
        ("<=Dd4", "<Hd4"),
        (">=Cd4", ">Rd4"),
        ("G>=Rd4", "Gd4"),
        ("<=Ed4", "*d4"),
        ("S<=Rd4", "rd4"),
        ("1+E@centre", "E@centre"),
        ("E@center", "E@centre"),
        ("2+R@HOME(g)", "2+R@home"),
        ("R@home(s)", "R@home(s)"),
        ("_@near(c3,f3)", "_@(near(c3) near(f3))"),
        ("_@file(a..a)", "_@file(a)"),
        ("5..5_@board", "5_@board"),
        ("0..5_@board", "5-_@board"),
        ("*@(d4)", "*d4"),
        ("s to move Ed4", "Ed4 s to move"),
        ("2+E@d4", "2+E@d4"),
    ] {
        assert_eq!(pattern(text).to_string(), canonical);
    }
}

#[test]
fn faults_say_where_and_what() {
    for (text, message) in [
        ("", "character 1: the pattern asks for nothing"),
        (
            "Ed4 hz9",
            "character 6: expected a square such as `c3`, or `@` and an area, found `z9`",
        ),
        (
            "E",
            "character 2: expected a square such as `c3`, or `@` and an area, found the end",
        ),
        (
            "E d4",
            "character 2: expected a square such as `c3`, or `@` and an area, found a space",
        ),
        (
            "Ed4hc6",
            "character 4: expected a space or a comma after the condition, found `hc6`",
        ),
        (
            "G<d4",
            "character 4: expected a square such as `c3`, or `@` and an area, found `4`",
        ),
        ("<Rd4", "character 2: nothing is weaker than a rabbit"),
        ("S>Ed4", "character 3: nothing is stronger than an elephant"),
        (
            "2+Ed4",
            "character 4: a count needs an area, such as `2+E@near(c3)`",
        ),
        (
            "3..2E@edge",
            "character 1: a count goes from 0 to 64 squares, the smaller number first",
        ),
        (
            "E@trap(d4)",
            "character 8: d4 is no trap: these are c3, f3, c6 and f6",
        ),
        ("_@home", "character 3: whose? write `home(g)` or `home(s)`"),
        (
            "Ed4 hd4",
            "character 5: nothing can stand on d4: this contradicts what was said before",
        ),
        (
            "g to move s to move",
            "character 11: the side to move was said to be the other one",
        ),
        (
            "g to go",
            "character 6: expected `to move` after the side, found `go`",
        ),
        ("E@near()", "character 8: expected which one, found `)`"),
        (
            "E@(c3",
            "character 6: expected a space, a comma or `)`, found the end",
        ),
        (
            "Ed4\nzz",
            "line 2, character 1: expected what stands there: a piece (RCDHME rcdhme), `G`, \
            `S`, `*`, `_`, `<`, `>` or `=`, found `zz`",
        ),
        (
            "8|........|",
            "character 12: a drawn board has 8 rows, this one 1",
        ),
        (
            "8|.......|",
            "character 3: a row has 8 cells (`.` for any square, `_` for an empty one), \
            this one 7",
        ),
        (
            "7|........|",
            "character 3: row 7 stands where row 8 should be",
        ),
        (
            "8|x.......|",
            "character 3: `x` on a8 means nothing: expected one of RCDHME rcdhme, `G`, \
            `S`, `*`, `_` or `.`",
        ),
    ] {
        assert_eq!(error(text), message, "{text}");
    }
    assert!(error("E@nowhere").contains("expected an area"));
    assert!(error(&"_@board ".repeat(1000)).contains("at most 256 conditions"));
}

/// Every example in the help text and in the documentation is a pattern.
#[test]
fn documented_examples_are_patterns() {
    let shown = |text: &str| {
        let is_word = |word: &&str| {
            word.contains('@') || word.trim_start_matches(['!', '<', '>', '=']).len() != word.len()
        };
        text.split("  ")
            .map(str::trim)
            .filter(is_word)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let examples: Vec<String> = HELP
        .lines()
        .filter(|line| line.starts_with("    "))
        .flat_map(shown)
        .filter(|words| !words.contains(' '))
        .collect();
    assert!(examples.len() > 20, "{examples:?}");
    for example in &examples {
        pattern(example);
    }
    let drawing: Vec<&str> = HELP
        .lines()
        .skip_while(|line| !line.starts_with("  8|"))
        .collect();
    pattern(&drawing[..9].join("\n"));

    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/patterns.md");
    let text = std::fs::read_to_string(path).unwrap();
    let mut count = 0;
    // The first code in a row of a table, and blocks marked `pattern`.
    for line in text.lines().filter(|line| line.starts_with("| `")) {
        pattern(line.split('`').nth(1).unwrap());
        count += 1;
    }
    for block in text.split("```pattern\n").skip(1) {
        pattern(block.split("```").next().unwrap());
        count += 1;
    }
    assert!(count > 30, "{count}");
}

#[test]
fn symmetric_matches_say_how() {
    let seen = Seen::of(&position()).0;
    let ask = |text: &str, mover| {
        pattern(text)
            .compile(Matching::Symmetric)
            .matches(&seen, mover)
    };
    assert_eq!(
        ask("Ed6 hc6 g to move", Side::Gold),
        Some(Symmetry::IDENTITY)
    );
    assert_eq!(ask("Ee6 hf6", Side::Gold), Some(Symmetry::MIRROR));
    assert_eq!(ask("ed3 Hc3 s to move", Side::Gold), Some(Symmetry::FLIP));
    assert_eq!(ask("ee3 Hf3", Side::Gold), Some(Symmetry::BOTH));
    assert_eq!(ask("Ed6 hc6 s to move", Side::Gold), None);
    // The same stored board of a Silver mover is a flipped board in reality.
    assert_eq!(ask("ed3 Hc3 s to move", Side::Silver), Some(Symmetry::FLIP));
    let literal = pattern("Ed6 hc6").compile(Matching::Literal);
    assert_eq!(literal.matches(&seen, Side::Gold), Some(Symmetry::IDENTITY));
    assert_eq!(literal.matches(&seen, Side::Silver), None);
    assert!(literal.needs_mover());
}

#[test]
fn simple_patterns_compile_to_bits_alone() {
    for text in ["Ed6 hc6 _d5", "Sc6", "!Sd6", ">=Hc6", "S<Hc7", "=Hc6"] {
        let compiled = pattern(&format!("{text} g to move")).compile(Matching::Literal);
        assert!(!format!("{compiled:?}").contains("Tally"), "{text}");
        let seen = Seen::of(&position()).0;
        assert!(compiled.matches(&seen, Side::Gold).is_some(), "{text}");
    }
}

#[test]
fn conditions_of_one_kind_stay_apart_unless_they_say_none() {
    let mut board = Board::EMPTY;
    board.place(Square::B1, Piece::GoldElephant);
    let planes = view_of(board, Side::Gold);
    for (text, expected) in [
        // Not none on each of the two, which is not the same as not none on both.
        ("!0E@file(a..b) !0E@a1", false),
        ("!0E@file(a..b) !0E@b1", true),
        ("E@file(a..b) E@rank(2)", false),
        ("E@file(a..b) E@rank(1)", true),
        ("!E@file(a) !E@rank(1)", false),
        ("!E@file(a) !E@rank(2)", true),
        ("0E@file(a) 0E@rank(1)", false),
        ("0E@file(a) !E@rank(2)", true),
    ] {
        let pattern = pattern(&format!("{text} g to move"));
        assert_eq!(pattern.holds(&board, Side::Gold), expected, "{text}");
        let compiled = pattern.compile(Matching::Literal);
        let found = compiled.matches(&planes, Side::Gold).is_some();
        assert_eq!(found, expected, "{text}");
        let mut scanned = 0;
        compiled.scan(&[planes; 65], |_| scanned += 1);
        assert_eq!(scanned, if expected { 65 } else { 0 }, "{text}");
    }
}

fn a_square() -> impl Strategy<Value = String> {
    (0usize..64).prop_map(|i| Square::from_index(i).unwrap().to_string())
}

fn a_content() -> impl Strategy<Value = String> {
    prop_oneof![
        "[RCDHMErcdhme]",
        "[GS*_]",
        "[GS*]?(<|>|<=|>=|=)[CDHM]",
        "[GS]?(<=R|>=E|=R|=E|>R|<E)",
    ]
}

fn an_area() -> impl Strategy<Value = String> {
    let simple = prop_oneof![
        a_square(),
        (a_square(), a_square()).prop_map(|(one, other)| format!("{one}..{other}")),
        "(file|files)\\([a-h](\\.\\.[a-h])?\\)",
        "(rank|ranks)\\([1-8](\\.\\.[1-8])?\\)",
        "trap\\([cf][36]\\)",
        a_square().prop_map(|square| format!("near({square})")),
        a_square().prop_map(|square| format!("near {square}")),
        "(home|away|goal)\\([gs]\\)",
        "(centre|edge|traps|board)",
    ];
    prop_oneof![
        3 => simple,
        1 => proptest::collection::vec(a_square(), 1..6).prop_map(|list| format!("({})", list.join(" "))),
    ]
}

fn a_condition() -> impl Strategy<Value = String> {
    let single =
        ("!?", a_content(), a_square()).prop_map(|(not, what, place)| not + &what + &place);
    let somewhere = ("!?", "([0-9](|\\+|-|\\.\\.9))?", a_content(), an_area())
        .prop_map(|(not, count, what, place)| format!("{not}{count}{what}@{place}"));
    prop_oneof![single, somewhere]
}

/// Words that may contradict each other.
fn a_pattern() -> impl Strategy<Value = Pattern> {
    let words = proptest::collection::vec(a_condition(), 1..5);
    let mover = "(| g to move| s to move)";
    (words, mover).prop_filter_map("a contradiction", |(words, mover)| {
        match Pattern::parse(&(words.join(" ") + &mover)) {
            Ok(pattern) => Some(pattern),
            Err(error) => {
                assert!(
                    matches!(error.fault, PatternFault::Contradiction(_)),
                    "{error}"
                );
                None
            }
        }
    })
}

/// Pieces strewn over the board.
fn a_board() -> impl Strategy<Value = Board> {
    proptest::collection::vec((0usize..64, 0usize..12), 0..48).prop_map(|pieces| {
        pieces
            .into_iter()
            .filter_map(|(square, piece)| Some((Square::from_index(square)?, Piece::ALL[piece])))
            .collect()
    })
}

fn view_of(board: Board, mover: Side) -> [u64; 4] {
    let seen = crate::seen::orientation(mover).apply(board);
    PackedBoard::from(&seen).planes()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn the_compiled_pattern_agrees_with_the_written_one(
        pattern in a_pattern(),
        board in a_board(),
        silver in any::<bool>(),
    ) {
        let mover = if silver { Side::Silver } else { Side::Gold };
        let planes = view_of(board, mover);

        let literal = pattern.compile(Matching::Literal);
        prop_assert_eq!(literal.matches(&planes, mover).is_some(), pattern.holds(&board, mover));

        let symmetric = pattern.compile(Matching::Symmetric);
        let images = |symmetry: &Symmetry| pattern.holds(&symmetry.apply(board), symmetry.apply(mover));
        let expected = Symmetry::ALL.iter().find(|symmetry| images(symmetry)).copied();
        let found = symmetric.matches(&planes, mover);
        let from_view = expected.map(|symmetry| Symmetry {
            flip: symmetry.flip != (mover == Side::Silver),
            ..symmetry
        });
        prop_assert_eq!(found, from_view);
    }

    #[test]
    fn the_canonical_form_reads_back(pattern in a_pattern()) {
        prop_assert_eq!(Pattern::parse(&pattern.to_string()), Ok(pattern));
    }

    #[test]
    fn any_text_is_a_pattern_or_a_fault(text in "\\PC*", words in "[!0-9+.EdGS*_<>=@a-h1-8() ,|\n-]{0,40}") {
        for text in [text, words] {
            if let Ok(pattern) = Pattern::parse(&text) {
                prop_assert_eq!(Pattern::parse(&pattern.to_string()), Ok(pattern));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn the_scan_finds_what_matches(
        pattern in a_pattern(),
        boards in proptest::collection::vec(a_board(), 0..200),
    ) {
        let boards: Vec<[u64; 4]> = boards.iter().map(|board| view_of(*board, Side::Gold)).collect();
        for matching in [Matching::Literal, Matching::Symmetric] {
            let compiled = pattern.compile(matching);
            let expected: Vec<usize> = (0..boards.len())
                .filter(|&i| Side::ALL.iter().any(|&side| compiled.matches(&boards[i], side).is_some()))
                .collect();
            let (mut wide, mut plain) = (Vec::new(), Vec::new());
            compiled.scan(&boards, |i| wide.push(i));
            compiled.scan_blocks(&boards, |i| plain.push(i));
            prop_assert_eq!(&wide, &expected);
            prop_assert_eq!(&plain, &expected);
        }
    }
}

//! What is printed reads back; what cannot be read says why.

use proptest::prelude::*;

use super::{Pattern, a_formula, error, pattern, readable};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn what_is_printed_reads_back(
        texts in proptest::collection::vec((a_formula(), "( for [2-9] turns)?", "(then|then within [1-9] turns)"), 1..4),
        never in proptest::option::of((a_formula(), a_formula())),
    ) {
        let mut text = String::new();
        for (i, (formula, lasting, link)) in texts.iter().enumerate() {
            if i > 0 {
                text.extend([" ", link, " "]);
            }
            text.extend([formula.as_str(), lasting]);
        }
        if let Some((never, until)) = never {
            text.extend([" then never ", &never, " until ", &until]);
        }
        let Some(pattern) = readable(&text) else { return Ok(()) };
        let printed = pattern.to_string();
        prop_assert_eq!(Pattern::parse(&printed), Ok(pattern), "{}", printed);
    }

    #[test]
    fn any_words_are_a_pattern_or_a_fault(
        words in proptest::collection::vec("(frozen|hostage|captures|threatens|goal|in|fork|by|the|side|to|move|not|or|and|then|within|for|never|until|turns|plays|gives|up|a|rabbit|\\(|\\)|Ed4|h|c6|gold|mover|rating|>=|[0-9]{1,7}|material|phase|end|strongest|=|!|,|@|\n)", 0..12),
    ) {
        for text in [words.join(" "), words.concat()] {
            match Pattern::parse(&text) {
                Ok(pattern) => prop_assert_eq!(Pattern::parse(&pattern.to_string()), Ok(pattern)),
                Err(error) => {
                    let marked = error.marked(&text);
                    prop_assert!(marked.contains('^'));
                }
            }
        }
    }
}

#[test]
fn printed_forms() {
    for (text, printed) in [
        ("frozen( Hb3 )", "frozen(Hb3)"),
        ("frozen(G>C@board)", "frozen(G>C)"),
        ("goal in 3 steps by g", "gold goal in 3"),
        ("goal in 3 by the side to move", "goal in 3"),
        ("w fork", "gold fork"),
        ("captures(h in c6)", "captures(h in c6)"),
        ("captures h in c6 by s", "captures h in c6 s to move"),
        ("gives up a rabbit", "gives up =R"),
        ("guards(c3) >= 2", "2+G@near(c3)"),
        ("guards(c6 by g) <= 1", "1-G@near(c6)"),
        ("gold lost M", "0M@board"),
        ("silver lost 3r", "5-r@board"),
        ("pieces(s) < 5", "4-S@board"),
        ("material +2", "material >= 2"),
        ("material -2", "material <= -2"),
        ("move 20", "move = 20"),
        ("result g", "gold won"),
        ("hostage", "hostage(*)"),
        (
            "hostage(m by E) g to move Ed4",
            "Ed4 hostage(m by E) g to move",
        ),
        ("not Ed4", "!Ed4"),
        ("not not fork", "fork"),
        ("not g to move", "s to move"),
        ("!(Ed4 or fork)", "not (Ed4 or fork)"),
        (
            "(Ed4 fork) (hc6 or (blockade or mover won))",
            "Ed4 fork (hc6 or blockade or mover won)",
        ),
        ("a1..b2 or Ed4", ""),
        (
            "Ed4 THEN within 1 turn hc6 for 3 turns",
            "Ed4 then within 1 turns hc6 for 3 turns",
        ),
        ("never fork until goal in 4", "never fork until goal in 4"),
    ] {
        if printed.is_empty() {
            assert!(Pattern::parse(text).is_err());
        } else {
            assert_eq!(pattern(text).to_string(), printed, "{text}");
        }
    }
    let drawn = "8|........|\n7|........|\n6|........|\n5|...E....|\n4|........|\n3|........|\n2|........|\n1|........|\n";
    assert_eq!(
        pattern(&format!("{drawn}fork or hc6")).to_string(),
        "Ed5 (fork or hc6)"
    );
    assert_eq!(
        pattern(&format!("{drawn}fork then hc6")).to_string(),
        "Ed5 fork then hc6"
    );
}

#[test]
fn faults_suggest() {
    for (text, message) in [
        (
            "frozn(Hb3)",
            "character 1: `frozn` is no word of the pattern language; did you mean `frozen`?",
        ),
        (
            "Ed4 hostag(m)",
            "character 5: `hostag` is no word of the pattern language; did you mean `hostage`?",
        ),
        (
            "zebra",
            "character 1: `zebra` is no word of the pattern language; `hathi find --help` lists them",
        ),
        (
            "hostage(d)",
            "character 9: only camels and horses are hostages: write `hostage(m)`, `hostage(=H)` or `hostage`",
        ),
        (
            "goal in 7",
            "character 9: a turn has 1 to 4 steps: write `goal in 1` to `goal in 4`",
        ),
        (
            "gold lost h",
            "character 11: a side loses its own pieces: upper case Gold, lower case Silver",
        ),
        ("(Ed4", "character 5: expected `)`, found the end"),
        (
            "Ed4)",
            "character 4: this bracket closes nothing; leave it out or open one before",
        ),
        (
            "Ed4 or",
            "character 7: expected a condition after `or`, found the end",
        ),
        (
            "Ed4 then",
            "character 9: expected a condition, found the end",
        ),
        (
            "Ed4 then within hc6",
            "character 17: expected a number of turns, found `hc6`",
        ),
        (
            "never fork",
            "character 11: expected `until` and what ends it, found the end",
        ),
        ("fork for 0 turns", "character 10: expected 1 to 1000 turns"),
        (
            "captures h in d4",
            "character 15: d4 is no trap: these are c3, f3, c6 and f6",
        ),
        (
            "captures h by opponent",
            "character 11: whoever is not to move plays no turn here: write `by g`, `by s` or nothing",
        ),
        (
            "move 20..10",
            "character 6: expected numbers up to 100000, the smaller one first",
        ),
        (
            "phase late",
            "character 7: expected a phase: `opening`, `middle` or `end`, found `late`",
        ),
    ] {
        assert_eq!(error(text), message, "{text}");
    }
    assert!(error(&"(".repeat(100)).contains("nested more than 32 deep"));
    assert!(error(&"not ".repeat(100)).contains("nested more than 32 deep"));
}

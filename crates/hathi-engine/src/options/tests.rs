//! Every option is read, written and refused.

use super::OptionAccess::Files;
use super::*;

/// A value for every option that differs from what it comes with.
const OTHERS: &[(&str, &str)] = &[
    ("depth", "7"),
    ("nodes", "1000"),
    ("hash", "8"),
    ("threads", "2"),
    ("multipv", "3"),
    ("store", "games.db"),
    ("learn", "true"),
    ("weights", "w.txt"),
    ("network", "n.net"),
    ("search", "plain"),
    ("margins", "futility:120+tempo:13"),
    ("ordering", "none"),
    ("recall", "order"),
    ("phase", "gt"),
    ("phase-at", "leaf"),
    ("phase-pruning", "cut"),
    ("tweaks", "t.txt"),
    ("dpg", "off"),
    ("plans", "off"),
    ("keep", "5"),
    ("shared", "4"),
    ("strict", "on"),
    ("playouts", "random"),
    ("leaf", "4"),
    ("explore", "300"),
    ("minimax", "0"),
    ("replay", "square"),
    ("window", "piece"),
    ("hits", "legal"),
    ("setups", "drawn"),
    ("otherwise", "search"),
    ("p", "0.57"),
    ("a", "fallback+depth:4"),
    ("b", "step"),
];

#[test]
fn every_option_is_read_and_written_back() {
    let names = |list: &[&'static str]| list.join(" ");
    let known: Vec<_> = OPTIONS.iter().map(|option| option.name).collect();
    let tried: Vec<_> = OTHERS.iter().map(|(name, _)| *name).collect();
    assert_eq!(names(&tried), names(&known));
    for (name, value) in OTHERS {
        let text = format!("fairy:{name}={value}");
        let spec: EngineSpec = text.parse().expect(&text);
        assert_ne!(spec, EngineSpec::of(crate::EngineKind::Fairy), "{text}");
        assert_eq!(spec.to_string(), text);
        assert_eq!(spec.options.changed().count(), 1, "{text}");
    }
    let all: Vec<_> = OTHERS.iter().map(|(n, v)| format!("{n}={v}")).collect();
    let text = format!("fairy:{}", all.join(","));
    let spec: EngineSpec = text.parse().expect("all of them");
    assert_eq!(spec.to_string(), text);
}

#[test]
fn a_model_file_orders_steps() {
    let mut options = EngineOptions::default();
    options.set("ordering", "my/steps.json").expect("a file");
    let file = StepOrder::File("my/steps.json".to_owned());
    assert_eq!(options.ordering, file);
    options.set("ordering", "learned").expect("ours");
    assert_eq!(options, EngineOptions::default());
}

#[test]
fn bad_values_are_refused_with_what_was_expected() {
    for option in OPTIONS.iter().filter(|option| option.access != Files) {
        let error = EngineOptions::default().set(option.name, "nonsense");
        let text = error.expect_err(option.name).to_string();
        let expected = format!(
            "option {} is \"nonsense\", expected {}",
            option.name, option.expected
        );
        assert_eq!(text, expected);
    }
    let unknown = EngineOptions::default().set("colour", "red");
    let text = unknown.expect_err("no such option").to_string();
    for option in OPTIONS {
        assert!(text.contains(option.name), "{text}");
    }
}

#[test]
fn who_does_not_own_the_machine_sets_few_options() {
    let mut open = Vec::new();
    for (name, value) in OTHERS {
        let text = format!("fairy:{name}={value}");
        match EngineSpec::for_anybody(&text) {
            Ok(spec) => {
                assert_eq!(Ok(spec), text.parse());
                open.push(*name);
            }
            Err(error) => {
                let expected = OptionError::NotForAnybody { name };
                assert_eq!(error, SpecError::Option(expected));
            }
        }
    }
    assert_eq!(open, ["depth", "nodes", "hash", "threads", "multipv"]);
}

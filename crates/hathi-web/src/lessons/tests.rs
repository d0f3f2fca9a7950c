//! Every lesson is true: each task can be solved, its stated answer is what
//! the rules say, and so is every reason it gives.

use std::collections::HashSet;
use std::ops::ControlFlow;

use super::*;
use hathi_rules::TurnGenerator;

/// Tasks with their names, for messages.
fn tasks() -> impl Iterator<Item = (String, &'static Task)> {
    let lessons = all().expect("every file is a lesson");
    lessons.iter().flat_map(|lesson| {
        let named = (1..).zip(&lesson.tasks);
        named.map(|(number, task)| (format!("{} {number}", lesson.id), task))
    })
}

#[test]
fn there_is_a_lesson_for_everything_a_beginner_needs() {
    let lessons = all().expect("every file is a lesson");
    let ids: Vec<_> = lessons.iter().map(|lesson| lesson.id.as_str()).collect();
    let expected = [
        "goal",
        "steps",
        "rabbits",
        "freezing",
        "pushing",
        "pulling",
        "traps",
        "setup",
        "endings",
        "repetition",
        "notation",
        "trap-control",
        "elephant-and-camel",
        "hostage",
        "frame",
        "goal-defence",
    ];
    assert_eq!(ids, expected);
    let strategy = lessons.iter().skip_while(|one| one.part == Part::Basics);
    assert!(strategy.clone().all(|lesson| lesson.part == Part::Strategy));
    for lesson in lessons {
        assert!((3..=6).contains(&lesson.tasks.len()), "{}", lesson.id);
        assert!(lesson.about.ends_with('.'), "{}", lesson.id);
    }
}

#[test]
fn texts_are_short() {
    for (name, task) in tasks() {
        for words in [&task.text, &task.done] {
            assert!(!words.is_empty() && words.len() <= 330, "{name}: {words}");
            assert!(words.ends_with(['.', '!', '?']), "{name}: {words}");
        }
    }
}

#[test]
fn stated_answers_are_right() {
    for (name, task) in tasks() {
        let verdict = task.judge(&task.answer).expect("of the right kind");
        assert!(verdict.right, "{name}: {}", verdict.words);
        if let (Ask::Squares(question), Try::Squares(stated)) = (&task.ask, &task.answer) {
            assert_eq!(*stated, question.answer(&task.position()), "{name}");
        }
    }
}

#[test]
fn stated_reasons_are_what_is_said() {
    for (name, task) in tasks() {
        for (attempt, says) in &task.wrong {
            let verdict = task.judge(attempt).expect("of the right kind");
            assert!(!verdict.right, "{name}: {attempt:?} is right");
            assert_eq!(&verdict.words, says, "{name}: {attempt:?}");
        }
    }
}

/// A turn is asked for: some legal turns do it and some do not, and everything
/// a goal may say is said to somebody, for the goal is not met by every turn.
#[test]
fn every_turn_gets_an_answer() {
    for (name, task) in tasks() {
        let Ask::Turn(goals) = &task.ask else {
            continue;
        };
        assert_eq!(task.game.outcome(), None, "{name}: the game is over");
        let mut right = 0_u32;
        let mut said = HashSet::new();
        let mut generator = TurnGenerator::new();
        let position = task.position();
        for reached in generator.generate(&position) {
            let verdict = task.judge(&Try::Turn(reached.turn())).expect("a turn");
            if verdict.right {
                right += 1;
            } else {
                assert!(!verdict.words.is_empty(), "{name}: {}", reached.turn());
                said.insert(verdict.words);
            }
        }
        assert!(right > 0, "{name}: no turn does it");
        for goal in goals {
            let words = &goal.or_else;
            let met_by_shortest = !said.contains(words);
            // A shortest turn may meet what a longer way to the same board
            // does not, such as a limit on steps.
            if met_by_shortest {
                assert!(
                    some_turn_hears(task, words),
                    "{name}: nobody hears: {words}"
                );
            }
        }
    }
}

/// Does any sequence of steps get these words?
fn some_turn_hears(task: &Task, words: &str) -> bool {
    let mut heard = false;
    let _ = task
        .position()
        .for_each_turn(&mut |turn: &Turn, _: &Position| {
            let verdict = task.judge(&Try::Turn(*turn)).expect("a turn");
            heard = verdict.words == words;
            if heard {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
    heard
}

/// Whatever square is pointed at, there is a reason, and a set of squares is
/// right only if it is exactly what the rules say.
#[test]
fn every_square_gets_an_answer() {
    for (name, task) in tasks() {
        let Ask::Squares(question) = &task.ask else {
            continue;
        };
        let position = task.position();
        let right = question.answer(&position);
        assert!(right.any(), "{name}: nothing to point at");
        for square in hathi_rules::Square::all() {
            if right.contains(square) {
                let without = Try::Squares(right & !square.bit());
                assert!(
                    !task.judge(&without).expect("squares").right,
                    "{name}: {square}"
                );
                continue;
            }
            let more = task
                .judge(&Try::Squares(right | square.bit()))
                .expect("squares");
            assert!(!more.right, "{name}: {square}");
            assert!(
                more.words.ends_with('.') && more.words.len() > 8,
                "{name}: {square}: {}",
                more.words
            );
        }
        // Everything a beginner may think of is there to be pointed at wrongly.
        assert!(
            right.len() < position.board().occupied().len() + 8,
            "{name}"
        );
    }
}

/// Exactly one answer is right, and each says why.
#[test]
fn one_answer_is_right() {
    for (name, task) in tasks() {
        let Ask::Choice(choice) = &task.ask else {
            continue;
        };
        let verdicts =
            (0..choice.options.len()).map(|i| task.judge(&Try::Choice(i)).expect("an answer"));
        let verdicts: Vec<_> = verdicts.collect();
        assert_eq!(verdicts.iter().filter(|one| one.right).count(), 1, "{name}");
        assert!(
            verdicts.iter().all(|one| one.words.ends_with('.')),
            "{name}"
        );
        assert!(task.judge(&Try::Choice(choice.options.len())).is_err());
    }
}

/// The setup one begins with does not do already.
#[test]
fn setups_must_be_changed() {
    for (name, task) in tasks() {
        let Ask::Setup(side, goals) = &task.ask else {
            continue;
        };
        let first = Setup::of_board(task.position().board(), *side);
        let first = first.unwrap_or_else(|| panic!("{name}: the board shows no setup"));
        let verdict = task.judge(&Try::Setup(first)).expect("a setup");
        assert!(!verdict.right, "{name}");
        assert!(goals.iter().any(|goal| goal.or_else == verdict.words));
    }
}

/// A try of another kind is refused, not judged.
#[test]
fn other_kinds_are_refused() {
    for (name, task) in tasks() {
        let other = match task.ask {
            Ask::Choice(_) => Try::Squares(Bitboard::EMPTY),
            _ => Try::Choice(0),
        };
        assert!(task.judge(&other).is_err(), "{name}");
    }
}

/// A file that says something impossible is refused with its reason.
#[test]
fn nonsense_is_no_lesson() {
    let task =
        |task: &str| format!(r#"{{"title":"t","about":"a.","part":"basics","tasks":[{task}]}}"#);
    let rows = r#"["........","........","........","........","........","........","R.......","r......."]"#;
    for (text, reason) in [
        ("{".to_owned(), "EOF"),
        (
            task(r#"{"text":"t","done":"d","board":[],"ask":{"turn":[]},"answer":"Ra2n"}"#),
            "eight rows",
        ),
        (
            task(&format!(
                r#"{{"text":"t","done":"d","board":{rows},"ask":{{"turn":[]}},"answer":3}}"#
            )),
            "another kind",
        ),
        (
            task(&format!(
                r#"{{"text":"t","done":"d","board":{rows},"ask":{{"squares":{{"frozen":"x"}}}},"answer":"a1"}}"#
            )),
            "no side",
        ),
        (
            task(&format!(
                r#"{{"text":"t","done":"d","board":{rows},"played":["Ra2s"],"ask":{{"turn":[]}},"answer":"Ra2n"}}"#
            )),
            "Ra2s",
        ),
    ] {
        let error = file::lesson("01-x.json", text.as_bytes()).expect_err(&text);
        assert!(error.contains(reason), "{error}");
    }
}

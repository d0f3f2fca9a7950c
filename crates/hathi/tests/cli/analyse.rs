//! `hathi analyse` and `hathi review`.

use crate::common::{GOAL_IN_TWO, START, file, hathi, json, refused, stdout};

/// A short game: Silver lets a rabbit through.
const GAME: &str = "\
1g Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2
1s ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7
2g Ee2n Ee3n Ee4n Ee5n
2s ed7s ed6s ha7s hh7s
3g Ee6w Ha2n Hh2n
";

#[test]
fn several_lines_come_best_first() {
    let answer = json(&["analyse", START, "--nodes", "60000", "--json"]);
    let lines = answer["lines"].as_array().expect("lines");
    assert_eq!(lines.len(), 3);
    let score = |i: usize| lines[i]["gold_score"].as_i64().expect("a score");
    assert!(score(0) >= score(1) && score(1) >= score(2));
    let mut after: Vec<_> = lines.iter().map(|line| &line["position_after"]).collect();
    after.sort_by_key(ToString::to_string);
    after.dedup();
    assert_eq!(after.len(), 3);
    assert!(answer["depth"].as_u64() >= Some(4));
    for line in lines {
        let turn = line["turn"].as_str().expect("a turn");
        assert_eq!(line["line"][0], turn);
        let words = line["words"].as_str().expect("words");
        assert!(words.contains("even") || words.contains("ahead"), "{words}");
    }
    // The same on every machine, with one thread.
    let mut again = json(&["analyse", START, "--nodes", "60000", "--json"]);
    again["seconds"] = answer["seconds"].clone();
    assert_eq!(again, answer);
}

#[test]
fn steps_already_taken_begin_every_line() {
    let text = stdout(&[
        "analyse", START, "--steps", "Ee2n", "--depth", "5", "--lines", "2",
    ]);
    assert!(text.starts_with("Gold to move; 5 steps ahead, "), "{text}");
    assert!(text.contains("\n1. Ee2n"), "{text}");
    assert!(text.contains("\n2. Ee2n"), "{text}");
    assert!(!text.contains("\n3. "), "{text}");
    refused(&["analyse", START, "--steps", "Ra1s"], &["--steps", "Ra1s"]);
    refused(&["analyse", START, "--steps", "nonsense"], &["--steps"]);
    refused(&["analyse", START, "--lines", "6"], &["1 to 5"]);
    refused(
        &["analyse", START, "--engine", "random"],
        &["cannot analyse"],
    );
}

#[test]
fn a_win_is_named_when_it_is_proven() {
    let answer = json(&[
        "analyse",
        GOAL_IN_TWO,
        "--depth",
        "4",
        "--lines",
        "2",
        "--json",
    ]);
    assert_eq!(answer["lines"][0]["words"], "Gold wins this turn");
    assert_eq!(answer["lines"][0]["gold_chance"], 1.0);
}

#[test]
fn a_game_is_analysed_where_it_ends_or_where_it_is_asked() {
    let path = file("analyse-game.txt", GAME);
    let text = stdout(&["analyse", &path, "--depth", "4", "--lines", "1"]);
    assert!(text.starts_with("Silver to move; 4 steps"), "{text}");
    let text = stdout(&[
        "analyse", &path, "--at", "3g", "--depth", "4", "--lines", "1",
    ]);
    assert!(text.starts_with("Gold to move; 4 steps"), "{text}");
    refused(&["analyse", &path, "--at", "9g"], &["--at", "9g"]);
    refused(&["analyse", START, "--at", "2g"], &["--at"]);
}

#[test]
fn a_review_judges_every_turn_and_repeats() {
    let path = file("review-game.txt", GAME);
    let args = ["review", &path, "--nodes", "20000", "--json"];
    let review = json(&args);
    let turns = review["turns"].as_array().expect("turns");
    assert_eq!(turns.len(), 3);
    for (turn, label) in turns.iter().zip(["2g", "2s", "3g"]) {
        assert_eq!(turn["label"], label);
        let loss = turn["loss"].as_f64().expect("a loss");
        assert!((0.0..=1.0).contains(&loss));
        let gold = label.ends_with('g');
        let (best, played) = (turn["best_score"].as_i64(), turn["score"].as_i64());
        assert!(if gold { best >= played } else { best <= played }, "{turn}");
        assert_eq!(turn["line"][0], turn["best"]);
    }
    assert_eq!(review["summary"]["gold"]["turns"], 2);
    assert_eq!(json(&args), review);
    let text = stdout(&["review", &path, "--nodes", "20000"]);
    assert!(text.contains("\nGold: accuracy "), "{text}");
    refused(&["review", START], &["this is a position"]);
    refused(
        &["review", &path, "--engine", "random"],
        &["cannot analyse"],
    );
}

#[test]
fn a_review_is_kept_with_its_game() {
    let store = file("kept-review.db", "");
    std::fs::remove_file(&store).expect("only its name is wanted");
    let game = file("kept-review.txt", GAME);
    hathi(&["import", &game, "--store", &store])
        .assert()
        .code(0);
    let listed = json(&["games", "--store", &store, "--json"]);
    let id = listed["games"][0]["id"].as_str().expect("an id").to_owned();
    let review = |given: &str, more: &[&str]| {
        let mut args = vec!["review", given, "--store", &store];
        args.extend(more);
        stdout(&args)
    };
    let made = review(&id, &["--nodes", "3000"]);
    assert_eq!(made.lines().count(), 6, "{made}");
    // Shown again, also when the same game comes from a file.
    for given in [&id, &game] {
        let kept = review(given, &["--nodes", "3000"]);
        assert!(kept.starts_with(&made), "{kept}");
        assert!(kept.contains("Kept with the game"), "{kept}");
    }
    // Other settings are another review; less does not take its place.
    let fewer = review(&id, &["--nodes", "2000"]);
    assert!(!fewer.contains("Kept"), "{fewer}");
    assert!(review(&id, &["--nodes", "3000"]).contains("Kept"));
    assert_eq!(review(&id, &["--nodes", "3000", "--again"]), made);
    refused(
        &["review", "play:5", "--store", &store],
        &["no game play:5"],
    );
}

#[test]
fn marks_are_measured_by_a_second_look() {
    let header = "id\twplayerid\tbplayerid\twusername\tbusername\tresult\ttermination\tstartts\tendts\tmovelist\n";
    let row = format!(
        "1\t1\t2\tAnn\tBob\tw\tr\t1300000000\t1300000100\t{}\n",
        GAME.trim().replace('\n', "\\n")
    );
    let path = file("bench-review.txt", format!("{header}{row}"));
    let results = json(&[
        "bench", "review", &path, "--nodes", "2000", "--turns", "2", "--deeper", "2", "--json",
    ]);
    assert_eq!(results["turns"], 2);
    assert!(results["fitted_scale"].as_f64() > Some(0.0));
    let rows = stdout(&[
        "bench", "review", &path, "--nodes", "2000", "--turns", "3", "--rows",
    ]);
    assert_eq!(rows.lines().count(), 4, "{rows}");
    hathi(&["bench", "review", "nowhere.txt"]).assert().code(2);
}

//! `hathi sql`, with what McKee printed.

use crate::common::{folder, hathi, inside, json, refused, stdout};

#[test]
fn his_questions_can_be_asked_as_printed() {
    let folder = folder("sql");
    let (archive, store) = (inside(&folder, "games.txt"), inside(&folder, "games.db"));
    hathi(&["synth", "--games", "40", "--seed", "3", "-o", &archive])
        .assert()
        .success();
    hathi(&["import", &archive, "--store", &store])
        .assert()
        .success();
    let ask =
        |question: &str| json(&["sql", question, "--json", "--limit", "0", "--store", &store]);
    let setups = ask(
        "SELECT COUNT(*) AS number_repeats, next_move FROM moves WHERE turn=1
         AND (side='w' OR side='g') GROUP BY next_move",
    );
    let rows = setups.as_array().expect("rows");
    let games: u64 = rows
        .iter()
        .filter_map(|row| row["number_repeats"].as_u64())
        .sum();
    assert_eq!(games, 40);
    // The commonest one again, and what Silver did about it.
    let most = rows.iter().max_by_key(|row| row["number_repeats"].as_u64());
    let most = most.expect("a setup");
    let board = ask(&format!(
        "SELECT boardstatus FROM moves WHERE turn=1 AND side='s' AND game_id IN
         (SELECT game_id FROM moves WHERE next_move={}) LIMIT 1",
        most["next_move"].to_string().replace('"', "'")
    ));
    let board = board[0]["boardstatus"].as_str().expect("a board");
    assert_eq!(board.len(), 64);
    let replies = ask(&format!(
        "SELECT next_move FROM moves WHERE turn=1 AND (side='b' OR side='s') AND
         boardstatus='{board}'"
    ));
    assert_eq!(
        replies.as_array().map(|rows| rows.len() as u64),
        most["number_repeats"].as_u64()
    );
    // The middle of the first board after the setups: everybody's, best first.
    let question = format!(
        "SELECT IF(side=winner,1,0) AS iswinner, IF(side='w' OR side='g', wrating, brating) AS
         rating, next_move FROM moves WHERE boardstatus LIKE BINARY '{0}{1}{0}' AND (side='g' OR
         side='w') AND turn <> 1 ORDER BY iswinner DESC, rating DESC, (maxturns-turn) ASC",
        "_".repeat(16),
        "-".repeat(32)
    );
    let played = ask(&question);
    let played = played.as_array().expect("rows");
    assert!(played.len() >= 40);
    let order: Vec<_> = played
        .iter()
        .map(|row| (row["iswinner"].as_i64(), row["rating"].as_i64()))
        .collect();
    assert!(order.is_sorted_by(|a, b| a >= b), "{order:?}");
    let text = stdout(&["sql", &question, "--limit", "2", "--store", &store]);
    assert_eq!(text.lines().count(), 3, "{text}");
    assert!(text.starts_with("iswinner\trating\tnext_move\n"), "{text}");
    refused(
        &["sql", "DELETE FROM games", "--store", &store],
        &["nothing is changed"],
    );
    refused(
        &["sql", "SELECT x FROM moves", "--store", &store],
        &["no such column: x"],
    );
    let nothing = hathi(&["sql", "SELECT 1 WHERE 1=2", "--store", &store]);
    nothing.assert().code(1);
}

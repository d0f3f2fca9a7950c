//! `hathi play`, with moves from a file.

use crate::common::{folder, hathi, inside, stdout};

fn play(args: &[&str], typed: &str) -> String {
    let output = hathi(&[&["play", "--ascii", "--engine", "step"], args].concat())
        .stdin(typed)
        .output()
        .expect("the binary runs");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn mistakes_are_explained() {
    let text = play(
        &[],
        "\nEe2n Ee3s\nEe2s\nhello there\nRa1s\ne9n\nsteps e2\nsteps a8\nhelp\nundo\nquit\n",
    );
    for words in [
        "You play Gold",
        "Not allowed: the turn leaves the position as it was.",
        "Not allowed: step 1 of 4, `Ee2s`: e1 is occupied by the Gold",
        "I do not understand that",
        "Not allowed: step 1 of 4, `Ra1s`: the step leaves the board.",
        "  Ee2n\n",
        "Nothing on a8 can move now.",
        "To push, move the enemy first",
        "Place your pieces",
        "Bye.",
    ] {
        assert!(text.contains(words), "{words}:\n{text}");
    }
}

#[test]
fn a_game_is_resigned_saved_and_remembered() {
    let folder = folder("play");
    let (file, store) = (inside(&folder, "game.txt"), inside(&folder, "games.db"));
    let args = [
        "--side", "s", "--seed", "3", "--learn", "--store", &store, "--save", &file,
    ];
    let text = play(&args, "2\ne7s\nhint\nmoves\nresign\n");
    assert!(text.contains("Gold wins by resignation"), "{text}");
    assert!(text.contains("would play"), "{text}");
    assert!(text.contains("The game is in the store now."), "{text}");
    let replayed = stdout(&["replay", &file]);
    assert!(replayed.contains("Gold wins by resignation"), "{replayed}");
    let stats = stdout(&["stats", "--store", &store]);
    assert!(stats.contains("games       1\n"), "{stats}");
}

#[test]
fn moves_are_taken_back() {
    let text = play(&[], "3\ne2n\nundo\nd2n\nmoves\nquit\n");
    let moves = text.rsplit("1g R").next().expect("moves");
    assert!(
        !moves.contains("2g Ee2n") && !moves.contains("2g Me2n"),
        "{moves}"
    );
    assert!(
        moves.contains("2g Md2n") || moves.contains("2g Ed2n"),
        "{moves}"
    );
}

#[test]
fn the_end_of_the_input_ends_it() {
    assert!(play(&[], "").ends_with("Bye.\n"));
    assert!(play(&[], "nonsense").contains("That is no setup"));
}

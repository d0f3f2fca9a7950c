//! The facts of boards against plain definitions, on real and random ones.

use std::collections::BTreeSet;

use hathi_rules::{Board, Piece, Position, Role, Side, Square, TurnGenerator};
use proptest::prelude::*;

use super::{Pattern, a_board, pattern};

fn neighbours(square: Square) -> Vec<Square> {
    Square::all()
        .filter(|other| square.distance(*other) == 1)
        .collect()
}

fn at(board: &Board, square: Square) -> Option<Piece> {
    board.piece_at(square)
}

fn plainly_frozen(board: &Board, square: Square) -> bool {
    let Some(piece) = at(board, square) else {
        return false;
    };
    let beside: Vec<Piece> = neighbours(square)
        .iter()
        .filter_map(|&other| at(board, other))
        .collect();
    beside
        .iter()
        .any(|other| other.side() != piece.side() && other.role() > piece.role())
        && !beside.iter().any(|other| other.side() == piece.side())
}

fn plainly_hostage(board: &Board, square: Square) -> bool {
    let Some(piece) = at(board, square) else {
        return false;
    };
    let traps = match piece.side() {
        Side::Gold => ["c6", "f6"],
        Side::Silver => ["c3", "f3"],
    };
    matches!(piece.role(), Role::Camel | Role::Horse)
        && plainly_frozen(board, square)
        && traps.iter().any(|trap| {
            let trap: Square = trap.parse().expect("a trap");
            trap.distance(square) <= 2
        })
}

fn plainly_framed(board: &Board, square: Square) -> bool {
    let Some(piece) = at(board, square) else {
        return false;
    };
    let beside: Vec<Piece> = neighbours(square)
        .iter()
        .filter_map(|&other| at(board, other))
        .collect();
    let strong = beside
        .iter()
        .filter(|other| other.side() != piece.side() && other.role() > piece.role());
    let friends = beside.iter().filter(|other| other.side() == piece.side());
    strong.count() == 3 && friends.count() == 1
}

/// The elephant has at most one square to go to, pushing included, and an
/// enemy beside it.
fn plainly_blockaded(board: &Board, side: Side) -> bool {
    let elephants: Vec<Square> = Square::all()
        .filter(|&square| at(board, square) == Some(Piece::new(side, Role::Elephant)))
        .collect();
    let mut ways = BTreeSet::new();
    let mut enemies = 0;
    for &square in &elephants {
        for other in neighbours(square) {
            match at(board, other) {
                None => {
                    ways.insert(other);
                }
                Some(piece) if piece.side() != side => {
                    enemies += 1;
                    let free = neighbours(other)
                        .iter()
                        .any(|&next| at(board, next).is_none());
                    if piece.role() < Role::Elephant && free {
                        ways.insert(other);
                    }
                }
                Some(_) => {}
            }
        }
    }
    enemies > 0 && ways.len() <= 1
}

/// What falls into which trap, by trying every sequence of steps.
fn plainly_captured(position: &Position) -> BTreeSet<(Square, Square)> {
    fn search(
        position: &Position,
        enemies: &[(Square, Square)],
        falls: &mut BTreeSet<(Square, Square)>,
    ) {
        for step in position.legal_steps() {
            let after = position.after(step);
            let mut now = enemies.to_vec();
            if step.side() != position.side_to_move() {
                for enemy in now.iter_mut().filter(|enemy| enemy.1 == step.from()) {
                    enemy.1 = step.to().expect("on the board");
                }
                if let Some(removal) = step.removed() {
                    let found = now.iter().position(|enemy| enemy.1 == removal.square);
                    let (origin, _) = now.remove(found.expect("an enemy on the trap"));
                    falls.insert((origin, removal.square));
                }
            }
            if after.steps_left() > 0 {
                search(&after, &now, falls);
            }
        }
    }
    let mut falls = BTreeSet::new();
    let enemies: Vec<(Square, Square)> = position
        .enemy()
        .iter()
        .map(|square| (square, square))
        .collect();
    search(position, &enemies, &mut falls);
    falls
}

fn holds(text: &str, board: &Board, mover: Side) -> bool {
    pattern(text).holds(board, mover)
}

/// Frozen, hostage, framed, blockade.
fn check_shapes(board: &Board) {
    for side in Side::ALL {
        let elephant = if side == Side::Gold { "E" } else { "e" };
        let blockade = format!("blockade({elephant})");
        let plainly = plainly_blockaded(board, side);
        assert_eq!(holds(&blockade, board, side), plainly, "{board:?}");
    }
    for square in Square::all() {
        for (word, plainly) in [
            ("frozen", plainly_frozen as fn(&Board, Square) -> bool),
            ("hostage", plainly_hostage),
            ("framed", plainly_framed),
        ] {
            let text = format!("{word}(*{square})");
            let plainly = plainly(board, square);
            assert_eq!(holds(&text, board, Side::Gold), plainly, "{text} {board:?}");
        }
    }
    for piece in Piece::ALL {
        let frozen = Square::all()
            .filter(|&square| at(board, square) == Some(piece) && plainly_frozen(board, square))
            .count();
        let side = piece.side();
        assert_eq!(holds(&format!("frozen({piece})"), board, side), frozen >= 1);
        assert_eq!(
            holds(&format!("frozen(2+{piece})"), board, side),
            frozen >= 2
        );
    }
}

/// What some sequence of steps captures, and nothing else.
fn check_captures(board: &Board) {
    for hunter in Side::ALL {
        let falls = plainly_captured(&Position::composed(*board, hunter));
        for (square, piece) in board.iter().filter(|(_, piece)| piece.side() != hunter) {
            let threatened = falls.iter().any(|(origin, _)| *origin == square);
            for mover in Side::ALL {
                let threatens = format!("threatens({piece}{square})");
                assert_eq!(
                    holds(&threatens, board, mover),
                    threatened,
                    "{threatens} {board:?}"
                );
                let captures = format!("captures({piece}{square})");
                let now = threatened && mover == hunter;
                assert_eq!(holds(&captures, board, mover), now, "{captures} {board:?}");
            }
            for trap in Square::TRAPS {
                let there = falls.contains(&(square, trap));
                let text = format!("threatens({piece}{square} in {trap})");
                assert_eq!(holds(&text, board, hunter), there, "{text} {board:?}");
            }
        }
        let victims: BTreeSet<Square> = falls.iter().map(|(origin, _)| *origin).collect();
        let fork = format!("{} fork", hunter.name());
        assert_eq!(
            holds(&fork, board, Side::Gold),
            victims.len() >= 2,
            "{fork} {board:?}"
        );
        assert_eq!(
            holds("fork", board, hunter),
            victims.len() >= 2,
            "{board:?}"
        );
    }
}

/// Goals that some turn reaches, and no others.
fn check_goals(board: &Board) {
    for side in Side::ALL {
        let position = Position::composed(*board, side);
        let shortest = TurnGenerator::new()
            .generate(&position)
            .find(|reached| reached.board().on_goal()[side])
            .map(|reached| reached.turn().len());
        for steps in 1..=4 {
            let within = shortest.is_some_and(|fewest| fewest <= steps);
            for mover in Side::ALL {
                let text = format!("{} goal in {steps}", side.name());
                assert_eq!(holds(&text, board, mover), within, "{text} {board:?}");
            }
            let waiting = side.opponent();
            assert_eq!(holds(&format!("goal in {steps}"), board, side), within);
            assert_eq!(
                holds(&format!("opponent goal in {steps}"), board, waiting),
                within
            );
        }
    }
}

/// The positions of the real games: of those beside the workspace, or of those that come with Hathi.
/// The shared ones must be there in CI.
fn real_boards() -> Vec<Board> {
    let folder = std::env::var_os("HATHI_SHARED").map_or_else(
        || concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data").into(),
        std::path::PathBuf::from,
    );
    let names = [
        "allgames2002.txt",
        "allgames201111-part.txt",
        "allgames202602-part.txt",
    ];
    let mut files: Vec<_> = names.iter().map(|name| folder.join(name)).collect();
    if !files.iter().all(|file| file.is_file()) {
        let in_ci = std::env::var_os("CI").is_some_and(|value| !value.is_empty());
        assert!(!in_ci, "in CI the shared data must be there");
        let samples = "/../hathi-web/samples/games.txt.zst";
        files = vec![format!("{}{samples}", env!("CARGO_MANIFEST_DIR")).into()];
    }
    let mut boards = Vec::new();
    let mut replayer = hathi_archive::Replayer::new();
    let reader = hathi_archive::ArchiveReader::open(files).expect("archives");
    let _ = reader.for_each(|row| {
        let row = row.expect("a row");
        let game = replayer.replay(&row).game;
        if game.must_set_up().is_none() {
            boards.extend(game.positions().iter().map(|position| *position.board()));
        }
        std::ops::ControlFlow::<()>::Continue(())
    });
    assert!(boards.len() > 5000, "{}", boards.len());
    boards
}

#[test]
fn facts_of_real_games_are_what_they_are_called() {
    let boards = real_boards();
    // Every sequence of steps takes long where all pieces are there.
    for board in boards.iter().step_by(29) {
        check_shapes(board);
    }
    for board in boards
        .iter()
        .filter(|board| !board.on_goal().gold && !board.on_goal().silver)
        .step_by(97)
    {
        check_goals(board);
    }
    for board in boards
        .iter()
        .filter(|board| board.occupied().len() < 20)
        .step_by(301)
    {
        check_captures(board);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn shapes_are_what_they_are_called(board in a_board(40)) {
        check_shapes(&board);
    }

    #[test]
    fn holders_of_hostages_are_stronger_and_beside(board in a_board(40)) {
        for holder in ["E", "M", "e", "m", "G", "S"] {
            let by = Pattern::parse(&format!("{holder}a1"));
            let expected = Square::all().any(|square| {
                plainly_hostage(&board, square) && neighbours(square).iter().any(|&other| {
                    let (Some(piece), Some(beside)) = (at(&board, square), at(&board, other)) else { return false };
                    let letter = beside.to_string();
                    let named = match holder {
                        "G" => beside.side() == Side::Gold,
                        "S" => beside.side() == Side::Silver,
                        other => letter == other,
                    };
                    named && beside.side() != piece.side() && beside.role() > piece.role()
                })
            });
            prop_assert!(by.is_ok());
            prop_assert_eq!(holds(&format!("hostage(* by {holder})"), &board, Side::Gold), expected);
        }
    }

    #[test]
    fn counts_and_balances(board in a_board(50), number in 0i32..6) {
        let count = |side: Side| board.iter().filter(|(_, piece)| piece.side() == side).count() as i32;
        let (gold, silver) = (count(Side::Gold), count(Side::Silver));
        for (text, expected) in [
            (format!("material +{number}"), gold - silver >= number),
            (format!("material -{number}"), gold - silver <= -number),
            (format!("material = {number}"), gold - silver == number),
            (format!("material < -{number}"), gold - silver < -number),
            (format!("pieces(g) <= {number}"), gold <= number),
            (format!("pieces(s) > {number}"), silver > number),
            (format!("pieces {number}..9"), (number..=9).contains(&(gold + silver))),
        ] {
            prop_assert_eq!(holds(&text, &board, Side::Gold), expected, "{}", text);
        }
        for trap in Square::TRAPS {
            let beside = |side: Side| neighbours(trap).iter().filter(|&&square| at(&board, square).is_some_and(|piece| piece.side() == side)).count() as i32;
            let home = if trap.rank().index() < 4 { Side::Gold } else { Side::Silver };
            prop_assert_eq!(holds(&format!("guards({trap}) >= {number}"), &board, Side::Gold), beside(home) >= number);
            prop_assert_eq!(holds(&format!("guards({trap} by s) = {number}"), &board, Side::Gold), beside(Side::Silver) == number);
            let pieces: Vec<Piece> = neighbours(trap).iter().filter_map(|&square| at(&board, square)).collect();
            let top = pieces.iter().map(|piece| piece.role()).max();
            let all = |fits: &dyn Fn(Piece) -> bool| {
                !pieces.is_empty() && pieces.iter().filter(|piece| Some(piece.role()) == top).all(|&piece| fits(piece))
            };
            prop_assert_eq!(holds(&format!("strongest({trap}) = G"), &board, Side::Gold), all(&|piece| piece.side() == Side::Gold));
            prop_assert_eq!(holds(&format!("strongest({trap}) = h"), &board, Side::Gold), all(&|piece| piece == Piece::SilverHorse));
            prop_assert_eq!(holds(&format!("strongest({trap}) is >D"), &board, Side::Gold), all(&|piece| piece.role() > Role::Dog));
        }
        for side in Side::ALL {
            for role in Role::ALL {
                let piece = Piece::new(side, role);
                let there = board.iter().filter(|(_, other)| *other == piece).count() as u32;
                let text = format!("{} lost {piece}", side.name());
                prop_assert_eq!(holds(&text, &board, side), there < role.count_at_start(), "{}", text);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn captures_are_those_that_some_turn_makes(board in a_board(11)) {
        check_captures(&board);
    }

    #[test]
    fn goals_are_those_that_some_turn_reaches(board in a_board(14)) {
        for side in Side::ALL {
            prop_assume!(!board.on_goal()[side]);
        }
        check_goals(&board);
    }
}

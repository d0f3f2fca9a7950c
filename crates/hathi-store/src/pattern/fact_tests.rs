//! Every fact against a slow, plain definition; the compiled form of any
//! pattern against the written one; texts against what is read from them.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use hathi_archive::Synth;
use hathi_model::phase::Phase;
use hathi_rules::{
    Board, BySide, Piece, Ply, Position, Role, Side, Square, Symmetry, Turn, TurnGenerator,
};
use proptest::prelude::*;

use super::block::{BLOCK, FactBlock};
use super::scan::Scratch;
use super::*;
use crate::Matching;
use crate::index::{ColumnFamilies, IndexedGame, IndexedMove, StoredPositions};
use crate::seen::{Seen, orientation, pack_turn};

fn pattern(text: &str) -> Pattern {
    Pattern::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn error(text: &str) -> String {
    Pattern::parse(text).unwrap_err().to_string()
}

/// Pieces strewn over the board.
fn a_board(most: usize) -> impl Strategy<Value = Board> {
    proptest::collection::vec((0usize..64, 0usize..12), 0..most).prop_map(|pieces| {
        let mut board = Board::EMPTY;
        for (square, piece) in pieces {
            if let Some(square) = Square::from_index(square) {
                board.remove(square);
                board.place(square, Piece::ALL[piece]);
            }
        }
        // Nothing stands alone on a trap before a turn.
        for square in board.unsupported_on_traps() {
            board.remove(square);
        }
        board
    })
}

/// Positions of synthetic games, with what was played there.
fn played() -> &'static [Setting] {
    static PLAYED: LazyLock<Vec<Setting>> = LazyLock::new(play);
    &PLAYED
}

fn play() -> Vec<Setting> {
    let mut all = Vec::new();
    let synth = Synth::new(7).with_games(6);
    let mut replayer = hathi_archive::Replayer::new();
    for number in 0..6 {
        let archived = synth.game(number);
        let replayed = replayer.replay_game(&archived);
        let game = replayed.game;
        for (ply, (&before, turn)) in game.positions().iter().zip(game.turns()).enumerate() {
            all.push(Setting {
                position: before,
                ply: Some(Ply::after(ply)),
                ratings: BySide::new(Some(1500 + number as u16 * 150), Some(2000)),
                winner: Side::ALL.get(number as usize % 3).copied(),
                turn: Some(*turn),
            });
        }
    }
    // Nobody gives up pieces there; turns by chance do.
    let mut generator = TurnGenerator::new();
    let mut strange = Vec::new();
    for (number, setting) in all.iter().enumerate().step_by(3) {
        let turns = generator.count(&setting.position);
        for part in 1..4 {
            let pick = (turns * part / 4 + number) % turns.max(1);
            let reached = generator.generate(&setting.position).nth(pick);
            strange.extend(reached.map(|reached| Setting {
                turn: Some(reached.turn()),
                ..*setting
            }));
        }
    }
    all.extend(strange);
    all
}

// --- the plain definitions ----------------------------------------------------

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

#[test]
fn turns_and_games_are_as_they_were_played() {
    let (mut taken, mut arrived, mut given) = (0, 0, 0);
    for &setting in played() {
        let turn = setting.turn.expect("played");
        let mover = setting.position.side_to_move();
        let after = setting.position.after_turn(turn.steps());
        let gone = |side: Side, role: Role| {
            let count = |board: &Board| {
                board
                    .iter()
                    .filter(|(_, piece)| *piece == Piece::new(side, role))
                    .count()
            };
            count(setting.position.board()) > count(after.board())
        };
        for role in Role::ALL {
            let enemy = Piece::new(mover.opponent(), role);
            let own = Piece::new(mover, role);
            let takes = pattern(&format!("captures {enemy}")).holds_in(&setting);
            assert_eq!(takes, gone(mover.opponent(), role));
            taken += usize::from(takes);
            let gives = pattern(&format!("gives up {own}")).holds_in(&setting);
            assert_eq!(gives, gone(mover, role));
            given += usize::from(gives);
            assert!(!pattern(&format!("captures {own}")).holds_in(&setting));
            assert!(!pattern(&format!("gives up {enemy}")).holds_in(&setting));
            for square in Square::all() {
                // Followed step by step.
                let mut places: Vec<(Square, bool)> = setting
                    .position
                    .board()
                    .pieces(own)
                    .iter()
                    .map(|from| (from, false))
                    .collect();
                for step in turn.steps() {
                    if let Some(to) = step.to() {
                        for place in places.iter_mut().filter(|place| place.0 == step.from()) {
                            *place = (to, true);
                        }
                    }
                    if let Some(removal) = step.removed() {
                        places.retain(|place| place.0 != removal.square);
                    }
                }
                let plays = pattern(&format!("plays {own}{square}")).holds_in(&setting);
                assert_eq!(
                    plays,
                    places.contains(&(square, true)),
                    "{turn} {own}{square}"
                );
                arrived += usize::from(plays);
            }
        }
        let ply = setting.ply.expect("of a game");
        for (text, expected) in [
            (format!("move {}", ply.move_number()), true),
            (format!("move > {}", ply.move_number()), false),
            (
                "gold rating >= 1800".to_owned(),
                setting.ratings.gold >= Some(1800),
            ),
            ("silver rating = 2000".to_owned(), true),
            (
                "rating >= 1800".to_owned(),
                setting.ratings.gold >= Some(1800),
            ),
            ("mover won".to_owned(), setting.winner == Some(mover)),
            ("result s".to_owned(), setting.winner == Some(Side::Silver)),
            (
                "gives up a piece by s".to_owned(),
                mover == Side::Silver && Role::ALL.iter().any(|&role| gone(mover, role)),
            ),
        ] {
            assert_eq!(pattern(&text).holds_in(&setting), expected, "{text}");
        }
        let phase = hathi_model::phase::heuristic(&setting.position);
        for other in Phase::ALL {
            let text = format!("phase {}", other.name());
            assert_eq!(pattern(&text).holds_in(&setting), other == phase);
        }
    }
    assert!(
        taken > 5 && arrived > 100 && given > 0,
        "{taken} {arrived} {given}"
    );
}

// --- the compiled form ----------------------------------------------------------

fn a_fact() -> impl Strategy<Value = String> {
    let sides = "(|gold |silver |opponent )";
    prop_oneof![
        "(frozen|framed|threatens|captures)\\([RCDHMErcdhmeGS*]([a-h][1-8])?\\)",
        "(frozen|framed|threatens|captures)\\([0-3][+-]?[GS*](<M|>C)@(near\\([cf][36]\\)|home\\(g\\)|board)\\)",
        "(threatens|captures)\\([GS*](@away\\([gs]\\))? in [cf][36]\\)",
        "hostage(\\([MHmhGS*]( by [EMem])?\\))?",
        (sides, 1..=4).prop_map(|(side, steps)| format!("{side}goal in {steps}")),
        sides.prop_map(|side| format!("{side}fork")),
        "blockade(\\([Ee]\\))?",
        "guards\\([cf][36]( by [gs])?\\) (>=|<=|=|<|>) [1-3]",
        "strongest\\([cf][36]\\) = [RCDHMErcdhmeGS*]",
        "material (\\+|-|= |>= -|<= -)[0-3]",
        "phase (opening|middle|end)",
        "pieces(\\([gs]\\))? (>=|<=) [1-9]",
        "move (>=|<=) [1-9]",
        "(|gold |silver |mover |opponent )rating (>=|<=) (1600|1900|2000)",
        "(gold|silver|mover|opponent) won",
        "plays [RCDHMErcdhmeGS](@(home\\([gs]\\)|near\\([cf][36]\\)|c3\\.\\.e5)|[a-h][1-8])",
        "captures [RCDHMErcdhmeGS*]( in [cf][36])?( by [gs])?",
        "gives up ([RCDHMErcdhme]|a rabbit|a piece)",
        "(gold lost [RCDHM]|silver lost [rcdhm])",
        "!?[RCDHMErcdhmeGS*_][a-h][1-8]",
        "!?[1-3]?[GS*](<M|>C)@(near\\([cf][36]\\)|edge)",
        "[gs] to move",
    ]
}

fn a_formula() -> impl Strategy<Value = String> {
    a_fact().prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 1..4)
                .prop_map(|all| format!("({})", all.join(" "))),
            proptest::collection::vec(inner.clone(), 1..4)
                .prop_map(|all| format!("({})", all.join(" and "))),
            proptest::collection::vec(inner.clone(), 1..4)
                .prop_map(|any| format!("({})", any.join(" or "))),
            inner.clone().prop_map(|one| format!("not {one}")),
            inner.prop_map(|one| format!("!({one})")),
        ]
    })
}

/// What cannot be read contradicts itself, and says so.
fn readable(text: &str) -> Option<Pattern> {
    match Pattern::parse(text) {
        Ok(pattern) => Some(pattern),
        Err(error) => {
            let known = matches!(
                error.fault,
                PatternFault::Contradiction(_) | PatternFault::TwoMovers
            );
            assert!(known, "{text}: {error}");
            None
        }
    }
}

fn stored(setting: &Setting) -> ([u64; 4], IndexedMove, IndexedGame) {
    use bytemuck::Zeroable;
    let mover = setting.position.side_to_move();
    let turn = setting.turn.unwrap_or(Turn::EMPTY);
    let rating = |rating: Option<u16>| rating.unwrap_or(0);
    (
        Seen::of(&setting.position).0,
        IndexedMove {
            game: 0,
            turns_before: setting.ply.map_or(mover as u16, |ply| ply.get() as u16),
            padding: 0,
            turn: pack_turn(&orientation(mover).apply(turn)),
        },
        IndexedGame {
            gold_rating: rating(setting.ratings.gold),
            silver_rating: rating(setting.ratings.silver),
            winner: setting.winner.map_or(0, |side| side as u8 + 1),
            ..IndexedGame::zeroed()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(250))]

    #[test]
    fn compiled_facts_agree_with_the_written_ones(text in a_formula(), pick in 0usize..1000, board in a_board(24)) {
        let Some(pattern) = readable(&text) else { return Ok(()) };
        let games = played();
        let mut settings: Vec<Setting> = (0..6).map(|i| games[(pick * 7 + i * 31) % games.len()]).collect();
        // A composed board, in the middle of some game.
        let mover = settings[0].position.side_to_move();
        settings.push(Setting { position: Position::composed(board, mover), turn: settings[0].turn, ..settings[0] });
        for matching in [Matching::Literal, Matching::Symmetric] {
            let compiled = pattern.compile(matching);
            let changes = if matching == Matching::Literal { &Symmetry::ALL[..1] } else { &Symmetry::ALL[..] };
            let places: Vec<_> = settings.iter().map(stored).collect();
            let expected: Vec<Option<Symmetry>> = settings
                .iter()
                .map(|setting| {
                    let change = changes.iter().find(|change| pattern.holds_in(&change.apply(*setting)))?;
                    Some(Symmetry {
                        mirror: change.mirror,
                        flip: change.flip != (setting.position.side_to_move() == Side::Silver),
                    })
                })
                .collect();
            for ((board, played, game), expected) in places.iter().zip(&expected) {
                prop_assert_eq!(compiled.matches_stored(board, played, game), *expected, "{} {:?}", text, matching);
            }
            // The same as a block, with columns worked out for all.
            let mut boards = [[0; 4]; BLOCK];
            let mut moves = Vec::new();
            let mut games = Vec::new();
            for (i, (board, played, game)) in places.iter().enumerate() {
                boards[i] = *board;
                moves.push(IndexedMove { game: i as u32, ..*played });
                games.push(*game);
            }
            let columns = ColumnFamilies::of(StoredPositions {
                boards: &boards[..places.len()],
                moves: &moves,
                games: &games,
            });
            let block = FactBlock {
                boards: &boards,
                real: (1 << places.len()) - 1,
                moves: &moves,
                columns: columns.first(),
            };
            let found = compiled.found(&block, &mut Scratch::new());
            for (i, expected) in expected.iter().enumerate() {
                let mover = settings[i].position.side_to_move();
                prop_assert_eq!(compiled.turned(&found, i, mover), *expected, "{} {:?}", text, matching);
            }
        }
    }
}

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

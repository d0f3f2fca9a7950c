//! What several test files share: the data folder, and positions of all
//! kinds for property tests.
#![allow(dead_code, missing_docs, unreachable_pub)]

use std::path::PathBuf;

use hathi_rules::{Board, Piece, Position, RuleSet, Side, Square};
use proptest::prelude::*;

/// The folder with real games and test oracles: `HATHI_SHARED`, or
/// `../shared/data` beside the workspace. Without it the caller skips, except
/// in CI, where it must be there.
pub fn data_dir() -> Option<PathBuf> {
    let dir = std::env::var_os("HATHI_SHARED").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data")),
        PathBuf::from,
    );
    if dir.is_dir() {
        return Some(dir);
    }
    let in_ci = std::env::var_os("CI").is_some_and(|value| !value.is_empty());
    assert!(!in_ci, "in CI the shared data must be there");
    eprintln!("skipped: no shared data folder (set HATHI_SHARED to use one)");
    None
}

/// A game of an archive file.
pub struct Archived {
    pub id: String,
    pub rules: RuleSet,
    pub result: Option<Side>,
    pub termination: Option<char>,
    pub moves: Vec<u8>,
}

/// The archives that tests count the games of. Others may come to lie beside
/// them.
pub const ARCHIVES: [&str; 4] = [
    "allgames-sharp.txt",
    "allgames2002.txt",
    "allgames201111-part.txt",
    "allgames202602-part.txt",
];

/// The games of those archive files whose name `pick` accepts.
pub fn games(pick: impl Fn(&str) -> bool) -> Option<Vec<Archived>> {
    let folder = data_dir()?;
    let mut games = Vec::new();
    for name in ARCHIVES.into_iter().filter(|name| pick(name)) {
        let bytes = std::fs::read(folder.join(name)).expect("an archive file can be read");
        let mut rows = bytes
            .split(|&c| c == b'\n')
            .filter(|row| !row.is_empty())
            .map(|row| row.split(|&c| c == b'\t').collect::<Vec<_>>());
        let header = rows.next().expect("a header");
        let column = |name: &str| {
            header
                .iter()
                .position(|&field| field == name.as_bytes())
                .unwrap_or_else(|| panic!("no column {name}"))
        };
        let (id, start, result, termination, moves) = (
            column("id"),
            column("startts"),
            column("result"),
            column("termination"),
            column("movelist"),
        );
        for row in rows {
            let text = |i: usize| String::from_utf8_lossy(row[i]).into_owned();
            games.push(Archived {
                id: text(id),
                rules: RuleSet::at_unix_time(text(start).parse().expect("a time")),
                result: text(result).chars().next().and_then(Side::from_char),
                termination: text(termination).chars().next(),
                moves: row[moves].to_vec(),
            });
        }
    }
    Some(games)
}

/// Any position at the start of a turn: from nearly empty to crowded, rabbits
/// close to goal, pieces on traps (supported, or they would be gone).
pub fn any_position() -> impl Strategy<Value = Position> {
    let placement = (0..12usize, 0..64usize);
    let pieces = prop_oneof![
        3 => prop::collection::vec(placement.clone(), 2..10),
        3 => prop::collection::vec(placement.clone(), 10..20),
        2 => prop::collection::vec(placement, 20..40),
    ];
    (pieces, any::<bool>()).prop_map(|(pieces, silver)| {
        let mut board = Board::EMPTY;
        for (piece, square) in pieces {
            let (piece, square) = (
                Piece::ALL[piece],
                Square::from_index(square).expect("below 64"),
            );
            let full = board.pieces(piece).len() >= piece.role().count_at_start();
            // A rabbit on goal ends the game; nobody plays on from there.
            let on_goal =
                piece.role() == hathi_rules::Role::Rabbit && piece.side().goal().contains(square);
            if !full && !on_goal && board.piece_at(square).is_none() {
                board.place(square, piece);
            }
        }
        // Taking one off may leave another unsupported.
        while let Some(square) = board.unsupported_on_traps().first() {
            board.remove(square);
        }
        let side = if silver { Side::Silver } else { Side::Gold };
        Position::new(board, side).expect("built to be valid")
    })
}

/// Any position, perhaps in the middle of a turn: `any_position` and up to
/// three random steps, among them half-done pushes and pending pulls.
pub fn any_moment() -> impl Strategy<Value = Position> {
    let choices = prop::collection::vec(any::<prop::sample::Index>(), 0..4);
    (any_position(), choices).prop_map(|(mut position, choices)| {
        for choice in choices {
            let steps = position.legal_steps();
            if !steps.is_empty() {
                position = position.after(steps[choice.index(steps.len())]);
            }
        }
        position
    })
}

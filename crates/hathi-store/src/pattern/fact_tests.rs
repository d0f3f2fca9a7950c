//! Every fact against a slow, plain definition; the compiled form of any
//! pattern against the written one; texts against what is read from them.
//!
//! | file | holds |
//! |---|---|
//! | `plain.rs` | the definitions, and the facts of boards against them |
//! | `played.rs` | facts of turns and games |
//! | `compiled.rs` | the compiled form against the written one |
//! | `server.rs` | the compiled form against what a database decides |
//! | `texts.rs` | printing and reading, and what is wrong with a text |

mod compiled;
mod plain;
mod played;
#[cfg(feature = "postgres")]
mod server;
mod texts;

use std::sync::LazyLock;

use hathi_archive::Synth;
use hathi_rules::{Board, BySide, Piece, Ply, Side, Square, TurnGenerator};
use proptest::prelude::*;

use super::{Pattern, PatternFault, Setting};

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

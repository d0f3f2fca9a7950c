//! What engines and imports wait for, beside the crate `arimaa_engine_step`
//! on the same positions in the same run.
//!
//! `cargo bench -p hathi-rules`. With the shared data folder beside the
//! workspace (or `HATHI_SHARED`) positions of real games are used, otherwise
//! a few drawn here.
#![allow(missing_docs)]

use std::collections::HashSet;
use std::path::PathBuf;

use arimaa_engine_step::{Action, GameState};
use divan::Bencher;
use divan::counter::ItemsCount;
use hathi_rules::{Position, TurnGenerator};

fn main() {
    divan::main();
}

/// An opening, two middle games and an end game.
const DRAWN: [&str; 4] = [
    "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]",
    "g [r rr rrrrcrd  cr  h  e   d    m    E h  H   M   R  D  H RC DC RRRR RRR R]",
    "s [rrr  rrrcrd  cr   h e   d     m    E h  H   M   R  D  HRC D CRRRR RRR ]",
    "g [   r rrr  rC d  rh eR m     R                           R  EH   ]",
];

fn positions() -> Vec<Position> {
    let dir = std::env::var_os("HATHI_SHARED").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data")),
        PathBuf::from,
    );
    match std::fs::read_to_string(dir.join("turn-counts.tsv")) {
        Ok(text) => text
            .lines()
            .skip(1)
            // Every tenth: the other crate takes its time.
            .step_by(10)
            .filter_map(|row| {
                let mut fields = row.split('\t').skip(2);
                let (side, board) = (fields.next()?, fields.next()?);
                format!("{side} {board}").parse().ok()
            })
            .collect(),
        Err(_) => DRAWN.iter().filter_map(|text| text.parse().ok()).collect(),
    }
}

/// The same positions in the words of the other crate.
fn their_positions() -> Vec<GameState> {
    positions()
        .iter()
        .filter_map(|position| {
            let drawn = position.long_form().replace('.', " ");
            format!("2{drawn}").parse().ok()
        })
        .collect()
}

/// Steps generated, taken and taken back, two deep into the turn.
mod steps {
    use super::{Action, Bencher, GameState, ItemsCount, Position, positions, their_positions};

    fn ours(position: &mut Position, depth: u32) -> u64 {
        let mut count = 0;
        for step in position.legal_steps() {
            let undo = position.apply(step);
            count += 1;
            if depth > 1 {
                count += ours(position, depth - 1);
            }
            position.undo(undo);
        }
        count
    }

    fn theirs(state: &GameState, depth: u32) -> u64 {
        let mut count = 0;
        for action in state.valid_actions_no_rep() {
            if matches!(action, Action::Pass) {
                continue;
            }
            let next = state.take_action(&action);
            count += 1;
            if depth > 1 {
                count += theirs(&next, depth - 1);
            }
        }
        count
    }

    #[divan::bench]
    fn hathi(bencher: Bencher<'_, '_>) {
        let mut positions = positions();
        let total: u64 = positions.iter_mut().map(|p| ours(p, 2)).sum();
        bencher
            .counter(ItemsCount::new(total))
            .bench_local(|| positions.iter_mut().map(|p| ours(p, 2)).sum::<u64>());
    }

    #[divan::bench]
    fn arimaa_engine_step(bencher: Bencher<'_, '_>) {
        let positions = their_positions();
        let total: u64 = positions.iter().map(|p| theirs(p, 2)).sum();
        bencher
            .counter(ItemsCount::new(total))
            .bench_local(|| positions.iter().map(|p| theirs(p, 2)).sum::<u64>());
    }
}

/// Distinct positions that one turn can reach.
mod turns {
    use super::{
        Bencher, GameState, HashSet, ItemsCount, TurnGenerator, positions, their_positions,
    };

    /// The natural way with a step-by-step crate: level by level, states told
    /// apart by their hash, results where the turn is passed or used up.
    fn theirs(start: &GameState) -> usize {
        let mover = start.is_p1_turn_to_move();
        let unchanged = board_key(start);
        let mut results = HashSet::new();
        let mut level = vec![start.clone()];
        while !level.is_empty() {
            let mut seen = HashSet::new();
            let mut next = Vec::new();
            for state in &level {
                for action in state.valid_actions_no_rep() {
                    let after = state.take_action(&action);
                    if after.is_p1_turn_to_move() != mover {
                        results.insert(board_key(&after));
                    } else if seen.insert(after.transposition_hash()) {
                        next.push(after);
                    }
                }
            }
            level = next;
        }
        results.remove(&unchanged);
        results.len()
    }

    fn board_key(state: &GameState) -> [u64; 7] {
        use arimaa_engine_step::Piece;
        let board = state.piece_board();
        let kinds = [
            Piece::Elephant,
            Piece::Camel,
            Piece::Horse,
            Piece::Dog,
            Piece::Cat,
            Piece::Rabbit,
        ];
        let mut key = [0; 7];
        for (place, kind) in key.iter_mut().zip(kinds) {
            *place = board.bits_by_piece_type(kind);
        }
        key[6] = board.player_piece_mask(true);
        key
    }

    #[divan::bench]
    fn hathi(bencher: Bencher<'_, '_>) {
        let positions = positions();
        let mut generator = TurnGenerator::new();
        let total: usize = positions.iter().map(|p| generator.count(p)).sum();
        bencher
            .counter(ItemsCount::new(total))
            .bench_local(|| positions.iter().map(|p| generator.count(p)).sum::<usize>());
    }

    #[divan::bench(sample_count = 3, sample_size = 1)]
    fn arimaa_engine_step(bencher: Bencher<'_, '_>) {
        let mut generator = TurnGenerator::new();
        let total: usize = positions().iter().map(|p| generator.count(p)).sum();
        let positions = their_positions();
        bencher.counter(ItemsCount::new(total)).bench_local(|| {
            let found: usize = positions.iter().map(theirs).sum();
            assert_eq!(found, total, "both crates find the same turns");
        });
    }
}

/// Goal search and capture threats, each for both sides.
mod threats {
    use super::{Bencher, ItemsCount, positions};
    use hathi_rules::Side;

    #[divan::bench]
    fn can_goal(bencher: Bencher<'_, '_>) {
        let positions = positions();
        bencher
            .counter(ItemsCount::new(2 * positions.len()))
            .bench_local(|| {
                positions
                    .iter()
                    .flat_map(|p| Side::ALL.map(|side| p.with_side(side)))
                    .filter(|p| p.can_goal().is_some())
                    .count()
            });
    }

    #[divan::bench]
    fn capture_threats(bencher: Bencher<'_, '_>) {
        let positions = positions();
        bencher
            .counter(ItemsCount::new(2 * positions.len()))
            .bench_local(|| {
                positions
                    .iter()
                    .flat_map(|p| Side::ALL.map(|side| p.with_side(side)))
                    .map(|p| p.capture_threats().len())
                    .sum::<usize>()
            });
    }
}

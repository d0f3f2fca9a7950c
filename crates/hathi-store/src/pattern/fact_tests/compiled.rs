//! The compiled form of patterns against the written one, position by position
//! and block by block.

use hathi_rules::{Position, Side, Symmetry, Turn};
use proptest::prelude::*;

use super::{Setting, a_board, a_formula, played, readable};
use crate::Matching;
use crate::index::{ColumnFamilies, IndexedGame, IndexedMove, StoredPositions};
use crate::pattern::Scratch;
use crate::pattern::block::{BLOCK, FactBlock};
use crate::seen::{Seen, orientation, pack_turn};

pub(super) fn stored(setting: &Setting) -> ([u64; 4], IndexedMove, IndexedGame) {
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

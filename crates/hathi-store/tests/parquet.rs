//! Parquet files, read back with the reader of the `parquet` crate.

mod common;

use std::collections::HashMap;
use std::fs::File;
use std::path::Path;

use common::playout_games;
use hathi_rules::{Board, PackedBoard, Ply, Position, Side};
use hathi_store::{ExportSummary, GameRow, ParquetExport, StoredGame};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::statistics::Statistics;
use parquet::record::{Field, Row};

/// As they come from a database; the same few again and again, as playing
/// them is what takes time.
fn stored_games(count: usize) -> Vec<StoredGame> {
    let some = playout_games(40, 7);
    (0..count)
        .map(|i| {
            let new = some[i % some.len()].clone();
            let mut game = new.game;
            game.players.gold.rating = (i % 5 != 0).then_some(1500 + (i % 700) as i32);
            "Jürgen".clone_into(&mut game.players.silver.name);
            StoredGame {
                row: GameRow::new(10 + 2 * i as i64),
                game,
                moves: new.moves,
                fault: (i == 3).then(|| "move 9g: no such piece".to_owned()),
            }
        })
        .collect()
}

fn write(games: &[StoredGame], folder: &Path) -> ExportSummary {
    let mut export = ParquetExport::create(
        &folder.join("games.parquet"),
        Some(&folder.join("positions.parquet")),
        3,
    )
    .expect("created");
    for game in games {
        export.write(game.clone()).expect("written");
    }
    export.finish().expect("finished")
}

fn open(folder: &Path, name: &str) -> SerializedFileReader<File> {
    let file = File::open(folder.join(name)).expect("a file");
    SerializedFileReader::new(file).expect("a Parquet file")
}

fn rows(reader: &SerializedFileReader<File>) -> Vec<HashMap<String, Field>> {
    let columns = |row: Row| row.into_columns().into_iter().collect();
    let rows = reader.get_row_iter(None).expect("rows");
    rows.map(|row| columns(row.expect("a row"))).collect()
}

fn text(text: &str) -> Field {
    Field::Str(text.to_owned())
}

#[test]
fn every_position_comes_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let games = stored_games(60);
    let summary = write(&games, folder.path());
    let rows = rows(&open(folder.path(), "positions.parquet"));
    assert_eq!(summary.games, 60);
    assert_eq!(summary.positions, rows.len() as u64);
    let mut rows = rows.into_iter().enumerate();
    for game in &games {
        let replayed = game.moves.replay(game.game.rules()).expect("legal");
        let turns = replayed.turns();
        for (ply, turn) in turns.iter().enumerate() {
            let (number, row) = rows.next().expect("a row");
            let position: &Position = &replayed.positions()[ply];
            let label = Ply::after(ply).label();
            let last_of_mover = (ply..turns.len()).step_by(2).next_back().expect("this one");
            let board: String = position.board().short_form().replace(' ', "-");
            let Field::Bytes(packed) = &row["board"] else {
                panic!("{:?}", row["board"]);
            };
            let packed = PackedBoard(packed.data().try_into().expect("32 bytes"));
            assert_eq!(Board::try_from(packed).as_ref(), Ok(position.board()));
            for (name, expected) in [
                ("id", Field::Long(number as i64 + 1)),
                ("game_id", Field::Long(game.game.id.to_i64())),
                ("turn", Field::Int(label.number as i32)),
                ("side", text(["g", "s"][ply % 2])),
                ("wrating", rating(game, Side::Gold)),
                ("brating", rating(game, Side::Silver)),
                ("boardstatus", text(board.trim_matches(['[', ']']))),
                ("next_move", text(&turn.to_string())),
                (
                    "maxturns",
                    Field::Int(Ply::after(last_of_mover).move_number() as i32),
                ),
                ("store_id", Field::Long(game.row.get())),
                ("source", text("arimaa")),
                ("ply", Field::Int(ply as i32)),
                ("label", text(&label.to_string())),
                ("steps", Field::Int(turn.len() as i32)),
                ("termination", Field::Null),
                ("silver", text("Jürgen")),
                ("event", text("Test")),
                (
                    "started",
                    Field::TimestampMillis(game.game.start.expect("a start") * 1000),
                ),
            ] {
                assert_eq!(row[name], expected, "{name} of row {number}");
            }
        }
    }
    assert!(rows.next().is_none());
}

fn rating(game: &StoredGame, side: Side) -> Field {
    game.game.players[side]
        .rating
        .map_or(Field::Null, Field::Int)
}

#[test]
fn every_game_comes_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let games = stored_games(10);
    write(&games, folder.path());
    let rows = rows(&open(folder.path(), "games.parquet"));
    assert_eq!(rows.len(), games.len());
    for (row, game) in rows.iter().zip(&games) {
        let winner = game
            .game
            .result
            .map_or(Field::Null, |side| text(&side.to_char().to_string()));
        for (name, expected) in [
            ("store_id", Field::Long(game.row.get())),
            ("gold", text(&game.game.players.gold.name)),
            ("gold_rating", rating(game, Side::Gold)),
            ("gold_title", Field::Null),
            ("gold_kind", text("h")),
            ("rated", Field::Bool(false)),
            ("winner", winner),
            ("turns", Field::Int(game.moves.turns.len() as i32)),
            ("gold_setup", text(&game.moves.gold.to_string())),
            ("fault", game.fault.as_deref().map_or(Field::Null, text)),
            ("ended", Field::Null),
        ] {
            assert_eq!(row[name], expected, "{name}");
        }
        let Field::Str(moves) = &row["moves"] else {
            panic!("{:?}", row["moves"]);
        };
        assert!(moves.starts_with("1g Ra1 "), "{moves}");
        assert_eq!(moves.lines().count(), 2 + game.moves.turns.len());
    }
}

/// Readers skip row groups by their statistics: wrong ones would hide rows.
#[test]
fn statistics_are_true_of_every_row_group() {
    let folder = tempfile::tempdir().expect("a folder");
    let summary = write(&stored_games(17_000), folder.path());
    for (name, count) in [
        ("games.parquet", summary.games),
        ("positions.parquet", summary.positions),
    ] {
        let reader = open(folder.path(), name);
        let groups = reader.metadata().num_row_groups();
        assert!(groups > 1, "{name} has a single row group");
        let mut total = 0;
        for group in 0..groups {
            let reader = reader.get_row_group(group).expect("a group");
            let rows: Vec<Row> = reader
                .get_row_iter(None)
                .expect("rows")
                .map(|row| row.expect("a row"))
                .collect();
            total += rows.len() as u64;
            assert_eq!(reader.metadata().num_rows(), rows.len() as i64);
            for (i, column) in reader.metadata().columns().iter().enumerate() {
                let name = column.column_path().string();
                if name == "board" {
                    assert!(column.statistics().is_none());
                    continue;
                }
                let values = || {
                    rows.iter()
                        .map(|row| row.get_column_iter().nth(i).expect("it").1)
                };
                let nulls = values()
                    .filter(|value| matches!(value, Field::Null))
                    .count();
                let statistics = column.statistics().expect("statistics");
                assert_eq!(statistics.null_count_opt(), Some(nulls as u64), "{name}");
                check_bounds(&name, statistics, values());
            }
        }
        assert_eq!(total, count, "{name}");
    }
}

/// Cut bounds are bounds, but not values.
fn check_bounds<'a>(name: &str, statistics: &Statistics, values: impl Iterator<Item = &'a Field>) {
    let numbers = |field: &Field| match field {
        Field::Int(number) => Some(i64::from(*number)),
        Field::Long(number) | Field::TimestampMillis(number) => Some(*number),
        _ => None,
    };
    match statistics {
        Statistics::Int32(_) | Statistics::Int64(_) => {
            let found: Vec<i64> = values.filter_map(numbers).collect();
            let (min, max) = match statistics {
                Statistics::Int32(s) => (
                    s.min_opt().map(|&n| n.into()),
                    s.max_opt().map(|&n| n.into()),
                ),
                Statistics::Int64(s) => (s.min_opt().copied(), s.max_opt().copied()),
                _ => unreachable!(),
            };
            assert_eq!(min, found.iter().min().copied(), "{name}");
            assert_eq!(max, found.iter().max().copied(), "{name}");
        }
        Statistics::ByteArray(s) => {
            let texts = values.filter_map(|field| match field {
                Field::Str(text) => Some(text.as_bytes()),
                _ => None,
            });
            for text in texts {
                assert!(s.min_opt().expect("a bound").data() <= text, "{name}");
                assert!(s.max_opt().expect("a bound").data() >= text, "{name}");
            }
        }
        _ => {}
    }
}

#[test]
fn what_is_given_up_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.parquet");
    std::fs::write(&path, "the old one").expect("a file");
    let mut export = ParquetExport::create(&path, None, 1).expect("created");
    for game in stored_games(5) {
        export.write(game).expect("written");
    }
    drop(export);
    assert_eq!(std::fs::read(&path).expect("a file"), b"the old one");
    assert_eq!(
        std::fs::read_dir(folder.path()).expect("a folder").count(),
        1
    );
}

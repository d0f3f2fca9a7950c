//! Real archives: all rows are understood, written again byte by byte, and
//! the puzzles find their positions.
#![allow(missing_docs)]

mod common;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, Cursor};
use std::ops::ControlFlow;

use common::{ARCHIVES, archive_files, data_dir, ids_and_errors, read_all};
use hathi_archive::{
    ArchiveError, ArchiveReader, ArchiveWriter, GameId, PlayerKind, PuzzlePlace, PuzzleReader,
    Replayer, Source,
};
use hathi_rules::{Side, Termination};

#[test]
fn every_real_row_is_understood() {
    let Some(files) = archive_files() else { return };
    let (games, errors) = read_all(ArchiveReader::open(&files).unwrap());
    assert!(errors.is_empty(), "{errors:?}");
    assert_eq!(games.len(), 388 + 64 + 12 + 98);
    for game in &games {
        assert!(game.start.is_some() && game.result.is_some() && game.termination.is_some());
        assert!(game.time_control().is_ok(), "{}", game.time_control);
        assert_eq!(game.mode, "IGS");
        for side in Side::ALL {
            let player = &game.players[side];
            assert!(!player.name.is_empty() && player.rating.is_some());
            assert_ne!(player.kind, PlayerKind::Unknown);
        }
    }
}

#[test]
fn a_folder_is_its_archives() {
    let Some(data) = data_dir() else { return };
    let folder = std::env::temp_dir().join(format!("hathi-archives-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    // The puzzles and tables beside them are no archives, and nobody minds.
    for name in ARCHIVES.iter().chain(&["puzzles.txt", "turn-counts.tsv"]) {
        std::fs::copy(data.join(name), folder.join(name)).unwrap();
    }
    let (ids, errors) = ids_and_errors(Source::from_paths([&folder]).unwrap());
    assert_eq!((ids.len(), errors), (562, vec![]));
    let (_, errors) = ids_and_errors([Source::file(folder.join("puzzles.txt"))]);
    assert!(
        errors[0].ends_with(
            "no header line with the columns `id` and `movelist`, and no move list either"
        ),
        "{errors:?}"
    );
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn real_files_are_written_again_byte_by_byte() {
    let Some(files) = archive_files() else { return };
    for file in files {
        let original = std::fs::read(&file).unwrap();
        let mut by_row = ArchiveWriter::new(Vec::new()).unwrap();
        let mut by_game = ArchiveWriter::new(Vec::new()).unwrap();
        let _ = ArchiveReader::open([&file]).unwrap().for_each(|row| {
            let row = row.unwrap();
            by_row.write_row(&row).unwrap();
            by_game.write(&row.to_game_with_events()).unwrap();
            ControlFlow::<()>::Continue(())
        });
        assert!(by_row.finish().unwrap() == original, "{file:?} by rows");
        assert!(by_game.finish().unwrap() == original, "{file:?} by games");
    }
}

#[test]
fn real_games_replay_to_their_recorded_end() {
    let Some(files) = archive_files() else { return };
    let mut counts: BTreeMap<(String, char), usize> = BTreeMap::new();
    let mut faults = Vec::new();
    let mut one_by_one = Vec::new();
    let mut replayer = Replayer::new();
    let _ = ArchiveReader::open(&files).unwrap().for_each(|row| {
        let row = row.unwrap();
        let replayed = replayer.replay(&row);
        let termination = row.termination().map_or('?', Termination::to_char);
        let key = (format!("{:?}", replayed.agreement), termination);
        *counts.entry(key).or_default() += 1;
        if let Some(fault) = &replayed.fault {
            faults.push(format!("{}: {fault}", row.id()));
        }
        one_by_one.push((row.id(), replayed.to_owned()));
        ControlFlow::<()>::Continue(())
    });
    let counts: Vec<String> = counts
        .iter()
        .map(|((agreement, end), count)| format!("{agreement} {end} {count}"))
        .collect();
    assert_eq!(
        counts,
        [
            "NotOnBoard g 2",
            "OffBoard i 1",
            "OffBoard r 20",
            "OffBoard t 38",
            "OtherWinner r 1",
            "Same e 8",
            "Same g 480",
            "Same m 10",
            "Same r 2",
        ]
    );
    // Three games of the first weeks, when the server let things pass. In the
    // last they played on after a rabbit had reached goal.
    faults.sort();
    assert_eq!(
        faults,
        [
            "32: move 15g: step 4 of 4, `Dd4n`: the dog on d4 is frozen by the horse on c4",
            "46: move 22g: the game is over: Silver wins by goal",
            "55: move 22g: step 2 of 4, `Cg3n`: the cat on g3 is frozen by the dog on h3",
        ]
    );

    for threads in [1, 2, 5] {
        let mut parallel = Vec::new();
        let _ = ArchiveReader::open(&files).unwrap().for_each_parallel(
            threads,
            Replayer::new,
            |replayer, row| {
                Ok((
                    row.as_ref().map_err(Clone::clone)?.id(),
                    replayer.replay(&row?).to_owned(),
                ))
            },
            |result: Result<_, ArchiveError>| {
                parallel.push(result.unwrap());
                ControlFlow::<()>::Continue(())
            },
        );
        assert!(parallel == one_by_one, "{threads} threads");
    }
}

#[test]
fn puzzles_are_linked_to_their_games() {
    let (Some(folder), Some(files)) = (data_dir(), archive_files()) else {
        return;
    };
    let (games, _) = read_all(ArchiveReader::open(&files).unwrap());
    let games: BTreeMap<GameId, _> = games.into_iter().map(|game| (game.id, game)).collect();
    let file = BufReader::new(File::open(folder.join("puzzles.txt")).unwrap());
    let puzzles: Vec<_> = PuzzleReader::new("puzzles.txt", file)
        .collect::<Result<_, _>>()
        .unwrap();
    assert_eq!(puzzles.len(), 24_417);
    let mut counts = [0; 3];
    let mut problems = Vec::new();
    for puzzle in &puzzles {
        let Some(game) = games.get(&puzzle.game) else {
            continue;
        };
        match puzzle
            .link_moves(&game.movelist, game.rules())
            .map(|found| found.place)
        {
            Ok(PuzzlePlace::Game { played: true, .. }) => counts[0] += 1,
            Ok(PuzzlePlace::Game { played: false, .. }) => counts[1] += 1,
            Ok(PuzzlePlace::TakenBack) => counts[2] += 1,
            Err(fault) => problems.push(format!("{puzzle}: {fault}")),
        }
    }
    // Few of these turns were played; two belong to moves taken back.
    assert_eq!(counts, [1, 28, 2]);
    // Move 21 of that game had reached goal; they played on.
    assert_eq!(
        problems,
        [
            "46:22b hc4s rc2w hc3x rb2s: the game ends before move 22s, it has 40 turns",
            "46:28b rb5s rb4s rb3s rb2s: the game ends before move 28s, it has 40 turns",
        ]
    );
    // What is read is what is written.
    let lines: Vec<String> = puzzles.iter().map(ToString::to_string).collect();
    let text = lines.join("\n");
    let again = PuzzleReader::new("again", Cursor::new(text)).collect::<Result<Vec<_>, _>>();
    assert_eq!(again.unwrap(), puzzles);
}

//! Games of our own making, for a store that would be empty.
//!
//! Hathi's engines have played them against each other; the solver has found
//! the puzzles in them. `samples/README.md` says how, command by command.

use std::io::Cursor;

use hathi_archive::{ArchiveReader, GameSource, Puzzle, PuzzleReader, Source};
use hathi_store::{ImportOptions, Place, StoreError};

const GAMES: &[u8] = include_bytes!("../samples/games.txt.zst");
const PUZZLES: &[u8] = include_bytes!("../samples/puzzles.txt");

/// The sample games, an archive like any other (compressed).
pub fn sample_games() -> &'static [u8] {
    GAMES
}

/// Makes the store with the sample games in it.
pub(crate) fn fill(place: &Place) -> Result<(), StoreError> {
    let mut store = place.open_or_make()?;
    let reader = ArchiveReader::new([Source::reader("samples", Cursor::new(GAMES))]);
    let options = ImportOptions {
        source: Some(GameSource::Sample),
        ..ImportOptions::default()
    };
    store.import(reader, options, &mut |_| {}, &mut |_| true)?;
    let puzzles: Vec<_> = PuzzleReader::new("samples", PUZZLES)
        .flatten()
        .map(|puzzle| Puzzle {
            game: puzzle.game.in_source(GameSource::Sample),
            ..puzzle
        })
        .collect();
    store.import_puzzles(&puzzles)?;
    store.catch_up()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hathi_engine::{Limits, Solution, solve};

    #[test]
    fn every_sample_is_sound() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = Place::File(folder.path().join("samples.db"));
        fill(&place).expect("samples");
        let store = place.open().expect("a store");
        let totals = store.totals().expect("totals");
        assert!(totals.games >= 200, "{}", totals.games);
        let sources = store.sources().expect("sources");
        assert_eq!(sources.len(), 1);
        assert_eq!(sources[0].source, GameSource::Sample);
        let puzzles = store.puzzle_counts().expect("puzzles");
        assert!(puzzles.linked >= 10, "{puzzles:?}");
        assert_eq!((puzzles.broken, puzzles.without_game), (0, 0));
        // The solver agrees with a few; all of them would take a while.
        for number in (0..puzzles.linked).step_by(10) {
            let (hit, position) = store.linked_puzzle(number).expect("a puzzle").expect("one");
            let solution = solve(&position, 2, &Limits::none());
            assert!(
                matches!(solution, Solution::WinInTwo { .. }),
                "{} {}: {solution:?}",
                hit.game,
                hit.label
            );
        }
    }

    #[test]
    fn they_are_small() {
        assert!(GAMES.len() + PUZZLES.len() < 300_000);
    }
}

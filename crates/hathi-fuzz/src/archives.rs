//! Game archives.

use std::io::Cursor;
use std::ops::ControlFlow;

use hathi_archive::{ArchiveReader, ArchiveWriter, ArchivedGame, Replayer, Source};

use crate::is_short;

/// What a row says is the same after it was written and read again (but for
/// control characters, which are not written), and its game can be played over,
/// as far as it is legal.
pub(crate) fn rows(bytes: &[u8]) {
    let mut replayer = Replayer::new();
    for game in read(bytes.to_vec(), true) {
        let once = written(&game);
        assert_eq!(once.id, game.id);
        assert_eq!(once.recorded(), game.recorded());
        assert_eq!(written(&once), once);
        let replayed = replayer.replay_game(&game);
        if let Some(fault) = &replayed.fault {
            is_short(fault);
        }
    }
}

/// The game as it is read from a file that it was written to.
fn written(game: &ArchivedGame) -> ArchivedGame {
    let mut file = ArchiveWriter::new(Vec::new()).expect("memory");
    file.write(game).expect("memory");
    let games = read(file.finish().expect("memory"), false);
    assert_eq!(games.len(), 1, "a row for a game");
    games[0].clone()
}

/// The games of an archive; in one of ours nothing may be wrong.
fn read(bytes: Vec<u8>, foreign: bool) -> Vec<ArchivedGame> {
    let mut games = Vec::new();
    let source = Source::reader("noise", Cursor::new(bytes));
    let _ = ArchiveReader::new([source]).for_each(|row| {
        match row {
            Ok(row) => games.push(row.to_game_with_events()),
            Err(error) => {
                assert!(foreign, "what was written is not read: {error}");
                is_short(&error);
            }
        }
        ControlFlow::<()>::Continue(())
    });
    games
}

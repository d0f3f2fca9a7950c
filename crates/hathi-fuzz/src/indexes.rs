//! Index files with bytes changed or missing.

use std::fs;
use std::path::PathBuf;
use std::sync::{LazyLock, Mutex, PoisonError};

use hathi_archive::Synth;
use hathi_rules::{Position, Replay};
use hathi_store::{
    Kind, Place, PositionQuestion, Positions as _, Store, StoreError, Upkeep as _, remember,
};
use tempfile::TempDir;

/// A small store, its index as it was built, and what it answers.
struct Sound {
    _folder: TempDir,
    store: PathBuf,
    index: Vec<u8>,
    asked: Position,
    hits: Vec<u64>,
}

const GAMES: u64 = 12;

static SOUND: LazyLock<Mutex<Sound>> = LazyLock::new(|| Mutex::new(build()));

fn build() -> Sound {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.db");
    let place = Place::File(path.clone());
    let synth = Synth::new(11).with_games(GAMES);
    let mut asked = None;
    for number in 0..GAMES {
        let about = synth.game(number);
        let rules = about.rules();
        let mut replay = Replay::new(rules);
        replay.read(&about.movelist, rules).expect("a legal game");
        asked = replay.game.positions().get(1).copied().or(asked);
        remember(&place, about, &replay.game).expect("remembered");
    }
    let asked = asked.expect("a position");
    let mut store = Store::open(&path).expect("a store");
    store.build_index(1, &mut |_, _| {}).expect("an index");
    let hits = questions(&store, &asked).expect("answers");
    drop(store);
    let index = fs::read(index_of(&path)).expect("the index");
    Sound {
        _folder: folder,
        store: path,
        index,
        asked,
        hits,
    }
}

fn index_of(store: &std::path::Path) -> PathBuf {
    let mut name = store.as_os_str().to_owned();
    name.push(".index");
    name.into()
}

fn questions(store: &Store, asked: &Position) -> Result<Vec<u64>, StoreError> {
    let mut hits = Vec::new();
    for kind in [Kind::Full, Kind::Half] {
        let question = PositionQuestion::new(*asked, kind);
        hits.push(store.find(&question)?.hits);
        hits.push(store.find(&question.literal())?.hits);
    }
    Ok(hits)
}

/// The bytes are changes: four say where, one what to. If their number is odd,
/// the file is cut off at the last place. The store opens all the same, and
/// says the truth or that it cannot.
pub(crate) fn damaged(bytes: &[u8]) {
    let sound = SOUND.lock().unwrap_or_else(PoisonError::into_inner);
    let mut index = sound.index.clone();
    let mut last = 0;
    for change in bytes.chunks_exact(5) {
        let place = u32::from_le_bytes([change[0], change[1], change[2], change[3]]);
        last = place as usize % index.len();
        index[last] ^= change[4];
    }
    if bytes.len() % 2 == 1 {
        index.truncate(last);
    }
    fs::write(index_of(&sound.store), &index).expect("written");
    match Store::open(&sound.store).and_then(|store| questions(&store, &sound.asked)) {
        Ok(hits) => assert_eq!(hits, sound.hits, "another answer than the truth"),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

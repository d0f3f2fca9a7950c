//! Where an experiment is kept, and that it stays one and the same.
//!
//! | in the folder | |
//! |---|---|
//! | `experiment.json` | the settings; others are refused in the same folder |
//! | `queries.jsonl`, `queries/` | mckee: how long questions took, eighth by eighth; the store for it |
//! | `parts.jsonl`, `points.jsonl` | choksi, move ordering: what was trained and tested, part by part |
//! | `turns.jsonl` | carlini: the turns possible before every turn, a line a game |
//! | `matches/NAME/` | the games, results and moves of a match |
//! | `memories/NAME.db` | mckee: smaller or better memories |
//! | `report.html`, `report.md`, `*.svg`, `summary.json` | what came of it |

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use anyhow::Context;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::failure::BadInput;

/// Settings by name.
pub(crate) type Settings = BTreeMap<String, String>;

/// The folder is ours as long as this is held.
#[derive(Debug)]
pub(crate) struct Lock(#[allow(dead_code)] File);

/// Makes the folder, or goes on with what is in it.
pub(crate) fn open(folder: &Path, settings: &Settings) -> anyhow::Result<Lock> {
    fs::create_dir_all(folder)
        .map_err(|error| BadInput::error(format!("cannot make {}: {error}", folder.display())))?;
    let lock = File::create(folder.join("experiment.lock"))
        .map_err(|error| BadInput::error(format!("cannot write {}: {error}", folder.display())))?;
    if lock.try_lock().is_err() {
        anyhow::bail!("{} is in use by another experiment", folder.display());
    }
    let path = folder.join("experiment.json");
    let Some(known) = read::<Settings>(&path)? else {
        write(&path, settings)?;
        return Ok(Lock(lock));
    };
    for (name, now) in settings {
        let was = known.get(name).map_or("nothing", |was| was);
        if was != now {
            return Err(BadInput::error(format!(
                "{} holds an experiment with another {name}: {was}, now {now}. Use the same \
                 settings to go on with it, or another folder with --out",
                folder.display()
            )));
        }
    }
    Ok(Lock(lock))
}

/// A JSON file; none if it is not there.
pub(crate) fn read<T: DeserializeOwned>(path: &Path) -> anyhow::Result<Option<T>> {
    match fs::read(path) {
        Ok(bytes) => serde_json::from_slice(&bytes)
            .map(Some)
            .with_context(|| format!("{} is damaged", path.display())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
    }
}

/// Writes a JSON file, whole or not at all.
pub(crate) fn write(path: &Path, value: &impl Serialize) -> anyhow::Result<()> {
    let new = path.with_extension("json.tmp");
    let written = serde_json::to_vec_pretty(value)
        .map_err(io::Error::from)
        .and_then(|bytes| fs::write(&new, bytes))
        .and_then(|()| fs::rename(&new, path));
    written.with_context(|| format!("cannot write {}", path.display()))
}

/// The values of a file with one a line; none if it is not there. A line that
/// was cut off is cut away.
pub(crate) fn read_lines<T: DeserializeOwned>(path: &Path) -> anyhow::Result<Vec<T>> {
    let text = match fs::read(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
    };
    let end = text.iter().rposition(|&byte| byte == b'\n');
    let whole = end.map_or(0, |end| end + 1);
    if whole < text.len() {
        fs::write(path, &text[..whole])
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    let lines = text[..whole].split(|&byte| byte == b'\n');
    lines
        .filter(|line| !line.is_empty())
        .map(|line| {
            serde_json::from_slice(line).with_context(|| {
                format!("{} is damaged; remove it, it is made again", path.display())
            })
        })
        .collect()
}

/// Adds a line.
pub(crate) fn append(path: &Path, value: &impl Serialize) -> anyhow::Result<()> {
    let added = serde_json::to_vec(value)
        .map_err(io::Error::from)
        .and_then(|mut line| {
            line.push(b'\n');
            let mut file = OpenOptions::new().append(true).create(true).open(path)?;
            file.write_all(&line)
        });
    added.with_context(|| format!("cannot write {}", path.display()))
}

//! Files that nobody sees before they are complete.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// A file under another name. Given up, it is gone.
pub(crate) struct Draft {
    path: PathBuf,
    temporary: PathBuf,
}

impl Draft {
    /// Opens the file for writing (and reading) beside the place where it
    /// will be.
    pub(crate) fn create(path: &Path) -> io::Result<(Draft, File)> {
        remove_abandoned(path);
        let mut temporary = path.as_os_str().to_owned();
        temporary.push(format!(".{}.tmp", std::process::id()));
        let temporary = PathBuf::from(temporary);
        let file = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(true)
            .open(&temporary)?;
        // Says to others that somebody still writes it; where files have no
        // locks, the number of the process says so alone.
        let _ = file.try_lock();
        let path = path.to_owned();
        Ok((Draft { path, temporary }, file))
    }

    /// The name it will have.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The name it has until then.
    pub(crate) fn temporary(&self) -> &Path {
        &self.temporary
    }

    /// Makes sure that all of it is on disk, and gives it its name.
    pub(crate) fn publish(self, file: &File) -> io::Result<()> {
        file.sync_all()?;
        fs::rename(&self.temporary, &self.path)?;
        // The name itself is on disk only when the folder is.
        if let Some(folder) = self.path.parent()
            && let Ok(folder) = File::open(folder)
        {
            let _ = folder.sync_all();
        }
        Ok(())
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // Renamed, it is gone; given up, it should be.
        let _ = fs::remove_file(&self.temporary);
    }
}

/// Takes away what processes have left that were killed while they wrote this
/// file. Whoever still writes holds a lock on his draft, and is there.
fn remove_abandoned(path: &Path) {
    let (Some(folder), Some(name)) = (
        path.parent(),
        path.file_name().and_then(|name| name.to_str()),
    ) else {
        return;
    };
    let folder = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let draft = entry.file_name();
        let process = draft
            .to_str()
            .and_then(|draft| {
                draft
                    .strip_prefix(name)?
                    .strip_prefix('.')?
                    .strip_suffix(".tmp")
            })
            .and_then(|process| process.parse::<u32>().ok());
        if process.is_some_and(|process| !is_running(process)) && is_unlocked(&entry.path()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Is there a process of this number? Where that cannot be seen, the lock
/// decides alone.
fn is_running(process: u32) -> bool {
    process == std::process::id()
        || (Path::new("/proc/self").exists() && Path::new(&format!("/proc/{process}")).exists())
}

fn is_unlocked(path: &Path) -> bool {
    File::open(path).is_ok_and(|file| file.try_lock().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drafts_of_the_dead_are_removed_by_the_next_writer() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.db.index");
        let file = |name: &str| folder.path().join(name);
        // No process has such a number.
        let dead = file("games.db.index.4294967294.tmp");
        let locked = file("games.db.index.4294967293.tmp");
        let foreign = file("games.db.index.old.tmp");
        let other = file("other.db.index.4294967294.tmp");
        for left in [&dead, &locked, &foreign, &other] {
            fs::write(left, "half an index").expect("written");
        }
        let held = File::open(&locked).expect("a file");
        held.try_lock().expect("nobody else has it");
        let (draft, mut written) = Draft::create(&path).expect("a draft");
        assert!(!dead.exists(), "the draft of a dead process is still there");
        assert!(locked.exists() && foreign.exists() && other.exists());
        // Our own is left alone by ourselves.
        let (second, _) = Draft::create(&file("games.db.index")).expect("a draft");
        drop(second);
        io::Write::write_all(&mut written, b"whole").expect("written");
        draft.publish(&written).ok();
    }
}

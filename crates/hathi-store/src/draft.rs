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
        let mut temporary = path.as_os_str().to_owned();
        temporary.push(format!(".{}.tmp", std::process::id()));
        let temporary = PathBuf::from(temporary);
        let file = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(true)
            .open(&temporary)?;
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

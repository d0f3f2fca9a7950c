//! Where archives come from: files, folders, standard input.

use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::{ArchiveError, Place};

/// Something to read an archive from.
pub struct Source {
    pub(crate) name: Arc<str>,
    pub(crate) input: Input,
    /// Found in a folder and not named by the user: if it turns out to be
    /// something else than an archive, nobody needs to hear of it.
    pub(crate) found: bool,
}

pub(crate) enum Input {
    File(PathBuf),
    Stdin,
    Reader(Box<dyn Read + Send>),
}

impl Source {
    /// A file, plain or compressed.
    pub fn file(path: impl Into<PathBuf>) -> Source {
        let path = path.into();
        Source {
            name: path.to_string_lossy().into(),
            input: Input::File(path),
            found: false,
        }
    }

    /// Standard input.
    pub fn stdin() -> Source {
        Source {
            name: "standard input".into(),
            input: Input::Stdin,
            found: false,
        }
    }

    /// Any stream of bytes; the name is for messages.
    pub fn reader(name: &str, reader: impl Read + Send + 'static) -> Source {
        Source {
            name: name.into(),
            input: Input::Reader(Box::new(reader)),
            found: false,
        }
    }

    /// The same under another name, for messages.
    #[must_use]
    pub fn named(mut self, name: &str) -> Source {
        self.name = name.into();
        self
    }

    /// The sources a command line means: `-` is standard input, a folder is
    /// the archive files directly in it in the order of their names, anything
    /// else a file.
    pub fn from_paths<P: AsRef<Path>>(
        paths: impl IntoIterator<Item = P>,
    ) -> Result<Vec<Source>, ArchiveError> {
        let mut sources = Vec::new();
        for path in paths {
            let path = path.as_ref();
            if path == Path::new("-") {
                sources.push(Source::stdin());
            } else if path.is_dir() {
                sources.extend(in_folder(path)?);
            } else {
                sources.push(Source::file(path));
            }
        }
        Ok(sources)
    }

    /// Its name, for messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Size in bytes as stored, if that is known beforehand.
    pub fn size(&self) -> Option<u64> {
        match &self.input {
            Input::File(path) => path
                .metadata()
                .ok()
                .filter(std::fs::Metadata::is_file)
                .map(|meta| meta.len()),
            Input::Stdin | Input::Reader(_) => None,
        }
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Source({})", self.name)
    }
}

/// The files of a folder that could be archives by their names.
fn in_folder(folder: &Path) -> Result<Vec<Source>, ArchiveError> {
    const ENDINGS: [&str; 7] = ["txt", "tsv", "gz", "tgz", "zip", "zst", "tar"];
    let error = |error: std::io::Error| ArchiveError {
        place: Place::file(&folder.to_string_lossy().into()),
        fault: Arc::new(error).into(),
    };
    let mut files = Vec::new();
    for entry in folder.read_dir().map_err(error)? {
        let path = entry.map_err(error)?.path();
        let hidden = path
            .file_name()
            .is_none_or(|name| name.to_string_lossy().starts_with('.'));
        let ending = path
            .extension()
            .unwrap_or_default()
            .to_string_lossy()
            .to_ascii_lowercase();
        if !hidden && ENDINGS.contains(&ending.as_str()) && path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    let found = |path| Source {
        found: true,
        ..Source::file(path)
    };
    Ok(files.into_iter().map(found).collect())
}

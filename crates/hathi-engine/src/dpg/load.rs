//! Graphs shipped with the program, or read from a folder.

use std::path::Path;

use super::{Graph, GraphError};
use crate::EngineError;

/// The graphs shipped: their files' names and text, the most specific first.
pub const SHIPPED: [(&str, &str); 8] = [
    (
        "flash-kidnapping.dpg",
        include_str!("../../dpg/flash-kidnapping.dpg"),
    ),
    (
        "camel-hostage.dpg",
        include_str!("../../dpg/camel-hostage.dpg"),
    ),
    ("horse-frame.dpg", include_str!("../../dpg/horse-frame.dpg")),
    ("eh-defence.dpg", include_str!("../../dpg/eh-defence.dpg")),
    ("blockade.dpg", include_str!("../../dpg/blockade.dpg")),
    ("eh-attack.dpg", include_str!("../../dpg/eh-attack.dpg")),
    ("opening.dpg", include_str!("../../dpg/opening.dpg")),
    ("rabbit-goal.dpg", include_str!("../../dpg/rabbit-goal.dpg")),
];

/// The names of the graphs shipped, as [`shipped_graph`] takes them.
pub fn shipped_names() -> impl Iterator<Item = &'static str> {
    SHIPPED
        .iter()
        .filter_map(|(file, _)| file.strip_suffix(".dpg"))
}

/// A graph that is shipped, by the name of its file without `.dpg`.
pub fn shipped_graph(name: &str) -> Option<Graph> {
    let (_, text) = SHIPPED
        .iter()
        .find(|(file, _)| file.strip_suffix(".dpg") == Some(name))?;
    Graph::parse(text).ok()
}

/// Why graphs cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The file or folder cannot be read.
    #[error("{path}: {error}")]
    Unreadable {
        /// Which.
        path: String,
        /// Why.
        error: std::io::Error,
    },
    /// A file holds no good graph.
    #[error("{path}: {error}")]
    Graph {
        /// Which.
        path: String,
        /// What is wrong.
        error: GraphError,
    },
    /// There is nothing to read.
    #[error("{0}: there are no .dpg files in this folder")]
    Empty(String),
}

/// The graphs an option asks for: the shipped ones if it is empty, none for
/// `off`, one of those shipped by its name, else a file or all `.dpg` files of a
/// folder.
pub(crate) fn load(option: &str) -> Result<Vec<Graph>, EngineError> {
    Ok(match option {
        "" => shipped()?,
        "off" => Vec::new(),
        name => match shipped_graph(name) {
            Some(graph) => vec![graph],
            None => from_path(Path::new(name))?,
        },
    })
}

fn shipped() -> Result<Vec<Graph>, LoadError> {
    let graphs = SHIPPED.into_iter().map(|(path, text)| {
        Graph::parse(text).map_err(|error| LoadError::Graph {
            path: path.to_owned(),
            error,
        })
    });
    graphs.collect()
}

fn from_path(path: &Path) -> Result<Vec<Graph>, LoadError> {
    let unreadable = |path: &Path, error| LoadError::Unreadable {
        path: path.display().to_string(),
        error,
    };
    let mut files = Vec::new();
    if path.is_dir() {
        let entries = std::fs::read_dir(path).map_err(|error| unreadable(path, error))?;
        for entry in entries {
            let file = entry.map_err(|error| unreadable(path, error))?.path();
            if file.extension().is_some_and(|extension| extension == "dpg") {
                files.push(file);
            }
        }
        files.sort();
        if files.is_empty() {
            return Err(LoadError::Empty(path.display().to_string()));
        }
    } else {
        files.push(path.to_owned());
    }
    let read = files.iter().map(|file| {
        let text = std::fs::read_to_string(file).map_err(|error| unreadable(file, error))?;
        Graph::parse(&text).map_err(|error| LoadError::Graph {
            path: file.display().to_string(),
            error,
        })
    });
    read.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_graphs_shipped_are_in_order() {
        for (name, text) in SHIPPED {
            let graph = Graph::parse(text).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(format!("{}.dpg", graph.name()), name);
            assert!(!graph.about().is_empty(), "{name} says what it is for");
        }
    }

    #[test]
    fn graphs_are_read_from_disk() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().display().to_string();
        assert!(load(&path).is_err(), "no files");
        let file = folder.path().join("one.dpg");
        std::fs::write(&file, "graph one\nstart -> (go M g3)\n").expect("written");
        assert_eq!(load(&path).expect("graphs").len(), 1);
        assert_eq!(load("off").expect("none").len(), 0);
        std::fs::write(&file, "graph one\nstart -> (go M)\n").expect("written");
        let said = load(&path).expect_err("an error").to_string();
        assert!(
            said.contains("one.dpg: line 2: \"go M\" is no command"),
            "{said}"
        );
    }
}

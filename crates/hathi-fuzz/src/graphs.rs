//! Directed position graphs, as rat reads them from `.dpg` files.

use hathi_engine::dpg::Graph;

use crate::{crowded, is_short};

/// A graph that is read can be asked and drawn; faults are told in few words,
/// and each stands at a line of the file.
pub(crate) fn file(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match Graph::parse_all(&text) {
        Ok(graph) => {
            let position = crowded();
            for found in graph.matches(&position) {
                assert!(graph.nodes()[found.command].is_command());
                assert!(found.path.iter().all(|&node| node < graph.nodes().len()));
            }
            assert_eq!(graph.levels().len(), graph.nodes().len());
            assert!(graph.svg(Some(&position)).starts_with("<svg"));
        }
        Err(errors) => {
            assert!(!errors.is_empty());
            errors.iter().for_each(is_short);
        }
    }
}

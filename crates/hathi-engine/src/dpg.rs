//! Directed position graphs: strategies as plain text, read at run time.
//!
//! A graph is written for Gold and for one wing; it is matched on both wings
//! and for both colours. Matching goes breadth first from `start`: a node
//! whose test holds leads on to the next, and a command that is reached is
//! carried out; the nearer, the more important. See `docs/dpg.md`.
//!
//! ```
//! use hathi_engine::dpg::Graph;
//! let graph = Graph::parse("
//!     graph example
//!     start -> Ed6 -> !Mg3 -> (go M g3)
//! ")?;
//! assert_eq!(graph.nodes().len(), 4);
//! # Ok::<(), hathi_engine::dpg::GraphError>(())
//! ```

mod area;
mod check;
mod command;
mod condition;
mod draw;
mod graph;
mod load;
mod matching;
mod parse;
mod placement;

pub use graph::{Graph, Node};
pub use load::{LoadError, SHIPPED, shipped_graph, shipped_names};
pub use matching::Match;
pub use parse::GraphError;

pub(crate) use area::Area;
pub(crate) use command::Command;
pub(crate) use condition::Condition;
pub(crate) use graph::Content;
pub(crate) use load::load;
pub(crate) use placement::{Pieces, Placement};

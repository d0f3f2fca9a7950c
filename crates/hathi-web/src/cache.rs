//! Answers kept for the next one who asks the same, until the store changes.

use std::sync::Arc;

use axum::body::Bytes;
use hathi_store::PatternQuestion;
use quick_cache::sync::Cache;

use crate::api::ExploreQuestion;

/// What was asked. Questions to the memory are values, so they are found again
/// however they were written; the rest is known by its address.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Asked {
    Explore(Arc<ExploreQuestion>),
    Search(Arc<PatternQuestion>),
    Address(Arc<str>),
}

impl Asked {
    /// The memory it takes, more or less.
    fn size(&self) -> usize {
        match self {
            Asked::Explore(_) => size_of::<ExploreQuestion>(),
            // A pattern has a few dozen conditions at most.
            Asked::Search(_) => size_of::<PatternQuestion>() + 1000,
            Asked::Address(address) => address.len(),
        }
    }
}

impl From<&axum::http::Uri> for Asked {
    fn from(uri: &axum::http::Uri) -> Asked {
        let address = uri.path_and_query().map_or("", |path| path.as_str());
        Asked::Address(address.into())
    }
}

/// Answers as they are sent, by the version of the store and what was asked.
pub(crate) struct Answers(Cache<(u64, Asked), Bytes, Size>);

#[derive(Clone)]
struct Size;

impl quick_cache::Weighter<(u64, Asked), Bytes> for Size {
    fn weight(&self, (_, asked): &(u64, Asked), answer: &Bytes) -> u64 {
        // What the entry itself takes counts too, else empty ones are free.
        (asked.size() + answer.len() + 200) as u64
    }
}

impl Answers {
    pub(crate) fn new(bytes: u64) -> Answers {
        let entries = usize::try_from(bytes / 4000).unwrap_or(1000);
        Answers(Cache::with_weighter(entries, bytes, Size))
    }

    pub(crate) fn get(&self, version: u64, asked: &Asked) -> Option<Bytes> {
        self.0.get(&(version, asked.clone()))
    }

    pub(crate) fn insert(&self, version: u64, asked: Asked, answer: Bytes) {
        self.0.insert((version, asked), answer);
    }
}

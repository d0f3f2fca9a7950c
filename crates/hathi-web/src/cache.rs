//! Answers kept for the next one who asks the same, until the store changes.

use std::sync::Arc;

use axum::body::Bytes;
use quick_cache::sync::Cache;

/// What was asked, of which version of the store.
type Question = (u64, Arc<str>);

/// Answers as they are sent.
pub(crate) struct Answers(Cache<Question, Bytes, Size>);

#[derive(Clone)]
struct Size;

impl quick_cache::Weighter<Question, Bytes> for Size {
    fn weight(&self, question: &Question, answer: &Bytes) -> u64 {
        // What the entry itself takes counts too, else empty ones are free.
        (question.1.len() + answer.len() + 200) as u64
    }
}

impl Answers {
    pub(crate) fn new(bytes: u64) -> Answers {
        let entries = usize::try_from(bytes / 4000).unwrap_or(1000);
        Answers(Cache::with_weighter(entries, bytes, Size))
    }

    pub(crate) fn get(&self, version: u64, question: &str) -> Option<Bytes> {
        self.0.get(&(version, question.into()))
    }

    pub(crate) fn insert(&self, version: u64, question: &str, answer: Bytes) {
        self.0.insert((version, question.into()), answer);
    }
}

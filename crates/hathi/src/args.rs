//! Arguments that several commands share.

pub(crate) mod engine;
pub(crate) mod filter;
pub(crate) mod limit;
pub(crate) mod side;
pub(crate) mod store;

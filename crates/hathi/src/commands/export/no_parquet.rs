//! What is said where Parquet tables were left out of the build.

use std::path::Path;

use hathi_store::{Filter, Memory};

use super::Summary;
use crate::failure::BadInput;

pub(super) fn write(
    _: &dyn Memory,
    _: &Filter,
    _: &Path,
    _: Option<&Path>,
) -> anyhow::Result<Option<Summary>> {
    Err(BadInput::error(
        "this Hathi was built without the feature `parquet`: it exports archives only",
    ))
}

pub(super) use write as write_by_year;

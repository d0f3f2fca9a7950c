//! What is said where pictures other than SVG were left out of the build.

use hathi_engine::Stop;
use hathi_rules::Game;

use super::{Drawing, Film};
use crate::error::ApiError;

pub(crate) fn png(_: &Drawing<'_>) -> Result<Vec<u8>, ApiError> {
    Err(left_out())
}

pub(crate) fn gif(_: &Game, _: Film, _: &Stop) -> Result<Vec<u8>, ApiError> {
    Err(left_out())
}

fn left_out() -> ApiError {
    ApiError::left_out("this Hathi was built without the feature `pictures`: it draws SVG only")
}

//! Drawings as pixels.

use resvg::tiny_skia::Pixmap;
use resvg::{tiny_skia, usvg};

use super::{Drawing, svg};
use crate::error::ApiError;

/// SVG as pixels.
pub(super) fn raster(svg: &str, size: u32) -> Result<Pixmap, ApiError> {
    let broken = |what: &dyn std::fmt::Display| {
        ApiError::internal(format!("the picture cannot be drawn: {what}"))
    };
    let tree = usvg::Tree::from_str(svg, &usvg::Options::default()).map_err(|e| broken(&e))?;
    let mut pixels = Pixmap::new(size, size).ok_or_else(|| broken(&"no room"))?;
    let scale = size as f32 / tree.size().width();
    let scale = tiny_skia::Transform::from_scale(scale, scale);
    resvg::render(&tree, scale, &mut pixels.as_mut());
    Ok(pixels)
}

/// The drawing as PNG.
pub(crate) fn png(drawing: &Drawing<'_>) -> Result<Vec<u8>, ApiError> {
    raster(&svg(drawing), drawing.size)?
        .encode_png()
        .map_err(|error| ApiError::internal(error.to_string()))
}

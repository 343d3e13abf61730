//! No EXR: the feature `exr` is off.

use crate::image::Image;
use std::io;

/// Refused.
pub(crate) fn encode(_: &Image) -> io::Result<Vec<u8>> {
    Err(io::Error::other("this build writes no EXR files: its feature `exr` is off"))
}

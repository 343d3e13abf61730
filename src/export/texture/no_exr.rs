//! No EXR: the feature `exr` is off.

use crate::image::Image;
use std::io::{self, Seek, Write};

/// Refused.
pub(crate) fn encode(_: &Image) -> io::Result<Vec<u8>> {
    Err(refused())
}

/// Refused.
pub(crate) fn write_grey(
    _: [u32; 2],
    _: impl FnMut(u32, u32) -> f32,
    _: impl Write + Seek,
) -> io::Result<()> {
    Err(refused())
}

fn refused() -> io::Error {
    io::Error::other("this build writes no EXR files: its feature `exr` is off")
}

//! DDS: textures in their stored format, with all mips and slices.

use crate::asset::texture::{Mip, Shape, Texture};
use crate::image::dds_file::{DdsHeader, DdsKind};
use crate::wire::Writer;
use std::borrow::Cow;

/// The DirectX format code and layout of a texture; `None` if DirectX lacks the format.
pub(super) fn form(texture: &Texture<'_>) -> Option<(u32, DdsKind)> {
    let format = texture.format.dxgi(texture.settings.srgb)?;
    let kind = match texture.shape {
        Shape::Flat => DdsKind::Pictures(1),
        Shape::Array => DdsKind::Pictures(texture.slices),
        Shape::Cube | Shape::CubeArray => DdsKind::Cubes(texture.slices / 6),
        Shape::Volume => DdsKind::Volume(texture.slices),
    };
    Some((format, kind))
}

/// Encodes a texture as a file; each mip has all its slices.
pub(super) fn encode(
    (format, kind): (u32, DdsKind),
    texture: &Texture<'_>,
    mips: &[(&Mip<'_>, Cow<'_, [u8]>)],
) -> Vec<u8> {
    let mut w = Writer::new();
    let Some((first, bytes)) = mips.first() else { return Vec::new() };
    // Volumes shrink in depth, too, so the depth is that of the largest available mip.
    let kind = if matches!(kind, DdsKind::Volume(_)) { DdsKind::Volume(first.slices) } else { kind };
    let count = u32::try_from(mips.len()).unwrap_or(1);
    let header = DdsHeader { format, width: first.width, height: first.height, mips: count, kind };
    header.write(&mut w, bytes.len() / (first.slices as usize).max(1));
    // Volumes are stored mip by mip; arrays and cubes slice by slice, each with all its mips.
    if matches!(kind, DdsKind::Volume(_)) {
        for (_, bytes) in mips {
            w.bytes(bytes);
        }
        return w.into_bytes();
    }
    for slice in 0..texture.slices as usize {
        for (mip, bytes) in mips {
            let len = bytes.len() / (mip.slices as usize).max(1);
            w.bytes(bytes.chunks_exact(len.max(1)).nth(slice).unwrap_or_default());
        }
    }
    w.into_bytes()
}

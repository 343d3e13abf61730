//! Suffixes of slices in file names.

use crate::asset::texture::Shape;

const FACES: [&str; 6] = ["px", "nx", "py", "ny", "pz", "nz"];

/// Suffix of a slice: `_px` for a face of a cube, `_0003` for the fourth picture of an array, `_0001_nz` for a face of
/// one of several cubes.
pub(crate) fn suffix(shape: Shape, slice: u32) -> String {
    let face = || FACES.get(slice as usize % FACES.len()).copied().unwrap_or_default();
    match shape {
        Shape::Flat => String::new(),
        Shape::Cube => format!("_{}", face()),
        Shape::CubeArray => format!("_{:04}_{}", slice / 6, face()),
        Shape::Array | Shape::Volume => format!("_{slice:04}"),
    }
}

/// Suffix of a whole cube: `_0001` for the second of several.
pub(super) fn cube_suffix(shape: Shape, cube: u32) -> String {
    if shape == Shape::CubeArray { format!("_{cube:04}") } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        assert_eq!(suffix(Shape::Flat, 0), "");
        assert_eq!(suffix(Shape::Cube, 3), "_ny");
        assert_eq!(suffix(Shape::CubeArray, 11), "_0001_nz");
        assert_eq!(suffix(Shape::Volume, 12), "_0012");
    }
}

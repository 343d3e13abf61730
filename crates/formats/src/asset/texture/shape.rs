/// Meaning of the slices of a texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// A single image.
    Flat,
    /// Independent images.
    Array,
    /// The six faces of a cube.
    Cube,
    /// The six faces of each of several cubes.
    CubeArray,
    /// Layers of a volume.
    Volume,
}

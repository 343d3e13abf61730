/// What the slices of a texture are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// There is only one.
    Flat,
    /// Pictures.
    Array,
    /// The six faces of a cube.
    Cube,
    /// The faces of several cubes.
    CubeArray,
    /// Layers of a space.
    Volume,
}

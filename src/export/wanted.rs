//! Pictures that meshes refer to.

use crate::asset::material::Packing;
use crate::sink::OutputPath;
use crate::values::PackageInput;

/// What a picture is for: glTF has ideas of its own what channels hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Purpose {
    /// What the texture shows.
    Color,
    /// Directions, with green upwards.
    Normal,
    /// Occlusion, roughness and metallic in red, green and blue, which the texture has in this order.
    Surface(Packing),
}

/// A picture that a mesh refers to.
#[derive(Debug, Clone)]
pub(super) struct Wanted {
    /// The package of the texture.
    pub(super) item: PackageInput,
    /// The name of the texture.
    pub(super) object: String,
    pub(super) purpose: Purpose,
    pub(super) path: OutputPath,
    /// The package of the mesh that was the first to need it.
    pub(super) needed_by: String,
    /// It is written anyway.
    pub(super) is_exported: bool,
}

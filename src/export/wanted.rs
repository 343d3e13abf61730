//! Pictures that materials refer to.

use crate::asset::material::Packing;
use crate::sink::OutputPath;
use crate::values::PackageInput;

/// Purpose of a picture: glTF packs channels differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Purpose {
    /// The colours of the texture.
    Color,
    /// Normals, with green pointing up.
    Normal,
    /// Occlusion, roughness and metallic in red, green and blue; `Packing` is their order in the texture.
    Surface(Packing),
}

/// A picture that a material refers to.
#[derive(Debug, Clone)]
pub(super) struct Wanted {
    /// The package of the texture.
    pub(super) item: PackageInput,
    /// The name of the texture.
    pub(super) object: String,
    pub(super) purpose: Purpose,
    pub(super) path: OutputPath,
    /// The first package with a mesh that needs it.
    pub(super) needed_by: String,
    /// True if it is exported anyway.
    pub(super) is_exported: bool,
}

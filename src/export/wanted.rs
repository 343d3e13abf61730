//! Pictures of textures that materials and sprites need.

use crate::asset::material::Packing;
use crate::package::ObjectPath;
use crate::sink::OutputPath;
use crate::values::PackageInput;

/// Purpose of a picture: glTF packs channels differently.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Purpose {
    /// The colours of the texture.
    Color,
    /// The colours of the texture, with the opacity of another one as alpha.
    Masked(ObjectPath),
    /// White, with the opacity of the texture as alpha.
    Opacity,
    /// Normals, with green pointing up.
    Normal,
    /// Occlusion, roughness and metallic in red, green and blue; `Packing` is their order in the texture.
    Surface(Packing),
    /// A rectangle: left and top edge, width and height.
    Sprite([u32; 2], [u32; 2]),
}

/// An asset whose own picture it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Owner {
    /// The name of its package.
    pub(super) package: String,
    /// Its path in the package.
    pub(super) object: String,
    pub(super) class: String,
}

/// A picture that a material or sprite needs.
#[derive(Debug, Clone)]
pub(super) struct Wanted {
    /// The package of the texture.
    pub(super) item: PackageInput,
    /// The name of the texture.
    pub(super) object: String,
    pub(super) purpose: Purpose,
    pub(super) path: OutputPath,
    /// The first package that needs it.
    pub(super) needed_by: String,
    /// True if it is exported anyway.
    pub(super) is_exported: bool,
    /// The sprite that it is.
    pub(super) owner: Option<Owner>,
}

//! Scenes as USD, in its text form.
//!
//! ```text
//! MAP.usda          /MAP  nodes ─inherits─► Prototypes ─references─► MAP_meshes/MESH.usda
//!                         └ Materials ◄─ bound by prototypes
//! MESH.usda         points, faces, a subset of faces for each slot
//! ```
//!
//! It is the scene that the glTF file is: metres, Y up, the same names and transforms. Many instances are a `PointInstancer`;
//! nodes that share a mesh inherit one prototype, so that programs load it once. Texture coordinates start at the bottom.
//!
//! Source: the specification of USD and its schemas `UsdGeom`, `UsdShade`, `UsdLux`; files are opened with its own library in an
//! optional test.

mod binary;
mod material;
mod mesh;
mod nodes;
mod stage;
mod text;

pub use binary::SceneBytes;

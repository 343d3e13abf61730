//! Uncooked meshes: those that were imported, before the engine builds levels of detail from them.
//!
//! ```text
//! static      strip flags │ bool32 cooked: 0 │ body setup │ navigation │ string │ u32 │ GUID │ sockets
//!             │ before 5.0: source models │ bool32 wind (4.14) │ materials (4.14)
//! model       (4.22) bool32, present │ bulk data │ GUID (before 4.22, and with Editor 29)
//!             │ bool32, GUID is a hash (before 4.22, and with Enterprise 8)
//! since 5.0   property SourceModels ──► export StaticMeshDescriptionBulkData: editor bulk data │ GUID │ bool32
//! skeletal    since 5.4: strip flags │ bounds │ materials │ reference skeleton │ …
//!             exports SkeletalMeshDescriptionBulkData inside of it, one for each level of detail
//! ```
//!
//! The data of a model have one of three forms, all read into a [`Mesh`]: a raw mesh (to 4.21), a mesh
//! description of 4.22 to 4.27, or a mesh description of 5.0 and later.
//!
//! Verified on 4.22, 4.27, 5.0 and 5.1; raw meshes and skeletal ones on spelled-out bytes only. Source: the sheet of
//! uncooked packages, drawn from real files, and for the numbers of versions and for skins other open readers.

mod attributes;
mod description;
mod elements;
mod model;
mod raw_mesh;
mod read;
mod shape;
mod skeletal;

pub use model::{ImportedSlot, SourceMesh, SourceModel};
pub use shape::{BoneWeight, Corner, Mesh, MeshForm, Triangle};

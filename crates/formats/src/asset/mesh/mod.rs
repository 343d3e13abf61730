//! Meshes: `UStaticMesh` and `USkeletalMesh`.
//!
//! Both have levels of detail, the best first. A level has vertices, as buffers of positions, tangents,
//! texture coordinates and colours; triangles, as indices of vertices; and sections, which are ranges of
//! triangles with one material each. Skeletal meshes also have bones, and their influence on each vertex.
//!
//! Buffers are not copied: they are views of the file's bytes, in the engine's units (centimetres, X forward,
//! Y right, Z up).
//!
//! Verified on meshes of 5.1 to 6.0; older layouts follow CUE4Parse. Source: the payload sheet.

mod buffers;
mod common;
mod nanite;
mod skeletal;
mod static_mesh;
mod summary;

pub use buffers::{Basis, Indices, Tangents, TextureCoordinates, Vertices};
pub(super) use common::list;
pub use common::{Bounds, Geometry, Material};
pub use nanite::{Nanite, NaniteError, NaniteMesh, NanitePage, NaniteVertex};
pub use skeletal::{
    Influence, MorphData, MorphDelta, SkeletalBuffers, SkeletalLod, SkeletalMesh, SkeletalSection,
    SkinWeights,
};
pub use static_mesh::{StaticBuffers, StaticLod, StaticMesh, StaticSection};
pub use summary::{LodSummary, MeshSummary};

//! Meshes: `StaticMesh` and `SkeletalMesh`.
//!
//! Both have levels of detail, the best first. A level has vertices, as buffers of their positions, tangents, texture
//! coordinates and colours; triangles, as indices of vertices; and sections: stretches of triangles with one material each.
//! Skeletal meshes also have bones, and which of them move each vertex.
//!
//! Buffers stay where they are: what is read are views of the bytes, in the units of the engine (centimetres, X forward, Y
//! right, Z up).
//!
//! Verified on meshes of 5.1 to 6.0; older ones are as CUE4Parse reads them. Source: the payload sheet.

mod buffers;
mod common;
mod nanite;
mod skeletal;
mod static_mesh;
mod summary;

pub use buffers::{Basis, Indices, Tangents, TextureCoordinates, Vertices};
pub use common::{Bounds, Geometry, Material};
pub use nanite::Nanite;
pub use skeletal::{
    Influence, MorphData, MorphDelta, SkeletalBuffers, SkeletalLod, SkeletalMesh, SkeletalSection,
    SkinWeights,
};
pub use static_mesh::{StaticBuffers, StaticLod, StaticMesh, StaticSection};
pub use summary::{LodSummary, MeshSummary};

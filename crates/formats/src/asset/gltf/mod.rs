//! glTF 2.0: meshes, skeletons and animations as binary files that many programs open.
//!
//! The engine has X forward, Y right, Z up, and centimetres; glTF has Y up, and metres. Vectors become (x, z,
//! y) · 0.01. That mirrors space, so the order of vertices in triangles stays: it has the opposite meaning in
//! the engine.
//!
//! | | engine | glTF |
//! |---|---|---|
//! | rotation | x y z w | −x −z −y w |
//! | scale | x y z | x z y |
//! | tangent | X, sign | swapped, with the same sign: the green channel of normal maps has to be inverted |
//! | texture coordinates | from the top left | unchanged |
//!
//! Data that glTF forbids are left out or replaced, and listed in [`Glb::notes`].

mod animation;
mod attributes;
mod axes;
mod bend;
mod builder;
mod collection;
mod collision;
mod document;
mod geometry_cache;
mod material;
mod matrix;
mod mesh;
mod nanite;
mod nodes;
mod options;
mod part;
mod scene;
mod skin;
mod source_mesh;
mod surface;
mod usd;
mod weld;

pub use animation::animation;
pub use builder::{Glb, GltfError};
pub use collection::geometry_collection;
pub use collision::collision;
pub use geometry_cache::{CacheTrack, geometry_cache};
pub use material::{Material, Pictures};
pub use mesh::{skeletal_mesh, static_mesh};
pub use nanite::nanite_mesh;
pub use nodes::skeleton;
pub use options::MeshOptions;
pub use part::MeshPart;
pub use scene::{SceneCamera, SceneFile, SceneLight, SceneNode};
pub use source_mesh::source_mesh;
pub use surface::Surface;
pub use usd::SceneBytes;

//! Nanite: meshes as clusters of triangles, in pages.
//!
//! ```text
//! resources  pages in the export ("root") and in bulk data │ places of pages │ pages that they refer to
//! page       fixups │ page header │ headers of clusters │ 16 bytes │ packed clusters, row by row
//!            │ materials, ranges of texture coordinates │ indices, references, planes of bytes, bit masks
//! cluster    at most 128 triangles and 256 vertices, at one of many levels of detail
//! ```
//!
//! Clusters without an edge length are the leaves: together they are the whole mesh at full detail. A cluster has vertices of
//! its own, and refers to vertices of other clusters in its page or in pages before it, so pages are read in order.
//!
//! Verified on 25 meshes of 5.4, 5.5 and 5.8; 5.0 to 5.3, 5.7 and skinned meshes follow the sheet. What has other than triangles
//! (voxels, curves) is left out. Source: the sheet of geometry, drawn from real files, and CUE4Parse.

mod bits;
mod cluster;
mod decode;
mod form;
mod hierarchy;
mod page;
mod page_vertices;
mod references;
mod resources;
mod strips;
mod values;
mod vertices;

pub use decode::{NaniteError, NaniteMesh};
pub use page_vertices::NaniteVertex;
pub use resources::{Nanite, NanitePage};

//! Replaces pictures of textures.
//!
//! ```text
//! PNG, EXR ──► pixels ──► mips ──► BC1–5, BC7, plain formats ─┬─► the payload of the texture ──► package rebuilt
//! DDS ─────► unchanged ───────────────────────────────────────┘                             └─► .ubulk, .uptnl
//! ```
//!
//! Packages are edited and written by [`values::edit`](crate::values::edit). This module reads the pictures, and
//! matches those of a folder with their textures, by the paths that [`export`](crate::export) gives them.
//!
//! Encoding by the crate `dds`, through [`image`](crate::image).

#[cfg(feature = "exr")]
mod exr;
#[cfg(not(feature = "exr"))]
#[path = "no_exr.rs"]
mod exr;
mod file;
mod folder;
mod limits;

pub use file::{PictureFile, picture_len, read_picture};
pub use folder::{Match, Matches, match_folder};

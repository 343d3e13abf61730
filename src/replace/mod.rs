//! Pictures that textures get.
//!
//! ```text
//! PNG, EXR ──► pixels ──► mips ──► BC1–5, BC7, plain formats ─┬─► the payload of the texture ──► package rebuilt
//! DDS ─────► as it is ────────────────────────────────────────┘                             └─► .ubulk, .uptnl
//! ```
//!
//! What is made of a package, and how it is written, is a matter of [`values::edit`](crate::values::edit). Here pictures are read,
//! and those of a folder find their textures: by the paths at which [`export`](crate::export) writes them.
//!
//! Encoding by the crate `dds`, through [`image`](crate::image).

mod file;
mod folder;

pub use file::{PictureFile, read_picture};
pub use folder::{Match, Matches, match_folder};

//! Pixels: texture formats, decoded and encoded, and mips.
//!
//! ```text
//! blocks   BC1–7, ASTC, ETC, EAC: 8 or 16 bytes for 4 × 4 pixels and more         ─┐
//! plain    1 to 16 bytes a pixel, in many orders of channels, widths and types    ─┴► Image: gray or RGBA, integers or floats
//! ```
//!
//! Rows are decoded from top to bottom, blocks without padding between them.
//!
//! BC is decoded by the crate `bcdec_rs`, ASTC by `astc-decode`, ETC and EAC by the modules here, which
//! follow the Khronos data format specification. The crate `dds` encodes. Verified on textures of all these
//! formats against their sources.

mod astc;
mod cube;
pub mod dds_file;
mod decode;
mod encode;
mod etc;
mod format;
mod mips;
mod normal;
mod picture;
mod pixels;
mod plain;
mod pvrtc;
mod steps;
mod tasks;
mod thumbnail;

pub use cube::equirectangular;
pub use decode::{BAND, Band};
pub use encode::{EncodeError, check_encodable};
pub use format::{Layout, PixelFormat};
pub use mips::{Meaning, Mips};
pub use normal::{NormalMap, complete_normals};
pub use picture::{ImageError, Picture};
pub use pixels::{Channels, Image, Pixels};
pub use tasks::{RowTask, RunTasks, run_here};

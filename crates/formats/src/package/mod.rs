//! Packages (`.uasset` and others) in every form of the engine. Never imports `container` or `codec`.

pub mod bulk;
mod bulk_owner;
pub mod classic;
mod compressed_buffer;
pub mod convert;
pub mod legacy;
pub mod placeholder;
pub mod rebuild;
mod sections;
mod sniff;
pub mod zen;

pub use crate::id::CustomVersion;
pub use crate::names::{self as name_map, ObjectPath};
pub use crate::version::EngineVersion;
pub use crate::wire::Partial;
pub use compressed_buffer::{BufferMethod, CompressedBuffer};
pub use sections::Section;
pub use sniff::PackageKind;

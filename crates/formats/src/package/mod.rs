//! Packages: what a `.uasset` is, in every form that the engine has given it. Never imports `container` or `codec`.

pub mod bulk;
mod bulk_owner;
pub mod classic;
mod compressed_buffer;
pub mod convert;
mod custom_version;
mod engine_version;
pub mod legacy;
pub mod name_map;
pub(crate) mod path;
pub mod placeholder;
pub mod rebuild;
mod sections;
mod sniff;
pub mod zen;

pub use crate::wire::Partial;
pub use compressed_buffer::{BufferMethod, CompressedBuffer};
pub use custom_version::CustomVersion;
pub use engine_version::EngineVersion;
pub use path::ObjectPath;
pub use sections::Section;
pub use sniff::PackageKind;

//! The only place where versions are compared.
//!
//! A version is a number in a file; the rest of the crate needs facts: *does this table of contents have
//! partitions?* Each fact is a predicate here, with its comparison written once. A new engine release then
//! means one enum variant and one table row. A test rejects version comparisons anywhere else.

/// Adds numbers to an enum, for formats that count their versions from 0 in a byte.
macro_rules! counted {
    ($name:ident: $($version:ident),+) => {
        impl $name {
            /// All versions, oldest first.
            pub const ALL: [Self; [$(stringify!($version)),+].len()] = [$(Self::$version),+];

            /// Returns the version with this number, if it is known.
            #[must_use]
            pub fn from_wire(version: u8) -> Option<Self> {
                Self::ALL.get(usize::from(version)).copied()
            }

            /// Returns the stored number.
            #[must_use]
            pub const fn to_wire(self) -> u8 {
                self as u8
            }
        }
    };
}

mod acl;
mod asset;
mod asset_registry;
mod classic;
mod container_header;
mod custom;
mod engine;
mod engine_version;
mod localization;
mod mappings;
mod package;
mod pak;
mod part;
mod property;
mod release;
mod releases;
mod shader_library;
mod tables;
mod toc;
mod zen;

pub use acl::AclVersion;
pub use asset::AssetVersions;
pub use asset_registry::AssetRegistryVersion;
pub use classic::ClassicVersion;
pub use container_header::ContainerHeaderVersion;
pub use engine::EngineRange;
pub use engine_version::EngineVersion;
pub use localization::{KeyHash, LocMetaVersion, LocResVersion};
pub use mappings::UsmapVersion;
pub use package::{CustomVersionForm, LegacyFileVersion, PackageFileVersion};
pub use pak::PakVersion;
pub use part::CustomVersionKey;
pub use property::PropertyVersions;
pub use release::Release;
pub use releases::Releases;
pub use shader_library::ShaderLibraryForm;
pub use tables::{DataResourceVersion, TrailerVersion};
pub use toc::{ChunkHashKind, ChunkKindNumbering, TocVersion, UnknownVersion};
pub use zen::ZenGeneration;

//! The only place where versions are compared.
//!
//! A version is a number that somebody wrote into a file; what the rest of the crate wants to know are facts: *does
//! this table of contents have partitions?* Each fact is a predicate here, with its comparison written once. A new
//! engine release then means one enum variant, one table row, and nothing else. A test refuses version comparisons
//! anywhere else.

mod asset_registry;
mod classic;
mod container_header;
mod custom;
mod engine;
mod localization;
mod mappings;
mod package;
mod pak;
mod release;
mod shader_library;
mod tables;
mod toc;
mod zen;

pub use asset_registry::AssetRegistryVersion;
pub use classic::ClassicVersion;
pub use container_header::ContainerHeaderVersion;
pub use custom::CustomVersionKey;
pub use engine::EngineRange;
pub use localization::{KeyHash, LocMetaVersion, LocResVersion};
pub use mappings::UsmapVersion;
pub use package::{CustomVersionForm, LegacyFileVersion, PackageFileVersion};
pub use pak::PakVersion;
pub use release::Release;
pub use shader_library::ShaderLibraryForm;
pub use tables::{DataResourceVersion, TrailerVersion};
pub use toc::{ChunkHashKind, ChunkKindNumbering, TocVersion, UnknownVersion};
pub use zen::ZenGeneration;

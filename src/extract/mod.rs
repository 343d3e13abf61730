//! Whole jobs on a store: choose chunks, then verify them or write them out.
//!
//! ```text
//! Filter ──► entries ──► output paths ──► pipeline ──► Sink
//!            (winners)   (safe, unique)   (verified)   (whole files)
//! ```
//!
//! One bad chunk is a [`Failure`](crate::job::Failure) in the [`Outcome`](crate::job::Outcome), never the end of the job.

mod content;
mod existing;
mod find;
mod inputs;
pub mod legacy;
mod manifest;
mod outputs;
mod package_names;
mod run;
mod select;
mod shaders;
mod shard;
mod stream;
mod unpack;
mod verify;
mod with_dependencies;
mod writer;

pub use content::ChunkContent;
pub(crate) use existing::keeps;
pub use find::{FindError, find, packages_below};
pub use manifest::{
    Manifest, ManifestFile, ManifestHead, ManifestProblem, ManifestSource, SourceFiles, check_manifests,
};
pub use outputs::{Output, Outputs};
pub use package_names::name_packages;
pub use select::{Filter, FilterSpec, PatternError};
pub use shaders::{RebuiltShaderLibrary, rebuild_shader_library, shader_library_path};
pub(crate) use shard::sort_by_place;
pub use shard::{Shard, ShardError};
pub use stream::ChunkStream;
pub use unpack::{UnpackOptions, unpack};
pub use verify::verify;
pub use with_dependencies::{WithDependencies, with_dependencies};

pub use inputs::read_chunk;

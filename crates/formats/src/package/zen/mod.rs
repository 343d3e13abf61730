//! Zen packages: the `ExportBundleData` chunks of a container, a header and the data of all exports.
//!
//! ```text
//! 4.26–4.27   summary 64 │ names │ name hashes │ imports │ exports │ bundles │ graph │ export data
//! 5.0–5.2     summary 44 │ [versions] │ names │ (5.2) bulk map │ hashes │ imports │ exports │ entries │ graph │ data
//! 5.3–6.0     summary 52 │ [versions] │ (5.6) cell offsets │ names │ bulk map │ hashes │ imports │ exports
//!             │ (5.6) cells │ entries │ dependency headers, entries │ imported package names │ export data │ tag
//! ```
//!
//! Nothing in the file names its generation; [`detect`] finds the one that fits. All generations become one
//! [`Header`], and [`Header::write`] restores the same bytes. Verified on packages of 4.27, 5.4, 5.5 and 5.8,
//! and by hash on those of 5.0, 5.1 and 5.2; the form of 5.3 is from source only (retoc `zen.rs`, CUE4Parse
//! `FZenPackageSummary.cs`).

mod body;
mod detect;
mod exports;
mod graph;
mod header;
mod known_objects;
mod loading;
mod raw;
mod resolve;
mod resolved;
mod start;
mod versioning;
mod write;

pub use detect::detect;
pub use exports::{CellExport, Export, ExportFilter, PublicId};
pub use graph::{Bundle, BundleArc, BundleEntry, Command, Dependencies, Graph, ImportArc, PackageArcs};
pub use header::Header;
pub use known_objects::WithKnownObjects;
pub use loading::Loading;
pub(crate) use loading::text;
pub use resolve::{Neighbours, Resolver, ScriptFacts};
pub use resolved::{Evidence, Resolved, Unresolved};
pub use start::{contains_map, header_len, package_name};
pub use versioning::Versioning;

#[cfg(test)]
pub(crate) mod tests;

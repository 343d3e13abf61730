//! The file formats of Unreal Engine games: bytes to facts, and facts to bytes.
//!
//! Everything here is a pure function over slices. There is no file access, no `async`, no thread and no clock, so the crate
//! also runs in a browser; a test holds it to that. Files, memory budgets and whole jobs are the business of the crate `uncask`,
//! which re-exports each of these modules under the same name, so that its users need nothing from here.
//!
//! ```
//! use uncask_formats::id::{ChunkKind, RawChunkId};
//! use uncask_formats::version::ChunkKindNumbering;
//!
//! let id: RawChunkId = "915ddb99070a4f0400000001".parse()?;
//! assert_eq!(id.kind(ChunkKindNumbering::Ue5), ChunkKind::ExportBundleData);
//! # Ok::<(), uncask_formats::id::ParseChunkIdError>(())
//! ```
//!
//! The modules are listed below in the order of their floors, the lowest first; a module uses only floors below its own. The
//! documentation of the crate `uncask` has the table.

pub mod wire;

pub mod version;

pub mod id;

pub mod codec;
pub mod crypto;
pub mod names;

pub mod asset_registry;
pub mod container;
pub mod image;
pub mod localization;
pub mod mappings;
pub mod package;
pub mod pak;

pub mod property;

pub mod asset;
pub mod bytecode;
pub mod graph;

pub mod identify;
pub mod level;
pub mod review;

pub mod merge;

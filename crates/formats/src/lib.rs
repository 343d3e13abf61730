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
//! The modules form floors; a module uses only floors below its own:
//!
//! | floor | module | what it knows |
//! |---|---|---|
//! | 0 | [`wire`] | bytes to numbers, strings and tables, and back |
//! | 1 | [`version`] | what each version of a format has; the only place where versions are compared |
//! | 1 | [`id`] | chunk ids, package ids, container ids, GUIDs, hashes |
//! | 2 | [`codec`] | decoding and encoding of single blocks; Oodle by a crate of its own, `uncask-oodle` |
//! | 2 | [`crypto`] | keys, and AES over single blocks |
//! | 3 | [`container`] | the table of contents, directory index, perfect hash, container header, script objects, shader libraries |
//! | 3 | [`package`] | package headers: zen, legacy, classic; zen to legacy, and back |
//! | 3 | [`asset_registry`] | `AssetRegistry.bin`: assets with their tags, packages with their dependencies |
//! | 3 | [`pak`] | the index of `.pak` files, and their files cut into blocks |
//! | 3 | [`image`] | the pixel formats of textures |
//! | 3 | [`localization`], [`mappings`] | texts of a game (`.locres`, `.locmeta`); what properties its classes have (`.usmap`) |
//! | 4 | [`property`] | property data: values of objects, and back |
//! | 4 | [`asset`] | what classes write after their properties: textures, sounds, meshes, animations |
//! | 4 | [`bytecode`] | functions of blueprints: tokens, listing, pseudo-code, and back |
//! | 4 | [`identify`] | what a file is, and what is in it: every format in one table |

pub mod wire;

pub mod version;

pub mod id;

pub mod codec;
pub mod crypto;

pub mod asset_registry;
pub mod container;
pub mod image;
pub mod localization;
pub mod mappings;
pub mod package;
pub mod pak;

pub mod asset;
pub mod bytecode;
pub mod identify;
pub mod property;

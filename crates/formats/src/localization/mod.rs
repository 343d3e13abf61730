//! Texts of a game in one language: `.locres` files, and the `.locmeta` beside them.
//!
//! ```text
//! .locres   16 B magic │ u8 version │ i64 offset of the strings, or −1 │ u32 entries │ namespaces │ strings
//! └───────── since Compact ────────────────────────────────────┘ └ counts ┘
//! namespaces u32 n, then n × ┤ u32 hash │ FString name │ u32 n, then n × entry
//! entry                        u32 hash │ FString key  │ u32 hash of the source │ u32 string, or FString
//!                              └ hashes ┘                                         └ table ┘   └ legacy ┘
//! strings    u32 n, then n × ┤ FString │ i32 uses
//!                                        └ counts ┘
//!
//! .locmeta  16 B magic │ u8 version │ FString native culture │ FString its .locres │ u32 n, n × FString │ u32 flag
//! ```
//!
//! *Counts* and *hashes* came with the third version; [`LocResVersion`](crate::version::LocResVersion) has
//! the details. A legacy file has no magic, so only its name and layout identify it. Several entries may
//! share a string of the table; the engine counts its uses down to drop it after the last one; −1 keeps it.
//! An index out of range leaves its entry without a text, like in the engine.
//!
//! The hash beside a name is the engine's lookup key ([`key_hash`]); that of the source is a CRC-32 of the
//! source text, by which the engine recognises outdated translations.
//!
//! Tested on real `.locres` files of all four versions and on real `.locmeta` files of the first two.
//! Sources: CUE4Parse `UE4/Localization` and `UE4/Objects/Core/i18N`; UnrealLocres `LocresFile.cs` for hashes
//! and the behaviour of writers; pylocres for hash values and `.locmeta`.

mod edit;
mod hash;
mod meta;
mod read;
mod resource;
mod text;
mod write;

pub use edit::{NewText, source_hash};
pub use hash::key_hash;
pub use meta::LocalizationMeta;
pub use resource::{Entry, LocalizationResource, Namespace};

/// Magic of a `.locres` file that is not legacy.
pub const RESOURCE_MAGIC: [u8; 16] =
    [0x0E, 0x14, 0x74, 0x75, 0x67, 0x4A, 0x03, 0xFC, 0x4A, 0x15, 0x90, 0x9D, 0xC3, 0x37, 0x7F, 0x1B];

/// Magic of a `.locmeta` file.
pub const META_MAGIC: [u8; 16] =
    [0x4F, 0xEE, 0x4C, 0xA1, 0x68, 0x48, 0x55, 0x83, 0x6C, 0x4C, 0x46, 0xBD, 0x70, 0xDA, 0x50, 0x7C];

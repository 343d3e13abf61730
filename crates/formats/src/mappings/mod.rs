//! Type mappings: `.usmap` files, which describe the properties of a game's classes. Tools write them from a
//! running game; the engine does not use them.
//!
//! ```text
//! file      u16 30C4 │ u8 version │ metadata │ u32 flag │ versions │ u8 method │ u32 stored size │ u32 size │ data
//!                                  └ since 6 ┘ since 1   └ if set ┘
//! metadata  UTF-8 tool │ UTF-8 tool version │ i64 creation time, Unix seconds │ source: u8, or u32
//! versions  engine: u16 × 3, u32, FString (since 5) │ i32 UE4, i32 UE5 │ u32 n, n × ┤ GUID, i32 │ u32 net changelist
//! method    0 none, 1 Oodle, 2 Brotli, 3 Zstandard: one stream
//!
//! data      names │ flags (since 6) │ enums │ structs │ extensions, or the end
//! names     u32 n, n × ┤ length (u8; u16 since 2) │ bytes, UTF-8
//! flags     u32 n, n × u64
//! enums     u32 n, n × ┤ package (6) │ name │ count (u8; u16 since 3) │ count × ┤ i64 value (since 4) │ name
//! structs   u32 n, n × ┤ package (6) │ name │ super │ u32 flags (6) │ u16 elements │ u16 properties │ properties
//!                                                                     └── u32, u32 since 6 ───────┘
//! property  u16 index │ u8 (u16 since 6) array size │ name │ type │ u16 flags (since 6)
//! type      u8 kind │ Struct: name │ Enum: type, name │ Array, Set, Optional: type │ Map: type, type
//! extensions "CEXT" │ u8 0 │ u32 n, n × ┤ 4 B id │ u32 size │ bytes;   or u32 1 │ module paths (an older form)
//! ```
//!
//! A name is an `i32` index, −1 for none. *Elements* counts each element of a fixed array; since version 6
//! its top byte is 1 for a struct, 0 for a class. Extensions are listed but not read.
//!
//! Version 6 is new: its writers disagree on the length of the source in the metadata, so both are tried, and
//! the fitting one is taken. Two earlier drafts with the same number are not supported.
//!
//! Everything is checked when parsing; enums and structs are decoded again from the decompressed data on
//! demand. So a file costs little more than its data, which may be twelve times as long as its stream. An
//! uncompressed file shorter than its recorded length is complete if no table is truncated.
//!
//! Tested on real files of versions 0, 3 and 4, with each method and with extensions of both forms; other
//! versions on files written by the tests. Sources: CUE4Parse `MappingsProvider/Usmap` (versions 0 to 6);
//! Dumper-7 `MappingGenerator.h` (0 to 6); UAssetAPI `Usmap.cs` (0 to 3, extensions).

mod data;
mod entries;
mod explicit;
mod file;
mod header;
mod names;
mod rows;
mod tables;
mod types;

pub use entries::{Enum, Struct, StructKind};
pub use file::Mappings;
pub use header::{Header, MAGIC, Metadata, Method, Versions};
pub use rows::{EnumValue, Property};
pub use tables::Extension;
pub use types::{PropertyKind, PropertyType};

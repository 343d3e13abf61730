//! Type mappings: `.usmap` files, which say what properties the classes of a game have. Tools write them from a running
//! game; the engine itself knows nothing of them.
//!
//! ```text
//! file      u16 30C4 │ u8 version │ metadata │ u32 flag │ versions │ u8 method │ u32 stored size │ u32 size │ data
//!                                  └ since 6 ┘ since 1   └ if set ┘
//! metadata  UTF-8 tool │ UTF-8 its version │ i64 made at, Unix seconds │ source: u8, or u32
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
//! A name is an `i32` index, −1 for none. *Elements* counts each element of a property that is a fixed array; since 6 its
//! top byte is 1 for a struct, 0 for a class. Extensions are named but not read.
//!
//! Version 6 is young: its writers do not agree how wide the source in the metadata is, so both are tried, and the one
//! by which the rest fits is taken. Two drafts of it that were in use before have the same number, and are not read.
//!
//! What was read was checked; enums and structs are decoded again, out of the decompressed data, when they are asked
//! for. So a file costs little more than its data, which may be twelve times as long as its stream. A file without
//! compression that ends before what its header counts is whole if nothing in it is missing.
//!
//! Tested on real files of versions 0, 3 and 4, with each method and with extensions of both forms; the others on files
//! that the tests write. Sources: CUE4Parse `MappingsProvider/Usmap` (versions 0 to 6); Dumper-7 `MappingGenerator.h` (0 to
//! 6); UAssetAPI `Usmap.cs` (0 to 3, extensions).

mod data;
mod entries;
mod header;
mod tables;
mod types;

pub use entries::{Enum, EnumValue, Property, Struct, StructKind};
pub use header::{CustomVersion, EngineVersion, Header, Metadata, Method, Versions};
pub use types::{PropertyKind, PropertyType};

use crate::codec::Scratch;
use crate::wire::{Fault, Partial, Reader};
use data::Data;
use std::borrow::Cow;
use tables::Tables;

/// The first bytes of a `.usmap`.
pub const MAGIC: [u8; 2] = 0x30C4_u16.to_le_bytes();

/// `TypeMappings`: what properties the classes of a game have.
///
/// ```
/// # use uncask_formats as uncask;
/// use uncask::{codec::Scratch, mappings::Mappings};
///
/// let header = b"\xC4\x30\0\0\x28\0\0\0\x28\0\0\0";
/// let names_and_enums = b"\x02\0\0\0\x03Box\x03Len\0\0\0\0";
/// let structs = b"\x01\0\0\0\0\0\0\0\xFF\xFF\xFF\xFF\x01\0\x01\0\0\0\x01\x01\0\0\0\x02";
/// let file = [&header[..], names_and_enums, structs].concat();
///
/// let mappings = Mappings::parse(&file, &mut Scratch::default())?;
/// for row in mappings.structs() {
///     for property in row.properties() {
///         assert_eq!(format!("{}.{}: {}", row.name(), property.name, property.kind), "Box.Len: Int");
///     }
/// }
/// # assert_eq!(mappings.structs().len(), 1);
/// # Ok::<(), uncask::wire::Fault>(())
/// ```
#[doc(alias = "TypeMappings")]
#[derive(Debug, Clone)]
pub struct Mappings {
    /// What the file says in front of its data.
    pub header: Header,
    data: Vec<u8>,
    tables: Tables,
    /// Whether the header counts more bytes than there are.
    is_short: bool,
}

/// Something after the structs that one tool or another understands.
#[derive(Debug, Clone, Copy)]
pub struct Extension<'a> {
    /// Four characters, such as `PPTH`.
    pub id: [u8; 4],
    /// What is in it.
    pub bytes: &'a [u8],
}

impl Mappings {
    /// Reads a `.usmap` file.
    pub fn parse(bytes: &[u8], scratch: &mut Scratch) -> Result<Self, Fault> {
        Self::parse_partial(bytes, scratch).and_then(Partial::complete)
    }

    /// Reads as much of a `.usmap` file as there is; fails if that is not even its header.
    ///
    /// Offsets of faults behind the header count in the decompressed data.
    pub fn parse_partial(bytes: &[u8], scratch: &mut Scratch) -> Result<Partial<Self>, Fault> {
        let (header, stored) = Header::parse(bytes)?;
        let mut mappings = Self { header, data: Vec::new(), tables: Tables::default(), is_short: false };
        let fault = mappings.fill(stored, scratch).err();
        Ok(Partial { value: mappings, fault })
    }

    fn fill(&mut self, stored: Reader<'_>, scratch: &mut Scratch) -> Result<(), Fault> {
        let Data { bytes, cut } = data::decompress(&self.header, stored, scratch)?;
        self.data = bytes;
        match (self.tables.fill(&self.data, self.header.version), cut) {
            // All that the tables count is there, so it was the header that counted too much.
            (Ok(()), cut) => self.is_short = cut.is_some(),
            (Err(_), Some(cut)) => return Err(cut),
            (Err(fault), None) => return Err(fault),
        }
        Ok(())
    }

    /// How many bytes fewer there are than the header counts, in a file that is whole all the same: 0, as a rule.
    #[must_use]
    pub const fn missing_len(&self) -> u64 {
        if self.is_short { self.header.stored_len as u64 - self.data.len() as u64 } else { 0 }
    }

    /// Bytes of the decompressed data.
    #[must_use]
    pub const fn data_len(&self) -> usize {
        self.data.len()
    }

    /// The names that everything else refers to.
    #[must_use]
    pub fn names(&self) -> impl ExactSizeIterator<Item = Cow<'_, str>> {
        (0..self.tables.names.len()).map(|index| self.name_at(index))
    }

    /// What comes after them.
    #[must_use]
    pub fn extensions(&self) -> impl ExactSizeIterator<Item = Extension<'_>> {
        self.tables.extensions(&self.data)
    }

    /// A name by its index; empty if there is none.
    fn name_at(&self, index: usize) -> Cow<'_, str> {
        self.tables.names.get(&self.data, index).unwrap_or_default()
    }
}

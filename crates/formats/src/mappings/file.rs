use super::data::{self, Data};
use super::header::Header;
use super::tables::{Extension, Tables};
use crate::codec::Scratch;
use crate::wire::{Fault, Partial, Reader};
use std::borrow::Cow;

/// Type mappings (`TypeMappings`): the properties of a game's classes.
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
    /// Header of the file.
    pub header: Header,
    pub(super) data: Vec<u8>,
    pub(super) tables: Tables,
    /// True if the header records more bytes than the file has.
    is_short: bool,
}

impl Mappings {
    /// Reads a `.usmap` file.
    pub fn parse(bytes: &[u8], scratch: &mut Scratch) -> Result<Self, Fault> {
        Self::parse_partial(bytes, scratch).and_then(Partial::complete)
    }

    /// Reads as much of a `.usmap` file as is sound; fails if the header is not.
    ///
    /// Offsets of faults after the header are positions in the decompressed data.
    pub fn parse_partial(bytes: &[u8], scratch: &mut Scratch) -> Result<Partial<Self>, Fault> {
        // Without a header nothing else can be located.
        let (header, stored) = Header::parse(bytes)?;
        let mut mappings = Self { header, data: Vec::new(), tables: Tables::default(), is_short: false };
        let fault = mappings.fill(stored, scratch).err();
        Ok(Partial { value: mappings, fault })
    }

    fn fill(&mut self, stored: Reader<'_>, scratch: &mut Scratch) -> Result<(), Fault> {
        let Data { bytes, cut } = data::decompress(&self.header, stored, scratch)?;
        self.data = bytes;
        match (self.tables.fill(&self.data, self.header.version), cut) {
            // All tables are complete, so the recorded length was too large.
            (Ok(()), cut) => self.is_short = cut.is_some(),
            // The truncation explains every fault in the tables.
            (Err(_), Some(cut)) => return Err(cut),
            (Err(fault), None) => return Err(fault),
        }
        Ok(())
    }

    /// Returns the number of bytes by which the recorded length exceeds the data of a complete file; usually 0.
    #[must_use]
    pub const fn missing_len(&self) -> u64 {
        if self.is_short { self.header.stored_len as u64 - self.data.len() as u64 } else { 0 }
    }

    /// Returns the length of the decompressed data in bytes.
    #[must_use]
    pub const fn data_len(&self) -> usize {
        self.data.len()
    }

    /// Iterates over the names that everything else refers to.
    #[must_use]
    pub fn names(&self) -> impl ExactSizeIterator<Item = Cow<'_, str>> {
        (0..self.tables.names.len()).map(|index| self.name_at(index))
    }

    /// Iterates over the extensions after the structs.
    #[must_use]
    pub fn extensions(&self) -> impl ExactSizeIterator<Item = Extension<'_>> {
        self.tables.extensions(&self.data)
    }

    /// Returns a name by its index; empty if the index is out of range.
    pub(super) fn name_at(&self, index: usize) -> Cow<'_, str> {
        self.tables.names.get(&self.data, index).unwrap_or_default()
    }
}

use super::data::{self, Data};
use super::header::Header;
use super::tables::{Extension, Tables};
use crate::codec::Scratch;
use crate::wire::{Fault, Partial, Reader};
use std::borrow::Cow;

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
    pub(super) data: Vec<u8>,
    pub(super) tables: Tables,
    /// Whether the header counts more bytes than there are.
    is_short: bool,
}

impl Mappings {
    /// Reads a `.usmap` file.
    pub fn parse(bytes: &[u8], scratch: &mut Scratch) -> Result<Self, Fault> {
        Self::parse_partial(bytes, scratch).and_then(Partial::complete)
    }

    /// Reads as much of a `.usmap` file as there is; fails if that is not even its header.
    ///
    /// Offsets of faults after the header count in the decompressed data.
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
    pub(super) fn name_at(&self, index: usize) -> Cow<'_, str> {
        self.tables.names.get(&self.data, index).unwrap_or_default()
    }
}

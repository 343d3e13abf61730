//! Where everything lies in the data. Nothing is copied out of it: a row says where an entry starts and how many parts it
//! has, and [`super::entries`] reads it from there.

use super::entries::{self, Layout};
use crate::{
    version::UsmapVersion,
    wire::{Fault, FaultKind, Reader},
};
use std::borrow::Cow;

/// What the data was found to consist of.
#[derive(Debug, Default, Clone)]
pub(super) struct Tables {
    /// Where each name's length lies.
    pub(super) names: Vec<u32>,
    /// Whether lengths of names have 16 bits.
    long_names: bool,
    /// The flags that properties refer to by index.
    pub(super) flags: Vec<u64>,
    pub(super) enums: Vec<Row>,
    pub(super) structs: Vec<StructRow>,
    pub(super) extensions: Vec<ExtensionRow>,
}

/// An index of a name, or none.
pub(super) type NameIndex = Option<u32>;

/// An entry: its name and package, and where its parts lie.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    pub(super) package: NameIndex,
    pub(super) name: u32,
    pub(super) at: u32,
    pub(super) parts: u32,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct StructRow {
    pub(super) row: Row,
    pub(super) base: NameIndex,
    pub(super) flags: u32,
    /// Number of elements; the top byte says what it is.
    pub(super) elements: u32,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct ExtensionRow {
    pub(super) id: [u8; 4],
    pub(super) at: usize,
    pub(super) len: usize,
}

/// The names, for what refers to them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Names<'a> {
    pub(super) tables: &'a Tables,
    /// What to look them up in; `None` while entries are only checked, for a long name may be used often.
    pub(super) data: Option<&'a [u8]>,
}

/// The first bytes of the extensions.
const EXTENSIONS: u32 = u32::from_le_bytes(*b"CEXT");
/// The number in front of the module paths, in files of before there were extensions.
const MODULE_PATHS: u32 = 1;

impl Tables {
    /// Finds everything in the data; keeps what it found before a fault.
    pub(super) fn fill(&mut self, data: &[u8], version: UsmapVersion) -> Result<(), Fault> {
        let mut r = Reader::new(data);
        self.long_names = version.has_long_names();
        let shortest = if self.long_names { 2 } else { 1 };
        let names = r.count("name count", shortest)?;
        self.names.reserve(names);
        for _ in 0..names {
            self.names.push(place(&r)?);
            let len = self.name_len(&mut r)?;
            r.bytes("name", len)?;
        }
        if version.has_extended_metadata() {
            self.flags = r.list("property flags", 8, |r| r.u64("property flags"))?;
        }
        let layout = Layout::new(version);
        let enums = r.count("enum count", layout.min_enum)?;
        self.enums.reserve(enums);
        for _ in 0..enums {
            let row = entries::enum_row(&mut r, layout, self.unread_names())?;
            self.enums.push(row);
        }
        let structs = r.count("struct count", layout.min_struct)?;
        self.structs.reserve(structs);
        for _ in 0..structs {
            let row = entries::struct_row(&mut r, layout, self.unread_names())?;
            self.structs.push(row);
        }
        self.all_extensions(r)
    }

    fn all_extensions(&mut self, mut r: Reader<'_>) -> Result<(), Fault> {
        if r.remaining() == 0 {
            return Ok(());
        }
        let at = r.clone();
        match r.u32("extensions")? {
            EXTENSIONS => {}
            MODULE_PATHS => {
                self.extensions.push(ExtensionRow { id: *b"MODL", at: r.position(), len: r.remaining() });
                return Ok(());
            }
            _ => return at.finish("structs"),
        }
        let at = r.clone();
        let layout = r.u8("extension layout")?;
        if layout != 0 {
            return Err(at.fault("extension layout", FaultKind::Unsupported { found: layout.into() }));
        }
        let count = r.count("extension count", 8)?;
        for _ in 0..count {
            let id = r.array("extension id")?;
            let len = r.u32("extension size")? as usize;
            let at = r.position();
            r.bytes("extension", len)?;
            self.extensions.push(ExtensionRow { id, at, len });
        }
        r.finish("extensions")
    }

    /// The names, to check what refers to them.
    const fn unread_names(&self) -> Names<'_> {
        Names { tables: self, data: None }
    }

    fn name_len(&self, r: &mut Reader<'_>) -> Result<usize, Fault> {
        Ok(if self.long_names { r.u16("name length")?.into() } else { r.u8("name length")?.into() })
    }

    /// A name by its index. What is not UTF-8 is taken for Latin-1.
    pub(super) fn name<'a>(&self, data: &'a [u8], index: usize) -> Option<Cow<'a, str>> {
        let mut r = Reader::at(data, (*self.names.get(index)?).into(), "name").ok()?;
        let len = self.name_len(&mut r).ok()?;
        let bytes = r.bytes("name", len).ok()?;
        Some(match std::str::from_utf8(bytes) {
            Ok(name) => name.into(),
            Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
        })
    }
}

impl<'a> Names<'a> {
    /// Reads an index of a name, or −1.
    pub(super) fn index(self, r: &mut Reader<'_>, field: &'static str) -> Result<NameIndex, Fault> {
        let at = r.clone();
        match r.u32(field)? {
            u32::MAX => Ok(None),
            index if (index as usize) < self.tables.names.len() => Ok(Some(index)),
            index => Err(at.fault(field, FaultKind::out_of_range(index, self.tables.names.len()))),
        }
    }

    /// Reads an index of a name that must be there.
    pub(super) fn needed(self, r: &mut Reader<'_>, field: &'static str) -> Result<u32, Fault> {
        let at = r.clone();
        let absent = FaultKind::out_of_range(u32::MAX, self.tables.names.len());
        self.index(r, field)?.ok_or_else(|| at.fault(field, absent))
    }

    /// Reads a name, or none.
    pub(super) fn read(self, r: &mut Reader<'_>, field: &'static str) -> Result<Option<Cow<'a, str>>, Fault> {
        Ok(self.index(r, field)?.map(|index| self.get(index)))
    }

    /// A name by an index that was checked.
    pub(super) fn get(self, index: u32) -> Cow<'a, str> {
        self.data.and_then(|data| self.tables.name(data, index as usize)).unwrap_or_default()
    }
}

/// Where a reader is, for a row. The size of data has 32 bits.
pub(super) fn place(r: &Reader<'_>) -> Result<u32, Fault> {
    let kind = FaultKind::TooLarge { found: r.offset(), limit: u32::MAX.into() };
    u32::try_from(r.position()).map_err(|_| r.fault("mappings", kind))
}

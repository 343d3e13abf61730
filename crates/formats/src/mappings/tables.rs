//! Where everything lies in the data. Nothing is copied out of it: tables are where they start and how much they hold, and
//! what is in them is read again, by [`super::entries`], whenever it is asked for.

use super::Extension;
use super::entries::{self, Layout};
use crate::{
    version::UsmapVersion,
    wire::{Fault, FaultKind, Reader},
};
use std::borrow::Cow;

/// What the data was found to consist of.
#[derive(Debug, Default, Clone)]
pub(super) struct Tables {
    pub(super) names: NameTable,
    /// The flags that properties refer to by index.
    pub(super) flags: Vec<u64>,
    pub(super) enums: Stretch,
    pub(super) structs: Stretch,
    pub(super) extensions: Stretch,
    /// Whether what follows the structs has the form of before there were extensions: module paths.
    has_modules: bool,
}

/// Entries one after the other.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Stretch {
    /// Where the first one starts.
    pub(super) at: u32,
    pub(super) count: usize,
}

/// Where names lie: the place of one in [`MARK`](Self::MARK), from which the others are found.
#[derive(Debug, Default, Clone)]
pub(super) struct NameTable {
    marks: Vec<u32>,
    count: usize,
    /// Whether lengths have 16 bits.
    has_long_names: bool,
}

/// An index of a name, or none.
pub(super) type NameIndex = Option<u32>;

/// An entry: its name and package, and where its parts lie.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Row {
    pub(super) package: NameIndex,
    pub(super) name: u32,
    pub(super) at: u32,
    pub(super) parts: u32,
}

#[derive(Debug, Default, Clone, Copy)]
pub(super) struct StructRow {
    pub(super) row: Row,
    pub(super) base: NameIndex,
    pub(super) flags: u32,
    /// Number of elements; the top byte says what it is.
    pub(super) elements: u32,
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
/// Properties refer to flags by an index of 16 bits.
const MAX_FLAGS: usize = 1 << 16;

impl Tables {
    /// Finds everything in the data; keeps what it found before a fault.
    pub(super) fn fill(&mut self, data: &[u8], version: UsmapVersion) -> Result<(), Fault> {
        let mut r = Reader::new(data);
        self.names.fill(&mut r, version.has_long_names())?;
        if version.has_extended_metadata() {
            self.flags = flags(&mut r)?;
        }
        let layout = Layout::new(version);
        let enums = r.count("enum count", layout.min_enum)?;
        self.enums.at = place(&r)?;
        for _ in 0..enums {
            entries::enum_row(&mut r, layout, self.unread_names())?;
            self.enums.count += 1;
        }
        let structs = r.count("struct count", layout.min_struct)?;
        self.structs.at = place(&r)?;
        for _ in 0..structs {
            entries::struct_row(&mut r, layout, self.unread_names())?;
            self.structs.count += 1;
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
                self.has_modules = true;
                self.extensions = Stretch { at: place(&r)?, count: 1 };
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
        self.extensions.at = place(&r)?;
        for _ in 0..count {
            extension(&mut r)?;
            self.extensions.count += 1;
        }
        r.finish("extensions")
    }

    /// Everything after the structs.
    pub(super) fn extensions<'a>(
        &self,
        data: &'a [u8],
    ) -> impl ExactSizeIterator<Item = Extension<'a>> + use<'a> {
        let (has_modules, mut r) = (self.has_modules, self.extensions.reader(data));
        (0..self.extensions.count).map(move |_| {
            let whole = Extension { id: *b"MODL", bytes: r.rest() };
            if has_modules { whole } else { extension(&mut r).unwrap_or(whole) }
        })
    }

    /// The names, to check what refers to them.
    pub(super) const fn unread_names(&self) -> Names<'_> {
        Names { tables: self, data: None }
    }
}

impl Stretch {
    /// A reader at the first entry.
    pub(super) fn reader<'a>(&self, data: &'a [u8]) -> Reader<'a> {
        // It was found there.
        Reader::at(data, self.at.into(), "mappings").unwrap_or(Reader::new(&[]))
    }
}

impl NameTable {
    /// One name in so many has its place recorded.
    const MARK: usize = 16;

    fn fill(&mut self, r: &mut Reader<'_>, has_long_names: bool) -> Result<(), Fault> {
        self.has_long_names = has_long_names;
        let names = r.count("name count", if has_long_names { 2 } else { 1 })?;
        self.marks.reserve_exact(names.div_ceil(Self::MARK));
        for index in 0..names {
            let at = place(r)?;
            self.read(r)?;
            if index.is_multiple_of(Self::MARK) {
                self.marks.push(at);
            }
            self.count += 1;
        }
        Ok(())
    }

    /// Number of names.
    pub(super) const fn len(&self) -> usize {
        self.count
    }

    /// A name by its index. What is not UTF-8 is taken for Latin-1.
    pub(super) fn get<'a>(&self, data: &'a [u8], index: usize) -> Option<Cow<'a, str>> {
        let mark = *self.marks.get(index / Self::MARK).filter(|_| index < self.count)?;
        let mut r = Reader::at(data, mark.into(), "name").ok()?;
        for _ in 0..index % Self::MARK {
            self.read(&mut r).ok()?;
        }
        let bytes = self.read(&mut r).ok()?;
        Some(match std::str::from_utf8(bytes) {
            Ok(name) => name.into(),
            Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
        })
    }

    fn read<'a>(&self, r: &mut Reader<'a>) -> Result<&'a [u8], Fault> {
        let len =
            if self.has_long_names { r.u16("name length")?.into() } else { r.u8("name length")?.into() };
        r.bytes("name", len)
    }
}

fn flags(r: &mut Reader<'_>) -> Result<Vec<u64>, Fault> {
    let at = r.clone();
    let found = r.count("property flags", 8)?;
    if found > MAX_FLAGS {
        let kind = FaultKind::TooLarge { found: found as u64, limit: MAX_FLAGS as u64 };
        return Err(at.fault("property flags", kind));
    }
    r.repeat(found, |r| r.u64("property flags"))
}

fn extension<'a>(r: &mut Reader<'a>) -> Result<Extension<'a>, Fault> {
    let id = r.array("extension id")?;
    let len = r.u32("extension size")? as usize;
    Ok(Extension { id, bytes: r.bytes("extension", len)? })
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
        self.data.and_then(|data| self.tables.names.get(data, index as usize)).unwrap_or_default()
    }
}

/// Where a reader is, for a row. The size of data has 32 bits.
pub(super) fn place(r: &Reader<'_>) -> Result<u32, Fault> {
    let kind = FaultKind::TooLarge { found: r.offset(), limit: u32::MAX.into() };
    u32::try_from(r.offset()).map_err(|_| r.fault("mappings", kind))
}

//! Where everything lies in the data. Nothing is copied out of it: tables are where they start and how much they hold, and
//! what is in them is read again, by [`super::rows`], whenever it is asked for.

use super::names::{NameTable, Names, place};
use super::rows::{self, Layout};
use crate::{
    version::UsmapVersion,
    wire::{Fault, FaultKind, Reader},
};

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

/// Something after the structs that one tool or another understands.
#[derive(Debug, Clone, Copy)]
pub struct Extension<'a> {
    /// Four characters, such as `PPTH`.
    pub id: [u8; 4],
    /// What is in it.
    pub bytes: &'a [u8],
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
            rows::enum_row(&mut r, layout, self.unread_names())?;
            self.enums.count += 1;
        }
        let structs = r.count("struct count", layout.min_struct)?;
        self.structs.at = place(&r)?;
        for _ in 0..structs {
            rows::struct_row(&mut r, layout, self.unread_names())?;
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
        Names { table: &self.names, flags: self.flags.as_slice(), data: None }
    }
}

impl Stretch {
    /// A reader at the first entry.
    pub(super) fn reader<'a>(&self, data: &'a [u8]) -> Reader<'a> {
        // It was found there.
        Reader::at(data, self.at.into(), "mappings").unwrap_or(Reader::new(&[]))
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

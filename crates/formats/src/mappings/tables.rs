//! Places of all tables in the data. Nothing is copied: a table is its start and its count, and its content
//! is read again on demand by [`super::rows`].

use super::names::{NameTable, Names, place};
use super::rows::{self, Layout};
use crate::{
    version::UsmapVersion,
    wire::{Fault, FaultKind, Reader},
};

/// Tables found in the data.
#[derive(Debug, Default, Clone)]
pub(super) struct Tables {
    pub(super) names: NameTable,
    /// Flags that properties refer to by index.
    pub(super) flags: Vec<u64>,
    pub(super) enums: Stretch,
    pub(super) structs: Stretch,
    pub(super) extensions: Stretch,
    /// True if the structs are followed by module paths, the form before extensions existed.
    has_modules: bool,
}

/// A sequence of entries.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Stretch {
    /// Offset of the first one.
    pub(super) at: u32,
    pub(super) count: usize,
}

/// A block after the structs, defined by some tool.
#[derive(Debug, Clone, Copy)]
pub struct Extension<'a> {
    /// Id of four characters, such as `PPTH`.
    pub id: [u8; 4],
    /// Content.
    pub bytes: &'a [u8],
}

/// Magic of the extensions.
const EXTENSIONS: u32 = u32::from_le_bytes(*b"CEXT");
/// Number before the module paths, in files older than extensions.
const MODULE_PATHS: u32 = 1;
/// Limit on the flags: properties refer to them by a 16-bit index.
const MAX_FLAGS: usize = 1 << 16;

impl Tables {
    /// Finds all tables in the data; keeps those before a fault.
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
            // Decoded completely, so that later reads cannot fail.
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
            // Their form is not parsed; the bytes are passed on as one block.
            MODULE_PATHS => {
                self.has_modules = true;
                self.extensions = Stretch { at: place(&r)?, count: 1 };
                return Ok(());
            }
            // Any other number belongs to no known form, so the structs were the end.
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

    /// Iterates over the blocks after the structs.
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

    /// Returns the names, for checking indices only.
    pub(super) const fn unread_names(&self) -> Names<'_> {
        Names { table: &self.names, flags: self.flags.as_slice(), data: None }
    }
}

impl Stretch {
    /// Returns a reader at the first entry.
    pub(super) fn reader<'a>(&self, data: &'a [u8]) -> Reader<'a> {
        // The place was found by an earlier pass over the same data.
        Reader::at(data, self.at.into(), "mappings").unwrap_or(Reader::new(&[]))
    }
}

fn flags(r: &mut Reader<'_>) -> Result<Vec<u64>, Fault> {
    let at = r.clone();
    let found = r.count("property flags", 8)?;
    // Entries beyond the limit could never be used.
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

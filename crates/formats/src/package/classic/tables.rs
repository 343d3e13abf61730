//! Names, imports and exports of a classic package.
//!
//! ```text
//! name    (< 64) bytes, zero byte │ (≥ 64) length, text, zero │ u32 flags, (195) u64
//! import  class package, class name │ i32 package │ object name
//! export  class, super │ i32 group │ name │ (220) archetype │ flags │ size │ offset, if there is a size (249: always)
//!         │ (< 543) components │ (247) export flags │ (322) net objects │ (475) GUID, package flags
//! ```
//!
//! Everything not marked i32 is a compact index up to 177, and a plain i32 from then on; from 343 on, a
//! number follows each name.

use super::compact;
use crate::{
    id::Guid,
    version::ClassicVersion,
    wire::{Fault, FaultKind, MAX_NAME_LEN, Reader},
};

/// A name of the table.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct NameEntry {
    /// The text.
    pub text: String,
    /// Bits of the builds that need the name.
    pub flags: u64,
}

/// A name, by its index in the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize)]
pub struct Name {
    /// Index into the name table.
    pub index: u32,
    /// 0, or one more than the number shown (343); before, numbers are part of the text.
    pub number: u32,
}

/// A reference to an object: 0 nothing, n > 0 export n − 1, n < 0 import −n − 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize)]
pub struct ObjectIndex(
    /// The stored number.
    pub i32,
);

/// An object of another package.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct Import {
    /// Package of the class.
    pub class_package: Name,
    /// Name of the class.
    pub class_name: Name,
    /// Outer object.
    pub outer: ObjectIndex,
    /// Object name.
    pub name: Name,
}

/// One object of the package.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct Export {
    /// Class; null if the export is itself a class.
    pub class: ObjectIndex,
    /// Parent struct or class.
    pub super_index: ObjectIndex,
    /// Group or outer object.
    pub outer: ObjectIndex,
    /// Object name.
    pub name: Name,
    /// Object that supplies the defaults (220).
    pub archetype: Option<ObjectIndex>,
    /// Object flags.
    pub object_flags: u64,
    /// Length of the data in bytes.
    pub serial_len: u32,
    /// File offset of the data; 0 if there is none.
    pub serial_offset: u32,
    /// Components by name (below 543).
    pub components: Vec<(Name, i32)>,
    /// Export flags (247).
    pub export_flags: Option<u32>,
    /// Numbers of network objects, one per generation (322).
    pub net_objects: Vec<i32>,
    /// GUID of the original package of a forced export (475).
    pub package_guid: Option<Guid>,
    /// Flags of that original package (475).
    pub package_flags: Option<u32>,
}

/// Object flag: a state frame precedes the data.
pub(super) const HAS_STACK: u64 = 0x0200_0000;

/// A reader that knows the index format of the package's version.
#[derive(Debug, Clone)]
pub(super) struct Cursor<'a> {
    pub(super) r: Reader<'a>,
    pub(super) version: ClassicVersion,
    pub(super) names: u32,
}

impl Cursor<'_> {
    pub(super) fn index(&mut self, field: &'static str) -> Result<i32, Fault> {
        if self.version.has_plain_indices() { self.r.i32(field) } else { compact::read(&mut self.r, field) }
    }

    /// Reads an index that must not be negative.
    pub(super) fn size(&mut self, field: &'static str) -> Result<u32, Fault> {
        let at = self.r.clone();
        let found = self.index(field)?;
        u32::try_from(found).map_err(|_| at.fault(field, FaultKind::Negative { found: found.into() }))
    }

    pub(super) fn object(&mut self, field: &'static str) -> Result<ObjectIndex, Fault> {
        self.index(field).map(ObjectIndex)
    }

    pub(super) fn name(&mut self, field: &'static str) -> Result<Name, Fault> {
        let at = self.r.clone();
        // Checked here once, so that every name of the tables has a text.
        let index = self.size(field)?;
        if index >= self.names {
            let kind = FaultKind::OutOfRange { index: index.into(), count: self.names.into() };
            return Err(at.fault(field, kind));
        }
        let number = self.r.when(self.version.has_name_numbers(), |r| r.u32(field))?;
        Ok(Name { index, number: number.unwrap_or(0) })
    }

    fn flags(&mut self, field: &'static str) -> Result<u64, Fault> {
        if self.version.has_long_flags() { self.r.u64(field) } else { self.r.u32(field).map(u64::from) }
    }

    /// Reads a string prefixed with its length, terminator included; a negative length means UTF-16.
    pub(super) fn string(&mut self, field: &'static str) -> Result<String, Fault> {
        let at = self.r.clone();
        let len = self.index(field)?;
        let count = len.unsigned_abs() as usize;
        let text = if len < 0 {
            let bytes = self.r.bytes(field, count.saturating_mul(2))?;
            let units = bytes.as_chunks::<2>().0.iter().map(|unit| u16::from_le_bytes(*unit));
            char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
        } else {
            latin(self.r.bytes(field, count)?)
        };
        // A non-empty text without a terminator is damage; the empty one has none.
        match text.strip_suffix('\0') {
            Some(text) => Ok(text.to_owned()),
            None if len == 0 => Ok(String::new()),
            None => Err(at.fault(field, FaultKind::BadString)),
        }
    }
}

/// Decodes Latin-1, the only 8-bit encoding of these engines.
fn latin(bytes: &[u8]) -> String {
    bytes.iter().map(|&byte| char::from(byte)).collect()
}

pub(super) fn name_entry(c: &mut Cursor<'_>) -> Result<NameEntry, Fault> {
    let at = c.r.clone();
    let text = if c.version.has_counted_names() {
        c.string("name table: name")?
    } else {
        // No length is stored before version 64: the text ends at its zero byte.
        let rest = c.r.rest();
        let len = rest.iter().position(|byte| *byte == 0);
        let len = len.ok_or_else(|| c.r.fault("name table: name", FaultKind::BadString))?;
        let text = latin(c.r.bytes("name table: name", len)?);
        c.r.u8("name table: name")?;
        text
    };
    if text.encode_utf16().count() > MAX_NAME_LEN {
        let kind = FaultKind::TooLong { limit: MAX_NAME_LEN as u64 };
        return Err(at.fault("name table: name", kind));
    }
    Ok(NameEntry { text, flags: c.flags("name table: flags")? })
}

pub(super) fn import(c: &mut Cursor<'_>) -> Result<Import, Fault> {
    Ok(Import {
        class_package: c.name("import: class package")?,
        class_name: c.name("import: class name")?,
        outer: ObjectIndex(c.r.i32("import: package")?),
        name: c.name("import: object name")?,
    })
}

pub(super) fn export(c: &mut Cursor<'_>) -> Result<Export, Fault> {
    let v = c.version;
    let mut export = Export {
        class: c.object("export: class")?,
        super_index: c.object("export: super")?,
        outer: ObjectIndex(c.r.i32("export: group")?),
        name: c.name("export: name")?,
        ..Export::default()
    };
    export.archetype = c.r.when(v.has_archetypes(), |r| r.i32("export: archetype").map(ObjectIndex))?;
    export.object_flags = c.flags("export: flags")?;
    export.serial_len = c.size("export: size")?;
    // Before version 249 the offset is omitted for an export without data.
    if export.serial_len > 0 || v.has_header_size() {
        export.serial_offset = c.size("export: offset")?;
    }
    if v.has_archetypes() && v.has_component_maps() {
        let count = c.r.count("export: components", 8)?;
        for _ in 0..count {
            export.components.push((c.name("export: component")?, c.r.i32("export: component")?));
        }
    }
    export.export_flags = c.r.when(v.has_export_flags(), |r| r.u32("export: export flags"))?;
    if v.has_net_objects() {
        export.net_objects = c.r.list("export: net objects", 4, |r| r.i32("export: net objects"))?;
    }
    export.package_guid = c.r.when(v.has_export_guid(), |r| r.array("export: package GUID").map(Guid))?;
    export.package_flags = c.r.when(v.has_export_guid(), |r| r.u32("export: package flags"))?;
    Ok(export)
}

//! File version of a Windows executable, which for games is usually that of the engine.
//!
//! ```text
//! 0     "MZ" … at 0x3C: u32 offset of the PE header
//! PE    "PE\0\0" │ machine u16, sections u16, 12 bytes, optional header bytes u16, flags u16
//!       │ optional header: magic u16 0x10B or 0x20B … at 96 or 112: directories, 8 bytes each { RVA, size }; the third: resources
//!       │ sections, 40 bytes each: name (8), virtual size, RVA, raw size, raw offset, 16 bytes
//! resources   12 bytes, named u16, numbered u16, entries { id u32, offset u32, top bit: another such table }, three levels deep;
//!             then { RVA, size, 8 bytes }
//! version     … 0xFEEF04BD, u32, minor u16, major u16, …
//! ```
//!
//! Source: Microsoft's PE format specification, and its page on `VS_FIXEDFILEINFO`.

use crate::wire::{Fault, Reader};
use std::ops::Range;

/// Length of the start of an executable that contains its headers, in bytes.
pub(super) const HEAD_LEN: u64 = 16 << 10;

/// The most bytes of resources read: games have icons and a version, and rarely more.
const MAX_RESOURCES: u32 = 8 << 20;

/// `RT_VERSION`: resource type of version information.
const VERSION: u32 = 16;

/// Magic bytes of `VS_FIXEDFILEINFO`.
const SIGNATURE: [u8; 4] = [0xBD, 0x04, 0xEF, 0xFE];

/// Location of an executable's resources.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Resources {
    /// Their range in the file.
    pub range: Range<u64>,
    /// Their address when loaded, to which offsets inside them are relative.
    rva: u32,
}

impl Resources {
    /// Finds the resources by the headers; `None` if the file is no executable or has none.
    pub(super) fn find(head: &[u8]) -> Option<Self> {
        Self::parse(head).ok().flatten()
    }

    fn parse(head: &[u8]) -> Result<Option<Self>, Fault> {
        if !head.starts_with(b"MZ") {
            return Ok(None);
        }
        let pe = Reader::at(head, 0x3C, "PE offset")?.u32("PE offset")?;
        let mut r = Reader::at(head, pe.into(), "PE header")?;
        if r.array::<4>("PE signature")? != *b"PE\0\0" {
            return Ok(None);
        }
        r.u16("machine")?;
        let sections = r.u16("sections")?;
        r.bytes("COFF header", 12)?;
        let optional_len = r.u16("optional header size")?;
        r.u16("flags")?;
        let optional = r.bytes("optional header", optional_len.into())?;
        // The optional header of 64-bit executables has wider fields before the directories.
        let directories = match optional.get(..2) {
            Some([0x0B, 0x01]) => 96,
            Some([0x0B, 0x02]) => 112,
            _ => return Ok(None),
        };
        let mut directory = Reader::at(optional, directories + 2 * 8, "resource directory")?;
        let (rva, len) = (directory.u32("resource RVA")?, directory.u32("resource size")?);
        for _ in 0..sections {
            r.bytes("section name", 8)?;
            let (virtual_len, start) = (r.u32("section size")?, r.u32("section RVA")?);
            let (raw_len, raw_at) = (r.u32("section raw size")?, r.u32("section offset")?);
            r.bytes("section", 16)?;
            // The address is that in memory. The section that covers it gives the place in the file.
            let Some(inside) = rva.checked_sub(start).filter(|at| *at < virtual_len.max(raw_len)) else {
                continue;
            };
            // A section may be longer in memory than in the file.
            let len = len.min(raw_len.saturating_sub(inside)).min(MAX_RESOURCES);
            let at = u64::from(raw_at) + u64::from(inside);
            return Ok((len > 0).then(|| Self { range: at..at + u64::from(len), rva }));
        }
        Ok(None)
    }

    /// Major and minor file version in the resources.
    pub(super) fn version(&self, bytes: &[u8]) -> Option<(u16, u16)> {
        self.parse_version(bytes).ok().flatten()
    }

    fn parse_version(&self, bytes: &[u8]) -> Result<Option<(u16, u16)>, Fault> {
        // Three levels: type, name, language. The first name and language will do.
        let Some(names) = entry(bytes, 0, Some(VERSION))? else { return Ok(None) };
        let Some(languages) = entry(bytes, names, None)? else { return Ok(None) };
        let Some(leaf) = entry(bytes, languages, None)? else { return Ok(None) };
        let mut r = Reader::at(bytes, leaf.into(), "resource data")?;
        let (rva, len) = (r.u32("version RVA")?, r.u32("version size")?);
        let Some(start) = rva.checked_sub(self.rva) else { return Ok(None) };
        let end = u64::from(start) + u64::from(len);
        let info = Reader::section(bytes, start.into(), end.min(bytes.len() as u64), "version")?.rest();
        // The structure follows a header with a text of variable length; it starts within the first bytes.
        let Some(at) = info.windows(4).take(256).position(|window| window == SIGNATURE) else {
            return Ok(None);
        };
        let mut r = Reader::at(info, at as u64 + 8, "file version")?;
        // 32-bit words hold two numbers each, so the minor one comes first in little-endian order.
        let (minor, major) = (r.u16("minor version")?, r.u16("major version")?);
        Ok(Some((major, minor)))
    }
}

/// Offset of the entry with an id in a resource table, or of its first entry.
fn entry(bytes: &[u8], table: u32, id: Option<u32>) -> Result<Option<u32>, Fault> {
    const TOP_BIT: u32 = 1 << 31;
    let mut r = Reader::at(bytes, (table & !TOP_BIT).into(), "resource table")?;
    r.bytes("resource table", 12)?;
    let (named, numbered) = (r.u16("named resources")?, r.u16("numbered resources")?);
    for _ in 0..u32::from(named) + u32::from(numbered) {
        let (found, offset) = (r.u32("resource id")?, r.u32("resource offset")?);
        if id.is_none_or(|id| id == found) {
            return Ok(Some(offset));
        }
    }
    Ok(None)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    fn put(bytes: &mut [u8], at: usize, with: &[u8]) {
        bytes[at..at + with.len()].copy_from_slice(with);
    }

    /// An executable of one section with a file version, put together from the specification.
    pub(in super::super) fn executable(major: u16, minor: u16) -> Vec<u8> {
        let mut bytes = vec![0; 0x600];
        put(&mut bytes, 0, b"MZ");
        put(&mut bytes, 0x3C, &[0x80, 0, 0, 0]);
        put(&mut bytes, 0x80, b"PE\0\0\x64\x86\x01\0");
        put(&mut bytes, 0x94, &[0xF0, 0]);
        put(&mut bytes, 0x98, &[0x0B, 0x02]);
        // Resource directory: RVA 0x3000, 0x200 bytes.
        put(&mut bytes, 0x98 + 112 + 16, &[0, 0x30, 0, 0, 0, 2, 0, 0]);
        // Section: virtual size 0x200, RVA 0x3000, raw size 0x200, at 0x400.
        put(&mut bytes, 0x98 + 0xF0, b".rsrc\0\0\0\0\x02\0\0\0\x30\0\0\0\x02\0\0\0\x04\0\0");
        let rsrc = 0x400;
        // Two types: icons (3), then the version (16), whose table is at 0x20; then its names, then its languages.
        put(&mut bytes, rsrc + 14, &[2, 0, 3, 0, 0, 0, 0, 1, 0, 0x80, 16, 0, 0, 0, 0x20, 0, 0, 0x80]);
        put(&mut bytes, rsrc + 0x20 + 14, &[1, 0, 1, 0, 0, 0, 0x40, 0, 0, 0x80]);
        put(&mut bytes, rsrc + 0x40 + 14, &[1, 0, 9, 4, 0, 0, 0x60, 0, 0, 0]);
        // Data: RVA 0x3080, 92 bytes.
        put(&mut bytes, rsrc + 0x60, &[0x80, 0x30, 0, 0, 92, 0, 0, 0]);
        put(&mut bytes, rsrc + 0x80, &[92, 0, 52, 0, 0, 0]);
        put(&mut bytes, rsrc + 0x80 + 40, &[0xBD, 0x04, 0xEF, 0xFE, 0, 0, 1, 0]);
        put(&mut bytes, rsrc + 0x80 + 48, &minor.to_le_bytes());
        put(&mut bytes, rsrc + 0x80 + 50, &major.to_le_bytes());
        bytes
    }

    fn version(bytes: &[u8]) -> Option<(u16, u16)> {
        let resources = Resources::find(bytes)?;
        let range =
            usize::try_from(resources.range.start).unwrap()..usize::try_from(resources.range.end).unwrap();
        resources.version(bytes.get(range)?)
    }

    #[test]
    fn the_file_version_is_found() {
        assert_eq!(version(&executable(5, 6)), Some((5, 6)));
        assert_eq!(version(b"MZ"), None);
        assert_eq!(version(b"\x7FELF"), None);
    }

    #[test]
    fn damage_gives_nothing_or_a_version() {
        let sound = executable(5, 6);
        for at in 0..sound.len() {
            version(&sound[..at]);
            for value in [0, 1, 0x7F, 0x80, 0xFF] {
                let mut damaged = sound.clone();
                damaged[at] = value;
                version(&damaged);
            }
        }
    }
}

//! Reads `.locres` files.

use super::RESOURCE_MAGIC;
use super::resource::{EntryRow, LocalizationResource, NamespaceRow, Shared};
use crate::version::LocResVersion;
use crate::wire::{Fault, FaultKind, Reader};

/// Smallest length of a string, namespace and entry: an empty string is only its length.
const STRING_LEN: usize = 4;
const NAMESPACE_LEN: usize = 8;
const ENTRY_LEN: usize = 12;

/// Limit on the total length of all entries' texts, per byte of the file: many entries may share one string,
/// so that a short file could contain endless text.
const MAX_SHARING: u64 = 16;

/// Total length that is always accepted.
const ALWAYS: u64 = 1 << 20;

impl LocalizationResource {
    pub(super) fn fill(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        let mut r = Reader::new(bytes);
        let strings = self.header(&mut r, bytes)?;
        let mut entries = match strings {
            // The entries end where the strings start.
            Some(start) if start >= r.offset() => Reader::section(bytes, r.offset(), start, "entries")?,
            _ => r,
        };
        let table = strings.map(|start| Reader::at(bytes, start, "string table")).transpose()?;
        // Read before the entries, whose texts it holds; its fault is reported after theirs.
        let in_strings = table.map_or(Ok(()), |r| self.string_table(r));
        let mut left = ALWAYS + MAX_SHARING * bytes.len() as u64;
        self.all_namespaces(&mut entries, &mut left).and(in_strings)?;
        entries.finish("localization resource")
    }

    /// Reads the version; returns the offset of the strings.
    fn header(&mut self, r: &mut Reader<'_>, bytes: &[u8]) -> Result<Option<u64>, Fault> {
        if !Self::is(bytes) {
            return Ok(None);
        }
        r.bytes("localization resource magic", RESOURCE_MAGIC.len())?;
        let at = r.clone();
        let found = r.u8("localization resource version")?;
        // Version 0 has no magic, so it cannot be recorded.
        let known = LocResVersion::from_wire(found).filter(|version| version.has_magic());
        let unsupported = FaultKind::Unsupported { found: found.into() };
        self.version = known.ok_or_else(|| at.fault("localization resource version", unsupported))?;
        let at = r.clone();
        match r.i64("string table offset")? {
            // No string table at all.
            -1 => Ok(None),
            found => u64::try_from(found)
                .map(Some)
                .map_err(|_| at.fault("string table offset", FaultKind::Negative { found })),
        }
    }

    fn string_table(&mut self, mut r: Reader<'_>) -> Result<(), Fault> {
        let has_uses = self.version.has_counts();
        let count = r.count("string count", STRING_LEN)?;
        self.strings.reserve(count);
        for _ in 0..count {
            let text = self.texts.read(&mut r, "string")?;
            let uses = r.when(has_uses, |r| r.i32("uses of a string"))?;
            self.strings.push(Shared { text, uses });
        }
        r.finish("string table")
    }

    fn all_namespaces(&mut self, r: &mut Reader<'_>, left: &mut u64) -> Result<(), Fault> {
        self.declared = r.when(self.version.has_counts(), |r| r.u32("entry count"))?;
        let count = r.count("namespace count", NAMESPACE_LEN)?;
        self.namespaces.reserve(count);
        for _ in 0..count {
            let hash = self.hash(r, "namespace hash")?;
            let name = self.texts.read(r, "namespace")?;
            let keys = r.count("key count", ENTRY_LEN)?;
            self.entries.reserve(keys);
            let first = number(self.entries.len(), r)?;
            self.namespaces.push(NamespaceRow { name, hash, entries: first..first });
            let read = (0..keys).try_for_each(|_| self.entry(r, left));
            // A truncated namespace keeps its complete entries.
            let end = number(self.entries.len(), r)?;
            if let Some(namespace) = self.namespaces.last_mut() {
                namespace.entries.end = end;
            }
            read?;
        }
        Ok(())
    }

    /// Reads an entry; `left` is the remaining length for texts of entries.
    fn entry(&mut self, r: &mut Reader<'_>, left: &mut u64) -> Result<(), Fault> {
        let hash = self.hash(r, "key hash")?;
        let key = self.texts.read(r, "key")?;
        let source_hash = r.u32("source hash")?;
        let at = r.clone();
        let text = if self.version.has_string_table() { r.u32("string index")? } else { self.own_text(r)? };
        let len = self.strings.get(text as usize).map_or(0, |string| string.text.len());
        let too_large = FaultKind::TooLarge { found: len, limit: *left };
        // Charged per entry, even if entries share the string.
        *left = left.checked_sub(len).ok_or_else(|| at.fault("texts of all entries", too_large))?;
        self.entries.push(EntryRow { key, hash, source_hash, text });
        Ok(())
    }

    /// Adds the text of a legacy entry as a separate string.
    fn own_text(&mut self, r: &mut Reader<'_>) -> Result<u32, Fault> {
        let at = number(self.strings.len(), r)?;
        let text = self.texts.read(r, "localized string")?;
        self.strings.push(Shared { text, uses: None });
        Ok(at)
    }

    fn hash(&self, r: &mut Reader<'_>, field: &'static str) -> Result<u32, Fault> {
        Ok(r.when(self.version.has_key_hashes(), |r| r.u32(field))?.unwrap_or(0))
    }
}

fn number(count: usize, r: &Reader<'_>) -> Result<u32, Fault> {
    let too_many = FaultKind::TooLarge { found: count as u64, limit: u32::MAX.into() };
    u32::try_from(count).map_err(|_| r.fault("key count", too_many))
}

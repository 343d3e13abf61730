//! Name tables of zen packages, container headers and script objects.
//!
//! ```text
//! batch (UE5)   u32 n │ u32 string bytes │ u64 algorithm │ n × u64 hash │ n × header │ strings, back to back
//!               n = 0: nothing else follows
//! parts (UE4)   names:  header, string, header, string, … to the end; UTF-16 starts at an even offset
//!               hashes: u64 algorithm │ u64 hash per name
//! header        u16 big-endian: bit 15 = UTF-16, bits 0–14 = length in characters or units
//! table         i32 n │ n × { FString │ 2 × u16 hash } (old asset registries, as in legacy packages)
//! ```
//!
//! The algorithm is always 0xC1640000 (CityHash64 over the ASCII-lower-cased text). Strings of a batch are
//! not aligned, not even UTF-16 ones; no string has a terminator. Verified on engine files from 4.27 to 5.8;
//! source: retoc `name_map.rs`.

mod write;

use super::name::{MappedName, NameText};
use crate::{
    id::hash,
    wire::{Fault, FaultKind, MAX_NAME_LEN, Reader},
};
use zerocopy::little_endian::U64;

/// Id of the only hash algorithm in use, CityHash64.
pub const HASH_ALGORITHM: u64 = 0xC164_0000;

/// A table of names.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct NameMap {
    /// All names, joined.
    text: String,
    /// End of each name in `text`.
    ends: Vec<u32>,
    hashes: Vec<u64>,
    wide: Vec<u32>,
}

impl NameMap {
    /// Reads a batch (UE5).
    pub fn parse_batch(r: &mut Reader<'_>) -> Result<Self, Fault> {
        let at = r.clone();
        let count = r.u32("name batch: count")?;
        if count == 0 {
            return Ok(Self::default());
        }
        let text_len = r.u32("name batch: string bytes")?;
        algorithm(r)?;
        // A hash of eight bytes and a header of two per name.
        let rows = r.remaining() / 10;
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        if count > rows {
            let kind = FaultKind::TooLarge { found: count as u64, limit: rows as u64 };
            return Err(at.fault("name batch: count", kind));
        }
        let hashes = r.table::<U64>("name batch: hashes", count)?;
        let headers = r.bytes("name batch: headers", count * 2)?;
        let text_at = r.offset();
        let mut text = Reader::with_base(
            r.bytes("name batch: strings", text_len.try_into().unwrap_or(usize::MAX))?,
            text_at,
        );
        let mut map = Self::with_capacity(count, text.remaining());
        for (header, hash) in headers.as_chunks::<2>().0.iter().zip(hashes) {
            let (wide, len) = header_of(*header);
            // No terminators: each text starts where the previous one ends.
            map.push(&mut text, wide, len)?;
            map.hashes.push(hash.get());
        }
        text.finish("name batch: strings")?;
        Ok(map)
    }

    /// Reads the two blobs of UE4; `hashes` may be empty if there are no names.
    ///
    /// UTF-16 texts are said to start at even offsets. No file with any was available, so the hashes decide.
    pub fn parse_parts(names: Reader<'_>, mut hashes: Reader<'_>) -> Result<Self, Fault> {
        if hashes.remaining() == 0 {
            names.finish("name blob")?;
            return Ok(Self::default());
        }
        algorithm(&mut hashes)?;
        let left = hashes.remaining();
        if !left.is_multiple_of(8) {
            return Err(hashes.fault("name hashes", FaultKind::NotMultiple { found: left as u64, unit: 8 }));
        }
        let hashes = hashes.table::<U64>("name hashes", left / 8)?;
        let aligned = Self::parts(names.clone(), hashes, true);
        match &aligned {
            // Without wide names both readings are the same.
            Ok(map) if map.wide.is_empty() || map.wrong_hashes().next().is_none() => aligned,
            _ => match Self::parts(names, hashes, false) {
                Ok(map) if map.wrong_hashes().next().is_none() => Ok(map),
                _ => aligned,
            },
        }
    }

    fn parts(mut names: Reader<'_>, hashes: &[U64], align: bool) -> Result<Self, Fault> {
        let start = names.position();
        let mut map = Self::with_capacity(hashes.len(), names.remaining());
        for hash in hashes {
            let (wide, len) = header_of(names.array("name blob: header")?);
            if align && wide && !(names.position() - start).is_multiple_of(2) {
                // One byte, counted from the start of the blob.
                names.u8("name blob: filler")?;
            }
            map.push(&mut names, wide, len)?;
            map.hashes.push(hash.get());
        }
        names.finish("name blob")?;
        Ok(map)
    }

    /// Reads a table of strings with short hashes, which are dropped.
    pub(crate) fn parse_table(r: &mut Reader<'_>) -> Result<Self, Fault> {
        let count = r.count("name table: count", 8)?;
        let mut map = Self::default();
        for _ in 0..count {
            let at = r.clone();
            let text = r.string("name table: name")?;
            check_len(&at, text.encode_utf16().count())?;
            map.push_text(&text, &at)?;
            // Two 16-bit checksums, which the engine ignores.
            r.u32("name table: hashes")?;
        }
        Ok(map)
    }

    /// Adds a name read at `at`; returns its index.
    pub(crate) fn push_text(&mut self, text: &str, at: &Reader<'_>) -> Result<u32, Fault> {
        let index = u32::try_from(self.ends.len()).unwrap_or(u32::MAX);
        self.text.push_str(text);
        self.end(at).map(|()| index)
    }

    /// Returns the number of names.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns true if there are no names.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the text at an index, without a number.
    #[must_use]
    pub fn get(&self, index: u32) -> Option<&str> {
        let index = usize::try_from(index).ok()?;
        let end = *self.ends.get(index)? as usize;
        let start = match index.checked_sub(1) {
            Some(before) => *self.ends.get(before)? as usize,
            None => 0,
        };
        self.text.get(start..end)
    }

    /// Returns the stored hash of the text at an index.
    #[must_use]
    pub fn hash(&self, index: u32) -> Option<u64> {
        self.hashes.get(usize::try_from(index).ok()?).copied()
    }

    /// Resolves a name; the caller has to know that it belongs to this table.
    #[must_use]
    pub fn resolve(&self, name: MappedName) -> Option<NameText<'_>> {
        self.get(name.index()).map(|base| NameText { base, number: name.number })
    }

    /// Resolves a name that must exist; `at` is its place in the file.
    pub(crate) fn require(
        &self,
        name: MappedName,
        field: &'static str,
        at: u64,
    ) -> Result<NameText<'_>, Fault> {
        let kind = FaultKind::OutOfRange { index: name.index().into(), count: self.len() as u64 };
        self.resolve(name).ok_or(Fault { offset: at, field, kind })
    }

    /// Iterates over all texts, in order.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        (0..self.len())
            .map(|index| u32::try_from(index).ok().and_then(|index| self.get(index)).unwrap_or_default())
    }

    /// Finds the index of a text, without regard to case.
    #[must_use]
    pub fn position(&self, text: &str) -> Option<u32> {
        let found = self.iter().position(|name| name.eq_ignore_ascii_case(text))?;
        u32::try_from(found).ok()
    }

    /// Returns the indices of names whose hash does not match their text: none in files of the engine.
    pub fn wrong_hashes(&self) -> impl Iterator<Item = u32> {
        (0u32..).zip(self.iter().zip(&self.hashes)).filter_map(|(index, (text, found))| {
            // `wide` is ascending, since names are added in order.
            let wide = self.wide.binary_search(&index).is_ok();
            (name_hash(text, wide) != *found).then_some(index)
        })
    }

    fn with_capacity(names: usize, text: usize) -> Self {
        Self {
            text: String::with_capacity(text),
            ends: Vec::with_capacity(names),
            hashes: Vec::with_capacity(names),
            wide: Vec::new(),
        }
    }

    fn push(&mut self, r: &mut Reader<'_>, wide: bool, len: usize) -> Result<(), Fault> {
        let at = r.clone();
        check_len(&at, len)?;
        // At most 1023 units, so this does not overflow.
        let bytes = r.bytes("name: text", if wide { len * 2 } else { len })?;
        if wide {
            // Kept, because the hash of a name depends on how it is stored.
            self.wide.push(u32::try_from(self.ends.len()).unwrap_or(u32::MAX));
            let units = bytes.as_chunks::<2>().0.iter().map(|unit| u16::from_le_bytes(*unit));
            self.text
                .extend(char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)));
        } else {
            match std::str::from_utf8(bytes) {
                // Writers emit ASCII; bytes that are not UTF-8 are decoded as Latin-1.
                Ok(text) => self.text.push_str(text),
                Err(_) => self.text.extend(bytes.iter().map(|&byte| char::from(byte))),
            }
        }
        self.end(&at)
    }

    /// Ends the name whose text was read at `at`.
    fn end(&mut self, at: &Reader<'_>) -> Result<(), Fault> {
        let kind = FaultKind::TooLarge { found: self.text.len() as u64, limit: u32::MAX.into() };
        self.ends.push(u32::try_from(self.text.len()).map_err(|_| at.fault("name: text", kind))?);
        Ok(())
    }
}

/// Checks the limit of the engine's own names.
fn check_len(at: &Reader<'_>, len: usize) -> Result<(), Fault> {
    let kind = FaultKind::TooLong { limit: MAX_NAME_LEN as u64 };
    if len > MAX_NAME_LEN { Err(at.fault("name: text", kind)) } else { Ok(()) }
}

/// Hashes a name: over bytes if it is stored as bytes, otherwise over UTF-16 units.
#[must_use]
pub fn name_hash(text: &str, wide: bool) -> u64 {
    if wide { hash::lower_utf16(text) } else { hash::city(text.to_ascii_lowercase().as_bytes()) }
}

impl serde::Serialize for NameMap {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

fn algorithm(r: &mut Reader<'_>) -> Result<(), Fault> {
    let at = r.clone();
    match r.u64("name hash algorithm")? {
        HASH_ALGORITHM => Ok(()),
        found => {
            let kind = FaultKind::Unexpected { found, expected: HASH_ALGORITHM };
            Err(at.fault("name hash algorithm", kind))
        }
    }
}

/// Decodes a header: UTF-16 or not, and the number of characters or units.
fn header_of([hi, lo]: [u8; 2]) -> (bool, usize) {
    (hi & 0x80 != 0, usize::from(u16::from_be_bytes([hi & 0x7F, lo])))
}

#[cfg(test)]
mod tests;

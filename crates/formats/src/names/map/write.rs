//! The inverse of the reader: the same names give the same bytes.

use super::{HASH_ALGORITHM, MappedName, NameMap, name_hash};
use crate::wire::Writer;

/// Longest name that the 15-bit length allows, in bytes or UTF-16 units.
const MAX_NAME: usize = 0x7FFF;

impl NameMap {
    /// Creates a table of these names, in this order; `None` if one is too long for any file.
    ///
    /// ```
    /// # use uncask_formats as uncask;
    /// use uncask::{names::NameMap, wire::{Reader, Writer}};
    ///
    /// let names = NameMap::from_names(["None", "Größe"]).unwrap();
    /// let mut w = Writer::new();
    /// names.write_batch(&mut w);
    /// assert_eq!(NameMap::parse_batch(&mut Reader::new(&w.into_bytes())), Ok(names));
    /// ```
    #[must_use]
    pub fn from_names<'a>(names: impl IntoIterator<Item = &'a str>) -> Option<Self> {
        let mut map = Self::default();
        names.into_iter().try_for_each(|name| map.add(name).map(drop))?;
        Some(map)
    }

    /// Appends a name in the engine's form, and returns its index; `None` if it is too long for any file.
    pub fn add(&mut self, name: &str) -> Option<u32> {
        // The engine writes UTF-16 if any character is not ASCII.
        let wide = !name.is_ascii();
        let len = if wide { name.encode_utf16().count() } else { name.len() };
        let index = u32::try_from(self.ends.len()).ok()?;
        let end = u32::try_from(self.text.len() + name.len()).ok()?;
        if len > MAX_NAME {
            return None;
        }
        if wide {
            self.wide.push(index);
        }
        self.text.push_str(name);
        self.ends.push(end);
        self.hashes.push(name_hash(name, wide));
        Some(index)
    }

    /// Writes a batch (UE5).
    pub fn write_batch(&self, w: &mut Writer) {
        let count = u32::try_from(self.len()).unwrap_or(u32::MAX);
        w.u32(count);
        // An empty batch consists of its count alone.
        if count == 0 {
            return;
        }
        // Each text is encoded once, because its length precedes the hashes.
        let texts: Vec<Vec<u8>> = (0..count).map(|index| self.stored(index)).collect();
        let len: usize = texts.iter().map(Vec::len).sum();
        w.u32(u32::try_from(len).unwrap_or(u32::MAX)).u64(HASH_ALGORITHM);
        for hash in &self.hashes {
            w.u64(*hash);
        }
        for index in 0..count {
            w.bytes(&self.header(index));
        }
        for text in &texts {
            w.bytes(text);
        }
    }

    /// Writes the two blobs of UE4: names, then their hashes.
    #[must_use]
    pub(crate) fn write_parts(&self) -> (Vec<u8>, Vec<u8>) {
        let (mut names, mut hashes) = (Writer::new(), Writer::new());
        // Also written for an empty table, as the engine does.
        hashes.u64(HASH_ALGORITHM);
        for (index, hash) in (0..).zip(&self.hashes) {
            names.bytes(&self.header(index));
            // The filler lies between the header and the text.
            if self.is_wide(index) && !names.len().is_multiple_of(2) {
                names.u8(0);
            }
            names.bytes(&self.stored(index));
            hashes.u64(*hash);
        }
        (names.into_bytes(), hashes.into_bytes())
    }

    fn is_wide(&self, index: u32) -> bool {
        self.wide.binary_search(&index).is_ok()
    }

    /// Returns the bytes of a name in file form.
    fn stored(&self, index: u32) -> Vec<u8> {
        let text = self.get(index).unwrap_or_default();
        if self.is_wide(index) {
            // Lone surrogates were replaced when reading, so they are not restored.
            text.encode_utf16().flat_map(u16::to_le_bytes).collect()
        } else {
            text.as_bytes().to_vec()
        }
    }

    fn header(&self, index: u32) -> [u8; 2] {
        let text = self.get(index).unwrap_or_default();
        let (len, flag) =
            if self.is_wide(index) { (text.encode_utf16().count(), 0x8000) } else { (text.len(), 0) };
        (u16::try_from(len.min(MAX_NAME)).unwrap_or(0) | flag).to_be_bytes()
    }
}

impl MappedName {
    /// Writes the two numbers.
    pub fn write(self, w: &mut Writer) {
        w.u32(self.raw()).u32(self.number);
    }
}

//! Writes `.locres` files.

use super::RESOURCE_MAGIC;
use super::resource::{EntryRow, LocalizationResource, NamespaceRow, Shared};
use crate::wire::Writer;
use std::collections::HashMap;

/// Position of the string table's offset in a file.
const STRINGS_AT: usize = RESOURCE_MAGIC.len() + 1;

impl LocalizationResource {
    /// Writes the file. A file of the engine that was read and not edited becomes the same bytes again.
    ///
    /// ```
    /// # use uncask_formats as uncask;
    /// use uncask::localization::LocalizationResource;
    ///
    /// let file = b"\x01\0\0\0\x05\0\0\0Menu\0\x01\0\0\0\x05\0\0\0play\0\x07\0\0\0\x08\0\0\0Spielen\0";
    /// assert_eq!(LocalizationResource::parse(file)?.write(), file);
    /// # Ok::<(), uncask::wire::Fault>(())
    /// ```
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        // The table of the file is kept, including strings that no entry uses.
        if !self.is_edited {
            let own: Vec<u32> = self.entries.iter().map(|entry| entry.text).collect();
            return self.write_with(&self.strings, &own);
        }
        let (strings, texts) = self.shared_strings();
        self.write_with(&strings, &texts)
    }

    /// Returns strings in the order of their first use, each once, and the string of each entry. An entry
    /// with a missing string keeps an index that is out of range.
    fn shared_strings(&self) -> (Vec<Shared>, Vec<u32>) {
        let mut strings: Vec<Shared> = Vec::new();
        let mut known: HashMap<&str, u32> = HashMap::new();
        let texts = self.entries.iter().map(|entry| {
            let (Some(text), Some(old)) = (self.text(entry), self.strings.get(entry.text as usize)) else {
                return u32::MAX;
            };
            let next = u32::try_from(strings.len()).unwrap_or(u32::MAX);
            // Equal texts share one string, as in the engine's files.
            let at = *known.entry(text).or_insert(next);
            // A new text gets the next index, so equality means that it was just added.
            if at == next {
                strings.push(Shared { text: old.text, uses: self.version.has_counts().then_some(0) });
            }
            if let Some(uses) = strings.get_mut(at as usize).and_then(|string| string.uses.as_mut()) {
                *uses = uses.saturating_add(1);
            }
            at
        });
        let texts = texts.collect();
        (strings, texts)
    }

    fn write_with(&self, strings: &[Shared], texts: &[u32]) -> Vec<u8> {
        let mut w = Writer::new();
        if self.version.has_magic() {
            w.bytes(&RESOURCE_MAGIC).u8(self.version.to_wire()).i64(0);
        }
        if self.version.has_counts() {
            w.u32(self.declared.unwrap_or_else(|| count(self.entries.len())));
        }
        w.u32(count(self.namespaces.len()));
        for namespace in &self.namespaces {
            self.write_namespace(namespace, strings, texts, &mut w);
        }
        let start = w.len();
        if self.version.has_string_table() {
            self.write_strings(strings, &mut w);
        }
        let mut bytes = w.into_bytes();
        // The offset is patched last, when the length of the entries is known.
        if let Some(place) = bytes.get_mut(STRINGS_AT..STRINGS_AT + 8).filter(|_| self.version.has_magic()) {
            place.copy_from_slice(&(start as u64).to_le_bytes());
        }
        bytes
    }

    fn write_namespace(&self, row: &NamespaceRow, strings: &[Shared], texts: &[u32], w: &mut Writer) {
        let range = row.entries.start as usize..row.entries.end as usize;
        let entries = self.entries.get(range.clone()).unwrap_or_default();
        self.write_hash(row.hash, w);
        self.texts.write(w, row.name);
        w.u32(count(entries.len()));
        for (entry, text) in entries.iter().zip(texts.get(range).unwrap_or_default()) {
            let EntryRow { key, hash, source_hash, .. } = *entry;
            self.write_hash(hash, w);
            self.texts.write(w, key);
            w.u32(source_hash);
            if self.version.has_string_table() {
                w.u32(*text);
            } else if let Some(string) = strings.get(*text as usize) {
                self.texts.write(w, string.text);
            } else {
                // A legacy entry has no index, so a missing text can only be empty.
                w.string("");
            }
        }
    }

    fn write_hash(&self, hash: u32, w: &mut Writer) {
        if self.version.has_key_hashes() {
            w.u32(hash);
        }
    }

    fn write_strings(&self, strings: &[Shared], w: &mut Writer) {
        w.u32(count(strings.len()));
        for string in strings {
            self.texts.write(w, string.text);
            if let Some(uses) = string.uses {
                w.i32(uses);
            }
        }
    }
}

fn count(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}

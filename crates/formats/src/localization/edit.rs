//! Changed and added texts.

use super::key_hash;
use super::resource::{EntryRow, LocalizationResource, NamespaceRow, Shared};
use super::text::Span;
use crate::version::KeyHash;
use crate::wire::{Fault, FaultKind};
use std::collections::HashMap;

/// A text to be added to a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewText<'a> {
    /// Namespace.
    pub namespace: &'a str,
    /// Key within the namespace.
    pub key: &'a str,
    /// CRC-32 of the source text: [`source_hash`].
    pub source_hash: u32,
    /// Translated text.
    pub text: &'a str,
}

/// Hash of a source text, by which the engine recognises outdated translations.
#[must_use]
pub fn source_hash(text: &str) -> u32 {
    key_hash(KeyHash::Crc32, text)
}

impl LocalizationResource {
    /// Replaces the text of an entry. Entries are counted through all namespaces, in file order; a missing
    /// one is ignored. Other entries with the same old text keep it.
    ///
    /// ```
    /// # use uncask_formats as uncask;
    /// use uncask::localization::LocalizationResource;
    ///
    /// let file = b"\x01\0\0\0\x05\0\0\0Menu\0\x01\0\0\0\x05\0\0\0play\0\x07\0\0\0\x08\0\0\0Spielen\0";
    /// let mut texts = LocalizationResource::parse(file)?;
    /// texts.set_text(0, "Los")?;
    /// assert!(texts.write().ends_with(b"play\0\x07\0\0\0\x04\0\0\0Los\0"));
    /// # Ok::<(), uncask::wire::Fault>(())
    /// ```
    pub fn set_text(&mut self, entry: usize, text: &str) -> Result<(), Fault> {
        if entry < self.entries.len() {
            let at = self.add_string(text)?;
            if let Some(entry) = self.entries.get_mut(entry) {
                entry.text = at;
            }
        }
        Ok(())
    }

    /// Adds texts at the end of their namespaces. New namespaces follow the existing ones.
    pub fn add<'a>(&mut self, texts: impl IntoIterator<Item = NewText<'a>>) -> Result<(), Fault> {
        // New names are hashed like the existing ones, so that the engine finds them.
        let hash = self.key_hash();
        let mut places = self.namespaces_by_name();
        let mut added: Vec<Vec<EntryRow>> = vec![Vec::new(); self.namespaces.len()];
        for new in texts {
            let place = match places.get(new.namespace) {
                // Filled in below, in one pass for all namespaces.
                Some(place) => *place,
                None => {
                    let (name, hash) = self.add_name(new.namespace, hash)?;
                    let end = number(self.entries.len())?;
                    self.namespaces.push(NamespaceRow { name, hash, entries: end..end });
                    added.push(Vec::new());
                    places.insert(new.namespace.to_owned(), added.len() - 1);
                    added.len() - 1
                }
            };
            let (key, hash) = self.add_name(new.key, hash)?;
            let text = self.add_string(new.text)?;
            if let Some(rows) = added.get_mut(place) {
                rows.push(EntryRow { key, hash, source_hash: new.source_hash, text });
            }
        }
        self.append(&added)
    }

    fn namespaces_by_name(&self) -> HashMap<String, usize> {
        let names = self.namespaces.iter().map(|row| self.texts.get(row.name).to_owned());
        // If a name is repeated, the first namespace counts.
        names.zip(0..).collect::<Vec<_>>().into_iter().rev().collect()
    }

    /// Appends new entries to their namespaces.
    fn append(&mut self, added: &[Vec<EntryRow>]) -> Result<(), Fault> {
        // Entries of a namespace are contiguous, so all of them have to be laid out again.
        let mut entries = Vec::with_capacity(self.entries.len() + added.iter().map(Vec::len).sum::<usize>());
        for (namespace, new) in self.namespaces.iter_mut().zip(added) {
            let old = namespace.entries.start as usize..namespace.entries.end as usize;
            let start = number(entries.len())?;
            entries.extend(self.entries.get(old).unwrap_or_default());
            entries.extend(new);
            namespace.entries = start..number(entries.len())?;
        }
        self.entries = entries;
        self.declared = self.declared.map(|_| u32::try_from(self.entries.len()).unwrap_or(u32::MAX));
        Ok(())
    }

    fn add_name(&mut self, name: &str, kind: Option<KeyHash>) -> Result<(Span, u32), Fault> {
        Ok((self.texts.add(name).map_err(too_large)?, kind.map_or(0, |kind| key_hash(kind, name))))
    }

    fn add_string(&mut self, text: &str) -> Result<u32, Fault> {
        let at = number(self.strings.len())?;
        let text = self.texts.add(text).map_err(too_large)?;
        self.strings.push(Shared { text, uses: None });
        // Use counts are recomputed when the resource is written.
        self.is_edited = true;
        Ok(at)
    }
}

fn number(count: usize) -> Result<u32, Fault> {
    let limit = FaultKind::TooLarge { found: count as u64, limit: u32::MAX.into() };
    u32::try_from(count).map_err(|_| too_large(limit))
}

/// There is no file position: the resource is being built.
const fn too_large(kind: FaultKind) -> Fault {
    Fault { offset: 0, field: "localized string", kind }
}

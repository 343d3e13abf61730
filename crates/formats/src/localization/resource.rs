use super::text::{Span, Texts};
use super::{RESOURCE_MAGIC, key_hash};
use crate::version::{KeyHash, LocResVersion};
use crate::wire::{Fault, Partial};
use std::ops::Range;

/// Texts of one language, by namespace and key (`FTextLocalizationResource`).
///
/// ```
/// # use uncask_formats as uncask;
/// use uncask::localization::LocalizationResource;
///
/// let file = b"\x01\0\0\0\x05\0\0\0Menu\0\x01\0\0\0\x05\0\0\0play\0\x07\0\0\0\x08\0\0\0Spielen\0";
/// let texts = LocalizationResource::parse(file)?;
/// for space in texts.namespaces() {
///     for entry in space.entries() {
///         assert_eq!((space.name(), entry.key, entry.text), ("Menu", "play", Some("Spielen")));
///     }
/// }
/// # assert_eq!(texts.entry_count(), 1);
/// # Ok::<(), uncask::wire::Fault>(())
/// ```
#[doc(alias = "FTextLocalizationResource")]
#[derive(Debug, Clone)]
pub struct LocalizationResource {
    pub(super) version: LocResVersion,
    /// Recorded number of entries.
    pub(super) declared: Option<u32>,
    pub(super) texts: Texts,
    /// Strings that entries refer to: the table of the file or, in a legacy file, the text of each entry.
    pub(super) strings: Vec<Shared>,
    pub(super) namespaces: Vec<NamespaceRow>,
    /// All entries, in order of their namespaces.
    pub(super) entries: Vec<EntryRow>,
    /// True if strings were added after reading.
    pub(super) is_edited: bool,
    /// Hash function for the first names of an empty resource, if it is not the default.
    pub(super) first_hash: Option<KeyHash>,
}

/// A string of the table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shared {
    pub text: Span,
    /// Number of entries using it, if the version records it.
    pub uses: Option<i32>,
}

#[derive(Debug, Clone)]
pub(super) struct NamespaceRow {
    pub name: Span,
    pub hash: u32,
    pub entries: Range<u32>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct EntryRow {
    pub key: Span,
    pub hash: u32,
    pub source_hash: u32,
    /// Index of its string; may be out of range.
    pub text: u32,
}

/// A namespace and its entries.
#[derive(Debug, Clone, Copy)]
pub struct Namespace<'a> {
    resource: &'a LocalizationResource,
    row: &'a NamespaceRow,
}

/// A text and its key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry<'a> {
    /// Key within the namespace.
    pub key: &'a str,
    /// Hash of the key, if the version has hashes.
    pub hash: Option<u32>,
    /// CRC-32 of the source text.
    pub source_hash: u32,
    /// Text; `None` if the index of its string is out of range.
    pub text: Option<&'a str>,
}

impl LocalizationResource {
    /// Creates an empty resource.
    #[must_use]
    pub fn new(version: LocResVersion) -> Self {
        Self {
            version,
            declared: version.has_counts().then_some(0),
            texts: Texts::default(),
            strings: Vec::new(),
            namespaces: Vec::new(),
            entries: Vec::new(),
            is_edited: false,
            first_hash: None,
        }
    }

    /// Creates an empty resource with the same hash function.
    #[must_use]
    pub fn emptied(&self) -> Self {
        Self { first_hash: self.key_hash(), ..Self::new(self.version) }
    }

    /// Reads a `.locres` file. Without the magic it is read as a legacy file.
    pub fn parse(bytes: &[u8]) -> Result<Self, Fault> {
        Self::parse_partial(bytes).complete()
    }

    /// Reads as much of a `.locres` file as is sound.
    #[must_use]
    pub fn parse_partial(bytes: &[u8]) -> Partial<Self> {
        let mut resource = Self::new(LocResVersion::Legacy);
        let fault = resource.fill(bytes).err();
        Partial { value: resource, fault }
    }

    /// Returns true if a file starts with the magic of non-legacy files.
    #[must_use]
    pub fn is(bytes: &[u8]) -> bool {
        bytes.starts_with(&RESOURCE_MAGIC)
    }

    /// Returns the version of the file.
    #[must_use]
    pub const fn version(&self) -> LocResVersion {
        self.version
    }

    /// Iterates over the namespaces, in file order.
    #[must_use]
    pub fn namespaces(&self) -> impl ExactSizeIterator<Item = Namespace<'_>> {
        self.namespaces.iter().map(|row| Namespace { resource: self, row })
    }

    /// Returns the number of entries of all namespaces.
    #[must_use]
    pub const fn entry_count(&self) -> usize {
        self.entries.len()
    }

    /// Returns the recorded number of entries.
    #[must_use]
    pub const fn declared_entries(&self) -> Option<u32> {
        self.declared
    }

    /// Iterates over the strings of the table and, if recorded, the number of entries using each.
    #[must_use]
    pub fn strings(&self) -> impl ExactSizeIterator<Item = (&str, Option<i32>)> {
        let table = if self.version.has_string_table() { self.strings.as_slice() } else { &[] };
        table.iter().map(|string| (self.texts.get(string.text), string.uses))
    }

    /// Returns the number of entries whose string is missing.
    #[must_use]
    pub fn missing_texts(&self) -> usize {
        self.entries.iter().filter(|entry| self.text(entry).is_none()).count()
    }

    /// Returns the text of an entry; `None` if its string is missing.
    pub(super) fn text(&self, entry: &EntryRow) -> Option<&str> {
        self.strings.get(entry.text as usize).map(|string| self.texts.get(string.text))
    }

    /// Returns the hash function that matches most namespaces and keys, if the version has hashes.
    #[must_use]
    pub fn key_hash(&self) -> Option<KeyHash> {
        if self.namespaces.is_empty() {
            return self.first_hash.or_else(|| self.version.key_hashes().first().copied());
        }
        let kinds = self.version.key_hashes().iter().copied();
        // If both match equally well, the older one.
        kinds
            .rev()
            .max_by_key(|kind| self.names().filter(|(text, hash)| key_hash(*kind, text) == *hash).count())
    }

    /// Returns the number of namespaces and keys whose hash matches no function of the version: the engine
    /// does not find them.
    #[must_use]
    pub fn wrong_hashes(&self) -> usize {
        let kinds = self.version.key_hashes();
        // A hash is right if any function of the version gives it: files may mix them.
        let is_wrong = |(text, hash): &(&str, u32)| !kinds.iter().any(|kind| key_hash(*kind, text) == *hash);
        if kinds.is_empty() { 0 } else { self.names().filter(is_wrong).count() }
    }

    /// Iterates over namespaces and keys with their hashes.
    fn names(&self) -> impl Iterator<Item = (&str, u32)> {
        let spaces = self.namespaces.iter().map(|row| (row.name, row.hash));
        let keys = self.entries.iter().map(|row| (row.key, row.hash));
        spaces.chain(keys).map(|(text, hash)| (self.texts.get(text), hash))
    }
}

impl<'a> Namespace<'a> {
    /// Returns the name; often empty.
    #[must_use]
    pub fn name(self) -> &'a str {
        self.resource.texts.get(self.row.name)
    }

    /// Returns the hash of the name, if the version has hashes.
    #[must_use]
    pub fn hash(self) -> Option<u32> {
        self.resource.version.has_key_hashes().then_some(self.row.hash)
    }

    /// Iterates over the entries, in file order.
    #[must_use]
    pub fn entries(self) -> impl ExactSizeIterator<Item = Entry<'a>> {
        let (resource, range) = (self.resource, &self.row.entries);
        let rows = resource.entries.get(range.start as usize..range.end as usize).unwrap_or_default();
        let has_hash = resource.version.has_key_hashes();
        rows.iter().map(move |row| Entry {
            key: resource.texts.get(row.key),
            hash: has_hash.then_some(row.hash),
            source_hash: row.source_hash,
            text: resource.text(row),
        })
    }
}

use super::text::{Span, Texts};
use super::{RESOURCE_MAGIC, key_hash};
use crate::version::{KeyHash, LocResVersion};
use crate::wire::{Fault, Partial};
use std::ops::Range;

/// `FTextLocalizationResource`: the texts of one language, by namespace and key.
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
    /// Number of entries that the file records.
    pub(super) declared: Option<u32>,
    pub(super) texts: Texts,
    /// What entries refer to: the table of the file, or, in a legacy file, the text of each entry.
    pub(super) strings: Vec<Shared>,
    pub(super) namespaces: Vec<NamespaceRow>,
    /// All entries, namespace by namespace.
    pub(super) entries: Vec<EntryRow>,
    /// Whether there are strings that the file did not have.
    pub(super) is_edited: bool,
    /// What names are hashed with while there are none, if not as of old.
    pub(super) first_hash: Option<KeyHash>,
}

/// A string of the table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shared {
    pub text: Span,
    /// How many entries use it, where the version has that.
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
    /// Its string, by position; there may be no such string.
    pub text: u32,
}

/// Texts that belong together.
#[derive(Debug, Clone, Copy)]
pub struct Namespace<'a> {
    resource: &'a LocalizationResource,
    row: &'a NamespaceRow,
}

/// A text, and what it is asked for by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry<'a> {
    /// What it is asked for by, in its namespace.
    pub key: &'a str,
    /// The hash of the key, where the version has it.
    pub hash: Option<u32>,
    /// CRC-32 of the text that was translated.
    pub source_hash: u32,
    /// The text; `None` where the file refers to a string that it does not have.
    pub text: Option<&'a str>,
}

impl LocalizationResource {
    /// A resource without texts.
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

    /// A resource without texts, for texts that are hashed as these.
    #[must_use]
    pub fn emptied(&self) -> Self {
        Self { first_hash: self.key_hash(), ..Self::new(self.version) }
    }

    /// Reads a `.locres` file. Without the magic it is taken for a legacy one.
    pub fn parse(bytes: &[u8]) -> Result<Self, Fault> {
        Self::parse_partial(bytes).complete()
    }

    /// Reads as much of a `.locres` file as there is.
    #[must_use]
    pub fn parse_partial(bytes: &[u8]) -> Partial<Self> {
        let mut resource = Self::new(LocResVersion::Legacy);
        let fault = resource.fill(bytes).err();
        Partial { value: resource, fault }
    }

    /// Whether a file starts as one does that is not legacy.
    #[must_use]
    pub fn is(bytes: &[u8]) -> bool {
        bytes.starts_with(&RESOURCE_MAGIC)
    }

    /// What the file has.
    #[must_use]
    pub const fn version(&self) -> LocResVersion {
        self.version
    }

    /// The namespaces, in file order.
    #[must_use]
    pub fn namespaces(&self) -> impl ExactSizeIterator<Item = Namespace<'_>> {
        self.namespaces.iter().map(|row| Namespace { resource: self, row })
    }

    /// Number of entries of all namespaces.
    #[must_use]
    pub const fn entry_count(&self) -> usize {
        self.entries.len()
    }

    /// Number of entries that the file records before them.
    #[must_use]
    pub const fn declared_entries(&self) -> Option<u32> {
        self.declared
    }

    /// The strings of the table, and how many entries use each, where the version has that.
    #[must_use]
    pub fn strings(&self) -> impl ExactSizeIterator<Item = (&str, Option<i32>)> {
        let table = if self.version.has_string_table() { self.strings.as_slice() } else { &[] };
        table.iter().map(|string| (self.texts.get(string.text), string.uses))
    }

    /// Number of entries that refer to a string that is not there.
    #[must_use]
    pub fn missing_texts(&self) -> usize {
        self.entries.iter().filter(|entry| self.text(entry).is_none()).count()
    }

    /// The text of an entry; `None` if it refers to a string that is not there.
    pub(super) fn text(&self, entry: &EntryRow) -> Option<&str> {
        self.strings.get(entry.text as usize).map(|string| self.texts.get(string.text))
    }

    /// What most namespaces and keys are hashed with, if the version has hashes.
    #[must_use]
    pub fn key_hash(&self) -> Option<KeyHash> {
        if self.namespaces.is_empty() {
            return self.first_hash.or_else(|| self.version.key_hashes().first().copied());
        }
        let kinds = self.version.key_hashes().iter().copied();
        // Of two that fit equally well, the older.
        kinds
            .rev()
            .max_by_key(|kind| self.names().filter(|(text, hash)| key_hash(*kind, text) == *hash).count())
    }

    /// Namespaces and keys whose hash is not that of their text, whichever way the version may have it: the engine does not
    /// find them.
    #[must_use]
    pub fn wrong_hashes(&self) -> usize {
        let kinds = self.version.key_hashes();
        let is_wrong = |(text, hash): &(&str, u32)| !kinds.iter().any(|kind| key_hash(*kind, text) == *hash);
        if kinds.is_empty() { 0 } else { self.names().filter(is_wrong).count() }
    }

    /// Namespaces and keys with their hashes.
    fn names(&self) -> impl Iterator<Item = (&str, u32)> {
        let spaces = self.namespaces.iter().map(|row| (row.name, row.hash));
        let keys = self.entries.iter().map(|row| (row.key, row.hash));
        spaces.chain(keys).map(|(text, hash)| (self.texts.get(text), hash))
    }
}

impl<'a> Namespace<'a> {
    /// Its name; often empty.
    #[must_use]
    pub fn name(self) -> &'a str {
        self.resource.texts.get(self.row.name)
    }

    /// The hash of its name, where the version has it.
    #[must_use]
    pub fn hash(self) -> Option<u32> {
        self.resource.version.has_key_hashes().then_some(self.row.hash)
    }

    /// Its entries, in file order.
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

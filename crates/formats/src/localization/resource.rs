use super::text::{Span, Texts};
use super::{RESOURCE_MAGIC, key_hash};
use crate::{
    version::{KeyHash, LocResVersion},
    wire::{Fault, FaultKind, Partial, Reader},
};
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
    version: LocResVersion,
    declared: Option<u32>,
    texts: Texts,
    strings: Vec<Shared>,
    namespaces: Vec<NamespaceRow>,
    entries: Vec<EntryRow>,
    /// Bytes of shared strings that entries may still have.
    left: u64,
}

/// How long the texts of all entries may be, for each byte of the file: one string may be the text of many entries, so that a
/// short file could be texts without end.
const MAX_SHARING: u64 = 16;

/// How long they may be in any case.
const ALWAYS: u64 = 1 << 20;

/// A string of the table.
#[derive(Debug, Clone, Copy)]
struct Shared {
    text: Span,
    uses: Option<i32>,
}

#[derive(Debug, Clone)]
struct NamespaceRow {
    name: Span,
    hash: u32,
    entries: Range<u32>,
}

#[derive(Debug, Clone, Copy)]
struct EntryRow {
    key: Span,
    hash: u32,
    source_hash: u32,
    text: Option<Span>,
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

/// The shortest string, namespace and entry: an empty string is its length alone.
const STRING_LEN: usize = 4;
const NAMESPACE_LEN: usize = 8;
const ENTRY_LEN: usize = 12;

impl LocalizationResource {
    /// Reads a `.locres` file. Without the magic it is taken for a legacy one.
    pub fn parse(bytes: &[u8]) -> Result<Self, Fault> {
        Self::parse_partial(bytes).complete()
    }

    /// Reads as much of a `.locres` file as there is.
    #[must_use]
    pub fn parse_partial(bytes: &[u8]) -> Partial<Self> {
        let mut resource = Self {
            version: LocResVersion::Legacy,
            declared: None,
            texts: Texts::default(),
            strings: Vec::new(),
            namespaces: Vec::new(),
            entries: Vec::new(),
            left: ALWAYS + MAX_SHARING * bytes.len() as u64,
        };
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
        self.strings.iter().map(|string| (self.texts.get(string.text), string.uses))
    }

    /// Number of entries that refer to a string that is not there.
    #[must_use]
    pub fn missing_texts(&self) -> usize {
        self.entries.iter().filter(|entry| entry.text.is_none()).count()
    }

    /// What most namespaces and keys are hashed with, if the version has hashes.
    #[must_use]
    pub fn key_hash(&self) -> Option<KeyHash> {
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

    fn fill(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        let mut r = Reader::new(bytes);
        let strings = self.header(&mut r, bytes)?;
        let mut entries = match strings {
            // What comes first ends where the strings start.
            Some(start) if start >= r.offset() => Reader::section(bytes, r.offset(), start, "entries")?,
            _ => r,
        };
        let table = strings.map(|start| Reader::at(bytes, start, "string table")).transpose()?;
        let in_strings = table.map_or(Ok(()), |r| self.string_table(r));
        self.all_namespaces(&mut entries).and(in_strings)?;
        entries.finish("localization resource")
    }

    /// Reads the version; returns where the strings lie.
    fn header(&mut self, r: &mut Reader<'_>, bytes: &[u8]) -> Result<Option<u64>, Fault> {
        if !Self::is(bytes) {
            return Ok(None);
        }
        r.bytes("localization resource magic", RESOURCE_MAGIC.len())?;
        let at = r.clone();
        let found = r.u8("localization resource version")?;
        let known = LocResVersion::from_wire(found).filter(|version| version.has_magic());
        let unsupported = FaultKind::Unsupported { found: found.into() };
        self.version = known.ok_or_else(|| at.fault("localization resource version", unsupported))?;
        let at = r.clone();
        match r.i64("string table offset")? {
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

    fn all_namespaces(&mut self, r: &mut Reader<'_>) -> Result<(), Fault> {
        self.declared = r.when(self.version.has_counts(), |r| r.u32("entry count"))?;
        let count = r.count("namespace count", NAMESPACE_LEN)?;
        self.namespaces.reserve(count);
        for _ in 0..count {
            let hash = self.hash(r, "namespace hash")?;
            let name = self.texts.read(r, "namespace")?;
            let keys = r.count("key count", ENTRY_LEN)?;
            self.entries.reserve(keys);
            let first = self.next_entry(r)?;
            self.namespaces.push(NamespaceRow { name, hash, entries: first..first });
            let read = (0..keys).try_for_each(|_| self.entry(r));
            // A namespace that is cut off keeps what it has.
            let end = self.next_entry(r)?;
            if let Some(namespace) = self.namespaces.last_mut() {
                namespace.entries.end = end;
            }
            read?;
        }
        Ok(())
    }

    fn entry(&mut self, r: &mut Reader<'_>) -> Result<(), Fault> {
        let hash = self.hash(r, "key hash")?;
        let key = self.texts.read(r, "key")?;
        let source_hash = r.u32("source hash")?;
        let text = if self.version.has_string_table() {
            let at = r.clone();
            let index = r.u32("string index")?;
            let text = self.strings.get(index as usize).map(|string| string.text);
            let len = text.map_or(0, Span::len);
            let too_large = FaultKind::TooLarge { found: len, limit: self.left };
            self.left =
                self.left.checked_sub(len).ok_or_else(|| at.fault("texts of all entries", too_large))?;
            text
        } else {
            Some(self.texts.read(r, "localized string")?)
        };
        self.entries.push(EntryRow { key, hash, source_hash, text });
        Ok(())
    }

    fn hash(&self, r: &mut Reader<'_>, field: &'static str) -> Result<u32, Fault> {
        Ok(r.when(self.version.has_key_hashes(), |r| r.u32(field))?.unwrap_or(0))
    }

    fn next_entry(&self, r: &Reader<'_>) -> Result<u32, Fault> {
        let count = self.entries.len();
        let too_many = FaultKind::TooLarge { found: count as u64, limit: u32::MAX.into() };
        u32::try_from(count).map_err(|_| r.fault("key count", too_many))
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
            text: row.text.map(|text| resource.texts.get(text)),
        })
    }
}

//! Texts of a game: `.locres` and `.locmeta`.

use super::detect::Kind;
use super::view::{Sequence, View, capped, line};
use crate::printer::{Out, count};
use serde::{Serialize, Serializer, ser::SerializeStruct};
use std::ffi::OsStr;
use uncask::localization::{Entry, LocalizationMeta, LocalizationResource, META_MAGIC, Namespace};
use uncask::version::{KeyHash, LocResVersion};
use uncask::wire::Fault;

/// The texts of a language.
pub(super) struct TextsView(LocalizationResource);

#[derive(Serialize)]
struct NamespaceRow<'a, S> {
    name: &'a str,
    hash: Option<u32>,
    entries: S,
}

#[derive(Serialize)]
struct EntryRow<'a> {
    key: &'a str,
    hash: Option<u32>,
    source_hash: u32,
    text: Option<&'a str>,
}

/// Whether it is one of the two, and how that can be told.
pub(super) fn detect(bytes: &[u8], extension: &OsStr) -> Option<(Kind, String)> {
    if LocalizationResource::is(bytes) {
        return Some((Kind::Texts, "the magic of a localization resource".to_owned()));
    }
    if bytes.starts_with(&META_MAGIC) {
        return Some((Kind::TextsMeta, "the magic of localization metadata".to_owned()));
    }
    let reason = "the extension .locres; without the magic it can only be a legacy one";
    (extension == "locres").then(|| (Kind::Texts, reason.to_owned()))
}

/// Reads the texts of a language.
pub(super) fn look(bytes: &[u8]) -> (String, View, Option<(&'static str, Fault)>) {
    const STRUCTURE: &str = "localization resource";
    let partial = LocalizationResource::parse_partial(bytes);
    let kind = format!("{STRUCTURE}, {}", version(partial.value.version()));
    let view = View::Texts(Box::new(TextsView(partial.value)));
    (kind, view, partial.fault.map(|fault| (STRUCTURE, fault)))
}

/// Reads which languages there are.
pub(super) fn look_meta(bytes: &[u8]) -> (String, View, Option<(&'static str, Fault)>) {
    const STRUCTURE: &str = "localization metadata";
    match LocalizationMeta::parse(bytes) {
        Ok(meta) => {
            let kind = format!("{STRUCTURE}, version {}", meta.version.to_wire());
            (kind, View::TextsMeta(Box::new(meta)), None)
        }
        Err(fault) => (STRUCTURE.to_owned(), View::Unread, Some((STRUCTURE, fault))),
    }
}

fn version(version: LocResVersion) -> String {
    let name = match version {
        LocResVersion::Legacy => "legacy",
        LocResVersion::Compact => "compact",
        LocResVersion::OptimizedCrc32 => "optimized, CRC-32",
        LocResVersion::OptimizedCityHash64 => "optimized, CityHash64",
    };
    format!("version {} ({name})", version.to_wire())
}

impl TextsView {
    pub(super) fn print(&self, out: &mut Out) -> anyhow::Result<()> {
        let texts = &self.0;
        line(out, "namespaces", &count(texts.namespaces().len() as u64))?;
        line(out, "entries", &self.entries())?;
        if texts.version().has_string_table() {
            line(out, "strings", &format!("{} in the table", count(texts.strings().len() as u64)))?;
        }
        if let Some(kind) = texts.key_hash() {
            line(out, "key hashes", &self.hashes(kind))?;
        }
        let namespaces = texts
            .namespaces()
            .map(|space| format!("{:?}  {} entries", space.name(), count(space.entries().len() as u64)));
        capped(out, "namespaces", texts.namespaces().len(), namespaces)?;
        let entries =
            texts.namespaces().flat_map(|space| space.entries().map(move |entry| shown(space, entry)));
        capped(out, "entries", texts.entry_count(), entries)
    }

    fn entries(&self) -> String {
        let (found, missing) = (self.0.entry_count(), self.0.missing_texts());
        let mut shown = vec![count(found as u64)];
        if let Some(declared) = self.0.declared_entries().filter(|declared| *declared as usize != found) {
            shown.push(format!("though the file says {}", count(declared.into())));
        }
        if missing > 0 {
            shown.push(format!("{} of them without a string", count(missing as u64)));
        }
        shown.join(", ")
    }

    fn hashes(&self, kind: KeyHash) -> String {
        let kind = match kind {
            KeyHash::Crc32 => "CRC-32",
            KeyHash::CityHash64 => "CityHash64",
            KeyHash::CityHash64Murmur => "CityHash64 as UE 6.0 has it",
        };
        match self.0.wrong_hashes() {
            0 => format!("{kind}, all right"),
            wrong => format!("{kind}, {} wrong: the engine does not find those", count(wrong as u64)),
        }
    }
}

fn shown(space: Namespace<'_>, entry: Entry<'_>) -> String {
    let place = if space.name().is_empty() { String::new() } else { format!("{}/", space.name()) };
    let text = entry.text.map_or_else(|| "no string".to_owned(), |text| format!("{text:?}"));
    format!("{place}{}  {text}, source {:#010x}", entry.key, entry.source_hash)
}

/// Row by row, so that strings that many entries share are never all there at once.
impl Serialize for TextsView {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let texts = &self.0;
        let rows = Sequence(|| {
            texts.namespaces().map(|space| NamespaceRow {
                name: space.name(),
                hash: space.hash(),
                entries: Sequence(move || space.entries().map(EntryRow::new)),
            })
        });
        let mut fields = serializer.serialize_struct("texts", 7)?;
        fields.serialize_field("version", &texts.version().to_wire())?;
        fields.serialize_field("entries", &texts.entry_count())?;
        fields.serialize_field("declared_entries", &texts.declared_entries())?;
        fields.serialize_field("strings", &texts.strings().len())?;
        fields.serialize_field("missing_texts", &texts.missing_texts())?;
        fields.serialize_field("wrong_hashes", &texts.wrong_hashes())?;
        fields.serialize_field("namespaces", &rows)?;
        fields.end()
    }
}

impl<'a> EntryRow<'a> {
    const fn new(entry: Entry<'a>) -> Self {
        let Entry { key, hash, source_hash, text } = entry;
        Self { key, hash, source_hash, text }
    }
}

/// Prints which languages there are.
pub(super) fn print_meta(meta: &LocalizationMeta, out: &mut Out) -> anyhow::Result<()> {
    line(out, "native", &format!("{}, {}", meta.native_culture, meta.native_resource))?;
    if let Some(cultures) = &meta.compiled_cultures {
        line(out, "cultures", &cultures.join(", "))?;
    }
    match meta.is_ugc {
        Some(true) => line(out, "made by", "players"),
        Some(false) | None => Ok(()),
    }
}

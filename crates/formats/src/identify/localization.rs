//! Texts of a game: `.locres` and `.locmeta`.

use super::format::{Detected, File, Finding, Format, Input, Sureness};
use super::view::{Rows, View, ViewPart};
use crate::localization::{Entry, LocalizationMeta, LocalizationResource, META_MAGIC, Namespace};
use crate::version::{KeyHash, LocResVersion};
use crate::wire::{count, counted};
use serde::{Serialize, Serializer, ser::SerializeStruct};

/// Texts of a language: `.locres`.
pub(super) struct Texts;

/// List of languages: `.locmeta`.
pub(super) struct Languages;

struct TextsView(LocalizationResource);

#[derive(Serialize)]
struct LanguagesView(LocalizationMeta);

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

impl Format for Texts {
    fn detect(&self, file: &File<'_>) -> Option<Detected> {
        if LocalizationResource::is(file.start) {
            return Some(Detected::new(Sureness::Mark, "the magic of a localization resource"));
        }
        // The first version has no magic.
        let reason = "the extension .locres; without the magic it can only be a legacy one";
        (file.extension() == "locres").then(|| Detected::new(Sureness::Name, reason))
    }

    fn read<'a>(&self, input: &Input<'a>) -> Finding<'a> {
        const STRUCTURE: &str = "localization resource";
        let partial = LocalizationResource::parse_partial(input.bytes);
        let kind = format!("{STRUCTURE}, {}", version(partial.value.version()));
        Finding::new(STRUCTURE, kind, TextsView(partial.value), partial.fault)
    }
}

impl Format for Languages {
    fn detect(&self, file: &File<'_>) -> Option<Detected> {
        let has_magic = file.start.starts_with(&META_MAGIC);
        has_magic.then(|| Detected::new(Sureness::Mark, "the magic of localization metadata"))
    }

    fn read<'a>(&self, input: &Input<'a>) -> Finding<'a> {
        const STRUCTURE: &str = "localization metadata";
        match LocalizationMeta::parse(input.bytes) {
            Ok(meta) => {
                let kind = format!("{STRUCTURE}, version {}", meta.version.to_wire());
                Finding::new(STRUCTURE, kind, LanguagesView(meta), None)
            }
            Err(fault) => Finding::unread(STRUCTURE, fault),
        }
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
    fn entries(&self) -> String {
        let (found, missing) = (self.0.entry_count(), self.0.missing_texts());
        let mut shown = vec![count(found as u64)];
        // A different recorded number is shown, but is no fault.
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
        // The engine finds a text by its hash, so a wrong hash makes it invisible.
        match self.0.wrong_hashes() {
            0 => format!("{kind}, all right"),
            wrong => format!("{kind}, {} wrong: the engine does not find those", count(wrong as u64)),
        }
    }
}

impl View for TextsView {
    fn parts(&self) -> Vec<ViewPart<'_>> {
        let texts = &self.0;
        let mut parts = vec![
            ViewPart::fact("namespaces", count(texts.namespaces().len() as u64)),
            ViewPart::fact("entries", self.entries()),
        ];
        // Versions without a table have each string in its entry.
        if texts.version().has_string_table() {
            let strings = count(texts.strings().len() as u64);
            parts.push(ViewPart::fact("strings", format!("{strings} in the table")));
        }
        parts.extend(texts.key_hash().map(|kind| ViewPart::fact("key hashes", self.hashes(kind))));
        let namespace = |space: Namespace<'_>| {
            format!("{:?}  {}", space.name(), counted(space.entries().len() as u64, "entry", "entries"))
        };
        parts.push(ViewPart::long_list(
            "namespaces",
            texts.namespaces().len(),
            texts.namespaces().map(namespace),
        ));
        let entries =
            texts.namespaces().flat_map(|space| space.entries().map(move |entry| shown(space, entry)));
        parts.push(ViewPart::long_list("entries", texts.entry_count(), entries));
        parts
    }
}

impl View for LanguagesView {
    fn parts(&self) -> Vec<ViewPart<'_>> {
        let meta = &self.0;
        let native = format!("{}, {}", meta.native_culture, meta.native_resource);
        let cultures = meta.compiled_cultures.as_ref();
        // Shown only if true: metadata of the game itself is the usual case.
        let made_by =
            meta.is_ugc.filter(|by_players| *by_players).map(|_| ViewPart::fact("made by", "players"));
        std::iter::once(ViewPart::fact("native", native))
            .chain(cultures.map(|cultures| ViewPart::fact("cultures", cultures.join(", "))))
            .chain(made_by)
            .collect()
    }
}

fn shown(space: Namespace<'_>, entry: Entry<'_>) -> String {
    let place = if space.name().is_empty() { String::new() } else { format!("{}/", space.name()) };
    let text = entry.text.map_or_else(|| "no string".to_owned(), |text| format!("{text:?}"));
    format!("{place}{}  {text}, source {:#010x}", entry.key, entry.source_hash)
}

/// Written row by row, so that strings shared by many entries are never expanded all at once.
impl Serialize for TextsView {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let texts = &self.0;
        let rows = Rows(|| {
            texts.namespaces().map(|space| NamespaceRow {
                name: space.name(),
                hash: space.hash(),
                entries: Rows(move || space.entries().map(EntryRow::new)),
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

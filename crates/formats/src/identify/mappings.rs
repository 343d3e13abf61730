//! Properties of the classes of a game: `.usmap`.

use super::format::{Detected, File, Finding, Format, Input, Sureness};
use super::view::{Rows, View, ViewPart};
use crate::codec::Scratch;
use crate::mappings::{Enum, EnumValue, Header, MAGIC, Mappings, Property, Struct, StructKind, Versions};
use crate::wire::{count, counted, size};
use serde::{Serialize, Serializer, ser::SerializeStruct};
use std::borrow::Cow;

/// Limit on the parts of an enum or struct shown in a line.
const PARTS: usize = 6;

pub(super) struct TypeMappings;

/// Types of a game.
struct TypesView(Mappings);

#[derive(Serialize)]
struct EnumRow<'a, S> {
    package: Option<Cow<'a, str>>,
    name: Cow<'a, str>,
    values: S,
}

#[derive(Serialize)]
struct ValueRow<'a> {
    name: Cow<'a, str>,
    value: i64,
}

#[derive(Serialize)]
struct StructRow<'a, S> {
    package: Option<Cow<'a, str>>,
    name: Cow<'a, str>,
    #[serde(rename = "super")]
    base: Option<Cow<'a, str>>,
    kind: Option<StructKind>,
    flags: Option<u32>,
    elements: u32,
    properties: S,
}

#[derive(Serialize)]
struct PropertyRow<'a> {
    index: u16,
    array_len: u16,
    name: Cow<'a, str>,
    #[serde(rename = "type")]
    kind: String,
    flags: Option<u64>,
}

#[derive(Serialize)]
struct ExtensionRow {
    id: String,
    len: usize,
}

impl Format for TypeMappings {
    fn detect(&self, file: &File<'_>) -> Option<Detected> {
        // Two bytes of magic alone are too weak a mark, hence the check of sizes.
        if !file.start.starts_with(&MAGIC) {
            return None;
        }
        if Header::fits(file.start) {
            return Some(Detected::new(Sureness::Mark, "the magic of type mappings, and sizes that fit"));
        }
        // Damaged sizes: the extension decides.
        let reason = "the extension .usmap, and the magic of type mappings";
        (file.extension() == "usmap").then(|| Detected::new(Sureness::Name, reason))
    }

    fn read<'a>(&self, input: &Input<'a>) -> Finding<'a> {
        const STRUCTURE: &str = "type mappings";
        match Mappings::parse_partial(input.bytes, &mut Scratch::default()) {
            Err(fault) => Finding::unread(STRUCTURE, fault),
            Ok(partial) => {
                let version = partial.value.header.version;
                let kind = format!("{STRUCTURE}, version {} ({version:?})", version.to_wire());
                Finding::new(STRUCTURE, kind, TypesView(partial.value), partial.fault)
            }
        }
    }
}

impl TypesView {
    fn extensions(&self) -> impl Iterator<Item = ExtensionRow> {
        self.0.extensions().map(|extension| ExtensionRow {
            id: extension.id.escape_ascii().to_string(),
            len: extension.bytes.len(),
        })
    }
}

impl View for TypesView {
    fn parts(&self) -> Vec<ViewPart<'_>> {
        let types = &self.0;
        let header = &types.header;
        let mut parts = Vec::new();
        if let Some(made) = &header.metadata {
            let tool = format!("{} {}", made.tool, made.tool_version);
            parts.push(ViewPart::fact("made by", format!("{}, at {} s", tool.trim_end(), made.created_at)));
        }
        parts.extend(header.versions.as_ref().map(|shown| ViewPart::fact("versions", versions_shown(shown))));
        let [stored, raw] = [header.stored_len, header.raw_len].map(|len| size(len.into()));
        parts.push(ViewPart::fact("data", format!("{raw} in {stored}, compression {:?}", header.method)));
        // All tables are complete although the header records more bytes: a note, not a fault.
        if types.missing_len() > 0 {
            let missing = counted(types.missing_len(), "byte", "bytes");
            let note = format!("the header counts {missing} too many; nothing is missing");
            parts.push(ViewPart::fact("note", note));
        }
        let (enums, structs) = (types.enums().len(), types.structs().len());
        parts.push(ViewPart::fact("names", count(types.names().len() as u64)));
        parts.push(ViewPart::fact("enums", count(enums as u64)));
        parts.push(ViewPart::fact("structs", count(structs as u64)));
        parts.push(ViewPart::long_list("enums", enums, types.enums().map(enum_shown)));
        parts.push(ViewPart::long_list("structs", structs, types.structs().map(struct_shown)));
        let extension =
            |row: ExtensionRow| format!("{}  {}", row.id, counted(row.len as u64, "byte", "bytes"));
        let extensions = self.extensions().map(extension);
        parts.push(ViewPart::long_list("extensions", types.extensions().len(), extensions));
        parts
    }
}

fn versions_shown(versions: &Versions) -> String {
    let Versions { engine, ue4, ue5, custom, net_changelist } = versions;
    let engine = engine.as_ref().map_or_else(String::new, |engine| {
        format!("engine {}.{}.{} {}, ", engine.major, engine.minor, engine.patch, engine.branch)
    });
    format!("{engine}UE4 {ue4}, UE5 {ue5}, {} custom, net changelist {net_changelist}", custom.len())
}

fn enum_shown(row: Enum<'_>) -> String {
    let value = |value: EnumValue<'_>| format!("{} = {}", value.name, value.value);
    format!("{}  {}", row.name(), some(row.value_count(), row.values().map(value)))
}

fn struct_shown(row: Struct<'_>) -> String {
    // A length above 1 is a fixed array, as in C.
    let property = |property: Property<'_>| {
        let elements =
            if property.array_len > 1 { format!("[{}]", property.array_len) } else { String::new() };
        format!("{}{elements} {}", property.name, property.kind)
    };
    let base = row.super_name().map_or_else(String::new, |base| format!(" : {base}"));
    let properties = some(row.property_count(), row.properties().map(property));
    format!("{}{base}  {properties}", row.name())
}

/// Joins the first parts, and the number of the rest.
fn some(total: u32, parts: impl Iterator<Item = String>) -> String {
    let mut shown: Vec<String> = parts.take(PARTS).collect();
    let more = (total as usize).saturating_sub(shown.len());
    if more > 0 {
        shown.push(format!("and {} more", count(more as u64)));
    }
    if shown.is_empty() { "empty".to_owned() } else { shown.join(", ") }
}

/// Written row by row, so that names shared by many entries are never expanded all at once.
impl Serialize for TypesView {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let types = &self.0;
        let enums = Rows(|| {
            types.enums().map(|row| EnumRow {
                package: row.package(),
                name: row.name(),
                values: Rows(move || row.values().map(|EnumValue { name, value }| ValueRow { name, value })),
            })
        });
        let structs = Rows(|| {
            types.structs().map(|row| StructRow {
                package: row.package(),
                name: row.name(),
                base: row.super_name(),
                kind: row.kind(),
                flags: row.flags(),
                elements: row.element_count(),
                properties: Rows(move || row.properties().map(PropertyRow::new)),
            })
        });
        let mut fields = serializer.serialize_struct("types", 6)?;
        fields.serialize_field("header", &types.header)?;
        fields.serialize_field("missing_len", &types.missing_len())?;
        fields.serialize_field("names", &types.names().len())?;
        fields.serialize_field("enums", &enums)?;
        fields.serialize_field("structs", &structs)?;
        fields.serialize_field("extensions", &Rows(|| self.extensions()))?;
        fields.end()
    }
}

impl<'a> PropertyRow<'a> {
    fn new(property: Property<'a>) -> Self {
        let Property { index, array_len, name, kind, flags } = property;
        Self { index, array_len, name, kind: kind.to_string(), flags }
    }
}

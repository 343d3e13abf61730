//! What properties the classes of a game have: `.usmap`.

use super::detect::Kind;
use super::view::{Sequence, View, capped, line};
use crate::printer::{Out, count, size};
use serde::{Serialize, Serializer, ser::SerializeStruct};
use std::borrow::Cow;
use std::ffi::OsStr;
use uncask::codec::Scratch;
use uncask::mappings::{Enum, EnumValue, Header, MAGIC, Mappings, Property, Struct, StructKind, Versions};
use uncask::wire::Fault;

/// Parts of an enum or struct that a line has room for.
const PARTS: usize = 6;

/// The types of a game.
pub(super) struct TypesView(Mappings);

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

/// Whether it is that, and how that can be told.
pub(super) fn detect(bytes: &[u8], extension: &OsStr) -> Option<(Kind, String)> {
    if !bytes.starts_with(&MAGIC) {
        return None;
    }
    let reason = if Header::fits(bytes) {
        "the magic of type mappings, and sizes that fit"
    } else if extension == "usmap" {
        "the extension .usmap, and the magic of type mappings"
    } else {
        return None;
    };
    Some((Kind::Types, reason.to_owned()))
}

/// Reads the types.
pub(super) fn look(bytes: &[u8]) -> (String, View, Option<(&'static str, Fault)>) {
    const STRUCTURE: &str = "type mappings";
    match Mappings::parse_partial(bytes, &mut Scratch::default()) {
        Err(fault) => (STRUCTURE.to_owned(), View::Unread, Some((STRUCTURE, fault))),
        Ok(partial) => {
            let version = partial.value.header.version;
            let kind = format!("{STRUCTURE}, version {} ({version:?})", version.to_wire());
            let view = View::Types(Box::new(TypesView(partial.value)));
            (kind, view, partial.fault.map(|fault| (STRUCTURE, fault)))
        }
    }
}

impl TypesView {
    pub(super) fn print(&self, out: &mut Out) -> anyhow::Result<()> {
        let types = &self.0;
        let header = &types.header;
        if let Some(made) = &header.metadata {
            let tool = format!("{} {}", made.tool, made.tool_version);
            line(out, "made by", &format!("{}, at {} s", tool.trim_end(), made.created_at))?;
        }
        if let Some(versions) = &header.versions {
            line(out, "versions", &versions_shown(versions))?;
        }
        let [stored, raw] = [header.stored_len, header.raw_len].map(|len| size(len.into()));
        line(out, "data", &format!("{raw} in {stored}, compression {:?}", header.method))?;
        if types.missing_len() > 0 {
            let missing = count(types.missing_len());
            line(
                out,
                "note",
                &format!("the header counts {missing} bytes more than there are; nothing is missing"),
            )?;
        }
        line(out, "names", &count(types.names().len() as u64))?;
        line(out, "enums", &count(types.enums().len() as u64))?;
        line(out, "structs", &count(types.structs().len() as u64))?;
        capped(out, "enums", types.enums().len(), types.enums().map(enum_shown))?;
        capped(out, "structs", types.structs().len(), types.structs().map(struct_shown))?;
        let extension = |row: ExtensionRow| format!("{}  {} bytes", row.id, count(row.len as u64));
        capped(out, "extensions", types.extensions().len(), self.extensions().map(extension))
    }

    fn extensions(&self) -> impl Iterator<Item = ExtensionRow> {
        self.0.extensions().map(|extension| ExtensionRow {
            id: extension.id.escape_ascii().to_string(),
            len: extension.bytes.len(),
        })
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
    let property = |property: Property<'_>| {
        let elements =
            if property.array_len > 1 { format!("[{}]", property.array_len) } else { String::new() };
        format!("{}{elements} {}", property.name, property.kind)
    };
    let base = row.super_name().map_or_else(String::new, |base| format!(" : {base}"));
    let properties = some(row.property_count(), row.properties().map(property));
    format!("{}{base}  {properties}", row.name())
}

/// The first parts, and how many more there are.
fn some(total: u32, parts: impl Iterator<Item = String>) -> String {
    let mut shown: Vec<String> = parts.take(PARTS).collect();
    let more = (total as usize).saturating_sub(shown.len());
    if more > 0 {
        shown.push(format!("and {} more", count(more as u64)));
    }
    if shown.is_empty() { "empty".to_owned() } else { shown.join(", ") }
}

/// Row by row, so that names that many entries share are never all there at once.
impl Serialize for TypesView {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let types = &self.0;
        let enums = Sequence(|| {
            types.enums().map(|row| EnumRow {
                package: row.package(),
                name: row.name(),
                values: Sequence(move || {
                    row.values().map(|EnumValue { name, value }| ValueRow { name, value })
                }),
            })
        });
        let structs = Sequence(|| {
            types.structs().map(|row| StructRow {
                package: row.package(),
                name: row.name(),
                base: row.super_name(),
                kind: row.kind(),
                flags: row.flags(),
                elements: row.element_count(),
                properties: Sequence(move || row.properties().map(PropertyRow::new)),
            })
        });
        let mut fields = serializer.serialize_struct("types", 6)?;
        fields.serialize_field("header", &types.header)?;
        fields.serialize_field("missing_len", &types.missing_len())?;
        fields.serialize_field("names", &types.names().len())?;
        fields.serialize_field("enums", &enums)?;
        fields.serialize_field("structs", &structs)?;
        fields.serialize_field("extensions", &Sequence(|| self.extensions()))?;
        fields.end()
    }
}

impl<'a> PropertyRow<'a> {
    fn new(property: Property<'a>) -> Self {
        let Property { index, array_len, name, kind, flags } = property;
        Self { index, array_len, name, kind: kind.to_string(), flags }
    }
}

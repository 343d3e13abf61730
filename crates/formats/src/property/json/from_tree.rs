//! Reads the lossless form: objects, lists and tags.

use super::reader::{Reader, guid, text};
use super::source::{JsonError, SourcePart};
use super::tree::ENCODING;
use crate::property::edit::Names;
use crate::property::header::{Header, Member};
use crate::property::kind::{self, Kind};
use crate::property::layout::Layout;
use crate::property::tag::{BareKind, BareMore, CompleteType, Tag, TagGuid, TagKind};
use crate::property::value::{List, Property, Record, TaggedList, UnversionedList, Value};
use crate::property::{Object, Scope};
use crate::wire;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The objects of a document, by export index.
#[derive(Debug)]
pub struct FromTree {
    /// The objects.
    pub objects: BTreeMap<usize, Object>,
    /// The names of the package, including new ones.
    pub names: Names,
}

/// The name and version of the form.
const SCHEMA: &str = "uncask.properties/1";

/// Reads a document that was made from a package and then edited. Objects are taken from the document;
/// tags, flags and list headers supply only what the values do not determine.
///
/// Exports that are null in the document stay unchanged. Names missing from the package are added to
/// `names`, the table that its data refers to.
pub fn from_tree(scope: &Scope<'_>, names: Names, document: &Json) -> Result<FromTree, JsonError> {
    let root = SourcePart::root(document);
    root.member("schema", |schema| match schema.text()? {
        SCHEMA => Ok(()),
        _ => Err(schema.expected(&format!("{SCHEMA}, the form that keeps everything"))),
    })?;
    root.optional("encoding", |encoding| match encoding.text()? {
        ENCODING => Ok(()),
        _ => Err(encoding.expected(&format!(
            "{ENCODING:?}: the document went through another code page, and its texts are damaged"
        ))),
    })?;
    let mut reader = Reader { scope, names };
    let objects = root.member("exports", |exports| exports.each(|export| reader.export(&export)))?;
    let mut by_place = BTreeMap::new();
    for (place, object) in objects.into_iter().flatten() {
        if by_place.insert(place, object).is_some() {
            return Err(root.error(&format!("export {place} is in the document twice")));
        }
    }
    Ok(FromTree { objects: by_place, names: reader.names })
}

impl Reader<'_, '_> {
    fn export(&mut self, part: &SourcePart<'_>) -> Result<Option<(usize, Object)>, JsonError> {
        if part.json.is_null() {
            return Ok(None);
        }
        let package = self.scope.package;
        let place: u32 = part.member("index", |index| index.number())?;
        // Found by its index; the name is compared only to catch a document of another package.
        let export = package.exports.get(place as usize);
        let export = export.ok_or_else(|| {
            let count = wire::counted(package.exports.len() as u64, "export", "exports");
            part.error(&format!("export {place} is not in the package, which has {count}"))
        })?;
        let name = package.text(export.name).to_string();
        part.member("name", |found| match found.text()? {
            found if found == name => Ok(()),
            _ => Err(found.expected(&format!("{name}, as that export is called in the package"))),
        })?;
        let class = self.scope.struct_name(export.class);
        let layout = class.as_ref().and_then(|class| self.scope.layout(class));
        let mut object = Object {
            head: part.optional("head", |head| self.record(&head))?.unwrap_or_default(),
            ..Object::default()
        };
        object.properties = part.optional("properties", |list| self.list(&list, layout.clone()))?;
        object.tail = part.optional("tail", |tail| self.record(&tail))?.unwrap_or_default();
        object.rest = part.optional("rest", |rest| rest.bytes())?.unwrap_or_default().into();
        Ok(Some((place as usize, object)))
    }

    /// Reads pairs of name and value. Writing needs no names; they are there for readers.
    pub(in crate::property) fn record(&mut self, part: &SourcePart<'_>) -> Result<Record, JsonError> {
        let values = part.each(|field| field.element(1, |value| self.value(&value)))?;
        Ok(Record { fields: values.into_iter().map(|value| ("", value)).collect() })
    }

    /// Reads a list; `layout` is the layout of an unversioned one, if known.
    pub(in crate::property) fn list(
        &mut self,
        part: &SourcePart<'_>,
        layout: Option<Arc<Layout>>,
    ) -> Result<List, JsonError> {
        if part.json.get("unversioned").is_some() {
            return self.unversioned(part, layout).map(List::Unversioned);
        }
        let control = part.optional("control", |control| control.bytes())?.unwrap_or_default().into();
        let properties = part.member("tagged", |list| list.each(|property| self.property(&property)))?;
        let end = part.optional("end", |end| self.name(&end))?;
        Ok(List::Tagged(TaggedList { control, properties, end }))
    }

    fn unversioned(
        &mut self,
        part: &SourcePart<'_>,
        layout: Option<Arc<Layout>>,
    ) -> Result<UnversionedList, JsonError> {
        let header = part.member("header", |header| {
            let bytes = header.bytes()?;
            // Any schema length is accepted: the package was read with the same header.
            let found = Header::read(&mut wire::Reader::new(&bytes), usize::MAX);
            found.map_err(|fault| header.error(&fault.to_string()))
        })?;
        let (mut members, mut values) = (Vec::new(), Vec::new());
        part.member("unversioned", |list| {
            list.each(|member| {
                let name = member.element(0, |name| Ok(name.text()?.to_owned()))?;
                // Null stands for a member recorded as zero.
                let value = member.element(1, |value| match value.json {
                    Json::Null => Ok(None),
                    _ => self.value(&value).map(Some),
                })?;
                members.push((name, value.is_none()));
                values.extend(value);
                Ok(())
            })
        })?;
        let header = self::header(part, header, &members, layout.as_deref())?;
        Ok(UnversionedList { layout: layout.unwrap_or_default(), header, values })
    }

    fn property(&mut self, part: &SourcePart<'_>) -> Result<Property, JsonError> {
        let value = part.member("value", |value| self.value(&value))?;
        let flags = part.optional("flags", |flags| flags.number())?;
        // Tags since 5.4 have flags, earlier ones do not, so this tells the two forms apart.
        let kind = part.member("type", |kind| match flags {
            Some(flags) => {
                let nodes = kind.each(|node| {
                    Ok((node.element(0, |name| self.name(&name))?, node.element(1, |count| count.number())?))
                })?;
                // The meaning of the type matters only for reading values.
                let of = Arc::new(CompleteType::new(&nodes, Kind::Unknown("".into())));
                Ok(TagKind::Complete { of, flags })
            }
            None => self.bare(&kind).map(TagKind::Bare),
        })?;
        let guid = match part.optional("guid", |guid| self::guid(&guid))? {
            Some(guid) => TagGuid::Some(guid),
            None => self.no_guid(),
        };
        let extension = part.optional("extension", |extension| extension.bytes())?.unwrap_or_default();
        // A bool is in its tag and has no bytes. All other lengths are counted when written.
        let len = i32::from(!matches!(value, Value::Bool(_)));
        let tag = Tag {
            name: part.member("name", |name| self.name(&name))?,
            kind,
            len,
            element: part.optional("element", |element| element.number())?.unwrap_or(0),
            guid,
            extension: extension.into(),
        };
        Ok(Property { tag, value })
    }

    fn bare(&mut self, part: &SourcePart<'_>) -> Result<BareKind, JsonError> {
        let name = part.element(0, |name| self.name(&name))?;
        let text = part.element(0, |name| Ok(self::text(&name).to_owned()))?;
        let mut inner = |place| part.element(place, |name| self.name(&name));
        // The number of parts tells what follows the type, except for bools and structs.
        let more = match (kind::bare(&text), part.len()) {
            ("Bool", 2..) => BareMore::Bool(part.element(1, |value| value.number())?),
            ("Bool", _) => BareMore::Bool(0),
            ("Struct", 2..) => {
                let of = inner(1)?;
                let guid =
                    if part.len() > 2 { Some(part.element(2, |guid| self::guid(&guid))?) } else { None };
                BareMore::Struct(of, guid)
            }
            (_, 3..) => BareMore::Two(inner(1)?, inner(2)?),
            (_, 2) => BareMore::One(inner(1)?),
            _ => BareMore::None,
        };
        Ok(BareKind { name, more })
    }
}

/// The header of a list: the old one if the members are the same, else in the cooker's form.
fn header(
    part: &SourcePart<'_>,
    header: Header,
    members: &[(String, bool)],
    layout: Option<&Layout>,
) -> Result<Header, JsonError> {
    let before: Vec<Member> = header.members().collect();
    if before.iter().map(|member| member.is_zero).eq(members.iter().map(|(_, is_zero)| *is_zero)) {
        return Ok(header);
    }
    if before.len() == members.len() {
        // Only zero bits have changed.
        let changed = before.iter().zip(members);
        let changed = changed.map(|(member, (_, is_zero))| Member { is_zero: *is_zero, ..*member });
        // Without a layout, its length matters only for a list without values.
        return Ok(Header::new(changed, layout.map_or(0, Layout::len)));
    }
    let layout =
        layout.ok_or_else(|| part.error("members were added or taken away, but the struct is not known"))?;
    let place = |(name, is_zero): &(String, bool)| {
        let found = layout.slots().find(|(_, slot, element)| slot.is_called(name, *element));
        let (index, ..) = found.ok_or_else(|| part.error(&format!("{name} is no member of the struct")))?;
        Ok(Member { index, is_zero: *is_zero })
    };
    let all = members.iter().map(place).collect::<Result<Vec<_>, JsonError>>()?;
    // The header can only count forward.
    if !all.is_sorted_by(|a, b| a.index < b.index) {
        return Err(part.error("members are not in the order of the struct"));
    }
    Ok(Header::new(all.into_iter(), layout.len()))
}

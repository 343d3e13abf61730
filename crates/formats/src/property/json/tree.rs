//! A package in the lossless form: types, tags, encodings of strings and names, and raw bytes.
//!
//! ```text
//! package   { schema, package, build, encoding, versions, exports: [ … ] }
//! export    { index, name, class, flags, head, properties, tail, rest, problem }
//! list      { control, tagged: [ { name, type, element, guid, value } … ], end }, or { header, unversioned: [ … ] }
//! value     { "Float": 1.5 }: the type and the contents
//! name      "Rock_4"; { text, index, number } if the text alone would give another entry of the table
//! string    "text"; { text, bytes } if the engine would encode it differently
//! bytes     hex
//! ```

use super::reference::class_text;
use super::shown::{Note, read};
use crate::names::split_number;
use crate::package::legacy::{Export, Name};
use crate::property::list::text;
use crate::property::tag::{BareKind, BareMore, IS_TRUE, TagGuid, TagKind};
use crate::property::value::{List, Property, Record, TaggedList, UnversionedList, Value};
use crate::property::{Object, Scope};
use crate::wire::{WireString, Writer};
use foldhash::{HashMap, HashMapExt};
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

/// All exports of a package in the lossless form.
#[derive(Debug)]
pub struct Tree<'s, 'a> {
    pub(in crate::property) scope: &'s Scope<'a>,
    /// The first index of each text in the name table.
    names: HashMap<&'a str, u32>,
    note: Option<Note<'s>>,
}

impl<'s, 'a> Tree<'s, 'a> {
    /// The exports of a package.
    #[must_use]
    pub fn new(scope: &'s Scope<'a>) -> Self {
        let mut names = HashMap::with_capacity(scope.package.names.len());
        for (index, name) in (0..).zip(&scope.package.names) {
            names.entry(name.text.as_str()).or_insert(index);
        }
        Self { scope, names, note: None }
    }

    /// Calls `note` with each export after reading it.
    #[must_use]
    pub fn noting(self, note: &'s dyn Fn(&Export, &Object)) -> Self {
        Self { note: Some(Note(note)), ..self }
    }

    /// A value of the package in the lossless form.
    #[must_use]
    pub const fn value<'t>(&'t self, value: &'t Value) -> impl Serialize {
        In(self, value)
    }

    /// The document's text for an export with this object.
    #[must_use]
    pub fn export_text(&self, index: usize, object: &Object) -> Option<String> {
        let export = self.scope.package.exports.get(index)?;
        serde_json::to_string(&One { tree: self, index, export, object }).ok()
    }
}

impl Serialize for Tree<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(6))?;
        // `from_tree` refuses any other form.
        map.serialize_entry("schema", "uncask.properties/1")?;
        map.serialize_entry("package", self.scope.name())?;
        map.serialize_entry("build", &self.scope.build())?;
        map.serialize_entry("encoding", ENCODING)?;
        map.serialize_entry("versions", &self.scope.versions.objects)?;
        map.serialize_entry("exports", &Exports(self))?;
        map.end()
    }
}

/// Characters of two, three and four bytes in UTF-8. A document that some program has decoded by another code page has
/// others here, as it has in its texts.
pub(super) const ENCODING: &str = "UTF-8: äΩ漢🜁";

struct Exports<'t, 's, 'a>(&'t Tree<'s, 'a>);

impl Serialize for Exports<'_, '_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let exports = &self.0.scope.package.exports;
        let mut list = serializer.serialize_seq(Some(exports.len()))?;
        for (index, export) in exports.iter().enumerate() {
            let object = read(self.0.scope, export, self.0.note);
            list.serialize_element(&One { tree: self.0, index, export, object: &object })?;
        }
        list.end()
    }
}

struct One<'t, 's, 'a> {
    tree: &'t Tree<'s, 'a>,
    index: usize,
    export: &'t Export,
    object: &'t Object,
}

impl Serialize for One<'_, '_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (tree, object) = (self.tree, self.object);
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("index", &self.index)?;
        map.serialize_entry("name", &tree.scope.package.text(self.export.name).to_string())?;
        map.serialize_entry("class", &class_text(tree.scope, self.export.class))?;
        map.serialize_entry("flags", &self.export.object_flags)?;
        if !object.head.fields.is_empty() {
            map.serialize_entry("head", &tree.record(&object.head))?;
        }
        if let Some(list) = &object.properties {
            map.serialize_entry("properties", &In(tree, list))?;
        }
        // Written even if empty: a document always says what follows the properties.
        map.serialize_entry("tail", &tree.record(&object.tail))?;
        if !object.rest.is_empty() {
            map.serialize_entry("rest", &hex::encode(&object.rest))?;
        }
        if let Some(problem) = &object.problem {
            map.serialize_entry("problem", &problem.to_string())?;
        }
        map.end()
    }
}

/// An item together with its document.
pub(in crate::property) struct In<'t, 's, 'a, T: ?Sized>(
    pub(in crate::property) &'t Tree<'s, 'a>,
    pub(in crate::property) &'t T,
);

impl<'s, 'a> Tree<'s, 'a> {
    fn record<'t>(&'t self, record: &'t Record) -> In<'t, 's, 'a, Record> {
        In(self, record)
    }

    pub(in crate::property) fn all<'t, T>(&'t self, items: &'t [T]) -> Vec<In<'t, 's, 'a, T>> {
        items.iter().map(|item| In(self, item)).collect()
    }
}

impl Serialize for In<'_, '_, '_, Record> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // An array of pairs: fields may repeat, and their order is that of the bytes.
        let pairs = self.1.fields.iter().map(|(name, value)| (name, In(self.0, value)));
        serializer.collect_seq(pairs)
    }
}

impl Serialize for In<'_, '_, '_, List> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.1 {
            List::Tagged(list) => In(self.0, list).serialize(serializer),
            List::Unversioned(list) => In(self.0, list).serialize(serializer),
        }
    }
}

impl Serialize for In<'_, '_, '_, TaggedList> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(tree, list) = self;
        let mut map = serializer.serialize_map(None)?;
        // Usual values are omitted throughout, so that documents stay readable.
        if !list.control.is_empty() {
            map.serialize_entry("control", &hex::encode(&list.control))?;
        }
        map.serialize_entry("tagged", &tree.all(&list.properties))?;
        map.serialize_entry("end", &list.end.as_ref().map(|end| In(tree, end)))?;
        map.end()
    }
}

impl Serialize for In<'_, '_, '_, Property> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(tree, property) = self;
        let tag = &property.tag;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("name", &In(tree, &tag.name))?;
        // The tag of a bool is its value. If a value is not a bool although its type is, the tag may hold
        // anything.
        let is_bool = matches!(property.value, Value::Bool(_)) && tag.len == 0;
        match &tag.kind {
            TagKind::Complete { of, flags } => {
                let nodes: Vec<_> = of.nodes().collect();
                let nodes: Vec<_> = nodes.iter().map(|(name, count)| (In(tree, name), count)).collect();
                map.serialize_entry("type", &nodes)?;
                // The value says it; two places could contradict each other after an edit.
                map.serialize_entry("flags", &if is_bool { flags & !IS_TRUE } else { *flags })?;
            }
            TagKind::Bare(kind) if is_bool => map.serialize_entry("type", &[In(tree, &kind.name)])?,
            TagKind::Bare(kind) => map.serialize_entry("type", &In(tree, kind))?,
        }
        if tag.element != 0 {
            map.serialize_entry("element", &tag.element)?;
        }
        if let TagGuid::Some(guid) = tag.guid {
            map.serialize_entry("guid", &guid.to_string())?;
        }
        if !tag.extension.is_empty() {
            map.serialize_entry("extension", &hex::encode(&tag.extension))?;
        }
        map.serialize_entry("value", &In(tree, &property.value))?;
        map.end()
    }
}

impl Serialize for In<'_, '_, '_, BareKind> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(tree, kind) = self;
        let name = |name| In(tree, name);
        let mut list = serializer.serialize_seq(None)?;
        list.serialize_element(&name(&kind.name))?;
        match &kind.more {
            BareMore::None | BareMore::Bool(0) => {}
            BareMore::Bool(value) => list.serialize_element(value)?,
            BareMore::Struct(of, guid) => {
                list.serialize_element(&name(of))?;
                if let Some(guid) = guid {
                    list.serialize_element(&guid.to_string())?;
                }
            }
            BareMore::One(one) => list.serialize_element(&name(one))?,
            BareMore::Two(one, two) => {
                list.serialize_element(&name(one))?;
                list.serialize_element(&name(two))?;
            }
        }
        list.end()
    }
}

impl Serialize for In<'_, '_, '_, UnversionedList> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(tree, list) = self;
        let members = list.members().map(|member| {
            let name = match member.element {
                0 => member.name.into_owned(),
                element => format!("{}[{element}]", member.name),
            };
            (name, member.value.map(|value| In(tree, value)))
        });
        let members: Vec<_> = members.collect();
        let mut map = serializer.serialize_map(Some(2))?;
        // Kept for headers that are not in the cooker's form.
        map.serialize_entry("header", &hex::encode(list.header.bytes()))?;
        map.serialize_entry("unversioned", &members)?;
        map.end()
    }
}

impl Serialize for In<'_, '_, '_, Name> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(tree, name) = self;
        let full = text(tree.scope.package, **name);
        let (base, number) = split_number(&full);
        let whole = tree.names.get(&*full).map(|index| (*index, 0));
        // A whole entry of the table goes before a name with a number.
        let found = whole.or_else(|| tree.names.get(base).map(|index| (*index, number)));
        // The text alone leads back to the same entry.
        if found == Some((name.index, name.number)) {
            return serializer.serialize_str(&full);
        }
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("text", &full)?;
        map.serialize_entry("index", &name.index)?;
        map.serialize_entry("number", &name.number)?;
        map.end()
    }
}

impl Serialize for In<'_, '_, '_, WireString> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let bytes = |text: &WireString| {
            let mut w = Writer::new();
            text.write(&mut w);
            w.into_bytes()
        };
        let (found, usual) = (bytes(self.1), bytes(&self.1.as_str().into()));
        // The usual encoding needs no bytes.
        if found == usual {
            return serializer.serialize_str(self.1.as_str());
        }
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("text", self.1.as_str())?;
        map.serialize_entry("bytes", &hex::encode(found))?;
        map.end()
    }
}

/// A type name with the contents of its value, as an object of one member.
pub(in crate::property) fn one<S: Serializer>(
    serializer: S,
    kind: &str,
    value: &impl Serialize,
) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(1))?;
    map.serialize_entry(kind, value)?;
    map.end()
}

//! Text for translators (459) and metadata of objects (1014); editor packages only.
//!
//! ```text
//! gatherable text  namespace │ source string │ object │ i32 n │ n × { key, site, two flags, object, object }
//! object           i32 n │ n × { key, i32 type, value }
//! value            1: bool32 │ 2: string │ 3: i32 n, n × { i32 type, value } │ 4: object
//! metadata         i32 objects │ i32 root values │ objects × { i32 soft path, i32 n, n × { name, string } }
//!                  │ root values × { name, string }
//! ```

use super::form::{Form, Name};
use crate::wire::{Archive, Fault, FaultKind, WireString};

/// How deep values may be nested.
const MAX_DEPTH: u32 = 32;

/// `FGatherableTextData`: a text, and where it is used.
#[doc(alias = "FGatherableTextData")]
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct GatherableText {
    /// Namespace of its key.
    pub namespace: WireString,
    /// The text to be translated.
    pub source: WireString,
    /// What is noted about the text.
    pub source_metadata: LocObject,
    /// Where it is used.
    pub contexts: Vec<TextContext>,
}

/// One use of a text.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct TextContext {
    /// Key in the namespace.
    pub key: WireString,
    /// Where it is, in words.
    pub site: WireString,
    /// Only the editor shows it.
    pub editor_only: bool,
    /// It need not be translated.
    pub optional: bool,
    /// What is noted for translators.
    pub info: LocObject,
    /// What distinguishes it from other uses.
    pub key_metadata: LocObject,
}

/// `FLocMetadataObject`.
pub type LocObject = Vec<(WireString, LocValue)>;

/// `FLocMetadataValue`.
#[doc(alias = "FLocMetadataValue")]
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub enum LocValue {
    /// A flag.
    Bool(bool),
    /// A text.
    Text(WireString),
    /// Several values.
    List(Vec<Self>),
    /// Values by name.
    Object(LocObject),
}

impl Default for LocValue {
    fn default() -> Self {
        Self::Bool(false)
    }
}

/// What is noted about objects of the package.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct Metadata {
    /// Notes on objects, by index of their soft object path.
    pub objects: Vec<(i32, Vec<MetadataValue>)>,
    /// Notes on the package.
    pub root: Vec<MetadataValue>,
}

/// One note.
pub type MetadataValue = (Name, WireString);

pub(super) fn gatherable_text<A: Archive>(a: &mut A, text: &mut GatherableText) -> Result<(), Fault> {
    a.string("gatherable text: namespace", &mut text.namespace)?;
    a.string("gatherable text: source", &mut text.source)?;
    object(a, &mut text.source_metadata, 0)?;
    a.list("gatherable text: contexts", &mut text.contexts, 24, |a, context| {
        a.string("gatherable text: key", &mut context.key)?;
        a.string("gatherable text: site", &mut context.site)?;
        a.bool32("gatherable text: editor only", &mut context.editor_only)?;
        a.bool32("gatherable text: optional", &mut context.optional)?;
        object(a, &mut context.info, 0)?;
        object(a, &mut context.key_metadata, 0)
    })
}

fn object<A: Archive>(a: &mut A, object: &mut LocObject, depth: u32) -> Result<(), Fault> {
    if depth == MAX_DEPTH {
        let kind = FaultKind::TooLarge { found: depth.into(), limit: MAX_DEPTH.into() };
        return Err(Fault { offset: a.offset(), field: "text metadata: depth", kind });
    }
    a.list("text metadata: count", object, 9, |a, (key, found)| {
        a.string("text metadata: key", key)?;
        value(a, found, depth + 1)
    })
}

fn value<A: Archive>(a: &mut A, value: &mut LocValue, depth: u32) -> Result<(), Fault> {
    let at = a.offset();
    let mut kind = match value {
        LocValue::Bool(_) => 1,
        LocValue::Text(_) => 2,
        LocValue::List(_) => 3,
        LocValue::Object(_) => 4,
    };
    let before = kind;
    a.i32("text metadata: type", &mut kind)?;
    if kind != before {
        *value = match kind {
            1 => LocValue::Bool(false),
            2 => LocValue::Text(WireString::default()),
            3 => LocValue::List(Vec::new()),
            4 => LocValue::Object(Vec::new()),
            found => {
                let kind = FaultKind::Unsupported { found: found.into() };
                return Err(Fault { offset: at, field: "text metadata: type", kind });
            }
        };
    }
    match value {
        LocValue::Bool(flag) => a.bool32("text metadata: flag", flag),
        LocValue::Text(text) => a.string("text metadata: text", text),
        LocValue::List(list) if depth < MAX_DEPTH => {
            a.list("text metadata: list", list, 8, |a, item| self::value(a, item, depth + 1))
        }
        LocValue::List(_) => {
            let kind = FaultKind::TooLarge { found: depth.into(), limit: MAX_DEPTH.into() };
            Err(Fault { offset: at, field: "text metadata: depth", kind })
        }
        LocValue::Object(inner) => object(a, inner, depth),
    }
}

pub(super) fn metadata<A: Archive>(a: &mut A, form: &Form, metadata: &mut Metadata) -> Result<(), Fault> {
    let objects = a.count("metadata: object count", metadata.objects.len(), 8)?;
    let root = a.count("metadata: root count", metadata.root.len(), 12)?;
    a.table("metadata: objects", &mut metadata.objects, objects, 8, |a, (path, values)| {
        a.i32("metadata: object", path)?;
        a.list("metadata: count", values, 12, |a, value| metadata_value(a, form, value))
    })?;
    a.table("metadata: root", &mut metadata.root, root, 12, |a, value| metadata_value(a, form, value))
}

fn metadata_value<A: Archive>(a: &mut A, form: &Form, value: &mut MetadataValue) -> Result<(), Fault> {
    form.name(a, "metadata: key", &mut value.0)?;
    a.string("metadata: value", &mut value.1)
}

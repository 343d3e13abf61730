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

/// Deepest nesting of values.
const MAX_DEPTH: u32 = 32;

/// A text and its uses (`FGatherableTextData`).
#[doc(alias = "FGatherableTextData")]
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct GatherableText {
    /// Namespace of the key.
    pub namespace: WireString,
    /// Text to translate.
    pub source: WireString,
    /// Metadata of the text.
    pub source_metadata: LocObject,
    /// Uses of the text.
    pub contexts: Vec<TextContext>,
}

/// One use of a text.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct TextContext {
    /// Key within the namespace.
    pub key: WireString,
    /// Description of the place of use.
    pub site: WireString,
    /// True if only the editor shows it.
    pub editor_only: bool,
    /// True if its translation is optional.
    pub optional: bool,
    /// Notes for translators.
    pub info: LocObject,
    /// Metadata that distinguishes this use from others.
    pub key_metadata: LocObject,
}

/// Metadata of a text, by key (`FLocMetadataObject`).
pub type LocObject = Vec<(WireString, LocValue)>;

/// Metadata value (`FLocMetadataValue`).
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

/// Metadata of the package's objects.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct Metadata {
    /// Metadata by index of the object's soft object path.
    pub objects: Vec<(i32, Vec<MetadataValue>)>,
    /// Metadata of the package itself.
    pub root: Vec<MetadataValue>,
}

/// Key and value of metadata.
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
    // Objects and lists recurse into each other, so both check the depth.
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
    // One code for both directions: a writer leaves the type as it is, a reader replaces it.
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
    // Both counts come before both tables, so neither can use a plain list.
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

//! Values of a package as an editor shows them: those directly inside an object, or inside another value.

use super::change::Editing;
use super::edited::Edited;
use crate::error::Result;
use crate::property::edit::ExportName;
use crate::property::json::value_text;
use crate::property::{Object, Scope, Value, ValuePlace};
use serde::Serialize;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// A value that can be edited, or that has such values inside.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EditField {
    /// Its address.
    pub address: String,
    /// The last step of its address: `Damage`, or `[2]`.
    pub name: String,
    /// Kind of the value.
    pub kind: FieldKind,
    /// The value as the text that sets it; of one with values inside, and of an object, what describes it.
    pub text: String,
    /// Names that the value can have; only of an enum.
    pub choices: Vec<Arc<str>>,
}

/// Kind of a value, for an editor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FieldKind {
    /// An object of the package.
    Object,
    /// True or false.
    Bool,
    /// A whole number.
    Whole,
    /// A number with fraction.
    Number,
    /// A value of an enum.
    Enum,
    /// A name or text.
    Text,
    /// A reference to an object, by its path.
    Reference,
    /// Members by name.
    Struct,
    /// Elements by position.
    List,
    /// Values by key.
    Map,
    /// Rows of a table.
    Rows,
    /// Anything else, which cannot be edited here.
    Other,
}

/// Values directly inside an object or another value.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct EditFields {
    /// The values that were asked for.
    pub fields: Vec<EditField>,
    /// Number of all of them.
    pub total: usize,
    /// Kind of the value that they are in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inside: Option<FieldKind>,
    /// Members that are left out, so that the class decides them: their names, and the names of their types.
    pub unset: Vec<(Arc<str>, String)>,
    /// The reason why not all of an object can be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// Length of descriptions, in bytes.
const MAX_LINE: usize = 120;

/// Name of the field with the rows of a table.
const ROWS: &str = "Rows";

/// Length of the longest value that is given as JSON, in bytes.
const MAX_JSON: usize = 16 << 20;

impl Editing {
    /// The value at an address as JSON, by which another one can be set to the same; `None` if there is none, or it is too long.
    pub fn value_json(&self, input: usize, edited: Option<&Edited>, at: &str) -> Result<Option<String>> {
        let (item, raw) = match edited {
            Some(edited) => (edited.item.clone(), edited.raw()?),
            None => self.raw(input)?,
        };
        let loaded = self.opened(&raw, &item)?;
        let scope = self.scope(&loaded);
        let mut exports = scope.package.exports.iter().zip(names(&scope));
        let found = exports.find_map(|(export, name)| Some((export, path_in(at, &name)?)));
        let Some((export, path)) = found else { return Ok(None) };
        let mut json = None;
        Object::read(&scope, export).walk(&scope, &mut |place, value| {
            let text = place.to_string();
            if text == path {
                json.get_or_insert_with(|| value_text(&scope, value));
                return false;
            }
            is_below(path, &text)
        });
        Ok(json.filter(|json| json.len() <= MAX_JSON))
    }

    /// The values directly inside the object or value at an address; the objects themselves for an empty one. Of a package that
    /// was edited, the new ones.
    pub fn fields(
        &self,
        input: usize,
        edited: Option<&Edited>,
        (at, range): (&str, Range<usize>),
    ) -> Result<EditFields> {
        let (item, raw) = match edited {
            Some(edited) => (edited.item.clone(), edited.raw()?),
            None => self.raw(input)?,
        };
        let loaded = self.opened(&raw, &item)?;
        let scope = self.scope(&loaded);
        let mut listing = Listing { scope: &scope, range, found: EditFields::default() };
        for (export, name) in scope.package.exports.iter().zip(names(&scope)) {
            if at.is_empty() {
                listing.add(|| EditField {
                    address: name.clone(),
                    name: scope.package.text(export.name).to_string(),
                    kind: FieldKind::Object,
                    text: scope.package.class_path(export).rsplit('.').next().unwrap_or_default().to_owned(),
                    choices: Vec::new(),
                });
            } else if let Some(path) = path_in(at, &name) {
                let object = Object::read(&scope, export);
                listing.inside(&object, &name, path);
                if path.is_empty() {
                    let unset = scope.unset_of_object(export, &object).into_iter();
                    listing.found.unset =
                        unset.map(|member| (member.name, member.kind.to_string())).collect();
                    listing.found.inside = Some(FieldKind::Object);
                    listing.found.problem = object.problem.as_ref().map(ToString::to_string);
                }
                break;
            }
        }
        Ok(listing.found)
    }
}

/// Names of exports as addresses begin with them: by place if several have the same.
fn names(scope: &Scope<'_>) -> impl Iterator<Item = String> {
    let names: Vec<String> =
        scope.package.exports.iter().map(|export| scope.package.text(export.name).to_string()).collect();
    let mut counts: HashMap<String, usize> = HashMap::new();
    for name in &names {
        *counts.entry(name.to_lowercase()).or_default() += 1;
    }
    names.into_iter().enumerate().map(move |(at, name)| {
        let is_alone = counts.get(&name.to_lowercase()) == Some(&1);
        let name = if is_alone { ExportName::Name(name) } else { ExportName::Place(at) };
        name.to_string()
    })
}

/// The path of an address in an export; `None` if the address is of another one.
fn path_in<'a>(address: &'a str, export: &str) -> Option<&'a str> {
    let rest = address.strip_prefix(export)?;
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix('.') }
}

struct Listing<'s, 'a> {
    scope: &'s Scope<'a>,
    range: Range<usize>,
    found: EditFields,
}

impl Listing<'_, '_> {
    fn add(&mut self, field: impl FnOnce() -> EditField) {
        if self.range.contains(&self.found.total) {
            self.found.fields.push(field());
        }
        self.found.total += 1;
    }

    /// Adds the values directly inside the one at a path, or inside the object for an empty path.
    fn inside(&mut self, object: &Object, export: &str, path: &str) {
        let scope = self.scope;
        object.walk(scope, &mut |place, value| {
            // What only wraps a value shares its place with that.
            if matches!(value, Value::Optional(Some(_)) | Value::Sized(_)) {
                return true;
            }
            let text = place.to_string();
            if text == path {
                self.found.inside = Some(kind_of(place, value));
                if let Value::Struct(found) = value {
                    let unset = scope.unset_of_struct(found).into_iter();
                    self.found.unset = unset.map(|member| (member.name, member.kind.to_string())).collect();
                }
                return true;
            }
            if is_below(path, &text) {
                return true;
            }
            let is_child = if path.is_empty() { place.depth() == 1 } else { is_below(&text, path) };
            if is_child
                && (place.depth() > 1 || place.is_property() || !matches!(value, Value::Optional(None)))
            {
                self.add(|| field(scope, (place, &text), value, export));
            }
            false
        });
    }
}

/// True if a path leads to something inside the value at another one.
fn is_below(path: &str, outer: &str) -> bool {
    path.strip_prefix(outer).is_some_and(|rest| rest.starts_with(['.', '[']))
}

fn field(
    scope: &Scope<'_>,
    (place, path): (&ValuePlace<'_>, &str),
    value: &Value,
    export: &str,
) -> EditField {
    let kind = kind_of(place, value);
    let text = match source_of(value) {
        Some(text) => text.text(scope).unwrap_or_default().into_owned(),
        None => match value.text(scope) {
            Some(text) => text.into_owned(),
            None => value.line(scope, MAX_LINE),
        },
    };
    EditField {
        address: format!("{export}.{path}"),
        name: place.last().to_string(),
        kind,
        text,
        choices: scope.enum_names(value),
    }
}

/// The part of a text that its author writes.
fn source_of(value: &Value) -> Option<&Value> {
    let Value::Text(text) = value else { return None };
    let fields = ["SourceString", "CultureInvariantString"];
    match fields.iter().find_map(|name| text.fields.get(name))? {
        Value::Optional(inner) => inner.as_deref(),
        value => Some(value),
    }
}

fn kind_of(place: &ValuePlace<'_>, value: &Value) -> FieldKind {
    match value {
        Value::Bool(_) | Value::Bool32(_) => FieldKind::Bool,
        Value::Float(_) | Value::Double(_) => FieldKind::Number,
        Value::Enum(_) | Value::Enumerator(_) => FieldKind::Enum,
        Value::Name(_) | Value::Str(_) | Value::Utf8(_) | Value::Ansi(_) | Value::Guid(_) => FieldKind::Text,
        Value::Text(_) if source_of(value).is_some() => FieldKind::Text,
        Value::Object(_) | Value::SoftPath(_) => FieldKind::Reference,
        Value::Struct(_) | Value::Text(_) => FieldKind::Struct,
        Value::Array(_) | Value::TaggedArray(_) if place.depth() == 1 && place.field() == Some(ROWS) => {
            FieldKind::Rows
        }
        Value::Array(_) | Value::TaggedArray(_) | Value::Set(_) => FieldKind::List,
        Value::Map(_) if place.field() == Some(ROWS) => FieldKind::Rows,
        Value::Map(_) => FieldKind::Map,
        _ if value.whole().is_some() => FieldKind::Whole,
        _ => FieldKind::Other,
    }
}

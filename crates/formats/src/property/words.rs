//! Values in one line of text.

use super::inner::Inner;
use super::list::text;
use super::reference::SoftPath;
use super::scope::Scope;
use super::value::{Body, Enumerator, List, Record, Value};
use crate::id::Guid;
use crate::package::legacy::{Name, PackageIndex};
use crate::wire::{counted, start_of};
use std::borrow::Cow;
use std::fmt::{self, Write as _};

impl Value {
    /// The value with its contents, on one line of about `limit` bytes; the rest is cut off.
    #[must_use]
    pub fn line(&self, scope: &Scope<'_>, limit: usize) -> String {
        let mut line = Line { text: String::new(), limit };
        // The only error is a full line.
        if line.value(scope, self).is_err() {
            line.text.push('…');
        }
        line.text
    }
}

/// A line of limited length.
struct Line {
    text: String,
    limit: usize,
}

impl fmt::Write for Line {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let left = self.limit.saturating_sub(self.text.len());
        if text.len() <= left {
            self.text.push_str(text);
            return Ok(());
        }
        self.text.push_str(start_of(text, left));
        Err(fmt::Error)
    }
}

impl Line {
    fn value(&mut self, scope: &Scope<'_>, value: &Value) -> fmt::Result {
        if let Some(text) = value.text(scope) {
            return self.write_str(&text);
        }
        match value.inner() {
            Inner::Leaf => Ok(()),
            Inner::Same(value) => self.value(scope, value),
            Inner::Text(text) => match text.source() {
                Some(source) => self.write_str(source),
                None => self.record(scope, &text.fields),
            },
            Inner::Struct(found) => match &found.body {
                Body::List(list) => self.list(scope, list),
                Body::Native(record) => self.record(scope, record),
                Body::Empty => Ok(()),
            },
            Inner::Map(map) => {
                self.write_str("{")?;
                for (place, (key, value)) in map.entries.iter().enumerate() {
                    self.between(place)?;
                    self.value(scope, key)?;
                    self.write_str(": ")?;
                    self.value(scope, value)?;
                }
                self.write_str("}")
            }
            Inner::Items { items, .. } => {
                self.write_str("[")?;
                for (place, item) in items.iter().enumerate() {
                    self.between(place)?;
                    self.value(scope, item)?;
                }
                self.write_str("]")
            }
        }
    }

    fn list(&mut self, scope: &Scope<'_>, list: &List) -> fmt::Result {
        self.write_str("(")?;
        for (place, member) in list.members(scope.package).enumerate() {
            self.between(place)?;
            write!(self, "{}=", member.name)?;
            match member.value {
                Some(value) => self.value(scope, value)?,
                // All zeros look alike here.
                None => self.write_str("0")?,
            }
        }
        self.write_str(")")
    }

    fn record(&mut self, scope: &Scope<'_>, record: &Record) -> fmt::Result {
        self.write_str("(")?;
        // Fillers mean nothing.
        let shown = record.fields.iter().filter(|(_, value)| !matches!(value, Value::Fixed(_)));
        for (place, (name, value)) in shown.enumerate() {
            self.between(place)?;
            write!(self, "{name}=")?;
            self.value(scope, value)?;
        }
        self.write_str(")")
    }

    fn between(&mut self, place: usize) -> fmt::Result {
        if place == 0 { Ok(()) } else { self.write_str(", ") }
    }
}

/// A byte count, with its unit.
pub(super) fn bytes_text(bytes: &[u8]) -> String {
    counted(bytes.len() as u64, "byte", "bytes")
}

/// The full path of an object; `None` for a null reference.
pub(super) fn object_path(scope: &Scope<'_>, index: PackageIndex) -> String {
    let path = scope.package.path(index, scope.name());
    path.map_or_else(|| "None".to_owned(), |path| path.to_string())
}

/// `EnumName::Member`, or the number if it has no name.
pub(super) fn enumerator_text(found: &Enumerator) -> String {
    match found.of.name_of(found.number) {
        Some(name) => format!("{}::{name}", found.of.name),
        None => format!("{}::{}", found.of.name, found.number),
    }
}

/// Bytes as text: UTF-8, else Latin-1.
pub(super) fn latin(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
    }
}

/// `DEADBEEF-01234567-89ABCDEF-13579BDF`.
pub(crate) fn guid_text(guid: Guid) -> String {
    let text = guid.to_string();
    // Four words, as the engine prints them.
    let parts: Vec<&str> =
        [0..8, 8..16, 16..24, 24..32].into_iter().filter_map(|part| text.get(part)).collect();
    parts.join("-")
}

/// A soft path as one text.
pub(super) fn soft_path_text(scope: &Scope<'_>, path: &SoftPath) -> String {
    let (asset, sub_path) = soft_path(scope, path);
    if sub_path.is_empty() { asset } else { format!("{asset}:{sub_path}") }
}

/// The asset path, and the sub-path after the colon.
pub(super) fn soft_path(scope: &Scope<'_>, path: &SoftPath) -> (String, String) {
    let joined = |package: Name, asset: Name| {
        let (package, asset) = (text(scope.package, package), text(scope.package, asset));
        // Both halves of an empty path are `None`.
        if asset.eq_ignore_ascii_case("None") { package.into_owned() } else { format!("{package}.{asset}") }
    };
    match path {
        SoftPath::Text(path) => match path.as_str().split_once(':') {
            Some((asset, sub_path)) => (asset.to_owned(), sub_path.to_owned()),
            None if path.as_str().is_empty() => ("None".to_owned(), String::new()),
            None => (path.to_string(), String::new()),
        },
        SoftPath::Asset(asset, sub_path) => (text(scope.package, *asset).into_owned(), sub_path.to_string()),
        SoftPath::TopLevel(package, asset, sub_path) => (joined(*package, *asset), sub_path.to_string()),
        SoftPath::Utf8(package, asset, sub_path) => (joined(*package, *asset), sub_path.to_string()),
        SoftPath::Listed(index) => {
            // A damaged index is shown as an empty path.
            let listed = usize::try_from(*index).ok().and_then(|at| scope.package.soft_object_paths.get(at));
            listed.map_or_else(Default::default, |path| {
                (joined(path.package, path.asset), path.sub_path.to_string())
            })
        }
    }
}

//! Values as lines: one value a line, short structs on one.

use super::context::ReviewContext;
use super::inputs::{self, Input};
use super::lines::{Line, quoted};
use super::noise;
use crate::graph::{field, pin_type_text};
use crate::id::hash::city;
use crate::property::{Body, Inner, List, Record, Scope, Struct, Text, Value, zero};
use std::borrow::Cow;
use std::fmt::Write as _;

/// Longest text of a struct or of numbers on one line, in bytes.
const MAX_INLINE: usize = 100;
/// Longest key of a map, in bytes.
const MAX_KEY: usize = 1000;
/// Most numbers of an array that are shown one by one.
const MAX_NUMBERS: usize = 256;

/// The members of a value that is shown, and its zeros.
type Shown<'v> = (Cow<'v, str>, Cow<'v, Value>);

/// Lines of values.
pub(super) struct Printer<'p, 'a> {
    pub of: &'p ReviewContext<'p, 'a>,
    pub lines: Vec<Line>,
}

impl<'p, 'a> Printer<'p, 'a> {
    pub(super) const fn new(of: &'p ReviewContext<'p, 'a>) -> Self {
        Self { of, lines: Vec::new() }
    }

    pub(super) fn line(&mut self, depth: usize, text: String) {
        self.lines.push(Line { depth, text });
    }

    const fn scope(&self) -> &'p Scope<'a> {
        self.of.scope
    }

    /// Prints the properties of a list that are no noise, and that `is_shown`.
    pub(super) fn list(&mut self, depth: usize, list: &List, is_shown: &dyn Fn(&str) -> bool) {
        for (name, value) in members(self.scope(), list) {
            if self.is_visible(&name) && is_shown(&name) {
                self.named(depth, &name, &value);
            }
        }
    }

    /// Prints the fields of a record that are no noise.
    pub(super) fn record(&mut self, depth: usize, record: &Record) {
        for (name, value) in &record.fields {
            // Fillers mean nothing.
            if self.is_visible(name) && !matches!(value, Value::Fixed(_)) {
                self.named(depth, name, value);
            }
        }
    }

    fn is_visible(&self, name: &str) -> bool {
        self.of.options.all || !noise::is_property(name)
    }

    /// Prints a value with its name.
    pub(super) fn named(&mut self, depth: usize, name: &str, value: &Value) {
        let value = match inputs::read(self.of, value) {
            Some(Input::Link(text)) => return self.line(depth, format!("{name} {text}")),
            // Most inputs of an expression are linked to nothing.
            Some(Input::Unset) => return,
            Some(Input::Constant(constant)) => constant,
            None => value,
        };
        match self.inline(value) {
            Some(text) => self.line(depth, format!("{name} = {text}")),
            None => {
                self.line(depth, format!("{name}:"));
                self.nested(depth + 1, value);
            }
        }
    }

    /// Prints what is inside a value.
    fn nested(&mut self, depth: usize, value: &Value) {
        match value.inner() {
            Inner::Leaf => {
                // A text of several lines.
                let text = value.text(self.scope()).unwrap_or_default();
                text.lines().for_each(|line| self.line(depth, format!("| {line}")));
            }
            Inner::Same(value) => self.nested(depth, value),
            Inner::Text(text) => match text.source() {
                Some(source) => source.lines().for_each(|line| self.line(depth, format!("| {line}"))),
                None => self.text(depth, text),
            },
            Inner::Struct(found) => match &found.body {
                Body::List(list) => self.list(depth, list, &|_| true),
                Body::Native(record) => self.record(depth, record),
                Body::Empty => {}
            },
            Inner::Items { removed, items } => {
                let is_set = matches!(value, Value::Set(_));
                self.items(depth, "removed ", removed, is_set);
                self.items(depth, "", items, is_set);
            }
            Inner::Map(map) => {
                self.items(depth, "removed ", &map.removed, true);
                let mut entries: Vec<(String, &Value)> =
                    map.entries.iter().map(|(key, value)| (self.key(key), value)).collect();
                // The order of a map's entries means nothing, and changes when one is added.
                entries.sort_by(|one, other| one.0.cmp(&other.0));
                for (key, value) in &entries {
                    self.named(depth, &format!("[{key}]"), value);
                }
            }
        }
    }

    fn text(&mut self, depth: usize, text: &Text) {
        for (name, value) in &text.fields.fields {
            if self.of.options.all || text.history_name() != "Base" || !noise::is_of_text(name) {
                self.named(depth, name, value);
            }
        }
    }

    fn items(&mut self, depth: usize, mark: &str, items: &[Value], is_set: bool) {
        let mut lines: Vec<(String, &Value, bool)> = Vec::with_capacity(items.len());
        for item in items {
            lines.push(match pair(item) {
                Some((key, value)) => (self.key(key), value, true),
                None => (self.inline(item).unwrap_or_default(), item, false),
            });
        }
        if is_set {
            lines.sort_by(|one, other| one.0.cmp(&other.0));
        }
        for (text, value, is_keyed) in lines {
            match (is_keyed, text.is_empty()) {
                (true, _) => self.named(depth, &format!("{mark}[{text}]"), value),
                (false, false) => self.line(depth, format!("{mark}- {text}")),
                (false, true) => self.item(depth, mark, value),
            }
        }
    }

    /// Prints an element that takes several lines.
    fn item(&mut self, depth: usize, mark: &str, value: &Value) {
        if let Some(Input::Link(input)) = inputs::read(self.of, value) {
            self.line(depth, format!("{mark}- {input}"));
            return;
        }
        self.line(depth, format!("{mark}-"));
        self.nested(depth + 1, value);
    }

    fn key(&self, key: &Value) -> String {
        self.inline(key).unwrap_or_else(|| key.line(self.scope(), MAX_KEY)).trim_matches('"').to_owned()
    }

    /// A value on one line; `None` if it takes several.
    pub(super) fn inline(&self, value: &Value) -> Option<String> {
        match value.inner() {
            Inner::Leaf => self.leaf(value),
            Inner::Same(value) => self.inline(value),
            Inner::Text(text) => {
                let source = text.source().filter(|source| !source.contains('\n') || source.is_empty());
                match source {
                    Some(source) => Some(quoted(source)),
                    None if text.fields.fields.is_empty() => Some(quoted("")),
                    None => None,
                }
            }
            Inner::Struct(_)
                if field(self.scope(), value, "PinCategory").is_some() && !self.of.options.all =>
            {
                Some(pin_type_text(self.scope(), value))
            }
            Inner::Struct(found) => self.short_struct(found),
            Inner::Items { removed: [], items } => self.numbers(items),
            Inner::Map(map) if map.entries.is_empty() && map.removed.is_empty() => Some("{}".to_owned()),
            Inner::Items { .. } | Inner::Map(_) => None,
        }
    }

    fn leaf(&self, value: &Value) -> Option<String> {
        Some(match value {
            Value::Object(index) => self.of.reference(*index),
            Value::Str(_) | Value::Utf8(_) | Value::Ansi(_) => {
                let text = value.text(self.scope())?;
                if text.contains('\n') {
                    return None;
                }
                quoted(&text)
            }
            Value::Bytes(bytes) | Value::Fixed(bytes) => data_text(bytes),
            Value::Raw(raw) => format!("{} (not read: {raw})", data_text(&raw.bytes)),
            _ => value
                .text(self.scope())
                .map_or_else(|| "None".to_owned(), |text| text.replace(['\n', '\r'], " ")),
        })
    }

    /// A struct with a few values that are short, such as a vector.
    fn short_struct(&self, found: &Struct) -> Option<String> {
        let mut text = String::from("(");
        let mut add = |name: &str, value: &Value| {
            if !self.is_visible(name) || matches!(value, Value::Fixed(_)) {
                return Some(());
            }
            if !matches!(value.inner(), Inner::Leaf) {
                return None;
            }
            let between = if text.len() > 1 { ", " } else { "" };
            write!(text, "{between}{name}={}", self.leaf(value)?).ok()?;
            (text.len() <= MAX_INLINE).then_some(())
        };
        match &found.body {
            Body::List(list) => {
                for (name, value) in members(self.scope(), list) {
                    add(&name, &value)?;
                }
            }
            Body::Native(record) => record.fields.iter().try_for_each(|(name, value)| add(name, value))?,
            Body::Empty => {}
        }
        text.push(')');
        Some(text)
    }

    /// Numbers on one line; of very many, their count and a hash.
    fn numbers(&self, items: &[Value]) -> Option<String> {
        if items.is_empty() {
            return Some("[]".to_owned());
        }
        let is_number = |value: &Value| {
            value.whole().is_some() && !matches!(value, Value::Enumerator(_))
                || matches!(value, Value::Float(_) | Value::Double(_))
        };
        if !items.iter().all(is_number) {
            return None;
        }
        let all: Vec<String> = items.iter().filter_map(|item| self.leaf(item)).collect();
        let text = all.join(", ");
        if text.len() <= MAX_INLINE {
            return Some(format!("[{text}]"));
        }
        (items.len() > MAX_NUMBERS)
            .then(|| format!("[{} numbers, hash {:016x}]", items.len(), city(text.as_bytes())))
    }
}

/// The names and values of a list, with zeros that have no bytes.
pub(super) fn members<'v>(scope: &'v Scope<'_>, list: &'v List) -> Vec<Shown<'v>> {
    let mut members = Vec::with_capacity(list.len());
    for member in list.members(scope.package) {
        let value = match (member.value, member.kind) {
            (Some(value), _) => Cow::Borrowed(value),
            (None, Some(kind)) => Cow::Owned(zero(scope, kind)),
            (None, None) => continue,
        };
        let name = match member.element {
            0 => member.name.to_string(),
            element => format!("{}[{element}]", member.name),
        };
        members.push((Cow::Owned(name), value));
    }
    members
}

/// The key (or name) and value of a record that consists of these, such as a row.
fn pair(value: &Value) -> Option<(&Value, &Value)> {
    match value.record()?.fields.as_slice() {
        [("Key" | "Name", key), ("Value", value)] => Some((key, value)),
        _ => None,
    }
}

/// The length and hash of data that is not shown.
pub(super) fn data_text(bytes: &[u8]) -> String {
    let counted = crate::wire::counted(bytes.len() as u64, "byte", "bytes");
    if bytes.is_empty() { counted } else { format!("{counted}, hash {:016x}", city(bytes)) }
}

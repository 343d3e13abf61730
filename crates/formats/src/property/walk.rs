//! Walks over all values of an object, with their places.

use super::inner::Inner;
use super::object::Object;
use super::scope::Scope;
use super::value::{Body, List, Record, Value};
use super::zero::zero;
use std::fmt;

/// The place of a value in an object: `Stats[2].Damage`.
#[derive(Debug, Clone, Copy)]
pub struct ValuePlace<'p> {
    outer: Option<&'p Self>,
    step: Step<'p>,
}

/// The step from a value to one inside.
#[derive(Debug, Clone, Copy)]
enum Step<'p> {
    /// A property, with its element number in a static array.
    Property(&'p str, u32),
    /// A field of a native struct or of a tail.
    Field(&'p str),
    /// An element, by index.
    Element(usize),
    /// The value of a map key, or a row.
    Key(&'p str),
}

impl Object {
    /// Calls `visit` with every value and its place, outer values first, including values recorded as zero.
    /// The values inside are skipped if it returns `false`.
    pub fn walk(&self, scope: &Scope<'_>, visit: &mut dyn FnMut(&ValuePlace<'_>, &Value) -> bool) {
        let mut walker = Walker { scope, visit };
        walker.record(None, &self.head);
        if let Some(list) = &self.properties {
            walker.list(None, list);
        }
        walker.record(None, &self.tail);
    }
}

impl<'p> ValuePlace<'p> {
    /// The name of the innermost property that is or contains the value.
    #[must_use]
    pub fn property(&self) -> Option<&'p str> {
        self.properties().next()
    }

    /// The names of all properties around the value, innermost first.
    pub fn properties(&self) -> impl Iterator<Item = &'p str> + Clone + use<'p> {
        std::iter::successors(Some(*self), |place| place.outer.copied()).filter_map(|place| {
            match place.step {
                Step::Property(name, _) => Some(name),
                _ => None,
            }
        })
    }

    /// True if the value is a property itself, not a part of one.
    #[must_use]
    pub const fn is_property(&self) -> bool {
        matches!(self.step, Step::Property(..))
    }

    /// The name of the field of a native struct, of a text or of a tail that the value is; `None` if it is none.
    #[must_use]
    pub const fn field(&self) -> Option<&'p str> {
        match self.step {
            Step::Field(name) => Some(name),
            _ => None,
        }
    }

    /// Number of steps to the value.
    #[must_use]
    pub fn depth(&self) -> usize {
        std::iter::successors(Some(self), |place| place.outer).count()
    }

    /// The last step: `Damage`, or `[2]`.
    #[must_use]
    pub fn last(&self) -> impl fmt::Display {
        self.step
    }
}

impl fmt::Display for ValuePlace<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(outer) = self.outer {
            outer.fmt(f)?;
            if matches!(self.step, Step::Property(..) | Step::Field(_)) {
                f.write_str(".")?;
            }
        }
        self.step.fmt(f)
    }
}

impl fmt::Display for Step<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Property(name, 0) | Self::Field(name) => name_with(f, name),
            Self::Property(name, element) => {
                name_with(f, name)?;
                write!(f, "[{element}]")
            }
            Self::Element(place) => write!(f, "[{place}]"),
            Self::Key(key) => {
                f.write_str("[")?;
                name_with(f, key)?;
                f.write_str("]")
            }
        }
    }
}

/// Writes a name, in quotation marks if it contains separators.
fn name_with(f: &mut fmt::Formatter<'_>, name: &str) -> fmt::Result {
    if name.is_empty() || name.contains(['.', '[', ']', '"']) {
        write!(f, "\"{name}\"")
    } else {
        f.write_str(name)
    }
}

/// Longest text of a key, in bytes; longer ones are cut off.
const MAX_KEY: usize = 200;

struct Walker<'w, 's, 'a> {
    scope: &'s Scope<'a>,
    visit: &'w mut dyn FnMut(&ValuePlace<'_>, &Value) -> bool,
}

impl Walker<'_, '_, '_> {
    fn value(&mut self, outer: Option<&ValuePlace<'_>>, step: Step<'_>, value: &Value) {
        self.at(&ValuePlace { outer, step }, value);
    }

    fn at(&mut self, place: &ValuePlace<'_>, value: &Value) {
        if !(self.visit)(place, value) {
            return;
        }
        match value.inner() {
            Inner::Leaf => {}
            // No step of its own: an optional shares its place with its value.
            Inner::Same(value) => self.at(place, value),
            Inner::Text(text) => self.record(Some(place), &text.fields),
            Inner::Struct(found) => match &found.body {
                Body::List(list) => self.list(Some(place), list),
                Body::Native(record) => self.record(Some(place), record),
                Body::Empty => {}
            },
            Inner::Map(map) => {
                self.removed(place, &map.removed);
                for (number, (key, value)) in map.entries.iter().enumerate() {
                    self.keyed(place, number, key, value);
                }
            }
            Inner::Items { removed, items } => {
                self.removed(place, removed);
                self.items(place, items);
            }
        }
    }

    fn list(&mut self, outer: Option<&ValuePlace<'_>>, list: &List) {
        for member in list.members(self.scope.package) {
            let step = Step::Property(&member.name, member.element);
            match (member.value, member.kind) {
                (Some(value), _) => self.value(outer, step, value),
                // A zero has no bytes, but it is a value all the same.
                (None, Some(kind)) => self.value(outer, step, &zero(self.scope, kind)),
                (None, None) => {}
            }
        }
    }

    fn record(&mut self, outer: Option<&ValuePlace<'_>>, record: &Record) {
        for (name, value) in &record.fields {
            let place = ValuePlace { outer, step: Step::Field(name) };
            match (*name, value.record().and_then(pair)) {
                // Rows of curve tables follow each other without a count in front.
                ("Row", Some((key, value))) => self.keyed(&place, 0, key, value),
                _ => self.at(&place, value),
            }
        }
    }

    fn items(&mut self, outer: &ValuePlace<'_>, items: &[Value]) {
        for (number, item) in items.iter().enumerate() {
            match item.record().and_then(pair) {
                Some((key, value)) => self.keyed(outer, number, key, value),
                None => self.value(Some(outer), Step::Element(number), item),
            }
        }
    }

    fn keyed(&mut self, outer: &ValuePlace<'_>, number: usize, key: &Value, value: &Value) {
        let key = key.line(self.scope, MAX_KEY);
        // A key that is cut off may not be unique.
        let step = if key.len() < MAX_KEY { Step::Key(&key) } else { Step::Element(number) };
        self.value(Some(outer), step, value);
    }

    fn removed(&mut self, outer: &ValuePlace<'_>, removed: &[Value]) {
        if !removed.is_empty() {
            self.items(&ValuePlace { outer: Some(outer), step: Step::Field("Removed") }, removed);
        }
    }
}

/// The key (or name) and value of a record that consists of these.
fn pair(record: &Record) -> Option<(&Value, &Value)> {
    match record.fields.as_slice() {
        [("Key" | "Name", key), ("Value", value)] => Some((key, value)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_written_as_addresses() {
        let rows = ValuePlace { outer: None, step: Step::Field("Rows") };
        let row = ValuePlace { outer: Some(&rows), step: Step::Key("Sword.2") };
        let stats = ValuePlace { outer: Some(&row), step: Step::Property("Stats", 3) };
        let first = ValuePlace { outer: Some(&stats), step: Step::Element(0) };
        let damage = ValuePlace { outer: Some(&first), step: Step::Property("Damage", 0) };
        assert_eq!(damage.to_string(), "Rows[\"Sword.2\"].Stats[3][0].Damage");
        assert_eq!(damage.last().to_string(), "Damage");
        assert_eq!(damage.properties().collect::<Vec<_>>(), ["Damage", "Stats"]);
        assert_eq!(damage.depth(), 5);
    }
}

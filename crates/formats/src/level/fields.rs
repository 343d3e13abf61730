//! Properties of an object as plain types.

use super::link::Link;
use crate::asset::Transform;
use crate::package::ObjectPath;
use crate::property::{Body, Member, Object, Scope, Struct, Value};

/// The properties of an object, with the scope that its names and references belong to.
#[derive(Clone, Copy)]
pub(super) struct Fields<'a> {
    pub(super) scope: &'a Scope<'a>,
    pub(super) object: &'a Object,
}

/// Properties in a struct.
#[derive(Clone, Copy)]
pub(super) struct Parts<'a> {
    scope: &'a Scope<'a>,
    /// `None` for a struct recorded as zero.
    of: Option<&'a Struct>,
}

impl<'a> Fields<'a> {
    fn find(&self, name: &str) -> Option<Member<'a>> {
        self.object.find(self.scope, name)
    }

    /// A number of any width.
    pub(super) fn number(&self, name: &str) -> Option<f64> {
        // A value recorded as zero is stored, and overrides that of the template.
        let member = self.find(name)?;
        member.get().or_else(|| member.value.is_none().then_some(0.0))
    }

    /// A flag.
    pub(super) fn flag(&self, name: &str) -> Option<bool> {
        let member = self.find(name)?;
        member.get().or_else(|| member.value.is_none().then_some(false))
    }

    /// The text of a name, an enum value or a string.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        let value = self.find(name)?.value?;
        // The name of an enum value, without that of its enum.
        value.text(self.scope).map(|text| text.rsplit("::").next().unwrap_or_default().to_owned())
    }

    /// A struct.
    pub(super) fn parts(&self, name: &str) -> Option<Parts<'a>> {
        let member = self.find(name)?;
        match member.value {
            Some(Value::Struct(found)) => Some(Parts { scope: self.scope, of: Some(found) }),
            Some(_) => None,
            None => Some(Parts { scope: self.scope, of: None }),
        }
    }

    /// A vector.
    pub(super) fn vector(&self, name: &str) -> Option<[f64; 3]> {
        self.parts(name).map(|parts| parts.vector())
    }

    /// A vector of four numbers.
    pub(super) fn vector_4(&self, name: &str) -> Option<[f64; 4]> {
        self.parts(name).map(|parts| parts.numbers(["X", "Y", "Z", "W"]))
    }

    /// A rotation in degrees, as a quaternion.
    pub(super) fn rotator(&self, name: &str) -> Option<[f64; 4]> {
        let [pitch, yaw, roll] = self.parts(name)?.numbers(["Pitch", "Yaw", "Roll"]);
        Some(Transform::rotation_of(pitch, yaw, roll))
    }

    /// A colour in bytes, as fractions: red, green, blue, alpha.
    pub(super) fn color(&self, name: &str) -> Option<[f64; 4]> {
        let color = self.parts(name)?.numbers(["R", "G", "B", "A"]);
        Some(color.map(|part| part / 255.0))
    }

    /// A reference to an object.
    pub(super) fn link(&self, name: &str) -> Option<Link> {
        let member = self.find(name)?;
        match member.value {
            Some(value) => self.link_of(value),
            None => Some(Link(None)),
        }
    }

    /// References to objects.
    pub(super) fn links(&self, name: &str) -> Option<Vec<Link>> {
        let member = self.find(name)?;
        let items: &[Value] = member.get()?;
        Some(items.iter().map(|item| self.link_of(item).unwrap_or_default()).collect())
    }

    fn link_of(&self, value: &Value) -> Option<Link> {
        match value {
            Value::Object(index) => Some(Link(self.scope.package.path(*index, self.scope.name()))),
            Value::SoftPath(_) => {
                let text = value.text(self.scope)?;
                let is_set = !text.is_empty() && !text.eq_ignore_ascii_case("None");
                Some(Link(is_set.then(|| ObjectPath::from_text(&text))))
            }
            _ => None,
        }
    }
}

impl<'a> Parts<'a> {
    fn value(&self, name: &str) -> Option<&'a Value> {
        match &self.of?.body {
            Body::Native(record) => record.get(name),
            Body::List(list) => list.find(self.scope.package, name)?.value,
            Body::Empty => None,
        }
    }

    /// A number; `None` if it has its default.
    pub(super) fn number(&self, name: &str) -> Option<f64> {
        self.value(name).and_then(crate::property::FromValue::from_value)
    }

    /// Numbers, of which those that are missing are zero.
    pub(super) fn numbers<const N: usize>(&self, names: [&str; N]) -> [f64; N] {
        names.map(|name| self.number(name).unwrap_or_default())
    }

    /// Its coordinates.
    pub(super) fn vector(&self) -> [f64; 3] {
        self.numbers(["X", "Y", "Z"])
    }

    /// A struct inside.
    pub(super) fn parts(&self, name: &str) -> Option<Self> {
        match self.value(name)? {
            Value::Struct(found) => Some(Self { scope: self.scope, of: Some(found) }),
            _ => None,
        }
    }
}

//! Properties of an object as plain types.

use super::link::Link;
use crate::asset::Transform;
use crate::package::ObjectPath;
use crate::property::{Body, FromValue, Object, Scope, Struct, Value};
use serde_json::{Map, Value as Json};

/// The properties of an object.
#[derive(Clone, Copy)]
pub(super) enum Fields<'a> {
    /// In a package, with the scope that its names and references belong to.
    Stored { scope: &'a Scope<'a>, object: &'a Object },
    /// In a dump of a running game.
    Dumped(&'a Map<String, Json>),
}

/// Properties in a struct.
#[derive(Clone, Copy)]
pub(super) enum Parts<'a> {
    /// In a package; `None` for a struct recorded as zero.
    Stored { scope: &'a Scope<'a>, of: Option<&'a Struct> },
    /// In a dump.
    Dumped(&'a Map<String, Json>),
}

impl<'a> Fields<'a> {
    /// A number of any width.
    pub(super) fn number(&self, name: &str) -> Option<f64> {
        match self {
            // A value recorded as zero is stored, and overrides that of the template.
            Self::Stored { scope, object } => {
                let member = object.find(scope, name)?;
                member.get().or_else(|| member.value.is_none().then_some(0.0))
            }
            Self::Dumped(values) => values.get(name)?.as_f64(),
        }
    }

    /// A flag.
    pub(super) fn flag(&self, name: &str) -> Option<bool> {
        match self {
            Self::Stored { scope, object } => {
                let member = object.find(scope, name)?;
                member.get().or_else(|| member.value.is_none().then_some(false))
            }
            Self::Dumped(values) => values.get(name)?.as_bool(),
        }
    }

    /// The text of a name, an enum value or a string.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        // The name of an enum value, without that of its enum.
        let short = |text: &str| text.rsplit("::").next().unwrap_or_default().to_owned();
        match self {
            Self::Stored { scope, object } => {
                object.find(scope, name)?.value?.text(scope).map(|text| short(&text))
            }
            Self::Dumped(values) => values.get(name)?.as_str().map(short),
        }
    }

    /// A struct.
    pub(super) fn parts(&self, name: &str) -> Option<Parts<'a>> {
        match *self {
            Self::Stored { scope, object } => match object.find(scope, name)?.value {
                Some(Value::Struct(found)) => Some(Parts::Stored { scope, of: Some(found) }),
                Some(_) => None,
                None => Some(Parts::Stored { scope, of: None }),
            },
            Self::Dumped(values) => values.get(name)?.as_object().map(Parts::Dumped),
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
        match self {
            Self::Stored { scope, object } => match object.find(scope, name)?.value {
                Some(value) => link_of(scope, value),
                None => Some(Link(None)),
            },
            Self::Dumped(values) => dumped_link(values.get(name)?),
        }
    }

    /// References to objects.
    pub(super) fn links(&self, name: &str) -> Option<Vec<Link>> {
        match self {
            Self::Stored { scope, object } => {
                let items: &[Value] = object.find(scope, name)?.get()?;
                Some(items.iter().map(|item| link_of(scope, item).unwrap_or_default()).collect())
            }
            Self::Dumped(values) => {
                let items = values.get(name)?.as_array()?;
                Some(items.iter().map(|item| dumped_link(item).unwrap_or_default()).collect())
            }
        }
    }
}

fn link_of(scope: &Scope<'_>, value: &Value) -> Option<Link> {
    match value {
        Value::Object(index) => Some(Link(scope.package.path(*index, scope.name()))),
        Value::SoftPath(_) => {
            let text = value.text(scope)?;
            let is_set = !text.is_empty() && !text.eq_ignore_ascii_case("None");
            Some(Link(is_set.then(|| ObjectPath::from_text(&text))))
        }
        _ => None,
    }
}

/// A reference in a dump: a path, or null.
fn dumped_link(value: &Json) -> Option<Link> {
    match value {
        Json::Null => Some(Link(None)),
        value => value.as_str().map(|path| Link(Some(ObjectPath::from_text(path)))),
    }
}

impl Parts<'_> {
    /// A number; `None` if it has its default.
    pub(super) fn number(&self, name: &str) -> Option<f64> {
        match self {
            Self::Stored { scope, of } => f64::from_value(member(scope, (*of)?, name)?),
            Self::Dumped(values) => values.get(name)?.as_f64(),
        }
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
        match *self {
            Self::Stored { scope, of } => match member(scope, of?, name)? {
                Value::Struct(found) => Some(Self::Stored { scope, of: Some(found) }),
                _ => None,
            },
            Self::Dumped(values) => values.get(name)?.as_object().map(Self::Dumped),
        }
    }
}

fn member<'a>(scope: &'a Scope<'a>, of: &'a Struct, name: &str) -> Option<&'a Value> {
    match &of.body {
        Body::Native(record) => record.get(name),
        Body::List(list) => list.find(scope.package, name)?.value,
        Body::Empty => None,
    }
}

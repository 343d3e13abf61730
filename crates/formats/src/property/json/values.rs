//! Values in FModel's form.

use super::shown::Shown;
use crate::property::Scope;
use crate::property::kind::Kind;
use crate::property::list::Member;
use crate::property::value::{List, Value};
use crate::property::zero::zero;
use serde::ser::{Serialize, SerializeMap, Serializer};

/// The properties of a list, as an object.
impl Serialize for Shown<'_, '_, List> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for member in self.value.members(self.scope.package) {
            // Element 0 of a static array has the plain name, as in FModel.
            if member.element == 0 {
                map.serialize_key(&*member.name)?;
            } else {
                map.serialize_key(&format!("{}[{}]", member.name, member.element))?;
            }
            map.serialize_value(&Shown { scope: self.scope, value: &member })?;
        }
        map.end()
    }
}

impl Serialize for Shown<'_, '_, Member<'_>> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let scope = self.scope;
        match (self.value.value, self.value.kind) {
            (Some(value), _) => Shown { scope, value }.serialize(serializer),
            (None, Some(Kind::Unknown(name))) => {
                problem(format_args!("{name}: type of a property: not known"), serializer)
            }
            // A zero has no bytes, so it is made from its type.
            (None, Some(kind)) => Shown { scope, value: &zero(scope, kind) }.serialize(serializer),
            (None, None) => problem(format_args!("property of a schema: not known"), serializer),
        }
    }
}

/// Shows the reason in place of a value that is not understood. FModel silently omits such values.
pub(in crate::property) fn problem<S: Serializer>(
    reason: std::fmt::Arguments<'_>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(1))?;
    map.serialize_entry("Problem", &reason)?;
    map.end()
}

/// The text of a map key; `None` for a struct, which is shown as an object.
pub(in crate::property) fn key_text(scope: &Scope<'_>, key: &Value) -> Option<String> {
    let mut text = key.key(scope)?.into_owned();
    // FModel cuts off the type, which it writes in parentheses, and everything after it.
    let cut = text.find('(').unwrap_or(text.len());
    text.truncate(text.get(..cut)?.trim_end().len());
    Some(text)
}

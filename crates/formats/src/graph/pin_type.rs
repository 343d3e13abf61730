//! Types of pins as text.

use super::member::{as_name, field, field_text, last_name, object_of};
use crate::property::{FromValue, Scope, Value};

/// The fields of one type of a pin: its own, or that of the values of a map.
struct Terms {
    category: &'static str,
    sub_category: &'static str,
    object: &'static str,
}

const OWN: Terms =
    Terms { category: "PinCategory", sub_category: "PinSubCategory", object: "PinSubCategoryObject" };
const VALUES: Terms = Terms {
    category: "TerminalCategory",
    sub_category: "TerminalSubCategory",
    object: "TerminalSubCategoryObject",
};

/// The type of a pin (`FEdGraphPinType`): `real:double`, `[Actor]` for an array, `{Name}` for a set, `{Name: int}` for a map; a
/// reference ends with `&`.
pub(crate) fn pin_type_text(scope: &Scope<'_>, of: &Value) -> String {
    let is = |name: &str| field(scope, of, name).and_then(bool::from_value).unwrap_or(false);
    let container = field(scope, of, "ContainerType").map_or(0, |value| match value {
        // Stored as a number in pins, and as an enumerator in lists of properties.
        Value::Enum(_) => match value.line(scope, 100).rsplit("::").next() {
            Some("Array") => 1,
            Some("Set") => 2,
            Some("Map") => 3,
            _ => 0,
        },
        _ => u8::from_value(value).unwrap_or(0),
    });
    let own = terms_text(scope, of, &OWN);
    let text = match container {
        1 => format!("[{own}]"),
        2 => format!("{{{own}}}"),
        3 => map_text(scope, of, &own),
        _ if is("bIsArray") => format!("[{own}]"),
        _ if is("bIsSet") => format!("{{{own}}}"),
        _ if is("bIsMap") => map_text(scope, of, &own),
        _ => own,
    };
    as_name(if is("bIsReference") { text + "&" } else { text })
}

fn map_text(scope: &Scope<'_>, of: &Value, key: &str) -> String {
    // A field of its own in lists of properties.
    let values = field(scope, of, "PinValueType").unwrap_or(of);
    format!("{{{key}: {}}}", terms_text(scope, values, &VALUES))
}

fn terms_text(scope: &Scope<'_>, of: &Value, terms: &Terms) -> String {
    let category = field_text(scope, of, terms.category);
    let name = last_name(scope, object_of(scope, of, terms.object));
    let sub_category = field_text(scope, of, terms.sub_category);
    match (category.as_str(), name.as_str(), sub_category.as_str()) {
        ("class", name, _) if !name.is_empty() => format!("Class<{name}>"),
        ("softobject" | "asset", name, _) if !name.is_empty() => format!("Soft<{name}>"),
        ("softclass" | "assetclass", name, _) if !name.is_empty() => format!("SoftClass<{name}>"),
        (_, name, _) if !name.is_empty() => name.to_owned(),
        ("object" | "class" | "interface", _, sub) if !sub.is_empty() => sub.to_owned(),
        (category, _, "") => category.to_owned(),
        (category, _, sub) => format!("{category}:{sub}"),
    }
}

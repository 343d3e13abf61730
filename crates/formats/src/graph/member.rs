//! Members of values and names of objects, as graphs need them.

use crate::package::legacy::{PackageIndex, PackageRef};
use crate::property::{FromValue, Object, Scope, Value};
use crate::wire::start_of;

/// Longest text that is taken from a value, in bytes.
const MAX_TEXT: usize = 100_000;

/// A field or property of a struct, whatever its form.
pub(crate) fn field<'v>(scope: &'v Scope<'_>, value: &'v Value, name: &str) -> Option<&'v Value> {
    match (value.record(), value.properties()) {
        (Some(record), _) => record.get(name),
        (None, Some(list)) => list.find(scope.package, name)?.value,
        (None, None) => None,
    }
}

/// The text of a field; empty if it is missing or `None`.
pub(crate) fn field_text(scope: &Scope<'_>, value: &Value, name: &str) -> String {
    field(scope, value, name).map(|value| plain_text(scope, value)).unwrap_or_default()
}

/// The text of a property of an object; empty if it is missing or `None`.
pub(super) fn property_text(scope: &Scope<'_>, object: &Object, name: &str) -> String {
    let found = object.find(scope, name).and_then(|member| member.value);
    found.map(|value| plain_text(scope, value)).unwrap_or_default()
}

/// The text of a value; empty for `None`.
pub(super) fn plain_text(scope: &Scope<'_>, value: &Value) -> String {
    if let Value::Text(text) = value
        && (text.source().is_some() || text.history_name() == "None")
    {
        return text.source().unwrap_or_default().to_owned();
    }
    let text = value.line(scope, MAX_TEXT);
    if text == "None" { String::new() } else { text }
}

/// Longest name, in bytes: that of the engine's own names. Longer ones are cut off, since every link to a node repeats them.
const MAX_NAME: usize = crate::wire::MAX_NAME_LEN;

/// A text as a name of bounded length.
pub(super) fn as_name(text: String) -> String {
    if text.len() <= MAX_NAME { text } else { format!("{}…", start_of(&text, MAX_NAME)) }
}

/// The object that a field refers to; null if it is missing.
pub(crate) fn object_of(scope: &Scope<'_>, value: &Value, name: &str) -> PackageIndex {
    field(scope, value, name).and_then(PackageIndex::from_value).unwrap_or(PackageIndex::NONE)
}

/// The name of an object without its outer objects; empty for none.
pub(crate) fn last_name(scope: &Scope<'_>, index: PackageIndex) -> String {
    let name = match index.decode() {
        PackageRef::None => None,
        PackageRef::Import(at) => scope.package.imports.get(at as usize).map(|import| import.name),
        PackageRef::Export(at) => scope.package.exports.get(at as usize).map(|export| export.name),
    };
    name.map(|name| scope.package.text(name).to_string()).unwrap_or_default()
}

/// The name of a class without the prefix that the classes of nodes of its kind share.
pub(crate) fn short_class(class: &str) -> &str {
    const PREFIXES: [&str; 4] = ["K2Node_", "EdGraphNode_", "AnimGraphNode_", "MaterialExpression"];
    PREFIXES.into_iter().find_map(|prefix| class.strip_prefix(prefix)).unwrap_or(class)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_links_repeat_have_a_bounded_length() {
        assert_eq!(as_name("Print".to_owned()), "Print");
        let long = as_name("ä".repeat(100_000));
        assert!(long.len() <= MAX_NAME + '…'.len_utf8() && long.ends_with("ä…"), "{}", long.len());
    }
}

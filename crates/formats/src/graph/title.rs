//! Titles of nodes: their class and what they are about.

use super::member::{
    as_name, field, field_text, last_name, object_of, plain_text, property_text, short_class,
};
use crate::package::legacy::PackageIndex;
use crate::property::{FromValue, Object, Scope, Value};

/// References to members, with the properties that hold them.
const REFERENCES: [&str; 4] =
    ["FunctionReference", "VariableReference", "EventReference", "DelegateReference"];

/// Properties that are the subject of a node, in the order in which they are tried.
const SUBJECTS: [&str; 21] = [
    "CustomFunctionName",
    "EventSignatureName",
    "TargetType",
    "StructType",
    "Enum",
    "InputAction",
    "InputActionName",
    "InputAxisName",
    "InputKey",
    "AxisKey",
    "TimelineName",
    "ProxyFactoryFunctionName",
    "BoundGraph",
    "ClassType",
    "DataTable",
    "FunctionScript",
    "FunctionDisplayName",
    "ParameterName",
    "MaterialFunction",
    "SoundNode",
    "NodeInstance",
];

/// Properties that a title is made of, or that follow from it.
pub(crate) fn is_of_title(name: &str) -> bool {
    REFERENCES.contains(&name)
        || SUBJECTS.contains(&name)
        || ["MacroGraphReference", "DelegatePropertyName", "ComponentPropertyName", "SelectedKey"]
            .contains(&name)
}

/// The title of a node: `CallFunction KismetSystemLibrary.PrintString`.
pub(super) fn title(scope: &Scope<'_>, class: &str, object: &Object) -> String {
    let class = short_class(class);
    match subject(scope, object) {
        Some(subject) if !subject.is_empty() => as_name(format!("{class} {subject}")),
        _ => as_name(class.to_owned()),
    }
}

fn subject(scope: &Scope<'_>, object: &Object) -> Option<String> {
    let value_of = |name: &str| object.find(scope, name).and_then(|member| member.value);
    let component = property_text(scope, object, "ComponentPropertyName");
    let delegate = property_text(scope, object, "DelegatePropertyName");
    if !delegate.is_empty() {
        return Some(if component.is_empty() { delegate } else { format!("{component}.{delegate}") });
    }
    // An event that the author named may have an empty reference, too.
    let custom = property_text(scope, object, "CustomFunctionName");
    if !custom.is_empty() {
        return Some(custom);
    }
    let referred = REFERENCES.into_iter().filter_map(value_of).map(|found| reference(scope, found));
    if let Some(referred) = referred.into_iter().find(|text| !text.is_empty()) {
        return Some(referred);
    }
    if let Some(found) = value_of("MacroGraphReference") {
        return Some(last_name(scope, object_of(scope, found, "MacroGraph")));
    }
    SUBJECTS
        .into_iter()
        .filter_map(value_of)
        .map(|value| subject_text(scope, value))
        .find(|text| !text.is_empty())
}

/// A member with the class that it belongs to, unless that is the blueprint itself.
fn reference(scope: &Scope<'_>, found: &Value) -> String {
    let name = field_text(scope, found, "MemberName");
    let parents = ["MemberParent", "MemberParentClass"];
    let parent = parents.into_iter().map(|parent| object_of(scope, found, parent));
    let parent = parent.into_iter().map(|parent| last_name(scope, parent)).find(|name| !name.is_empty());
    let scope_name = field_text(scope, found, "MemberScope");
    match parent.or(Some(scope_name).filter(|name| !name.is_empty())) {
        Some(parent) if !name.is_empty() => format!("{parent}.{name}"),
        _ => name,
    }
}

fn subject_text(scope: &Scope<'_>, value: &Value) -> String {
    match PackageIndex::from_value(value) {
        Some(index) => last_name(scope, index),
        // A key of an input device.
        None if value.record().is_some() || value.properties().is_some() => {
            let key = field(scope, value, "KeyName");
            key.map(|key| plain_text(scope, key)).unwrap_or_default()
        }
        None => plain_text(scope, value),
    }
}

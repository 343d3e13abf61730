//! A blueprint: its parent, interfaces and variables.

use super::context::ReviewContext;
use super::lines::quoted;
use super::section::{ReviewSection, SectionKind};
use super::values::{Printer, members};
use crate::graph::{field, field_text, object_of, pin_type_text};
use crate::property::{Inner, Value};

/// Properties that the other sections show, or that follow from them.
const SHOWN: [&str; 13] = [
    "ComponentTemplates",
    "DelegateSignatureGraphs",
    "EventGraphs",
    "FunctionGraphs",
    "GeneratedClass",
    "ImplementedInterfaces",
    "IntermediateGeneratedGraphs",
    "MacroGraphs",
    "NewVariables",
    "ParentClass",
    "SimpleConstructionScript",
    "SkeletonGeneratedClass",
    "UbergraphPages",
];
/// Members of a variable that its first line shows, or that are no use to a reader.
const OF_VARIABLE: [&str; 6] =
    ["VarName", "VarGuid", "VarType", "FriendlyName", "DefaultValue", "PropertyFlags"];

/// The section of an export that is a blueprint; `None` for any other.
pub(super) fn section(of: &ReviewContext<'_, '_>, at: u32) -> Option<ReviewSection> {
    let object = of.objects.get(at as usize)?;
    let class = of.scope.class_name(of.scope.package.exports.get(at as usize)?)?;
    let list = object.properties.as_ref()?;
    let value_of = |name: &str| list.find(of.scope.package, name).and_then(|member| member.value);
    if !class.ends_with("Blueprint")
        || value_of("GeneratedClass").or_else(|| value_of("ParentClass")).is_none()
    {
        return None;
    }
    let mut lines = Printer::new(of);
    if let Some(parent) = value_of("ParentClass").and_then(|parent| lines.inline(parent)) {
        lines.line(1, format!("parent {parent}"));
    }
    let interfaces = value_of("ImplementedInterfaces").and_then(Value::items).unwrap_or_default();
    for interface in interfaces {
        let name = of.reference(object_of(of.scope, interface, "Interface"));
        lines.line(1, format!("interface {name}"));
    }
    for variable in value_of("NewVariables").and_then(Value::items).unwrap_or_default() {
        self::variable(&mut lines, 1, variable);
    }
    lines.list(1, list, &|name| !SHOWN.contains(&name) || of.options.all);
    let path = of.path(at);
    let heading = format!("{class} {path}");
    Some(ReviewSection { kind: SectionKind::Blueprint, object: path, heading, lines: lines.lines })
}

/// A variable, with what is special about it below.
pub(super) fn variable(lines: &mut Printer<'_, '_>, depth: usize, variable: &Value) {
    let of = lines.of;
    let name = field_text(of.scope, variable, "VarName");
    let type_of = field(of.scope, variable, "VarType").map(|of_type| pin_type_text(of.scope, of_type));
    let default = field_text(of.scope, variable, "DefaultValue");
    let default = if default.is_empty() { default } else { format!(" = {}", quoted(&default)) };
    let marks = marks(of, variable);
    lines.line(depth, format!("var {name}: {}{default}{marks}", type_of.unwrap_or_default()));
    let Some(list) = variable.properties() else { return };
    for (name, value) in members(of.scope, list) {
        if of.options.all || !(OF_VARIABLE.contains(&&*name) || is_usual(of, &name, &value)) {
            lines.named(depth + 2, &name, &value);
        }
    }
}

/// The metadata of a variable: ` [ExposeOnSpawn, tooltip = "Speed in m/s"]`.
fn marks(of: &ReviewContext<'_, '_>, variable: &Value) -> String {
    let entries = field(of.scope, variable, "MetaDataArray").and_then(Value::items).unwrap_or_default();
    let mark = |entry: &Value| {
        let (key, value) = (field_text(of.scope, entry, "DataKey"), field_text(of.scope, entry, "DataValue"));
        match (key.as_str(), value.as_str()) {
            // All texts have it.
            ("MultiLine", _) => None,
            (_, "true") => Some(key),
            (_, value) => Some(format!("{key} = {}", quoted(value))),
        }
    };
    let marks: Vec<String> = entries.iter().filter_map(mark).collect();
    if marks.is_empty() { String::new() } else { format!(" [{}]", marks.join(", ")) }
}

/// True for the value that a variable has as a rule.
fn is_usual(of: &ReviewContext<'_, '_>, name: &str, value: &Value) -> bool {
    match (name, value.inner()) {
        ("Category", Inner::Text(text)) => {
            text.source().is_none_or(|text| text.is_empty() || text == "Default")
        }
        ("MetaDataArray", _) => true,
        ("RepNotifyFunc", _) => value.text(of.scope).is_some_and(|text| text == "None"),
        ("ReplicationCondition", _) => value.text(of.scope).is_some_and(|text| text.ends_with("COND_None")),
        _ => false,
    }
}

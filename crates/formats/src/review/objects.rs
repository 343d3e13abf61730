//! Any other object: its values, and what is known of its data.

use super::context::ReviewContext;
use super::noise;
use super::section::{ReviewSection, SectionKind};
use super::values::{Printer, data_text};
use crate::names::{ObjectPath, split_number};
use crate::package::legacy::{Export, PackageIndex, PackageRef};
use crate::property::{Inner, Object, Value};

/// Fields after the properties that say nothing, or that others show.
const TAIL: [&str; 4] = ["Guid", "Pins", "UserDefinedPins", "PureState"];

/// Most bytes of zeros after an object that are left out: counts of lists that a class of the project adds.
const MAX_PADDING: usize = 16;

/// The exports in the order of their paths, numbers in names by their value.
pub(super) fn in_order(of: &ReviewContext<'_, '_>) -> Vec<u32> {
    let paths = (0_u32..).zip(&of.scope.package.exports).map(|(at, _)| (self::key(of, at), at));
    let mut paths: Vec<_> = paths.collect();
    paths.sort();
    paths.into_iter().map(|(_, at)| at).collect()
}

fn key(of: &ReviewContext<'_, '_>, at: u32) -> Vec<(String, u32)> {
    let path = PackageIndex::export(at).and_then(|index| of.scope.package.path(index, ""));
    let names = path.iter().flat_map(ObjectPath::names).map(|name| split_number(name));
    names.map(|(base, number)| (base.to_lowercase(), number)).collect()
}

/// The section of an export; `None` if the editor keeps it for itself.
pub(super) fn section(of: &ReviewContext<'_, '_>, at: u32) -> Option<ReviewSection> {
    let package = of.scope.package;
    let (export, object) = (package.exports.get(at as usize)?, of.objects.get(at as usize)?);
    let class = of.scope.class_name(export);
    let class = class.as_deref().unwrap_or("Class");
    let names = PackageIndex::export(at).and_then(|index| package.path(index, ""));
    let is_copy = names.is_some_and(|names| noise::is_copy(names.names()));
    let is_compiled = !package.form.cooked && (noise::is_compiled(class) || is_copy);
    if !of.options.all && (noise::is_class(class) || is_compiled) {
        return None;
    }
    let mut lines = Printer::new(of);
    contents(&mut lines, 1, at, object);
    let path = of.path(at);
    let label = PackageIndex::export(at).and_then(|index| of.expressions.label(index));
    let is_in_defaults = match export.outer.decode() {
        PackageRef::Export(outer) => {
            package.exports.get(outer as usize).is_some_and(Export::is_default_object)
        }
        _ => false,
    };
    let (kind, heading) = match label {
        None if is_in_defaults => (SectionKind::Defaults, format!("{class} {path}")),
        _ if export.is_default_object() => (SectionKind::Defaults, format!("defaults of {class}")),
        // The outermost name is that of the material as a rule.
        Some(label) => (SectionKind::Object, format!("{label} in {}", of.reference(export.outer))),
        None => (SectionKind::Object, format!("{class} {path}")),
    };
    Some(ReviewSection { kind, object: path, heading, lines: lines.lines })
}

/// Prints the values of an object, and the length of what is not read.
pub(super) fn contents(lines: &mut Printer<'_, '_>, depth: usize, at: u32, object: &Object) {
    let of = lines.of;
    let export = of.scope.package.exports.get(at as usize);
    let class = export.and_then(|export| of.scope.class_name(export));
    let class = class.as_deref().unwrap_or("Class");
    let is_default = export.is_some_and(Export::is_default_object);
    if let Some(list) = &object.properties {
        let is_noise =
            |name: &str| is_default && noise::is_of_default(name) || noise::is_of_expression(class, name);
        lines.list(depth, list, &|name| of.options.all || !is_noise(name));
    }
    let is_class = class == "Class" || noise::is_compiled(class);
    let is_shown = |name: &str| of.options.all || !(is_class || TAIL.contains(&name));
    for (name, value) in object.tail.fields.iter().filter(|(name, _)| is_shown(name)) {
        // Classes write many lists that are empty as a rule.
        if of.options.all || !is_empty(value) {
            lines.named(depth, name, value);
        }
    }
    let is_padding = object.rest.len() <= MAX_PADDING && object.rest.iter().all(|byte| *byte == 0);
    if !object.rest.is_empty() && (of.options.all || !is_padding) {
        lines.line(depth, format!("(data) = {}", data_text(&object.rest)));
    }
    if let Some(problem) = &object.problem {
        lines.line(depth, format!("(not read further: {problem})"));
    }
}

/// True for a list without elements, or a reference to nothing.
fn is_empty(value: &Value) -> bool {
    match value.inner() {
        Inner::Items { removed, items } => removed.is_empty() && items.is_empty(),
        Inner::Map(map) => map.entries.is_empty() && map.removed.is_empty(),
        Inner::Leaf => matches!(value, Value::Object(PackageIndex::NONE) | Value::Optional(None)),
        Inner::Same(value) => is_empty(value),
        Inner::Text(_) | Inner::Struct(_) => false,
    }
}

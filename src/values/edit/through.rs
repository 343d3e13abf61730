//! Addresses that lead through references: `Default__BP_Bear_C.Movement.Speed` is the value `Speed` of the component that the
//! property `Movement` refers to.
//!
//! ```text
//! Default__BP_Bear_C ─ Movement ──────────► CharMoveComp           an object of the same package: go on there
//!                    └ Lamp, not recorded ─► Lamp_GEN_VARIABLE      the template of a component that the blueprint adds
//! ```

use crate::package::legacy::{Export, PackageRef};
use crate::property::edit::{Address, EditError, Editor, Step};
use crate::property::{Object, Scope, Value};
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// The most references that one address leads through.
const MOST: usize = 8;

/// End of the name of a component's template.
const TEMPLATE: &str = "_GEN_VARIABLE";

/// Parts of a reference itself.
const REFERENCE: [&str; 2] = ["ObjectName", "ObjectPath"];

/// The addresses of values, once references are followed; several if the value of a reference is a JSON object with values of the
/// object.
pub(super) fn through(
    scope: &Scope<'_>,
    editor: &Editor<'_, '_>,
    objects: &mut BTreeMap<usize, Object>,
    address: &Address,
    text: &str,
) -> Result<Vec<(Address, String)>, EditError> {
    let mut found = Vec::new();
    let mut open = vec![(address.clone(), text.to_owned(), MOST)];
    while let Some((address, text, left)) = open.pop() {
        let members = members_of_object(&text).filter(|_| address.steps.len() == 1);
        let may_lead_on = members.is_some() || address.steps.len() > 1 && !is_of_reference(&address);
        let target = if may_lead_on && left > 0 {
            let at = editor.export(&address.export)?;
            target(scope, objects, at, &address)
        } else {
            None
        };
        match (target, members) {
            (None, _) => found.push((address, text)),
            (Some(at), None) => {
                let export = editor.export_name(at);
                let steps = address.steps.into_iter().skip(1).collect();
                open.push((Address { export, steps }, text, left - 1));
            }
            (Some(at), Some(members)) => {
                let export = editor.export_name(at);
                // Taken from the end: the first member comes out first.
                for (name, value) in members.into_iter().rev() {
                    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                    let address = Address { export: export.clone(), steps: vec![Step::Name(name)] };
                    open.push((address, text, left - 1));
                }
            }
        }
    }
    Ok(found)
}

/// True if the second step is a part of the reference itself.
fn is_of_reference(address: &Address) -> bool {
    let second = address.steps.get(1).map_or("", Step::text);
    REFERENCE.iter().any(|part| second.eq_ignore_ascii_case(part))
}

/// The members of a JSON object that is no reference.
fn members_of_object(text: &str) -> Option<serde_json::Map<String, Json>> {
    if !text.trim_start().starts_with('{') {
        return None;
    }
    let Ok(Json::Object(members)) = serde_json::from_str(text) else { return None };
    (!members.is_empty() && !REFERENCE.iter().any(|part| members.contains_key(*part))).then_some(members)
}

/// The object of this package that the first step leads to; `None` if that is no reference to one.
fn target(
    scope: &Scope<'_>,
    objects: &mut BTreeMap<usize, Object>,
    at: usize,
    address: &Address,
) -> Option<usize> {
    let Some(Step::Name(name)) = address.steps.first() else { return None };
    let (package, export) = (scope.package, scope.package.exports.get(at)?);
    let object = objects.entry(at).or_insert_with(|| Object::read(scope, export));
    if let Some(member) = object.properties.as_ref().and_then(|list| list.find(package, name)) {
        let Some(Value::Object(index)) = member.value else { return None };
        let PackageRef::Export(at) = index.decode() else { return None };
        return Some(at as usize);
    }
    let is_field = object.tail.get(name).is_some() || object.head.get(name).is_some();
    if is_field || !export.is_default_object() {
        return None;
    }
    let template = format!("{name}{TEMPLATE}");
    // The class is the outer object of its templates.
    let is_it = |other: &Export| {
        other.outer == export.class && package.text(other.name).to_string().eq_ignore_ascii_case(&template)
    };
    package.exports.iter().position(is_it)
}

//! Documents in FModel's form: where one differs from the package, values are changed, one by one.
//!
//! ```text
//! document ──► compared with the form of the package ──► changes of values ──► package ──► compared again: nothing may be left
//! ```
//!
//! The form does not have all that a package holds, so a document is never taken as a whole: what it does not show stays.
//! Properties, rows and elements that it lacks are refused, as it does not say whether they were forgotten.

use crate::asset::Payloads;
use crate::bytecode::Scripts;
use crate::error::ShownProblem;
use crate::property::Scope;
use crate::property::edit::{Address, Editor, ExportName, Names, Step};
use crate::property::json::FModel;
use serde_json::{Map, Number, Value as Json};
use std::collections::HashMap;

/// Keys of an export that no value stands for.
const OF_EXPORT: [&str; 8] = ["Type", "Name", "Flags", "Class", "Package", "Outer", "Super", "Template"];

/// The key of an export's properties.
const PROPERTIES: &str = "Properties";

/// The key of a table's rows.
const ROWS: &str = "Rows";

/// Structs with values that are computed for display: the keys of these, and all others that the struct has.
const COMPUTED: [(&[&str], &[&str]); 3] = [
    (&["LocalizedString"], &["Namespace", "Key", "SourceString", NOTES]),
    (&["Hex"], &["R", "G", "B", "A"]),
    (&["IsNormalized", "Size", "SizeSquared"], &["X", "Y", "Z", "W"]),
];

/// Key of notes of developers, which only texts of uncooked packages have.
const NOTES: &str = "DevNotes";

/// Keys of a reference.
const REFERENCE: [&str; 2] = ["ObjectName", "ObjectPath"];

/// Differences of a package from a document.
#[derive(Default)]
pub(super) struct ShownChanges {
    /// Values to change.
    pub values: Vec<(Address, String)>,
    /// Addresses of values that are in the package only.
    pub lacking: Vec<String>,
    /// Parts that cannot be changed or compared, and why.
    pub untold: Vec<(String, String)>,
    /// Addresses of values that differ only in what is computed of them.
    computed: Vec<String>,
    /// True if the changes are made already.
    is_check: bool,
}

impl ShownChanges {
    /// Compares a package with a document.
    pub(super) fn of(scope: &Scope<'_>, document: &Json) -> Result<Self, ShownProblem> {
        let found = Self::default().compared(scope, document)?;
        match (found.lacking.first(), found.computed.first()) {
            (Some(at), _) => Err(ShownProblem::Lacking { at: at.clone() }),
            (None, Some(at)) => Err(ShownProblem::Left { at: at.clone() }),
            (None, None) => Ok(found),
        }
    }

    fn compared(mut self, scope: &Scope<'_>, document: &Json) -> Result<Self, ShownProblem> {
        let exports = exports(document).ok_or(ShownProblem::NoList)?;
        let (places, editor) = (Places::new(scope), Editor::new(scope, Names::default()));
        for (at, given) in exports.iter().enumerate() {
            let given = given.as_object().ok_or(ShownProblem::NoObject { at })?;
            let place = places.of(scope, at, given)?;
            let own = own(scope, place).map_err(|_| ShownProblem::NoObject { at })?;
            self.export(editor.export_name(place as usize), &own, given);
        }
        Ok(self)
    }

    /// Fails if the package is not what the document shows.
    pub(super) fn none_left(scope: &Scope<'_>, document: &Json) -> Result<(), ShownProblem> {
        let left = Self { is_check: true, ..Self::default() }.compared(scope, document)?;
        let at = left.values.into_iter().map(|(address, _)| address.to_string()).chain(left.lacking).next();
        at.map_or(Ok(()), |at| Err(ShownProblem::Left { at }))
    }

    fn export(&mut self, export: ExportName, own: &Map<String, Json>, given: &Map<String, Json>) {
        let mut way = Way { export, steps: Vec::new() };
        for (key, given) in given {
            match own.get(key) {
                Some(own) if is_same(own, given, self.is_check) => {}
                _ if OF_EXPORT.contains(&&**key) => {
                    self.untold
                        .push((format!("{}.{key}", way.text()), "only values can be changed".to_owned()));
                }
                Some(Json::Object(own)) if key == PROPERTIES => match given.as_object() {
                    Some(given) => self.members(&mut way, own, given),
                    None => self.lacking.push(way.text()),
                },
                None if key == PROPERTIES => match given.as_object() {
                    Some(given) => self.members(&mut way, &Map::new(), given),
                    None => self.lacking.push(way.text()),
                },
                Some(own) => way.within(Step::Name(key.clone()), |way| self.value(way, own, given)),
                None => {
                    let reason = "not known here, and not compared".to_owned();
                    self.untold.push((format!("{}.{key}", way.text()), reason));
                }
            }
        }
        if own.contains_key(PROPERTIES) && !given.contains_key(PROPERTIES) {
            self.lacking.push(format!("{}.{PROPERTIES}", way.text()));
        }
    }

    fn value(&mut self, way: &mut Way, own: &Json, given: &Json) {
        if is_same(own, given, self.is_check) {
            return;
        }
        match (own, given) {
            (Json::Object(own), Json::Object(given)) if !is_reference(own) => self.members(way, own, given),
            (Json::Array(own), Json::Array(given)) if own.len() == given.len() && !is_map(own) => {
                for (at, (own, given)) in own.iter().zip(given).enumerate() {
                    way.within(Step::Key(at.to_string()), |way| self.value(way, own, given));
                }
            }
            // What is computed is left out where a whole value is set, so a change of it alone would be lost.
            _ if is_same_but_computed(own, given, self.is_check) => {
                self.computed.extend((!self.is_check).then(|| way.text()));
            }
            _ => self.set(way, given),
        }
    }

    fn members(&mut self, way: &mut Way, own: &Map<String, Json>, given: &Map<String, Json>) {
        let are_rows = matches!(way.steps.last(), Some(Step::Name(name)) if name == ROWS);
        let is_computed = |key: &str| is_computed(own, key);
        let count = self.values.len();
        let (computed, stored): (Vec<_>, Vec<_>) = given.iter().partition(|(key, _)| is_computed(key));
        for (key, given) in stored.into_iter().chain(computed) {
            // What is computed follows what it is computed from. A change of it alone is refused by its address.
            if is_computed(key) && (self.is_check || self.values.len() > count) {
                continue;
            }
            let steps = if are_rows { vec![Step::Key(key.clone())] } else { steps(key) };
            let before = way.steps.len();
            way.steps.extend(steps);
            match own.get(key) {
                Some(own) => self.value(way, own, given),
                None => self.set(way, given),
            }
            way.steps.truncate(before);
        }
        let lacking = own.keys().filter(|key| !given.contains_key(*key));
        self.lacking.extend(lacking.map(|key| format!("{}.{key}", way.text())));
    }

    fn set(&mut self, way: &Way, given: &Json) {
        let text = given.as_str().map_or_else(|| given.to_string(), str::to_owned);
        self.values.push((way.address(), text));
    }
}

/// The way to a value from its export.
struct Way {
    export: ExportName,
    steps: Vec<Step>,
}

impl Way {
    fn within(&mut self, step: Step, visit: impl FnOnce(&mut Self)) {
        self.steps.push(step);
        visit(self);
        self.steps.pop();
    }

    fn address(&self) -> Address {
        Address { export: self.export.clone(), steps: self.steps.clone() }
    }

    fn text(&self) -> String {
        self.address().to_string()
    }
}

/// Exports by type and name.
struct Places(HashMap<[String; 2], Vec<u32>>);

impl Places {
    fn new(scope: &Scope<'_>) -> Self {
        let mut places: HashMap<_, Vec<u32>> = HashMap::new();
        for (place, export) in (0..).zip(&scope.package.exports) {
            let class = scope.class_name(export).unwrap_or_else(|| "Class".into()).to_string();
            let name = scope.package.text(export.name).to_string();
            places.entry([class, name]).or_default().push(place);
        }
        Self(places)
    }

    /// The export that an object of a document shows: the one at the same place if type and name agree, or else the only one of
    /// that type and name.
    fn of(&self, scope: &Scope<'_>, at: usize, given: &Map<String, Json>) -> Result<u32, ShownProblem> {
        let key = ["Type", "Name"].map(|key| text(given, key));
        let found = self.0.get(&key).map(Vec::as_slice).unwrap_or_default();
        let same = found.iter().find(|place| **place as usize == at);
        match (same, found) {
            (Some(place), _) | (None, [place]) => Ok(*place),
            (None, _) => {
                let ([class, name], exports) = (key, scope.package.exports.len());
                Err(ShownProblem::NoExport { at, class, name, count: found.len(), exports })
            }
        }
    }
}

fn text(object: &Map<String, Json>, key: &str) -> String {
    object.get(key).and_then(Json::as_str).unwrap_or_default().to_owned()
}

/// The exports of a document: a list, or the list in a line of a file with many packages.
fn exports(document: &Json) -> Option<&Vec<Json>> {
    document.as_array().or_else(|| document.get("objects")?.as_array())
}

/// An export in FModel's form.
fn own(scope: &Scope<'_>, place: u32) -> serde_json::Result<Map<String, Json>> {
    let only = [place];
    let form = FModel::new(scope).only(&only).adding((Payloads::new(scope), Scripts::new(scope)));
    // Through text: floats in memory may have more digits than their text.
    let list: Vec<Map<String, Json>> = serde_json::from_str(&serde_json::to_string(&form)?)?;
    Ok(list.into_iter().next().unwrap_or_default())
}

/// Steps to a member: `Name`, or `Name[2]` for a later element of a fixed array.
fn steps(key: &str) -> Vec<Step> {
    let split = key.strip_suffix(']').and_then(|rest| rest.rsplit_once('['));
    match split.filter(|(_, at)| at.parse::<u32>().is_ok()) {
        Some((name, at)) => vec![Step::Name(name.to_owned()), Step::Key(at.to_owned())],
        None => vec![Step::Name(key.to_owned())],
    }
}

fn is_reference(object: &Map<String, Json>) -> bool {
    REFERENCE.iter().all(|key| object.get(*key).is_some_and(Json::is_string))
}

/// True for the form of maps: `{ "Key": …, "Value": … }`.
fn is_map(elements: &[Json]) -> bool {
    let is_pair = |element: &Json| ["Key", "Value"].iter().all(|key| element.get(key).is_some());
    !elements.is_empty() && elements.iter().all(is_pair)
}

/// True if a member of an object follows from others. A struct of a game may have members of such names, beside others.
fn is_computed(object: &Map<String, Json>, key: &str) -> bool {
    let found = COMPUTED.iter().find(|(computed, _)| computed.contains(&key));
    found.is_some_and(|(computed, stored)| {
        stored.iter().all(|key| object.contains_key(*key) || *key == NOTES)
            && object.keys().all(|key| computed.contains(&&**key) || stored.contains(&&**key))
    })
}

/// True if two values are the same, apart from what is computed of them.
fn is_same_but_computed(own: &Json, given: &Json, is_rounded: bool) -> bool {
    match (own, given) {
        (Json::Object(own), Json::Object(given)) if !is_reference(own) => {
            let is_alike = |(key, own): (&String, &Json)| {
                given.get(key).is_some_and(|given| is_same_but_computed(own, given, is_rounded))
            };
            own.len() == given.len() && own.iter().all(|one| is_computed(own, one.0) || is_alike(one))
        }
        (Json::Array(own), Json::Array(given)) => {
            own.len() == given.len()
                && own.iter().zip(given).all(|(own, given)| is_same_but_computed(own, given, is_rounded))
        }
        _ => is_same(own, given, is_rounded),
    }
}

/// True if two values are the same in the form of any version: numbers by their value, references by what they lead to. `is_rounded`
/// if the given numbers may have more digits than the package can hold.
fn is_same(own: &Json, given: &Json, is_rounded: bool) -> bool {
    match (own, given) {
        (Json::Number(own), Json::Number(given)) => {
            // One of them may be written as a whole number. Whole numbers themselves may be too long for a float.
            own == given || (own.is_f64() || given.is_f64()) && is_same_float(own, given, is_rounded)
        }
        (Json::Object(own), Json::Object(given)) if is_reference(own) && is_reference(given) => {
            let [name, path] = REFERENCE;
            let file = |object: &Map<String, Json>| {
                let path = object.get(path).and_then(Json::as_str).unwrap_or_default();
                path.rsplit('/').next().unwrap_or_default().to_lowercase()
            };
            own.get(name) == given.get(name) && file(own) == file(given)
        }
        (Json::Object(own), Json::Object(given)) => {
            own.len() == given.len()
                && own
                    .iter()
                    .all(|(key, own)| given.get(key).is_some_and(|given| is_same(own, given, is_rounded)))
        }
        (Json::Array(own), Json::Array(given)) => {
            own.len() == given.len()
                && own.iter().zip(given).all(|(own, given)| is_same(own, given, is_rounded))
        }
        _ => own == given,
    }
}

#[expect(clippy::cast_possible_truncation, clippy::float_cmp, reason = "as the package rounds it")]
fn is_same_float(own: &Number, given: &Number, is_rounded: bool) -> bool {
    let both = own.as_f64().zip(given.as_f64());
    both.is_some_and(|(own, given)| own == given || is_rounded && own as f32 == given as f32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn members_of_other_structs_are_not_computed() {
        let is = |object: Json, key: &str| is_computed(object.as_object().unwrap(), key);
        let quat =
            json!({ "X": 0, "Y": 0, "Z": 0, "W": 1, "IsNormalized": true, "Size": 1, "SizeSquared": 1 });
        assert!(is(quat.clone(), "Size") && !is(quat, "W"));
        assert!(is(json!({ "R": 0, "G": 0, "B": 0, "A": 0, "Hex": "0" }), "Hex"));
        let text = json!({ "Namespace": "", "Key": "K", "SourceString": "S", "LocalizedString": "S" });
        assert!(is(text, "LocalizedString"));
        assert!(!is(json!({ "W": 1, "Size": 2 }), "Size"));
        assert!(!is(json!({ "X": 0, "Y": 0, "Z": 0, "W": 1, "Size": 1, "Weight": 2 }), "Size"));
    }

    #[test]
    fn numbers_are_compared_as_the_package_rounds_them_only_afterwards() {
        let [short, long] = [json!(0.1), json!(0.100_000_001)];
        assert!(!is_same(&short, &long, false) && is_same(&short, &long, true));
        assert!(
            is_same(&json!(1), &json!(1.0), false) && !is_same(&json!(u64::MAX), &json!(u64::MAX - 1), true)
        );
    }
}

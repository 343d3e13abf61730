//! Objects of a package with the requested changes, not yet written.

use super::apply_rules::{self, Applied};
use super::code;
use super::edited::Changed;
use super::fmodel::ShownChanges;
use super::rebuilding::{names, refused};
use super::rules::RuleOutcome;
use super::through::through;
use super::wanted::Wanted;
use crate::error::Result;
use crate::property::edit::{Address, Editor, Names};
use crate::property::json::{Tree, from_tree};
use crate::property::{Object, Scope};
use crate::values::loaded::Loaded;
use crate::values::raw_package::RawPackage;
use crate::values::string_tables::set_entries;
use std::collections::{BTreeMap, BTreeSet};

/// The edited objects.
pub(super) struct New {
    pub objects: BTreeMap<usize, Object>,
    pub names: Names,
    pub changes: Vec<Changed>,
    pub unchecked: Vec<(String, String)>,
    pub rules: Vec<RuleOutcome>,
    pub unread: usize,
}

impl New {
    const fn of(objects: BTreeMap<usize, Object>, names: Names, changes: Vec<Changed>) -> Self {
        Self { objects, names, changes, unchecked: Vec::new(), rules: Vec::new(), unread: 0 }
    }
}

/// Makes the changes. Objects that values are to refer to and that the package does not import go to `missing`, and the result is
/// then of no use; without it, such values are refused.
pub(super) fn new_objects(
    scope: &Scope<'_>,
    raw: &RawPackage,
    loaded: &Loaded,
    wanted: &Wanted,
    missing: Option<&mut BTreeSet<String>>,
) -> Result<New> {
    let is_noting = missing.is_some();
    let editor = |names| {
        let editor = Editor::new(scope, names);
        if is_noting { editor.noting_imports() } else { editor }
    };
    let names = names(raw, loaded)?;
    match wanted {
        Wanted::Document(document) => {
            let document = changed_only(scope, document);
            let found = from_tree(scope, names, &document).map_err(|error| refused(error, loaded))?;
            Ok(New::of(found.objects, found.names, Vec::new()))
        }
        Wanted::Entries(tables) => {
            let mut objects = BTreeMap::new();
            for (at, texts) in tables {
                let Some(export) = scope.package.exports.get(*at) else { continue };
                let object = objects.entry(*at).or_insert_with(|| Object::read(scope, export));
                set_entries(object, texts);
            }
            Ok(New::of(objects, names, Vec::new()))
        }
        Wanted::Code(edits) => {
            let (objects, changes) = code::edit(scope, edits).map_err(|error| refused(error, loaded))?;
            let changes = changes.into_iter();
            let changes = changes.map(|(address, change)| Changed {
                address,
                from: Some(change.from),
                to: Some(change.to),
            });
            Ok(New::of(objects, names, changes.collect()))
        }
        Wanted::Rules(sets) => {
            let mut editor = editor(names);
            let applied = apply_rules::apply(scope, &mut editor, sets);
            note(missing, &mut editor);
            let unchecked = editor.unchecked().to_vec();
            let Applied { objects, changes, outcomes, unread } = applied;
            Ok(New { unchecked, rules: outcomes, unread, ..New::of(objects, editor.into_names(), changes) })
        }
        Wanted::Values(values) => set_values(scope, loaded, editor(names), values, missing),
        Wanted::Shown(document) => {
            let found = ShownChanges::of(scope, document).map_err(|error| refused(error, loaded))?;
            let ShownChanges { values, untold, .. } = found;
            let new = set_values(scope, loaded, editor(names), &values, missing)?;
            Ok(New { unchecked: [new.unchecked, untold].concat(), ..new })
        }
    }
}

fn set_values<'a>(
    scope: &Scope<'a>,
    loaded: &Loaded,
    mut editor: Editor<'_, 'a>,
    values: &[(Address, String)],
    missing: Option<&mut BTreeSet<String>>,
) -> Result<New> {
    let (mut objects, mut changes) = (BTreeMap::new(), Vec::new());
    // Several values of one object are set one after the other on the same copy.
    let mut followed = Vec::new();
    for (address, text) in values {
        let through = through(scope, &editor, &mut objects, address, text);
        followed.extend(through.map_err(|error| refused(error, loaded))?);
    }
    for (address, text) in &followed {
        let at = editor.export(&address.export).map_err(|error| refused(error, loaded))?;
        let Some(export) = scope.package.exports.get(at) else { continue };
        let object = objects.entry(at).or_insert_with(|| Object::read(scope, export));
        let change = editor.set(object, address, text).map_err(|error| refused(error, loaded))?;
        let address = address.to_string();
        changes.push(Changed { address, from: change.from, to: Some(change.to) });
    }
    note(missing, &mut editor);
    let unchecked = editor.unchecked().to_vec();
    Ok(New { unchecked, ..New::of(objects, editor.into_names(), changes) })
}

fn note(missing: Option<&mut BTreeSet<String>>, editor: &mut Editor<'_, '_>) {
    if let Some(missing) = missing {
        *missing = editor.take_not_imported();
    }
}

/// The document without unchanged exports, which then may contain parts that could not be decoded. Only what changed is
/// copied.
fn changed_only(scope: &Scope<'_>, document: &serde_json::Value) -> serde_json::Value {
    let tree = Tree::new(scope);
    let Some((members, exports)) =
        document.as_object().zip(document.get("exports").and_then(|exports| exports.as_array()))
    else {
        return document.clone();
    };
    let changed = |export: &serde_json::Value| {
        let place = export.get("index").and_then(serde_json::Value::as_u64);
        let place = place.and_then(|place| usize::try_from(place).ok());
        let row = place.and_then(|place| Some((place, scope.package.exports.get(place)?)));
        let now = row.and_then(|(place, row)| tree.export_text(place, &Object::read(scope, row)));
        // Compared as parsed from text, because floats in memory may have more digits than their text.
        let now = now.and_then(|text| serde_json::from_str::<serde_json::Value>(&text).ok());
        if now.as_ref() == Some(export) { serde_json::Value::Null } else { export.clone() }
    };
    let exports = serde_json::Value::Array(exports.iter().map(changed).collect());
    let others = members.iter().filter(|(name, _)| *name != "exports");
    let others = others.map(|(name, value)| (name.clone(), value.clone()));
    others.chain([("exports".to_owned(), exports)]).collect::<serde_json::Map<_, _>>().into()
}

//! Differences between two builds, by property.

use super::each::PackageJob;
use super::inputs::{PackageInput, PackageInputs};
use super::old_build::OldBuild;
use super::options::{ValueOptions, ValuesRead};
use super::unread_exports::UnreadOf;
use crate::error::{Error, Result};
use crate::job::{Context, Kind, Outcome, Tally, Worked};
use crate::property::{Object, Scope, Value};
use crate::store::packages::Packages;
use serde::Serialize;
use std::collections::HashMap;
use std::sync::Arc;

/// Kind of change to a package, an object or a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ValueChange {
    /// Only the new build has it.
    Added,
    /// Only the old one has it.
    Removed,
    /// Both builds have it, with different content.
    Changed,
}

/// A package that differs between builds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PackageDifference {
    /// Its name.
    pub package: String,
    /// Kind of change.
    pub change: ValueChange,
    /// Changes in it, in the order of the new build; removed values come last.
    pub values: Vec<ValueDifference>,
    /// True if there are more changes than listed.
    pub cut: bool,
}

/// An object or a value that differs between builds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ValueDifference {
    /// Path of the object in its package.
    pub export: String,
    /// Path of the value in the object; `None` for the object itself.
    pub property: Option<String>,
    /// Kind of change.
    pub change: ValueChange,
    /// Old value; for an object, its class.
    pub from: Option<String>,
    /// New value; for an object, its class.
    pub to: Option<String>,
}

/// The most values listed per package.
const MAX_VALUES: usize = 10_000;

/// Compares packages with the same path or name. `found` gets every package that differs: those of the new build in
/// their order, then the removed ones.
pub async fn differences(
    [old_packages, packages]: [Arc<Packages>; 2],
    [old_inputs, inputs]: [PackageInputs; 2],
    [old_options, options]: [ValueOptions; 2],
    context: &Context,
    mut found: impl FnMut(PackageDifference) -> Result<()>,
) -> Result<Outcome<ValuesRead>> {
    let job = Arc::new(PackageJob::new(packages, inputs, options));
    let old = Arc::new(OldBuild::new(old_packages, old_inputs, old_options, &job));
    let shared = Arc::clone(&old);
    let compare = move |job: &PackageJob, at: usize, item: &PackageInput| compare(job, &shared, at, item);
    let mut outcome = Outcome::of(Kind::Package);
    let done =
        |_: &mut Tally<'_, _>, _: &PackageInput, changed: Option<_>| changed.map_or(Ok(()), &mut found);
    job.each(context, &mut outcome, compare, done).await?;
    for item in old.gone() {
        let package = item.package_name();
        found(PackageDifference { package, change: ValueChange::Removed, values: Vec::new(), cut: false })?;
    }
    outcome.done = job.finish(&mut outcome);
    Ok(outcome)
}

fn compare(
    job: &PackageJob,
    old: &OldBuild,
    at: usize,
    item: &PackageInput,
) -> Worked<Option<PackageDifference>> {
    let package = item.package_name();
    let Some(before) = old.before(at) else {
        let added = PackageDifference { package, change: ValueChange::Added, values: Vec::new(), cut: false };
        return Ok((Some(added), None));
    };
    let (mut new, mut before) = (job.load(item)?, old.library.load(before)?);
    let mismatch: Option<Error> = new.mismatch.take().or(before.mismatch.take());
    // Equal bytes decode to equal values: most packages of two builds need no decoding at all.
    if new.is_same_as(&before) {
        return Ok((None, mismatch));
    }
    let old_scope = old.scope(&before);
    let unread = [UnreadOf::new(&old.library, &before), job.unread(&new)];
    let (values, cut) = values([&old_scope, &job.scope(&new)], &unread);
    for unread in unread {
        job.note_unread(item, unread);
    }
    let changed = PackageDifference { package, change: ValueChange::Changed, values, cut };
    // Bytes may differ without any value doing so, such as offsets; that is no difference to report.
    Ok((Some(changed).filter(|changed| !changed.values.is_empty()), mismatch))
}

/// An object as a flat list of values.
struct Flat {
    export: String,
    class: String,
    /// Its values, each with its path and its text.
    values: Vec<FlatValue>,
}

struct FlatValue {
    place: String,
    key: String,
    text: String,
    compared: String,
}

/// The objects of a package, each with its path and its number among those of the same path.
fn flat(scope: &Scope<'_>, unread: &UnreadOf<'_>) -> Vec<((String, usize), Flat)> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let exports = scope.package.exports.iter().zip(0..);
    let object = |(export, at)| {
        let path = crate::package::legacy::PackageIndex::export(at);
        let path = path.and_then(|index| scope.package.path(index, scope.name()));
        let path = path.map_or_else(String::new, |path| path.in_package("").to_string());
        // Two objects may have one path. The n-th of one build is compared with the n-th of the other.
        let number = seen.entry(path.to_lowercase()).or_default();
        let key = (path.to_lowercase(), *number);
        *number += 1;
        let mut values = Vec::new();
        let object = Object::read(scope, export);
        unread.see(export, &object);
        object.walk(scope, &mut |place, value| {
            let Some(text) = value.text(scope) else { return true };
            // Entries that only say if something follows, or how the file is laid out, are no values.
            if place.depth() > 1 || place.is_property() || !matches!(value, Value::Optional(None)) {
                let text = shown(value, text.into_owned());
                let (place, compared) = (place.to_string(), compared(value, &text));
                values.push(FlatValue { key: place.to_lowercase(), place, text, compared });
            }
            true
        });
        (key, Flat { export: path, class: scope.package.class_path(export), values })
    };
    exports.map(object).collect()
}

/// Display text of a value. Bytes get a hash, so that different bytes have different texts.
fn shown(value: &Value, text: String) -> String {
    let bytes = match value {
        Value::Bytes(bytes) | Value::Fixed(bytes) => bytes,
        Value::Raw(raw) => &raw.bytes,
        _ => return text,
    };
    let hash = blake3::hash(bytes).to_hex();
    format!("{text} ({})", hash.get(..16).unwrap_or_default())
}

/// Text for comparison: tagged and untagged properties write enums in different ways, and names may differ in letter
/// case.
fn compared(value: &Value, text: &str) -> String {
    match value {
        Value::Enum(_) | Value::Enumerator(_) => text.rsplit("::").next().unwrap_or_default().to_lowercase(),
        Value::Name(_) | Value::Object(_) | Value::SoftPath(_) => text.to_lowercase(),
        // A name stored as zero is displayed as a string.
        Value::Utf8(_) if text == "None" => text.to_lowercase(),
        _ => text.to_owned(),
    }
}

/// Differences between two packages, and true if some were cut.
fn values([old, new]: [&Scope<'_>; 2], unread: &[UnreadOf<'_>; 2]) -> (Vec<ValueDifference>, bool) {
    let [unread_before, unread_now] = unread;
    let mut before: HashMap<(String, usize), Flat> = flat(old, unread_before).into_iter().collect();
    let mut found = Vec::new();
    for (key, now) in flat(new, unread_now) {
        match before.remove(&key) {
            Some(was) => of_object(was, now, &mut found),
            None => found.push(ValueDifference {
                export: now.export,
                property: None,
                change: ValueChange::Added,
                from: None,
                to: Some(now.class),
            }),
        }
    }
    // A hash map has no order: sort, so that every run lists the same.
    let mut gone: Vec<Flat> = before.into_values().collect();
    gone.sort_by(|a, b| a.export.cmp(&b.export));
    found.extend(gone.into_iter().map(|was| ValueDifference {
        export: was.export,
        property: None,
        change: ValueChange::Removed,
        from: Some(was.class),
        to: None,
    }));
    let cut = found.len() > MAX_VALUES;
    found.truncate(MAX_VALUES);
    (found, cut)
}

fn of_object(was: Flat, now: Flat, found: &mut Vec<ValueDifference>) {
    let mut before: HashMap<String, FlatValue> =
        was.values.into_iter().map(|value| (value.key.clone(), value)).collect();
    let export = now.export;
    let difference = |place, change, from, to| ValueDifference {
        export: export.clone(),
        property: Some(place),
        change,
        from,
        to,
    };
    for value in now.values {
        match before.remove(&value.key) {
            Some(was) if was.compared == value.compared => {}
            Some(was) => {
                found.push(difference(value.place, ValueChange::Changed, Some(was.text), Some(value.text)));
            }
            None => found.push(difference(value.place, ValueChange::Added, None, Some(value.text))),
        }
    }
    let mut gone: Vec<FlatValue> = before.into_values().collect();
    gone.sort_by(|a, b| a.key.cmp(&b.key));
    let gone = gone.into_iter().map(|was| difference(was.place, ValueChange::Removed, Some(was.text), None));
    found.extend(gone);
}

//! Differences between two builds, by property.

use super::each::PackageJob;
use super::inputs::{PackageInput, PackageInputs};
use super::old_build::OldBuild;
use super::options::{ValueOptions, ValuesRead};
use super::query::NamePattern;
use super::rows::is_value;
use super::shown_value::ShownValue;
use super::unread_exports::UnreadOf;
use crate::error::{Error, Result};
use crate::extract::PatternError;
use crate::job::{Context, Kind, Outcome, Tally, Worked};
use crate::package::legacy::Export;
use crate::property::{Object, Scope, Value, ValuePlace};
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
    /// Number of changes that are not listed because they are ignored.
    pub ignored: u64,
}

/// Values whose changes are ignored.
#[derive(Debug, Clone, Default)]
pub struct IgnoredValues {
    names: Vec<NamePattern>,
    /// True if values that every cook makes anew are ignored.
    noise: bool,
    /// True if data after the values is compared, too.
    with_data: bool,
}

/// Name of the data after the values of an object, such as pixels, where that is compared.
pub const DATA: &str = "(data)";

impl IgnoredValues {
    /// Ignores values in properties with these names, which may be globs, and, as `noise`, what tools make anew whenever
    /// they save: GUIDs, and the namespaces and keys of texts.
    pub fn new(names: &[String], noise: bool) -> std::result::Result<Self, PatternError> {
        let names = names.iter().map(|name| NamePattern::new(name)).collect::<std::result::Result<_, _>>()?;
        Ok(Self { names, noise, with_data: false })
    }

    /// Compares also the data after the values of an object, as a value of the name [`DATA`].
    #[must_use]
    pub fn with_data(self) -> Self {
        Self { with_data: true, ..self }
    }

    fn has(&self, place: &ValuePlace<'_>, value: &Value) -> bool {
        self.noise && is_noise(place, value)
            || self.names.iter().any(|pattern| place.properties().any(|name| pattern.matches(name)))
    }
}

fn is_noise(place: &ValuePlace<'_>, value: &Value) -> bool {
    // Text has fields of its own. A property of a struct that is called Key, such as that of an input, is none.
    matches!(value, Value::Guid(_))
        || place.field().is_some_and(|name| ["Namespace", "Key"].contains(&name))
        || place.properties().any(|name| name.to_ascii_lowercase().ends_with("guid"))
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
    pub from: Option<ShownValue>,
    /// New value; for an object, its class.
    pub to: Option<ShownValue>,
}

/// The most values listed per package.
const MAX_VALUES: usize = 10_000;

/// Compares packages with the same path or name. `found` gets every package that differs: those of the new build in
/// their order, then the removed ones; also those in which all changes are ignored.
pub async fn differences(
    [old_packages, packages]: [Arc<Packages>; 2],
    [old_inputs, inputs]: [PackageInputs; 2],
    [old_options, options]: [ValueOptions; 2],
    ignored: IgnoredValues,
    context: &Context,
    mut found: impl FnMut(PackageDifference) -> Result<()>,
) -> Result<Outcome<ValuesRead>> {
    let job = Arc::new(PackageJob::new(packages, inputs, options));
    let old = Arc::new(OldBuild::new(old_packages, old_inputs, &old_options, &job));
    let shared = Arc::clone(&old);
    let compare =
        move |job: &PackageJob, at: usize, item: &PackageInput| compare(job, (&shared, &ignored), at, item);
    let mut outcome = Outcome::of(Kind::Package);
    let done =
        |_: &mut Tally<'_, _>, _: &PackageInput, changed: Option<_>| changed.map_or(Ok(()), &mut found);
    job.each(context, &mut outcome, compare, done).await?;
    for item in old.gone() {
        let package = item.package_name();
        found(PackageDifference::whole(package, ValueChange::Removed))?;
    }
    outcome.done = job.finish(&mut outcome);
    Ok(outcome)
}

fn compare(
    job: &PackageJob,
    (old, ignored): (&OldBuild, &IgnoredValues),
    at: usize,
    item: &PackageInput,
) -> Worked<Option<PackageDifference>> {
    let package = item.package_name();
    let Some(before) = old.before(at) else {
        return Ok((Some(PackageDifference::whole(package, ValueChange::Added)), None));
    };
    let (mut new, mut before) = (job.load(item)?, old.library.load(before)?);
    let mismatch: Option<Error> = new.mismatch.take().or(before.mismatch.take());
    // Equal bytes decode to equal values: most packages of two builds need no decoding at all.
    if new.is_same_as(&before) {
        return Ok((None, mismatch));
    }
    let old_scope = old.scope(&before);
    let unread = [UnreadOf::new(&old.library, &before), job.unread(&new)];
    let [unread_before, unread_now] = &unread;
    let notes: [Note<'_>; 2] = [&|e, o| unread_before.see(e, o), &|e, o| unread_now.see(e, o)];
    let found = between([&old_scope, &job.scope(&new)], notes, ignored);
    for unread in unread {
        job.note_unread(item, unread);
    }
    let Between { values, cut, ignored } = found;
    // Bytes may differ without any value doing so, such as offsets; that is no difference to report.
    let is_changed = !values.is_empty() || ignored > 0;
    let changed = PackageDifference { package, change: ValueChange::Changed, values, cut, ignored };
    Ok((is_changed.then_some(changed), mismatch))
}

impl PackageDifference {
    /// A package that only one build has.
    const fn whole(package: String, change: ValueChange) -> Self {
        Self { package, change, values: Vec::new(), cut: false, ignored: 0 }
    }
}

/// Called with each export after reading it.
type Note<'n> = &'n dyn Fn(&Export, &Object);

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
    shown: ShownValue,
    compared: String,
    is_ignored: bool,
}

impl FlatValue {
    /// Data of an object, told by its length and its hash.
    fn of_data(bytes: &[u8]) -> Self {
        let length = crate::wire::counted(bytes.len() as u64, "byte", "bytes");
        let text = format!("{length} ({})", short_hash(bytes));
        let (place, key) = (DATA.to_owned(), DATA.to_owned());
        Self { place, key, compared: text.clone(), shown: ShownValue::word(text), is_ignored: false }
    }
}

/// The objects of a package, each with its path and its number among those of the same path.
fn flat(scope: &Scope<'_>, note: Note<'_>, ignored: &IgnoredValues) -> Vec<((String, usize), Flat)> {
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
        note(export, &object);
        object.walk(scope, &mut |place, value| {
            let Some(text) = value.text(scope) else { return true };
            if is_value(place, value) {
                let is_ignored = ignored.has(place, value);
                let shown = ShownValue::new(value, shown(value, text.into_owned()));
                let (place, compared) = (place.to_string(), compared(value, &shown.text));
                values.push(FlatValue { key: place.to_lowercase(), place, shown, compared, is_ignored });
            }
            true
        });
        if ignored.with_data && !object.rest.is_empty() {
            values.push(FlatValue::of_data(&object.rest));
        }
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
    format!("{text} ({})", short_hash(bytes))
}

/// The first half of a hash, for people to compare.
fn short_hash(bytes: &[u8]) -> String {
    let hash = blake3::hash(bytes).to_hex();
    hash.get(..16).unwrap_or_default().to_owned()
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

/// Differences between two packages.
#[derive(Debug, Default)]
pub(super) struct Between {
    pub(super) values: Vec<ValueDifference>,
    /// True if there are more than listed.
    pub(super) cut: bool,
    /// Number of differences that are ignored.
    ignored: u64,
}

/// Compares two packages.
pub(super) fn between(
    [old, new]: [&Scope<'_>; 2],
    [note_old, note_new]: [Note<'_>; 2],
    ignored: &IgnoredValues,
) -> Between {
    let mut before: HashMap<(String, usize), Flat> = flat(old, note_old, ignored).into_iter().collect();
    let mut between = Between::default();
    for (key, now) in flat(new, note_new, ignored) {
        match before.remove(&key) {
            Some(was) => of_object(was, now, &mut between),
            None => between.values.push(ValueDifference {
                export: now.export,
                property: None,
                change: ValueChange::Added,
                from: None,
                to: Some(ShownValue::word(now.class)),
            }),
        }
    }
    // A hash map has no order: sort, so that every run lists the same.
    let mut gone: Vec<Flat> = before.into_values().collect();
    gone.sort_by(|a, b| a.export.cmp(&b.export));
    between.values.extend(gone.into_iter().map(|was| ValueDifference {
        export: was.export,
        property: None,
        change: ValueChange::Removed,
        from: Some(ShownValue::word(was.class)),
        to: None,
    }));
    between.cut = between.values.len() > MAX_VALUES;
    between.values.truncate(MAX_VALUES);
    between
}

fn of_object(was: Flat, now: Flat, between: &mut Between) {
    let mut before: HashMap<String, FlatValue> =
        was.values.into_iter().map(|value| (value.key.clone(), value)).collect();
    let export = now.export;
    let mut add = |is_ignored, place, change, from, to| {
        if is_ignored {
            between.ignored += 1;
            return;
        }
        let (export, property) = (export.clone(), Some(place));
        between.values.push(ValueDifference { export, property, change, from, to });
    };
    for FlatValue { place, key, shown, compared, is_ignored } in now.values {
        match before.remove(&key) {
            Some(was) if was.compared == compared => {}
            Some(was) => add(is_ignored, place, ValueChange::Changed, Some(was.shown), Some(shown)),
            None => add(is_ignored, place, ValueChange::Added, None, Some(shown)),
        }
    }
    let mut gone: Vec<FlatValue> = before.into_values().collect();
    gone.sort_by(|a, b| a.key.cmp(&b.key));
    for FlatValue { place, shown, is_ignored, .. } in gone {
        add(is_ignored, place, ValueChange::Removed, Some(shown), None);
    }
}

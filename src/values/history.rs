//! Values of a build that differ from those of an older one, by property.

use super::differences::ValueChange;
use super::inputs::PackageInputs;
use super::options::{ValueOptions, ValuesRead};
use super::query::Query;
use super::rows::{ValueRow, value_rows};
use super::shown_value::ShownValue;
use crate::error::Result;
use crate::job::{Context, Outcome};
use crate::store::packages::Packages;
use serde::Serialize;
use std::collections::HashMap;
use std::sync::Arc;

/// Packages that are compared at once: their values in the old build are kept until those in the new one are known.
const AT_ONCE: usize = 2000;

/// A value in one of several builds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HistoryRow {
    /// The package, such as `/Game/Items/Sword`.
    pub package: Arc<str>,
    /// Name of the object.
    pub object: Arc<str>,
    /// Class of the object.
    pub class: Arc<str>,
    /// Path of the value in the object: `Stats[2].Damage`.
    pub property: String,
    /// Change since the build before.
    pub change: ValueChange,
    /// The value; the last one, if it was removed.
    pub value: ShownValue,
}

impl HistoryRow {
    fn new(row: ValueRow, change: ValueChange) -> Self {
        let ValueRow { package, object, class, property, value } = row;
        Self { package, object, class, property, change, value }
    }
}

/// Packages of a build.
type Build = (Arc<Packages>, PackageInputs);

/// Values by package, object and property.
type Known = HashMap<(Arc<str>, Arc<str>, String), ValueRow>;

/// Calls `found` with the values in the properties of a query that the new build adds, changes or removes. Without an old build,
/// all are added.
pub async fn history(
    [old, new]: [Option<Build>; 2],
    query: Query,
    context: &Context,
    [old_options, options]: [ValueOptions; 2],
    mut found: impl FnMut(Vec<HistoryRow>) -> Result<()>,
) -> Result<Outcome<ValuesRead>> {
    let Some((packages, inputs)) = new else { return Ok(Outcome::default()) };
    let Some((old_packages, old_inputs)) = old else {
        let added = |rows: Vec<ValueRow>| {
            found(rows.into_iter().map(|row| HistoryRow::new(row, ValueChange::Added)).collect())
        };
        return value_rows(packages, inputs, query, context, options, added).await;
    };
    let slices = inputs.len().max(old_inputs.len()).div_ceil(AT_ONCE).max(1);
    let mut total = Outcome::default();
    for (old_inputs, inputs) in old_inputs.into_slices(slices).into_iter().zip(inputs.into_slices(slices)) {
        let mut known = Known::new();
        let keep = |rows: Vec<ValueRow>| {
            let keyed = |row: ValueRow| (key(&row), row);
            known.extend(rows.into_iter().map(keyed));
            Ok(())
        };
        let (from, settings) = (Arc::clone(&old_packages), old_options.clone());
        let before = value_rows(from, old_inputs, query.clone(), context, settings, keep).await?;
        let compare = |rows: Vec<ValueRow>| {
            let rows: Vec<HistoryRow> =
                rows.into_iter().filter_map(|row| compared(row, &mut known)).collect();
            if rows.is_empty() { Ok(()) } else { found(rows) }
        };
        let (to, settings) = (Arc::clone(&packages), options.clone());
        let mut outcome = value_rows(to, inputs, query.clone(), context, settings, compare).await?;
        // What could not be read in the new build is not known to be gone.
        let reads_less = outcome.unread_exports > before.unread_exports
            || outcome.done.without_mappings > before.done.without_mappings;
        if outcome.failures.is_empty() && !outcome.cancelled && !reads_less {
            let mut gone: Vec<ValueRow> = known.into_values().collect();
            gone.sort_by_cached_key(key);
            found(gone.into_iter().map(|row| HistoryRow::new(row, ValueChange::Removed)).collect())?;
        }
        outcome.failures.extend(before.failures);
        outcome.mismatches.extend(before.mismatches);
        add(&mut total, outcome);
    }
    Ok(total)
}

fn key(row: &ValueRow) -> (Arc<str>, Arc<str>, String) {
    (Arc::clone(&row.package), Arc::clone(&row.object), row.property.clone())
}

/// A value that the old build does not have; takes it from what is known of that build.
fn compared(row: ValueRow, known: &mut Known) -> Option<HistoryRow> {
    match known.remove(&key(&row)) {
        None => Some(HistoryRow::new(row, ValueChange::Added)),
        Some(old) if old.value != row.value => Some(HistoryRow::new(row, ValueChange::Changed)),
        Some(_) => None,
    }
}

/// Adds the outcome of a slice.
fn add(total: &mut Outcome<ValuesRead>, outcome: Outcome<ValuesRead>) {
    total.kind = outcome.kind;
    total.count += outcome.count;
    total.raw_bytes += outcome.raw_bytes;
    total.unread_exports += outcome.unread_exports;
    total.cancelled |= outcome.cancelled;
    total.failures.extend(outcome.failures);
    total.mismatches.extend(outcome.mismatches);
    let ValuesRead {
        without_mappings,
        by_engine_schemas,
        untagged,
        objects,
        engine_classes,
        unread,
        engine,
        problems,
    } = outcome.done;
    let done = &mut total.done;
    done.without_mappings += without_mappings;
    done.by_engine_schemas += by_engine_schemas;
    done.untagged += untagged;
    done.objects += objects;
    done.engine_classes = engine_classes.or(done.engine_classes);
    done.unread.extend(unread);
    done.engine = engine.or(done.engine.take());
    done.problems.extend(problems);
}

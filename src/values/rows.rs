//! Values as rows of a table: one for each value, with the package, the object and the place that it is in.

use super::each::PackageJob;
use super::inputs::{PackageInput, PackageInputs};
use super::options::{ValueOptions, ValuesRead};
use super::query::Query;
use super::shown_value::ShownValue;
use super::unread_exports::UnreadOf;
use crate::error::Result;
use crate::job::{Context, Kind, Outcome, Tally, Worked};
use crate::property::{Object, Scope, Value, ValuePlace};
use crate::store::packages::Packages;
use serde::Serialize;
use std::sync::Arc;

/// A value, in the columns of a table.
#[derive(Debug, Clone, Serialize)]
pub struct ValueRow {
    /// The package, such as `/Game/Items/Sword`.
    pub package: Arc<str>,
    /// Name of the object.
    pub object: Arc<str>,
    /// Class of the object.
    pub class: Arc<str>,
    /// Path of the value in the object: `Stats[2].Damage`.
    pub property: String,
    /// The value.
    pub value: ShownValue,
}

/// Calls `found` with the rows of each package that has any, in package order: of the values in properties with the names
/// of a query.
pub async fn value_rows(
    packages: impl Into<Arc<Packages>>,
    inputs: PackageInputs,
    query: Query,
    context: &Context,
    options: ValueOptions,
    mut found: impl FnMut(Vec<ValueRow>) -> Result<()>,
) -> Result<Outcome<ValuesRead>> {
    let job = Arc::new(PackageJob::new(packages, inputs, options));
    let read = move |job: &PackageJob, _: usize, item: &PackageInput| -> Worked<Vec<ValueRow>> {
        let mut loaded = job.load(item)?;
        let mismatch = loaded.mismatch.take();
        let unread = job.unread(&loaded);
        let rows = rows(&job.scope(&loaded), &unread, &query);
        job.note_unread(item, unread);
        Ok((rows, mismatch))
    };
    let mut outcome = Outcome::of(Kind::Package);
    let done = |_: &mut Tally<'_, _>, _: &PackageInput, rows: Vec<ValueRow>| {
        if rows.is_empty() { Ok(()) } else { found(rows) }
    };
    job.each(context, &mut outcome, read, done).await?;
    outcome.done = job.finish(&mut outcome);
    Ok(outcome)
}

/// True if a value is one for people: entries of an object that only say if something follows, or how the file is laid out, are not.
pub(super) fn is_value(place: &ValuePlace<'_>, value: &Value) -> bool {
    place.depth() > 1 || place.is_property() || !matches!(value, Value::Optional(None))
}

fn rows(scope: &Scope<'_>, unread: &UnreadOf<'_>, query: &Query) -> Vec<ValueRow> {
    let package: Arc<str> = scope.name().into();
    let mut rows = Vec::new();
    for export in &scope.package.exports {
        let object = Object::read(scope, export);
        unread.see(export, &object);
        let name: Arc<str> = scope.package.text(export.name).to_string().into();
        let class = scope.package.class_path(export);
        let class: Arc<str> = class.rsplit('.').next().unwrap_or_default().into();
        object.walk(scope, &mut |place, value| {
            // Structs and lists have no text: their values follow, in rows of their own.
            let is_wanted = is_value(place, value) && query.names_match(&place.properties());
            if let Some(text) = value.text(scope).filter(|_| is_wanted) {
                rows.push(ValueRow {
                    package: Arc::clone(&package),
                    object: Arc::clone(&name),
                    class: Arc::clone(&class),
                    property: place.to_string(),
                    value: ShownValue::new(value, text.into_owned()),
                });
            }
            true
        });
    }
    rows
}

//! From outcomes of the library to the classes of `uncask.outcomes`.

use crate::entry::Entry;
use crate::errors;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict};
use serde::Serialize;
use uncask::error::Error;
use uncask::game::{
    BuildDoubt, Built, Changed, ChangedValue, Container, Edited, Exported, ExportedAssets, Failure, Hit,
    Left, Outcome, Progress, RebuiltAssets, Role, Saved, Table, ValuesRead,
};
use uncask::objection::Finding;
use uncask::version::EngineRange;

type Object<'py> = Bound<'py, PyAny>;

/// A `Progress`.
pub(crate) fn progress(py: Python<'_>, now: Progress) -> PyResult<Object<'_>> {
    class(py, "Progress")?.call1((now.bytes, now.total_bytes, now.chunks, now.total_chunks))
}

/// An `Outcome`.
pub(crate) fn outcome<'py, T>(py: Python<'py>, from: &Outcome<T>) -> PyResult<Object<'py>> {
    class(py, "Outcome")?.call((), Some(&fields(py, from)?))
}

/// A `ConvertOutcome`.
pub(crate) fn convert<'py>(py: Python<'py>, from: &Outcome<RebuiltAssets>) -> PyResult<Object<'py>> {
    let fields = fields(py, from)?;
    fields.set_item("packages", plain(py, &from.done.assets)?)?;
    fields.set_item("libraries", plain(py, &from.done.libraries)?)?;
    fields.set_item("problems", errors_of(py, &from.done.problems))?;
    class(py, "ConvertOutcome")?.call((), Some(&fields))
}

/// An `ExportOutcome`.
pub(crate) fn export<'py>(py: Python<'py>, from: &Outcome<ExportedAssets>) -> PyResult<Object<'py>> {
    let fields = fields(py, from)?;
    let exported = |(package, asset): &(String, Exported)| {
        let Exported { object, class, files, bytes, note, .. } = asset;
        let files: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
        self::class(py, "Asset")?.call1((package, object, class, files, bytes, note.as_deref()))
    };
    let left = |(package, asset): &(String, Left)| {
        let Left { object, class, reason } = asset;
        self::class(py, "Asset")?.call1((package, object, class, Vec::<&str>::new(), 0, reason))
    };
    fields.set_item("assets", from.done.exported.iter().map(exported).collect::<PyResult<Vec<_>>>()?)?;
    fields.set_item("left_out", from.done.left.iter().map(left).collect::<PyResult<Vec<_>>>()?)?;
    fields.set_item("other_classes", (&from.done.other_classes).into_py_dict(py)?)?;
    fields.set_item("without_mappings", from.done.values.without_mappings)?;
    class(py, "ExportOutcome")?.call((), Some(&fields))
}

/// A `Container`.
/// Values that `find` has found.
pub(crate) fn find<'py>(
    py: Python<'py>,
    from: &Outcome<ValuesRead>,
    values: &[Hit],
    cut: u64,
) -> PyResult<Object<'py>> {
    let fields = fields(py, from)?;
    fields.set_item("values", plain(py, &values)?)?;
    fields.set_item("cut", cut)?;
    fields.set_item("without_mappings", from.done.without_mappings)?;
    class(py, "FindOutcome")?.call((), Some(&fields))
}

/// A chunk that differs between two builds.
pub(crate) fn change<'py>(
    py: Python<'py>,
    from: &Changed,
    old: Option<Entry>,
    new: Option<Entry>,
) -> PyResult<Object<'py>> {
    class(py, "Change")?.call1((plain(py, &from.change)?, old, new))
}

/// Outcome of changes that were collected.
pub(crate) fn built<'py>(py: Python<'py>, built: &Built) -> PyResult<Object<'py>> {
    let changes: Vec<_> = built
        .packages
        .iter()
        .flat_map(|edited| edited.changes.iter().map(|one| (&edited.path, &one.address, &one.from, &one.to)))
        .collect();
    let doubt =
        |one: &BuildDoubt| (one.path.clone(), one.address.clone(), one.expected.clone(), one.found.clone());
    let doubts: Vec<_> = built.doubts.iter().map(doubt).collect();
    let failures = built.outcome.failures.iter().map(|failure| failure.error.to_string());
    let problems: Vec<String> =
        built.problems.iter().map(|problem| problem.fault.to_string()).chain(failures).collect();
    let warning = |one: &Finding| format!("{}: {}", one.objection.name(), one.first.display());
    let warnings = built.written.iter().flat_map(|written| &written.warnings).map(warning);
    let warnings: Vec<String> = warnings.collect();
    let fields = PyDict::new(py);
    fields.set_item("changes", changes)?;
    fields.set_item("cut", built.packages.iter().any(|edited| edited.cut))?;
    fields.set_item("packages", built.packages.len())?;
    fields.set_item("doubts", doubts)?;
    fields.set_item("problems", problems)?;
    fields.set_item("warnings", warnings)?;
    fields.set_item("objects_not_read", built.unread)?;
    fields.set_item("is_written", built.written.is_some())?;
    class(py, "BuildOutcome")?.call((), Some(&fields))
}

/// Outcome of `set`.
pub(crate) fn edit<'py>(py: Python<'py>, edited: &Edited, saved: &Saved) -> PyResult<Object<'py>> {
    let change = |one: &ChangedValue| (one.address.clone(), one.from.clone(), one.to.clone());
    let changes: Vec<_> = edited.changes.iter().map(change).collect();
    let warning = |one: &Finding| format!("{}: {}", one.objection.name(), one.first.display());
    let warnings: Vec<_> = saved.warnings.iter().map(warning).collect();
    class(py, "Edit")?.call1((changes, &saved.paths, warnings))
}

pub(crate) fn container<'py>(py: Python<'py>, from: &Container) -> PyResult<Object<'py>> {
    let fields = PyDict::new(py);
    let (kind, version, engine) = match &**from.table() {
        Table::IoStore(toc) => {
            let engine = EngineRange::detect(toc.version(), from.header_version());
            ("iostore", u32::from(toc.header().version), engine.map(|range| range.to_string()))
        }
        Table::Pak(pak) => ("pak", pak.index().footer().version.to_wire(), None),
    };
    fields.set_item("name", from.name())?;
    fields.set_item("path", from.path().display().to_string())?;
    fields.set_item("kind", kind)?;
    fields.set_item("version", version)?;
    fields.set_item("engine", engine)?;
    fields.set_item("chunks", from.table().chunk_count())?;
    fields.set_item("encrypted", from.table().is_encrypted())?;
    fields.set_item("locked", from.locked().map(|error| errors::object(py, error)))?;
    fields.set_item("mount_point", from.mount_point())?;
    fields.set_item("base", from.role() == Role::Base)?;
    class(py, "Container")?.call((), Some(&fields))
}

/// Exceptions that are not raised.
pub(crate) fn errors_of<'py>(py: Python<'py>, errors: &[Error]) -> Vec<Object<'py>> {
    errors.iter().map(|error| errors::object(py, error)).collect()
}

/// Converts a serializable value to Python objects: `dict`, `list`, `str`, ….
pub(crate) fn plain<'py>(py: Python<'py>, value: &impl Serialize) -> PyResult<Object<'py>> {
    let json = serde_json::to_string(value).map_err(|error| errors::named(py, "InternalError", &error))?;
    py.import("json")?.call_method1("loads", (json,))
}

fn class<'py>(py: Python<'py>, name: &str) -> PyResult<Object<'py>> {
    py.import("uncask.outcomes")?.getattr(name)
}

/// The fields that all outcomes have.
fn fields<'py, T>(py: Python<'py>, from: &Outcome<T>) -> PyResult<Bound<'py, PyDict>> {
    let fields = PyDict::new(py);
    let failures = |list: &[Failure]| list.iter().map(|one| failure(py, one)).collect::<PyResult<Vec<_>>>();
    let renamed = from.clashes.iter().map(|clash| (clash.wanted.to_string(), clash.used.to_string()));
    fields.set_item("ok", from.is_ok())?;
    fields.set_item("kind", from.kind.name())?;
    fields.set_item("count", from.count)?;
    fields.set_item("bytes", from.raw_bytes)?;
    fields.set_item("unchanged", from.unchanged)?;
    fields.set_item("kept", from.kept)?;
    fields.set_item("unhashed", from.unhashed)?;
    fields.set_item("failures", failures(&from.failures)?)?;
    fields.set_item("mismatches", failures(&from.mismatches)?)?;
    fields.set_item("renamed", renamed.collect::<Vec<_>>())?;
    Ok(fields)
}

fn failure<'py>(py: Python<'py>, from: &Failure) -> PyResult<Object<'py>> {
    let error = errors::object(py, &from.error);
    class(py, "Failure")?.call1((&from.path, from.subject.chunk().map(|id| id.to_string()), error))
}

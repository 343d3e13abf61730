//! Arguments of several forms.

use crate::errors;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping};
use std::path::PathBuf;
use uncask::crypto::{KeyRing, MAX_KEY_FILE_LEN};
use uncask::game::{ChunkJob, EditOutput, ExportForm, FilterSpec, Forms, Overwrite, Query, QuerySpec, Shard};
use uncask::property::edit::Address;
use uncask::version::Release;

/// One path or several.
pub(crate) fn paths(value: &Bound<'_, PyAny>) -> PyResult<Vec<PathBuf>> {
    if let Ok(path) = value.extract::<PathBuf>() {
        return Ok(vec![path]);
    }
    value.try_iter()?.map(|path| path?.extract()).collect()
}

/// One text or several; none without an argument.
pub(crate) fn texts(value: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<String>> {
    let Some(value) = value else { return Ok(Vec::new()) };
    if let Ok(text) = value.extract::<String>() {
        return Ok(vec![text]);
    }
    value.try_iter()?.map(|text| text?.extract()).collect()
}

/// Keys: one or several as on the command line (`KEY`, `GUID=KEY`, `@FILE`), or a mapping from GUIDs to keys.
pub(crate) fn keys(value: Option<&Bound<'_, PyAny>>) -> PyResult<KeyRing> {
    let mut ring = KeyRing::default();
    let Some(value) = value else { return Ok(ring) };
    let arguments = match value.cast::<PyMapping>() {
        Ok(mapping) => {
            let pairs = mapping.items()?.extract::<Vec<(String, String)>>()?;
            pairs.into_iter().map(|(guid, key)| format!("{guid}={key}")).collect()
        }
        Err(_) => texts(Some(value))?,
    };
    let py = value.py();
    for argument in arguments {
        let added = match argument.strip_prefix('@') {
            None => ring.add_argument(&argument),
            Some(path) => {
                let file = uncask::game::read_file(path.as_ref(), MAX_KEY_FILE_LEN as u64);
                ring.add_file(&file.map_err(|error| errors::raise(py, &error))?).map(|_| ())
            }
        };
        added.map_err(|error| errors::invalid(py, &error))?;
    }
    Ok(ring)
}

/// An engine release: `5.4` or `UE5_4`.
pub(crate) fn release(py: Python<'_>, text: &str) -> PyResult<&'static Release> {
    Release::from_name(text).ok_or_else(|| {
        let known: Vec<&str> = Release::all().map(|release| release.name).collect();
        errors::invalid(py, &format!("engine release {text:?} is not known; known: {}", known.join(", ")))
    })
}

/// Selection of the chunks of a job.
pub(crate) fn filter(
    patterns: Option<&Bound<'_, PyAny>>,
    exclude: Option<&Bound<'_, PyAny>>,
) -> PyResult<FilterSpec> {
    Ok(FilterSpec { patterns: texts(patterns)?, exclude: texts(exclude)?, ..FilterSpec::default() })
}

/// A query for values.
pub(crate) fn query(
    py: Python<'_>,
    property: Option<String>,
    value: Option<&Bound<'_, PyAny>>,
) -> PyResult<Query> {
    let value = value.map(|value| value.str().map(|text| text.to_string())).transpose()?;
    let spec = QuerySpec { property, value, ..QuerySpec::default() };
    Query::new(&spec).map_err(|error| errors::invalid(py, &error))
}

/// New values by their addresses, as JSON.
pub(crate) fn values(values: &Bound<'_, PyDict>) -> PyResult<Vec<(Address, String)>> {
    let py = values.py();
    let json = py.import("json")?.getattr("dumps")?;
    let value = |(address, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
        let address: String = address.extract()?;
        let address = address.parse::<Address>().map_err(|error| errors::invalid(py, &error))?;
        Ok((address, json.call1((value,))?.extract()?))
    };
    values.iter().map(value).collect()
}

/// The kind of mod that a path stands for.
pub(crate) fn edit_output(path: PathBuf) -> EditOutput {
    let is = |wanted: &str| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(wanted));
    match (is("utoc"), is("pak")) {
        (true, _) => EditOutput::Container(path),
        (_, true) => EditOutput::Pak(path),
        _ => EditOutput::Folder(path),
    }
}

/// Treatment of existing files.
pub(crate) fn overwrite(py: Python<'_>, text: &str) -> PyResult<Overwrite> {
    Ok(match text {
        "never" => Overwrite::Never,
        "different" => Overwrite::Different,
        "untouched" => Overwrite::Untouched,
        "always" => Overwrite::Always,
        _ => {
            let problem = format!("overwrite is {text:?}, expected never, different, untouched or always");
            return Err(errors::invalid(py, &problem));
        }
    })
}

/// A job, or one share of it: `3/8`.
pub(crate) fn in_shard<'g>(py: Python<'_>, job: ChunkJob<'g>, shard: Option<&str>) -> PyResult<ChunkJob<'g>> {
    let Some(text) = shard else { return Ok(job) };
    let shard = text.parse::<Shard>();
    Ok(job.shard(shard.map_err(|error| errors::invalid(py, &format!("{error}, found {text:?}")))?))
}

/// Output forms of assets.
pub(crate) fn forms(py: Python<'_>, value: Option<&Bound<'_, PyAny>>) -> PyResult<Forms> {
    let form = |text: String| {
        ExportForm::from_name(&text).ok_or_else(|| {
            let known = ExportForm::ALL.map(ExportForm::name).join(", ");
            errors::invalid(py, &format!("form is {text:?}, expected one of {known}"))
        })
    };
    texts(value)?.into_iter().map(form).collect::<PyResult<_>>().map(Forms::new)
}

//! Content of single chunks.

use crate::errors;
use crate::outcomes;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PySlice};
use uncask::Game;
use uncask::error::Error;
use uncask::game::{Chunk, CodeForm, JsonForm};

/// The whole content, compared with its recorded hash.
pub(crate) fn whole<'py>(py: Python<'py>, game: &Game, chunk: Chunk<'_>) -> PyResult<Bound<'py, PyBytes>> {
    let content = py.detach(|| game.read_chunk(chunk)).map_err(|error| errors::raise(py, &error))?;
    Ok(PyBytes::new(py, &content))
}

/// Some bytes; `None` for all that come after the start.
pub(crate) fn range<'py>(
    py: Python<'py>,
    game: &Game,
    chunk: Chunk<'_>,
    offset: u64,
    size: Option<u64>,
) -> PyResult<Bound<'py, PyBytes>> {
    let end = size.map_or(u64::MAX, |size| offset.saturating_add(size));
    let content = py.detach(|| game.read_range(chunk, offset..end));
    Ok(PyBytes::new(py, &content.map_err(|error| errors::raise(py, &error))?))
}

/// The whole content into a writable buffer, part by part, so that it may be larger than the memory for data in flight.
pub(crate) fn into(
    py: Python<'_>,
    game: &Game,
    chunk: Chunk<'_>,
    buffer: &Bound<'_, PyAny>,
) -> PyResult<u64> {
    let view =
        py.import("builtins")?.getattr("memoryview")?.call1((buffer,))?.call_method1("cast", ("B",))?;
    if (view.len()? as u64) < chunk.len() {
        let problem = format!("buffer has {} bytes, {} needed", view.len()?, chunk.len());
        return Err(errors::invalid(py, &problem));
    }
    let (view, mut at, mut problem) = (view.unbind(), 0, None);
    let copied = py.detach(|| {
        game.read_chunk_with(chunk, |bytes| {
            let copied = Python::attach(|py| {
                py.check_signals()?;
                let place = PySlice::new(py, at, at + bytes.len().cast_signed(), 1);
                view.bind(py).set_item(place, PyBytes::new(py, bytes))
            });
            at += bytes.len().cast_signed();
            copied.map_err(|error| {
                problem = Some(error);
                Error::Cancelled
            })
        })
    });
    match (problem, copied) {
        (Some(problem), _) => Err(problem),
        (None, copied) => copied.map(|()| chunk.len()).map_err(|error| errors::raise(py, &error)),
    }
}

/// Header of a package as Python objects.
pub(crate) fn package<'py>(py: Python<'py>, game: &Game, chunk: Chunk<'_>) -> PyResult<Bound<'py, PyAny>> {
    let header = py.detach(|| game.package_header(chunk)).map_err(|error| errors::raise(py, &error))?;
    outcomes::plain(py, &header)
}

/// The objects of a package with the values of their properties.
pub(crate) fn properties<'py>(py: Python<'py>, game: &Game, chunk: Chunk<'_>) -> PyResult<Bound<'py, PyAny>> {
    let path = chunk.display_path();
    let read = || {
        let objects = game.objects_of(chunk)?;
        let json = objects.json(JsonForm::FModel)?;
        Ok((objects.lacks_mappings(), json))
    };
    let (lacks_mappings, json) =
        py.detach(read).map_err(|error: uncask::GameError| errors::raise(py, &error))?;
    if lacks_mappings {
        let problem = format!("properties have no tags; open the game with its mappings (.usmap): {path}");
        return Err(errors::named(py, "MappingsMissing", &problem));
    }
    py.import("json")?.call_method1("loads", (PyBytes::new(py, &json),))
}

/// The components of a level, as dicts.
pub(crate) fn scene<'py>(py: Python<'py>, game: &Game, chunk: Chunk<'_>) -> PyResult<Bound<'py, PyAny>> {
    let rows = py.detach(|| game.scene_of(chunk)).map_err(|error| errors::raise(py, &error))?;
    outcomes::plain(py, &rows)
}

/// The functions of a blueprint as code.
pub(crate) fn code(
    py: Python<'_>,
    game: &Game,
    chunk: Chunk<'_>,
    form: &str,
    function: Option<&str>,
) -> PyResult<String> {
    let form = match form {
        "pseudo" => CodeForm::Pseudo,
        "listing" => CodeForm::Listing,
        "json" => CodeForm::Json,
        other => {
            let problem = format!("there is no form {other:?}, expected \"pseudo\", \"listing\" or \"json\"");
            return Err(errors::invalid(py, &problem));
        }
    };
    py.detach(|| game.code_of(chunk, form, function)).map_err(|error| errors::raise(py, &error))
}

//! Whole games, looked at: texts, and what differs from another build.

use crate::entry::Entry;
use crate::errors;
use crate::outcomes;
use crate::shared::Shared;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;
use uncask::Game;
use uncask::game::{FilterSpec, diff as differences};

/// The texts of all languages, of `.locres` files and of string tables.
pub(crate) fn texts<'py>(py: Python<'py>, game: &Game) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let (sheet, problems) = py.detach(|| game.texts()).map_err(|error| errors::raise(py, &error))?;
    // What can be read of a damaged file is there; the rest is not passed over in silence.
    for problem in &problems {
        errors::warn(py, problem)?;
    }
    let row = |row: &uncask::game::SheetRow| {
        let (fields, texts) = (PyDict::new(py), PyDict::new(py));
        for (culture, text) in row.texts() {
            texts.set_item(sheet.cultures().get(*culture), &**text)?;
        }
        fields.set_item("file", &*row.file)?;
        fields.set_item("namespace", &*row.namespace)?;
        fields.set_item("key", &row.key)?;
        fields.set_item("source", row.source())?;
        fields.set_item("texts", texts)?;
        Ok(fields.into_any())
    };
    sheet.rows().iter().map(row).collect()
}

/// The chunks that differ between two builds.
pub(crate) fn diff<'py>(
    py: Python<'py>,
    old: &Arc<Shared>,
    new: &Arc<Shared>,
    spec: &FilterSpec,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let compare = || {
        let of = |shared: &Shared| -> Result<Vec<_>, uncask::GameError> {
            Ok(shared.game.selected(spec)?.chunks().map(|chunk| chunk.entry()).collect())
        };
        let (before, after) = (of(old)?, of(new)?);
        Ok(differences((&old.game, &before), (&new.game, &after))?)
    };
    let found = py.detach(compare).map_err(|error: uncask::GameError| errors::raise(py, &error))?;
    let entry = |shared: &Arc<Shared>, at: Option<_>| at.map(|at| Entry::new(Arc::clone(shared), at));
    found
        .changes
        .iter()
        .map(|one| outcomes::change(py, one, entry(old, one.old), entry(new, one.new)))
        .collect()
}

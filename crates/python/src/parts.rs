//! Parts of games: planned here, read by any process as Arrow record batches.

use crate::errors;
use crate::game::Game;
use crate::table::{Batches, Columns};
use pyo3::prelude::*;
use std::ops::Range;
use std::sync::Arc;
use uncask::game::{RowKind, RowPlan};

/// A part as a tuple: start and end in the plan, cost in bytes, fingerprint.
type Part = (usize, usize, u64, String);

/// Cuts what is in a game into parts: `count` of about equal cost, or as many as cost `bytes` each. With `names`, what all packages
/// need is read, too.
#[pyfunction]
#[pyo3(signature = (game, what, patterns, exclude, count, bytes, names))]
#[expect(clippy::too_many_arguments, reason = "arguments of `uncask.parts`")]
pub(crate) fn plan(
    py: Python<'_>,
    game: &Bound<'_, Game>,
    what: &str,
    patterns: Vec<String>,
    exclude: Vec<String>,
    count: Option<usize>,
    bytes: u64,
    names: bool,
) -> PyResult<Vec<Part>> {
    let (shared, kind) = (Arc::clone(game.get().shared()?), kind(py, what)?);
    py.detach(|| {
        let game = &shared.game;
        let plan = shared.plan(kind, [patterns, exclude])?;
        if names && kind != RowKind::Chunks {
            game.read_names();
        }
        let ranges = count.map_or_else(|| plan.cut_by_cost(bytes), |count| plan.cut(count));
        let part = |range: Range<usize>| {
            let fingerprint = plan.fingerprint(game, range.clone());
            (range.start, range.end, plan.cost(range), fingerprint)
        };
        Ok(ranges.into_iter().map(part).collect())
    })
    .map_err(|error: uncask::GameError| errors::raise(py, &error))
}

/// The rows of a part of a game that has just been opened, as a stream of Arrow record batches.
#[pyfunction]
#[pyo3(signature = (game, what, patterns, exclude, part, build, columns))]
#[expect(clippy::too_many_arguments, reason = "fields of a part")]
pub(crate) fn batches(
    py: Python<'_>,
    game: &Bound<'_, Game>,
    what: &str,
    patterns: Vec<String>,
    exclude: Vec<String>,
    part: Part,
    build: String,
    columns: Option<Vec<String>>,
) -> PyResult<Batches> {
    let (shared, kind) = (Arc::clone(game.get().shared()?), kind(py, what)?);
    let columns = Columns::new(kind, columns).map_err(|problem| errors::invalid(py, &problem))?;
    let (start, end, _, fingerprint) = part;
    let plan = py.detach(|| {
        let plan = shared.plan(kind, [patterns, exclude])?;
        let is_same = plan.len() >= end && plan.fingerprint(&shared.game, start..end) == fingerprint;
        Ok(is_same.then_some(plan))
    });
    let plan: Option<Arc<RowPlan>> = plan.map_err(|error: uncask::GameError| errors::raise(py, &error))?;
    let Some(plan) = plan else {
        let problem = format!("the game has changed since its parts were planned; plan them again: {build}");
        return Err(errors::named(py, "Damaged", &problem));
    };
    Ok(Batches::start(shared, plan, start..end, build, columns))
}

fn kind(py: Python<'_>, what: &str) -> PyResult<RowKind> {
    RowKind::from_name(what).ok_or_else(|| {
        let known = RowKind::ALL.map(RowKind::name).join(", ");
        errors::invalid(py, &format!("there are no {what:?}, expected one of {known}"))
    })
}

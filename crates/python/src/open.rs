//! `uncask.open`.

use crate::game::Game;
use crate::tables::Tables;
use crate::{arguments, errors};
use pyo3::prelude::*;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use uncask::GameOptions;
use uncask::game::Files;
use uncask::report::{Event, Observer};

/// Opens every container below a folder, or single `.utoc`, `.ucas` or `.pak` files, as one game.
///
/// paths: a path, or several.
/// keys: AES keys: a text, several, or a mapping from GUIDs to keys. A text is 64 hex digits or base64, with `GUID=` before it
///     if it is for one GUID; or `@` and the path of a file with keys.
/// mappings: the game's `.usmap`, which most games since 4.25 need for `properties` and `export`.
/// base: containers that only lend their names: the game that a mod belongs to.
/// engine: the engine release that wrote the packages, such as "5.4"; detected if omitted.
/// threads: worker threads; 0 is one for each core.
/// memory: memory for data in flight, in bytes; 256 MiB by default.
/// tables: keeps what servers answer, or has it from another process.
///
/// Containers that cannot be opened are in `Game.failed`; the others are there.
#[pyfunction]
#[pyo3(signature = (paths, *, keys=None, mappings=None, base=None, engine=None, threads=0, memory=None, tables=None))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub(crate) fn open(
    py: Python<'_>,
    paths: &Bound<'_, PyAny>,
    keys: Option<&Bound<'_, PyAny>>,
    mappings: Option<PathBuf>,
    base: Option<&Bound<'_, PyAny>>,
    engine: Option<&str>,
    threads: usize,
    memory: Option<u64>,
    tables: Option<&Bound<'_, Tables>>,
) -> PyResult<Game> {
    let warnings = Arc::new(Warnings::default());
    let mut options = GameOptions::default()
        .keys(arguments::keys(keys)?)
        .threads(threads)
        .observer(Arc::clone(&warnings) as Arc<dyn Observer>);
    if let Some(tables) = tables {
        options = options.files(Files::default().with_answers(tables.get().answers()));
    }
    if let Some(path) = mappings {
        options = options.mappings(path);
    }
    if let Some(base) = base {
        options = arguments::paths(base)?.into_iter().fold(options, GameOptions::base);
    }
    if let Some(engine) = engine {
        options = options.release(arguments::release(py, engine)?);
    }
    if let Some(memory) = memory {
        options = options.memory(memory);
    }
    let paths = arguments::paths(paths)?;
    let game = py.detach(|| options.open_all(paths)).map_err(|error| errors::raise(py, &error))?;
    warnings.show(py)?;
    Ok(Game::new(game))
}

/// The paths that match one with wildcards, `*` and `?`, on disk or in a bucket; the path itself if it has none.
#[pyfunction]
pub(crate) fn expand(path: &Bound<'_, PyAny>) -> PyResult<Vec<OsString>> {
    let (py, path) = (path.py(), path.extract::<PathBuf>()?);
    let found = py.detach(|| uncask::game::expand(&path)).map_err(|error| errors::raise(py, &error))?;
    Ok(found.into_iter().map(PathBuf::into_os_string).collect())
}

/// Names of builds: the parts of their paths that not all of them share.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "an argument from Python")]
pub(crate) fn build_names(paths: Vec<PathBuf>) -> Vec<String> {
    uncask::game::build_names(&paths)
}

/// Warnings about containers while they are opened, on any thread.
#[derive(Default)]
struct Warnings(Mutex<Vec<String>>);

impl Observer for Warnings {
    fn on(&self, event: &Event<'_>) {
        if let Event::Warning { path, message } = event {
            let mut list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            list.push(format!("{message}: {}", path.display()));
        }
    }
}

impl Warnings {
    fn show(&self, py: Python<'_>) -> PyResult<()> {
        let list = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        if list.is_empty() {
            return Ok(());
        }
        list.iter().try_for_each(|message| errors::warn(py, message))
    }
}

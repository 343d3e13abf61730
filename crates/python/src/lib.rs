//! The Python package `uncask`: the front door of the library, [`uncask::Game`], as Python objects.
//!
//! ```text
//! python/uncask/errors.py     exceptions                 ┐ plain Python, so that they are typed and documented where
//! python/uncask/outcomes.py   what jobs say              ┘ people look; made by `errors.rs` and `outcomes.rs` here
//! python/uncask/parts.py      rows of games in parts, by `parts.rs`, `table.rs` and `tables.rs` here; `ray.py`, `spark.py`, `files.py` use them
//! _uncask (this crate)        open, Game, Entry; types in python/uncask/_uncask.pyi
//! ```
//!
//! Python code runs only on the thread that has called: jobs are done by a thread of their own while the caller waits without the
//! interpreter's lock, shows progress and listens for Ctrl-C ([`run`]).

mod arguments;
mod changes;
mod entry;
mod errors;
mod exporting;
mod game;
mod look;
mod lookup;
mod open;
mod outcomes;
mod parts;
mod read;
mod run;
mod shared;
mod table;
mod tables;

use pyo3::prelude::*;

/// The native part of `uncask`.
#[pymodule]
fn _uncask(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<entry::Entry>()?;
    module.add_class::<game::Game>()?;
    module.add_class::<changes::Changes>()?;
    module.add_class::<table::Batches>()?;
    module.add_class::<tables::Tables>()?;
    module.add_function(wrap_pyfunction!(open::open, module)?)?;
    module.add_function(wrap_pyfunction!(open::expand, module)?)?;
    module.add_function(wrap_pyfunction!(open::build_names, module)?)?;
    module.add_function(wrap_pyfunction!(parts::plan, module)?)?;
    module.add_function(wrap_pyfunction!(parts::batches, module)?)
}

//! From errors of the library to the exceptions of `uncask.errors`.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::ffi::CString;
use std::fmt::Display;
use uncask::GameError;
use uncask::error::{Error, ErrorKind};
use uncask::game::{DiscoverError, FindError};

/// An error that becomes an exception.
pub(crate) trait Raised: Display {
    /// The exception's name in `uncask.errors`.
    fn exception(&self) -> &'static str;
}

impl Raised for Error {
    fn exception(&self) -> &'static str {
        match (self, self.kind()) {
            (Self::MissingKey { .. }, _) => "KeyMissing",
            (_, ErrorKind::Key) => "WrongKey",
            (_, ErrorKind::Io) => "FileError",
            (_, ErrorKind::Malformed | ErrorKind::Corrupt) => "Damaged",
            (_, ErrorKind::Missing) => "DataMissing",
            (_, ErrorKind::Unsupported) => "Unsupported",
            (_, ErrorKind::Limit) => "LimitExceeded",
            (_, ErrorKind::Cancelled) => "Cancelled",
            (_, ErrorKind::Internal) => "InternalError",
            _ => "UncaskError",
        }
    }
}

impl Raised for DiscoverError {
    fn exception(&self) -> &'static str {
        match self {
            Self::Open { source, .. } if source.kind() != std::io::ErrorKind::NotFound => "FileError",
            Self::Open { .. } | Self::Empty { .. } | Self::NoToc { .. } => "InputMissing",
            Self::Address { .. } => "InvalidArgument",
            Self::Other { .. } => "Unsupported",
            _ => "UncaskError",
        }
    }
}

impl Raised for GameError {
    fn exception(&self) -> &'static str {
        match self {
            Self::Discover(error) => error.exception(),
            Self::Key(_) | Self::Pattern(_) | Self::Find(FindError::Pattern(_)) => "InvalidArgument",
            Self::Find(_) => "Ambiguous",
            Self::NoSuchChunk { .. } => "NotFound",
            Self::NotAPackage { .. } | Self::NoPackage { .. } => "NotAPackage",
            Self::Io(error) => error.exception(),
            _ => "UncaskError",
        }
    }
}

/// The exception for an error, to be raised.
pub(crate) fn raise(py: Python<'_>, error: &impl Raised) -> PyErr {
    named(py, error.exception(), error)
}

/// The exception for an error, as an object.
pub(crate) fn object<'py>(py: Python<'py>, error: &impl Raised) -> Bound<'py, PyAny> {
    raise(py, error).into_value(py).into_bound(py).into_any()
}

/// `InvalidArgument`.
pub(crate) fn invalid(py: Python<'_>, problem: &impl Display) -> PyErr {
    named(py, "InvalidArgument", problem)
}

/// An exception of `uncask.errors` by its name.
pub(crate) fn named(py: Python<'_>, name: &str, problem: &impl Display) -> PyErr {
    let made = py.import("uncask.errors").and_then(|module| module.getattr(name));
    match made.and_then(|class| class.call1((problem.to_string(),))) {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => error,
    }
}

/// Warns of something with an `UncaskWarning`.
pub(crate) fn warn(py: Python<'_>, problem: &impl Display) -> PyResult<()> {
    let category = py.import("uncask.errors")?.getattr("UncaskWarning")?;
    let message = CString::new(problem.to_string().replace('\0', "\\0"))?;
    PyErr::warn(py, &category, &message, 1)
}

/// Error for a game that was opened before a fork, which leaves its threads behind.
pub(crate) fn forked() -> PyErr {
    PyRuntimeError::new_err(
        "the game was opened before this process was forked, and threads do not survive that; open it again here, or \
         start processes with multiprocessing's \"spawn\"",
    )
}

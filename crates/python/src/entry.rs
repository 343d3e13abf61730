//! `uncask.Entry`.

use crate::shared::Shared;
use pyo3::prelude::*;
use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use uncask::game::Chunk;

/// A chunk of a game: a package, bulk data, a shader library, or a file of a pak.
#[pyclass(frozen, module = "uncask", skip_from_py_object)]
#[derive(Clone)]
pub(crate) struct Entry {
    shared: Arc<Shared>,
    at: uncask::game::Entry,
}

impl Entry {
    pub(crate) const fn new(shared: Arc<Shared>, at: uncask::game::Entry) -> Self {
        Self { shared, at }
    }

    /// True if it belongs to this game.
    pub(crate) fn is_of(&self, shared: &Arc<Shared>) -> bool {
        Arc::ptr_eq(&self.shared, shared)
    }

    pub(crate) fn chunk(&self) -> Chunk<'_> {
        self.shared.game.at(self.at)
    }
}

#[pymethods]
impl Entry {
    /// Path relative to the game's root, or `chunks/ID.TYPE` if it has none.
    #[getter]
    fn path(&self) -> String {
        self.chunk().display_path()
    }

    /// True if it has a path of its own.
    #[getter]
    fn has_path(&self) -> bool {
        self.chunk().path().is_some()
    }

    /// Uncompressed size in bytes.
    #[getter]
    fn size(&self) -> u64 {
        self.chunk().len()
    }

    /// Stored size in bytes.
    #[getter]
    fn compressed_size(&self) -> u64 {
        self.chunk().storage().map_or(0, |storage| storage.stored_len)
    }

    /// Name of the container that it is read from.
    #[getter]
    fn container(&self) -> String {
        self.chunk().container().map(|container| container.name()).unwrap_or_default()
    }

    /// Chunk id: 24 hex digits.
    #[getter]
    fn chunk_id(&self) -> String {
        self.chunk().id().to_string()
    }

    /// Kind of its content: `package`, `bulk`, `file`, ….
    #[getter]
    fn chunk_type(&self) -> &'static str {
        self.chunk().kind().name()
    }

    /// Hash that the table of contents records for it, as hex; `None` if it records none.
    #[getter]
    fn hash(&self) -> Option<String> {
        self.chunk().hash().map(|hash| hash.to_string())
    }

    /// Compression methods, joined by `+`; empty if it has no data.
    #[getter]
    fn compression(&self) -> Cow<'_, str> {
        self.chunk().compression()
    }

    /// True if it is encrypted.
    #[getter]
    fn encrypted(&self) -> bool {
        self.chunk().is_encrypted()
    }

    /// Full path of the class of the main object of its package, such as `/Script/Engine.Texture2D`. Reads the package's header.
    #[getter]
    fn class_name(&self, py: Python<'_>) -> Option<String> {
        py.detach(|| self.shared.game.class_of(self.at))
    }

    fn __repr__(&self) -> String {
        format!("<Entry {:?} {}, {} bytes>", self.path(), self.chunk_type(), self.size())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| other.get().is_of(&self.shared) && other.get().at == self.at)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (Arc::as_ptr(&self.shared) as usize, self.at).hash(&mut hasher);
        hasher.finish()
    }
}

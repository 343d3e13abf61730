//! Answers of servers about a game, for other processes.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use uncask::game::{Answer, Answers};

/// Answers of servers while a game is opened with it: lists, tables and headers, until it is pickled. Another process that opens the
/// same game with it asks servers for nothing of that. Empty for games on disk.
#[pyclass(frozen, module = "uncask")]
pub(crate) struct Tables(Answers);

impl Tables {
    pub(crate) fn answers(&self) -> Answers {
        self.0.clone()
    }
}

/// Answer as Python has it: address, request, entity tag, content.
type Said<'py> = (String, String, Option<String>, Bound<'py, PyBytes>);

#[pymethods]
impl Tables {
    #[new]
    #[pyo3(signature = (said=None))]
    fn new(said: Option<Vec<Said<'_>>>) -> Self {
        let answer = |(url, request, tag, bytes): Said<'_>| {
            let bytes = bytes.as_bytes().to_vec().into();
            Answer { url, request, tag, bytes }
        };
        Self(said.map_or_else(Answers::keeping, |said| Answers::given(said.into_iter().map(answer))))
    }

    /// Bytes of all answers.
    #[getter]
    fn size(&self) -> usize {
        self.0.size()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let py = slf.py();
        let said =
            |Answer { url, request, tag, bytes }: Answer| (url, request, tag, PyBytes::new(py, &bytes));
        let list: Vec<Said<'py>> = slf.get().0.list().into_iter().map(said).collect();
        (slf.get_type(), (list,)).into_pyobject(py)
    }
}

//! Location of input files: on disk, on servers, or supplied by the caller.

use super::{Answers, FileSource, ReadAt, is_url};
use crate::error::{Bound, Error, Result};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Location of input files: on disk or on servers, unless the caller supplies them.
///
/// ```
/// use bytes::Bytes;
/// use std::sync::Arc;
/// use uncask::GameOptions;
/// use uncask::source::{Files, ReadAt};
///
/// let files = ["pakchunk1-Demo.utoc", "pakchunk1-Demo.ucas"].map(|name| {
///     let bytes = std::fs::read(format!("testdata/demo/{name}")).unwrap();
///     (name.into(), Arc::new(Bytes::from(bytes)) as Arc<dyn ReadAt>)
/// });
/// let game = GameOptions::default().files(Files::given(files)).open("")?;
/// assert!(game.chunks().len() > 0);
/// # Ok::<(), uncask::GameError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Files {
    given: Option<Arc<BTreeMap<PathBuf, Arc<dyn ReadAt>>>>,
    answers: Answers,
}

impl Files {
    /// Uses files of the caller, by paths of its choice. Nothing else can be opened then, and the empty path
    /// is the folder that contains all of them.
    pub fn given(files: impl IntoIterator<Item = (PathBuf, Arc<dyn ReadAt>)>) -> Self {
        Self { given: Some(Arc::new(files.into_iter().collect())), answers: Answers::default() }
    }

    /// Keeps what servers answer, or asks them only for what has not been answered yet.
    #[must_use]
    pub fn with_answers(self, answers: Answers) -> Self {
        Self { answers, ..self }
    }

    /// Answers of servers, kept or given.
    #[cfg_attr(not(feature = "remote"), expect(dead_code, reason = "only servers answer"))]
    pub(crate) const fn answers(&self) -> &Answers {
        &self.answers
    }

    /// True if the caller supplies the files.
    #[must_use]
    pub const fn are_given(&self) -> bool {
        self.given.is_some()
    }

    /// Opens a file.
    pub fn open(&self, path: &Path) -> io::Result<FileSource> {
        match &self.given {
            None => FileSource::open(path),
            Some(given) => {
                let file = given.get(path).ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))?;
                Ok(FileSource::given(Arc::clone(file)))
            }
        }
    }

    /// Reads a whole file of at most `limit` bytes, which may also be one on a server.
    pub fn read(&self, path: &Path, limit: u64) -> Result<Vec<u8>> {
        if is_url(path) && !self.are_given() {
            return self.read_on_server(path, limit);
        }
        let file = self.open(path).map_err(Error::io("open", path))?;
        // The length comes from the file system, which may claim more than any memory: first the limit, then
        // a reservation that may fail.
        if file.len() > limit {
            let what = "size of a file that has to be read at once";
            return Err(Error::Limit {
                what,
                found: file.len(),
                limit,
                bound: Bound::Memory,
                path: path.to_owned(),
            });
        }
        let mut bytes = Vec::new();
        let len = usize::try_from(file.len()).unwrap_or(usize::MAX);
        bytes.try_reserve_exact(len).map_err(io::Error::from).map_err(Error::io("read", path))?;
        bytes.resize(len, 0);
        file.read_blocking(0, &mut bytes).map_err(Error::io("read", path))?;
        Ok(bytes)
    }

    #[cfg(feature = "remote")]
    fn read_on_server(&self, url: &Path, limit: u64) -> Result<Vec<u8>> {
        super::RemoteFile::read(url, limit, &self.answers).map(Vec::from)
    }

    #[cfg(not(feature = "remote"))]
    #[expect(clippy::unused_self, reason = "used with the feature `remote`")]
    fn read_on_server(&self, url: &Path, _limit: u64) -> Result<Vec<u8>> {
        let problem = io::Error::new(io::ErrorKind::Unsupported, super::AddressProblem::NoNetwork);
        Err(Error::io("open", super::without_secrets(&url.to_string_lossy()))(problem))
    }

    /// Returns the paths of the caller's files; `None` if files are on disk.
    pub(crate) fn paths(&self) -> Option<impl Iterator<Item = &Path>> {
        self.given.as_ref().map(|given| given.keys().map(PathBuf::as_path))
    }

    /// Returns a path that is the same for all paths to a file.
    pub(crate) fn identity(&self, path: &Path) -> PathBuf {
        // Files of the caller have one path each. A path that cannot be resolved stands for itself.
        let full = if self.are_given() { None } else { super::folder::real_path(path).ok() };
        full.unwrap_or_else(|| path.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytes::Bytes;

    fn files() -> Files {
        let bytes = |text: &'static str| Arc::new(Bytes::from(text)) as Arc<dyn ReadAt>;
        Files::given([("a/b.bin".into(), bytes("0123456789")), ("c".into(), bytes(""))])
    }

    #[test]
    fn given_files_are_all_there_is() {
        let files = files();
        assert_eq!(files.read("a/b.bin".as_ref(), 10).unwrap(), b"0123456789");
        assert_eq!(files.read("c".as_ref(), 0).unwrap(), b"");
        assert_eq!(files.open("Cargo.toml".as_ref()).unwrap_err().kind(), io::ErrorKind::NotFound);
        assert!(files.read("a/b.bin".as_ref(), 9).unwrap_err().to_string().contains("10"));
        assert_eq!(files.paths().unwrap().count(), 2);
        assert!(Files::default().open("Cargo.toml".as_ref()).is_ok());
    }

    #[test]
    fn nothing_is_read_past_the_end() {
        let file = files().open("a/b.bin".as_ref()).unwrap();
        let mut bytes = [0; 4];
        file.read_blocking(6, &mut bytes).unwrap();
        assert_eq!(&bytes, b"6789");
        for offset in [7, 10, u64::MAX] {
            let error = file.read_blocking(offset, &mut bytes).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof, "{offset}");
        }
    }
}

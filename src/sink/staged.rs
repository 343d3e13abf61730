use super::run::Run;
use super::{Staged, system};
use crate::error::{Error, Result};
use cap_std::fs::Dir;
use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Files from this size on get their length and place at once.
const PREALLOCATE_FROM: u64 = 8 << 20;

/// A file under a temporary name in the directory that it is for.
pub(super) struct StagedFile {
    file: File,
    directory: Arc<Dir>,
    temporary: String,
    committed: AtomicBool,
    name: OsString,
    /// For messages.
    full_path: PathBuf,
    /// Lasts until the file has its name.
    _run: Arc<Run>,
}

impl StagedFile {
    pub(super) fn create(
        run: &Arc<Run>,
        directory: Arc<Dir>,
        name: OsString,
        full_path: PathBuf,
        len: u64,
    ) -> Result<Self> {
        let temporary = run.temporary_name();
        let file = system::create(&directory, &temporary).map_err(Error::io("create", &full_path))?;
        let committed = AtomicBool::new(false);
        let this = Self { file, directory, temporary, committed, name, full_path, _run: Arc::clone(run) };
        if len >= PREALLOCATE_FROM {
            // Its pieces may come from several threads, and not in order.
            system::allocate(&this.file, len).map_err(Error::io("allocate", &this.full_path))?;
        }
        Ok(this)
    }
}

impl Staged for StagedFile {
    fn write_at(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        system::write_all_at(&self.file, bytes, offset).map_err(Error::io("write", &self.full_path))
    }

    fn copy_from(&self, file: &File, position: u64, offset: u64, len: u64) -> Result<()> {
        system::copy(file, position, &self.file, offset, len).map_err(Error::io("copy to", &self.full_path))
    }

    fn commit(&self) -> Result<()> {
        let renamed = system::rename(&self.directory, &self.temporary, &self.name);
        renamed.map_err(|source| self.not_renamed(source))?;
        self.committed.store(true, Ordering::Relaxed);
        Ok(())
    }
}

impl StagedFile {
    /// Says what became of a file that did not get its name.
    fn not_renamed(&self, source: io::Error) -> Error {
        let source = match source.kind() {
            io::ErrorKind::NotFound => {
                let text = format!("{}, its temporary file, was removed", self.temporary);
                io::Error::new(io::ErrorKind::NotFound, text)
            }
            _ => source,
        };
        Error::io("rename to", &self.full_path)(source)
    }
}

impl Drop for StagedFile {
    fn drop(&mut self) {
        if !self.committed.load(Ordering::Relaxed) {
            // A failure here can no longer be reported; the name says what the file is.
            let _ = self.directory.remove_file(&self.temporary);
        }
    }
}

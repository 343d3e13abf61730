use super::folder::Folder;
use super::run::Run;
use super::{Staged, system, unnamed};
use crate::error::{Error, Result};
use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Files from this size on get their length and place at once; and a temporary name, so that one can see what fills the disk.
const LARGE: u64 = 8 << 20;

/// A file on its way into a directory: a small one without a name where the system has such files, others under a temporary one.
pub(super) struct StagedFile {
    file: File,
    directory: Arc<Folder>,
    temporary: Temporary,
    name: OsString,
    /// For messages.
    full_path: PathBuf,
    /// Lasts until the file has its name.
    run: Arc<Run>,
}

/// What a file is called before it has its name.
enum Temporary {
    Nothing,
    /// This, until it is committed.
    Name(String, AtomicBool),
}

impl StagedFile {
    pub(super) fn create(
        run: &Arc<Run>,
        directory: Arc<Folder>,
        name: OsString,
        full_path: PathBuf,
        len: u64,
    ) -> Result<Self> {
        let (file, temporary) = make(run, &directory, len).map_err(Error::io("create", &full_path))?;
        let this = Self { file, directory, temporary, name, full_path, run: Arc::clone(run) };
        if len >= LARGE {
            // Its pieces may come from several threads, and not in order.
            system::allocate(&this.file, len).map_err(Error::io("allocate", &this.full_path))?;
        }
        Ok(this)
    }
}

fn make(run: &Run, directory: &Folder, len: u64) -> io::Result<(File, Temporary)> {
    if len < LARGE
        && run.goes_unnamed()
        && let Ok(file) = unnamed::create(directory)
    {
        return Ok((file, Temporary::Nothing));
    }
    // Folders of the output may lie on another file system.
    let temporary = run.temporary_name();
    let file = directory.create(temporary.as_ref())?;
    Ok((file, Temporary::Name(temporary, AtomicBool::new(false))))
}

impl Staged for StagedFile {
    fn write_at(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        system::write_all_at(&self.file, bytes, offset).map_err(Error::io("write", &self.full_path))
    }

    fn copy_from(&self, file: &File, position: u64, offset: u64, len: u64) -> Result<()> {
        let copied = self.run.copies.copy(file, position, &self.file, offset, len);
        copied.map_err(Error::io("copy to", &self.full_path))
    }

    fn commit(&self) -> Result<()> {
        match &self.temporary {
            Temporary::Nothing => self.link().map_err(Error::io("rename to", &self.full_path)),
            Temporary::Name(temporary, is_committed) => {
                let renamed = self.directory.rename(temporary.as_ref(), &self.name);
                renamed.map_err(|source| self.not_renamed(temporary, source))?;
                is_committed.store(true, Ordering::Relaxed);
                Ok(())
            }
        }
    }
}

impl StagedFile {
    /// Gives a file without a name its name. What has that already can only be replaced by something with a name.
    fn link(&self) -> io::Result<()> {
        match unnamed::link(&self.file, &self.directory, &self.name) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                let temporary = self.run.temporary_name();
                unnamed::link(&self.file, &self.directory, temporary.as_ref())?;
                let renamed = self.directory.rename(temporary.as_ref(), &self.name);
                if renamed.is_err() {
                    self.remove(&temporary);
                }
                renamed
            }
            linked => linked,
        }
    }

    /// Says what became of a file that did not get its name.
    fn not_renamed(&self, temporary: &str, source: io::Error) -> Error {
        let source = match source.kind() {
            io::ErrorKind::NotFound => {
                let text = format!("{temporary}, its temporary file, was removed");
                io::Error::new(io::ErrorKind::NotFound, text)
            }
            _ => source,
        };
        Error::io("rename to", &self.full_path)(source)
    }

    fn remove(&self, temporary: &str) {
        // A failure here can no longer be reported; the name says what the file is.
        let _ = self.directory.remove_file(temporary.as_ref());
    }
}

impl Drop for StagedFile {
    fn drop(&mut self) {
        if let Temporary::Name(temporary, is_committed) = &self.temporary
            && !is_committed.load(Ordering::Relaxed)
        {
            self.remove(temporary);
        }
    }
}

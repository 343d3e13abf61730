use super::folder::Folder;
use super::run::Run;
use super::{Staged, mark, system, unnamed};
use crate::error::{Error, Result};
use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Size from which files get their length and disk space at once; and a temporary name, so that users can see
/// what fills the disk.
const LARGE: u64 = 8 << 20;

/// File on its way into a directory: a small one without a name if the system has such files, others under a
/// temporary one.
pub(super) struct StagedFile {
    file: File,
    directory: Arc<Folder>,
    temporary: Temporary,
    name: OsString,
    /// Final path, for messages.
    full_path: PathBuf,
    /// Lasts until the file has its name.
    run: Arc<Run>,
    /// True if the file gets a mark that says whether it was changed since.
    is_marked: bool,
}

/// Name of a file before it has its final one.
enum Temporary {
    Nothing,
    /// This name, until it is committed.
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
        let this =
            Self { file, directory, temporary, name, full_path, run: Arc::clone(run), is_marked: false };
        if len >= LARGE {
            // Its pieces may arrive from several threads, and out of order.
            system::allocate(&this.file, len).map_err(Error::io("allocate", &this.full_path))?;
        }
        Ok(this)
    }

    /// Makes it a file with a mark.
    pub(super) fn marked(mut self) -> Self {
        self.is_marked = true;
        self
    }
}

fn make(run: &Run, directory: &Folder, len: u64) -> io::Result<(File, Temporary)> {
    if len < LARGE
        && run.goes_unnamed()
        && let Ok(file) = unnamed::create(directory)
    {
        return Ok((file, Temporary::Nothing));
    }
    // Reached for folders of the output on other file systems as well, which may lack unnamed files.
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
        if self.is_marked {
            // A file system without such times keeps no mark, and is no reason to fail.
            let _ = mark::mark(&self.file);
        }
        match &self.temporary {
            Temporary::Nothing => self.link().map_err(Error::io("rename to", &self.full_path)),
            Temporary::Name(temporary, is_committed) => {
                let renamed = self.directory.rename(temporary.as_ref(), &self.name);
                renamed.map_err(|source| self.not_renamed(temporary, source))?;
                // From here on, dropping the file must not remove it.
                is_committed.store(true, Ordering::Relaxed);
                Ok(())
            }
        }
    }
}

impl StagedFile {
    /// Gives an unnamed file its name. An existing file can only be replaced by one that has a name.
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

    /// Explains the failure to rename a file.
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
        // A failure here can no longer be reported; the name shows what the file is.
        let _ = self.directory.remove_file(temporary.as_ref());
    }
}

impl Drop for StagedFile {
    fn drop(&mut self) {
        // Without a commit, a named file would remain; an unnamed one is gone when it is closed.
        if let Temporary::Name(temporary, is_committed) = &self.temporary
            && !is_committed.load(Ordering::Relaxed)
        {
            self.remove(temporary);
        }
    }
}

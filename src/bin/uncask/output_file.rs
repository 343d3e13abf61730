//! One file that a command writes beside its main output.

use crate::exit::UsageError;
use crate::printer::Json;
use std::io::{self, BufWriter, Write};
use std::path::{Component, Path, Prefix};
use uncask::sink::{Staged, create_file};

/// Bytes that are written at once.
const BUFFER: usize = 1 << 16;

/// Starts a file that gets its name once it is whole; FIFOs and devices take the bytes as they come.
pub(crate) fn create(path: &Path, len: u64) -> anyhow::Result<Box<dyn Staged>> {
    if path.file_name().is_none() && !is_device(path) {
        return Err(UsageError(format!("not a file name: {}", path.display())).into());
    }
    Ok(create_file(path, len)?)
}

/// Whether this is a device by its full name, such as `\\.\NUL` on Windows: to the system, that is no name in a folder.
fn is_device(path: &Path) -> bool {
    let first = path.components().next();
    matches!(first, Some(Component::Prefix(prefix)) if matches!(prefix.kind(), Prefix::DeviceNS(_)))
}

/// Writes a file, whole or not at all.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let staged = create(path, bytes.len() as u64)?;
    staged.write_at(0, bytes)?;
    Ok(staged.commit()?)
}

/// Writes a file piece by piece, whole or not at all.
pub(crate) fn write_with<E>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> anyhow::Result<()>
where
    anyhow::Error: From<E>,
{
    let mut out = BufWriter::with_capacity(BUFFER, StagedFile::new(create(path, 0)?));
    write(&mut out)?;
    out.into_inner().map_err(io::IntoInnerError::into_error)?.commit()
}

/// Writes a file of JSON, whole or not at all.
pub(crate) fn write_json(path: &Path, value: &impl serde::Serialize) -> anyhow::Result<()> {
    write_with(path, |out| serde_json::to_writer_pretty(Json(out), value))
}

/// A staged file as a writer that only appends.
pub(crate) struct StagedFile {
    staged: Box<dyn Staged>,
    len: u64,
}

impl StagedFile {
    pub(crate) const fn new(staged: Box<dyn Staged>) -> Self {
        Self { staged, len: 0 }
    }

    /// Gives the file its name.
    pub(crate) fn commit(self) -> anyhow::Result<()> {
        Ok(self.staged.commit()?)
    }
}

impl Write for StagedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.staged.write_at(self.len, bytes).map_err(io::Error::other)?;
        self.len += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

//! Single files written by a command beside its main output.

use crate::exit::UsageError;
use crate::printer::Json;
use std::io::{self, BufWriter, Write};
use std::path::{Component, Path, Prefix};
use uncask::game::{AppendingFile, create_file};

/// Size of the write buffer, in bytes.
const BUFFER: usize = 1 << 16;

/// Creates a file that gets its name when it is complete; FIFOs and devices take the bytes directly. `len` is its
/// length, if known.
pub(crate) fn create(path: &Path, len: u64) -> anyhow::Result<AppendingFile> {
    // `out/..` or `/` would fail later with a message about the temporary file.
    if path.file_name().is_none() && !is_device(path) {
        return Err(UsageError(format!("not a file name: {}", path.display())).into());
    }
    Ok(AppendingFile::new(create_file(path, len)?))
}

/// True for the full name of a device, such as `\\.\NUL` on Windows, which the system does not regard as a name in a
/// folder.
fn is_device(path: &Path) -> bool {
    let first = path.components().next();
    matches!(first, Some(Component::Prefix(prefix)) if matches!(prefix.kind(), Prefix::DeviceNS(_)))
}

/// Writes a file, completely or not at all.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let mut file = create(path, bytes.len() as u64)?;
    file.append(bytes)?;
    file.commit()?;
    Ok(())
}

/// Writes a file piece by piece, completely or not at all.
pub(crate) fn write_with<E>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> anyhow::Result<()>
where
    anyhow::Error: From<E>,
{
    // An error drops the file without commit, which leaves nothing behind.
    let mut out = BufWriter::with_capacity(BUFFER, create(path, 0)?);
    write(&mut out)?;
    out.into_inner().map_err(io::IntoInnerError::into_error)?.commit()?;
    Ok(())
}

/// Writes a JSON file, completely or not at all.
pub(crate) fn write_json(path: &Path, value: &impl serde::Serialize) -> anyhow::Result<()> {
    write_with(path, |out| serde_json::to_writer_pretty(Json::new(out), value))
}

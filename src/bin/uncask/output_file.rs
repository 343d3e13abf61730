//! One file that a command writes beside its main output.

use crate::exit::UsageError;
use std::path::Path;
use uncask::sink::{Staged, create_file};

/// Starts a file that gets its name once it is whole; FIFOs and devices take the bytes as they come.
pub(crate) fn create(path: &Path, len: u64) -> anyhow::Result<Box<dyn Staged>> {
    if path.file_name().is_none() {
        return Err(UsageError(format!("not a file name: {}", path.display())).into());
    }
    Ok(create_file(path, len)?)
}

/// Writes a file, whole or not at all.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let staged = create(path, bytes.len() as u64)?;
    staged.write_at(0, bytes)?;
    Ok(staged.commit()?)
}

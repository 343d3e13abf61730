//! One file that a command writes beside its main output.

use crate::exit::UsageError;
use std::path::Path;
use uncask::sink::{DirectorySink, OutputPath, Sink, Staged};

/// Starts a file that gets its name once it is whole.
pub(crate) fn create(path: &Path, len: u64) -> anyhow::Result<Box<dyn Staged>> {
    let name = path.file_name().ok_or_else(|| UsageError(format!("not a file name: {}", path.display())))?;
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let sink = DirectorySink::open(parent.unwrap_or_else(|| Path::new(".")))?;
    Ok(sink.create(&OutputPath::sanitize(&name.to_string_lossy()), len)?)
}

/// Writes a file, whole or not at all.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let staged = create(path, bytes.len() as u64)?;
    staged.write_at(0, bytes)?;
    Ok(staged.commit()?)
}

//! Where benchmarks of whole runs find real files, and where they put their own.

use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Folder of the real files; there may be none.
pub(crate) fn corpus() -> PathBuf {
    let usual = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus");
    std::env::var_os("UNCASK_CORPUS").map_or_else(usual, PathBuf::from)
}

/// A temporary folder, in memory where `/dev/shm` exists.
pub(crate) fn temporary() -> TempDir {
    let parent = Some(Path::new("/dev/shm")).filter(|path| path.is_dir());
    parent.map_or_else(tempfile::tempdir, tempfile::tempdir_in).expect("a temporary folder")
}

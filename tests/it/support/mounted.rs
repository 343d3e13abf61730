//! Disks that are small, or must not be written.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A folder of a file system of its own, for as long as it lives.
pub(crate) struct Mounted(PathBuf);

impl Mounted {
    /// Mounts a file system in memory, if this user may. The options are those of `mount`.
    pub(crate) fn new(at: &Path, options: &str) -> Option<Self> {
        std::fs::create_dir_all(at).unwrap();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(at).stderr(Stdio::null());
        let mounted = mount.status().is_ok_and(|status| status.success());
        mounted.then(|| Self(at.to_owned()))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(&self.0).status();
    }
}

//! Files that have no name until they are whole, where the system has such: Linux (`O_TMPFILE`), on most of its file systems.
//!
//! One step makes the file, and one gives it its name: cheaper than making it under another name and renaming it, and a run that
//! is killed leaves nothing. A name that is taken is never replaced in this way.

use super::folder::Folder;
use std::ffi::OsStr;
use std::fs::File;
use std::io;

/// Whether files without a name can be made here, and can be given one. Before Linux 6.10, only some processes may do so.
pub(super) fn works(directory: &Folder) -> bool {
    // No file can have this name, and the system says so only after it has found the file that is to have it.
    let linked = create(directory).and_then(|file| link(&file, directory, ".".as_ref()));
    linked.is_err_and(|error| error.kind() == io::ErrorKind::AlreadyExists)
}

/// Makes a file without a name, on the file system of a folder.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(super) fn create(directory: &Folder) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags, openat};
    let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
    Ok(openat(directory, ".", flags, Mode::from_raw_mode(0o666))?.into())
}

/// Gives a file its name. A name that is taken is an error.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(super) fn link(file: &File, directory: &Folder, name: &OsStr) -> io::Result<()> {
    Ok(rustix::fs::linkat(file, "", directory, name, rustix::fs::AtFlags::EMPTY_PATH)?)
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(super) fn create(_directory: &Folder) -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(super) fn link(_file: &File, _directory: &Folder, _name: &OsStr) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    #[test]
    fn a_file_gets_its_name_unless_that_is_taken() {
        let folder = tempfile::tempdir().unwrap();
        let directory = Folder::open(folder.path()).unwrap();
        let works = works(&directory);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "looking leaves no trace");
        if !works {
            // Not every file system has files without a name.
            return;
        }
        for content in ["first", "second"] {
            let mut file = create(&directory).unwrap();
            file.write_all(content.as_bytes()).unwrap();
            let linked = link(&file, &directory, "name".as_ref()).map_err(|error| error.kind());
            assert_eq!(linked.is_ok(), content == "first");
            assert!(linked.is_ok() || linked == Err(io::ErrorKind::AlreadyExists));
        }
        assert_eq!(std::fs::read(folder.path().join("name")).unwrap(), b"first");
    }
}

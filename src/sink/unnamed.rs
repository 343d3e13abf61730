//! Files that have no name until they are whole, on systems that have such: Linux (`O_TMPFILE`), on most of
//! its file systems.
//!
//! One step creates the file, and one gives it its name: cheaper than creating it under another name and
//! renaming it, and a killed run leaves nothing. An existing name is never replaced in this way.

use super::folder::Folder;
use std::ffi::OsStr;
use std::fs::File;
use std::io;

/// True if unnamed files can be created here, and can be given a name. Before Linux 6.10, only some processes
/// may do so.
pub(super) fn works(directory: &Folder) -> bool {
    // No file can have this name, and the system only says so after it has found the file that is to get it.
    let linked = create(directory).and_then(|file| link(&file, directory, ".".as_ref()));
    linked.is_err_and(|error| error.kind() == io::ErrorKind::AlreadyExists)
}

/// Creates an unnamed file, on the file system of a folder.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(super) fn create(directory: &Folder) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags, openat};
    let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
    // The path of an unnamed file is the folder that chooses its file system.
    Ok(openat(directory, ".", flags, Mode::from_raw_mode(0o666))?.into())
}

/// Gives a file its name. An existing name is an error.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(super) fn link(file: &File, directory: &Folder, name: &OsStr) -> io::Result<()> {
    // With EMPTY_PATH, the empty path means the open file itself.
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
            // Not every file system has unnamed files.
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

//! One file, at a user-supplied path.

use super::Staged;
use super::directory::{DirectorySink, refuse_address};
use crate::error::{Error, Result};
use crate::source::real_path;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Bytes that are copied at once.
const PIECE: usize = 256 << 10;

/// Starts a file that gets its name once it is whole; missing folders are created. An existing path that is
/// not a regular file, such as a FIFO or a device, is written to directly, and then the bytes have to come in
/// order.
///
/// A symlink stays: the file that it leads to is replaced.
pub fn create_file(path: &Path, len: u64) -> Result<Box<dyn Staged>> {
    refuse_address(path)?;
    match std::fs::metadata(path) {
        Ok(found) if found.is_dir() => Err(Error::io("write", path)(io::ErrorKind::IsADirectory.into())),
        // Resolved first: renaming onto the link would replace the link itself.
        Ok(found) if found.is_file() => replace(&real_path(path).map_err(Error::io("open", path))?, len),
        Err(error) if error.kind() == io::ErrorKind::NotFound => replace(path, len),
        // Some systems cannot describe a device.
        Ok(_) | Err(_) => Stream::open(path).map(|stream| Box::new(stream) as _),
    }
}

fn replace(path: &Path, len: u64) -> Result<Box<dyn Staged>> {
    // A path such as `/` or `..` has no last component.
    let no_name = || Error::io("create", path)(io::ErrorKind::InvalidFilename.into());
    let name = path.file_name().ok_or_else(no_name)?;
    // A name alone has an empty parent, which means the current folder.
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let sink = DirectorySink::open(parent.unwrap_or_else(|| Path::new(".")))?;
    Ok(Box::new(sink.stage_at_top(name, path, len)?))
}

/// Target that takes bytes in order, and cannot take them back.
struct Stream {
    path: PathBuf,
    /// Open target, and the number of bytes written.
    target: Mutex<(File, u64)>,
}

impl Stream {
    /// Opens an existing target. A FIFO waits for its reader.
    fn open(path: &Path) -> Result<Self> {
        let target = File::options().write(true).open(path).map_err(Error::io("open", path))?;
        Ok(Self { path: path.to_owned(), target: Mutex::new((target, 0)) })
    }

    fn append(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let mut target = self.target.lock().unwrap_or_else(PoisonError::into_inner);
        let (file, written) = &mut *target;
        if offset != *written {
            let text = format!(
                "the next write is at offset {offset}, expected {written}: this file can only be written in order"
            );
            return Err(io::Error::new(io::ErrorKind::NotSeekable, text));
        }
        file.write_all(bytes)?;
        *written += bytes.len() as u64;
        Ok(())
    }
}

impl Staged for Stream {
    fn write_at(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        self.append(offset, bytes).map_err(Error::io("write", &self.path))
    }

    fn copy_from(&self, file: &File, position: u64, offset: u64, len: u64) -> Result<()> {
        let mut buffer = vec![0; usize::try_from(len).unwrap_or(PIECE).min(PIECE)];
        let mut done = 0;
        while done < len {
            let piece = buffer.len().min(usize::try_from(len - done).unwrap_or(PIECE));
            let bytes = buffer.get_mut(..piece).unwrap_or_default();
            crate::source::read_exact_at(file, bytes, position + done)
                .map_err(Error::io("copy to", &self.path))?;
            self.write_at(offset + done, bytes)?;
            done += piece as u64;
        }
        Ok(())
    }

    fn commit(&self) -> Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(path: &Path, bytes: &[u8]) -> Result<()> {
        let staged = create_file(path, bytes.len() as u64)?;
        staged.write_at(0, bytes)?;
        staged.commit()
    }

    fn names(folder: &Path) -> Vec<std::ffi::OsString> {
        let mut names: Vec<_> =
            std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_appears_whole_under_the_very_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/PROGRA~1.x");
        let staged = create_file(&path, 3).unwrap();
        staged.write_at(0, b"new").unwrap();
        assert!(!path.exists());
        staged.commit().unwrap();
        drop(staged);
        put(&path, b"newer").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"newer");
        assert_eq!(names(&folder.path().join("a")), ["PROGRA~1.x"], "nothing else is left");
        let error = put(&folder.path().join("a"), b"x").map_err(|error| error.to_string());
        assert!(error.unwrap_err().starts_with("cannot write: is a directory: "));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_and_a_device_is_written_into() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        std::fs::write(&file, "old").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        put(&link, b"new").unwrap();
        assert!(link.is_symlink());
        assert_eq!(std::fs::read(&file).unwrap(), b"new");

        let device = folder.path().join("device");
        std::os::unix::fs::symlink("/dev/null", &device).unwrap();
        put(&device, b"gone").unwrap();
        assert_eq!(names(folder.path()), ["device", "file", "link"]);
        let staged = create_file(&device, 0).unwrap();
        staged.write_at(0, b"abc").unwrap();
        let error = staged.write_at(5, b"x").unwrap_err().to_string();
        assert!(error.contains("the next write is at offset 5, expected 3"), "{error}");
        let mut source = tempfile::tempfile().unwrap();
        source.write_all(b"0123456789").unwrap();
        staged.copy_from(&source, 2, 3, 8).unwrap();
        assert!(staged.copy_from(&source, 2, 11, 9).is_err(), "the source is not so long");
    }
}

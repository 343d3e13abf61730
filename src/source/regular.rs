//! Regular files as inputs, and nothing else that has a name.

use crate::error::{Bound, Error, Result};
use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::Path;

/// Opens a regular file for reading.
///
/// Anything else is an error that says at once what it is: a FIFO may never get a writer, and a device may
/// never end. Inputs therefore have an end and a known length.
pub fn open_file(path: &Path) -> io::Result<File> {
    // Opening a device can have effects, so its kind is checked first; and again afterwards, because the name
    // may have been reassigned.
    check_regular(&std::fs::metadata(path)?)?;
    let file = open(path)?;
    check_regular(&file.metadata()?)?;
    Ok(file)
}

/// Reads a whole file of at most `limit` bytes.
pub fn read_file(path: &Path, limit: u64) -> Result<Vec<u8>> {
    let file = open_file(path).map_err(Error::io("open", path))?;
    let len = file.metadata().map_err(Error::io("read", path))?.len();
    if len > limit {
        let what = "size of a file that has to be read at once";
        return Err(Error::Limit { what, found: len, limit, bound: Bound::Memory, path: path.to_owned() });
    }
    read_start(file, len).map_err(Error::io("read", path))
}

/// Reads the first `len` bytes of a file, or as many as it has.
fn read_start(file: File, len: u64) -> io::Result<Vec<u8>> {
    // Only what the file has is reserved, even if the caller allows more.
    let len = len.min(file.metadata()?.len());
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(usize::try_from(len).unwrap_or(usize::MAX))?;
    // A file that grows meanwhile is still cut at this length.
    file.take(len).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Opens any file with this name, without waiting for a writer.
fn open(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt as _;
        // Without NONBLOCK, a FIFO would block here; without NOCTTY, a terminal could become ours.
        options.custom_flags(i32::try_from((OFlags::NONBLOCK | OFlags::NOCTTY).bits()).unwrap_or(0));
    }
    options.open(path)
}

/// Fails with the kind of the file, unless it is a regular file.
pub(crate) fn check_regular(found: &Metadata) -> io::Result<()> {
    if found.is_file() {
        return Ok(());
    }
    let text = format!("is {}, not a regular file", describe(found));
    Err(io::Error::new(io::ErrorKind::InvalidInput, text))
}

fn describe(found: &Metadata) -> &'static str {
    if found.is_dir() {
        return "a folder";
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt as _;
        let kind = found.file_type();
        if kind.is_fifo() {
            return "a FIFO";
        }
        if kind.is_socket() {
            return "a socket";
        }
        if kind.is_char_device() || kind.is_block_device() {
            return "a device";
        }
    }
    "something else"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_up_to_its_end_or_its_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, "0123456789").unwrap();
        assert_eq!(read_file(&path, 10).unwrap(), b"0123456789");
        assert_eq!(read_start(open_file(&path).unwrap(), 4).unwrap(), b"0123");
        assert_eq!(read_start(open_file(&path).unwrap(), u64::MAX).unwrap(), b"0123456789");
        let error = read_file(&path, 9).unwrap_err().to_string();
        assert!(
            error.starts_with("size of a file that has to be read at once is 10 bytes, the limit is 9"),
            "{error}"
        );
        let error = read_file(folder.path(), 10).unwrap_err().to_string();
        assert!(error.starts_with("cannot open: is a folder, not a regular file: "), "{error}");
    }

    /// A file may claim to be larger than any memory.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_file_of_holes_is_no_reason_to_give_up() {
        let file = tempfile::NamedTempFile::new().unwrap();
        file.as_file().set_len(1 << 43).unwrap();
        assert!(matches!(read_file(file.path(), u64::MAX), Err(Error::Io { .. })));
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_file_says_what_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let (socket, fifo) = (folder.path().join("socket"), folder.path().join("fifo"));
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
        for (path, what) in
            [(socket.as_path(), "a socket"), (&fifo, "a FIFO"), (Path::new("/dev/zero"), "a device")]
        {
            let error = open_file(path).unwrap_err();
            assert_eq!(error.to_string(), format!("is {what}, not a regular file"));
        }
        let metadata = open(&fifo).unwrap().metadata().unwrap();
        assert!(check_regular(&metadata).is_err(), "even if it came after the question");
    }
}

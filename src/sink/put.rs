//! The only way to write a whole file, subject to the overwrite setting.

use super::{Existing, OutputPath, PIECE, Sink, Staged};
use crate::error::{Error, Result};
use crate::source::read_exact_at;
use std::fs::File;
use std::io;
use std::path::Path;

/// Treatment of existing files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Overwrite {
    /// Keep them.
    Never,
    /// Replace those with different content. Chunks are compared by the recorded hash, without being
    /// decompressed.
    #[default]
    Different,
    /// Replace those with different content, but none that were changed since a job has written them.
    Untouched,
    /// Replace them all.
    Always,
}

/// Outcome of writing a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PutOutcome {
    /// Written.
    Written,
    /// Not written: it exists with the same content.
    Unchanged,
    /// Not written: a file with this name exists, and must not be replaced.
    Kept,
}

impl Overwrite {
    /// Returns the reason that an existing file may stay; `None` if it has to be written. `is_same` compares
    /// its content.
    pub fn keeps(
        self,
        sink: &dyn Sink,
        path: &OutputPath,
        is_same: impl FnOnce(Existing) -> bool,
    ) -> Option<PutOutcome> {
        // Files in a sink that started empty come from this very job: comparing them would only take time.
        let compares = matches!(self, Self::Different | Self::Untouched) && !sink.started_empty();
        if let Some(existing) = compares.then(|| sink.existing(path).ok()).flatten() {
            let is_untouched = existing.is_untouched;
            if is_same(existing) {
                return Some(PutOutcome::Unchanged);
            }
            if self == Self::Untouched && !is_untouched {
                sink.note_edited(path);
                return Some(PutOutcome::Kept);
            }
        }
        self.forbids(sink, [path]).then_some(PutOutcome::Kept)
    }

    /// True if nothing may be written because one of these files exists.
    pub fn forbids<'p>(self, sink: &dyn Sink, paths: impl IntoIterator<Item = &'p OutputPath>) -> bool {
        self == Self::Never && paths.into_iter().any(|path| sink.exists(path))
    }
}

/// Writes a file, unless the existing one may stay.
pub fn put(sink: &dyn Sink, path: &OutputPath, bytes: &[u8], overwrite: Overwrite) -> Result<PutOutcome> {
    put_together(sink, &[(path, bytes)], overwrite)
}

/// Writes files that are useless without each other: all or none. They stay if all are the same, or if one of
/// them exists and must not be replaced: a new file would not fit the user's.
///
/// All are complete before the first gets its name, and the first in the list gets its name last. A header
/// that comes first thus never appears without the rest; an old one loses its name before anything else is replaced, so that
/// a run that is killed in between leaves no package instead of a mixture of two.
pub fn put_together(
    sink: &dyn Sink,
    files: &[(&OutputPath, &[u8])],
    overwrite: Overwrite,
) -> Result<PutOutcome> {
    let keeps = |(path, bytes): &(&OutputPath, &[u8])| {
        overwrite.keeps(sink, path, |mut existing| existing.equals(bytes))
    };
    let kept: Vec<Option<PutOutcome>> = files.iter().map(keeps).collect();
    // One file of the user's decides for all.
    if kept.contains(&Some(PutOutcome::Kept)) {
        return Ok(PutOutcome::Kept);
    }
    if kept.iter().all(Option::is_some) {
        return Ok(PutOutcome::Unchanged);
    }
    let mut staged = Vec::with_capacity(files.len());
    for (path, bytes) in files {
        let file = sink.create(path, bytes.len() as u64)?;
        file.write_at(0, bytes)?;
        staged.push((*path, file));
    }
    commit_together(sink, &staged)?;
    Ok(PutOutcome::Written)
}

/// Gives complete files their names, the first one last; an old file of that name loses it before.
fn commit_together(sink: &dyn Sink, files: &[(&OutputPath, Box<dyn Staged>)]) -> Result<()> {
    let old = match files {
        [(header, _), _, ..] => sink.withdraw(header)?,
        _ => None,
    };
    for (done, (_, file)) in files.iter().rev().enumerate() {
        if let Err(error) = file.commit() {
            // With what was replaced already, the old header would be a package that never was.
            if let Some(old) = old.filter(|_| done == 0) {
                let _ = old.restore();
            }
            return Err(error);
        }
    }
    Ok(())
}

/// Copies the first `len` bytes of a file, unless the existing one may stay. `from` is its path, for
/// messages.
pub fn copy_file(
    sink: &dyn Sink,
    path: &OutputPath,
    file: &File,
    len: u64,
    from: &Path,
    overwrite: Overwrite,
) -> Result<PutOutcome> {
    if let Some(outcome) = overwrite.keeps(sink, path, |existing| is_copy(existing, file, len)) {
        return Ok(outcome);
    }
    let staged = sink.create(path, len)?;
    staged.copy_from(file, 0, 0, len).map_err(|error| match error {
        // The file was truncated after its length was read.
        Error::Io { source, .. } if source.kind() == io::ErrorKind::UnexpectedEof => {
            Error::io("read", from)(source)
        }
        error => error,
    })?;
    staged.commit()?;
    Ok(PutOutcome::Written)
}

/// True if an existing file equals the first `len` bytes of another. If that cannot be read, copying it
/// reports why.
fn is_copy(mut existing: Existing, file: &File, len: u64) -> bool {
    let mut buffer = vec![0; usize::try_from(len).unwrap_or(PIECE).min(PIECE)];
    let mut at = 0;
    // A file of another length is not read at all.
    while at < len && existing.len == len {
        let piece = buffer.len().min(usize::try_from(len - at).unwrap_or(PIECE));
        let bytes = buffer.get_mut(..piece).unwrap_or_default();
        if read_exact_at(file, bytes, at).is_err() || !existing.has(at, bytes) {
            return false;
        }
        at += piece as u64;
    }
    existing.len == len
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sink::{DirectorySink, Withdrawn};
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// A sink whose files get their names until so many have.
    #[derive(Debug)]
    struct Failing {
        sink: DirectorySink,
        left: std::sync::Arc<AtomicUsize>,
    }

    struct FailingFile(Box<dyn Staged>, std::sync::Arc<AtomicUsize>);

    impl Sink for Failing {
        fn create(&self, path: &OutputPath, len: u64) -> Result<Box<dyn Staged>> {
            Ok(Box::new(FailingFile(self.sink.create(path, len)?, self.left.clone())))
        }

        fn exists(&self, path: &OutputPath) -> bool {
            self.sink.exists(path)
        }

        fn withdraw(&self, path: &OutputPath) -> Result<Option<Box<dyn Withdrawn>>> {
            self.sink.withdraw(path)
        }

        fn existing(&self, path: &OutputPath) -> io::Result<Existing> {
            self.sink.existing(path)
        }
    }

    impl Staged for FailingFile {
        fn write_at(&self, offset: u64, bytes: &[u8]) -> Result<()> {
            self.0.write_at(offset, bytes)
        }

        fn copy_from(&self, file: &File, position: u64, offset: u64, len: u64) -> Result<()> {
            self.0.copy_from(file, position, offset, len)
        }

        fn commit(&self) -> Result<()> {
            let full = || Error::io("rename to", "")(io::ErrorKind::StorageFull.into());
            let one_less = |left: usize| left.checked_sub(1);
            self.1.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less).map_err(|_| full())?;
            self.0.commit()
        }
    }

    #[test]
    fn a_folder_in_the_place_of_a_header_stays_where_it_is() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("A.uasset")).unwrap();
        std::fs::write(folder.path().join("A.uasset/mine"), "mine").unwrap();
        let sink = DirectorySink::open(folder.path()).unwrap();
        let paths = ["A.uasset", "A.uexp"].map(OutputPath::sanitize);
        let files = paths.each_ref().map(|path| (path, b"new".as_slice()));
        assert!(put_together(&sink, &files, Overwrite::Always).is_err());
        assert_eq!(std::fs::read_to_string(folder.path().join("A.uasset/mine")).unwrap(), "mine");
    }

    #[test]
    fn a_package_is_never_half_old_and_half_new() {
        let names = ["A.uasset", "A.uexp", "A.ubulk"];
        for committed in 0..=3 {
            let folder = tempfile::tempdir().unwrap();
            for name in names {
                std::fs::write(folder.path().join(name), "old").unwrap();
            }
            let left = std::sync::Arc::new(AtomicUsize::new(committed));
            let sink = Failing { sink: DirectorySink::open(folder.path()).unwrap(), left };
            let paths = names.map(OutputPath::sanitize);
            let files = paths.each_ref().map(|path| (path, b"new".as_slice()));
            let put = put_together(&sink, &files, Overwrite::Always);
            assert_eq!(put.is_ok(), committed == 3);
            drop(sink);
            let found = names.map(|name| std::fs::read_to_string(folder.path().join(name)).ok());
            let found = found.each_ref().map(|found| found.as_deref().unwrap_or_default());
            let expected = match committed {
                0 => ["old", "old", "old"],
                1 => ["", "old", "new"],
                2 => ["", "new", "new"],
                _ => ["new", "new", "new"],
            };
            assert_eq!(found, expected);
            let left = std::fs::read_dir(folder.path()).unwrap().count();
            assert_eq!(left, expected.iter().filter(|text| !text.is_empty()).count(), "nothing else is left");
        }
    }
}

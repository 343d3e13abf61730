use super::address::partition_suffix;
use super::{Blocking, BoxFuture, Buffer, FileSource, Files, Source};
use crate::error::{Error, Result};
use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Limit of files that a container is split into.
const MAX_PARTITIONS: usize = 65_536;

/// `NAME.ucas`, `NAME_s1.ucas`, `NAME_s2.ucas`, …: the partitions of a container as one address space.
///
/// Position *p* is in partition *p* / partition size. A partition that is missing, truncated, or a Git-LFS
/// pointer only fails for the data in it.
#[derive(Debug)]
pub struct Partitions {
    /// Path of the `.utoc`; the partitions are named after it.
    toc_path: PathBuf,
    partition_size: u64,
    parts: BTreeMap<u64, Part>,
}

#[derive(Debug)]
enum Part {
    Open(FileSource),
    Missing,
    LfsPointer { size: u64 },
    Failed(io::Error),
}

impl Partitions {
    /// Opens the partitions in `used`; `partition_size` is in bytes.
    #[must_use]
    pub fn open(
        files: &Files,
        toc_path: &Path,
        partition_size: u64,
        used: impl IntoIterator<Item = u64>,
    ) -> Self {
        let mut this = Self {
            toc_path: toc_path.to_owned(),
            // At least 1, since positions are divided by it.
            partition_size: partition_size.max(1),
            parts: BTreeMap::new(),
        };
        // Only partitions that blocks refer to: a table may claim a size that means millions of files.
        for index in used {
            if this.parts.len() == MAX_PARTITIONS {
                break;
            }
            let path = this.path(index);
            // A failure is kept for the chunks that need this partition; all others remain readable.
            this.parts.entry(index).or_insert_with(|| open_part(files, &path));
        }
        this
    }

    /// Returns the path of a partition.
    #[must_use]
    pub fn path(&self, index: u64) -> PathBuf {
        // Names on disk need not be Unicode.
        let mut name = self.toc_path.file_stem().unwrap_or_default().to_owned();
        name.push(partition_suffix(index));
        self.toc_path.with_file_name(name)
    }

    fn part(&self, offset: u64) -> Option<(&FileSource, u64)> {
        let (index, start) = self.locate(offset);
        match self.parts.get(&index) {
            Some(Part::Open(file)) => Some((file, start)),
            _ => None,
        }
    }

    fn locate(&self, offset: u64) -> (u64, u64) {
        (offset / self.partition_size, offset % self.partition_size)
    }
}

impl Source for Partitions {
    fn check(&self, range: &Range<u64>) -> Result<()> {
        let (index, start) = self.locate(range.start);
        // Ranges do not cross partitions, so the end is in the same one.
        let needed = start + (range.end - range.start);
        let path = || self.path(index);
        match self.parts.get(&index) {
            Some(Part::Open(file)) if needed <= file.len() => Ok(()),
            Some(Part::Open(file)) => {
                Err(Error::TruncatedPartition { path: path(), len: file.len(), needed })
            }
            Some(Part::LfsPointer { size }) => Err(Error::LfsPointer { path: path(), size: *size }),
            Some(Part::Failed(error)) => {
                // Errors of the system cannot be cloned, and every chunk in the partition needs one.
                Err(Error::io("open", path())(io::Error::new(error.kind(), error.to_string())))
            }
            Some(Part::Missing) | None => Err(Error::MissingPartition { path: path() }),
        }
    }

    fn read_at(&self, offset: u64, buffer: Buffer) -> BoxFuture<'_, io::Result<Buffer>> {
        match self.part(offset) {
            Some((file, start)) => Box::pin(file.read_at(start, buffer)),
            None => Box::pin(std::future::ready(Err(io::ErrorKind::NotFound.into()))),
        }
    }

    fn describe(&self, offset: u64) -> PathBuf {
        self.path(self.locate(offset).0)
    }

    fn blocking(&self) -> Option<&dyn Blocking> {
        Some(self)
    }
}

impl Blocking for Partitions {
    fn read_now(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        let (file, start) = self.part(offset).ok_or(io::ErrorKind::NotFound)?;
        file.read_blocking(start, bytes)
    }

    fn announce(&self, range: &Range<u64>) {
        if let Some((file, start)) = self.part(range.start) {
            file.announce(start, range.end - range.start);
        }
    }

    fn file(&self, offset: u64) -> Option<(&std::fs::File, u64)> {
        self.part(offset).and_then(|(file, start)| Some((file.file()?, start)))
    }
}

fn open_part(files: &Files, path: &Path) -> Part {
    match files.open(path) {
        // Checked here: the later error, a truncated partition, would not say what the file is.
        Ok(file) => match file.lfs_pointer_size() {
            Some(size) => Part::LfsPointer { size },
            None => Part::Open(file),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => Part::Missing,
        Err(error) => Part::Failed(error),
    }
}

//! Writer of `.ucas` files, one partition after the other.

use super::staging::{self, Staged};
use crate::container::toc::{Placement, raw};
use crate::error::{Bound, Error, Result};
use std::collections::HashSet;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Partitions in progress, under temporary names. Dropping it without [`finish`](Self::finish) removes them.
pub(super) struct DataWriter {
    toc_path: PathBuf,
    placement: Placement,
    current: BufWriter<Staged>,
    /// Partitions before the current one.
    full: Vec<Staged>,
    /// Start of the current partition in the address space.
    start: u64,
    /// Position of the next block.
    end: u64,
    /// Bytes in all partitions.
    total: u64,
}

impl DataWriter {
    pub(super) fn new(toc_path: &Path, placement: Placement) -> Result<Self> {
        remove_leftovers(toc_path);
        Ok(Self {
            toc_path: toc_path.to_owned(),
            placement,
            current: create(&partition_name(toc_path, 0))?,
            full: Vec::new(),
            start: 0,
            end: 0,
            total: 0,
        })
    }

    /// Returns the position where a chunk of `len` bytes would start.
    pub(super) fn place(&self, len: u64) -> u64 {
        self.placement.start(self.end, len)
    }

    /// Moves to the start of a chunk.
    pub(super) fn begin_chunk(&mut self, at: u64) -> Result<()> {
        // A start beyond the current partition: chunks that would cross its end begin in the next one.
        while at.checked_sub(self.start).is_some_and(|place| place >= self.placement.partition_size) {
            self.next_partition()?;
        }
        let gap = at.saturating_sub(self.end);
        // Zeros up to an aligned start.
        self.write(&vec![0; usize::try_from(gap.min(self.placement.alignment)).unwrap_or(0)])
    }

    /// Appends a padded block and returns its position in the container's address space.
    pub(super) fn append(&mut self, block: &[u8]) -> Result<u64> {
        let rest = (self.start.saturating_add(self.placement.partition_size)).saturating_sub(self.end);
        // Reached for chunks larger than a partition: a block never crosses the end of its file.
        if block.len() as u64 > rest {
            self.next_partition()?;
        }
        let offset = self.end;
        if offset > raw::Block::MAX_OFFSET {
            let (what, limit) = ("container size", raw::Block::MAX_OFFSET);
            let path = self.path().to_owned();
            return Err(Error::Limit { what, found: offset, limit, bound: Bound::Fixed, path });
        }
        self.write(block)?;
        Ok(offset)
    }

    /// Returns the number of partitions so far.
    pub(super) fn partition_count(&self) -> u32 {
        u32::try_from(self.full.len() + 1).unwrap_or(u32::MAX)
    }

    /// Returns the number of bytes in all partitions.
    pub(super) const fn len(&self) -> u64 {
        self.total
    }

    /// Returns the path of the current partition, for messages.
    pub(super) fn path(&self) -> &Path {
        &self.current.get_ref().target
    }

    /// Writes the table of contents, and returns all files, the table first.
    pub(super) fn finish(mut self, toc: &[u8]) -> Result<Vec<Staged>> {
        let mut table = create(&self.toc_path)?;
        table.write_all(toc).map_err(Error::io("write", &self.toc_path))?;
        let mut staged = vec![finish(table)?];
        staged.append(&mut self.full);
        staged.push(finish(self.current)?);
        Ok(staged)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.current.write_all(bytes).map_err(Error::io("write", self.path()))?;
        self.end += bytes.len() as u64;
        self.total += bytes.len() as u64;
        Ok(())
    }

    fn next_partition(&mut self) -> Result<()> {
        let name = partition_name(&self.toc_path, self.full.len() + 1);
        let done = std::mem::replace(&mut self.current, create(&name)?);
        self.full.push(finish(done)?);
        // The rest of the old partition stays empty, so addresses skip it.
        self.start = self.start.saturating_add(self.placement.partition_size);
        self.end = self.start;
        Ok(())
    }
}

/// Returns the existing files of a container, the table of contents first. A run that was killed while it
/// replaced a container may leave any of its partitions, so the search continues after a missing one.
pub(super) fn existing(toc_path: &Path) -> Vec<PathBuf> {
    // A link that leads nowhere would be in the way as well.
    let is_there = |path: &PathBuf| path.symlink_metadata().is_ok();
    let usual =
        std::iter::once(toc_path.to_owned()).chain((0..).map(|index| partition_name(toc_path, index)));
    // The first two do not depend on each other: a table may exist without data, and data without a table.
    let mut found: Vec<PathBuf> = usual.clone().take(2).filter(is_there).collect();
    found.extend(usual.skip(2).take_while(is_there));
    let known: HashSet<PathBuf> = found.iter().cloned().collect();
    let is_stray = |path: &PathBuf| {
        // `a_s1.ucas` may also be the first partition of a container called `a_s1`.
        is_part(path, toc_path) && !known.contains(path) && !path.with_extension("utoc").exists()
    };
    let listed = staging::folder_of(toc_path).read_dir().into_iter().flatten().flatten();
    let mut strays: Vec<PathBuf> =
        listed.map(|entry| toc_path.with_file_name(entry.file_name())).filter(is_stray).collect();
    strays.sort_unstable();
    found.append(&mut strays);
    found
}

/// Removes files that killed runs have left of a container.
pub(super) fn remove_leftovers(toc_path: &Path) {
    staging::remove_leftovers(toc_path, |name| is_part(name, toc_path));
}

/// True if a file is the table of contents or a partition of a container.
fn is_part(name: &Path, toc_path: &Path) -> bool {
    // File names need not be valid Unicode, so bytes are compared.
    let bytes = |path: &'_ Path| path.file_name().map(|name| name.as_encoded_bytes().to_vec());
    let Some((name, table)) = bytes(name).zip(bytes(toc_path)) else { return false };
    let is_number = |digits: &[u8]| !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    let partition = || {
        let rest = name.strip_suffix(b".ucas")?.strip_prefix(table.strip_suffix(b".utoc")?)?;
        Some(rest.is_empty() || is_number(rest.strip_prefix(b"_s")?))
    };
    name == table || partition().unwrap_or_default()
}

/// Size of the write buffer, in bytes; longer writes bypass it.
const COLLECTED: usize = 32 << 10;

pub(super) fn create(target: &Path) -> Result<BufWriter<Staged>> {
    Ok(BufWriter::with_capacity(COLLECTED, Staged::create(target)?))
}

pub(super) fn finish(file: BufWriter<Staged>) -> Result<Staged> {
    let target = file.get_ref().target.clone();
    file.into_inner().map_err(|error| Error::io("write", target)(error.into_error()))
}

fn partition_name(toc_path: &Path, index: usize) -> PathBuf {
    let mut name = toc_path.file_stem().unwrap_or_default().to_owned();
    if index > 0 {
        name.push(format!("_s{index}"));
    }
    name.push(".ucas");
    toc_path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partitions_are_found_beyond_one_that_is_missing() {
        let folder = tempfile::tempdir().unwrap();
        let there =
            ["a.ucas", "a_s1.ucas", "a_s3.ucas", "a_s.ucas", "a_s5.ucas", "a_s5.utoc", "ab.ucas", "a.pak"];
        for name in there {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        let found = existing(&folder.path().join("a.utoc"));
        let names: Vec<&str> = found.iter().map(|path| path.file_name().unwrap().to_str().unwrap()).collect();
        assert_eq!(names, ["a.ucas", "a_s1.ucas", "a_s3.ucas"]);
    }
}

//! Writes `.ucas` files, one partition after the other.

use super::staging::{self, Staged};
use crate::container::toc::{Placement, raw};
use crate::error::{Bound, Error, Result};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// The partitions while they are written, under temporary names. Dropping it without [`finish`](Self::finish) removes them.
pub(super) struct DataWriter {
    toc_path: PathBuf,
    placement: Placement,
    current: BufWriter<Staged>,
    /// The partitions before the current one.
    full: Vec<Staged>,
    /// Where the current partition starts in the address space.
    start: u64,
    /// Where the next block would go.
    end: u64,
    /// Bytes in all partitions.
    total: u64,
}

impl DataWriter {
    pub(super) fn new(toc_path: &Path, placement: Placement) -> Result<Self> {
        staging::remove_leftovers(toc_path, |name| is_part(name, toc_path));
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

    /// Where a chunk of some length would start.
    pub(super) fn place(&self, len: u64) -> u64 {
        self.placement.start(self.end, len)
    }

    /// Goes on to where a chunk starts.
    pub(super) fn begin_chunk(&mut self, at: u64) -> Result<()> {
        while at.checked_sub(self.start).is_some_and(|place| place >= self.placement.partition_size) {
            self.next_partition()?;
        }
        let gap = at.saturating_sub(self.end);
        self.write(&vec![0; usize::try_from(gap.min(self.placement.alignment)).unwrap_or(0)])
    }

    /// Appends a padded block and returns its position in the container's address space.
    pub(super) fn append(&mut self, block: &[u8]) -> Result<u64> {
        let rest = (self.start.saturating_add(self.placement.partition_size)).saturating_sub(self.end);
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

    /// Number of partitions so far.
    pub(super) fn partition_count(&self) -> u32 {
        u32::try_from(self.full.len() + 1).unwrap_or(u32::MAX)
    }

    /// Bytes in all partitions.
    pub(super) const fn len(&self) -> u64 {
        self.total
    }

    /// The current partition, for messages.
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
        self.start = self.start.saturating_add(self.placement.partition_size);
        self.end = self.start;
        Ok(())
    }
}

/// The files of a container that are there, the table of contents first.
pub(super) fn existing(toc_path: &Path) -> Vec<PathBuf> {
    // A link that leads nowhere is there, too.
    let is_there = |path: &PathBuf| path.symlink_metadata().is_ok();
    let table = Some(toc_path.to_owned()).filter(is_there);
    let first = Some(partition_name(toc_path, 0)).filter(is_there);
    let more = (1..).map(|index| partition_name(toc_path, index)).take_while(is_there);
    table.into_iter().chain(first).chain(more).collect()
}

/// Whether a file is the table of contents or a partition of a container.
fn is_part(name: &Path, toc_path: &Path) -> bool {
    // Names need not be text.
    let bytes = |path: &'_ Path| path.file_name().map(|name| name.as_encoded_bytes().to_vec());
    let Some((name, table)) = bytes(name).zip(bytes(toc_path)) else { return false };
    let partition = || {
        let rest = name.strip_suffix(b".ucas")?.strip_prefix(table.strip_suffix(b".utoc")?)?;
        Some(rest.is_empty() || rest.strip_prefix(b"_s")?.iter().all(u8::is_ascii_digit))
    };
    name == table || partition().unwrap_or_default()
}

pub(super) fn create(target: &Path) -> Result<BufWriter<Staged>> {
    Ok(BufWriter::with_capacity(1 << 20, Staged::create(target)?))
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

//! Writes `.ucas` files, one partition after the other.

use super::staging::{self, Staged};
use crate::error::{Error, Result};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// The partitions while they are written, under temporary names. Dropping it without a commit removes them.
pub(super) struct DataWriter {
    toc_path: PathBuf,
    partition_size: u64,
    current: BufWriter<Staged>,
    /// The partitions before the current one.
    full: Vec<Staged>,
    /// Bytes in the current partition.
    position: u64,
    /// Bytes in all partitions.
    total: u64,
    /// The next block starts a partition.
    is_full: bool,
}

impl DataWriter {
    pub(super) fn new(toc_path: &Path, partition_size: u64) -> Result<Self> {
        staging::remove_leftovers(toc_path, |name| is_part(name, toc_path));
        Ok(Self {
            toc_path: toc_path.to_owned(),
            partition_size,
            current: create(&partition_name(toc_path, 0))?,
            full: Vec::new(),
            position: 0,
            total: 0,
            is_full: false,
        })
    }

    /// Announces a chunk that takes at most `len` bytes: it goes to the next partition rather than to be split.
    pub(super) const fn begin_chunk(&mut self, len: u64) {
        let fits = self.position.saturating_add(len) <= self.partition_size;
        self.is_full = !fits && len <= self.partition_size && self.position > 0;
    }

    /// Appends a padded block and returns its position in the container's address space.
    pub(super) fn append(&mut self, block: &[u8]) -> Result<u64> {
        let len = block.len() as u64;
        if self.is_full || self.position + len > self.partition_size {
            self.next_partition()?;
        }
        self.current.write_all(block).map_err(Error::io("write", self.path()))?;
        let index = u64::from(self.partition_count()) - 1;
        let offset = index.saturating_mul(self.partition_size).saturating_add(self.position);
        self.position += len;
        self.total += len;
        Ok(offset)
    }

    /// Number of partitions so far.
    pub(super) fn partition_count(&self) -> u32 {
        u32::try_from(self.full.len() + 1).unwrap_or(u32::MAX)
    }

    /// The current partition, for messages.
    pub(super) fn path(&self) -> &Path {
        &self.current.get_ref().target
    }

    /// Gives all partitions and the table of contents their names, in place of the container that is there, if it may be
    /// replaced. Returns bytes and number of partitions.
    pub(super) fn commit(mut self, toc: &[u8], replace: bool) -> Result<(u64, u32)> {
        let partitions = self.partition_count();
        let mut table = create(&self.toc_path)?;
        table.write_all(toc).map_err(Error::io("write", &self.toc_path))?;
        let mut staged = vec![finish(table)?];
        staged.append(&mut self.full);
        staged.push(finish(self.current)?);
        let existing = if replace { existing(&self.toc_path) } else { Vec::new() };
        staging::publish(&staged, &existing)?;
        Ok((self.total, partitions))
    }

    fn next_partition(&mut self) -> Result<()> {
        let name = partition_name(&self.toc_path, self.full.len() + 1);
        let done = std::mem::replace(&mut self.current, create(&name)?);
        self.full.push(finish(done)?);
        (self.position, self.is_full) = (0, false);
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

//! Writes `.ucas` files, one partition after the other.

use crate::error::{Error, Result};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// The partitions while they are written, under temporary names. Dropping it without a commit removes them.
pub(super) struct DataWriter {
    toc_path: PathBuf,
    partition_size: u64,
    current: BufWriter<File>,
    /// Bytes in the current partition.
    position: u64,
    /// Bytes in all partitions.
    total: u64,
    /// The next block starts a partition.
    full: bool,
    /// Temporary and final name of each partition.
    names: Vec<(PathBuf, PathBuf)>,
}

impl DataWriter {
    pub(super) fn new(toc_path: &Path, partition_size: u64) -> Result<Self> {
        let name = partition_name(toc_path, 0);
        let temporary = temporary_name(&name);
        let current = create(&temporary)?;
        Ok(Self {
            toc_path: toc_path.to_owned(),
            partition_size,
            current,
            position: 0,
            total: 0,
            full: false,
            names: vec![(temporary, name)],
        })
    }

    /// Announces a chunk that takes at most `len` bytes: it goes to the next partition rather than to be split.
    pub(super) const fn begin_chunk(&mut self, len: u64) {
        let fits = self.position.saturating_add(len) <= self.partition_size;
        self.full = !fits && len <= self.partition_size && self.position > 0;
    }

    /// Appends a padded block and returns its position in the container's address space.
    pub(super) fn append(&mut self, block: &[u8]) -> Result<u64> {
        let len = block.len() as u64;
        if self.full || self.position + len > self.partition_size {
            self.next_partition()?;
        }
        let path = self.path();
        self.current.write_all(block).map_err(Error::io("write", path))?;
        let index = u64::from(self.partition_count()) - 1;
        let offset = index.saturating_mul(self.partition_size).saturating_add(self.position);
        self.position += len;
        self.total += len;
        Ok(offset)
    }

    /// Number of partitions so far.
    pub(super) fn partition_count(&self) -> u32 {
        u32::try_from(self.names.len()).unwrap_or(u32::MAX)
    }

    /// The current partition, for messages.
    pub(super) fn path(&self) -> PathBuf {
        self.names.last().map(|(_, name)| name.clone()).unwrap_or_default()
    }

    /// Gives all partitions their names and writes the table of contents last. Returns bytes and number of partitions.
    pub(super) fn commit(mut self, toc: &[u8]) -> Result<(u64, u32)> {
        self.current.flush().map_err(Error::io("write", self.path()))?;
        let toc_name = temporary_name(&self.toc_path);
        self.names.push((toc_name.clone(), self.toc_path.clone()));
        std::fs::write(&toc_name, toc).map_err(Error::io("write", &self.toc_path))?;
        let names = std::mem::take(&mut self.names);
        for (temporary, name) in &names {
            std::fs::rename(temporary, name).map_err(Error::io("rename to", name))?;
        }
        Ok((self.total, u32::try_from(names.len() - 1).unwrap_or(u32::MAX)))
    }

    fn next_partition(&mut self) -> Result<()> {
        self.current.flush().map_err(Error::io("write", self.path()))?;
        let name = partition_name(&self.toc_path, self.names.len());
        let temporary = temporary_name(&name);
        self.current = create(&temporary)?;
        self.names.push((temporary, name));
        (self.position, self.full) = (0, false);
        Ok(())
    }
}

impl Drop for DataWriter {
    fn drop(&mut self) {
        for (temporary, _) in &self.names {
            // Nobody is left to tell; the name says what the file is.
            let _ = std::fs::remove_file(temporary);
        }
    }
}

fn partition_name(toc_path: &Path, index: usize) -> PathBuf {
    let stem = toc_path.file_stem().unwrap_or_default().to_string_lossy();
    let suffix = if index == 0 { String::new() } else { format!("_s{index}") };
    toc_path.with_file_name(format!("{stem}{suffix}.ucas"))
}

pub(super) fn temporary_name(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    path.with_file_name(name)
}

pub(super) fn create(temporary: &Path) -> Result<BufWriter<File>> {
    let file = File::create(temporary).map_err(Error::io("create", temporary))?;
    Ok(BufWriter::with_capacity(1 << 20, file))
}

//! Paths of a split index.
//!
//! ```text
//! full      directories u32; each: name, files u32; each: name, location i32
//! flat      "QDFP": eight i32, hashes, locations, then directories and files in order, names front-coded (13–15)
//! by hash   count u32; each: FNV-1a hash u64, location i32                (if there is no other index)
//!
//! location  ≥ 0 packed entry at this position │ < 0 long entry −1 − location │ i32::MIN none
//! ```
//!
//! File names are UTF-8 without a terminator from version 12 on.

use crate::{
    version::PakVersion,
    wire::{Fault, FaultKind, MAX_PATH_LEN, Reader},
};
use std::ops::Range;

/// Limit on the files of a pak; larger tables are rejected.
pub const MAX_FILES: usize = 1 << 26;

/// First four bytes of a flat directory index.
const FLAT_MAGIC: [u8; 4] = *b"QDFP";

/// Limit on the length of expanded directory names, per byte of front-coded text.
const MAX_EXPANSION: usize = 64;

/// Place of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Location {
    /// Position in the packed entries.
    Packed(u32),
    /// Index of a long entry.
    Long(u32),
}

impl Location {
    fn from_wire(location: i32) -> Option<Self> {
        match location {
            i32::MIN => None,
            0.. => Some(Self::Packed(location.unsigned_abs())),
            _ => Some(Self::Long((location + 1).unsigned_abs())),
        }
    }
}

/// Files in index order, with all names in one text.
#[derive(Debug, Default, Clone)]
pub(super) struct Files {
    text: String,
    rows: Vec<Row>,
}

#[derive(Debug, Clone)]
struct Row {
    directory: Range<u32>,
    name: Range<u32>,
    location: Location,
}

impl Files {
    /// Parses a directory index of either form.
    pub(super) fn parse(bytes: &[u8], version: PakVersion) -> Result<Self, Fault> {
        let mut r = Reader::new(bytes);
        if bytes.starts_with(&FLAT_MAGIC) { flat::parse(&mut r) } else { Self::parse_full(&mut r, version) }
    }

    /// Parses an index by path hash, naming the files by their hashes.
    pub(super) fn parse_hashes(bytes: &[u8]) -> Result<Self, Fault> {
        let mut r = Reader::new(bytes);
        let count = r.count("path hash count", 12)?;
        let mut files = Self::default();
        let directory = files.add_text("unnamed/")?;
        for _ in 0..count {
            let (hash, location) = (r.u64("path hash")?, r.i32("path hash location")?);
            files.push(&directory, &format!("{hash:016x}"), location)?;
        }
        Ok(files)
    }

    fn parse_full(r: &mut Reader<'_>, version: PakVersion) -> Result<Self, Fault> {
        let mut files = Self::default();
        for _ in 0..r.count("directory count", 8)? {
            let directory = r.string("directory name")?;
            let directory = files.add_text(&directory)?;
            for _ in 0..r.count("file count", 8)? {
                let name =
                    if version.has_utf8_names() { r.utf8("file name")? } else { r.string("file name")? };
                files.push(&directory, &name, r.i32("file location")?)?;
            }
        }
        Ok(files)
    }

    /// Adds a file by its full path.
    pub(super) fn push_path(&mut self, path: &str, location: Location) -> Result<(), Fault> {
        let name = self.add_text(path)?;
        self.rows.push(Row { directory: 0..0, name, location });
        Ok(())
    }

    fn push(&mut self, directory: &Range<u32>, name: &str, location: i32) -> Result<(), Fault> {
        // Deleted or missing entries are left out.
        let Some(location) = Location::from_wire(location) else { return Ok(()) };
        let name = self.add_text(name)?;
        self.rows.push(Row { directory: directory.clone(), name, location });
        Ok(())
    }

    fn add_text(&mut self, text: &str) -> Result<Range<u32>, Fault> {
        let fault = |kind| Fault { offset: 0, field: "path", kind };
        if text.len() > MAX_PATH_LEN {
            return Err(fault(FaultKind::TooLong { limit: MAX_PATH_LEN as u64 }));
        }
        let start = self.text.len();
        let end = start + text.len();
        let too_long = || fault(FaultKind::TooLarge { found: end as u64, limit: u32::MAX.into() });
        let range = u32::try_from(start).ok().zip(u32::try_from(end).ok()).ok_or_else(too_long)?;
        self.text.push_str(text);
        Ok(range.0..range.1)
    }

    /// Returns the number of files.
    pub(super) const fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns the place of a file's entry.
    pub(super) fn location(&self, at: usize) -> Option<Location> {
        self.rows.get(at).map(|row| row.location)
    }

    /// Appends the path of a file, relative to the mount point, without a leading slash.
    pub(super) fn path_into(&self, at: usize, path: &mut String) {
        let Some(row) = self.rows.get(at) else { return };
        let text =
            |range: &Range<u32>| self.text.get(range.start as usize..range.end as usize).unwrap_or_default();
        // The root directory is stored as `/`.
        path.push_str(text(&row.directory).trim_start_matches('/'));
        path.push_str(text(&row.name).trim_start_matches('/'));
    }
}

mod flat {
    //! The flat form: sorted directories, with the files of each directory adjacent.

    use super::{Fault, FaultKind, Files, MAX_EXPANSION, MAX_FILES, Reader};
    use zerocopy::little_endian::I32;

    struct Header {
        directories: usize,
        files: usize,
        restart_interval: usize,
        directory_blob_len: usize,
        file_blob_len: usize,
        hashes: usize,
    }

    pub(super) fn parse(r: &mut Reader<'_>) -> Result<Files, Fault> {
        let header = header(r)?;
        // Lookup by hash is not needed: all paths are listed below.
        r.bytes("path hashes", header.hashes.saturating_mul(8))?;
        r.bytes("hash locations", header.hashes.saturating_mul(4))?;
        // Anchors are restart points for random access; this reader goes through all names.
        let anchors = header.directories.div_ceil(header.restart_interval) + 1;
        r.bytes("directory anchors", anchors.saturating_mul(4))?;
        let first_files = r.table::<I32>("first file of each directory", header.directories + 1)?;
        let name_starts = r.table::<I32>("file name starts", header.files + 1)?;
        let locations = r.table::<I32>("file locations", header.files)?;
        let mut section = |field, len| {
            let start = r.offset();
            r.bytes(field, len).map(|bytes| Reader::with_base(bytes, start))
        };
        let mut directories = section("directory names", header.directory_blob_len)?;
        let names = section("file names", header.file_blob_len)?;
        let (mut files, mut name) = (Files::default(), Vec::new());
        // Front coding lets a few bytes stand for a long name, over and over.
        let mut budget = header.directory_blob_len.saturating_mul(MAX_EXPANSION);
        for bounds in first_files.windows(2) {
            next_name(&mut directories, &mut name, &mut budget)?;
            let text = std::str::from_utf8(&name)
                .map_err(|_| directories.fault("directory name", FaultKind::BadString))?;
            let directory = files.add_text(text)?;
            let [first, end] = bounds else { continue };
            for at in range(first.get(), end.get(), header.files, r)? {
                let bounds = name_starts.get(at).zip(name_starts.get(at + 1)).zip(locations.get(at));
                let Some(((start, end), location)) = bounds else { continue };
                let span = range(start.get(), end.get(), header.file_blob_len, &names)?;
                let text = names.rest().get(span).and_then(|bytes| std::str::from_utf8(bytes).ok());
                let text = text.ok_or_else(|| names.fault("file name", FaultKind::BadString))?;
                files.push(&directory, text, location.get())?;
            }
        }
        Ok(files)
    }

    fn header(r: &mut Reader<'_>) -> Result<Header, Fault> {
        r.u32("flat directory index")?;
        let at = r.clone();
        let mut size = |field| r.size(field).map(|size| size as usize);
        let header = Header {
            directories: size("directory count")?,
            files: size("file count")?,
            restart_interval: size("restart interval")?.max(1),
            directory_blob_len: size("directory names size")?,
            file_blob_len: size("file names size")?,
            hashes: size("hash count")?,
        };
        r.u32("padding")?;
        let most = header.directories.max(header.files).max(header.hashes);
        if most > MAX_FILES {
            return Err(
                at.fault("file count", FaultKind::TooLarge { found: most as u64, limit: MAX_FILES as u64 })
            );
        }
        Ok(header)
    }

    /// Builds the next directory name from the previous one: the length of the common prefix, then the rest.
    /// Names end with a slash.
    fn next_name(r: &mut Reader<'_>, name: &mut Vec<u8>, budget: &mut usize) -> Result<(), Fault> {
        let at = r.clone();
        let shared = r.size("shared prefix")? as usize;
        let len = r.count("directory name", 1)?;
        if shared > name.len() {
            return Err(at.fault("shared prefix", FaultKind::out_of_range(shared as u64, name.len())));
        }
        name.truncate(shared);
        name.extend_from_slice(r.bytes("directory name", len)?);
        *budget = budget.checked_sub(name.len()).ok_or_else(|| {
            at.fault("directory name", FaultKind::TooLarge { found: name.len() as u64, limit: 0 })
        })?;
        Ok(())
    }

    fn range(start: i32, end: i32, limit: usize, at: &Reader<'_>) -> Result<std::ops::Range<usize>, Fault> {
        match (usize::try_from(start), usize::try_from(end)) {
            (Ok(start), Ok(end)) if start <= end && end <= limit => Ok(start..end),
            _ => {
                let kind = FaultKind::out_of_range(end.unsigned_abs(), limit);
                Err(at.fault("flat directory index range", kind))
            }
        }
    }
}

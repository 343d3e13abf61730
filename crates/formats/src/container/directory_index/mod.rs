//! The directory index: paths of the chunks of a container.
//!
//! ```text
//! FString  mount point                     "../../../Game/Content/"
//! u32 n │ directories, 16 bytes each       name, first child, next sibling, first file
//! u32 n │ files, 12 bytes each             name, next file, chunk index
//! u32 n │ FString each                     names
//! ```
//!
//! UE 4.26 to 6.0. Links are indices into the same buffer; `0xFFFF_FFFF` means "none". Directory 0 is the
//! root. Layout: the container fact sheet section 2.7, agreeing with CUE4Parse and retoc. A link that leads
//! outside its table or closes a cycle is not followed: everything after it has no path, and the link is
//! reported. The same applies to overlong names and paths.

mod builder;
mod folders;
mod walk;

pub use builder::DirectoryIndexBuilder;
pub use folders::FolderPaths;

use super::toc::ChunkIndex;
use crate::wire::{Fault, FaultKind, MAX_PATH_LEN, Reader};
use arrayvec::ArrayVec;
use bytes::Bytes;
use zerocopy::little_endian::U32;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

/// Prefix of every real mount point: the way from the engine's binaries to the game's root.
const ROOT: &str = "../../../";
/// Value of a link that leads nowhere.
const NONE: u32 = u32::MAX;
/// Deepest nesting of directories.
const MAX_DEPTH: usize = 256;
/// Length in bytes of the longest name: its length field, and UTF-16.
const MAX_NAME_BYTES: usize = size_of::<i32>() + 2 * (MAX_PATH_LEN + 1);

/// A directory (`FIoDirectoryIndexEntry`).
#[derive(Debug, Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Directory {
    name: U32,
    first_child: U32,
    next_sibling: U32,
    first_file: U32,
}

/// A file (`FIoFileIndexEntry`).
#[derive(Debug, Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct File {
    name: U32,
    next_file: U32,
    /// Index of the chunk in the table of contents.
    chunk: U32,
}

/// Index of a file in its directory index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileEntryIndex(pub u32);

/// Index of a directory in its directory index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DirectoryEntryIndex(pub u32);

/// A parsed directory index. Keeps its source bytes and builds paths on demand.
#[doc(alias = "FIoDirectoryIndexResource")]
#[derive(Debug, Default)]
pub struct DirectoryIndex {
    bytes: Bytes,
    mount_point: String,
    directories: std::ops::Range<usize>,
    files: std::ops::Range<usize>,
    /// Start of each string in `bytes`; [`NONE`] for overlong ones.
    strings: Vec<u32>,
    /// Parent of each directory.
    parents: Vec<u32>,
    /// Directory of each file; [`NONE`] if the walk did not reach it.
    file_directories: Vec<u32>,
    /// First file of each chunk.
    chunk_files: Vec<u32>,
    problems: Vec<Fault>,
}

impl DirectoryIndex {
    /// Parses a decrypted directory index of a container with `chunk_count` chunks.
    ///
    /// Fails if the tables do not fit the bytes. Bad links inside the tables are listed in
    /// [`problems`](Self::problems).
    pub fn parse(bytes: Bytes, chunk_count: u32) -> Result<Self, Fault> {
        let mut r = Reader::new(&bytes);
        let mount_point = r.string("mount_point")?;
        let directories = table_range::<Directory>(&mut r, "directories")?;
        let files = table_range::<File>(&mut r, "files")?;
        let strings = string_offsets(&mut r)?;
        let mut this = Self {
            mount_point,
            // The tables fit the bytes, so these allocations are bounded by the file.
            parents: vec![NONE; directories.len() / size_of::<Directory>()],
            file_directories: vec![NONE; files.len() / size_of::<File>()],
            chunk_files: vec![NONE; chunk_count as usize],
            directories,
            files,
            strings,
            problems: Vec::new(),
            bytes,
        };
        this.walk();
        Ok(this)
    }

    /// Returns true if the buffer starts like a directory index: the test of a decryption key.
    ///
    /// Real mount points start with `../../../`, are short and end in NUL; one AES block shows most of that.
    #[must_use]
    pub fn looks_plausible(start: &[u8]) -> bool {
        let mut r = Reader::new(start);
        let Ok(len) = r.i32("mount_point") else { return false };
        let shown = r.rest();
        match len {
            1..=512 => {
                let text = shown.get(..len.unsigned_abs() as usize - 1).unwrap_or(shown);
                // Other mount points are accepted if they are printable.
                text.iter().zip(ROOT.as_bytes()).all(|(a, b)| a == b) || text.iter().all(u8::is_ascii_graphic)
            }
            // A negative length means UTF-16; the high bytes of Latin letters are zero.
            -512..=-1 => shown.chunks_exact(2).take(4).all(|unit| unit.last() == Some(&0)),
            _ => false,
        }
    }

    /// Returns the mount point, as stored.
    #[must_use]
    pub fn mount_point(&self) -> &str {
        &self.mount_point
    }

    /// Returns the links that lead nowhere, back or too deep; the walk stopped there.
    #[must_use]
    pub fn problems(&self) -> &[Fault] {
        &self.problems
    }

    /// Returns the number of files.
    #[must_use]
    pub fn file_count(&self) -> usize {
        self.file_directories.len()
    }

    /// Returns the file entry of a chunk; the first one if there are several.
    #[must_use]
    pub fn file_of(&self, chunk: ChunkIndex) -> Option<FileEntryIndex> {
        self.chunk_files.get(chunk.0 as usize).filter(|file| **file != NONE).map(|file| FileEntryIndex(*file))
    }

    /// Returns the path of a chunk relative to the game's root, such as `Game/Content/Maps/Level.umap`.
    #[must_use]
    pub fn path(&self, chunk: ChunkIndex) -> Option<String> {
        let mut path = String::new();
        self.path_into(chunk, &mut path).then_some(path)
    }

    /// Writes the path of a chunk into `path`, replacing its content; returns false if the chunk has no path.
    pub fn path_into(&self, chunk: ChunkIndex, path: &mut String) -> bool {
        path.clear();
        let Some(file) = self.file_of(chunk) else { return false };
        // The caller's allocation is reused: this runs once per chunk of a container.
        let mut bytes = std::mem::take(path).into_bytes();
        let name = self.file_table().get(file.0 as usize).map(|entry| entry.name.get());
        if !self.push_directory(self.directory_of(file), &mut bytes) || !self.push_string(name, &mut bytes) {
            return false;
        }
        *path = String::from_utf8(bytes).unwrap_or_default();
        // With another mount point the prefix may stand inside the joined path.
        if !self.mount_point.starts_with(ROOT) {
            make_game_relative(path);
        }
        // A mount point such as `/` would make the path absolute.
        let slashes = path.len() - path.trim_start_matches('/').len();
        path.drain(..slashes);
        !path.is_empty() && path.len() <= MAX_PATH_LEN
    }

    /// Returns the path of a chunk in two parts: the directory of its file, and the file's stored name.
    /// `None` if the chunk has no path, or its name is not stored as single bytes.
    ///
    /// Two chunks have the same path if these names, [the paths of these directories](Self::directory_path)
    /// and the mount points are equal: in a large table, this test is much faster than building the paths.
    #[must_use]
    pub fn stored_path(&self, chunk: ChunkIndex) -> Option<(DirectoryEntryIndex, &[u8])> {
        let file = self.file_of(chunk)?;
        let name = self.file_table().get(file.0 as usize)?.name.get();
        let offset = *self.strings.get(name as usize)?;
        let bytes = self.bytes.get(offset as usize..)?;
        Some((self.directory_of(file), bytes.get(..simple_string_len(bytes)?)?))
    }

    /// Returns the path of a directory, as the paths of its files start; `None` if it is too deep or too
    /// long. If the mount point is not below `../../../`, this path keeps the folders that complete paths
    /// drop.
    #[must_use]
    pub fn directory_path(&self, directory: DirectoryEntryIndex) -> Option<Vec<u8>> {
        let mut path = Vec::new();
        self.push_directory(directory, &mut path).then_some(path)
    }

    fn directory_of(&self, file: FileEntryIndex) -> DirectoryEntryIndex {
        DirectoryEntryIndex(self.file_directories.get(file.0 as usize).copied().unwrap_or(NONE))
    }

    /// Appends the mount point without its usual prefix, and the names down to a directory; returns false if
    /// that is too deep or too long.
    fn push_directory(
        &self,
        DirectoryEntryIndex(mut directory): DirectoryEntryIndex,
        out: &mut Vec<u8>,
    ) -> bool {
        let mut chain = ArrayVec::<u32, MAX_DEPTH>::new();
        // The walk set each parent once and bounded the depth, so this ends.
        while directory != 0 && directory != NONE {
            if chain.try_push(directory).is_err() {
                return false;
            }
            directory = self.parents.get(directory as usize).copied().unwrap_or(NONE);
        }
        if self.mount_point.len() > MAX_PATH_LEN {
            return false;
        }
        // Tools for mods may leave out the trailing slash, which is added below.
        out.extend_from_slice(self.mount_point.strip_prefix(ROOT).unwrap_or(&self.mount_point).as_bytes());
        if !self.mount_point.is_empty() && !self.mount_point.ends_with('/') {
            out.push(b'/');
        }
        // The chain leads up, the path down.
        for directory in chain.into_iter().rev() {
            let name = self.directory_table().get(directory as usize).map(|entry| entry.name.get());
            if !self.push_string(name, out) {
                return false;
            }
            out.push(b'/');
        }
        true
    }

    fn directory_table(&self) -> &[Directory] {
        overlay(&self.bytes, &self.directories)
    }

    fn file_table(&self) -> &[File] {
        overlay(&self.bytes, &self.files)
    }

    /// Appends a string of the table unless the result gets too long; `parse` has checked that each string is
    /// valid.
    fn push_string(&self, index: Option<u32>, out: &mut Vec<u8>) -> bool {
        let offset = index.and_then(|index| self.strings.get(index as usize)).copied();
        if offset == Some(NONE) {
            return false;
        }
        let bytes = offset.and_then(|offset| self.bytes.get(offset as usize..)).unwrap_or_default();
        // Nearly all names are ASCII, and copying them is much faster than decoding.
        match ascii_string(bytes) {
            Some(text) => out.extend_from_slice(text),
            None => out.extend_from_slice(Reader::new(bytes).string("name").unwrap_or_default().as_bytes()),
        }
        // Leading folders of the mount point may be removed later, so they do not count.
        out.len() <= MAX_PATH_LEN + self.mount_point.len()
    }
}

/// Removes everything up to and including `../../../`.
fn make_game_relative(path: &mut String) {
    if let Some(at) = path.find(ROOT) {
        path.drain(..at + ROOT.len());
    }
}

fn overlay<'a, T>(bytes: &'a [u8], range: &std::ops::Range<usize>) -> &'a [T]
where
    T: FromBytes + Immutable + KnownLayout + Unaligned,
{
    bytes.get(range.clone()).and_then(|bytes| <[T]>::ref_from_bytes(bytes).ok()).unwrap_or_default()
}

fn table_range<T>(r: &mut Reader<'_>, field: &'static str) -> Result<std::ops::Range<usize>, Fault>
where
    T: FromBytes + Immutable + KnownLayout + Unaligned + 'static,
{
    let count = r.u32(field)? as usize;
    let start = r.position();
    r.table::<T>(field, count)?;
    Ok(start..r.position())
}

/// Skips the string table and records the start of each string.
fn string_offsets(r: &mut Reader<'_>) -> Result<Vec<u32>, Fault> {
    const SMALLEST: usize = size_of::<i32>();
    let count = r.u32("strings")? as usize;
    if count > r.remaining() / SMALLEST {
        let (needed, left) = (count as u64 * SMALLEST as u64, r.remaining() as u64);
        return Err(r.fault("strings", FaultKind::Truncated { needed, left }));
    }
    let mut offsets = Vec::with_capacity(count);
    for _ in 0..count {
        let too_far =
            || r.fault("strings", FaultKind::TooLarge { found: r.offset(), limit: u32::MAX.into() });
        let start = u32::try_from(r.position()).map_err(|_| too_far())?;
        // There are as many strings as files, and nearly all are single bytes: for those, checking both ends
        // is enough.
        match simple_string_len(r.rest()) {
            Some(len) => drop(r.bytes("strings", len)?),
            None => r.skip_string("strings")?,
        }
        let fits = r.position() - start as usize <= MAX_NAME_BYTES;
        offsets.push(if fits { start } else { NONE });
    }
    Ok(offsets)
}

/// Returns the length in bytes of a single-byte `FString` at the start of `bytes`, terminator included.
fn simple_string_len(bytes: &[u8]) -> Option<usize> {
    let (len, rest) = bytes.split_first_chunk::<4>()?;
    let len = usize::try_from(i32::from_le_bytes(*len)).ok()?;
    let last = rest.get(len.checked_sub(1)?)?;
    (*last == 0).then_some(4 + len)
}

/// Returns the text of an ASCII `FString` at the start of `bytes`.
fn ascii_string(bytes: &[u8]) -> Option<&[u8]> {
    let (len, rest) = bytes.split_first_chunk::<4>()?;
    let len = usize::try_from(i32::from_le_bytes(*len)).ok()?;
    rest.get(..len.checked_sub(1)?).filter(|text| text.is_ascii())
}

#[cfg(test)]
mod tests;

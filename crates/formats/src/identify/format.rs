//! Interface of a file format: detection, and reading.

use super::view::View;
use crate::id::ChunkKind;
use crate::package::zen::Neighbours;
use crate::wire::Fault;
use std::borrow::Cow;
use std::path::Path;

/// A file format: one row of [`FORMATS`](super::FORMATS).
pub trait Format: Sync {
    /// Detects by content and name if a file is of this format.
    fn detect(&self, file: &File<'_>) -> Option<Detected>;

    /// Tries if unmarked content can be read as this format. Only called if no format detects the file.
    fn guess(&self, _file: &File<'_>) -> Option<Detected> {
        None
    }

    /// Reads a detected file.
    fn read<'a>(&self, input: &Input<'a>) -> Finding<'a>;

    /// Returns the types of the chunks that contain this format. If there are several, reading takes one
    /// chunk of each; the first is the [main](Input::bytes) one.
    fn chunk_kinds(&self) -> &'static [ChunkKind] {
        &[]
    }

    /// Describes the detection of a chunk of one of these types. The type suffices; the first bytes may add
    /// detail.
    fn detect_chunk(&self, kind: ChunkKind, _start: &[u8]) -> Detected {
        Detected::new(Sureness::ChunkType, format!("the chunk's type is {kind}"))
    }

    /// Returns the number of bytes at the start of a file that suffice to detect and read it, if the name
    /// determines it.
    fn enough(&self, _name: &Path) -> Option<u64> {
        None
    }

    /// Returns true if a chunk is read from its package header alone.
    fn is_package(&self) -> bool {
        false
    }

    /// Returns true for a file that is only a part of a container: several files that are opened together.
    fn is_container(&self) -> bool {
        false
    }

    /// Returns true if it refers to native objects, whose names are only in the global container.
    fn refers_to_scripts(&self) -> bool {
        false
    }
}

/// A file of unknown format.
#[derive(Debug, Clone, Copy)]
pub struct File<'a> {
    /// File name, with or without a path before it.
    pub name: &'a Path,
    /// First bytes of the file, or all of them.
    pub start: &'a [u8],
}

impl File<'_> {
    /// Returns the extension in lower case, without the dot; empty if there is none.
    #[must_use]
    pub fn extension(&self) -> String {
        self.name.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase()
    }
}

/// Returns true if a file has one of these extensions, given in lower case; letter case in the name does not
/// matter.
#[must_use]
pub fn has_extension(name: &Path, known: &[&str]) -> bool {
    let extension = name.extension().unwrap_or_default();
    known.iter().any(|known| extension.eq_ignore_ascii_case(known))
}

/// Certainty of a detection, in ascending order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sureness {
    /// Nothing marks the file, but its content can be read as this format.
    Guess,
    /// Only the file name points to the format.
    Name,
    /// The content has no mark, but a layout that does not occur by chance.
    Layout,
    /// The content has a magic number, GUID or tag.
    Mark,
    /// The id of the chunk contains the type.
    ChunkType,
}

/// A detected format: the certainty and the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Detected {
    /// Certainty.
    pub sureness: Sureness,
    /// Reason in words, such as `the magic of a container header`.
    pub reason: Cow<'static, str>,
}

impl Detected {
    /// Creates a detection from its certainty and reason.
    #[must_use]
    pub fn new(sureness: Sureness, reason: impl Into<Cow<'static, str>>) -> Self {
        Self { sureness, reason: reason.into() }
    }
}

/// Bytes to read, with their surroundings.
#[derive(Clone, Copy)]
pub struct Input<'a> {
    /// Bytes of the file or chunk: all of them, or as many as are [enough](Format::enough).
    pub bytes: &'a [u8],
    /// Length of the whole file or chunk in bytes.
    pub len: u64,
    /// Chunks of the other [types](Format::chunk_kinds) that belong to it, in their order, if available.
    pub others: &'a [Option<Vec<u8>>],
    /// Containers around a package; `&()` for a package alone.
    pub neighbours: &'a dyn Neighbours,
}

impl<'a> Input<'a> {
    /// Creates the input for a whole file alone.
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, len: bytes.len() as u64, others: &[], neighbours: &() }
    }
}

/// Result of reading a file.
pub struct Finding<'a> {
    /// Format with its version, such as `zen package, UE 5.4`.
    pub kind: String,
    /// Content; `None` if nothing could be read.
    pub view: Option<Box<dyn View + 'a>>,
    /// Damaged structure, and its fault. The view contains everything before the fault.
    pub fault: Option<(&'static str, Fault)>,
    /// Warning about a file that is not damaged.
    pub warning: Option<String>,
}

impl<'a> Finding<'a> {
    /// Creates a finding with a view, read to the end or to a fault.
    pub(super) fn new(
        structure: &'static str,
        kind: String,
        view: impl View + 'a,
        fault: Option<Fault>,
    ) -> Self {
        Self { kind, view: Some(Box::new(view)), fault: fault.map(|fault| (structure, fault)), warning: None }
    }

    /// Creates a finding without a view.
    pub(super) fn unread(structure: &'static str, fault: Fault) -> Self {
        Self { kind: structure.to_owned(), view: None, fault: Some((structure, fault)), warning: None }
    }
}

//! What a format can say about a file: whether it is one of its own, and what is in it.

use super::view::View;
use crate::id::ChunkKind;
use crate::package::zen::Neighbours;
use crate::wire::Fault;
use std::borrow::Cow;
use std::path::Path;

/// A file format: one row of [`FORMATS`](super::FORMATS).
pub trait Format: Sync {
    /// Whether a file is of this format, by its content and name.
    fn detect(&self, file: &File<'_>) -> Option<Detected>;

    /// Whether the content of a file could be read as this format, though nothing marks it. Only asked where no format
    /// detects the file.
    fn guess(&self, _file: &File<'_>) -> Option<Detected> {
        None
    }

    /// Reads what has been detected.
    fn read<'a>(&self, input: &Input<'a>) -> Finding<'a>;

    /// Types of the chunks that hold this format in a container. Where there are several, it takes one chunk of each to
    /// read it; the first is the [main](Input::bytes) one.
    fn chunk_kinds(&self) -> &'static [ChunkKind] {
        &[]
    }

    /// How a chunk of one of these types was detected. Its type is enough; its first bytes may add to that.
    fn detect_chunk(&self, kind: ChunkKind, _start: &[u8]) -> Detected {
        Detected::new(Sureness::ChunkType, format!("the chunk's type is {kind}"))
    }

    /// Bytes at the start of a file that are enough to detect and read it, if its name says how many.
    fn enough(&self, _name: &Path) -> Option<u64> {
        None
    }

    /// Whether a chunk is read from its package header alone.
    fn is_package(&self) -> bool {
        false
    }

    /// Whether it is no file by itself, but part of a container: several files that are opened together.
    fn is_container(&self) -> bool {
        false
    }

    /// Whether it refers to native objects, which have names only in the global container.
    fn refers_to_scripts(&self) -> bool {
        false
    }
}

/// A file, before it is known what it is.
#[derive(Debug, Clone, Copy)]
pub struct File<'a> {
    /// Its name, with or without a path before it.
    pub name: &'a Path,
    /// Its first bytes, or all of them.
    pub start: &'a [u8],
}

impl File<'_> {
    /// Its extension in lower case, without the dot; empty if it has none.
    #[must_use]
    pub fn extension(&self) -> String {
        self.name.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase()
    }
}

/// Whether a file has one of these extensions, which are in lower case; letter case does not matter.
#[must_use]
pub fn has_extension(name: &Path, known: &[&str]) -> bool {
    let extension = name.extension().unwrap_or_default();
    known.iter().any(|known| extension.eq_ignore_ascii_case(known))
}

/// How sure it is that a file is of a format, the surest last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sureness {
    /// Nothing says so, but the content can be read as this format.
    Guess,
    /// Only its name says so.
    Name,
    /// The content has no mark, but is laid out in a way that does not happen by chance.
    Layout,
    /// The content has a magic number, a GUID or a tag.
    Mark,
    /// It is a chunk, and its id has the type.
    ChunkType,
}

/// That a file is of a format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Detected {
    /// How sure that is.
    pub sureness: Sureness,
    /// Why, in words: `the magic of a container header`.
    pub reason: Cow<'static, str>,
}

impl Detected {
    /// That a file is of a format, and why.
    #[must_use]
    pub fn new(sureness: Sureness, reason: impl Into<Cow<'static, str>>) -> Self {
        Self { sureness, reason: reason.into() }
    }
}

/// What is read.
#[derive(Clone, Copy)]
pub struct Input<'a> {
    /// The bytes of the file or chunk: all of them, or as many as are [enough](Format::enough).
    pub bytes: &'a [u8],
    /// Length of the file or chunk.
    pub len: u64,
    /// Chunks of the other [types](Format::chunk_kinds) that belong to it, in their order, where they are available.
    pub others: &'a [Option<Vec<u8>>],
    /// What lies around a package; `&()` for one by itself.
    pub neighbours: &'a dyn Neighbours,
}

impl<'a> Input<'a> {
    /// A whole file by itself.
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, len: bytes.len() as u64, others: &[], neighbours: &() }
    }
}

/// What was read.
pub struct Finding<'a> {
    /// The format, with its version: `zen package, UE 5.4`.
    pub kind: String,
    /// What is in it; `None` if nothing could be read.
    pub view: Option<Box<dyn View + 'a>>,
    /// The structure that is damaged, and what is wrong with it. The view has what comes before.
    pub fault: Option<(&'static str, Fault)>,
    /// What to be careful about, though nothing is damaged.
    pub warning: Option<String>,
}

impl<'a> Finding<'a> {
    /// Something that was read up to a fault, if there is one.
    pub(super) fn new(
        structure: &'static str,
        kind: String,
        view: impl View + 'a,
        fault: Option<Fault>,
    ) -> Self {
        Self { kind, view: Some(Box::new(view)), fault: fault.map(|fault| (structure, fault)), warning: None }
    }

    /// Something of which nothing could be read.
    pub(super) fn unread(structure: &'static str, fault: Fault) -> Self {
        Self { kind: structure.to_owned(), view: None, fault: Some((structure, fault)), warning: None }
    }
}

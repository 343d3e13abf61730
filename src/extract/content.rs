//! A chunk, with as much of it and of related chunks as it takes to identify and describe it.

use crate::error::Result;
use crate::id::ChunkKind;
use crate::identify::{self, File, Format, Identified, Input};
use crate::job::CancelToken;
use crate::package::zen::Neighbours;
use crate::store::packages::Packages;
use crate::store::{Container, Entry, ReadLimit};
use std::path::Path;

/// The input of [`identify`] for a chunk.
///
/// ```
/// let game = uncask::Game::open("testdata/demo")?;
/// let content = game.content(game.chunk("/Game/Maps/Start")?.entry())?;
/// assert_eq!(content.identify().expect("a package").format.read(&content.input(&())).fault, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ChunkContent {
    kind: ChunkKind,
    path: String,
    bytes: Vec<u8>,
    others: Vec<Option<Vec<u8>>>,
}

impl ChunkContent {
    /// Reads a chunk: for a package only the header, for a format spread over several chunks all of them.
    pub fn read(packages: &Packages, entry: Entry, cancel: &CancelToken) -> Result<Self> {
        let path = packages.store().display_path(entry);
        let Some(container) = packages.store().container(entry) else {
            return Ok(Self { kind: ChunkKind::Invalid, path, bytes: Vec::new(), others: Vec::new() });
        };
        let kind = container.table().chunk_kind(entry.chunk);
        let bytes = main(packages, container, entry, cancel)?;
        Ok(Self { kind, path, bytes, others: others(container, kind, packages.limit(), cancel)? })
    }

    /// The format of the chunk.
    #[must_use]
    pub fn identify(&self) -> Option<Identified> {
        match self.kind {
            ChunkKind::ExternalFile => {
                identify::identify(&File { name: Path::new(&self.path), start: &self.bytes })
            }
            kind => identify::identify_chunk(kind, &self.bytes),
        }
    }

    /// The input for the reader of its format.
    #[must_use]
    pub fn input<'a>(&'a self, neighbours: &'a dyn Neighbours) -> Input<'a> {
        Input { bytes: &self.bytes, len: self.bytes.len() as u64, others: &self.others, neighbours }
    }
}

/// Reads as much of a chunk as it takes to identify and decode it.
fn main(packages: &Packages, container: &Container, entry: Entry, cancel: &CancelToken) -> Result<Vec<u8>> {
    let kind = container.table().chunk_kind(entry.chunk);
    let whole = |chunk| {
        container.read(chunk, 0..u64::MAX, ReadLimit { bytes: packages.limit(), cancel: Some(cancel) })
    };
    Ok(match identify::of_chunk(kind) {
        // A file of a pak has no kind of its own; its content tells the format.
        None if kind == ChunkKind::ExternalFile => whole(entry.chunk)?,
        // Bulk data and shader code have no format that stands by itself.
        None => Vec::new(),
        Some(format) if format.is_package() => packages.header_bytes(entry)?,
        // Some formats, such as UE4's script objects, are spread over several chunks. Whichever was selected, the first
        // kind is the main one.
        Some(format) => match format.chunk_kinds().first().filter(|main| **main != kind) {
            None => whole(entry.chunk)?,
            Some(main) => container.find_kind(*main).map(whole).transpose()?.unwrap_or_default(),
        },
    })
}

/// Reads the other chunks of a format spread over several.
fn others(
    container: &Container,
    kind: ChunkKind,
    limit: u64,
    cancel: &CancelToken,
) -> Result<Vec<Option<Vec<u8>>>> {
    let kinds = identify::of_chunk(kind).map_or(&[][..], Format::chunk_kinds);
    let read = |kind: &ChunkKind| {
        let chunk = container.find_kind(*kind);
        chunk
            .map(|chunk| container.read(chunk, 0..u64::MAX, ReadLimit { bytes: limit, cancel: Some(cancel) }))
            .transpose()
    };
    // The first kind is the main chunk, read above.
    kinds.iter().skip(1).map(read).collect()
}

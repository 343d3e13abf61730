use serde::Serialize;
use std::borrow::Cow;
use uncask::game::{Entry, Game};
use uncask::id::{ChunkHash, RawChunkId};

/// Name and version of the JSON and CSV layout. New fields are added at the end; any other change raises the number.
pub(crate) const SCHEMA: &str = "uncask.list/1";

/// A chunk in a listing.
#[derive(Debug, Serialize)]
pub(crate) struct ChunkRow<'a> {
    /// Path relative to the game's root; `None` if it has none.
    pub path: Option<&'a str>,
    /// Chunk id, 24 hex digits.
    pub id: RawChunkId,
    /// Type of the chunk.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Uncompressed length in bytes.
    pub size: u64,
    /// Stored length in bytes.
    pub stored: u64,
    /// Uncompressed length divided by stored length.
    pub ratio: Option<f64>,
    /// Compression methods in use, joined by `+`.
    pub method: Cow<'a, str>,
    /// Name of the container.
    pub container: &'a str,
    /// Number of the `.ucas` with its first block.
    pub partition: u64,
    /// Offset of that block in it.
    pub offset: u64,
    /// Content hash in the table of contents; `None` if not recorded.
    pub hash: Option<ChunkHash>,
    /// The container that overrides it.
    pub overridden_by: Option<String>,
    /// Full path of the class of the package's main object.
    #[serde(skip_serializing_if = "Class::is_unasked")]
    pub class: Class,
    /// `chunks/<id>.<type>`, if there is no path.
    #[serde(skip)]
    pub fallback: Option<&'a str>,
}

/// The class of a package, if requested: in one listing either all rows have it, or none.
#[derive(Debug, Default, Clone, Serialize)]
#[serde(untagged)]
pub(crate) enum Class {
    /// Not requested.
    #[default]
    Unasked,
    /// The chunk is no package, or its class is unknown.
    Unknown,
    /// Full path of the class.
    Known(String),
}

impl Class {
    const fn is_unasked(&self) -> bool {
        matches!(self, Self::Unasked)
    }

    /// The class, or `-`.
    pub(crate) fn shown(&self) -> &str {
        match self {
            Self::Known(class) => class,
            Self::Unasked | Self::Unknown => "-",
        }
    }
}

impl<'a> ChunkRow<'a> {
    /// The row of a chunk in the container named `container`; `may_lose` is true if another container may override it.
    /// The path is written to `path`, so that one buffer serves for many rows.
    pub(crate) fn new(
        game: &'a Game,
        entry: Entry,
        class: Class,
        container: &'a str,
        may_lose: bool,
        path: &'a mut String,
    ) -> Self {
        let has_path = game.at(entry).path_into(path);
        if !has_path {
            *path = game.at(entry).fallback_path();
        }
        let path: &str = path;
        let toc = game.at(entry).container().map(|container| container.table());
        let storage = toc.and_then(|toc| toc.storage(entry.chunk));
        let size = toc.map_or(0, |toc| toc.chunk_len(entry.chunk));
        let stored = storage.as_ref().map_or(0, |storage| storage.stored_len);
        let hash = toc.and_then(|toc| toc.meta(entry.chunk)).map(|meta| meta.hash);
        // Skipped if overridden chunks were not selected: it is a look-up in every container.
        let overridden_by = may_lose.then(|| game.at(entry).overridden_by()).flatten();
        let method = toc.zip(storage.as_ref()).map(|(toc, storage)| toc.method_names(storage));
        Self {
            path: has_path.then_some(path),
            id: game.at(entry).id(),
            kind: toc.map_or("", |toc| toc.chunk_kind(entry.chunk).name()),
            size,
            stored,
            ratio: ratio(size, stored),
            method: method.unwrap_or_default(),
            container,
            partition: storage.as_ref().map_or(0, |storage| storage.partition),
            offset: storage.as_ref().map_or(0, |storage| storage.offset),
            hash: hash.filter(|hash| !hash.is_zero()),
            overridden_by: overridden_by.map(|winner| winner.name()),
            class,
            fallback: (!has_path).then_some(path),
        }
    }

    /// Path, or `chunks/<id>.<type>` without one.
    pub(crate) fn display_path(&self) -> &str {
        self.path.or(self.fallback).unwrap_or_default()
    }
}

/// Uncompressed length divided by stored length, rounded to three places.
#[expect(clippy::cast_precision_loss, reason = "a ratio of sizes")]
pub(crate) fn ratio(size: u64, stored: u64) -> Option<f64> {
    // Rounded, so that output does not depend on floating-point noise.
    (stored > 0).then(|| (size as f64 / stored as f64 * 1000.0).round() / 1000.0)
}

use serde::Serialize;
use uncask::store::{Entry, Store};

/// Name and version of the JSON and CSV layout: fields are added at the end; anything else raises the number.
pub(super) const SCHEMA: &str = "uncask.list/1";

/// One chunk in a listing.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    /// Path relative to the game's root; absent if the chunk has none.
    pub path: Option<String>,
    /// Chunk id, 24 hex digits.
    pub id: String,
    /// Type of the chunk.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Uncompressed size in bytes.
    pub size: u64,
    /// Stored size in bytes.
    pub stored: u64,
    /// Uncompressed over stored size.
    pub ratio: Option<f64>,
    /// Compression methods in use, joined by `+`.
    pub method: String,
    /// Name of the container.
    pub container: String,
    /// Number of the `.ucas` that the first block lies in.
    pub partition: u64,
    /// Where in it.
    pub offset: u64,
    /// Content hash in the table of contents, as hex; absent if none is recorded.
    pub hash: Option<String>,
    /// The container that supplies the chunk instead of this one.
    pub overridden_by: Option<String>,
    /// Full path of the class of the package's main object.
    #[serde(skip_serializing_if = "Class::is_unasked")]
    pub class: Class,
    /// Path, or `chunks/<id>.<type>`.
    #[serde(skip)]
    pub display_path: String,
}

/// The class of a package, if it was asked for: in one listing all rows have it, or none.
#[derive(Debug, Default, Clone, Serialize)]
#[serde(untagged)]
pub(super) enum Class {
    /// Nobody asked.
    #[default]
    Unasked,
    /// The chunk is no package, or its class cannot be told.
    Unknown,
    /// The class.
    Known(String),
}

impl Class {
    const fn is_unasked(&self) -> bool {
        matches!(self, Self::Unasked)
    }

    /// The class, or `-`.
    pub(super) fn shown(&self) -> &str {
        match self {
            Self::Known(class) => class,
            Self::Unasked | Self::Unknown => "-",
        }
    }
}

impl Row {
    /// `may_lose` says whether another container might supply the chunk.
    pub(super) fn new(store: &Store, entry: Entry, class: Class, may_lose: bool) -> Self {
        let path = store.path(entry);
        let display_path = path.clone().unwrap_or_else(|| store.fallback_path(entry));
        let container = store.container(entry);
        let toc = container.map(|container| container.toc());
        let storage = toc.and_then(|toc| toc.storage(entry.chunk));
        let size = toc.map_or(0, |toc| toc.chunk_len(entry.chunk));
        let stored = storage.as_ref().map_or(0, |storage| storage.stored_len);
        let hash = toc.and_then(|toc| toc.meta(entry.chunk)).map(|meta| meta.hash);
        let overridden_by = may_lose.then(|| store.overridden_by(entry)).flatten();
        let methods = storage.iter().flat_map(|storage| &storage.methods);
        let methods: Vec<&str> =
            methods.map(|index| toc.and_then(|toc| toc.methods().name(*index)).unwrap_or("?")).collect();
        Self {
            path,
            id: store.chunk_id(entry).unwrap_or_default().to_string(),
            kind: toc.map_or("", |toc| toc.chunk_kind(entry.chunk).name()),
            size,
            stored,
            ratio: ratio(size, stored),
            method: methods.join("+"),
            container: container.map(|container| container.name()).unwrap_or_default(),
            partition: storage.as_ref().map_or(0, |storage| storage.partition),
            offset: storage.as_ref().map_or(0, |storage| storage.offset),
            hash: hash.filter(|hash| !hash.is_zero()).map(|hash| hash.to_string()),
            overridden_by: overridden_by.map(|winner| winner.name()),
            class,
            display_path,
        }
    }
}

/// Uncompressed over stored size, to three places.
#[expect(clippy::cast_precision_loss, reason = "a ratio of sizes")]
pub(in crate::command) fn ratio(size: u64, stored: u64) -> Option<f64> {
    (stored > 0).then(|| (size as f64 / stored as f64 * 1000.0).round() / 1000.0)
}

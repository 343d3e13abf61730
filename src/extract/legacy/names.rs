//! Which files a package becomes.
//!
//! ```text
//! <Project>/Content/Maps/Level .umap │ .uexp              the package
//!                              .ubulk .uptnl .m.ubulk     its bulk data, .003.ubulk with a cooked index
//!                              .o.uasset │ .o.uexp …      its optional segment
//! ```
//!
//! All files of a package share one stem. Where the stem is taken, by a package that differs only in letter case, all
//! of them move together.

use super::selection::{Group, LegacySelection};
use crate::container::ChunkIndex;
use crate::extract::{Output, Outputs};
use crate::id::ChunkKind;
use crate::sink::{NameClash, OutputNames, OutputPath};
use crate::store::{Entry, Store, package_path};
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

/// Stem of the files of each chunk, by entry, and the full paths of those that are copied.
#[derive(Debug, Clone, Default)]
pub(super) struct Names {
    /// Packages, sorted by entry.
    assets: Vec<(Entry, AssetName)>,
    /// Bulk data and whatever else is copied as it is.
    pub copies: Arc<Outputs>,
}

/// The files of one package, or of its optional segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct AssetName {
    /// Path without extension.
    stem: String,
    /// Whether it is an optional segment.
    optional: bool,
    /// Whether its path says that it is a map; what its header says goes first.
    looks_like_map: bool,
}

impl AssetName {
    /// The files of a package with this path, without extension.
    pub(super) fn new(stem: &str) -> Self {
        Self { stem: OutputPath::sanitize(stem).as_str().to_owned(), optional: false, looks_like_map: false }
    }

    /// The files of an optional segment of a package with this path, without extension.
    pub(super) fn optional(stem: &str) -> Self {
        Self { optional: true, ..Self::new(stem) }
    }

    /// The header: `.umap` for maps, `.uasset` for everything else.
    pub(super) fn header(&self, is_map: bool) -> OutputPath {
        self.with(match (self.optional, is_map) {
            (true, _) => ".o.uasset",
            (false, true) => ".umap",
            (false, false) => ".uasset",
        })
    }

    /// The header, as far as is known before the package is read.
    pub(super) fn likely_header(&self) -> OutputPath {
        self.header(self.looks_like_map)
    }

    /// The exports.
    pub(super) fn exports(&self) -> OutputPath {
        self.with(if self.optional { ".o.uexp" } else { ".uexp" })
    }

    /// Name of the files, without folder and extension.
    pub(super) fn file_stem(&self) -> &str {
        self.stem.rsplit_once('/').map_or(&self.stem, |(_, name)| name)
    }

    fn with(&self, extension: &str) -> OutputPath {
        OutputPath::sanitize(&format!("{}{extension}", self.stem))
    }
}

impl Names {
    /// Names for the chunks of packages. The same selection always gives the same names.
    pub(super) fn new(store: &Store, selection: &LegacySelection) -> Self {
        let mut stems = Stems::new(store, selection);
        let (mut assets, mut copies) = (Vec::new(), Vec::new());
        for entry in &selection.packages {
            let Some((container, id)) = store.container(*entry).zip(store.chunk_id(*entry)) else { continue };
            let kind = container.toc().chunk_kind(entry.chunk);
            let stem = stems.claimed(selection.group(store, *entry));
            if kind == ChunkKind::ExportBundleData {
                let path = store.path(*entry).unwrap_or_default();
                let looks_like_map =
                    Path::new(&path).extension().is_some_and(|end| end.eq_ignore_ascii_case("umap"));
                assets.push((*entry, AssetName { stem, optional: id.index() != 0, looks_like_map }));
            } else {
                let path = OutputPath::sanitize(&package_path::of_bulk(&stem, kind, id));
                copies.push(Output { entry: *entry, path });
            }
        }
        for entry in &selection.cooked {
            copies.push(Output { entry: *entry, path: stems.claim_file(store, *entry) });
        }
        assets.sort_by_key(|(entry, _)| *entry);
        Self { assets, copies: Arc::new(Outputs::with_paths(copies, stems.clashes)) }
    }

    /// All packages, sorted by entry.
    pub(super) fn assets(&self) -> impl ExactSizeIterator<Item = &(Entry, AssetName)> {
        self.assets.iter()
    }

    /// Drops the files of all chunks but these.
    pub(super) fn retain(&mut self, entries: &[Entry]) {
        let wanted: HashSet<Entry> = entries.iter().copied().collect();
        self.assets.retain(|(entry, _)| wanted.contains(entry));
        Arc::make_mut(&mut self.copies).retain(entries);
    }

    /// Every chunk.
    pub(super) fn entries(&self) -> impl Iterator<Item = Entry> {
        self.assets.iter().map(|(entry, _)| *entry).chain(self.copies.iter().map(|output| output.entry))
    }

    /// The files of the package in a chunk; `None` if the chunk is copied as it is.
    pub(super) fn asset(&self, container: usize, chunk: ChunkIndex) -> Option<&AssetName> {
        let entry = Entry { container, chunk };
        let found = self.assets.binary_search_by_key(&entry, |(entry, _)| *entry).ok()?;
        self.assets.get(found).map(|(_, name)| name)
    }
}

/// Gives every package a stem of its own.
struct Stems {
    names: OutputNames,
    claimed: HashMap<Group, String>,
    clashes: Vec<NameClash>,
}

impl Stems {
    fn new(store: &Store, selection: &LegacySelection) -> Self {
        let mut names = OutputNames::default();
        let mut wanted: Vec<(Group, OutputPath)> = Vec::new();
        for entry in main_chunks(store, selection) {
            let id = store.chunk_id(entry).unwrap_or_default();
            let stem = store.path(entry).map_or_else(
                || format!("chunks/{id}"),
                |path| package_path::strip_extensions(&path).to_owned(),
            );
            // The stem itself is no file; that of the exports stands for all.
            let path = OutputPath::sanitize(&format!("{stem}.uexp"));
            names.announce(&path);
            wanted.push((selection.group(store, entry), path));
        }
        let (mut claimed, mut clashes) = (HashMap::with_capacity(wanted.len()), Vec::new());
        for (group, path) in wanted {
            let (path, clash) = names.claim(path, &format!("{:016x}", group.id.0));
            clashes.extend(clash);
            let stem = path.as_str().strip_suffix(".uexp").unwrap_or(path.as_str());
            claimed.insert(group, stem.to_owned());
        }
        Self { names, claimed, clashes }
    }

    /// The path of a file that keeps its name, unless it is taken.
    fn claim_file(&mut self, store: &Store, entry: Entry) -> OutputPath {
        let path = OutputPath::sanitize(&store.display_path(entry));
        self.names.announce(&path);
        let id = store.chunk_id(entry).unwrap_or_default();
        let (path, clash) = self.names.claim(path, &id.to_string());
        self.clashes.extend(clash);
        path
    }

    fn claimed(&self, group: Group) -> String {
        self.claimed.get(&group).cloned().unwrap_or_else(|| format!("chunks/{:016x}", group.id.0))
    }
}

/// For each package, the chunk whose path names it: that of the package itself if it is among the
/// entries, else the first one. In the order of the entries.
fn main_chunks(store: &Store, selection: &LegacySelection) -> Vec<Entry> {
    let mut first: HashMap<Group, usize> = HashMap::new();
    let mut chunks: Vec<Entry> = Vec::new();
    for entry in &selection.packages {
        let Some(id) = store.chunk_id(*entry) else { continue };
        let kind = store.container(*entry).map(|container| container.toc().chunk_kind(entry.chunk));
        let is_main = kind == Some(ChunkKind::ExportBundleData) && id.index() == 0;
        let at = *first.entry(selection.group(store, *entry)).or_insert_with(|| {
            chunks.push(*entry);
            chunks.len() - 1
        });
        if let Some(chunk) = chunks.get_mut(at).filter(|_| is_main) {
            *chunk = *entry;
        }
    }
    chunks
}

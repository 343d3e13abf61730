//! Output file names of packages.
//!
//! ```text
//! <Project>/Content/Maps/Level .umap │ .uexp              the package
//!                              .ubulk .uptnl .m.ubulk     its bulk data, .003.ubulk with a cooked index
//!                              .o.uasset │ .o.uexp …      its optional segment
//! ```
//!
//! All files of a package share one stem. If the stem is taken, by a package that differs only in letter case or by
//! another one with the same id, all of them move together. No two chunks share a file.

use super::selection::{Group, LegacySelection};
use crate::container::ChunkIndex;
use crate::extract::{Output, Outputs};
use crate::id::{ChunkKind, PackageId};
use crate::sink::{NameClash, OutputNames, OutputPath};
use crate::store::{Entry, Store, package_path};
use foldhash::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

/// The stem of each package's files by entry, and the full paths of copied files.
#[derive(Debug, Clone, Default)]
pub(super) struct Names {
    /// Packages, sorted by entry.
    assets: Vec<(Entry, AssetName)>,
    /// Bulk data, and other files copied unchanged.
    pub copies: Arc<Outputs>,
}

/// File names of one package, or of its optional segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct AssetName {
    /// Path without extension.
    stem: Arc<str>,
    /// True for an optional segment.
    optional: bool,
    /// True if its path is that of a map; the package's header has precedence.
    looks_like_map: bool,
}

impl AssetName {
    /// Names for a package with this extensionless path.
    pub(super) fn new(stem: &str) -> Self {
        Self { stem: OutputPath::sanitize(stem).as_str().into(), optional: false, looks_like_map: false }
    }

    /// Names for the optional segment of a package with this extensionless path.
    pub(super) fn optional(stem: &str) -> Self {
        Self { optional: true, ..Self::new(stem) }
    }

    /// Path of the header: `.umap` for maps, `.uasset` for all others.
    pub(super) fn header(&self, is_map: bool) -> OutputPath {
        // Optional segments of maps are `.o.uasset`, too.
        self.with(match (self.optional, is_map) {
            (true, _) => ".o.uasset",
            (false, true) => ".umap",
            (false, false) => ".uasset",
        })
    }

    /// Likely path of the header, before the package is read.
    pub(super) fn likely_header(&self) -> OutputPath {
        self.header(self.looks_like_map)
    }

    /// Path of the exports.
    pub(super) fn exports(&self) -> OutputPath {
        self.with(if self.optional { ".o.uexp" } else { ".uexp" })
    }

    /// All possible files.
    pub(super) fn files(&self) -> [OutputPath; 3] {
        [self.header(false), self.header(true), self.exports()]
    }

    /// File name without folder and extension.
    pub(super) fn file_stem(&self) -> &str {
        self.stem.rsplit_once('/').map_or(&self.stem, |(_, name)| name)
    }

    fn with(&self, extension: &str) -> OutputPath {
        OutputPath::sanitize(&format!("{}{extension}", self.stem))
    }
}

impl Names {
    /// Assigns names to the chunks of packages. The same selection always gives the same names.
    pub(super) fn new(store: &Store, selection: &LegacySelection) -> Self {
        let mut stems = Stems::new(store, selection);
        let (mut assets, mut copies) = (Vec::new(), Vec::new());
        for entry in &selection.packages {
            let Some((container, id)) = store.container(*entry).zip(store.chunk_id(*entry)) else { continue };
            let kind = container.table().chunk_kind(entry.chunk);
            let stem = stems.claimed(selection.group(store, *entry));
            if kind == ChunkKind::ExportBundleData {
                let path = store.path(*entry).unwrap_or_default();
                let looks_like_map =
                    Path::new(&path).extension().is_some_and(|end| end.eq_ignore_ascii_case("umap"));
                assets.push((*entry, AssetName { stem, optional: id.index() != 0, looks_like_map }));
            } else {
                // A container may list one piece of bulk data twice; the second gets a tag.
                let path = stems.claim(&package_path::of_bulk(&stem, kind, id), &id.to_string());
                copies.push(Output { entry: *entry, path });
            }
        }
        for entry in &selection.cooked {
            let path = store.display_path(*entry);
            // All files of one package get the same tag, so that they stay together when renamed.
            let stem = package_path::package_file(&path).map_or(path.as_str(), |(stem, _)| stem);
            let tag = format!("{:016x}", PackageId::from_name(stem).0);
            copies.push(Output { entry: *entry, path: stems.claim(&path, &tag) });
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

    /// All chunks.
    pub(super) fn entries(&self) -> impl Iterator<Item = Entry> {
        self.assets.iter().map(|(entry, _)| *entry).chain(self.copies.iter().map(|output| output.entry))
    }

    /// Names for the package of a chunk; `None` if the chunk is copied unchanged.
    pub(super) fn asset(&self, container: usize, chunk: ChunkIndex) -> Option<&AssetName> {
        let entry = Entry { container, chunk };
        let found = self.assets.binary_search_by_key(&entry, |(entry, _)| *entry).ok()?;
        self.assets.get(found).map(|(_, name)| name)
    }
}

/// The most attempts to find a stem whose files are all free. More than two are needed only for maliciously chosen
/// names.
const MAX_ATTEMPTS: usize = 16;

/// Assigns a unique stem to each package.
struct Stems {
    names: OutputNames,
    claimed: HashMap<Group, Arc<str>>,
    clashes: Vec<NameClash>,
}

impl Stems {
    fn new(store: &Store, selection: &LegacySelection) -> Self {
        let mut this =
            Self { names: OutputNames::default(), claimed: HashMap::default(), clashes: Vec::new() };
        let main_chunks = main_chunks(store, selection);
        let wanted = store.cpu().map(&main_chunks, |entry| exports_of(&wanted_stem(store, *entry)));
        // Announce all wanted paths first, so that a tagged name cannot take one that a later package wants.
        for path in &wanted {
            this.names.announce(path);
        }
        for entry in &selection.cooked {
            this.names.announce(&OutputPath::sanitize(&store.display_path(*entry)));
        }
        // The files of a package's optional segment look like those of a package named `X.o`.
        let segments = selection.packages.iter().filter(|entry| {
            let kind = store.container(**entry).map(|container| container.table().chunk_kind(entry.chunk));
            let id = store.chunk_id(**entry).unwrap_or_default();
            kind == Some(ChunkKind::ExportBundleData) && id.index() != 0
        });
        let segments: HashSet<Group> = segments.map(|entry| selection.group(store, *entry)).collect();
        for (entry, wanted) in main_chunks.into_iter().zip(wanted) {
            let group = selection.group(store, entry);
            let mut others = Vec::new();
            if segments.contains(&group) {
                others.push(".o.uexp");
            }
            // Cooked packages are copied with their headers, so a converted header may clash with one of those.
            if !selection.cooked.is_empty() {
                others.extend([".uasset", ".umap"]);
            }
            let stem = this.claim_stem(&wanted, &others, &format!("{:016x}", group.id.0));
            this.claimed.insert(group, stem);
        }
        this
    }

    /// Claims a stem whose exports file, which represents all files, and `others` are free. `wanted` is the path of the
    /// exports.
    fn claim_stem(&mut self, wanted: &OutputPath, others: &[&str], tag: &str) -> Arc<str> {
        let mut attempts = 0;
        loop {
            // A stem is no file by itself, so it is claimed by way of its exports.
            let (path, clash) = self.names.claim(wanted.clone(), tag);
            let stem = path.as_str().strip_suffix(".uexp").unwrap_or(path.as_str());
            let mut files = others.iter().map(|end| OutputPath::sanitize(&format!("{stem}{end}")));
            attempts += 1;
            // `all` stops at the first clash. Names claimed until then stay taken.
            if files.all(|file| self.names.claim(file, tag).1.is_none()) || attempts == MAX_ATTEMPTS {
                self.clashes.extend(clash);
                return stem.into();
            }
        }
    }

    /// Claims the path of a file, with a tag if it is taken.
    fn claim(&mut self, wanted: &str, tag: &str) -> OutputPath {
        let (path, clash) = self.names.claim(OutputPath::sanitize(wanted), tag);
        self.clashes.extend(clash);
        path
    }

    fn claimed(&self, group: Group) -> Arc<str> {
        self.claimed.get(&group).cloned().unwrap_or_else(|| format!("chunks/{:016x}", group.id.0).into())
    }
}

/// The stem derived from the path of a package's main chunk.
fn wanted_stem(store: &Store, chunk: Entry) -> String {
    let without_path = || format!("chunks/{}", store.chunk_id(chunk).unwrap_or_default());
    let stem = |path: String| package_path::strip_extensions(&path).to_owned();
    store.path(chunk).map_or_else(without_path, stem)
}

fn exports_of(stem: &str) -> OutputPath {
    OutputPath::sanitize(&format!("{stem}.uexp"))
}

/// The chunk that names each package: the package chunk itself if it is among the entries, else the first one. In the
/// order of the entries.
fn main_chunks(store: &Store, selection: &LegacySelection) -> Vec<Entry> {
    let mut first: HashMap<Group, usize> = HashMap::default();
    let mut chunks: Vec<Entry> = Vec::new();
    for entry in &selection.packages {
        let Some(id) = store.chunk_id(*entry) else { continue };
        let kind = store.container(*entry).map(|container| container.table().chunk_kind(entry.chunk));
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

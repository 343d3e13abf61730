//! The input packages of a job, from any source.

use crate::error::Error;
use crate::extract::{ManifestHead, Shard};
use crate::id::PackageId;
use crate::job::{Item, Subject};
use crate::sink::{HashTag, NameClash, OutputNames, OutputPath};
use crate::source::{FolderFiles, Links, files_below};
use crate::store::{Entry, Store, package_path};
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// An input package.
#[derive(Debug, Clone)]
pub struct PackageInput {
    /// Its path, for messages.
    pub name: String,
    /// Path of its output document.
    pub output: OutputPath,
    /// Total length of its files, in bytes.
    pub len: u64,
    pub(super) place: PackagePlace,
}

/// Location of a package.
#[derive(Debug, Clone)]
pub(super) enum PackagePlace {
    /// A zen package in a container, with its id.
    Zen(Entry, Option<PackageId>),
    /// Header and exports, as files of a pak.
    Pak(Entry, Option<Entry>),
    /// Header and exports, as files on disk.
    Files(PathBuf, Option<PathBuf>),
}

/// The input packages of a job.
#[derive(Debug, Default)]
pub struct PackageInputs {
    pub(super) items: Vec<PackageInput>,
    /// Output paths changed to keep them distinct.
    pub clashes: Vec<NameClash>,
    /// Errors of folders that could not be read.
    pub unread: Vec<Error>,
    /// True if the input is a single package file.
    pub(super) is_file: bool,
    names: OutputNames,
}

/// Extensions of package headers; the last two are given to zen packages by other tools.
const HEADERS: [&str; 4] = [".uasset", ".umap", ".uzenasset", ".uzenmap"];

impl PackageInputs {
    /// The packages among some chunks. An exports file goes with its header, selected or not.
    #[must_use]
    pub fn of_store(store: &Store, entries: &[Entry]) -> Self {
        let mut this = Self::default();
        for entry in entries {
            let chunk = store.chunk(*entry);
            let path = chunk.display_path();
            // Optional segments have no exports without their package; they are no inputs of their own.
            if chunk.is_package() && !chunk.is_optional_segment() {
                this.add(path, chunk.len(), PackagePlace::Zen(*entry, chunk.package_id()));
            } else if chunk.cooked_stem().is_some() && is_header(&path) {
                let exports = chunk.cooked_stem().and_then(|stem| store.find_cooked(&format!("{stem}.uexp")));
                let len = chunk.len() + exports.map_or(0, |exports| store.chunk(exports).len());
                this.add(path, len, PackagePlace::Pak(*entry, exports));
            }
        }
        this
    }

    /// The packages in a file or below a folder. `wanted` gets the paths of each: the one below the folder, and, if
    /// that has no `Content` folder, the one below the mount point.
    #[must_use]
    pub fn of_files(input: &Path, wanted: impl Fn(&[&str]) -> bool) -> Self {
        let mut this = Self::default();
        if !input.is_dir() {
            let name = input.file_name().unwrap_or_default().to_string_lossy().into_owned();
            this.add_file(input.to_owned(), name);
            this.is_file = true;
            return this;
        }
        // Links are not followed: a link to a parent folder would list packages without end.
        let is_package = |path: &Path| is_header(&path.to_string_lossy());
        let FolderFiles { files, problems } = files_below(input, Links::Ignore, is_package);
        this.unread = problems;
        for path in files {
            let relative = path.strip_prefix(input).unwrap_or(&path).to_string_lossy().replace('\\', "/");
            let full = full_path(&path);
            // A folder such as `Maps` may be passed by itself. Then the folders above it tell where it is in the game.
            let mounted = match package_path::below_mount_point(&relative) {
                Some(_) => None,
                None => package_path::below_mount_point(&full),
            };
            let paths: Vec<&str> = std::iter::once(&*relative).chain(mounted).collect();
            if wanted(&paths) {
                this.add_file(path, relative);
            }
        }
        this
    }

    /// Number of packages.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.items.len()
    }

    /// True if there are no packages.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The packages.
    #[must_use]
    pub fn items(&self) -> &[PackageInput] {
        &self.items
    }

    /// The most likely engine names of all packages.
    pub fn names(&self) -> impl Iterator<Item = String> {
        self.items.iter().map(PackageInput::package_name)
    }

    /// Keeps the packages that are wanted; their output names stay the same.
    pub(crate) fn retain(&mut self, wanted: impl FnMut(&PackageInput) -> bool) {
        self.items.retain(wanted);
    }

    /// Divides the packages into slices of about the same number: the same package is in the same slice of any build.
    pub(super) fn into_slices(self, count: usize) -> Vec<Self> {
        let mut slices: Vec<Self> = std::iter::repeat_with(Self::default).take(count.max(1)).collect();
        for item in self.items {
            let hash = xxhash_rust::xxh3::xxh3_64(item.package_name().as_bytes());
            let at = usize::try_from(hash % count.max(1) as u64).unwrap_or_default();
            if let Some(slice) = slices.get_mut(at) {
                slice.items.push(item);
            }
        }
        slices
    }

    /// Sorts the packages by path.
    pub fn sort_by_path(&mut self) {
        self.items.sort_by(|a, b| a.name.cmp(&b.name));
    }

    /// Start of the manifest for a job that makes files of these packages and of other chunks, including those of other
    /// shards.
    #[must_use]
    pub fn manifest_head(&self, store: &Store, others: &[Entry], shard: Option<Shard>) -> ManifestHead {
        let packages = self.items.iter().filter_map(|item| Some((item.entry()?, item.name.clone())));
        let others = others.iter().map(|entry| (*entry, store.display_path(*entry)));
        ManifestHead::of_sources(store, packages.chain(others), shard)
    }

    /// Keeps the packages of one shard; their output names stay the same.
    pub fn retain_share(&mut self, shard: Shard) {
        /// Fixed cost of a package, in bytes, so that many small ones do not land in one shard.
        const FILE: u64 = 4096;
        let weights = self.items.iter().map(|item| item.len.saturating_add(FILE));
        let mut is_mine = shard.is_mine(weights).into_iter();
        self.items.retain(|_| is_mine.next().unwrap_or(false));
    }

    fn add_file(&mut self, header: PathBuf, name: String) {
        let exports = Some(header.with_extension("uexp")).filter(|path| path.is_file());
        let len_of = |path: &PathBuf| std::fs::metadata(path).map_or(0, |data| data.len());
        let len = len_of(&header) + exports.as_ref().map_or(0, len_of);
        self.add(name, len, PackagePlace::Files(header, exports));
    }

    fn add(&mut self, name: String, len: u64, place: PackagePlace) {
        // The tag depends on the path only, so a clash gives the same output name in every run.
        let (output, clash) = self.names.claim(OutputPath::sanitize(&document(&name)), HashTag(&name));
        self.clashes.extend(clash);
        self.items.push(PackageInput { name, output, len, place });
    }
}

impl Item for PackageInput {
    fn subject(&self) -> Subject {
        Subject::Package
    }

    fn path(&self) -> Cow<'_, str> {
        (&*self.name).into()
    }

    fn raw_len(&self) -> u64 {
        self.len
    }
}

impl PackageInput {
    /// The zen package in a chunk, as an input.
    pub(super) fn of_chunk(store: &Store, entry: Entry) -> Self {
        let chunk = store.chunk(entry);
        let name = chunk.display_path();
        let output = OutputPath::sanitize(&document(&name));
        Self { output, len: chunk.len(), place: PackagePlace::Zen(entry, chunk.package_id()), name }
    }

    /// The package of a name in the folder that another one was unpacked to, as far as its path tells: below `/Game`, `/Engine`, or
    /// the plugin of that other one.
    pub(super) fn beside(header: &Path, package: &str) -> Option<Self> {
        let header = std::path::absolute(header).ok()?;
        let content = header.ancestors().find(|folder| folder.ends_with("Content"))?;
        let project = content.parent()?;
        let path = package_path::from_package_name(package, project.file_name()?.to_str()?)?;
        // The name may come from anyone's recipe, and leads nowhere else.
        let is_plain = |part: &str| !matches!(part, "" | "." | "..") && !part.contains(['\\', ':']);
        if !path.split('/').all(is_plain) {
            return None;
        }
        let mut paths =
            HEADERS.iter().map(|extension| project.parent().map(|root| root.join(path.clone() + extension)));
        let found = paths.find_map(|path| path.filter(|path| path.is_file()))?;
        let mut inputs = PackageInputs::default();
        inputs.add_file(found, path);
        inputs.items.pop()
    }

    /// The actors of a level that the editor stores in packages of their own, below `Content/__ExternalActors__` and the path of
    /// the map.
    pub(crate) fn external_actors(&self) -> Vec<Self> {
        let folder = self.header().and_then(|header| {
            let header = std::path::absolute(header).ok()?;
            let content = header.ancestors().find(|folder| folder.ends_with("Content"))?;
            let map = header.strip_prefix(content).ok()?.with_extension("");
            Some(content.join("__ExternalActors__").join(map))
        });
        folder
            .filter(|folder| folder.is_dir())
            .map_or(Vec::new(), |folder| PackageInputs::of_files(&folder, |_| true).items)
    }

    /// The chunk of its header, if it is in a container.
    #[must_use]
    pub const fn entry(&self) -> Option<Entry> {
        match self.place {
            PackagePlace::Zen(entry, _) | PackagePlace::Pak(entry, _) => Some(entry),
            PackagePlace::Files(..) => None,
        }
    }

    /// Its header, if it is a file on disk.
    pub(crate) fn header(&self) -> Option<&Path> {
        match &self.place {
            PackagePlace::Files(header, _) => Some(header),
            PackagePlace::Zen(..) | PackagePlace::Pak(..) => None,
        }
    }

    /// Path of an output with another extension than that of a document.
    pub(crate) fn output_as(&self, extension: &str) -> OutputPath {
        let path = self.output.as_str();
        OutputPath::sanitize(&format!("{}.{extension}", path.strip_suffix(".json").unwrap_or(path)))
    }

    /// Its path: the one in its container, or the absolute path of its file.
    pub(super) fn full_path(&self) -> String {
        match &self.place {
            PackagePlace::Files(header, _) => full_path(header),
            _ => self.name.clone(),
        }
    }

    /// The most likely engine name of the package.
    #[must_use]
    pub fn package_name(&self) -> String {
        self.package_names().into_iter().next().unwrap_or_default()
    }

    /// Possible engine names of the package, most likely first.
    pub(super) fn package_names(&self) -> Vec<String> {
        // Folders above the input count only if the path below it does not tell.
        let in_input = package_path::below_mount_point(&self.name).map(package_path::to_package_names);
        let names = in_input
            .or_else(|| {
                package_path::below_mount_point(&self.full_path()).map(package_path::to_package_names)
            })
            .unwrap_or_else(|| package_path::to_package_names(&self.name));
        // Outside of any `Content` folder there is no hint at all; `/Game` is where most packages are.
        if names.is_empty() { vec![format!("/Game/{}", self.stem())] } else { names }
    }

    /// Its path without extension.
    pub(crate) fn stem(&self) -> &str {
        HEADERS.iter().find_map(|extension| cut(&self.name, extension)).unwrap_or(&self.name)
    }

    /// Its lower-case file name without extension: the last component of its engine name.
    pub(super) fn file_stem(&self) -> String {
        let stem = self.stem();
        stem.rsplit_once('/').map_or(stem, |(_, name)| name).to_lowercase()
    }
}

/// The absolute path of a file, with `/` as separator.
fn full_path(file: &Path) -> String {
    let full = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    full.to_string_lossy().replace('\\', "/")
}

/// The output path for a package.
fn document(name: &str) -> String {
    let stem = HEADERS.iter().find_map(|extension| cut(name, extension)).unwrap_or(name);
    format!("{stem}.json")
}

fn is_header(path: &str) -> bool {
    HEADERS.iter().any(|extension| cut(path, extension).is_some())
}

/// Strips an extension in any letter case.
fn cut<'a>(path: &'a str, extension: &str) -> Option<&'a str> {
    let (stem, end) = path.split_at_checked(path.len().checked_sub(extension.len())?)?;
    end.eq_ignore_ascii_case(extension).then_some(stem)
}

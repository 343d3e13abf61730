//! Opens containers, tries keys on the encrypted ones, and puts all in mount order.

use super::container::{Container, Role};
use super::discover::{beside, discover_in, is_pak};
use super::open_pak::{OpenedPak, open_pak};
use super::place::ContainerPlace;
use super::priority::MountOrder;
use super::unlock::{StoredIndex, Unlocked, unlock};
use super::{DiscoverError, Store};
use crate::codec::Codecs;
use crate::container::toc::{Notice, ParseOptions};
use crate::container::{DirectoryIndex, Toc};
use crate::crypto::KeyRing;
use crate::error::{Error, Result};
use crate::job::{CancelToken, Cpu};
use crate::report::{Event, Observer, Silent};
use crate::source::Files;
use crate::table::Table;
use crate::version::TocVersion;
use crate::wire::counted;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// Options for opening containers.
#[derive(Clone)]
pub struct StoreOptions {
    /// File system to find inputs in.
    pub files: Files,
    /// Keys tried on every encrypted container.
    pub keys: KeyRing,
    /// Version to parse tables of contents as, instead of the recorded one.
    pub toc_version: Option<TocVersion>,
    /// Kind of files to open; `None` for both.
    pub only: Option<FileKind>,
    /// Use of containers beside an input file as a source of names, like those in `base`.
    pub lend: Lend,
    /// User-supplied codecs for methods that are not built in.
    pub codecs: Codecs,
    /// Thread pool for opening containers, and for searching them later.
    pub cpu: Cpu,
    /// Receiver of warnings.
    pub observer: Arc<dyn Observer>,
    /// Token that ends the opening, checked between containers.
    pub cancel: CancelToken,
}

impl Default for StoreOptions {
    fn default() -> Self {
        Self {
            files: Files::default(),
            keys: KeyRing::default(),
            toc_version: None,
            only: None,
            lend: Lend::default(),
            codecs: Codecs::default(),
            cpu: Cpu::default(),
            observer: Arc::new(Silent),
            cancel: CancelToken::default(),
        }
    }
}

/// Use of the other containers in an input file's folder as a source of names: a game's packages are spread over all of
/// them, and native objects are in `global.utoc`. Subfolders are not searched.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Lend {
    /// Never: only the chunks of the file itself matter.
    #[default]
    Never,
    /// If a container has packages, but no paths for them.
    ForPaths,
    /// Always: imports of packages matter, too.
    Always,
}

impl StoreOptions {
    fn takes(&self, path: &Path) -> bool {
        self.only.is_none_or(|kind| is_pak(path) == (kind == FileKind::Pak))
    }
}

/// The two kinds of files that games ship in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FileKind {
    /// Containers: `.utoc` and `.ucas`.
    IoStore,
    /// `.pak` files.
    Pak,
}

impl Store {
    /// Opens every container that the inputs name, and those below `base` folders for their names only.
    ///
    /// Fails only if an input names no container. Errors of single containers and folders are in [`Store::failed`].
    pub fn open(inputs: &[PathBuf], base: &[PathBuf], options: &StoreOptions) -> Result<Self, DiscoverError> {
        // A file named twice, or as content and as base, is opened once: content comes first and keeps its role.
        let mut seen = HashSet::new();
        let (mut found, mut problems) = (Vec::new(), Vec::new());
        for (inputs, role) in [(inputs, Role::Content), (base, Role::Base)] {
            for input in inputs {
                let searching = |folders| Event::Searching { folder: input, folders };
                let on_folder = |number| {
                    options.observer.on(&searching(Some(number)));
                    options.cancel.check()
                };
                let discovered = discover_in(&options.files, input, &on_folder)?;
                options.observer.on(&searching(None));
                problems.extend(discovered.problems);
                found.extend(unseen(discovered.paths, role, options, &mut seen));
            }
        }
        let (mut containers, mut failed): (Vec<Arc<Container>>, _) = (Vec::new(), Vec::new());
        let mut errors = problems;
        for result in open_all(found, options) {
            match result {
                Ok(container) => containers.push(Arc::new(container)),
                Err(failed) => errors.push(failed.1),
            }
        }
        for error in errors {
            // The search and every container left say that they were cancelled; once is enough, and whoever cancelled knows it.
            if !matches!(error, Error::Cancelled) {
                options.observer.on(&Event::Failed { error: &error });
            } else if failed.iter().any(|error| matches!(error, Error::Cancelled)) {
                continue;
            }
            failed.push(error);
        }
        // Decided after the inputs are open: only then is it known if they lack paths.
        let lends = match options.lend {
            Lend::Never => false,
            Lend::ForPaths => containers.iter().any(|container| container.lacks_paths()),
            Lend::Always => true,
        };
        if lends {
            let beside: Vec<PathBuf> =
                inputs.iter().flat_map(|input| beside(&options.files, input)).collect();
            let found = unseen(beside, Role::Base, options, &mut seen);
            containers.extend(lent(found, options));
        }
        // Equal orders happen with copies in several folders; sorting those by path keeps the result reproducible.
        containers.sort_by(|a, b| b.order.cmp(&a.order).then_with(|| a.path.cmp(&b.path)));
        Ok(Self { containers, failed: failed.into(), cpu: options.cpu.clone(), ..Self::default() })
    }
}

/// A file to be opened.
struct Candidate {
    path: PathBuf,
    role: Role,
    order: MountOrder,
}

/// Filters out files that are unwanted or already opened.
fn unseen(
    paths: Vec<PathBuf>,
    role: Role,
    options: &StoreOptions,
    seen: &mut HashSet<PathBuf>,
) -> Vec<Candidate> {
    let mut found = Vec::new();
    for path in paths.into_iter().filter(|path| options.takes(path)) {
        // Links and relative paths may lead to one file, so the resolved path identifies it.
        let full = options.files.identity(&path);
        let order = MountOrder::of(&full);
        if seen.insert(full) {
            found.push(Candidate { path, role, order });
        }
    }
    found
}

fn open_all(found: Vec<Candidate>, options: &StoreOptions) -> Vec<Result<Container, Box<(PathBuf, Error)>>> {
    let open = |Candidate { path, role, order }: Candidate| {
        open_container(path.clone(), role, order, options).map_err(|error| Box::new((path, error)))
    };
    options.cpu.map(found, open)
}

/// Opens containers that only lend their names. Their errors become warnings; their own warnings are dropped.
fn lent(found: Vec<Candidate>, options: &StoreOptions) -> Vec<Arc<Container>> {
    // The user did not ask for these files, so oddities in them are noise.
    let quiet = StoreOptions { observer: Arc::new(Silent), ..options.clone() };
    let mut containers = Vec::new();
    for result in open_all(found, &quiet) {
        match result {
            Ok(container) => containers.push(Arc::new(container)),
            Err(failed) => {
                let (path, error) = *failed;
                // The cause without the path: the event carries the path already.
                let reason =
                    std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string);
                let message = format!("container cannot be opened, so its names are missing: {reason}");
                options.observer.on(&Event::Warning { path: &path, message: &message });
            }
        }
    }
    containers
}

fn open_container(path: PathBuf, role: Role, order: MountOrder, options: &StoreOptions) -> Result<Container> {
    // One check per container: with a slow server, opening takes seconds each.
    options.cancel.check()?;
    if is_pak(&path) {
        return pak_container(path, role, order, options);
    }
    let place = ContainerPlace::of(&path, &options.files)?;
    let parse = ParseOptions { version: options.toc_version };
    let toc = Toc::parse_with(place.read_toc(&path)?, parse)
        .map_err(Error::malformed("table of contents", &path))?
        .with_codecs(&options.codecs);
    let warn = |message: &str| options.observer.on(&Event::Warning { path: &path, message });
    for notice in toc.notices().iter().filter(|notice| Notice::is_warning(notice)) {
        warn(&notice.to_string());
    }
    let index = StoredIndex::of(&toc);
    let table = Table::from(toc);
    // The unlocked index also proves the key, so both come from one call.
    let unlocked = unlock(&path, &table, &index, &place, &options.keys);
    let (cipher, index, locked) = match unlocked {
        Ok(Unlocked { cipher, index }) => (cipher, index, None),
        // Without a key the container still lists its chunk ids and sizes: locked, not failed.
        Err(error) => (None, Ok(DirectoryIndex::default()), Some(error)),
    };
    let index = index.unwrap_or_else(|fault| {
        warn(&format!("the directory index cannot be read, so chunks have no paths: {fault}"));
        DirectoryIndex::default()
    });
    // Broken links are reported once per container, with the first as an example: a damaged index may have thousands.
    if let Some(problem) = index.problems().first() {
        warn(&format!(
            "the directory index has {}, such as: {problem}",
            counted(index.problems().len() as u64, "bad link", "bad links")
        ));
    }
    Ok(Container {
        path,
        role,
        order,
        table: Arc::new(table),
        index,
        cipher,
        locked,
        place,
        source: OnceLock::new(),
        has_package_files: OnceLock::new(),
        package_paths: OnceLock::new(),
        index_mismatches: Vec::new(),
    })
}

fn pak_container(path: PathBuf, role: Role, order: MountOrder, options: &StoreOptions) -> Result<Container> {
    let opened = open_pak(&options.files, &path, &options.keys, &options.codecs)?;
    let OpenedPak { table, cipher, locked, source, index_mismatches } = opened;
    for mismatch in &index_mismatches {
        let message = format!("{mismatch}, so names and offsets of files may be forged");
        options.observer.on(&Event::Warning { path: &path, message: &message });
    }
    Ok(Container {
        path,
        role,
        order,
        table: Arc::new(table),
        index: DirectoryIndex::default(),
        cipher,
        locked,
        // Only a table of contents is looked up there: the data of a pak are open.
        place: ContainerPlace::Files(options.files.clone()),
        source: OnceLock::from(source),
        has_package_files: OnceLock::new(),
        package_paths: OnceLock::new(),
        index_mismatches,
    })
}

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
use crate::source::{Files, Source};
use crate::table::Table;
use crate::version::TocVersion;
use crate::wire::counted;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// How containers are opened.
#[derive(Clone)]
pub struct StoreOptions {
    /// Where the files are that inputs name.
    pub files: Files,
    /// Keys to try on every encrypted container.
    pub keys: KeyRing,
    /// Read tables of contents as this version, whatever they say.
    pub toc_version: Option<TocVersion>,
    /// Open only these of the files that a folder has.
    pub only: Option<FileKind>,
    /// Whether containers beside a file that is given lend their names, as those of `base` do.
    pub lend: Lend,
    /// Codecs for methods that are not built in.
    pub codecs: Codecs,
    /// Threads that help to open containers, and to search them later.
    pub cpu: Cpu,
    /// Where warnings go.
    pub observer: Arc<dyn Observer>,
    /// Ends the opening, between containers.
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

/// When the containers in the folder of a file that is given are opened for their names: a game's packages are spread over all of
/// them, and native objects are in `global.utoc`. Folders below are not searched.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Lend {
    /// Never: nothing but the chunks of the file matters.
    #[default]
    Never,
    /// If a container has packages, but no paths for them.
    ForPaths,
    /// Always: what packages import matters, too.
    Always,
}

impl StoreOptions {
    fn takes(&self, path: &Path) -> bool {
        self.only.is_none_or(|kind| is_pak(path) == (kind == FileKind::Pak))
    }
}

/// The two kinds of files that games come in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FileKind {
    /// Containers: `.utoc` and `.ucas`.
    IoStore,
    /// `.pak` files.
    Pak,
}

impl Store {
    /// Opens every container that the inputs name, and those below `base` folders for their names alone.
    ///
    /// Fails only if an input names nothing. Containers that cannot be opened, and folders that cannot be read, are in
    /// [`Store::failed`].
    pub fn open(inputs: &[PathBuf], base: &[PathBuf], options: &StoreOptions) -> Result<Self, DiscoverError> {
        let mut seen = HashSet::new();
        let (mut found, mut problems) = (Vec::new(), Vec::new());
        for (inputs, role) in [(inputs, Role::Content), (base, Role::Base)] {
            for input in inputs {
                let discovered = discover_in(&options.files, input)?;
                problems.extend(discovered.problems);
                found.extend(unseen(discovered.paths, role, options, &mut seen));
            }
        }
        let (mut containers, mut failed): (Vec<Arc<Container>>, _) = (Vec::new(), Vec::new());
        for error in problems {
            options.observer.on(&Event::Failed { error: &error });
            failed.push(error);
        }
        for result in open_all(found, options) {
            match result {
                Ok(container) => containers.push(Arc::new(container)),
                Err((_, error)) => {
                    options.observer.on(&Event::Failed { error: &error });
                    failed.push(error);
                }
            }
        }
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
        containers.sort_by(|a, b| b.order.cmp(&a.order).then_with(|| a.path.cmp(&b.path)));
        Ok(Self { containers, failed: failed.into(), cpu: options.cpu.clone(), ..Self::default() })
    }
}

/// A file that is to be opened.
struct Candidate {
    path: PathBuf,
    role: Role,
    order: MountOrder,
}

/// Those of some files that are wanted and were not opened yet.
fn unseen(
    paths: Vec<PathBuf>,
    role: Role,
    options: &StoreOptions,
    seen: &mut HashSet<PathBuf>,
) -> Vec<Candidate> {
    let mut found = Vec::new();
    for path in paths.into_iter().filter(|path| options.takes(path)) {
        let full = options.files.identity(&path);
        let order = MountOrder::of(&full);
        if seen.insert(full) {
            found.push(Candidate { path, role, order });
        }
    }
    found
}

fn open_all(found: Vec<Candidate>, options: &StoreOptions) -> Vec<Result<Container, (PathBuf, Error)>> {
    let open = |Candidate { path, role, order }: Candidate| {
        open_container(path.clone(), role, order, options).map_err(|error| (path, error))
    };
    options.cpu.map(found, open)
}

/// Containers that only lend their names. What is wrong with them is no more than a warning, and what they have to say about
/// themselves does not matter.
fn lent(found: Vec<Candidate>, options: &StoreOptions) -> Vec<Arc<Container>> {
    let quiet = StoreOptions { observer: Arc::new(Silent), ..options.clone() };
    let mut containers = Vec::new();
    for result in open_all(found, &quiet) {
        match result {
            Ok(container) => containers.push(Arc::new(container)),
            Err((path, error)) => {
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
    let unlocked = unlock(&path, &table, &index, &place, &options.keys);
    let (cipher, index, locked) = match unlocked {
        Ok(Unlocked { cipher, index }) => (cipher, index, None),
        Err(error) => (None, Ok(DirectoryIndex::default()), Some(error)),
    };
    let index = index.unwrap_or_else(|fault| {
        warn(&format!("the directory index cannot be read, so chunks have no paths: {fault}"));
        DirectoryIndex::default()
    });
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
    let source: Arc<dyn Source> = source;
    Ok(Container {
        path,
        role,
        order,
        table: Arc::new(table),
        index: DirectoryIndex::default(),
        cipher,
        locked,
        place: ContainerPlace::Files(options.files.clone()),
        source: OnceLock::from(source),
        has_package_files: OnceLock::new(),
        package_paths: OnceLock::new(),
        index_mismatches,
    })
}

//! Loads packages of all kinds into one form in memory.

use super::inputs::{PackageInput, PackagePlace};
use super::library::Library;
use super::listed_imports::ListedImports;
use super::loaded::Loaded;
use super::raw_package::{RawPackage, ZenPackage};
use crate::error::{Error, Result};
use crate::id::PackageObjectIndex;
use crate::package::convert::{self, Clue, ConvertError, Converted, Evidence, Input, Target};
use crate::package::zen::{Neighbours, WithKnownObjects};
use crate::package::{PackageKind, legacy, zen};
use crate::property::Scope;
use crate::source::read_file;
use crate::store::{Entry, package_path};
use crate::version::{Release, Releases};
use crate::wire::Fault;
use std::path::{Path, PathBuf};

/// Classes of functions, and of what blueprints compile to.
const CODE_CLASSES: [&str; 6] = [
    "/Script/CoreUObject.Function",
    "/Script/CoreUObject.DelegateFunction",
    "/Script/CoreUObject.SparseDelegateFunction",
    "/Script/Engine.BlueprintGeneratedClass",
    "/Script/Engine.AnimBlueprintGeneratedClass",
    "/Script/UMG.WidgetBlueprintGeneratedClass",
];

/// Extensions of bulk data files.
const BULK: [&str; 3] = ["m.ubulk", "ubulk", "uptnl"];

/// Wraps an error of converting a package.
fn not_converted(path: &Path) -> impl FnOnce(ConvertError) -> Error {
    |source| Error::Convert { source, path: path.to_owned() }
}

impl Library {
    /// A package with the schemas for it, without any other packages: those of the game's mappings, or else the built-in ones.
    pub(super) fn scope_alone<'a>(&'a self, loaded: &'a Loaded) -> Scope<'a> {
        let own = self.mappings.as_deref();
        loaded.scope().with_mappings(own.or_else(|| Some(self.engine_schemas(loaded)?.schemas)))
    }

    /// A package in the scope of all it may refer to.
    pub(crate) fn scope<'a>(&'a self, loaded: &'a Loaded) -> Scope<'a> {
        self.scope_alone(loaded).with_world(self)
    }

    /// Reads a package.
    pub(crate) fn load(&self, item: &PackageInput) -> Result<Loaded> {
        let (raw, mismatch) = self.read(item)?;
        Ok(self.load_raw(raw, item)?.with_mismatch(mismatch))
    }

    /// Parses the bytes of an input.
    pub(super) fn load_raw(&self, raw: RawPackage, item: &PackageInput) -> Result<Loaded> {
        match raw {
            RawPackage::Zen(zen) => self.load_zen(&zen, item.package_name(), self.path(item)),
            RawPackage::Legacy(header, exports) => self.load_legacy(header, exports, item),
        }
    }

    /// Reads the bytes of a package, with its hash mismatch if any.
    pub(super) fn read(&self, item: &PackageInput) -> Result<(RawPackage, Option<Error>)> {
        match &item.place {
            PackagePlace::Zen(entry, _) => {
                let (chunk, wrong) = self.read_chunk(*entry)?;
                Ok((RawPackage::Zen(ZenPackage::new(chunk, Some(entry.container))), wrong))
            }
            PackagePlace::Pak(header, exports) => {
                let (header, wrong) = self.read_chunk(*header)?;
                let exports = exports.map(|exports| self.read_chunk(exports)).transpose()?;
                let (exports, also_wrong) = exports.unzip();
                Ok((RawPackage::Legacy(header, exports), wrong.or(also_wrong.flatten())))
            }
            PackagePlace::Files(header, exports) => {
                let limit = self.packages().limit();
                let bytes = read_file(header, limit)?;
                // A tool may have unpacked a zen package under the usual extension, so the content decides.
                if matches!(PackageKind::sniff(&bytes), Some(PackageKind::Zen(_))) {
                    return Ok((RawPackage::Zen(ZenPackage::new(bytes, None)), None));
                }
                let exports = exports.as_ref().map(|path| read_file(path, limit)).transpose()?;
                Ok((RawPackage::Legacy(bytes, exports), None))
            }
        }
    }

    /// Parses package bytes: those of an input, or an edited version of them.
    pub(super) fn open(&self, raw: &RawPackage, item: &PackageInput) -> Result<Loaded> {
        match raw {
            RawPackage::Zen(zen) => self.load_zen(zen, item.package_name(), self.path(item)),
            RawPackage::Legacy(header, exports) => self.load_legacy(header.clone(), exports.clone(), item),
        }
    }

    /// Location of a package, for messages.
    pub(super) fn path(&self, item: &PackageInput) -> PathBuf {
        match &item.place {
            PackagePlace::Zen(entry, _) | PackagePlace::Pak(entry, _) => self.place(*entry),
            PackagePlace::Files(header, _) => header.clone(),
        }
    }

    /// Reads the zen package in a chunk.
    pub(super) fn load_zen_chunk(&self, entry: Entry, name: String) -> Result<Loaded> {
        let (chunk, mismatch) = self.read_chunk(entry)?;
        let zen = ZenPackage::new(chunk, Some(entry.container));
        Ok(self.load_zen(&zen, name, self.place(entry))?.with_mismatch(mismatch))
    }

    fn load_zen(&self, zen: &ZenPackage, name: String, path: PathBuf) -> Result<Loaded> {
        let header = zen.header(&path)?;
        // Clues are needed only to guess the release; collecting them reads other packages.
        let clues = match self.release() {
            Some(_) => Vec::new(),
            None => self.clues(header, zen.container),
        };
        // Without the game's script objects, the names of the engine's own still tell what there is to read.
        let listed = ListedImports::new(self.world(), zen.imported.as_deref(), header);
        let world = WithKnownObjects(&listed);
        let Converted { package, body, release, left, .. } =
            self.convert(header, &zen.chunk, &clues, &world, &path)?;
        let release = Some(release);
        // A package name is a path. Anything else recorded there is not usable, so the likely name has to do.
        let own = header.name().to_string();
        let name = if own.starts_with('/') { own } else { name };
        // Conversion numbers offsets as in a split legacy package: exports begin after the header.
        let data = (body.into_owned(), package.header_len());
        Ok(Loaded::new(package, data, (release, left), name, path))
    }

    fn convert<'c>(
        &self,
        header: &'c zen::Header,
        chunk: &'c [u8],
        clues: &'c [Clue],
        world: &impl Neighbours,
        path: &Path,
    ) -> Result<Converted<'c>> {
        let target = Target { release: self.release() };
        let input = Input { header, chunk, file_stem: None, evidence: Evidence { clues } };
        convert::convert(&input, world, &target).map_err(not_converted(path))
    }

    /// Converts a zen package to the files a cooker writes: header and exports.
    pub(super) fn legacy_files(&self, zen: &ZenPackage, path: &Path) -> Result<[Vec<u8>; 2]> {
        let header = zen.header(path)?;
        let clues = self.clues(header, zen.container);
        let listed = ListedImports::new(self.world(), zen.imported.as_deref(), header);
        let converted = self.convert(header, &zen.chunk, &clues, &listed, path)?;
        let asset = converted.write().map_err(not_converted(path))?;
        Ok([asset.header, asset.converted.body.into_owned()])
    }

    fn load_legacy(&self, header: Vec<u8>, exports: Option<Vec<u8>>, item: &PackageInput) -> Result<Loaded> {
        let (name, path) = (item.package_name(), self.path(item));
        let malformed = Error::malformed("legacy package", &path);
        let (package, release) = self.parse_legacy(&header).map_err(malformed)?;
        let left = match (release, self.release()) {
            (Some(given), Some(_)) => Releases::matching(|other| other == given),
            (Some(likely), None) => self
                .cooked_by()
                .map_or_else(|| Releases::matching(|other| other == likely), |verdict| verdict.left),
            (None, _) => package.summary.releases(),
        };
        // A package in one file: its offsets count from the start of the header.
        let data = match exports {
            Some(exports) => (exports, package.header_len()),
            None => (header, 0),
        };
        Ok(Loaded::new(package, data, (release, left), name, path))
    }

    /// Parses the header of a cooked package, and returns the release assumed for it: the given one, or, for a package
    /// without versions, the one deduced from the whole job, if it fits.
    fn parse_legacy(
        &self,
        header: &[u8],
    ) -> std::result::Result<(legacy::Package, Option<&'static Release>), Fault> {
        if let Some(release) = self.release() {
            return Ok((legacy::Package::parse_as(header, release)?, Some(release)));
        }
        let package = legacy::Package::parse(header)?;
        // The header records its versions: no release has to be assumed.
        if !package.summary.file_versions.is_unversioned() {
            return Ok((package, None));
        }
        let likely = self.cooked_by().map(|verdict| verdict.release);
        // One job may mix games, so the deduced release is taken only if this header can be read with it.
        let likely = likely.filter(|likely| {
            let fitting = legacy::Package::releases_that_fit(header);
            fitting.is_some_and(|fitting| fitting.has(likely))
        });
        match likely {
            Some(release) => Ok((legacy::Package::parse_as(header, release)?, Some(release))),
            None => Ok((package, None)),
        }
    }

    /// Reads a chunk, with its hash mismatch if any; in strict mode that is an error.
    pub(super) fn read_chunk(&self, entry: Entry) -> Result<(Vec<u8>, Option<Error>)> {
        let packages = self.packages();
        let Some(container) = packages.store().container(entry) else { return Ok((Vec::new(), None)) };
        let bytes = container.read(entry.chunk, 0..u64::MAX, packages.limit())?;
        let check = self.verify.then(|| container.check(entry.chunk, &bytes));
        match check.and_then(|check| check.error(&self.place(entry))) {
            Some(error) if self.strict => Err(error),
            mismatch => Ok((bytes, mismatch)),
        }
    }

    /// The header bytes of a cooked package.
    pub(super) fn cooked_header(&self, item: &PackageInput) -> Option<Vec<u8>> {
        match &item.place {
            PackagePlace::Zen(..) => None,
            PackagePlace::Pak(header, _) => Some(self.read_chunk(*header).ok()?.0),
            PackagePlace::Files(header, _) => read_file(header, self.packages().limit()).ok(),
        }
    }

    /// False if the header of a package shows that it has neither functions nor classes of blueprints; nothing else is read
    /// for it.
    pub(crate) fn may_have_code(&self, item: &PackageInput) -> bool {
        match &item.place {
            PackagePlace::Zen(..) => self.names(item).is_none_or(|header| {
                let classes = CODE_CLASSES.map(PackageObjectIndex::script);
                header.exports.iter().any(|export| classes.contains(&export.class))
            }),
            PackagePlace::Pak(..) => self.cooked_header(item).is_none_or(|header| {
                let package = legacy::Package::parse_partial(&header, self.release());
                let is_code = |export: &legacy::Export, of: &legacy::Package| {
                    CODE_CLASSES.contains(&&*of.class_path(export))
                };
                package.map_or(true, |of| of.value.exports.iter().any(|export| is_code(export, &of.value)))
            }),
            // Reading the header of a file takes as long as reading it all.
            PackagePlace::Files(..) => true,
        }
    }

    /// The bulk data of a cooked package, by file extension: it moves with the package. That of a zen package stays in
    /// its container, where the game finds it by its id.
    pub(super) fn bulk_files(&self, item: &PackageInput) -> Result<Vec<(&'static str, Vec<u8>)>> {
        let mut files = Vec::new();
        match &item.place {
            PackagePlace::Zen(..) => {}
            PackagePlace::Files(header, _) => {
                for extension in BULK {
                    let path = header.with_extension(extension);
                    if path.is_file() {
                        files.push((extension, read_file(&path, self.packages().limit())?));
                    }
                }
            }
            PackagePlace::Pak(header, _) => {
                let path = self.packages().store().path(*header).unwrap_or_default();
                for extension in BULK {
                    let path = package_path::strip_extensions(&path);
                    if let Some(entry) = self.in_the_same_pak(*header, &format!("{path}.{extension}")) {
                        files.push((extension, self.read_chunk(entry)?.0));
                    }
                }
            }
        }
        Ok(files)
    }

    /// The file of this path, in any letter case, in the pak of another file: a mod replaces a package with the bulk data
    /// that it was cooked with.
    fn in_the_same_pak(&self, header: Entry, path: &str) -> Option<Entry> {
        let store = self.packages().store();
        let winner = store.find_cooked(path)?;
        if winner.container == header.container {
            return Some(winner);
        }
        // Another pak overrides it, which is rare, so nothing is kept for this search.
        let is_it = |entry: &Entry| {
            store.path(*entry).is_some_and(|other| other.to_lowercase() == path.to_lowercase())
        };
        store.entries().filter(|entry| entry.container == header.container).find(is_it)
    }

    /// The zen header of a package, if it is quick to read: only for zen packages in containers.
    pub(super) fn names(&self, item: &PackageInput) -> Option<zen::Header> {
        let PackagePlace::Zen(entry, _) = &item.place else { return None };
        zen::Header::parse(&self.packages().header_bytes(*entry).ok()?).ok()
    }

    pub(super) fn place(&self, entry: Entry) -> PathBuf {
        let store = self.packages().store();
        let container = store.container(entry).map(|container| container.path().display().to_string());
        format!("{}:{}", container.unwrap_or_default(), store.display_path(entry)).into()
    }
}

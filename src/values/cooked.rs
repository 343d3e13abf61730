//! Detection of the release that cooked the packages of a job.

use super::inputs::{PackageInput, PackagePlace};
use super::library::Library;
use super::raw_package::RawPackage;
use crate::package::PackageKind;
use crate::package::legacy::Package;
use crate::release::{self, CookedPackage, Verdict};
use crate::source::read_file;
use crate::version::{Release, Releases};

/// The most packages examined, spread over the whole job.
const ASKED: usize = 512;

/// The most packages whose folders are searched for clues; the others are usually nearby.
const LOOKED_AT: usize = 8;

impl Library {
    /// The release that cooked the job's packages without version information, deduced from all of them.
    pub(super) fn cooked_by(&self) -> Option<&Verdict> {
        self.cooked_by.get_or_init(|| verdict(self)).as_ref()
    }

    /// The deduced release, if anything needed it.
    pub(super) fn was_cooked_by(&self) -> Option<&Verdict> {
        self.cooked_by.get()?.as_ref()
    }
}

/// Deduces the release from packages other than zen packages. `None` if all of them record their version.
fn verdict(library: &Library) -> Option<Verdict> {
    let items: Vec<&PackageInput> =
        library.inputs.items.iter().filter(|item| !matches!(item.place, PackagePlace::Zen(..))).collect();
    // Every n-th package: neighbours are often of one class, which would say the same 512 times.
    let step = items.len().div_ceil(ASKED).max(1);
    let asked: Vec<Asked<'_>> = items
        .into_iter()
        .step_by(step)
        .map(|item| Asked { library, item })
        .filter(Asked::is_silent)
        .collect();
    if asked.is_empty() {
        return None;
    }
    // Loose files only: a closure, since it searches the disk and other clues may settle it first.
    let around = || {
        let files = asked.iter().filter_map(|asked| match &asked.item.place {
            PackagePlace::Files(header, _) => Some(header.as_path()),
            _ => None,
        });
        release::around(files.take(LOOKED_AT)).into_iter().chain(library.clue_of_mappings()).collect()
    };
    Some(release::of_packages(&asked, Releases::matching(|_: &Release| true), None, around, None))
}

/// A package of a job, as a source of evidence.
struct Asked<'a> {
    library: &'a Library,
    item: &'a PackageInput,
}

impl Asked<'_> {
    /// True for a cooked package without version information.
    fn is_silent(&self) -> bool {
        let package =
            self.header().and_then(|header| Some(Package::parse_partial(&header, None).ok()?.value));
        package.is_some_and(|package| package.summary.file_versions.is_unversioned())
    }
}

impl CookedPackage for Asked<'_> {
    fn header(&self) -> Option<Vec<u8>> {
        let bytes = match &self.item.place {
            PackagePlace::Files(header, _) => read_file(header, self.library.packages().limit()).ok()?,
            PackagePlace::Pak(header, _) => self.library.read_chunk(*header).ok()?.0,
            PackagePlace::Zen(..) => return None,
        };
        // A loose zen package also has a header file, but its layout is another.
        matches!(PackageKind::sniff(&bytes), Some(PackageKind::Legacy(_))).then_some(bytes)
    }

    fn exports(&self, limit: u64) -> Option<Vec<u8>> {
        // The length is known from the table, so exports over the limit are never read.
        if self.item.len > limit {
            return None;
        }
        match self.library.read(self.item).ok()?.0 {
            RawPackage::Legacy(_, exports) => exports,
            RawPackage::Zen(_) => None,
        }
    }
}

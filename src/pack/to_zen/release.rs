//! For which release packages are written.

use super::input::{Asset, Found};
use super::origin::CookedFile;
use crate::package::convert::to_legacy::{Clue, How};
use crate::pipeline::Cpu;
use crate::release::{self, CookedPackage, Verdict};
use crate::version::{Release, Releases, TocVersion};

/// Bytes of a file that says something about the engine.
const MAX_TEXT: u64 = 1 << 20;

/// Packages whose surroundings are looked at: all others lie beside them.
const LOOKED_AT: usize = 8;

/// Finds the release out: by the packages, the game that they are for, and what lies among and around them.
pub(super) fn find(found: &Found, game: Option<Releases>, limit: u64, cpu: &Cpu) -> Verdict {
    let packages: Vec<Readable<'_>> = found.assets.iter().map(|asset| Readable { asset, limit }).collect();
    let game = game.map(|releases| Clue { how: How::Containers, releases });
    let containers = Releases::matching(|release| release.zen.is_some());
    let around = || {
        let mut clues: Vec<Clue> = found.others.iter().filter_map(of_file).collect();
        let loose = found.assets.iter().filter(|asset| asset.header.is_file());
        clues.extend(release::around(loose.map(|asset| asset.header.shown()).take(LOOKED_AT)));
        clues
    };
    release::of_packages(&packages, containers, game, around, Some(cpu))
}

/// A warning, if games of other releases that fit as well would not take the container.
pub(super) fn warning(verdict: &Verdict) -> Option<String> {
    let others: Vec<&str> = verdict
        .others()
        .into_iter()
        .filter(|other| !is_alike(other, verdict.release))
        .map(|other| other.name)
        .collect();
    (!others.is_empty()).then(|| {
        format!(
            "written for {}, the newest that fits; UE {} would fit as well, and a game of another release may \
             crash: name the engine release, or give the game",
            verdict.release,
            others.join(", ")
        )
    })
}

/// Whether two releases write the same packages and containers.
fn is_alike(a: &Release, b: &Release) -> bool {
    let layouts = |release: &Release| {
        let toc = TocVersion::of_release(release);
        let mut headers = toc.into_iter().flat_map(TocVersion::container_headers);
        let header = headers.find(|(_, range)| range.contains(release)).map(|(version, _)| version);
        (release.zen, toc, header, release.cooked_import_package_name)
    };
    layouts(a) == layouts(b)
}

/// Reads the release out of a file that is no package.
fn of_file(file: &CookedFile) -> Option<Clue> {
    let name = file.name();
    // Most files are something else, and are not read.
    let may_say =
        name.ends_with(".uproject") || name.ends_with("AssetRegistry.bin") || name == "Build.version";
    let start = may_say.then(|| file.start(MAX_TEXT).ok()).flatten()?;
    release::of_file(name, &start)
}

/// A package, and how much of it may be read.
struct Readable<'a> {
    asset: &'a Asset,
    limit: u64,
}

impl CookedPackage for Readable<'_> {
    fn header(&self) -> Option<Vec<u8>> {
        self.asset.header.read(self.limit).ok()
    }

    fn exports(&self, limit: u64) -> Option<Vec<u8>> {
        let exports = self.asset.exports.as_ref().filter(|exports| exports.len <= limit.min(self.limit))?;
        exports.read(self.limit).ok()
    }
}

//! Engine release that packages are written for.

use super::input::{Asset, FoundInputs};
use crate::job::Cpu;
use crate::objection::Objection;
use crate::package::convert::to_legacy::{Clue, How};
use crate::release::{self, CookedPackage, Verdict};
use crate::version::{Release, Releases, TocVersion};

/// Number of packages whose surroundings are searched: all others are in the same places.
const LOOKED_AT: usize = 8;

/// Determines the release by the packages, their game, and the files among and around them.
pub(super) fn find(found: &FoundInputs, game: Option<Releases>, limit: u64, cpu: &Cpu) -> Verdict {
    let packages: Vec<Readable<'_>> = found.assets.iter().map(|asset| Readable { asset, limit }).collect();
    let game = game.map(|releases| Clue { how: How::Containers, releases });
    // Releases without zen packages cannot be the target.
    let containers = Releases::matching(|release| release.zen.is_some());
    // Only on demand: this reads files that the packages' own evidence may make superfluous.
    let around = || {
        let mut clues: Vec<Clue> = found
            .others
            .iter()
            .filter_map(|file| release::of_file(file.name(), || file.start(release::MAX_EVIDENCE).ok()))
            .collect();
        let loose = found.assets.iter().filter(|asset| asset.header.is_file());
        clues.extend(release::around(loose.map(|asset| asset.header.shown()).take(LOOKED_AT)));
        clues
    };
    release::of_packages(&packages, containers, game, around, Some(cpu))
}

/// Returns a warning if games of other, equally likely releases would reject the container.
pub(super) fn warning(verdict: &Verdict) -> Option<Objection> {
    verdict.warning(|other| writes_alike(other, verdict.release), true)
}

/// True if two releases write the same packages and containers.
fn writes_alike(a: &Release, b: &Release) -> bool {
    let layouts = |release: &Release| {
        let toc = TocVersion::of_release(release);
        (release.zen, toc, toc.and_then(|toc| toc.header_of(release)), release.cooked_import_package_name)
    };
    layouts(a) == layouts(b)
}

/// Package with a limit for reading.
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

//! Detection of the engine release that wrote a game, or cooked packages without version information.
//!
//! | evidence | remaining releases |
//! |---|---|
//! | layout of each package header | those whose layouts explain every byte; 5.2 to 5.5 are mostly alike |
//! | the game or container that packages are for | those that write such containers |
//! | data of textures, meshes and sounds | those that read it to its last byte |
//! | asset registry, `.uproject`, `Build.version`, executable | those that write the version, or the one it names |
//!
//! Each package has one vote: a package copied from another game does not decide. The releases left at the end fit
//! equally well; the newest is taken, and the others are reported.

mod around;
mod executable;
mod verdict;

pub(crate) use around::{MAX_EVIDENCE, around, beside, of_file, of_path};
pub use verdict::{Reason, Verdict};

use crate::asset::releases_that_read;
use crate::job::Cpu;
use crate::package::convert::to_legacy::{Clue, How};
use crate::package::legacy::Package;
use crate::version::Releases;

/// The longest `.uexp` whose assets are read, in bytes; the second limit applies if no shorter one is conclusive.
const MAX_EXPORTS: [u64; 2] = [256 << 10, 4 << 20];

/// Number of packages searched for longer exports, and number of those that are read.
const LONGER: (usize, usize) = (256, 4);

/// Number of packages read per batch, and the most batches.
const ASSETS: (usize, usize) = (32, 8);

/// A cooked package, as a source of evidence.
pub(crate) trait CookedPackage: Sync {
    /// The `.uasset` or `.umap`; `None` if it cannot be read.
    fn header(&self) -> Option<Vec<u8>>;

    /// The `.uexp`, if it has no more than `limit` bytes.
    fn exports(&self, limit: u64) -> Option<Vec<u8>>;
}

/// Determines which of some releases wrote packages. `known` is a clue about their target; `around` supplies further
/// clues if that and the packages are not decisive. Without `cpu`, all work is done on this thread.
pub(crate) fn of_packages<P: CookedPackage>(
    packages: &[P],
    among: Releases,
    known: Option<Clue>,
    around: impl FnOnce() -> Vec<Clue>,
    cpu: Option<&Cpu>,
) -> Verdict {
    let mut verdict = Verdict::new(among);
    let of_header = |package: &P| Package::releases_that_fit(&package.header()?);
    // Headers are cheap, so all are read. Payloads are not, so they are only read if headers leave a choice.
    let headers = map(cpu, packages.iter().collect(), of_header);
    verdict.count(How::Layout, headers.into_iter().flatten());
    verdict.follow(known);
    if !verdict.is_open() {
        return verdict;
    }
    let (at_a_time, times) = ASSETS;
    let left = verdict.left;
    let [short, long] = MAX_EXPORTS;
    let mut found = Vec::new();
    for batch in spread(packages.len(), at_a_time, times) {
        let of_assets = |at: usize| {
            let package = packages.get(at)?;
            // Only releases that the headers allow are tried.
            releases_that_read(&package.header()?, &package.exports(short)?, left)
        };
        found.extend(map(cpu, batch, of_assets).into_iter().flatten());
        let (best, _) = verdict::vote(&found, left);
        // A full batch with a single winner is enough; more packages would only confirm it.
        if found.len() >= at_a_time && best.iter().count() == 1 {
            break;
        }
    }
    // No small package had an asset that tells releases apart: try a few larger ones.
    if found.is_empty() {
        let (looked_at, read) = LONGER;
        let longer = packages
            .iter()
            .take(looked_at)
            .filter_map(|package| Some((package.header()?, package.exports(long)?)));
        let longer = longer.filter(|(_, exports)| exports.len() as u64 > short).take(read);
        found.extend(longer.filter_map(|(header, exports)| releases_that_read(&header, &exports, left)));
    }
    verdict.count(How::Assets, found.into_iter());
    // Files around the game come last: they are about the game, not about these packages.
    if verdict.is_open() {
        for clue in around() {
            verdict.follow(Some(clue));
        }
    }
    verdict
}

fn map<T: Send, R: Send>(cpu: Option<&Cpu>, items: Vec<T>, work: impl Fn(T) -> R + Send + Sync) -> Vec<R> {
    match cpu {
        Some(cpu) => cpu.map(items, work),
        None => items.into_iter().map(work).collect(),
    }
}

/// Chooses some of `len` items in batches, each spread over all of them.
fn spread(len: usize, at_a_time: usize, times: usize) -> Vec<Vec<usize>> {
    let step = len.div_ceil(at_a_time * times).max(1);
    let all: Vec<usize> = (0..len).step_by(step).collect();
    let batches = all.len().div_ceil(at_a_time);
    // Batch k takes every n-th chosen item from k on, so even the first batch covers the whole range.
    (0..batches).map(|first| all.iter().copied().skip(first).step_by(batches).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_have_every_item_once_and_come_from_all_over() {
        let batches = spread(100, 8, 4);
        assert_eq!(batches[0], [0, 16, 32, 48, 64, 80, 96]);
        let mut all: Vec<usize> = batches.concat();
        all.sort_unstable();
        assert_eq!(all, (0..100).step_by(4).collect::<Vec<_>>());
        assert_eq!(spread(3, 8, 4), [[0, 1, 2]]);
        assert!(spread(0, 8, 4).is_empty());
    }
}

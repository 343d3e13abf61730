//! Which engine release wrote a game, or cooked packages that do not say so.
//!
//! | evidence | leaves |
//! |---|---|
//! | layout of the header of each package | those whose layouts explain every byte; 5.2 to 5.5 are mostly alike |
//! | the game, or the container, that packages are for | those that write such containers |
//! | data of textures, meshes and sounds | those that read it to its last byte |
//! | asset registry, `.uproject`, `Build.version`, executable | those that write the version, or the one that is named |
//!
//! Packages are asked one by one, and each has a vote: one that was copied from another game does not decide. What is left after
//! all of it fits equally well; the newest is taken, and the others are named.

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

/// Longest `.uexp` whose assets are read; the second if no shorter one says anything.
const MAX_EXPORTS: [u64; 2] = [256 << 10, 4 << 20];

/// Packages among which longer ones are looked for, and those of them that are read.
const LONGER: (usize, usize) = (256, 4);

/// Packages whose assets are read at a time, and how many times at most.
const ASSETS: (usize, usize) = (32, 8);

/// A cooked package, as far as evidence needs it.
pub(crate) trait CookedPackage: Sync {
    /// The `.uasset` or `.umap`; `None` if it cannot be read.
    fn header(&self) -> Option<Vec<u8>>;

    /// The `.uexp`, if it has no more than `limit` bytes.
    fn exports(&self, limit: u64) -> Option<Vec<u8>>;
}

/// Finds out which of some releases wrote packages. `known` is what is known about where they go; `around` is asked for more if
/// that and the packages do not decide. Without `cpu`, all happens on this thread.
pub(crate) fn of_packages<P: CookedPackage>(
    packages: &[P],
    among: Releases,
    known: Option<Clue>,
    around: impl FnOnce() -> Vec<Clue>,
    cpu: Option<&Cpu>,
) -> Verdict {
    let mut verdict = Verdict::new(among);
    let of_header = |package: &P| Package::releases_that_fit(&package.header()?);
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
            releases_that_read(&package.header()?, &package.exports(short)?, left)
        };
        found.extend(map(cpu, batch, of_assets).into_iter().flatten());
        let (best, _) = verdict::vote(&found, left);
        if found.len() >= at_a_time && best.iter().count() == 1 {
            break;
        }
    }
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

/// Some of `len` items in batches, each from all over them.
fn spread(len: usize, at_a_time: usize, times: usize) -> Vec<Vec<usize>> {
    let step = len.div_ceil(at_a_time * times).max(1);
    let all: Vec<usize> = (0..len).step_by(step).collect();
    let batches = all.len().div_ceil(at_a_time);
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

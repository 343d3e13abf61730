//! Engine release that a container is for.
//!
//! The options may name one, or a toc version, which several releases share. The form of the packages and
//! their object versions narrow that down, then the old container headers, then the files around. Assets are
//! no evidence here: zen packages refer to their classes by hashes, which need a game's script objects.

use super::folder::Folder;
use super::objections::Objections;
use super::old_headers::OldHeaders;
use super::options::PackOptions;
use super::packages::Package;
use crate::container::container_header::{ContainerHeader, Layout};
use crate::objection::Objection;
use crate::package::convert::to_legacy::How;
use crate::release::{self, Verdict};
use crate::version::{ContainerHeaderVersion, Release, Releases, TocVersion};
use std::path::Path;

/// Number of files whose surroundings are searched: all others are in the same places.
const LOOKED_AT: usize = 8;

/// Returns the release for a folder that becomes a container at `toc_path`.
pub(super) fn of_folder(
    options: &PackOptions,
    folder: &Folder,
    toc_path: &Path,
    old: &OldHeaders,
) -> Verdict {
    let mut verdict = of_packages(options, folder.packages(), old);
    if verdict.is_open() {
        // Evidence from inside the folder comes first, then from its target, then from its surroundings.
        let inside = folder.places().filter_map(|(_, file)| release::of_path(file));
        let around = release::around(folder.places().map(|(_, file)| file).take(LOOKED_AT));
        let beside = release::beside(toc_path).into_iter();
        inside.chain(beside).chain(around).for_each(|clue| verdict.follow(Some(clue)));
    }
    // Of several equal candidates, the one with the most widely readable table: engines take older ones.
    if options.version.is_none() {
        verdict.prefer(|release| TocVersion::of_release(release) == Some(PackOptions::USUAL_VERSION));
    }
    verdict
}

/// Returns the release of some packages, among the ones that the options allow.
pub(super) fn of_packages<'p>(
    options: &PackOptions,
    packages: impl Iterator<Item = &'p Package>,
    old: &OldHeaders,
) -> Verdict {
    let is_wanted = |release: &Release| {
        options.engine.is_none_or(|engine| engine.name == release.name)
            && header_of(options, release).is_some()
    };
    let mut verdict = Verdict::new(Releases::matching(is_wanted));
    let (forms, versions): (Vec<_>, Vec<_>) =
        packages.map(|package| (package.generation, package.objects)).unzip();
    verdict.count(How::Layout, forms.into_iter().map(Releases::of_form));
    let of_version = |found| Releases::matching(|release| release.objects == found);
    verdict.count(How::Versions, versions.into_iter().flatten().map(of_version));
    let of_header = |header: &ContainerHeader| {
        Releases::matching(|release| header_of(options, release) == Some(header.layout.version))
    };
    verdict.count(How::Container, old.iter().map(of_header));
    verdict
}

/// Returns a warning if a game of another release, equally likely, may reject the container. Games accept
/// older tables of contents than their own, and reject newer ones.
pub(super) fn warning(options: &PackOptions, verdict: &Verdict) -> Option<Objection> {
    let toc = |release: &Release| options.version.or_else(|| TocVersion::of_release(release));
    let takes = |other: &Release| {
        toc(other) >= toc(verdict.release) && header_of(options, other) == header_of(options, verdict.release)
    };
    verdict.warning(takes, false)
}

/// Returns the layout of the container header for a release. Objects to packages of another engine.
pub(super) fn layout(
    options: &PackOptions,
    verdict: &Verdict,
    packages: &[Package],
    old: &OldHeaders,
    objections: &mut Objections,
) -> Layout {
    let left = |package: &Package| verdict.left.and(Releases::of_form(package.generation));
    let is_other = |package: &&Package| verdict.release.zen != Some(package.generation);
    for package in packages.iter().filter(is_other) {
        // After a tie, this package fits some of the releases that are left; then only the chosen form is
        // expected.
        let chosen = Releases::matching(|release| release.zen == verdict.release.zen).and(verdict.left);
        let expected = if left(package).is_empty() { verdict.left } else { chosen };
        let objection = Objection::OtherEngine { package: package.generation, expected, of_game: false };
        objections.add(objection, &package.source);
    }
    let version =
        header_of(options, verdict.release).unwrap_or(ContainerHeaderVersion::SoftPackageReferencesOffset);
    let same = old.iter().find(|header| header.layout.version == version);
    // Old headers know the length of shader hashes, which changed within releases of one version.
    let hash_len = old.iter().find_map(hash_len).unwrap_or_else(|| usual_hash_len(verdict.release));
    let entry_len =
        same.map_or(Layout::of_engine(version, hash_len).entry_len, |header| header.layout.entry_len);
    Layout { version, entry_len, shader_hash_len: hash_len }
}

/// Returns the version of the container header that a release writes; `None` if it cannot write such
/// containers.
fn header_of(options: &PackOptions, release: &Release) -> Option<ContainerHeaderVersion> {
    options.version.or_else(|| TocVersion::of_release(release))?.header_of(release)
}

/// Returns the length of a header's shader map hashes in bytes, if it has any.
fn hash_len(header: &ContainerHeader) -> Option<usize> {
    let mut hashes = header.packages.iter().flat_map(|entry| entry.shader_map_hashes);
    hashes.next().map(|hash| hash.as_bytes().len())
}

fn usual_hash_len(release: &Release) -> usize {
    // SHA-1 hashes have 20 bytes; since 5.8, they are shortened to 8.
    let lens = [20, 8];
    lens.into_iter().find(|len| release.writes_shader_hashes_of(*len)).unwrap_or(20)
}

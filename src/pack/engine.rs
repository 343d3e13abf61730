//! For which engine release a container is.
//!
//! A toc version stands for several releases, and these differ in their container headers. The packages narrow that down,
//! then the headers that came along.

use super::objections::{Objection, Objections};
use super::old_headers::OldHeaders;
use super::options::PackOptions;
use super::packages::Package;
use crate::container::container_header::{ContainerHeader, Layout};
use crate::version::{ContainerHeaderVersion, EngineRange, Release};

/// The layout of the container header, by all that is known. Packages of another engine are objected to; if more than one
/// layout is left, the newest is taken, with a warning.
pub(super) fn layout(
    options: &PackOptions,
    packages: &[Package],
    old: &OldHeaders,
    objections: &mut Objections,
    warnings: &mut Vec<String>,
) -> Layout {
    let mut releases = of_options(options);
    for package in packages {
        if !narrow(&mut releases, |release| release.zen == Some(package.generation)) {
            let (package, path) = (package.generation.releases(), &package.source);
            objections.add(Objection::OtherEngine { package, container: shown(&releases) }, path);
        }
        narrow(&mut releases, |release| package.objects.is_none_or(|objects| release.objects == objects));
    }
    for header in old.iter() {
        narrow(&mut releases, |release| header_of(options, release) == Some(header.layout.version));
    }
    let newest = releases.last().copied().unwrap_or_else(|| Release::newest());
    let version = header_of(options, newest).unwrap_or(ContainerHeaderVersion::SoftPackageReferencesOffset);
    let others: Vec<&'static Release> =
        releases.into_iter().filter(|release| header_of(options, release) != Some(version)).collect();
    if !others.is_empty() && !packages.is_empty() {
        warnings.push(format!(
            "wrote the container header of {newest}; the packages also fit {}, whose games need another one: choose the \
             engine release",
            shown(&others)
        ));
    }
    let same = old.iter().find(|header| header.layout.version == version);
    let hash_len = old.iter().find_map(hash_len).unwrap_or_else(|| usual_hash_len(newest));
    let entry_len =
        same.map_or(Layout::of_engine(version, hash_len).entry_len, |header| header.layout.entry_len);
    Layout { version, entry_len, shader_hash_len: hash_len }
}

/// The releases that the options leave, oldest first.
fn of_options(options: &PackOptions) -> Vec<&'static Release> {
    let is_wanted =
        |release: &&Release| options.engine.is_none_or(|engine: &Release| engine.name == release.name);
    Release::all().filter(is_wanted).filter(|release| header_of(options, release).is_some()).collect()
}

fn header_of(options: &PackOptions, release: &Release) -> Option<ContainerHeaderVersion> {
    let mut headers = options.version.container_headers();
    headers.find(|(_, range)| range.contains(release)).map(|(version, _)| version)
}

/// Keeps what fits, if anything does.
fn narrow(releases: &mut Vec<&'static Release>, fits: impl Fn(&Release) -> bool) -> bool {
    let found = releases.iter().any(|release| fits(release));
    releases.retain(|release| !found || fits(release));
    found
}

fn shown(releases: &[&'static Release]) -> String {
    let range = releases.first().zip(releases.last());
    range.map_or_else(String::new, |(first, last)| {
        EngineRange { first: first.name, last: last.name }.to_string()
    })
}

/// Length of the shader map hashes of a header that has any.
fn hash_len(header: &ContainerHeader) -> Option<usize> {
    let mut hashes = header.packages.iter().flat_map(|entry| entry.shader_map_hashes);
    hashes.next().map(|hash| hash.as_bytes().len())
}

fn usual_hash_len(release: &Release) -> usize {
    let lens = [20, 8];
    lens.into_iter().find(|len| release.writes_shader_hashes_of(*len)).unwrap_or(20)
}

//! Containers with packages that need each other in ways that the corpus has no example of.

use super::run::uncask;
use crate::support::sketch::Sketch;
use std::path::{Path, PathBuf};
use uncask::id::{ContainerId, PackageId, RawChunkId};
use uncask::version::TocVersion;

/// Packs a folder, whatever it holds, and returns the `.utoc`.
pub(super) fn pack(folder: &Path, name: &str, toc_version: &str) -> PathBuf {
    let utoc = folder.with_file_name(format!("{name}.utoc"));
    let paths = [folder, &utoc].map(|path| path.to_str().unwrap());
    uncask(&["pack", paths[0], "-o", paths[1], "--toc-version", toc_version, "--force", "--overwrite"]).ok();
    utoc
}

/// Links of packages in a container header.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Links<'a> {
    /// The imports of each package.
    pub(crate) hard: &'a [(&'a str, &'a [&'a str])],
    /// The imports of the optional segments of some packages.
    pub(crate) optional: &'a [(&'a str, &'a [&'a str])],
    /// The soft references of each package, in the order of `hard`; empty if none are recorded.
    pub(crate) soft: &'a [&'a [&'a str]],
    /// A package that stands for another.
    pub(crate) redirect: Option<(&'a str, &'a str)>,
}

/// A container whose header says that packages import others, and that one stands for another.
pub(super) fn linked(folder: &Path, imports: &[(&str, &[&str])], redirect: Option<(&str, &str)>) -> PathBuf {
    linked_with(folder, Links { hard: imports, redirect, ..Links::default() })
}

/// A container whose header says how packages are linked. The packages themselves are empty: nobody has to look into
/// them, and `pack` would refuse them.
pub(super) fn linked_with(folder: &Path, links: Links<'_>) -> PathBuf {
    let path = |name: &str| format!("G/Content/{}.uasset", name.trim_start_matches("/Game/"));
    let packages = links.hard.iter().map(|(name, _)| {
        (RawChunkId::new(PackageId::from_name(name).0, 0, 1), Some(path(name)), b"nothing".to_vec())
    });
    let header = ("112233445566778800000006".parse().unwrap(), None, header(links));
    stored(folder, "linked", TocVersion::ReplaceIoChunkHashWithIoHash, packages.chain([header]))
}

/// A chunk: its id, its path if it has one, and its content.
pub(super) type Chunk = (RawChunkId, Option<String>, Vec<u8>);

/// A container of any chunks, stored as they are; those with paths come first.
pub(super) fn stored(
    folder: &Path,
    name: &str,
    version: TocVersion,
    chunks: impl IntoIterator<Item = Chunk>,
) -> PathBuf {
    let mut sketch = Sketch::new(64 << 10);
    sketch.toc.version = version;
    sketch.toc.container_id = ContainerId::from_name(name);
    for (id, path, content) in chunks {
        sketch.add(&content);
        sketch.toc.chunks.last_mut().unwrap().id = id;
        sketch.paths.extend(path);
    }
    let utoc = folder.join(format!("{name}.utoc"));
    std::fs::write(&utoc, sketch.bytes()).unwrap();
    std::fs::write(utoc.with_extension("ucas"), &sketch.data).unwrap();
    utoc
}

fn id(name: &str) -> [u8; 8] {
    PackageId::from_name(name).0.to_le_bytes()
}

fn word(n: usize) -> [u8; 4] {
    u32::try_from(n).unwrap().to_le_bytes()
}

/// A container header in the layout of 5.3, or of 5.5 if there are soft references.
pub(crate) fn header(links: Links<'_>) -> Vec<u8> {
    let version = if links.soft.is_empty() { 3 } else { 4 };
    let mut bytes = [&b"nCoI"[..], &[version, 0, 0, 0], b"\x11\x22\x33\x44\x55\x66\x77\x88"].concat();
    bytes.extend(store(links.hard));
    bytes.extend(store(links.optional));
    // No names, no localized packages.
    bytes.extend([word(0), word(0)].concat());
    bytes.extend(word(links.redirect.iter().len()));
    if let Some((from, to)) = links.redirect {
        bytes.extend([&id(from)[..], &id(to), &[0; 8]].concat());
    }
    if !links.soft.is_empty() {
        bytes.extend(soft(links.soft));
    }
    bytes
}

/// Ids of packages and what they import; none of them needs shaders.
fn store(imports: &[(&str, &[&str])]) -> Vec<u8> {
    let mut bytes = word(imports.len()).to_vec();
    bytes.extend(imports.iter().flat_map(|(name, _)| id(name)));
    let (mut entries, mut arrays) = (Vec::new(), Vec::new());
    for (at, (_, imported)) in imports.iter().enumerate() {
        let offset = (imports.len() - at) * 16 + arrays.len();
        entries.extend([word(imported.len()), word(offset), word(0), word(0)].concat());
        arrays.extend(imported.iter().flat_map(|name| id(name)));
    }
    bytes.extend(word(entries.len() + arrays.len()));
    bytes.extend([entries, arrays].concat());
    bytes
}

fn soft(references: &[&[&str]]) -> Vec<u8> {
    let targets: Vec<&str> = references.iter().flat_map(|list| list.iter().copied()).collect();
    let mut bytes = [word(1), word(targets.len())].concat();
    bytes.extend(targets.iter().flat_map(|name| id(name)));
    bytes.extend(word(references.len() * 8 + targets.len() * 4));
    let mut before = 0;
    for (at, list) in references.iter().enumerate() {
        bytes.extend([word(list.len()), word((references.len() - at) * 8 + before * 4)].concat());
        before += list.len();
    }
    bytes.extend((0..targets.len()).flat_map(word));
    bytes
}

//! Containers with packages that need each other in ways that the corpus has no example of.

use super::run::uncask;
use std::path::{Path, PathBuf};
use uncask::id::PackageId;

/// Packs a folder, and returns the `.utoc`.
pub(super) fn pack(folder: &Path, name: &str, toc_version: &str) -> PathBuf {
    let utoc = folder.with_file_name(format!("{name}.utoc"));
    let paths = [folder, &utoc].map(|path| path.to_str().unwrap());
    uncask(&["pack", paths[0], "-o", paths[1], "--toc-version", toc_version]).ok();
    utoc
}

/// What a container header says about some packages.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Links<'a> {
    /// What each package imports.
    pub(super) hard: &'a [(&'a str, &'a [&'a str])],
    /// What the optional segments of some import.
    pub(super) optional: &'a [(&'a str, &'a [&'a str])],
    /// What each package refers to softly, in the order of `hard`; none say anything if it is empty.
    pub(super) soft: &'a [&'a [&'a str]],
    /// A package that stands for another.
    pub(super) redirect: Option<(&'a str, &'a str)>,
}

/// A container whose header says that packages import others, and that one stands for another.
pub(super) fn linked(folder: &Path, imports: &[(&str, &[&str])], redirect: Option<(&str, &str)>) -> PathBuf {
    linked_with(folder, Links { hard: imports, redirect, ..Links::default() })
}

/// A container whose header says how packages are linked. The packages themselves are empty: nobody has to look into
/// them.
pub(super) fn linked_with(folder: &Path, links: Links<'_>) -> PathBuf {
    let content = folder.join("linked");
    for (name, _) in links.hard {
        let path = content.join(format!("G/Content/{}.uasset", name.trim_start_matches("/Game/")));
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "nothing").unwrap();
    }
    std::fs::create_dir_all(content.join("chunks")).unwrap();
    std::fs::write(content.join("chunks/112233445566778800000006.container_header"), header(links)).unwrap();
    pack(&content, "linked", "8")
}

fn id(name: &str) -> [u8; 8] {
    PackageId::from_name(name).0.to_le_bytes()
}

fn word(n: usize) -> [u8; 4] {
    u32::try_from(n).unwrap().to_le_bytes()
}

/// A container header in the layout of 5.3, or of 5.5 if there are soft references.
fn header(links: Links<'_>) -> Vec<u8> {
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

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

/// A container whose header says that packages import others, and that one stands for another. The packages
/// themselves are empty: nobody has to look into them.
pub(super) fn linked(folder: &Path, imports: &[(&str, &[&str])], redirect: Option<(&str, &str)>) -> PathBuf {
    let content = folder.join("linked");
    for (name, _) in imports {
        let path = content.join(format!("G/Content/{}.uasset", name.trim_start_matches("/Game/")));
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "nothing").unwrap();
    }
    std::fs::create_dir_all(content.join("chunks")).unwrap();
    std::fs::write(
        content.join("chunks/112233445566778800000006.container_header"),
        header(imports, redirect),
    )
    .unwrap();
    pack(&content, "linked", "8")
}

/// A container header in the layout of 5.3.
fn header(imports: &[(&str, &[&str])], redirect: Option<(&str, &str)>) -> Vec<u8> {
    let id = |name: &str| PackageId::from_name(name).0.to_le_bytes();
    let word = |n: usize| u32::try_from(n).unwrap().to_le_bytes();
    let mut bytes = b"nCoI\x03\0\0\0\x11\x22\x33\x44\x55\x66\x77\x88".to_vec();
    bytes.extend(word(imports.len()));
    bytes.extend(imports.iter().flat_map(|(name, _)| id(name)));
    let (mut entries, mut arrays) = (Vec::new(), Vec::new());
    for (at, (_, imported)) in imports.iter().enumerate() {
        let offset = (imports.len() - at) * 16 + arrays.len();
        entries.extend([word(imported.len()), word(offset), word(0), word(0)].concat());
        arrays.extend(imported.iter().flat_map(|name| id(name)));
    }
    bytes.extend(word(entries.len() + arrays.len()));
    bytes.extend([entries, arrays].concat());
    // No optional segments, no names, no localized packages.
    bytes.extend([word(0), word(0), word(0), word(0)].concat());
    bytes.extend(word(redirect.iter().len()));
    if let Some((from, to)) = redirect {
        bytes.extend([&id(from)[..], &id(to), &[0; 8]].concat());
    }
    bytes
}

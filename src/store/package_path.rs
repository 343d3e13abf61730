//! Converts package names to file paths, and back.
//!
//! ```text
//! /Game/Maps/Level      ◄──►  <Project>/Content/Maps/Level.umap
//! /Engine/Basic/Cube    ◄──►  Engine/Content/Basic/Cube.uasset
//! /Plugin/Icons/Logo    ◄──►  …/Plugins/…/Plugin/Content/Icons/Logo.uasset
//! ```

use crate::id::{ChunkKind, RawChunkId};
use crate::wire::MAX_PATH_LEN;
use std::fmt::Write;

/// Length of the longest extension of a package chunk, with a cooked index.
const EXTENSION_LEN: usize = ".o.65535.m.ubulk".len();

/// The deepest path accepted, in folders: ten times the depth of real games. Extraction would create each folder.
const MAX_FOLDERS: usize = 128;

/// File path of a package, without extension. `project` stands for `/Game`.
///
/// `None` for a name that cannot be a file: without a root, longer than [`MAX_PATH_LEN`], or more than 128 folders
/// deep.
#[must_use]
pub fn from_package_name(name: &str, project: &str) -> Option<String> {
    let (root, rest) = name.strip_prefix('/')?.split_once('/')?;
    let root = if root.eq_ignore_ascii_case("Game") { project } else { root };
    let path = format!("{root}/Content/{rest}");
    let fits = path.len() + EXTENSION_LEN <= MAX_PATH_LEN && path.split('/').count() <= MAX_FOLDERS;
    fits.then_some(path)
}

/// Package names that a file path may stand for, most likely first.
///
/// Only a plugin's descriptor knows the plugin's name: usually, but not always, it is the folder above `Content`.
#[must_use]
pub fn to_package_names(path: &str) -> Vec<String> {
    let stem = strip_extensions(path);
    let mut parts: Vec<&str> = stem.split('/').collect();
    let Some(content) = parts.iter().position(|part| part.eq_ignore_ascii_case("Content")) else {
        return Vec::new();
    };
    let rest = parts.split_off(content).into_iter().skip(1).collect::<Vec<_>>().join("/");
    let named = |root: &str| format!("/{root}/{rest}");
    match parts.as_slice() {
        // The order of the arms matters: a single folder is the engine or the project, more are a plugin's.
        [] => vec![named("Game")],
        [engine] if engine.eq_ignore_ascii_case("Engine") => vec![named("Engine")],
        [_project] => vec![named("Game")],
        folders => {
            // The innermost folder is the plugin's own by convention; some plugins are named after two folders, such as
            // `Interchange/Assets`.
            let single = folders.iter().rev().map(|folder| named(folder));
            let joined = folders.windows(2).rev().map(|pair| named(&pair.concat()));
            single.chain(joined).collect()
        }
    }
}

/// True if a file lies below a folder of package names, such as `Game/Maps` (no leading slash); letter case does not
/// matter. It agrees with [`to_package_names`], but allocates nothing.
#[must_use]
pub fn is_below(path: &str, folder: &str) -> bool {
    // A bare root such as `Game` matches everything in it; `Game/Maps` must end at a slash, or `Game/MapsOld` would
    // match.
    let is_root = !folder.contains('/');
    after_name(path, folder).is_some_and(|rest| is_root || rest.starts_with('/'))
}

/// True if a file belongs to the package of this name, such as `Game/Maps/Start` (no leading slash): header, exports or
/// bulk data.
#[must_use]
pub fn is_of_package(path: &str, package: &str) -> bool {
    let is_root = !package.contains('/');
    // After the name comes an extension: neither a longer name nor a folder.
    after_name(path, package).is_some_and(|rest| !is_root && rest.starts_with('.') && !rest.contains('/'))
}

/// The rest of a path after the part that matches the name of a package or folder.
fn after_name<'p>(path: &'p str, name: &str) -> Option<&'p str> {
    let (root, rest) = name.split_once('/').unwrap_or((name, ""));
    let (above, below) = split_at_content(path)?;
    let (front, after) = below.split_at_checked(rest.len())?;
    (is_mounted(above, root) && front.eq_ignore_ascii_case(rest)).then_some(after)
}

/// The most likely package name of a file, with its extensions: below `root`, such as `Game`, if the file can be there.
/// For patterns, which are compared with one name only.
#[must_use]
pub(crate) fn name_with_extensions(path: &str, root: Option<&str>) -> Option<String> {
    let (above, below) = split_at_content(path)?;
    let root = match root {
        Some(root) => is_mounted(above, root).then_some(root)?,
        // Two or more folders above `Content` are a plugin's; the last one is its most likely name.
        None if above.contains('/') => above.rsplit('/').next()?,
        None if above.eq_ignore_ascii_case("Engine") => "Engine",
        None => "Game",
    };
    Some(format!("/{root}/{below}"))
}

/// The parts of a path above and below its first folder `Content`.
fn split_at_content(path: &str) -> Option<(&str, &str)> {
    let mut below = path;
    loop {
        let (part, after) = below.split_once('/')?;
        if part.eq_ignore_ascii_case("Content") {
            let above = path.get(..path.len() - below.len()).unwrap_or_default();
            return Some((above.trim_end_matches('/'), after));
        }
        below = after;
    }
}

/// True if packages below a folder `Content` may have names that begin with this root.
fn is_mounted(above_content: &str, root: &str) -> bool {
    match above_content {
        "" => root.eq_ignore_ascii_case("Game"),
        // The plugin's name is not known for sure, so each folder above `Content` may be it.
        plugin if plugin.contains('/') => plugin.split('/').any(|name| name.eq_ignore_ascii_case(root)),
        engine if engine.eq_ignore_ascii_case("Engine") => root.eq_ignore_ascii_case("Engine"),
        _project => root.eq_ignore_ascii_case("Game"),
    }
}

/// The part of a path below the game's mount point: from the folder of the project or the engine on. `None` for a file
/// outside of any `Content` folder, or if the project has no folder.
///
/// ```text
/// C:/cooked/Shooter/Content/Maps/Start.umap                    Shooter/Content/Maps/Start.umap
/// /tmp/Shooter/Plugins/Fx/Sparks/Content/S.uasset              Shooter/Plugins/Fx/Sparks/Content/S.uasset
/// ```
#[must_use]
pub fn below_mount_point(path: &str) -> Option<&str> {
    let path = path.trim_start_matches("../").trim_start_matches('/');
    let mut folders = Vec::new();
    for (at, _) in path.match_indices('/') {
        // Each folder as a pair of byte offsets into `path`: no copies.
        let start = folders.last().map_or(0, |(_, end): &(usize, usize)| end + 1);
        folders.push((start, at));
    }
    let is_called = |(start, end): &(usize, usize), name: &str| {
        path.get(*start..*end).is_some_and(|folder| folder.eq_ignore_ascii_case(name))
    };
    let content = folders.iter().rposition(|folder| is_called(folder, "Content"))?;
    // A plugin's `Content` lies below `Plugins` in a project or in the engine, so the folder above `Plugins` is the
    // root.
    let plugins = folders.iter().take(content).position(|folder| is_called(folder, "Plugins"));
    let project = plugins.filter(|at| *at > 0).unwrap_or(content).checked_sub(1)?;
    path.get(folders.get(project)?.0..)
}

/// Path without the extensions of package chunks.
#[must_use]
pub fn strip_extensions(path: &str) -> &str {
    // Longest first: `.ubulk` would leave the `.m` of `.m.ubulk` behind.
    const EXTENSIONS: [&str; 7] =
        [".m.ubulk", ".o.uasset", ".o.ubulk", ".uasset", ".umap", ".ubulk", ".uptnl"];
    let cut = |extension: &&str| {
        let at = path.len().checked_sub(extension.len())?;
        path.get(at..).filter(|end| end.eq_ignore_ascii_case(extension)).and(path.get(..at))
    };
    EXTENSIONS.iter().find_map(cut).unwrap_or(path)
}

/// Extensions of package files, and the kind of chunk with the same content in a container.
const PACKAGE_FILES: [(&str, ChunkKind); 6] = [
    (".uasset", ChunkKind::ExportBundleData),
    (".umap", ChunkKind::ExportBundleData),
    (".uexp", ChunkKind::ExportBundleData),
    (".m.ubulk", ChunkKind::MemoryMappedBulkData),
    (".ubulk", ChunkKind::BulkData),
    (".uptnl", ChunkKind::OptionalBulkData),
];

/// Splits off the extension of a cooked package file: its path without extension, and the kind of chunk with the same
/// content; `None` for other files.
#[must_use]
pub fn package_file(path: &str) -> Option<(&str, ChunkKind)> {
    // `.m.ubulk` stands before `.ubulk` in the table, so the first match is the longest.
    PACKAGE_FILES.iter().find_map(|(extension, kind)| {
        let (stem, end) = path.split_at_checked(path.len().checked_sub(extension.len())?)?;
        end.eq_ignore_ascii_case(extension).then_some((stem, *kind))
    })
}

/// Path of a package's bulk data, from the package's path without extension: `X.ubulk`, `X.003.ubulk`, `X.o.uptnl`.
#[must_use]
pub fn of_bulk(stem: &str, kind: ChunkKind, id: RawChunkId) -> String {
    let mut path = stem.to_owned();
    push_extensions(kind, id, &mut path);
    path
}

/// Writes the path of a package's chunk into `path`; `package` is the package's own path with extension.
pub(super) fn of_chunk(package: &str, kind: ChunkKind, id: RawChunkId, path: &mut String) {
    path.clear();
    // The header keeps its extension, because only that says `.umap` or `.uasset`.
    if kind == ChunkKind::ExportBundleData && id.index() == 0 {
        path.push_str(package);
        return;
    }
    path.push_str(strip_extensions(package));
    push_extensions(kind, id, path);
}

fn push_extensions(kind: ChunkKind, id: RawChunkId, path: &mut String) {
    if id.index() != 0 {
        path.push_str(".o");
    }
    if id.cooked_index() != 0 {
        // Writing to a string cannot fail.
        let _ = write!(path, ".{:03}", id.cooked_index());
    }
    path.push('.');
    path.push_str(kind.extension().unwrap_or("bin"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_to_paths() {
        assert_eq!(from_package_name("/Game/Maps/L", "Shooter").unwrap(), "Shooter/Content/Maps/L");
        assert_eq!(from_package_name("/Engine/Basic/Cube", "Shooter").unwrap(), "Engine/Content/Basic/Cube");
        assert_eq!(from_package_name("Maps/L", "Shooter"), None);
    }

    #[test]
    fn names_that_no_file_can_have() {
        let of = |len: usize| from_package_name(&format!("/Game/{}", "L".repeat(len)), "Shooter");
        let longest = MAX_PATH_LEN - EXTENSION_LEN - "Shooter/Content/".len();
        assert_eq!(of(longest).unwrap().len() + EXTENSION_LEN, MAX_PATH_LEN);
        assert_eq!(of(longest + 1), None);
        let deep = |folders: usize| from_package_name(&format!("/Game/{}L", "f/".repeat(folders)), "Shooter");
        assert!(deep(MAX_FOLDERS - 3).is_some());
        assert_eq!(deep(MAX_FOLDERS - 2), None);
    }

    #[test]
    fn paths_to_names() {
        assert_eq!(to_package_names("Shooter/Content/Maps/L.umap"), ["/Game/Maps/L"]);
        assert_eq!(to_package_names("Engine/Content/A.m.ubulk"), ["/Engine/A"]);
        let plugin = to_package_names("Engine/Plugins/Interchange/Assets/Content/M/A.uasset");
        assert_eq!(plugin[0], "/Assets/M/A");
        assert!(plugin.contains(&"/InterchangeAssets/M/A".to_owned()));
        assert!(to_package_names("readme.txt").is_empty());
    }

    #[test]
    fn files_of_a_package() {
        for path in ["Shooter/Content/Maps/L.umap", "content/maps/l.uexp", "S/Content/Maps/L.m.ubulk"] {
            assert!(is_of_package(path, "Game/Maps/L"), "{path}");
        }
        for path in
            ["Shooter/Content/Maps/L/A.umap", "Shooter/Content/Maps/L2.umap", "Engine/Content/Maps/L.umap"]
        {
            assert!(!is_of_package(path, "Game/Maps/L"), "{path}");
        }
        assert!(!is_of_package("Shooter/Content/.umap", "Game"));
    }

    #[test]
    fn mount_points() {
        for (path, below) in [
            ("../../../Shooter/Content/A.uasset", Some("Shooter/Content/A.uasset")),
            ("/tmp/cooked/Shooter/Content/A.uasset", Some("Shooter/Content/A.uasset")),
            (
                "/x/Shooter/Plugins/Fx/Sparks/Content/S.uasset",
                Some("Shooter/Plugins/Fx/Sparks/Content/S.uasset"),
            ),
            ("C:/x/Engine/Content/A.uasset", Some("Engine/Content/A.uasset")),
            ("Content/A.uasset", None),
            ("Shooter/A.uasset", None),
            ("A.uasset", None),
        ] {
            assert_eq!(below_mount_point(path), below, "{path}");
        }
    }

    #[test]
    fn chunks_of_a_package() {
        let of = |kind, id| {
            let mut path = String::new();
            of_chunk("G/Content/A.umap", kind, id, &mut path);
            path
        };
        assert_eq!(of(ChunkKind::ExportBundleData, RawChunkId::new(1, 0, 1)), "G/Content/A.umap");
        assert_eq!(of(ChunkKind::ExportBundleData, RawChunkId::new(1, 1, 1)), "G/Content/A.o.uasset");
        assert_eq!(of(ChunkKind::MemoryMappedBulkData, RawChunkId::new(1, 0, 4)), "G/Content/A.m.ubulk");
        let mut cooked = RawChunkId::new(1, 0, 2);
        cooked.0[10] = 3;
        assert_eq!(of(ChunkKind::BulkData, cooked), "G/Content/A.003.ubulk");
    }
}

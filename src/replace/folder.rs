//! Matches the pictures of a folder with textures.

use crate::error::Error;
use crate::sink::OutputPath;
use crate::source::{FolderFiles, Links, files_below};
use crate::values::PackageInputs;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

/// A picture with its texture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    /// The picture.
    pub path: PathBuf,
    /// Object name, unless it is that of the package.
    pub object: Option<String>,
}

/// Pictures of a folder.
#[derive(Debug, Default)]
pub struct Matches {
    /// Pictures of packages, by package position.
    pub packages: BTreeMap<usize, Vec<Match>>,
    /// Pictures without a known package.
    pub unknown: Vec<PathBuf>,
    /// Errors of folders that could not be read.
    pub unread: Vec<Error>,
}

const EXTENSIONS: [&str; 3] = ["png", "exr", "dds"];

/// Matches all pictures below a folder with textures, by the paths that [`export`](crate::export::export) gives them:
/// the path of the package, followed by a dot and the object name if that differs.
#[must_use]
pub fn match_folder(folder: &Path, inputs: &PackageInputs) -> Matches {
    let stems: HashMap<String, usize> =
        inputs.items().iter().enumerate().map(|(at, item)| (key(stem(item.output.as_str())), at)).collect();
    let is_picture = |path: &Path| {
        let extension = path.extension().unwrap_or_default();
        EXTENSIONS.iter().any(|known| extension.eq_ignore_ascii_case(known))
    };
    let FolderFiles { mut files, problems } = files_below(folder, Links::Ignore, is_picture);
    // Sorted, so that of two pictures for one texture always the same one is first.
    files.sort_unstable();
    let mut matches = Matches { unread: problems, ..Matches::default() };
    for path in files {
        let relative = path.strip_prefix(folder).unwrap_or(&path).with_extension("");
        let relative = relative.to_string_lossy().replace('\\', "/");
        match texture(&relative, &stems) {
            Some((at, object)) => matches.packages.entry(at).or_default().push(Match { path, object }),
            None => matches.unknown.push(path),
        }
    }
    matches
}

/// The package of a picture, and the object in it.
fn texture(path: &str, stems: &HashMap<String, usize>) -> Option<(usize, Option<String>)> {
    // A package name may contain a dot itself, so the whole name is tried first.
    if let Some(at) = stems.get(&key(path)) {
        return Some((*at, None));
    }
    let (package, object) = path.rsplit_once('.').filter(|(_, object)| !object.contains('/'))?;
    Some((*stems.get(&key(package))?, Some(object.to_owned())))
}

fn stem(path: &str) -> &str {
    path.strip_suffix(".json").unwrap_or(path)
}

/// Path for comparison: sanitized as in file names, in lower case.
fn key(path: &str) -> String {
    OutputPath::sanitize(path).as_str().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_found_by_package_and_object() {
        let stems = [("Game/T_Rock", 3), ("Game/Fonts/Roboto.v2", 4)];
        let stems = stems.into_iter().map(|(path, at)| (key(path), at)).collect();
        assert_eq!(texture("game/T_ROCK", &stems), Some((3, None)));
        assert_eq!(texture("Game/Fonts/Roboto.v2", &stems), Some((4, None)));
        assert_eq!(texture("Game/Fonts/Roboto.v2.Page_0", &stems), Some((4, Some("Page_0".to_owned()))));
        assert_eq!(texture("Game/T_Other", &stems), None);
        assert_eq!(texture("Game/T_Rock/T_Rock", &stems), None);
    }
}

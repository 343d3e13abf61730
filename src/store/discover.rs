//! From what the user names to the `.utoc` and `.pak` files that are meant.

use crate::source::{AddressProblem, check_url, is_url, without_secrets};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Why an input names no container.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DiscoverError {
    /// Nothing is there.
    #[error("cannot open input: {source}: {}", path.display())]
    Open {
        /// The input.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A folder without containers.
    #[error("no .utoc or .pak file in the folder or below it: {}", path.display())]
    Empty {
        /// The folder.
        path: PathBuf,
    },
    /// A `.ucas` whose `.utoc` is not beside it.
    #[error("the .utoc that describes it is missing (expected {}): {}", toc.display(), path.display())]
    NoToc {
        /// The `.ucas`.
        path: PathBuf,
        /// Where its `.utoc` should be.
        toc: PathBuf,
    },
    /// An address that cannot be read.
    #[error("{problem}: {}", path.display())]
    Address {
        /// The address, without what may be secret in it.
        path: PathBuf,
        /// Why not.
        problem: AddressProblem,
    },
    /// A file of another kind.
    #[error("is neither .utoc nor .ucas nor .pak nor a folder: {}", path.display())]
    Other {
        /// The file.
        path: PathBuf,
    },
}

/// Finds the `.utoc` and `.pak` files of an input: a `.utoc`, a `.ucas` or one of its partitions, a `.pak`, a folder that
/// holds some at any depth, or the address of a `.utoc` on a server. Sorted by path.
pub fn discover(input: &Path) -> Result<Vec<PathBuf>, DiscoverError> {
    if is_url(input) {
        let path = PathBuf::from(without_secrets(&input.to_string_lossy()));
        return match check_url(input) {
            Ok(()) => Ok(vec![path]),
            Err(problem) => Err(DiscoverError::Address { path, problem }),
        };
    }
    let open = |source| DiscoverError::Open { path: input.to_owned(), source };
    if std::fs::metadata(input).map_err(open)?.is_dir() {
        let found = search(input);
        return if found.is_empty() {
            Err(DiscoverError::Empty { path: input.to_owned() })
        } else {
            Ok(found)
        };
    }
    if has_extension(input, "utoc") || is_pak(input) {
        return Ok(vec![input.to_owned()]);
    }
    if !has_extension(input, "ucas") {
        return Err(DiscoverError::Other { path: input.to_owned() });
    }
    let toc = toc_of(input);
    if toc.is_file() { Ok(vec![toc]) } else { Err(DiscoverError::NoToc { path: input.to_owned(), toc }) }
}

/// All `.utoc` and `.pak` files below a folder. Folders that cannot be read are passed over, like the engine does.
fn search(folder: &Path) -> Vec<PathBuf> {
    let found: BTreeSet<PathBuf> = walkdir::WalkDir::new(folder)
        .follow_links(true)
        .into_iter()
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_file())
        .filter(|entry| has_extension(entry.path(), "utoc") || is_pak(entry.path()))
        .map(walkdir::DirEntry::into_path)
        .collect();
    found.into_iter().collect()
}

/// The containers in the folder of a file that is given, sorted by path; none for a folder or an address.
pub(super) fn beside(input: &Path) -> Vec<PathBuf> {
    if is_url(input) || input.is_dir() {
        return Vec::new();
    }
    let folder =
        input.parent().map(|folder| if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
    let entries = folder.and_then(|folder| std::fs::read_dir(folder).ok()).into_iter().flatten();
    let paths = entries.filter_map(Result::ok).map(|entry| entry.path());
    let mut found: Vec<PathBuf> =
        paths.filter(|path| (has_extension(path, "utoc") || is_pak(path)) && path.is_file()).collect();
    found.sort();
    found
}

/// `NAME.ucas` and `NAME_s3.ucas` both belong to `NAME.utoc`.
fn toc_of(data: &Path) -> PathBuf {
    let whole = data.with_extension("utoc");
    if whole.is_file() {
        return whole;
    }
    let stem = data.file_stem().unwrap_or_default().to_string_lossy();
    match stem.rsplit_once("_s") {
        Some((name, digits)) if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            data.with_file_name(format!("{name}.utoc"))
        }
        _ => whole,
    }
}

/// Whether a path is that of a `.pak`.
pub(super) fn is_pak(path: &Path) -> bool {
    has_extension(path, "pak")
}

fn has_extension(path: &Path, wanted: &str) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(wanted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_input() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::create_dir_all(path("Paks/~mods")).unwrap();
        for name in [
            "Paks/b.utoc",
            "Paks/b.ucas",
            "Paks/b_s1.ucas",
            "Paks/~mods/a.UTOC",
            "lone.ucas",
            "x.pak",
            "x.txt",
        ] {
            std::fs::write(path(name), "").unwrap();
        }
        let found = |name: &str| discover(&path(name)).map_err(|error| error.to_string());
        assert_eq!(found("").unwrap(), [path("Paks/b.utoc"), path("Paks/~mods/a.UTOC"), path("x.pak")]);
        for name in ["Paks/b.utoc", "Paks/b.ucas", "Paks/b_s1.ucas"] {
            assert_eq!(found(name).unwrap(), [path("Paks/b.utoc")], "{name}");
        }
        assert!(found("lone.ucas").unwrap_err().starts_with("the .utoc that describes it is missing"));
        assert_eq!(found("x.pak").unwrap(), [path("x.pak")]);
        assert!(found("x.txt").unwrap_err().starts_with("is neither .utoc nor .ucas nor .pak"));
        assert!(found("nothing").unwrap_err().starts_with("cannot open input"));
        std::fs::create_dir(path("empty")).unwrap();
        assert!(found("empty").unwrap_err().starts_with("no .utoc or .pak file"));
    }
}

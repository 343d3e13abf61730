//! Turns user input into the `.utoc` and `.pak` files it names.

use crate::error::{Error, Result};
use crate::identify::has_extension;
use crate::source::{
    AddressProblem, Files, FolderFiles, Links, check_url, in_one_style, is_url, search_below, without_secrets,
};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// Errors of inputs that name no container.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DiscoverError {
    /// It does not exist or cannot be accessed.
    #[error("cannot open input: {source}: {}", path.display())]
    Open {
        /// The input.
        path: PathBuf,
        /// Error of the operating system.
        source: std::io::Error,
    },
    /// A folder without containers.
    #[error("folder has no .utoc or .pak files: {}", path.display())]
    Empty {
        /// The folder.
        path: PathBuf,
    },
    /// A `.ucas` whose `.utoc` is not beside it.
    #[error("its .utoc is missing (expected {}): {}", toc.display(), path.display())]
    NoToc {
        /// The `.ucas`.
        path: PathBuf,
        /// Expected path of its `.utoc`.
        toc: PathBuf,
    },
    /// An address that cannot be read.
    #[error("{problem}: {}", path.display())]
    Address {
        /// The address, with credentials removed.
        path: PathBuf,
        /// The problem with it.
        problem: AddressProblem,
    },
    /// A file of another kind.
    #[error("input is not a .utoc, .ucas or .pak, nor a folder: {}", path.display())]
    Other {
        /// The file.
        path: PathBuf,
    },
}

/// The containers that an input names.
#[derive(Debug)]
pub struct Discovered {
    /// Its `.utoc` and `.pak` files.
    pub paths: Vec<PathBuf>,
    /// Folders that could not be read, so their containers are missing.
    pub problems: Vec<Error>,
}

/// Finds the `.utoc` and `.pak` files of an input: a `.utoc`, a `.ucas` or one of its partitions, a `.pak`, a folder
/// with any of them at any depth, the URL of a `.utoc` or a `.pak`, or a folder of a bucket (`s3://`). Sorted by path.
pub fn discover(input: &Path) -> Result<Discovered, DiscoverError> {
    search(&Files::default(), input, &|_| Ok(()))
}

fn search(files: &Files, input: &Path, on_folder: OnFolder<'_>) -> Result<Discovered, DiscoverError> {
    let one = |path| Ok(Discovered { paths: vec![path], problems: Vec::new() });
    // A URL never touches the file system. Credentials are stripped before the path can appear in a message.
    if is_url(input) {
        let path = PathBuf::from(without_secrets(&input.to_string_lossy()));
        return match check_url(input) {
            Ok(()) if is_container(&path) => one(path),
            Ok(()) => listed(path, files),
            Err(problem) => Err(DiscoverError::Address { path, problem }),
        };
    }
    let input = &in_one_style(input);
    let open = |source| DiscoverError::Open { path: input.clone(), source };
    if std::fs::metadata(input).map_err(open)?.is_dir() {
        let FolderFiles { files: paths, problems } =
            search_below(input, Links::Follow, is_container, on_folder);
        // An unreadable subfolder may hold the containers, so only a folder searched in full counts as empty.
        return if paths.is_empty() && problems.is_empty() {
            Err(DiscoverError::Empty { path: input.clone() })
        } else {
            Ok(Discovered { paths, problems })
        };
    }
    if is_container(input) {
        return one(input.clone());
    }
    if !has_extension(input, &["ucas"]) {
        return Err(DiscoverError::Other { path: input.clone() });
    }
    // The engine and its tools name a container by its `.utoc`; data files alone cannot be opened.
    let toc = toc_of(input);
    if toc.is_file() { one(toc) } else { Err(DiscoverError::NoToc { path: input.clone(), toc }) }
}

/// The containers in a folder of a bucket, or in all folders that match an address with wildcards.
#[cfg(feature = "remote")]
fn listed(url: PathBuf, files: &Files) -> Result<Discovered, DiscoverError> {
    use crate::source::{containers_below, expand};
    let below = |folder: PathBuf| {
        if is_container(&folder) { Ok(vec![folder]) } else { containers_below(&folder, files.answers()) }
    };
    let found = expand(&url).and_then(|folders| folders.into_iter().map(below).collect::<Result<Vec<_>>>());
    match found.map(|found| found.concat()) {
        Ok(paths) if paths.is_empty() => Err(DiscoverError::Empty { path: url }),
        Ok(paths) => Ok(Discovered { paths, problems: Vec::new() }),
        Err(Error::Io { source, .. }) => Err(DiscoverError::Open { path: url, source }),
        Err(problem) => Ok(Discovered { paths: Vec::new(), problems: vec![problem] }),
    }
}

#[cfg(not(feature = "remote"))]
fn listed(path: PathBuf, _files: &Files) -> Result<Discovered, DiscoverError> {
    Err(DiscoverError::Address { path, problem: AddressProblem::NoNetwork })
}

/// Called for each folder that is searched, with their number so far. An error ends the search.
type OnFolder<'a> = &'a dyn Fn(u64) -> Result<()>;

/// Searches as [`discover`] does, among files that need not be on disk.
pub(super) fn discover_in(
    files: &Files,
    input: &Path,
    on_folder: OnFolder<'_>,
) -> Result<Discovered, DiscoverError> {
    let Some(given) = files.paths() else { return search(files, input, on_folder) };
    let paths: Vec<PathBuf> =
        given.filter(|path| path.starts_with(input) && is_container(path)).map(Path::to_owned).collect();
    if paths.is_empty() {
        return Err(DiscoverError::Empty { path: input.to_owned() });
    }
    Ok(Discovered { paths, problems: Vec::new() })
}

/// The containers in the folder of an input file, sorted by path; none for a folder or a URL.
pub(super) fn beside(files: &Files, input: &Path) -> Vec<PathBuf> {
    if let Some(given) = files.paths() {
        // Only a file can be opened: in-memory folders are just shared prefixes of paths.
        let is_file = files.open(input).is_ok();
        let is_beside = |path: &&Path| is_file && path.parent() == input.parent() && is_container(path);
        return given.filter(is_beside).map(Path::to_owned).collect();
    }
    if is_url(input) || input.is_dir() {
        return Vec::new();
    }
    // A bare file name has the parent "", which `read_dir` would refuse.
    let folder =
        input.parent().map(|folder| if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
    let entries = folder.and_then(|folder| std::fs::read_dir(folder).ok()).into_iter().flatten();
    let paths = entries.filter_map(Result::ok).map(|entry| entry.path());
    let mut found: Vec<PathBuf> = paths.filter(|path| is_container(path) && path.is_file()).collect();
    found.sort();
    found
}

/// Path of the `.utoc` of a data file: `NAME.ucas` and `NAME_s3.ucas` both belong to `NAME.utoc`.
fn toc_of(data: &Path) -> PathBuf {
    // `NAME_s3` may be a container's full name, so its own `.utoc` goes first.
    let whole = data.with_extension("utoc");
    if whole.is_file() {
        return whole;
    }
    match data.file_stem().and_then(without_partition) {
        Some(mut name) => {
            name.push(".utoc");
            data.with_file_name(name)
        }
        None => whole,
    }
}

/// `NAME` of `NAME_s3`. File names need not be valid Unicode.
fn without_partition(stem: &OsStr) -> Option<OsString> {
    let bytes = stem.as_encoded_bytes();
    let digits = bytes.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let (front, _) = bytes.split_at_checked(bytes.len() - digits).filter(|_| digits > 0)?;
    let name = front.strip_suffix(b"_s")?;
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt as _;
        Some(OsStr::from_bytes(name).to_owned())
    }
    #[cfg(not(unix))]
    {
        std::str::from_utf8(name).ok().map(OsString::from)
    }
}

/// True for the path of a `.utoc` or a `.pak`.
fn is_container(path: &Path) -> bool {
    has_extension(path, &["utoc"]) || is_pak(path)
}

/// True for the path of a `.pak`.
pub(super) fn is_pak(path: &Path) -> bool {
    has_extension(path, &["pak"])
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
        let found =
            |name: &str| discover(&path(name)).map(|found| found.paths).map_err(|error| error.to_string());
        assert_eq!(found("").unwrap(), [path("Paks/b.utoc"), path("Paks/~mods/a.UTOC"), path("x.pak")]);
        for name in ["Paks/b.utoc", "Paks/b.ucas", "Paks/b_s1.ucas"] {
            assert_eq!(found(name).unwrap(), [path("Paks/b.utoc")], "{name}");
        }
        assert!(found("lone.ucas").unwrap_err().starts_with("its .utoc is missing"));
        assert_eq!(found("x.pak").unwrap(), [path("x.pak")]);
        assert!(found("x.txt").unwrap_err().starts_with("input is not a .utoc, .ucas or .pak"));
        assert!(found("nothing").unwrap_err().starts_with("cannot open input"));
        std::fs::create_dir(path("empty")).unwrap();
        assert!(found("empty").unwrap_err().starts_with("folder has no .utoc or .pak files"));
    }

    #[cfg(unix)]
    #[test]
    fn names_need_not_be_unicode() {
        use std::os::unix::ffi::OsStrExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &[u8]| folder.path().join(OsStr::from_bytes(name));
        std::fs::write(path(b"b\xfcrg.utoc"), "").unwrap();
        for name in [&b"b\xfcrg.utoc"[..], b"b\xfcrg.ucas", b"b\xfcrg_s12.ucas"] {
            std::fs::write(path(name), "").unwrap();
            assert_eq!(discover(&path(name)).unwrap().paths, [path(b"b\xfcrg.utoc")]);
        }
    }
}

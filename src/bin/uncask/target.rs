//! Targets: `FILE` or `INPUT:PATH`.

use crate::exit::UsageError;
use std::path::{Path, PathBuf};
use uncask::game::check_url;

/// The target of a command.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// A file.
    File(PathBuf),
    /// A chunk of a container.
    Chunk {
        /// Path or address of the container.
        input: PathBuf,
        /// Path, package name, pattern or id.
        chunk: String,
    },
}

impl Target {
    /// Parses a target. An existing file is that file, whatever its name looks like. Otherwise it is split at the last
    /// colon after an existing file or folder, or the address of a container: neither `C:\…` nor `Object:Part` gets in
    /// the way.
    pub(crate) fn parse(text: &Path) -> Result<Self, UsageError> {
        let vague = |what: &str, example: &str| {
            let hint = format!("name a chunk in it, as in {example}:PATH, or see `uncask info`");
            Err(UsageError(format!("is {what}; {hint}: {}", text.display())))
        };
        if text.is_dir() {
            return vague("a folder", "FOLDER");
        }
        let whole = || Self::File(text.to_owned());
        // The names of chunks are Unicode; a path that is not can only be a file.
        let Some(plain) = text.to_str().filter(|_| !text.exists()) else { return Ok(whole()) };
        let split = plain.rmatch_indices(':').find_map(|(at, _)| {
            let (input, chunk) = (plain.get(..at)?, plain.get(at + 1..)?);
            // `C:` exists, but is never meant as an input.
            let is_drive = cfg!(windows) && at == 1;
            let input = Path::new(input);
            let found = !chunk.is_empty() && !is_drive && (input.exists() || check_url(input).is_ok());
            found.then(|| Self::Chunk { input: input.to_owned(), chunk: chunk.to_owned() })
        });
        match split {
            Some(chunk) => Ok(chunk),
            None if check_url(text).is_ok() => vague("an address", "ADDRESS"),
            None => Ok(whole()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colons_that_do_not_separate() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("a.utoc"), "").unwrap();
        let plain = path("a.utoc").to_str().unwrap().to_owned();
        let chunk = |text: &str| Target::Chunk { input: path("a.utoc"), chunk: text.to_owned() };
        for (text, expected) in [
            (plain.clone(), Target::File(path("a.utoc"))),
            (format!("{plain}:/Game/A"), chunk("/Game/A")),
            (format!("{plain}:/Game/A.A:B"), chunk("/Game/A.A:B")),
            (format!("{plain}:"), Target::File(format!("{plain}:").into())),
            (r"Q:\x\y.uasset".to_owned(), Target::File(r"Q:\x\y.uasset".into())),
            ("nothing".to_owned(), Target::File("nothing".into())),
        ] {
            assert_eq!(Target::parse(Path::new(&text)).unwrap(), expected, "{text}");
        }
        assert!(Target::parse(folder.path()).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_exists_wins() {
        let folder = tempfile::tempdir().unwrap();
        let odd = folder.path().join("a:b");
        std::fs::write(folder.path().join("a"), "").unwrap();
        std::fs::write(&odd, "").unwrap();
        assert_eq!(Target::parse(&odd).unwrap(), Target::File(odd));
    }
}

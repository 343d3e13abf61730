//! Mappings files of a game.

use crate::codec::Scratch;
use crate::error::{Bound, Error, Result};
use crate::mappings::Mappings;
use crate::property::Schemas;
use crate::source::Files;
use std::io::Read;
use std::path::{Path, PathBuf};

/// First bytes of a file compressed by gzip.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// File name of mappings beside a game.
const USUAL: &str = "Mappings.usmap";

/// Number of parent folders searched.
const ABOVE: usize = 3;

/// Limit on the entries of a folder that are looked at.
const MAX_ENTRIES: usize = 10_000;

/// Reads a `.usmap`, or a `.jmap` that gzip may have compressed, of at most `limit` bytes. The error beside the schemas is set if the file is cut off.
pub fn read_mappings(path: &Path, limit: u64) -> Result<(Schemas, Option<Error>)> {
    read_mappings_in(&Files::default(), path, limit)
}

/// Reads mappings as [`read_mappings`] does, from a file that need not be on disk.
pub(crate) fn read_mappings_in(files: &Files, path: &Path, limit: u64) -> Result<(Schemas, Option<Error>)> {
    let bytes = unzipped(files.read(path, limit)?, path, limit)?;
    // Of the two forms only one is a text.
    if bytes.trim_ascii_start().first() == Some(&b'{') {
        let schemas = Schemas::from_jmap(&bytes);
        return schemas.map(|schemas| (schemas, None)).map_err(|error| {
            let error = std::io::Error::new(std::io::ErrorKind::InvalidData, error.to_string());
            Error::io("read the mappings (.jmap)", path)(error)
        });
    }
    let malformed = Error::malformed("mappings", path);
    match Mappings::parse_partial(&bytes, &mut Scratch::default()) {
        Ok(partial) => Ok((Schemas::new(&partial.value), partial.fault.map(malformed))),
        Err(fault) => Err(malformed(fault)),
    }
}

/// The content of a file that may be compressed by gzip, as dumps are.
fn unzipped(bytes: Vec<u8>, path: &Path, limit: u64) -> Result<Vec<u8>> {
    if !bytes.starts_with(&GZIP) {
        return Ok(bytes);
    }
    let mut raw = Vec::new();
    let mut reader = flate2::read::GzDecoder::new(&*bytes).take(limit.saturating_add(1));
    reader.read_to_end(&mut raw).map_err(Error::io("decompress", path))?;
    let found = raw.len() as u64;
    if found > limit {
        let what = "size of mappings";
        return Err(Error::Limit { what, found, limit, bound: Bound::Memory, path: path.to_owned() });
    }
    Ok(raw)
}

/// True for the name of a mappings file.
#[must_use]
pub fn is_mappings(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    [".usmap", ".jmap", ".jmap.gz"].iter().any(|end| name.ends_with(end))
}

/// Finds the mappings of a game: `Mappings.usmap` in the [folders searched](mapping_folders), or in the game's own
/// folders a mappings file of any name that is the only one there.
#[must_use]
pub fn find_mappings(game: &Path) -> Option<PathBuf> {
    let usual = |folder: &PathBuf| Some(folder.join(USUAL)).filter(|path| path.is_file());
    let Folders { own, above } = Folders::of(game)?;
    own.iter()
        .find_map(|folder| usual(folder).or_else(|| lone(folder)))
        .or_else(|| above.iter().find_map(usual))
}

/// The folders in which [`find_mappings`] looks: that of the game, those of its containers, and some above it.
#[must_use]
pub fn mapping_folders(game: &Path) -> Vec<PathBuf> {
    Folders::of(game).map(|Folders { own, above }| [own, above].concat()).unwrap_or_default()
}

struct Folders {
    /// The game's folder, and those of its containers below.
    own: Vec<PathBuf>,
    above: Vec<PathBuf>,
}

impl Folders {
    fn of(game: &Path) -> Option<Self> {
        let game = std::path::absolute(game).ok()?;
        let root = if game.is_dir() { game.as_path() } else { game.parent()? };
        let paks = |folder: &Path| ["Paks", "Content/Paks"].map(|below| folder.join(below));
        let mut projects: Vec<PathBuf> = entries(root).filter(|path| path.is_dir()).collect();
        projects.sort();
        let below = paks(root).into_iter().chain(projects.iter().flat_map(|project| paks(project)));
        let own = std::iter::once(root.to_owned()).chain(below.filter(|folder| folder.is_dir())).collect();
        Some(Self { own, above: root.ancestors().skip(1).take(ABOVE).map(Path::to_owned).collect() })
    }
}

/// The only mappings file in a folder.
fn lone(folder: &Path) -> Option<PathBuf> {
    let mut found = entries(folder).filter(|path| is_mappings(path));
    // Of several, any could be that of another build, whose mappings give wrong values.
    found.next().filter(|_| found.next().is_none())
}

/// Paths in a folder; of a huge one, some.
fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> {
    std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .take(MAX_ENTRIES)
        .filter_map(|entry| Some(entry.ok()?.path()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mappings_are_found_beside_the_containers_and_above_them() {
        let folder = tempfile::tempdir().unwrap();
        let root = std::path::absolute(folder.path()).unwrap();
        let paks = root.join("MyGame/Content/Paks");
        std::fs::create_dir_all(&paks).unwrap();
        let file = |path: PathBuf| {
            std::fs::write(&path, "").unwrap();
            path
        };
        let container = file(paks.join("pakchunk0.utoc"));
        assert_eq!(find_mappings(&root), None);
        assert!(mapping_folders(&root).starts_with(&[root.clone(), paks.clone()]));
        // Of any name beside the containers, whatever of the game is given.
        let own = file(paks.join("MyGame-1.2.usmap"));
        for given in [&root, &root.join("MyGame"), &paks, &container] {
            assert_eq!(find_mappings(given).as_ref(), Some(&own), "{}", given.display());
        }
        // The usual name wins, and two of other names are none.
        let usual = file(root.join("MyGame/Mappings.usmap"));
        assert_eq!(find_mappings(&root.join("MyGame")), Some(usual.clone()));
        file(paks.join("Other.usmap"));
        assert_eq!(find_mappings(&container), Some(usual));
    }
}

//! Mappings files of a game.

use crate::codec::Scratch;
use crate::error::{Error, Result};
use crate::mappings::Mappings;
use crate::property::Schemas;
use crate::source::Files;
use std::path::{Path, PathBuf};

/// File name of mappings beside a game.
const USUAL: &str = "Mappings.usmap";

/// Number of parent folders searched.
const ABOVE: usize = 3;

/// Reads a `.usmap` of at most `limit` bytes. The error beside the schemas is set if the file is cut off.
pub fn read_mappings(path: &Path, limit: u64) -> Result<(Schemas, Option<Error>)> {
    read_mappings_in(&Files::default(), path, limit)
}

/// Reads mappings as [`read_mappings`] does, from a file that need not be on disk.
pub(crate) fn read_mappings_in(files: &Files, path: &Path, limit: u64) -> Result<(Schemas, Option<Error>)> {
    let bytes = files.read(path, limit)?;
    let malformed = Error::malformed("mappings", path);
    match Mappings::parse_partial(&bytes, &mut Scratch::default()) {
        Ok(partial) => Ok((Schemas::new(&partial.value), partial.fault.map(malformed))),
        Err(fault) => Err(malformed(fault)),
    }
}

/// Finds `Mappings.usmap` in the folder of a game, or in one of the three folders above it.
#[must_use]
pub fn find_mappings(game: &Path) -> Option<PathBuf> {
    let game = std::path::absolute(game).ok()?;
    let above = game.ancestors().take(ABOVE + 1);
    above.map(|folder| folder.join(USUAL)).find(|path| path.is_file())
}

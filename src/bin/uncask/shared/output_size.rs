//! Size of a job's output.

use std::path::Path;
use uncask::error::{Bound, Error, Result};
use uncask::game::{Entry, Game};
use uncask::wire::Size;

/// Uncompressed length of a chunk, in bytes.
pub(crate) fn of(game: &Game, entry: Entry) -> u64 {
    game.at(entry).container().map_or(0, |container| container.table().chunk_len(entry.chunk))
}

/// Checks the total length against the limit. A table of contents can promise far more than its data holds, by
/// referring to the same blocks again and again.
pub(crate) fn check(
    limit: Option<Size>,
    game: &Game,
    entries: impl Iterator<Item = Entry>,
    input: &Path,
) -> Result<()> {
    let found = entries.fold(0_u64, |sum, entry| sum.saturating_add(of(game, entry)));
    match limit {
        Some(Size(limit)) if found > limit => {
            let path = input.to_owned();
            Err(Error::Limit { what: "output size", found, limit, bound: Bound::Output, path })
        }
        _ => Ok(()),
    }
}

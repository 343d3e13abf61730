//! Questions about containers that their tables of contents answer: what changed, where the bytes are, who overrides whom.
//!
//! Nothing is decompressed, so that a whole game takes seconds.

mod conflicts;
mod diff;
mod report;
mod usage;

pub use conflicts::{Conflict, conflicts};
pub use diff::{Change, Changed, Diff, PackageCounts, changed_since, diff};
pub use report::{Columns, Duplicate, Folders, Report, report};
pub use usage::{By, Usage, UsageRow, usage};

use crate::id::ChunkKind;
use crate::store::{Entry, Store};

/// What a chunk holds.
fn kind_of(store: &Store, entry: Entry) -> ChunkKind {
    store.container(entry).map_or(ChunkKind::Invalid, |container| container.toc().chunk_kind(entry.chunk))
}

/// Uncompressed length of a chunk, in bytes.
fn len_of(store: &Store, entry: Entry) -> u64 {
    store.container(entry).map_or(0, |container| container.toc().chunk_len(entry.chunk))
}

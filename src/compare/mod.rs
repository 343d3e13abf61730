//! Questions about containers that their tables of contents answer: what changed, where the bytes are, who overrides whom.
//!
//! Nothing is decompressed, so that a whole game takes seconds.

mod conflicts;
mod diff;
mod join;
mod overview;
mod paths;
mod usage;

pub use conflicts::{Conflict, conflicts};
pub use diff::{Change, Changed, Diff, PackageCounts, changed_since, diff};
pub use overview::{Columns, Duplicate, Folders, Overview, overview};
pub use usage::{By, Usage, UsageRow, usage};

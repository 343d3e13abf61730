//! Questions answered by tables of contents alone: what changed, where the bytes are, which containers override which.
//!
//! Nothing is decompressed, so a whole game takes seconds.

mod conflicts;
mod diff;
mod join;
mod overview;
mod paths;
mod usage;

pub use conflicts::{Conflict, conflicts};
pub use diff::{Change, Changed, Diff, PackageCounts, changed_since, diff};
pub use overview::{Columns, Duplicate, Folders, Overview, overview};
pub use usage::{By, Usage, UsageRow, usage, usage_rows};
pub(crate) use usage::{NO_CLASS, NO_FOLDER};

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

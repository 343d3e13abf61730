//! Two changed versions of an asset as one: a three-way merge of packages that the editor saved.
//!
//! ```text
//! base ──┐  names and references   objects, properties,        objects that stay,
//! ours ──┼─► of all three in one ─► elements, nodes, links ───► come and go ─────────► changes to the package of ours
//! theirs ┘  set of tables          taken from who changed them
//! ```
//!
//! A version *changes* a part if it differs from the base. A part that one version changes is taken from that one, a part that
//! both change alike from either, and a part that both change in different ways is a [conflict](MergeConflict). Parts are:
//! objects, by path (nodes of graphs, components and expressions of materials by their ids); properties of an object or struct,
//! by name; elements of lists that have ids or keys, and links of pins; everything else as a whole, such as a vector or a text.
//! Nothing is made up: each part of the result exists in one of the versions.
//!
//! Data that the editor computes from the rest when it loads an asset, such as compiled functions, and data that only concerns
//! its windows, is no reason for a conflict: it is taken from ours.

mod conflict;
mod file;
mod finish;
mod key;
mod links;
mod lists;
mod objects;
mod relocate;
mod side;
mod slots;
mod three_way;
mod unified;
mod values;
mod versions;

pub use conflict::{ConflictKind, ConflictList, MergeConflict, MergeRefusal, MergeSide};
pub use file::{MergedFile, merge_files};
pub use three_way::merge;
pub use versions::{MergeVersions, VersionMerge};

//! The length of the cooker's header, as a zen package records it.

use crate::version::PackageFileVersion;

/// Returns the bytes of a cooked header that the recorded length leaves out: count and offset of the import
/// type hierarchies (5.7), and the third name of each import (5.8).
pub(crate) const fn unrecorded(versions: PackageFileVersion, has_third_names: bool, imports: usize) -> usize {
    let hierarchies = if versions.has_import_type_hierarchies() { 8 } else { 0 };
    let names = if has_third_names { imports.saturating_mul(8) } else { 0 };
    names.saturating_add(hierarchies)
}

//! Shared by both directions; depends on neither.

use crate::version::PackageFileVersion;

/// Package flag: the package holds a map.
pub(crate) const CONTAINS_MAP: u32 = 0x2_0000;

/// Object flag: other packages may import it.
pub(crate) const PUBLIC: u32 = 0x1;
/// Object flag: it is kept even if nothing refers to it.
pub(crate) const STANDALONE: u32 = 0x2;
/// Object flag: it holds the defaults of a class.
pub(crate) const CLASS_DEFAULT_OBJECT: u32 = 0x10;
/// Object flag: it was created by its owner's class as a part.
pub(crate) const DEFAULT_SUBOBJECT: u32 = 0x4_0000;

/// Bulk data flag: the payload has its own file, even if it is empty.
pub(crate) const SEPARATE: u32 = 0x100;

/// Returns the bytes of a cooked header that the length recorded by a zen package leaves out: count and offset
/// of the import type hierarchies (5.7), and the third name of each import (5.8).
pub(crate) const fn unrecorded_header_len(
    versions: PackageFileVersion,
    has_third_names: bool,
    imports: usize,
) -> usize {
    let hierarchies = if versions.has_import_type_hierarchies() { 8 } else { 0 };
    let names = if has_third_names { imports.saturating_mul(8) } else { 0 };
    names.saturating_add(hierarchies)
}

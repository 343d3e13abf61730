//! Flag bits used by conversions.

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

//! What several parts of a container header begin with.

use crate::id::PackageId;
use crate::wire::{Fault, Reader};
use zerocopy::little_endian::U64;

/// A `u32` number of package ids, then those ids.
pub(super) fn ids(r: &mut Reader<'_>, field: &'static str) -> Result<Vec<PackageId>, Fault> {
    Ok(r.counted_table::<U64>(field)?.iter().map(|id| PackageId(id.get())).collect())
}

/// A `u32` number of bytes, then those bytes.
pub(super) fn sized<'a>(r: &mut Reader<'a>, field: &'static str) -> Result<Reader<'a>, Fault> {
    let len = r.u32(field)?;
    let at = r.offset();
    r.bytes(field, usize::try_from(len).unwrap_or(usize::MAX)).map(|bytes| Reader::with_base(bytes, at))
}

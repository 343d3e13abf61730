//! Prefixes shared by several parts of a container header.

use crate::id::PackageId;
use crate::wire::{Fault, Reader};
use zerocopy::little_endian::U64;

/// Reads a `u32` count of package ids, then the ids.
pub(super) fn ids(r: &mut Reader<'_>, field: &'static str) -> Result<Vec<PackageId>, Fault> {
    Ok(r.counted_table::<U64>(field)?.iter().map(|id| PackageId(id.get())).collect())
}

/// Reads a `u32` length, then that many bytes.
pub(super) fn sized<'a>(r: &mut Reader<'a>, field: &'static str) -> Result<Reader<'a>, Fault> {
    let len = r.u32(field)?;
    let at = r.offset();
    r.bytes(field, usize::try_from(len).unwrap_or(usize::MAX)).map(|bytes| Reader::with_base(bytes, at))
}

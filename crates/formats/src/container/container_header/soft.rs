//! Soft references between packages (since 5.5).
//!
//! ```text
//! 5.6–6.0   i64 offset │ i64 bytes: place of the block, counted from the start of the chunk
//! block     u32 present │ if so: u32 count, package ids │ u32 bytes │ view per package │ u32 indices into the ids
//! ```

use super::parts::{ids, sized};
use crate::{
    container::Lists,
    id::PackageId,
    version::ContainerHeaderVersion,
    wire::{Fault, FaultKind, Reader},
};

/// Soft references between packages.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct SoftReferences {
    /// All referenced packages.
    pub packages: Vec<PackageId>,
    /// For each package of the container, indices into `packages`.
    pub indices: Lists<u32>,
}

impl SoftReferences {
    /// Returns the packages that a package of the container refers to, by its index there.
    pub fn of(&self, package: usize) -> impl Iterator<Item = PackageId> {
        self.indices.get(package).iter().filter_map(|index| self.packages.get(*index as usize).copied())
    }
}

/// Reads the block at its recorded place, and returns the reader after it.
pub(super) fn parse<'a>(
    bytes: &'a [u8],
    mut r: Reader<'a>,
    version: ContainerHeaderVersion,
    packages: usize,
) -> Result<(Option<SoftReferences>, Reader<'a>), Fault> {
    // 5.5 stores the block inline, right here.
    if !version.has_soft_references_offset() {
        let soft = block(&mut r, packages)?;
        return Ok((soft, r));
    }
    let at = r.clone();
    let offset = r.long_size("soft references offset")?;
    let len = r.long_size("soft references size")?;
    let end = offset.checked_add(len).filter(|end| *end <= bytes.len() as u64).ok_or_else(|| {
        let kind = FaultKind::TooLarge { found: offset.saturating_add(len), limit: bytes.len() as u64 };
        at.fault("soft references offset", kind)
    })?;
    // Length 0: not even the flag of an empty block is stored.
    if len == 0 {
        return Ok((None, r));
    }
    let mut part = Reader::section(bytes, offset, end, "soft references")?;
    let soft = block(&mut part, packages)?;
    // A recorded length that does not match the lists means that the layout is wrong.
    part.finish("soft references")?;
    // The engine writes the block right here, too; if it lies elsewhere, reading continues after the pair.
    let rest = if offset == r.offset() { Reader::at(bytes, end, "soft references")? } else { r };
    Ok((soft, rest))
}

fn block(r: &mut Reader<'_>, packages: usize) -> Result<Option<SoftReferences>, Fault> {
    if !r.bool32("contains soft references")? {
        return Ok(None);
    }
    let targets = ids(r, "soft reference package ids")?;
    let mut views = sized(r, "soft reference indices")?;
    let whole = views.clone();
    let mut indices = Lists::default();
    // Lists of hostile views could overlap; together they may not be longer than the data after the views.
    let mut budget = views.remaining().saturating_sub(packages.saturating_mul(8)) / 4;
    for _ in 0..packages {
        let at = views.clone();
        let count = views.u32("soft reference view")? as usize;
        let offset = views.u32("soft reference view")? as usize;
        if count > budget {
            let kind = FaultKind::TooLarge { found: count as u64, limit: budget as u64 };
            return Err(at.fault("soft reference view", kind));
        }
        budget -= count;
        // The offset counts from the view's own first byte, and means nothing for an empty view.
        let start = if count == 0 { 0 } else { at.position().saturating_add(offset) };
        let list = whole.rest().get(start..).and_then(|rest| rest.get(..count * 4)).ok_or_else(|| {
            let kind = FaultKind::TooLarge { found: start as u64, limit: whole.remaining() as u64 };
            at.fault("soft reference view", kind)
        })?;
        indices.push(list.as_chunks::<4>().0.iter().map(|index| u32::from_le_bytes(*index)));
    }
    // Checked once for all lists, so that lookups need no further check.
    if let Some(index) = indices.items().iter().find(|index| **index as usize >= targets.len()) {
        let kind = FaultKind::OutOfRange { index: (*index).into(), count: targets.len() as u64 };
        return Err(whole.fault("soft reference index", kind));
    }
    Ok(Some(SoftReferences { packages: targets, indices }))
}

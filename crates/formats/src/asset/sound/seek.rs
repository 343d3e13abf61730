//! Seek tables: where blocks begin, so that a player can jump. They lie at the start of each chunk, in between the blocks.
//!
//! ```text
//! SEEK │ u8 0 │ u16 samples per entry │ u32 first │ u32 n │ n × u16 distances
//! ```
//!
//! Who reads everything has no use for them. The sums of their distances are the real places of blocks in Opus and Bink Audio
//! of 5.8.

use crate::wire::{Fault, Reader};

const MAGIC: &[u8] = b"SEEK";

/// Skips seek tables, if there are any here.
pub(super) fn skip(r: &mut Reader<'_>) -> Result<(), Fault> {
    while r.rest().starts_with(MAGIC) {
        r.bytes("magic of a seek table", MAGIC.len())?;
        let at = r.clone();
        let form = r.u8("form of a seek table")?;
        if form != 0 {
            return Err(
                at.fault("form of a seek table", crate::wire::FaultKind::Unsupported { found: form.into() })
            );
        }
        r.u16("samples per entry")?;
        r.u32("first entry")?;
        let count = r.count("entries of a seek table", 2)?;
        r.bytes("entries of a seek table", 2 * count)?;
    }
    Ok(())
}

//! Seek tables: positions of blocks, for playback from the middle. They precede the blocks of each chunk.
//!
//! ```text
//! SEEK │ u8 0 │ u16 samples per entry │ u32 first │ u32 n │ n × u16 distances
//! ```
//!
//! Sequential readers skip them. The sums of their distances are the real positions of blocks in Opus and
//! Bink Audio of 5.8.

use crate::wire::{Fault, Reader};

const MAGIC: &[u8] = b"SEEK";

/// Skips seek tables at this position, if any.
pub(super) fn skip(r: &mut Reader<'_>) -> Result<(), Fault> {
    while r.rest().starts_with(MAGIC) {
        r.bytes("magic of a seek table", MAGIC.len())?;
        let at = r.clone();
        let form = r.u8("form of a seek table")?;
        // Form 1 belongs to RAD Audio, and has more fields.
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

//! The signature section of a signed container.
//!
//! ```text
//! i32 n │ toc signature, n bytes │ block signature, n bytes │ SHA-1 of each stored block, 20 × blocks
//! ```
//!
//! The section is skipped: checking the two RSA signatures needs the studio's public key, and the content
//! hashes in the metas already detect damage. From public readers of the format (CUE4Parse skips it, too); no
//! signed container was available.

use crate::wire::{Fault, FaultKind, Reader};

/// Limit on the signature length; the engine writes 512 bytes.
const MAX_SIGNATURE_LEN: u64 = 4096;

pub(super) fn skip(r: &mut Reader<'_>, block_count: usize) -> Result<(), Fault> {
    let start = r.clone();
    let found = r.i32("signature_size")?;
    let len =
        usize::try_from(found).ok().filter(|len| *len as u64 <= MAX_SIGNATURE_LEN).ok_or_else(|| {
            let found = u64::from(found.cast_unsigned());
            start.fault("signature_size", FaultKind::TooLarge { found, limit: MAX_SIGNATURE_LEN })
        })?;
    r.bytes("toc_signature", len)?;
    r.bytes("block_signature", len)?;
    // SHA-1 of each block as stored, padding included.
    r.table::<[u8; 20]>("block_hashes", block_count)?;
    Ok(())
}

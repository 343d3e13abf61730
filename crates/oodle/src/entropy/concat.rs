//! Concatenated arrays: a count, then the arrays one after the other.
//!
//! ```text
//!   u8: count, 2 to 127 │ array │ array │ …
//!   10 …                │ a multi-array with one target
//! ```

use super::multi;
use super::nested::{Arrays, Compound};
use crate::error::{Error, Part, Result};

const FAULT: Error = Error::Malformed(Part::Concat);

/// Decodes a concatenation, or a multi-array with one target.
pub(super) fn decode(arrays: &mut impl Arrays, compound: Compound<'_, '_>) -> Result<()> {
    let Compound { mut payload, dst, mut arena } = compound;
    // No valid payload is shorter.
    if payload.len() < 6 {
        return Err(FAULT);
    }
    let filled = if payload.first().is_some_and(|first| first & 0x80 != 0) {
        let mut end = [0];
        multi::decode(arrays, &mut payload, dst, &mut end, arena)?;
        end[0]
    } else {
        let count = payload.u8(Part::Concat)?;
        if count < 2 {
            return Err(FAULT);
        }
        let mut filled = 0;
        for _ in 0..count {
            // Each array is decoded straight into its place, and no array may be larger than what is left.
            let rest = dst.get_mut(filled..).unwrap_or_default();
            filled += arrays.array_into(&mut payload, rest, arena.nested())?;
        }
        filled
    };
    if filled == dst.len() && payload.is_empty() { Ok(()) } else { Err(FAULT) }
}

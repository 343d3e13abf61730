//! Concatenated arrays: a count, then the arrays, one behind the other.

use super::Entropy;
use crate::error::{OodleError, Part, Result};
use crate::scratch::{Arena, Input};

/// Decodes a concatenation, or a multi-array of one target.
pub(super) fn decode<'a>(
    entropy: &mut Entropy<'_>,
    mut payload: Input<'a>,
    dst: &mut [u8],
    mut arena: Arena<'a>,
) -> Result<()> {
    const FAULT: OodleError = OodleError::Malformed(Part::Concat);
    if payload.len() < 6 {
        return Err(FAULT);
    }
    let filled = if payload.first().is_some_and(|first| first & 0x80 != 0) {
        let mut end = [0];
        entropy.multi_array(&mut payload, dst, &mut end, arena)?;
        end[0]
    } else {
        let count = payload.u8(Part::Concat)?;
        if count < 2 {
            return Err(FAULT);
        }
        let mut filled = 0;
        for _ in 0..count {
            let rest = dst.get_mut(filled..).unwrap_or_default();
            filled += entropy.array_into(&mut payload, rest, arena.nested())?;
        }
        filled
    };
    if filled == dst.len() && payload.is_empty() { Ok(()) } else { Err(FAULT) }
}

//! Exact copies, for the last bytes of an output. They are rare, and kept out of the loops.
//!
//! `out` ends where the chunk does; `pos` is how far it is filled.

use crate::lz::plain::Output;

/// See [`Writer::literals`](super::interface::Writer::literals).
#[cold]
#[inline(never)]
pub(super) fn literals<const DELTA: bool>(out: &mut [u8], pos: usize, literals: &[u8], last: usize) -> bool {
    let mut out = Output::at(out, pos);
    let done = if DELTA { out.add(literals, last) } else { out.copy(literals) };
    done.is_ok()
}

/// See [`Writer::copy_match`](super::interface::Writer::copy_match).
#[cold]
#[inline(never)]
pub(super) fn copy_match(out: &mut [u8], pos: usize, distance: usize, len: usize) -> bool {
    Output::at(out, pos).copy_match(distance, len).is_ok()
}

/// See [`Writer::bytewise`](super::interface::Writer::bytewise): there is no faster way, so all writers use it.
#[inline]
pub(super) fn bytewise(
    out: &mut [u8],
    pos: usize,
    run: usize,
    distance: usize,
    mut next: impl FnMut(u8) -> Option<u8>,
) -> bool {
    let Some(from) = pos.checked_sub(distance).filter(|_| distance > 0) else { return false };
    // From the first byte that is read to the last one that is written.
    let Some(reach) = out.get_mut(from..).and_then(|out| out.get_mut(..distance + run)) else { return false };
    for index in 0..run {
        let base = reach.get(index).copied().unwrap_or_default();
        let (Some(byte), Some(slot)) = (next(base), reach.get_mut(index + distance)) else { return false };
        *slot = byte;
    }
    true
}

//! Compound arrays: concatenations, and multi-arrays, whose targets are assembled from intervals of a pool of
//! arrays.
//!
//! ```text
//!   u8: count, 2 to 127 │ array │ array │ …
//!   1 0 kkkkkk │ k pool arrays │ u16: bit 15 packed, bits 0–13 v │ index array (│ length-class array)
//!   │ v bytes of bits
//! ```
//!
//! Parts of different targets (such as the 16 literal lists of Leviathan) that are alike lie in one pool
//! array, and share its table of codes.
//!
//! An index names a pool array (from 1), or ends a target (0). Every interval takes its bytes from the front
//! of what is left of its pool array. Without a pool, the targets follow as plain arrays.

use super::nested::{Arrays, Compound};
use crate::bits::{Backward, Forward};
use crate::error::{Error, Result, StreamPart};
use crate::views::{Arena, Input};

const FAULT: Error = Error::Malformed(StreamPart::MultiArray);
const CONCAT_FAULT: Error = Error::Malformed(StreamPart::Concat);

/// Limit of mantissa bits of an interval's length.
const MAX_CLASS: u8 = 16;

/// Decodes a concatenation, or a multi-array with one target.
pub(super) fn decode_compound(arrays: &mut impl Arrays, compound: Compound<'_, '_>) -> Result<()> {
    let Compound { mut payload, dst, mut arena } = compound;
    // No valid payload is shorter.
    if payload.len() < 6 {
        return Err(CONCAT_FAULT);
    }
    let filled = if payload.first().is_some_and(|first| first & 0x80 != 0) {
        let mut end = [0];
        decode(arrays, &mut payload, dst, &mut end, arena)?;
        end[0]
    } else {
        let count = payload.u8(StreamPart::Concat)?;
        if count < 2 {
            return Err(CONCAT_FAULT);
        }
        let mut filled = 0;
        for _ in 0..count {
            // Each array is decoded straight into its place, and no array may be larger than what is left.
            let rest = dst.get_mut(filled..).unwrap_or_default();
            filled += arrays.array_into(&mut payload, rest, arena.nested())?;
        }
        filled
    };
    if filled == dst.len() && payload.is_empty() { Ok(()) } else { Err(CONCAT_FAULT) }
}

/// Decodes one target for every element of `ends`.
pub(super) fn decode<'a, 'i: 'a>(
    arrays: &mut impl Arrays,
    input: &mut Input<'i>,
    out: &mut [u8],
    ends: &mut [usize],
    mut arena: Arena<'a>,
) -> Result<()> {
    let flags = input.u8(StreamPart::MultiArray)?;
    if flags & 0xC0 != 0x80 {
        return Err(FAULT);
    }
    // No pool: the targets are plain arrays.
    if flags == 0x80 {
        return decode_plain(arrays, input, out, ends, arena);
    }
    let mut pool: [&[u8]; 63] = [&[]; 63];
    for source in pool.iter_mut().take(usize::from(flags & 63)) {
        // A pool array may be larger than any target: only the memory that is left limits it.
        let limit = arena.left();
        // 63 is the most that six bits can ask for.
        *source = arrays.array(input, &mut arena, limit)?.bytes();
    }
    let pool = pool.get_mut(..usize::from(flags & 63)).unwrap_or_default();
    let intervals = Intervals::parse(arrays, input, ends.len(), &mut arena)?;
    intervals.assemble(pool, out, ends).ok_or(FAULT)
}

fn decode_plain(
    arrays: &mut impl Arrays,
    input: &mut Input<'_>,
    out: &mut [u8],
    ends: &mut [usize],
    mut arena: Arena<'_>,
) -> Result<()> {
    let mut filled = 0;
    for end in ends {
        let rest = out.get_mut(filled..).unwrap_or_default();
        filled += arrays.array_into(input, rest, arena.nested())?;
        *end = filled;
    }
    Ok(())
}

/// Script by which targets are assembled.
struct Intervals<'a> {
    /// Packed: source in the low nibble, length class in the high one. Otherwise sources only.
    indices: &'a [u8],
    /// Length classes of all indices but the terminators, unless packed.
    classes: Option<&'a [u8]>,
    bits: Input<'a>,
}

impl<'a> Intervals<'a> {
    fn parse<'i: 'a>(
        arrays: &mut impl Arrays,
        input: &mut Input<'i>,
        targets: usize,
        arena: &mut Arena<'a>,
    ) -> Result<Self> {
        let word = input.u16_le(StreamPart::MultiArray)?;
        let limit = arena.left();
        let indices = arrays.array(input, arena, limit)?.bytes();
        // Every target ends with a terminator, so a script of terminators alone has no interval.
        let intervals = indices.len().checked_sub(targets).filter(|count| *count > 0).ok_or(FAULT)?;
        let classes = if word & 0x8000 == 0 {
            // Terminators have no class here, so the count of classes is known.
            let classes = arrays.array(input, arena, intervals)?.bytes();
            if classes.len() != intervals || classes.iter().any(|class| *class > MAX_CLASS) {
                return Err(FAULT);
            }
            Some(classes)
        } else {
            None
        };
        let bits = input.take(word & 0x3FFF, StreamPart::MultiArray)?;
        Ok(Self { indices, classes, bits })
    }

    /// Runs the script. At its end, script, bits and pool must all be used up.
    fn assemble(&self, pool: &mut [&[u8]], out: &mut [u8], ends: &mut [usize]) -> Option<()> {
        let mut classes = self.classes.map(<[u8]>::iter);
        let mut lengths = Lengths::new(self.bits);
        let mut ends = ends.iter_mut();
        let mut filled = 0;
        let mut open = true;
        for index in self.indices {
            // Source and length class of the next interval. In packed form a terminator has a class as well,
            // whose length is read and ignored.
            let (source, class) = match &mut classes {
                None => (*index & 15, Some(*index >> 4)),
                Some(_) if *index == 0 => (0, None),
                Some(classes) => (*index, classes.next().copied()),
            };
            let length = class.map_or(0, |class| lengths.next(class));
            open = source != 0;
            if source == 0 {
                *ends.next()? = filled;
                continue;
            }
            // The interval is cut off the front of the pool array; the next one from the same array continues
            // there.
            let source = pool.get_mut(usize::from(source) - 1)?;
            let (interval, rest) = source.split_at_checked(length)?;
            out.get_mut(filled..filled + length)?.copy_from_slice(interval);
            filled += length;
            *source = rest;
        }
        // Anything left over would mean that script and pool belong to different data.
        let script_used = classes.is_none_or(|classes| classes.as_slice().is_empty());
        let complete = !open && ends.next().is_none();
        let exact = script_used && complete && lengths.fit(self.bits.len());
        (exact && pool.iter().all(|source| source.is_empty())).then_some(())
    }
}

/// Interval lengths: even ones from the front of the bit area, odd ones from its back.
struct Lengths<'a> {
    forward: Forward<'a>,
    backward: Backward<'a>,
    odd: bool,
}

impl<'a> Lengths<'a> {
    fn new(bits: Input<'a>) -> Self {
        Self { forward: Forward::new(bits), backward: Backward::new(bits), odd: false }
    }

    /// Reads a length: 2^class plus `class` bits.
    fn next(&mut self, class: u8) -> usize {
        let bits = u32::from(class);
        let low = if self.odd { self.backward.take(bits) } else { self.forward.take(bits) };
        self.odd = !self.odd;
        low as usize + (1 << bits)
    }

    fn fit(&self, len: usize) -> bool {
        self.forward.bytes_used() + self.backward.bytes_used() <= len
    }
}

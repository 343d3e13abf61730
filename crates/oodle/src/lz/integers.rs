//! Offsets and long lengths of Kraken and Leviathan: packed bytes and extra bits.
//!
//! The extra bits are in one area at the end of the chunk, read from both ends:
//!
//! ```text
//!   forward: offset 0, 2, 4, … │ long length 0, 2, …  → ←  … │ long length 1, 3, … │ offset 1, 3, … │ count :backward
//! ```
//!
//! A distance is nearly a float: the packed byte has its exponent and top bits, which entropy coding makes
//! short if they are frequent; the low bits are as good as random and stay as they are. Both directions are
//! read at once, so that two chains of loads and shifts overlap.
#![expect(
    clippy::inline_always,
    reason = "bodies must be compiled with the processor features of their callers"
)]

use crate::backend::Backend;
use crate::bits::{Backward, Forward, Reader, top_bits};
use crate::entropy::{Arrays as _, Entropy};
use crate::error::{Error, Result, StreamPart};
use crate::views::{Arena, Input, Padded};

/// Most long lengths of one chunk (each stands for 255 bytes and more).
const MAX_LONG: usize = 512;

/// Packed length to which a long length is added.
const ESCAPE: u8 = 255;

/// Conversion of packed offset bytes into distances.
#[derive(Clone, Copy)]
pub(super) enum OffsetCoding<'a> {
    /// A low nibble and a logarithm.
    Legacy,
    /// A float with 3 bits of mantissa.
    Unscaled,
    /// A float times a factor, plus an array of low parts.
    Scaled { factor: u32, low: Padded<'a> },
}

/// Packed offsets and lengths, and the area of their extra bits.
pub(super) struct Integers<'a> {
    pub(super) coding: OffsetCoding<'a>,
    pub(super) offsets: Padded<'a>,
    pub(super) lengths: Padded<'a>,
    pub(super) bits: Input<'a>,
    /// Separate bit area of the long lengths.
    pub(super) excess: Option<Input<'a>>,
}

/// Values of a chunk. Both lists have readable entries after their end.
pub(super) struct Values<'a> {
    pub(super) offsets: &'a [u32],
    pub(super) offset_count: usize,
    pub(super) lengths: &'a [u32],
    pub(super) length_count: usize,
}

impl Integers<'_> {
    /// Unpacks both lists into the given buffers.
    pub(super) fn unpack<'b>(
        &self,
        backend: Backend,
        offsets: &'b mut [u32],
        lengths: &'b mut [u32],
    ) -> Result<Values<'b>> {
        backend.run(
            #[inline(always)]
            || self.unpack_inline(offsets, lengths),
        )
    }

    #[inline(always)]
    fn unpack_inline<'b>(&self, offsets: &'b mut [u32], lengths: &'b mut [u32]) -> Result<Values<'b>> {
        // The number of long lengths comes first, at the back. With a separate area it is not stored, but
        // equals the number of escapes.
        let mut pair = Pair { forward: Forward::new(self.bits), backward: Backward::new(self.bits) };
        let long_count = match self.excess {
            Some(_) => escape_count(self.lengths.bytes()),
            None => pair.long_count()?,
        };
        // The extra bits of all offsets come next, then those of the long lengths.
        let offset_slots =
            offsets.get_mut(..self.offsets.len()).ok_or(Error::Malformed(StreamPart::Offsets))?;
        pair.offsets(self.coding, self.offsets.bytes(), offset_slots)?;
        let split = lengths.split_at_mut_checked(self.lengths.len());
        let (length_slots, after_lengths) = split.ok_or(Error::Malformed(StreamPart::Lengths))?;
        widen(self.lengths.bytes(), length_slots);
        // The command loops read one entry too many, and add to it: a value left there by an earlier chunk
        // could overflow 32 bits.
        if let Some(after) = after_lengths.first_mut() {
            *after = 0;
        }
        let escapes = self.lengths.bytes();
        if let Some(area) = self.excess {
            let mut own = Pair { forward: Forward::new(area), backward: Backward::new(area) };
            own.long_lengths(long_count, escapes, length_slots)?;
            if own.bytes_used() > area.len() {
                return Err(Error::Malformed(StreamPart::Lengths));
            }
        } else {
            pair.long_lengths(long_count, escapes, length_slots)?;
        }
        // Neither reader has looked for the end on the way. If they meet, each has read exactly its own bits.
        if pair.bytes_used() != self.bits.len() {
            return Err(Error::Malformed(StreamPart::Offsets));
        }
        Ok(Values { offsets, offset_count: self.offsets.len(), lengths, length_count: self.lengths.len() })
    }
}

/// Counts the long lengths.
fn escape_count(packed: &[u8]) -> usize {
    packed.iter().map(|byte| usize::from(*byte == ESCAPE)).sum()
}

/// Adds 3 to every packed length: shorter ones are in the commands.
fn widen(packed: &[u8], lengths: &mut [u32]) {
    for (length, byte) in lengths.iter_mut().zip(packed) {
        *length = u32::from(*byte) + 3;
    }
}

/// The two readers of a bit area.
struct Pair<'a> {
    forward: Forward<'a>,
    backward: Backward<'a>,
}

impl Pair<'_> {
    fn bytes_used(&self) -> usize {
        self.forward.bytes_used() + self.backward.bytes_used()
    }

    /// Reads the number of long lengths: Elias gamma of the number plus one.
    fn long_count(&mut self) -> Result<usize> {
        let zeros = self.backward.peek().leading_zeros();
        // No valid number is longer.
        if zeros > 18 {
            return Err(Error::Malformed(StreamPart::Lengths));
        }
        self.backward.skip(zeros);
        let count = self.backward.take(zeros + 1) as usize - 1;
        if count > MAX_LONG { Err(Error::Malformed(StreamPart::Lengths)) } else { Ok(count) }
    }

    #[inline(always)]
    fn offsets(&mut self, coding: OffsetCoding<'_>, packed: &[u8], offsets: &mut [u32]) -> Result<()> {
        let done = match coding {
            OffsetCoding::Legacy => self.distances::<Legacy>(packed, offsets),
            OffsetCoding::Unscaled => self.distances::<Float>(packed, offsets),
            OffsetCoding::Scaled { factor, low } => {
                self.distances::<Float>(packed, offsets).and_then(|()| scale(offsets, factor, low.bytes()))
            }
        };
        done.ok_or(Error::Malformed(StreamPart::Offsets))
    }

    /// Reads distances: even entries from the front, odd ones from the back.
    #[inline(always)]
    fn distances<D: Distance>(&mut self, packed: &[u8], offsets: &mut [u32]) -> Option<()> {
        let (pairs, last) = packed.as_chunks();
        let (slots, last_slot) = offsets.as_chunks_mut();
        // Two entries per round, one from each end, so that their loads and shifts overlap.
        for ([even, odd], slots) in pairs.iter().zip(slots) {
            *slots = [D::read(&mut self.forward, *even)?, D::read(&mut self.backward, *odd)?];
        }
        if let ([even], [slot]) = (last, last_slot) {
            *slot = D::read(&mut self.forward, *even)?;
        }
        Some(())
    }

    fn long_lengths(&mut self, count: usize, packed: &[u8], lengths: &mut [u32]) -> Result<()> {
        let mut left = count;
        // Long lengths are rare, so the widened list is patched where an escape stands.
        let escaped = lengths.iter_mut().zip(packed).filter(|(_, byte)| **byte == ESCAPE);
        for (index, (length, _)) in escaped.enumerate() {
            left = left.checked_sub(1).ok_or(Error::Malformed(StreamPart::Lengths))?;
            let long =
                if index % 2 == 0 { long_length(&mut self.forward) } else { long_length(&mut self.backward) };
            *length += long.ok_or(Error::Malformed(StreamPart::Lengths))?;
        }
        if left == 0 { Ok(()) } else { Err(Error::Malformed(StreamPart::Lengths)) }
    }
}

/// Coding of distances in one byte and extra bits.
trait Distance {
    /// Reads a distance; `None` if it is malformed or does not fit into 32 bits.
    fn read<const BACKWARD: bool>(bits: &mut Reader<'_, BACKWARD>, byte: u8) -> Option<u32>;
}

/// Coding with the low 4 bits of a distance in the byte, next to its logarithm; the bits between are extra.
/// From 0xF0 on, 12 low bits are extra as well. The constants make the nearest distance 8, and let the second
/// form continue about where the first one ends.
struct Legacy;

impl Distance for Legacy {
    #[inline(always)]
    fn read<const BACKWARD: bool>(bits: &mut Reader<'_, BACKWARD>, byte: u8) -> Option<u32> {
        let byte = u32::from(byte);
        // At most 31 bits are taken from one load.
        let word = bits.peek();
        // Always so in blocks of 64 KiB, and well predicted for that.
        if byte < 0xF0 {
            let count = (byte >> 4) + 4;
            bits.skip(count);
            let high = (1 << count) + top_bits(word, count);
            return Some((high << 4) + (byte & 15) - 248);
        }
        let count = byte - 0xF0 + 4;
        bits.skip(count + 12);
        // 64 bits: the largest code would be 2^32.
        let high = (1 << count) + u64::from(top_bits(word, count));
        let low = u64::from(top_bits(word << count, 12));
        u32::try_from((high << 12) + low + 8_322_816).ok()
    }
}

/// Coding as a float without sign: exponent (5 bits) and mantissa (3 bits below a leading 1) in the byte, the
/// rest of the mantissa as extra bits. 8 is subtracted, so that the smallest value is 0.
struct Float;

impl Distance for Float {
    #[inline(always)]
    fn read<const BACKWARD: bool>(bits: &mut Reader<'_, BACKWARD>, byte: u8) -> Option<u32> {
        let byte = u32::from(byte);
        let count = byte >> 3;
        // The format allows no larger exponents.
        if count > 26 {
            return None;
        }
        let word = bits.peek();
        bits.skip(count);
        Some(((8 + (byte & 7)) << count) + top_bits(word, count) - 8)
    }
}

/// Multiplies all distances, and adds their low parts.
fn scale(offsets: &mut [u32], factor: u32, low: &[u8]) -> Option<()> {
    for (offset, low) in offsets.iter_mut().zip(low) {
        *offset = offset.checked_mul(factor)?.checked_add(u32::from(*low))?;
    }
    Some(())
}

/// Reads a long length: Exp-Golomb with 6 low bits.
fn long_length<const BACKWARD: bool>(bits: &mut Reader<'_, BACKWARD>) -> Option<u32> {
    // n zeros announce a number of n + 7 bits, whose top bit is the 1 that ends the zeros. The smallest is
    // 64, which is subtracted.
    let zeros = Some(bits.peek().leading_zeros()).filter(|zeros| *zeros <= 12)?;
    bits.skip(zeros);
    Some(bits.take(zeros + 7) - 64)
}

/// Reads the offset arrays as Kraken and Leviathan share them: scale byte, packed offsets, low parts.
pub(super) fn read_offsets<'a>(
    entropy: &mut Entropy<'_>,
    input: &mut Input<'a>,
    arena: &mut Arena<'a>,
    limit: usize,
) -> Result<(OffsetCoding<'a>, Padded<'a>)> {
    // Offsets that share a factor (records of 12 bytes, say) are divided by it; the remainders are a separate
    // list. The factor is stored plus 127, so its top bit also tells that it is present.
    let scale_byte = input.first().filter(|byte| byte & 0x80 != 0 && input.len() >= 3);
    let Some(scale_byte) = scale_byte else {
        return Ok((OffsetCoding::Legacy, entropy.array(input, arena, limit)?));
    };
    input.u8(StreamPart::Offsets)?;
    let offsets = entropy.array(input, arena, limit)?;
    // 1 to 128. A factor of 1 has no remainders.
    let factor = u32::from(scale_byte) - 127;
    if factor == 1 {
        return Ok((OffsetCoding::Unscaled, offsets));
    }
    let low = entropy.array(input, arena, limit)?;
    if low.len() != offsets.len() {
        return Err(Error::Malformed(StreamPart::Offsets));
    }
    Ok((OffsetCoding::Scaled { factor, low }, offsets))
}

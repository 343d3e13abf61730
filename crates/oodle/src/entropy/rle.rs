//! Run-length arrays: literals from the front and commands from the back of one buffer, until they meet.
//!
//! ```text
//!   last byte c     size
//!   0, 0x30..=0xFF   1    copy 15 - (c & 15) literals, then fill c >> 4 bytes
//!   0x10..=0x2F      2    v = u16 - 0x1000: copy v & 63, fill v >> 6
//!   0x09..=0x0F      2    fill (u16 - 0x8FF) * 128
//!   0x02..=0x08      2    copy (u16 - 0x1FF) * 64
//!   0x01             1    the fill byte (0 at first) is the next literal
//! ```

use super::nested::{Arrays, Compound};
use crate::error::{Error, Result, StreamPart};

const FAULT: Error = Error::Malformed(StreamPart::RunLength);

/// Decodes a run-length array.
pub(super) fn decode(arrays: &mut impl Arrays, compound: Compound<'_, '_>) -> Result<()> {
    let Compound { mut payload, dst, mut arena } = compound;
    match *payload.bytes() {
        // A single byte fills the whole output.
        [] => Err(FAULT),
        [byte] => {
            dst.fill(byte);
            Ok(())
        }
        // A leading 0 says that the buffer follows as it is.
        [0, ref buffer @ ..] => expand(buffer, dst).ok_or(FAULT),
        _ => {
            // The front of the buffer is an array itself; the rest of the payload follows it.
            let front = arrays.array(&mut payload, &mut arena, usize::MAX)?.bytes();
            let len = front.len() + payload.len();
            let buffer = arena.take(len)?.get_mut(..len).ok_or(FAULT)?;
            let (head, tail) = buffer.split_at_mut(front.len());
            head.copy_from_slice(front);
            tail.copy_from_slice(payload.bytes());
            expand(buffer, dst).ok_or(FAULT)
        }
    }
}

fn expand(mut buffer: &[u8], mut dst: &mut [u8]) -> Option<()> {
    // Commands are read from the back and literals from the front, so neither needs a length; they must meet
    // exactly.
    let mut fill = 0;
    while let [rest @ .., command] = buffer {
        let command = usize::from(*command);
        let (copy, run) = match command {
            0 | 0x30.. => {
                buffer = rest;
                let (copy, run) = (15 - (command & 15), command >> 4);
                // Nearly all commands take this path, which has no loops over single bytes.
                if short_command(buffer, dst, fill, copy).is_some() {
                    buffer = buffer.get(copy..)?;
                    dst = core::mem::take(&mut dst).get_mut(copy + run..)?;
                    continue;
                }
                (copy, run)
            }
            1 => {
                let (literal, rest) = rest.split_first()?;
                // The fill byte stays until the next command of this kind.
                fill = *literal;
                buffer = rest;
                continue;
            }
            _ => {
                let (low, rest) = rest.split_last()?;
                let word = command << 8 | usize::from(*low);
                buffer = rest;
                match command {
                    0x10.. => ((word - 0x1000) & 63, (word - 0x1000) >> 6),
                    0x09.. => (0, (word - 0x8FF) * 128),
                    _ => ((word - 0x1FF) * 64, 0),
                }
            }
        };
        // Every other command copies literals, then fills; either part may be empty.
        let (literals, rest) = buffer.split_at_checked(copy)?;
        let (copied, unfilled) = dst.split_at_mut_checked(copy)?;
        let (filled, unfilled) = unfilled.split_at_mut_checked(run)?;
        copied.copy_from_slice(literals);
        filled.fill(fill);
        buffer = rest;
        dst = unfilled;
    }
    dst.is_empty().then_some(())
}

/// Runs a command of a single byte, as nearly all are, if there is room for the longest of them: a fixed
/// number of bytes is copied, and as many are filled after the literals. The excess is overwritten later.
#[inline]
fn short_command(buffer: &[u8], dst: &mut [u8], fill: u8, copy: usize) -> Option<()> {
    const MOST: usize = 16;
    let literals: &[u8; MOST] = buffer.first_chunk()?;
    let out: &mut [u8; 2 * MOST] = dst.first_chunk_mut()?;
    // The copy may be longer than the literals; the fill then starts where these end.
    *out.first_chunk_mut()? = *literals;
    *out.get_mut(copy..)?.first_chunk_mut()? = [fill; MOST];
    Some(())
}

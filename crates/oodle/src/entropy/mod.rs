//! Entropy-coded byte arrays: the storage of almost everything in a chunk.
//!
//! ```text
//!   bit 7 = 1   short header: 2 bytes (raw bytes) or 3 bytes (coded)
//!   bit 7 = 0   long header:  3 bytes (raw bytes) or 5 bytes (coded)
//!   bits 4–6    0 raw · 1 tANS · 2 Huffman, 3 streams · 3 run lengths · 4 Huffman, 6 streams · 5 concat or multi-array
//! ```
//!
//! The header records the stored and the raw length; a payload must be consumed exactly and fill its output
//! exactly.

mod huffman;
mod lengths;
mod multi;
mod nested;
mod ranges;
mod rle;
mod tans;

use crate::backend::Backend;
use crate::error::{Error, Result, StreamPart};
use crate::views::{Arena, Input, Padded};
pub(crate) use nested::Arrays;
use nested::Compound;

/// Limit of nested arrays; real encoders stop at four levels.
const DEPTH: u8 = 8;

/// Decoding tables, rebuilt for every array that needs one.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    huffman: huffman::Table,
    tans: tans::Table,
}

/// Coding of the payload of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Coding {
    Raw,
    Tans,
    Huffman3,
    RunLength,
    Huffman6,
    Compound,
}

/// Header of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ArrayHeader {
    coding: Coding,
    stored_len: usize,
    raw_len: usize,
}

impl ArrayHeader {
    fn parse(input: &mut Input<'_>) -> Result<Self> {
        let first = input.first().ok_or(Error::Truncated(StreamPart::Array))?;
        let short = first & 0x80 != 0;
        let coding = match first >> 4 & 7 {
            0 => return Self::parse_raw(input, short),
            1 => Coding::Tans,
            2 => Coding::Huffman3,
            3 => Coding::RunLength,
            4 => Coding::Huffman6,
            5 => Coding::Compound,
            _ => return Err(Error::Malformed(StreamPart::Array)),
        };
        // 24 bits: 1 and the coding │ 10 bits: raw length less stored length less 1 │ 10 bits: stored length.
        if short {
            let word = input.u24_be(StreamPart::Array)?;
            let stored_len = word & 0x3FF;
            return Ok(Self { coding, stored_len, raw_len: stored_len + (word >> 10 & 0x3FF) + 1 });
        }
        // 40 bits: 0 and the coding │ 18 bits: raw length less 1 │ 18 bits: stored length.
        let high = usize::from(input.u8(StreamPart::Array)?);
        let low = usize::from_be_bytes_u32(input.array(StreamPart::Array)?);
        let header =
            Self { coding, stored_len: low & 0x3_FFFF, raw_len: ((high & 15) << 14 | low >> 18) + 1 };
        // The short form cannot express this; in the long form no encoder codes an array that does not get
        // shorter.
        if header.stored_len >= header.raw_len {
            return Err(Error::Malformed(StreamPart::Array));
        }
        Ok(header)
    }

    fn parse_raw(input: &mut Input<'_>, short: bool) -> Result<Self> {
        let len = if short {
            usize::from(u16::from_be_bytes(input.array(StreamPart::Array)?) & 0xFFF)
        } else {
            input.u24_be(StreamPart::Array)?
        };
        if len > 0x3_FFFF {
            return Err(Error::Malformed(StreamPart::Array));
        }
        Ok(Self { coding: Coding::Raw, stored_len: len, raw_len: len })
    }
}

/// Widening of a 32-bit big-endian number.
trait FromBe {
    fn from_be_bytes_u32(bytes: [u8; 4]) -> Self;
}

impl FromBe for usize {
    fn from_be_bytes_u32(bytes: [u8; 4]) -> Self {
        bytes.iter().fold(0, |value, byte| value << 8 | Self::from(*byte))
    }
}

/// Decoder of arrays with one set of tables.
pub(crate) struct Entropy<'t> {
    tables: &'t mut Tables,
    backend: Backend,
    depth: u8,
}

impl<'t> Entropy<'t> {
    pub(crate) fn new(tables: &'t mut Tables, backend: Backend) -> Self {
        Self { tables, backend, depth: 0 }
    }

    /// Decodes a section of arrays that are assembled from intervals: one target after another into `out`,
    /// and the end of each into `ends`.
    pub(crate) fn multi_array<'a, 'i: 'a>(
        &mut self,
        input: &mut Input<'i>,
        out: &mut [u8],
        ends: &mut [usize],
        arena: Arena<'a>,
    ) -> Result<()> {
        multi::decode(self, input, out, ends, arena)
    }

    fn payload<'a>(
        &mut self,
        coding: Coding,
        payload: Input<'a>,
        dst: &mut [u8],
        arena: Arena<'a>,
    ) -> Result<()> {
        match coding {
            Coding::Raw => {
                dst.copy_from_slice(payload.bytes());
                Ok(())
            }
            Coding::Tans => tans::decode(&mut self.tables.tans, self.backend, payload, dst),
            Coding::Huffman3 => huffman::decode_three(&mut self.tables.huffman, self.backend, payload, dst),
            Coding::Huffman6 => huffman::decode_six(&mut self.tables.huffman, self.backend, payload, dst),
            Coding::RunLength => self.deeper(|it| rle::decode(it, Compound { payload, dst, arena })),
            Coding::Compound => {
                self.deeper(|it| multi::decode_compound(it, Compound { payload, dst, arena }))
            }
        }
    }

    fn deeper(&mut self, decode: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        // Without a limit, 64 KiB could nest thousands of arrays, and exhaust the stack.
        if self.depth == DEPTH {
            return Err(Error::Malformed(StreamPart::Array));
        }
        self.depth += 1;
        let result = decode(self);
        self.depth -= 1;
        result
    }
}

impl Arrays for Entropy<'_> {
    fn array<'a, 'i: 'a>(
        &mut self,
        input: &mut Input<'i>,
        arena: &mut Arena<'a>,
        limit: usize,
    ) -> Result<Padded<'a>> {
        let header = ArrayHeader::parse(input)?;
        if header.raw_len > limit {
            return Err(Error::Malformed(StreamPart::Array));
        }
        let payload = input.take(header.stored_len, StreamPart::Array)?;
        // Raw arrays are used in place: the input is padded as arrays have to be.
        if header.coding == Coding::Raw {
            return Ok(payload.padded());
        }
        // The arena is the rest of the scratch, so it also bounds the sum of all arrays of a chunk.
        let buf = arena.take(header.raw_len)?;
        let (dst, _) = buf.split_at_mut(header.raw_len);
        self.payload(header.coding, payload, dst, arena.nested())?;
        Ok(Padded::new(buf, header.raw_len))
    }

    fn array_into(&mut self, input: &mut Input<'_>, dst: &mut [u8], arena: Arena<'_>) -> Result<usize> {
        let header = ArrayHeader::parse(input)?;
        // Decoded straight into the caller's buffer, even a raw array has to be copied.
        let payload = input.take(header.stored_len, StreamPart::Array)?;
        let dst = dst.get_mut(..header.raw_len).ok_or(Error::Malformed(StreamPart::Array))?;
        self.payload(header.coding, payload, dst, arena)?;
        Ok(header.raw_len)
    }
}

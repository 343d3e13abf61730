//! Gzip members (RFC 1952): the wrapper is read here, the deflate stream inside by [`super::zlib`].
//!
//! ```text
//! 1F 8B │ 08 │ flags │ time u32 │ extra flags │ system │ by flags: u16 + extra, name NUL, comment NUL, CRC u16
//! deflate stream │ CRC-32 of the output u32 │ length of the output u32
//! ```

use super::zlib::{Wrapper, Zlib, deflate, inflate};
use crate::codec::{Codec, DecodeProblem, EncodeProblem, LevelRange, Scratch};
use crate::wire::{Fault, FaultKind, Reader};
use flate2::Crc;

// The third byte is the method: 8 is deflate, the only one that RFC 1952 defines.
const MAGIC: [u8; 3] = [0x1F, 0x8B, 0x08];
// Bits of the flags byte. Bit 0 (the content is text) changes nothing in the layout.
const HAS_HEADER_CRC: u8 = 2;
const HAS_EXTRA: u8 = 4;
const HAS_NAME: u8 = 8;
const HAS_COMMENT: u8 = 16;

/// Gzip members: one member per block.
#[derive(Debug)]
pub(super) struct Gzip;

impl Codec for Gzip {
    fn decode(&self, block: &[u8], out: &mut [u8], scratch: &mut Scratch) -> Result<(), DecodeProblem> {
        let mut r = Reader::new(block);
        skip_header(&mut r).map_err(DecodeProblem::malformed)?;
        // Raw, because a reset inflate window forgets the gzip wrapper: the header is gone already, the
        // trailer is checked below.
        let used = inflate(Wrapper::Raw, r.rest(), out, scratch)?;
        r.bytes("deflate_stream", used).map_err(DecodeProblem::malformed)?;
        check_trailer(&mut r, out).map_err(DecodeProblem::malformed)?;
        DecodeProblem::check_end(r.remaining())
    }

    fn encode(
        &self,
        bytes: &[u8],
        level: i32,
        out: &mut Vec<u8>,
        scratch: &mut Scratch,
    ) -> Result<(), EncodeProblem> {
        deflate(Wrapper::Gzip, level, bytes, out, scratch)
    }

    fn levels(&self) -> Option<LevelRange> {
        Some(LevelRange { lowest: 0, highest: 9, usual: 6 })
    }

    fn scratch_len(&self, raw_len: usize) -> usize {
        Zlib.scratch_len(raw_len)
    }

    fn encoder_len(&self, level: i32) -> usize {
        Zlib.encoder_len(level)
    }
}

fn skip_header(r: &mut Reader<'_>) -> Result<(), Fault> {
    let start = r.fault("magic", FaultKind::BadMagic);
    if r.array("magic")? != MAGIC {
        return Err(start);
    }
    let flags = r.u8("flags")?;
    // Time u32, extra flags u8, operating system u8: nothing in them affects the content.
    r.bytes("time_and_system", 6)?;
    // The optional fields stand in this order (RFC 1952, section 2.3), whatever the order of their bits.
    if flags & HAS_EXTRA != 0 {
        let len = r.u16("extra_len")?;
        r.bytes("extra", usize::from(len))?;
    }
    if flags & HAS_NAME != 0 {
        skip_text(r, "name")?;
    }
    if flags & HAS_COMMENT != 0 {
        skip_text(r, "comment")?;
    }
    if flags & HAS_HEADER_CRC != 0 {
        // Not verified: it covers the header alone, and the trailer's CRC-32 covers the content.
        r.u16("header_crc")?;
    }
    Ok(())
}

fn skip_text(r: &mut Reader<'_>, field: &'static str) -> Result<(), Fault> {
    let end = r.rest().iter().position(|byte| *byte == 0);
    let end = end.ok_or_else(|| r.fault(field, FaultKind::BadString))?;
    r.bytes(field, end + 1).map(drop)
}

fn check_trailer(r: &mut Reader<'_>, content: &[u8]) -> Result<(), Fault> {
    let mut crc = Crc::new();
    crc.update(content);
    // The length counts modulo 2^32, as `amount` does.
    for (field, expected) in [("crc", crc.sum()), ("length", crc.amount())] {
        let at = r.clone();
        let found = r.u32(field)?;
        if found != expected {
            let (found, expected) = (u64::from(found), u64::from(expected));
            return Err(at.fault(field, FaultKind::Unexpected { found, expected }));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `printf uncask | gzip -n`, with every optional field put in.
    #[test]
    fn optional_fields_are_stepped_over() {
        let (mut plain, mut scratch) = (Vec::new(), Scratch::default());
        Gzip.encode(b"uncask", 6, &mut plain, &mut scratch).unwrap();
        let (header, body) = plain.split_at(10);
        let mut full = header.to_vec();
        full[3] = HAS_EXTRA | HAS_NAME | HAS_COMMENT | HAS_HEADER_CRC;
        full.extend_from_slice(b"\x03\x00abcname\0comment\0\xAA\xBB");
        full.extend_from_slice(body);

        let mut out = [0; 6];
        Gzip.decode(&full, &mut out, &mut scratch).unwrap();
        assert_eq!(&out, b"uncask");

        let last = full.len() - 1;
        full[last] ^= 1;
        let error = Gzip.decode(&full, &mut out, &mut scratch).unwrap_err().to_string();
        assert!(error.starts_with("is malformed: length: found 16777222, expected 6"), "{error}");
    }
}

//! Compressed buffers: the wrapping of payloads in a package trailer.
//!
//! ```text
//! 64 bytes, big-endian   u32 0xB7756362 │ u32 CRC-32 │ u8 method │ u8 compressor │ u8 level │ u8 log2 of block size
//!                        │ u32 blocks │ u64 raw bytes │ u64 total bytes │ BLAKE3 of the raw bytes, 32
//! then                   u32 bytes of each block │ blocks
//! ```
//!
//! No real file contained one: tested on bytes that are spelled out.

use crate::wire::{Fault, FaultKind, Reader};

const MAGIC: u32 = 0xB775_6362;

/// The header of a compressed buffer.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct CompressedBuffer {
    /// Compression of the blocks.
    pub method: BufferMethod,
    /// Length of a raw block in bytes.
    pub block_len: u64,
    /// Decompressed length in bytes.
    pub raw_len: u64,
    /// Length of the whole buffer in bytes, header included.
    pub total_len: u64,
    /// BLAKE3 of the raw bytes.
    pub raw_hash: [u8; 32],
    /// Stored length of each block in bytes.
    pub blocks: Vec<u32>,
}

/// Compression of the blocks of a buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
pub enum BufferMethod {
    /// The raw bytes follow the header.
    None,
    /// Oodle.
    Oodle,
    /// LZ4.
    Lz4,
}

impl CompressedBuffer {
    /// Reads the header at the start of `bytes` and, if there are blocks, their stored lengths.
    pub fn parse(bytes: &[u8]) -> Result<Self, Fault> {
        let mut r = Reader::new(bytes);
        let at = r.clone();
        if be32(&mut r, "compressed buffer: magic")? != MAGIC {
            return Err(at.fault("compressed buffer: magic", FaultKind::BadMagic));
        }
        be32(&mut r, "compressed buffer: checksum")?;
        let method = method(&mut r)?;
        // The compressor and its level matter only for writing.
        r.array::<2>("compressed buffer: compressor")?;
        let exponent = r.u8("compressed buffer: block size")?;
        let count = be32(&mut r, "compressed buffer: block count")?;
        let raw_len = u64::from_be_bytes(r.array("compressed buffer: raw size")?);
        let total_len = u64::from_be_bytes(r.array("compressed buffer: total size")?);
        let raw_hash = r.array("compressed buffer: hash")?;
        // A shift by 64 or more is damage; the largest block length then fails later checks.
        let block_len = 1u64.checked_shl(exponent.into()).unwrap_or(u64::MAX);
        let blocks = match method {
            // Without compression the block count is not a list of lengths.
            BufferMethod::None => Vec::new(),
            _ => sizes(&mut r, count)?,
        };
        Ok(Self { method, block_len, raw_len, total_len, raw_hash, blocks })
    }
}

fn be32(r: &mut Reader<'_>, field: &'static str) -> Result<u32, Fault> {
    r.array(field).map(u32::from_be_bytes)
}

fn method(r: &mut Reader<'_>) -> Result<BufferMethod, Fault> {
    let at = r.clone();
    match r.u8("compressed buffer: method")? {
        0 => Ok(BufferMethod::None),
        3 => Ok(BufferMethod::Oodle),
        4 => Ok(BufferMethod::Lz4),
        found => Err(at.fault("compressed buffer: method", FaultKind::Unsupported { found: found.into() })),
    }
}

fn sizes(r: &mut Reader<'_>, count: u32) -> Result<Vec<u32>, Fault> {
    let limit = r.remaining() / 4;
    let count = count as usize;
    if count > limit {
        let kind = FaultKind::TooLarge { found: count as u64, limit: limit as u64 };
        return Err(r.fault("compressed buffer: block count", kind));
    }
    r.repeat(count, |r| be32(r, "compressed buffer: block"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn buffer(method: u8, blocks: &[u32]) -> Vec<u8> {
        let mut bytes = b"\xB7\x75\x63\x62".to_vec();
        bytes.extend([0, 0, 0, 0, method, 2, 4, 18]);
        bytes.extend(u32::try_from(blocks.len()).unwrap().to_be_bytes());
        bytes.extend(300_000u64.to_be_bytes());
        bytes.extend(1000u64.to_be_bytes());
        bytes.extend([5; 32]);
        bytes.extend(blocks.iter().flat_map(|block| block.to_be_bytes()));
        bytes
    }

    #[test]
    fn a_header_is_big_endian() {
        let found = CompressedBuffer::parse(&buffer(3, &[700, 228])).unwrap();
        assert_eq!((found.method, found.block_len, found.raw_len), (BufferMethod::Oodle, 1 << 18, 300_000));
        assert_eq!((found.total_len, found.blocks), (1000, vec![700, 228]));
        assert_eq!(CompressedBuffer::parse(&buffer(0, &[])).unwrap().method, BufferMethod::None);
    }

    #[test]
    fn hostile_headers_are_refused() {
        let whole = buffer(3, &[1, 2, 3]);
        assert!((0..whole.len()).all(|len| CompressedBuffer::parse(&whole[..len]).is_err()));
        let mut many = whole;
        many[12] = 0xFF;
        let fault = CompressedBuffer::parse(&many).unwrap_err();
        assert_eq!(fault.field, "compressed buffer: block count");
        assert_eq!(
            CompressedBuffer::parse(&buffer(9, &[])).unwrap_err().kind,
            FaultKind::Unsupported { found: 9 }
        );
    }
}

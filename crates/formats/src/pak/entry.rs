//! Entries, which describe the storage of a file: the long form, and the packed form of version 10 and later.
//!
//! ```text
//! long    offset u64 │ stored u64 │ raw u64 │ method u32 (8A: u8) │ [1 time u64] │ SHA-1 20
//!         [≥3 [compressed: count u32, start u64 and end u64 each] │ flags u8 │ block size u32]
//! packed  u32: block size >> 11 (6) │ blocks (16) │ encrypted (1) │ method (6) │ stored, raw, offset are u32
//! (3)
//!         [block size u32] │ offset │ raw │ [IV 12] │ [compressed: stored │ [block sizes u32 each]]
//! ```
//!
//! The long form also precedes the data of every file, with offset 0.

use super::Footer;
use crate::{
    crypto::IV_LEN,
    version::PakVersion,
    wire::{Fault, FaultKind, Reader},
};

/// A compressed block of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block {
    /// Offset in the pak.
    pub offset: u64,
    /// Stored length in bytes, without the padding of encryption.
    pub len: u64,
}

/// Storage of a file (`FPakEntry`).
#[doc(alias = "FPakEntry")]
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Offset of its entry header in the pak.
    pub offset: u64,
    /// Stored length in bytes.
    pub stored_len: u64,
    /// Uncompressed length in bytes.
    pub raw_len: u64,
    /// Compression method: 0 is none. Before version 8 an old method number, later an index of its name, from
    /// 1.
    pub method: u32,
    /// SHA-1 of the stored bytes; packed entries have none.
    pub hash: Option<[u8; 20]>,
    /// Compressed blocks; empty for an uncompressed file.
    pub blocks: Vec<Block>,
    /// Uncompressed length of every block except the last.
    pub block_size: u32,
    /// True if its data is encrypted.
    pub is_encrypted: bool,
    /// True if it deletes a file in lower paks.
    pub is_deleted: bool,
    /// Initialisation vector (AES-CTR).
    pub iv: Option<[u8; IV_LEN]>,
}

/// Length of the entry header before the data, without blocks.
const HEADER_LEN: u64 = 8 * 3 + 4 + 20 + 1 + 4;

impl Entry {
    /// Returns the offset of its data, after the entry header.
    #[must_use]
    pub fn data_offset(&self, footer: &Footer) -> u64 {
        self.offset.saturating_add(header_len(footer, self.blocks.len(), self.method != 0))
    }

    /// Reads the long form.
    pub(super) fn read(r: &mut Reader<'_>, footer: &Footer) -> Result<Self, Fault> {
        let version = footer.version;
        let mut entry = Self {
            offset: r.u64("entry offset")?,
            stored_len: r.u64("entry stored size")?,
            raw_len: r.u64("entry raw size")?,
            ..Self::default()
        };
        entry.method =
            if footer.has_short_methods { r.u8("entry method")?.into() } else { r.u32("entry method")? };
        r.when(version.has_timestamps(), |r| r.u64("entry timestamp"))?;
        entry.hash = Some(r.array("entry hash")?);
        if version.has_blocks() {
            if entry.method != 0 {
                // Offsets were absolute before version 5.
                let base = if version.has_relative_blocks() { entry.offset } else { 0 };
                entry.blocks = r.list("entry blocks", 16, |r| block(r, base))?;
            }
            let flags = r.u8("entry flags")?;
            entry.is_encrypted = flags & 1 != 0;
            // Bit 1 is the delete record of version 6.
            entry.is_deleted = flags & 2 != 0;
            entry.block_size = r.u32("entry block size")?;
        }
        Ok(entry)
    }

    /// Reads the packed form.
    pub(super) fn read_packed(r: &mut Reader<'_>, footer: &Footer) -> Result<Self, Fault> {
        let bits = r.u32("packed entry")?;
        // The largest value of the field announces an explicit size.
        let block_size = match bits & 0x3F {
            0x3F => r.u32("packed entry block size")?,
            size => size << 11,
        };
        let count = bits >> 6 & 0xFFFF;
        let mut number =
            |bit: u32, field| if bits >> bit & 1 == 1 { r.u32(field).map(u64::from) } else { r.u64(field) };
        let (offset, raw_len) = (number(31, "packed entry offset")?, number(30, "packed entry raw size")?);
        let (is_encrypted, method) = (bits >> 22 & 1 == 1, bits >> 23 & 0x3F);
        let has_iv = is_encrypted && matches!(footer.encryption, Ok(super::PakEncryption::Ctr(_)));
        let iv = r.when(has_iv, |r| r.array("packed entry IV"))?;
        // Uncompressed files store one length only.
        let stored_len = match (method, bits >> 29 & 1) {
            (0, _) => raw_len,
            (_, 1) => r.u32("packed entry stored size")?.into(),
            _ => r.u64("packed entry stored size")?,
        };
        let mut entry =
            Self { offset, stored_len, raw_len, method, block_size, is_encrypted, iv, ..Self::default() };
        entry.read_packed_blocks(r, footer, count)?;
        Ok(entry)
    }

    /// Reads the blocks. A single plain block is the whole file and is not listed; otherwise the length of
    /// each is, and they are contiguous.
    fn read_packed_blocks(&mut self, r: &mut Reader<'_>, footer: &Footer, count: u32) -> Result<(), Fault> {
        let mut at = self.offset.saturating_add(header_len(footer, count as usize, self.method != 0));
        if count == 1 && !self.is_encrypted {
            self.blocks = vec![Block { offset: at, len: self.stored_len }];
        } else {
            let whole = r.clone();
            // Checked before the list is allocated.
            if r.remaining() / 4 < count as usize {
                let needed = u64::from(count) * 4;
                let left = r.remaining() as u64;
                return Err(whole.fault("packed entry blocks", FaultKind::Truncated { needed, left }));
            }
            self.blocks = r.repeat(count as usize, |r| {
                let len = u64::from(r.u32("packed entry block")?);
                let block = Block { offset: at, len };
                // Encrypted blocks are padded to whole AES blocks.
                at = at.saturating_add(if self.is_encrypted { len.next_multiple_of(16) } else { len });
                Ok(block)
            })?;
        }
        if count == 1 {
            self.block_size = u32::try_from(self.raw_len).unwrap_or(u32::MAX);
        }
        Ok(())
    }
}

fn block(r: &mut Reader<'_>, base: u64) -> Result<Block, Fault> {
    let at = r.clone();
    let (start, end) = (r.u64("block start")?, r.u64("block end")?);
    match (base.checked_add(start), end.checked_sub(start)) {
        (Some(offset), Some(len)) => Ok(Block { offset, len }),
        _ => Err(at.fault("block end", FaultKind::TooSmall { found: end, limit: start })),
    }
}

/// Returns the length of the entry header before the data of a file.
fn header_len(footer: &Footer, blocks: usize, compressed: bool) -> u64 {
    let version: PakVersion = footer.version;
    let mut len = HEADER_LEN;
    if compressed && version.has_blocks() {
        len += 4 + 16 * blocks as u64;
    }
    if footer.has_short_methods {
        // The method is one byte instead of four.
        len -= 3;
    }
    if version.has_timestamps() {
        len += 8;
    }
    if !version.has_blocks() {
        // Flags and block size do not exist yet.
        len -= 5;
    }
    len
}

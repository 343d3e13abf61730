//! Ogg Vorbis files, passed through. Only the first packet and the last page are read.
//!
//! ```text
//! first page  27 bytes, 1 length │ 01 vorbis │ u32 version │ u8 channels │ u32 rate │ …
//! last page   OggS │ u8 0 │ u8 flags │ i64 samples up to here │ …
//! ```

use crate::wire::{Fault, FaultKind, Reader};

/// Facts in an Ogg Vorbis file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Vorbis {
    /// Number of channels.
    pub channels: u8,
    /// Samples per second.
    pub rate: u32,
    /// Number of samples per channel.
    pub samples: u64,
}

const PAGE: &[u8] = b"OggS";
/// Bytes of the longest page: header, lengths, and 255 pieces of 255 bytes.
const MAX_PAGE: usize = 27 + 255 + 255 * 255;

impl Vorbis {
    /// True if these are the first bytes of an Ogg file.
    #[must_use]
    pub fn detect(bytes: &[u8]) -> bool {
        bytes.starts_with(PAGE)
    }

    /// Reads both ends of a file.
    pub fn parse(bytes: &[u8]) -> Result<Self, Fault> {
        let mut r = Reader::new(bytes);
        if r.bytes("head of a page", 28)?.get(..4) != Some(PAGE) {
            return Err(Reader::new(bytes).fault("head of a page", FaultKind::BadMagic));
        }
        let at = r.clone();
        if &r.array("first packet")? != b"\x01vorbis" {
            return Err(at.fault("first packet", FaultKind::BadMagic));
        }
        r.u32("version")?;
        let (channels, rate) = (r.u8("channels")?, r.u32("sample rate")?);
        // The last page has the total in its granule, and starts within one page's length of the end.
        let tail = bytes.get(bytes.len().saturating_sub(MAX_PAGE)..).unwrap_or_default();
        let last = tail.windows(PAGE.len()).rposition(|window| window == PAGE).unwrap_or_default();
        let mut r =
            Reader::with_base(tail.get(last..).unwrap_or_default(), (bytes.len() - tail.len() + last) as u64);
        r.bytes("head of the last page", 6)?;
        Ok(Self { channels, rate, samples: r.u64("samples")? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_are_read() {
        let mut bytes =
            b"OggS\0\x02\0\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0....\x01\x1E\x01vorbis\0\0\0\0\x02\x44\xAC\0\0"
                .to_vec();
        bytes.extend(b"....OggS\0\x04\x10\x27\0\0\0\0\0\0");
        assert_eq!(Vorbis::parse(&bytes), Ok(Vorbis { channels: 2, rate: 44_100, samples: 10_000 }));
        for end in 0..44 {
            assert!(Vorbis::parse(&bytes[..end]).is_err(), "{end}");
        }
        bytes[29] = b'V';
        assert_eq!(Vorbis::parse(&bytes).unwrap_err().offset, 28);
    }
}

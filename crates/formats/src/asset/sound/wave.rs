//! WAV files: uncompressed or ADPCM samples.
//!
//! ```text
//! RIFF │ u32 size │ WAVE │ chunks: 4 characters │ u32 size │ bytes, padded to even length
//! fmt   u16 coding (1 PCM, 2 MS ADPCM) │ u16 channels │ u32 rate │ u32 bytes a second │ u16 bytes per frame
//!       │ u16 bits │ …
//! data  samples of all channels, one frame after the other
//! ```

use crate::wire::{Fault, FaultKind, Reader};

/// Samples of 16 bits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Samples {
    /// Number of channels.
    pub channels: u16,
    /// Frames per second.
    pub rate: u32,
    /// Samples frame by frame: one of each channel, then the next frame.
    pub samples: Vec<i16>,
}

impl Samples {
    /// Writes the samples as a WAV file; `None` if its 32-bit sizes cannot hold them.
    #[must_use]
    pub fn to_wav(&self) -> Option<Vec<u8>> {
        const HEAD: u32 = 36;
        let len = u32::try_from(self.samples.len()).ok()?.checked_mul(2)?;
        let frame = self.channels.checked_mul(2)?;
        let mut wav = Vec::with_capacity(HEAD as usize + 8 + len as usize);
        wav.extend_from_slice(b"RIFF");
        wav.extend_from_slice(&len.checked_add(HEAD)?.to_le_bytes());
        wav.extend_from_slice(b"WAVEfmt \x10\0\0\0\x01\0");
        wav.extend_from_slice(&self.channels.to_le_bytes());
        wav.extend_from_slice(&self.rate.to_le_bytes());
        wav.extend_from_slice(&self.rate.checked_mul(frame.into())?.to_le_bytes());
        wav.extend_from_slice(&frame.to_le_bytes());
        wav.extend_from_slice(b"\x10\0data");
        wav.extend_from_slice(&len.to_le_bytes());
        wav.extend(self.samples.iter().flat_map(|sample| sample.to_le_bytes()));
        Some(wav)
    }
}

/// Header of a WAV file, and its samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wave<'a> {
    /// Coding: 1 is PCM, 2 is MS ADPCM.
    pub coding: u16,
    /// Number of channels.
    pub channels: u16,
    /// Frames per second.
    pub rate: u32,
    /// Bits per sample.
    pub bits: u16,
    /// Coded samples.
    pub data: &'a [u8],
}

impl<'a> Wave<'a> {
    /// True if these are the first bytes of a WAV file.
    #[must_use]
    pub fn detect(bytes: &[u8]) -> bool {
        bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WAVE")
    }

    /// Parses a file up to its samples. Fewer samples than recorded are accepted: players accept them, too.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Fault> {
        let mut r = Reader::new(bytes);
        if !Self::detect(r.bytes("head of a WAV file", 12)?) {
            return Err(Reader::new(bytes).fault("head of a WAV file", FaultKind::BadMagic));
        }
        let mut format = None;
        loop {
            let at = r.clone();
            let id = r.array::<4>("id of a chunk")?;
            let len = r.u32("size of a chunk")? as usize;
            if &id == b"data" {
                let (coding, channels, rate, bits) =
                    format.ok_or_else(|| at.fault("format of the samples", FaultKind::Unknown))?;
                let data = r.bytes("samples", len.min(r.remaining()))?;
                return Ok(Self { coding, channels, rate, bits, data });
            }
            // Other chunks may precede the samples; the format must be among them.
            let chunk = r.bytes("chunk", len)?;
            if &id == b"fmt " {
                format = Some(self::format(chunk, at.offset() + 8)?);
            }
            // Chunks have even lengths; the padding is not counted.
            if !len.is_multiple_of(2) && r.remaining() > 0 {
                r.u8("padding")?;
            }
        }
    }

    /// Number of frames; `None` if the samples are compressed.
    #[must_use]
    pub fn frames(&self) -> Option<u64> {
        let frame = u64::from(self.channels) * u64::from(self.bits) / 8;
        (self.coding == 1).then(|| (self.data.len() as u64).checked_div(frame)).flatten()
    }
}

fn format(chunk: &[u8], at: u64) -> Result<(u16, u16, u32, u16), Fault> {
    let mut r = Reader::with_base(chunk, at);
    let (coding, channels) = (r.u16("coding")?, r.u16("channels")?);
    let rate = r.u32("frames a second")?;
    r.bytes("bytes a second and per frame", 6)?;
    Ok((coding, channels, rate, r.u16("bits of a sample")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_a_wav_file() {
        let samples = Samples { channels: 2, rate: 44_100, samples: vec![1, -1, 0x1234, i16::MIN] };
        let wav = samples.to_wav().unwrap();
        let expected: [&[u8]; 4] = [
            b"RIFF\x2C\0\0\0WAVEfmt \x10\0\0\0\x01\0\x02\0\x44\xAC\0\0\x10\xB1\x02\0\x04\0\x10\0",
            b"data\x08\0\0\0",
            b"\x01\0\xFF\xFF\x34\x12\0\x80",
            b"",
        ];
        assert_eq!(wav, expected.concat());
        let read = Wave::parse(&wav).unwrap();
        assert_eq!((read.channels, read.rate, read.frames()), (2, 44_100, Some(2)));
    }

    #[test]
    fn other_chunks_are_passed_over_and_a_missing_end_is_no_fault() {
        let wav = b"RIFF\0\0\0\0WAVELIST\x03\0\0\0abc\0fmt \x10\0\0\0\x02\0\x01\0\x22\x56\0\0\0\0\0\0\0\x01\x04\0data\xFF\0\0\0xyz";
        let read = Wave::parse(wav).unwrap();
        assert_eq!((read.coding, read.bits, read.data, read.frames()), (2, 4, &b"xyz"[..], None));
        assert!(Wave::parse(b"RIFF\0\0\0\0WAVEdata\0\0\0\0").is_err(), "samples of no format");
        for end in 0..44 {
            assert!(Wave::parse(&wav[..end]).is_err(), "{end}");
        }
    }
}

//! Opus in the engine's frames, repacked as Ogg Opus without loss.
//!
//! ```text
//! 5.x  UEOPUS\0\0 │ u8 version 0 │ u8 channels │ u32 rate │ u32 rate of the encoder │ u64 samples
//!      │ u32 frames │ i32 pre-skip
//!      │ i32 silence at the start │ i32 silence at the end │ frames
//! 4.x  UE4OPUS\0 │ u16 rate │ u32 samples │ u8 channels │ u16 frames │ frames
//!      frame: u16 length │ an Opus packet; in 5.x, seek tables in between
//! ```
//!
//! Ogg Opus counts samples at 48 kHz, at any rate of the encoder. Its pre-skip (samples that a
//! player drops at the start) is the sum of the engine's pre-skip and the silence at the start.
//!
//! Sources: the payload sheet; RFC 6716 (durations of packets), RFC 7845 (Ogg Opus). Verified on 5.8; 4.x is
//! from vgmstream.

use super::ogg::{self, OggWriter};
use super::seek;
use crate::wire::{Fault, FaultKind, Reader};

const MAGIC: &[u8; 8] = b"UEOPUS\0\0";
const OLD_MAGIC: &[u8; 8] = b"UE4OPUS\0";
/// Sample rate of all positions in Ogg Opus.
const RATE: u64 = 48_000;
/// Limit of samples per page: players buffer a whole page before they start.
const PAGE: u64 = RATE;

/// Opus sound in the engine's frames.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opus<'a> {
    /// Number of channels: 1 or 2.
    pub channels: u8,
    /// Samples per second before encoding.
    pub rate: u32,
    /// Samples to drop at the start, at 48 kHz.
    pub pre_skip: u16,
    /// Samples to play, at 48 kHz.
    pub samples: u64,
    /// Packets of the codec.
    pub packets: Vec<&'a [u8]>,
}

impl<'a> Opus<'a> {
    /// True if these are the first bytes of Opus in the engine's frames.
    #[must_use]
    pub fn detect(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC) || bytes.starts_with(OLD_MAGIC)
    }

    /// Parses a whole sound.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Fault> {
        let mut r = Reader::new(bytes);
        let (opus, frames) = match &r.array("magic")? {
            MAGIC => Self::header(&mut r)?,
            OLD_MAGIC => Self::old_header(&mut r)?,
            _ => return Err(Reader::new(bytes).fault("magic", FaultKind::BadMagic)),
        };
        if !(1..=2).contains(&opus.channels) {
            // More channels are several streams, and nothing records which channels each of them holds.
            return Err(r.fault("channels", FaultKind::Unsupported { found: opus.channels.into() }));
        }
        let packets = r.repeat(frames as usize, |r| {
            seek::skip(r)?;
            let len = r.u16("length of a frame")?;
            r.bytes("frame", len.into())
        })?;
        Ok(Self { packets, ..opus })
    }

    fn header(r: &mut Reader<'a>) -> Result<(Self, u32), Fault> {
        let at = r.clone();
        let version = r.u8("version")?;
        if version != 0 {
            return Err(at.fault("version", FaultKind::Unsupported { found: version.into() }));
        }
        let channels = r.u8("channels")?;
        let rate = r.u32("sample rate")?;
        let at = r.clone();
        let encoder_rate = r.u32("sample rate of the encoder")?;
        let scaled = |samples: u64| scaled(samples, encoder_rate);
        let samples = scaled(r.u64("samples")?).ok_or_else(|| {
            at.fault("sample rate of the encoder", FaultKind::Unsupported { found: encoder_rate.into() })
        })?;
        let frames = r.u32("frames")?;
        let at = r.clone();
        let skipped = u64::from(r.size("pre-skip")?) + u64::from(r.size("silence at the start")?);
        r.size("silence at the end")?;
        // The header of Ogg Opus has 16 bits for the pre-skip.
        let pre_skip = scaled(skipped).and_then(|skipped| u16::try_from(skipped).ok()).ok_or_else(|| {
            at.fault("pre-skip", FaultKind::TooLarge { found: skipped, limit: u16::MAX.into() })
        })?;
        Ok((Self { channels, rate, pre_skip, samples, packets: Vec::new() }, frames))
    }

    fn old_header(r: &mut Reader<'a>) -> Result<(Self, u32), Fault> {
        let at = r.clone();
        let rate = u32::from(r.u16("sample rate")?);
        let samples = scaled(r.u32("samples")?.into(), rate)
            .ok_or_else(|| at.fault("sample rate", FaultKind::Unsupported { found: rate.into() }))?;
        let channels = r.u8("channels")?;
        let frames = u32::from(r.u16("frames")?);
        Ok((Self { channels, rate, pre_skip: 0, samples, packets: Vec::new() }, frames))
    }

    /// Returns an Ogg file with the same packets.
    #[must_use]
    pub fn to_ogg(&self) -> Vec<u8> {
        let pre_skip = u64::from(self.pre_skip);
        let end = pre_skip.saturating_add(self.samples);
        // The serial number has no meaning; a checksum of the content keeps the output reproducible.
        let mut ogg = OggWriter::new(ogg::checksum(&self.packets));
        ogg.packet(&self.head(), 0);
        // RFC 7845 wants header and tags on pages of their own.
        ogg.break_page();
        ogg.packet(&tags(), 0);
        ogg.break_page();
        let (mut granule, mut page) = (0, 0);
        for packet in &self.packets {
            let samples = duration(packet);
            // The end may lie inside the last packet, but not before it: packets of silence alone are left
            // out.
            if granule >= end && granule > 0 {
                break;
            }
            if page + samples > PAGE {
                ogg.break_page();
                page = 0;
            }
            (granule, page) = (granule + samples, page + samples);
            // A last granule below the packets' sum tells players to drop the rest.
            ogg.packet(packet, granule.min(end));
        }
        ogg.finish()
    }

    /// Returns the packet `OpusHead`.
    fn head(&self) -> Vec<u8> {
        let mut head = b"OpusHead\x01".to_vec();
        head.push(self.channels);
        head.extend_from_slice(&self.pre_skip.to_le_bytes());
        head.extend_from_slice(&self.rate.to_le_bytes());
        // Gain 0, channel mapping family 0: mono or stereo.
        head.extend_from_slice(&[0; 3]);
        head
    }
}

/// Converts samples to 48 kHz; `None` if Opus does not support the rate.
fn scaled(samples: u64, rate: u32) -> Option<u64> {
    let rate = u64::from(rate);
    [8_000, 12_000, 16_000, 24_000, 48_000].contains(&rate).then(|| samples.saturating_mul(RATE / rate))
}

/// Returns the packet `OpusTags`: the name of the writer, without comments.
fn tags() -> Vec<u8> {
    const VENDOR: &[u8; 6] = b"uncask";
    [b"OpusTags", &[6, 0, 0, 0][..], VENDOR, &[0; 4]].concat()
}

/// Returns the duration of a packet in samples at 48 kHz, from its first two bytes.
fn duration(packet: &[u8]) -> u64 {
    let Some(first) = packet.first() else { return 0 };
    // RFC 6716, section 3.1: SILK, hybrid and CELT modes have different lengths of frames.
    let frame = match first >> 3 {
        mode @ 0..12 => [480, 960, 1920, 2880].get(usize::from(mode & 3)),
        mode @ 12..16 => [480, 960].get(usize::from(mode & 1)),
        mode => [120, 240, 480, 960].get(usize::from(mode & 3)),
    };
    let frames = match first & 3 {
        0 => 1,
        1 | 2 => 2,
        // Code 3 has the number of frames in the second byte.
        _ => packet.get(1).map_or(0, |count| u64::from(count & 0x3F)),
    };
    frames * frame.copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(channels: u8, samples: u64, frames: u32, pre_skip: i32, silence: i32) -> Vec<u8> {
        let mut bytes = b"UEOPUS\0\0\0".to_vec();
        bytes.push(channels);
        bytes.extend([48_000u32.to_le_bytes(), 48_000u32.to_le_bytes()].concat());
        bytes.extend(samples.to_le_bytes());
        bytes.extend([frames.to_le_bytes(), pre_skip.to_le_bytes(), silence.to_le_bytes(), [0; 4]].concat());
        bytes
    }

    #[test]
    fn durations_are_those_of_the_specification() {
        // RFC 6716, section 3.1: configuration, stereo, frames.
        for (packet, samples) in [
            (&[0x00][..], 480),
            (&[0x18], 2880),
            (&[0x19], 2 * 2880),
            (&[0x68], 960),
            (&[0x80], 120),
            (&[0xFC], 960),
            (&[0xFB, 0x03], 3 * 960),
            (&[0xFF], 0),
            (&[], 0),
        ] {
            assert_eq!(duration(packet), samples, "{packet:02x?}");
        }
    }

    #[test]
    fn the_end_lies_in_the_last_packet() {
        // Three packets of 960 samples, of which 100 at the start and all after 1000 more are dropped.
        let mut bytes = header(1, 1000, 3, 60, 40);
        for fill in 1..=3u8 {
            bytes.extend([3, 0, 0xF8, fill, fill]);
        }
        let opus = Opus::parse(&bytes).unwrap();
        assert_eq!((opus.pre_skip, opus.samples, opus.packets.len()), (100, 1000, 3));
        let ogg = opus.to_ogg();
        let last = ogg.len() - (27 + 2 + 6);
        assert_eq!(&ogg[last..last + 14], b"OggS\0\x04\x4C\x04\0\0\0\0\0\0", "1100 samples, the last page");
        assert_eq!(&ogg[last + 26..], b"\x02\x03\x03\xF8\x01\x01\xF8\x02\x02");
        assert_eq!(&ogg[28..47], b"OpusHead\x01\x01\x64\0\x80\xBB\0\0\0\0\0");
    }

    #[test]
    fn seek_tables_in_between_are_skipped() {
        let mut bytes = header(2, 960, 1, 0, 0);
        bytes.extend(b"SEEK\0\xC0\x03\0\0\0\0\x02\0\0\0\0\0\x05\0");
        bytes.extend([1, 0, 0xFC]);
        assert_eq!(Opus::parse(&bytes).unwrap().packets, [b"\xFC"]);
    }

    #[test]
    fn what_cannot_be_right_is_refused() {
        let fault = |bytes: &[u8]| Opus::parse(bytes).unwrap_err().to_string();
        assert_eq!(fault(b"UEOPUS\0\x01"), "magic: wrong magic, offset 0x0");
        assert_eq!(fault(&header(6, 0, 0, 0, 0)), "channels: found 6, which is not supported, offset 0x2a");
        assert!(fault(&header(1, 0, u32::MAX, 0, 0)).starts_with("length of a frame: cut off"));
        assert!(fault(&header(1, 0, 1, 65_000, 65_000)).starts_with("pre-skip: found 130000"));
    }
}

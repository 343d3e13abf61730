//! Loops and cue points of sounds, as chunks of WAV files.
//!
//! ```text
//! smpl   u32 maker, product, nanoseconds a sample, note (60), fraction, 2 × SMPTE │ u32 n │ u32 0
//!        │ n × { u32 id, 0 forwards, first frame, last frame, fraction, 0 for ever }
//! cue    u32 n │ n × { u32 id, frame, "data", 0, 0, frame }
//! LIST   adtl │ labl: u32 id, text, 0 │ ltxt: u32 id, frames, "rgn ", 4 × u16 0
//! ```
//!
//! Source: the description of RIFF files by Microsoft and IBM, which players and editors follow.

use super::wave::Wave;
use crate::wire::Writer;

/// Loops and cue points of a sound.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Markers {
    /// `bLooping`: true if it repeats.
    pub is_looping: bool,
    /// Cue points.
    pub cues: Vec<CuePoint>,
}

/// `FSoundWaveCuePoint`: a named position or range.
#[doc(alias = "FSoundWaveCuePoint")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CuePoint {
    /// Identifier.
    pub id: u32,
    /// Label.
    pub label: String,
    /// Position, in frames.
    pub frame: u32,
    /// Length in frames; 0 for a position.
    pub frames: u32,
    /// True if the range is a loop.
    pub is_loop: bool,
}

/// Note that a sampler plays at the original speed: middle C.
const NOTE: u32 = 60;

impl Markers {
    /// Appends the chunks to a WAV file; `None` if there is nothing to add, or the file cannot hold them.
    #[must_use]
    pub fn added_to(&self, wav: &[u8]) -> Option<Vec<u8>> {
        let wave = Wave::parse(wav).ok()?;
        let last = u32::try_from(wave.frames()?.checked_sub(1)?).ok()?;
        // Points after the end have no frame to mark.
        let cues: Vec<&CuePoint> = self.cues.iter().filter(|cue| cue.frame <= last).collect();
        // Loops name their last frame, not the one after it.
        let end = |cue: &CuePoint| cue.frame.saturating_add(cue.frames.saturating_sub(1)).min(last);
        let regions = cues.iter().filter(|cue| cue.is_loop && cue.frames > 0);
        let mut loops: Vec<[u32; 2]> = regions.map(|cue| [cue.frame, end(cue)]).collect();
        // A loop of the whole sound would contradict a loop of a region.
        if loops.is_empty() && self.is_looping {
            loops.push([0, last]);
        }
        let mut chunks = Writer::new();
        if !loops.is_empty() {
            chunk(&mut chunks, *b"smpl", &sampler(&loops, wave.rate)?)?;
        }
        if !cues.is_empty() {
            chunk(&mut chunks, *b"cue ", &places(&cues)?)?;
            chunk(&mut chunks, *b"LIST", &names(&cues)?)?;
        }
        let chunks = chunks.into_bytes();
        if chunks.is_empty() {
            return None;
        }
        let mut file = wav.to_vec();
        // Chunks start at even offsets, and the size in the header covers the new ones.
        file.resize(file.len().next_multiple_of(2), 0);
        file.extend_from_slice(&chunks);
        let len = u32::try_from(file.len().checked_sub(8)?).ok()?;
        file.get_mut(4..8)?.copy_from_slice(&len.to_le_bytes());
        Some(file)
    }
}

fn chunk(w: &mut Writer, id: [u8; 4], bytes: &[u8]) -> Option<()> {
    w.bytes(&id);
    w.u32(u32::try_from(bytes.len()).ok()?);
    w.bytes(bytes);
    if !bytes.len().is_multiple_of(2) {
        w.bytes(&[0]);
    }
    Some(())
}

fn sampler(loops: &[[u32; 2]], rate: u32) -> Option<Vec<u8>> {
    let mut w = Writer::new();
    let period = 1_000_000_000_u32.checked_div(rate)?;
    let count = u32::try_from(loops.len()).ok()?;
    for number in [0, 0, period, NOTE, 0, 0, 0, count, 0] {
        w.u32(number);
    }
    for (id, [first, last]) in (0..).zip(loops) {
        for number in [id, 0, *first, *last, 0, 0] {
            w.u32(number);
        }
    }
    Some(w.into_bytes())
}

fn places(cues: &[&CuePoint]) -> Option<Vec<u8>> {
    let mut w = Writer::new();
    w.u32(u32::try_from(cues.len()).ok()?);
    for cue in cues {
        for number in [cue.id, cue.frame, u32::from_le_bytes(*b"data"), 0, 0, cue.frame] {
            w.u32(number);
        }
    }
    Some(w.into_bytes())
}

fn names(cues: &[&CuePoint]) -> Option<Vec<u8>> {
    let mut w = Writer::new();
    w.bytes(b"adtl");
    for cue in cues {
        let label = cue.label.replace('\0', "");
        chunk(&mut w, *b"labl", &[&cue.id.to_le_bytes(), label.as_bytes(), b"\0"].concat())?;
        if cue.frames > 0 {
            let text = [&cue.id.to_le_bytes(), &cue.frames.to_le_bytes(), b"rgn ", &[0; 8][..]].concat();
            chunk(&mut w, *b"ltxt", &text)?;
        }
    }
    Some(w.into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asset::sound::Samples;

    fn wav() -> Vec<u8> {
        Samples { channels: 2, rate: 50_000, samples: vec![0; 20] }.to_wav().unwrap()
    }

    #[test]
    fn a_loop_is_a_chunk_after_the_samples() {
        let made = Markers { is_looping: true, cues: Vec::new() }.added_to(&wav()).unwrap();
        let smpl: [&[u8]; 4] = [
            b"smpl\x3C\0\0\0\0\0\0\0\0\0\0\0\x20\x4E\0\0\x3C\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0",
            b"\0\0\0\0\0\0\0\0\0\0\0\0\x09\0\0\0\0\0\0\0\0\0\0\0",
            b"",
            b"",
        ];
        assert_eq!(made[84..], smpl.concat());
        assert_eq!(made[4..8], 144_u32.to_le_bytes());
        assert_eq!(Wave::parse(&made).unwrap().frames(), Some(10));
    }

    #[test]
    fn cues_have_places_names_and_lengths() {
        let cue = |id, label: &str, frame, frames, is_loop| CuePoint {
            id,
            label: label.to_owned(),
            frame,
            frames,
            is_loop,
        };
        let cues = vec![cue(7, "go", 3, 0, false), cue(8, "on\0", 4, 99, true), cue(9, "gone", 10, 0, false)];
        let made = Markers { is_looping: false, cues }.added_to(&wav()).unwrap();
        let loops: [&[u8]; 2] =
            [b"\x01\0\0\0\0\0\0\0", b"\0\0\0\0\0\0\0\0\x04\0\0\0\x09\0\0\0\0\0\0\0\0\0\0\0"];
        assert_eq!(made[120..152], loops.concat(), "the loop ends with the sound");
        let rest: [&[u8]; 5] = [
            b"cue \x34\0\0\0\x02\0\0\0\x07\0\0\0\x03\0\0\0data\0\0\0\0\0\0\0\0\x03\0\0\0",
            b"\x08\0\0\0\x04\0\0\0data\0\0\0\0\0\0\0\0\x04\0\0\0",
            b"LIST\x40\0\0\0adtllabl\x07\0\0\0\x07\0\0\0go\0\0",
            b"labl\x07\0\0\0\x08\0\0\0on\0\0",
            b"ltxt\x14\0\0\0\x08\0\0\0\x63\0\0\0rgn \0\0\0\0\0\0\0\0",
        ];
        assert_eq!(made[152..], rest.concat());
    }

    #[test]
    fn what_has_nothing_to_mark_stays_as_it_is() {
        assert_eq!(Markers::default().added_to(&wav()), None);
        let looping = Markers { is_looping: true, cues: Vec::new() };
        assert_eq!(looping.added_to(b"OggS"), None);
        let empty = Samples { channels: 1, rate: 0, samples: Vec::new() }.to_wav().unwrap();
        assert_eq!(looping.added_to(&empty), None);
    }
}

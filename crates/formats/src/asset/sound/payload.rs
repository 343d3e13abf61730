use super::super::{Bulk, Payload};
use super::markers::{CuePoint, Markers};
use crate::id::Guid;
use crate::package::legacy::Package;
use crate::property::List;
use crate::wire::{Fault, FaultKind};
use std::sync::Arc;

/// `USoundWave`: a sound.
#[doc(alias = "USoundWave")]
#[derive(Debug, Clone, PartialEq)]
pub struct Sound<'a> {
    /// Audio in one or several formats; a cook for one platform has one.
    pub encodings: Vec<Encoding<'a>>,
    /// True if it was cooked in chunks for streaming.
    pub is_streamed: bool,
    /// GUID that changes with the audio.
    pub guid: Guid,
    /// Loops and cue points. The loop of the whole sound is a property.
    pub markers: Markers,
}

/// Sound in one format.
#[derive(Debug, Clone, PartialEq)]
pub struct Encoding<'a> {
    /// The engine's name for the format, such as `OGG` or `BINKA`.
    pub format: Arc<str>,
    /// Chunks; their audio, concatenated, is a file.
    pub chunks: Vec<Chunk<'a>>,
}

/// `FStreamedAudioChunk`: a part of a sound.
#[doc(alias = "FStreamedAudioChunk")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chunk<'a> {
    /// Bulk data; padding may follow the audio.
    pub bulk: Bulk<'a>,
    /// Bytes of audio.
    pub len: u64,
}

const COOKED: u32 = 1;
const KNOWN_FLAGS: u32 = 0x1F;
const CHUNK_COOKED: u32 = 1;
const CHUNK_HAS_SEEK_FRAME: u32 = 2;
const KNOWN_CHUNK_FLAGS: u32 = 7;
/// Bytes of the shortest chunk: flags, bulk data as an index, two sizes.
const MIN_CHUNK: usize = 16;
/// Bytes of the shortest encoding: a name, and bulk data as an index.
const MIN_ENCODING: usize = 12;

impl<'a> Sound<'a> {
    pub(crate) fn read(payload: &mut Payload<'_, 'a>) -> Result<Self, Fault> {
        let at = payload.r.clone();
        let flags = payload.r.u32("flags of a sound")?;
        // The flag became bits in UE5; before, only 1 is valid.
        let known = if payload.versions.has_sound_flags() { KNOWN_FLAGS } else { COOKED };
        if flags & COOKED == 0 || flags & !known != 0 {
            return Err(at.fault("flags of a sound", FaultKind::Unsupported { found: flags.into() }));
        }
        let cues = if payload.versions.has_cue_points() { cue_points(payload)? } else { Vec::new() };
        let markers = Markers { is_looping: payload.property("bLooping").unwrap_or(false), cues };
        let sound =
            |encodings, is_streamed, guid| Self { encodings, is_streamed, guid, markers: markers.clone() };
        // Several properties decide about the form, and their defaults changed over time: only one form fits
        // the bytes.
        let start = payload.r.clone();
        let streamed = streamed(payload).and_then(|(guid, encoding)| {
            payload.r.finish("streamed sound")?;
            Ok(sound(vec![encoding], true, guid))
        });
        streamed.or_else(|fault| {
            payload.r = start;
            // If neither fits, the fault of the usual form is the more useful one.
            let resident = resident(payload).and_then(|found| payload.r.finish("sound").map(|()| found));
            resident.map(|(guid, encodings)| sound(encodings, false, guid)).map_err(|_| fault)
        })
    }
}

/// Reads `FSoundWaveCuePoint`s: structs with properties.
fn cue_points(payload: &mut Payload<'_, '_>) -> Result<Vec<CuePoint>, Fault> {
    let count = payload.r.count("cue points", 2)?;
    let read = |_| {
        let value = payload.scope.read_struct(&mut payload.r, "SoundWaveCuePoint")?;
        Ok(cue_point(payload.scope.package, value.properties()))
    };
    (0..count).map(read).collect()
}

/// Builds a cue point; values without a property are zero.
fn cue_point(package: &Package, fields: Option<&List>) -> CuePoint {
    let find = |name: &str| fields.and_then(|fields| fields.find(package, name));
    let number = |name: &str| find(name).and_then(|member| member.get::<u32>()).unwrap_or_default();
    CuePoint {
        id: number("CuePointID"),
        label: find("Label").and_then(|member| member.get::<&str>()).unwrap_or_default().to_owned(),
        frame: number("FramePosition"),
        frames: number("FrameLength"),
        is_loop: find("bIsLoopRegion").and_then(|member| member.get()).unwrap_or_default(),
    }
}

fn streamed<'a>(payload: &mut Payload<'_, 'a>) -> Result<(Guid, Encoding<'a>), Fault> {
    let guid = payload.r.array("GUID of the audio").map(Guid)?;
    let count = payload.r.count("chunks of a sound", MIN_CHUNK)?;
    let format = payload.name_text("format of a sound")?;
    let mut chunks = Vec::with_capacity(count);
    for _ in 0..count {
        chunks.push(chunk(payload)?);
    }
    Ok((guid, Encoding { format, chunks }))
}

fn chunk<'a>(payload: &mut Payload<'_, 'a>) -> Result<Chunk<'a>, Fault> {
    let at = payload.r.clone();
    let flags = payload.r.u32("flags of a chunk")?;
    if flags & CHUNK_COOKED == 0 || flags & !KNOWN_CHUNK_FLAGS != 0 {
        return Err(at.fault("flags of a chunk", FaultKind::Unsupported { found: flags.into() }));
    }
    let bulk = payload.bulk()?;
    let size = payload.r.size("size of a chunk")?;
    let at = payload.r.clone();
    let len = payload.r.size("size of the audio in a chunk")?;
    // The audio is a prefix of the chunk; more would read into another one.
    let limit = u64::from(size).min(bulk.record.len);
    if u64::from(len) > limit {
        let kind = FaultKind::TooLarge { found: len.into(), limit };
        return Err(at.fault("size of the audio in a chunk", kind));
    }
    if flags & CHUNK_HAS_SEEK_FRAME != 0 {
        payload.r.u32("first frame of a chunk")?;
    }
    Ok(Chunk { bulk, len: len.into() })
}

fn resident<'a>(payload: &mut Payload<'_, 'a>) -> Result<(Guid, Vec<Encoding<'a>>), Fault> {
    let count = payload.r.count("formats of a sound", MIN_ENCODING)?;
    let mut encodings = Vec::with_capacity(count);
    for _ in 0..count {
        let format = payload.name_text("format of a sound")?;
        let bulk = payload.bulk()?;
        encodings.push(Encoding { format, chunks: vec![Chunk { bulk, len: bulk.record.len }] });
    }
    payload.r.array("GUID of the audio").map(|guid| (Guid(guid), encodings))
}

use super::{Facts, Sound};
use crate::property::{Object, Scope};
use crate::wire::counted;
use std::fmt;

/// Summary of a sound.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct SoundSummary {
    /// Engine's name of its first format.
    pub format: String,
    /// Bytes of audio.
    pub bytes: u64,
    /// Length in seconds; `None` without properties.
    pub seconds: Option<f32>,
    /// Number of channels.
    pub channels: Option<u32>,
    /// Samples per second.
    pub rate: Option<u32>,
}

impl Sound<'_> {
    /// Summarises a sound. The audio's own header takes precedence over properties.
    pub(crate) fn summary(&self, scope: &Scope<'_>, object: &Object) -> SoundSummary {
        let encoding = self.encodings.first();
        let chunks = encoding.map(|encoding| &encoding.chunks[..]).unwrap_or_default();
        let facts = match chunks {
            // The first chunk holds the header, and is inline in every cook seen so far.
            [first, ..] => first.bulk.inline.and_then(|audio| Facts::parse(audio).ok()),
            [] => None,
        };
        let number = |name| object.get::<i32>(scope, name).and_then(|number| u32::try_from(number).ok());
        SoundSummary {
            format: encoding.map(|encoding| encoding.format.to_string()).unwrap_or_default(),
            bytes: chunks.iter().map(|chunk| chunk.len).sum(),
            seconds: object.get(scope, "Duration"),
            channels: facts.and_then(|facts| facts.channels).map(u32::from).or_else(|| number("NumChannels")),
            rate: facts.and_then(|facts| facts.rate).or_else(|| number("SampleRate")),
        }
    }
}

impl fmt::Display for SoundSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sound: {}", self.format)?;
        if let Some(seconds) = self.seconds {
            write!(f, ", {seconds:.2} s")?;
        }
        if let Some(channels) = self.channels {
            write!(f, ", {}", counted(channels.into(), "channel", "channels"))?;
        }
        if let Some(rate) = self.rate {
            write!(f, ", {rate} Hz")?;
        }
        write!(f, ", {}", counted(self.bytes, "byte", "bytes"))
    }
}

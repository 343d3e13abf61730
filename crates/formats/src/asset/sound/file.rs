use super::bink::Bink;
use super::opus::Opus;
use super::vorbis::Vorbis;
use super::wave::Wave;
use crate::wire::{Fault, FaultKind, Reader};
use std::borrow::Cow;

/// Coding of a sound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[non_exhaustive]
pub enum Codec {
    /// WAV file with plain samples or ADPCM.
    Wave,
    /// Ogg Vorbis file.
    Vorbis,
    /// Opus in the engine's own frames.
    Opus,
    /// Bink Audio.
    BinkAudio,
    /// RAD Audio.
    RadAudio,
    /// Console format, or unknown.
    Other,
}

/// Facts in the header of a sound, as far as its codec is understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Facts {
    /// Coding.
    pub codec: Codec,
    /// Number of channels.
    pub channels: Option<u16>,
    /// Samples per second.
    pub rate: Option<u32>,
    /// Number of samples per channel. Those of Opus are at 48 kHz, whatever the rate.
    pub samples: Option<u64>,
}

/// Sound as a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AudioFile<'a> {
    /// Extension of its name.
    pub extension: &'static str,
    /// Bytes of the file.
    pub bytes: Cow<'a, [u8]>,
}

impl Codec {
    /// Detects the codec by the first bytes.
    #[must_use]
    pub fn detect(bytes: &[u8]) -> Self {
        // The engine's name for the format is not used: real "ADPCM" assets hold plain PCM.
        if Wave::detect(bytes) {
            Self::Wave
        } else if Vorbis::detect(bytes) {
            Self::Vorbis
        } else if Opus::detect(bytes) {
            Self::Opus
        } else if Bink::detect(bytes) {
            Self::BinkAudio
        } else if bytes.starts_with(b"ADAR") {
            Self::RadAudio
        } else {
            Self::Other
        }
    }

    /// Returns the extension for the unchanged audio.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Wave => "wav",
            Self::Vorbis => "ogg",
            Self::Opus => "ueopus",
            Self::BinkAudio => "binka",
            Self::RadAudio => "rada",
            Self::Other => "audio",
        }
    }

    /// Reason that players cannot open the exported file, if they cannot.
    #[must_use]
    pub const fn obstacle(self) -> Option<&'static str> {
        match self {
            Self::Wave | Self::Vorbis | Self::Opus | Self::BinkAudio => None,
            Self::RadAudio => Some("RAD Audio has no open decoder: the file is as the engine has it"),
            Self::Other => Some("the audio has a form of some console: the file is as the engine has it"),
        }
    }
}

impl Facts {
    /// Reads the header of a sound.
    pub fn parse(audio: &[u8]) -> Result<Self, Fault> {
        let codec = Codec::detect(audio);
        let facts = |channels: u16, rate, samples| Self {
            codec,
            channels: Some(channels),
            rate: Some(rate),
            samples,
        };
        Ok(match codec {
            Codec::Wave => {
                let wave = Wave::parse(audio)?;
                facts(wave.channels, wave.rate, wave.frames())
            }
            Codec::Vorbis => {
                let vorbis = Vorbis::parse(audio)?;
                facts(vorbis.channels.into(), vorbis.rate, Some(vorbis.samples))
            }
            Codec::Opus => {
                let opus = Opus::parse(audio)?;
                facts(opus.channels.into(), opus.rate, Some(opus.samples))
            }
            Codec::BinkAudio => {
                let bink = Bink::parse(audio)?;
                facts(bink.channels.into(), bink.rate, Some(bink.samples.into()))
            }
            // No header of these is understood; properties may still know.
            Codec::RadAudio | Codec::Other => Self { codec, channels: None, rate: None, samples: None },
        })
    }
}

impl<'a> AudioFile<'a> {
    /// Returns the unchanged audio as a file.
    #[must_use]
    pub fn raw(audio: &'a [u8]) -> Self {
        Self { extension: Codec::detect(audio).extension(), bytes: audio.into() }
    }

    /// Returns the audio as a file that players open, if possible; unchanged otherwise.
    pub fn playable(audio: &'a [u8]) -> Result<Self, Fault> {
        match Codec::detect(audio) {
            Codec::Opus => Ok(Self { extension: "opus", bytes: Opus::parse(audio)?.to_ogg().into() }),
            // Common players do not know Bink Audio, so it is decoded. Opus is only repacked, without loss.
            Codec::BinkAudio => {
                let samples = Bink::decode(audio)?;
                let kind = FaultKind::TooLarge {
                    found: samples.samples.len() as u64,
                    limit: u64::from(u32::MAX) / 2,
                };
                let wav = samples.to_wav().ok_or_else(|| Reader::new(audio).fault("samples", kind))?;
                Ok(Self { extension: "wav", bytes: wav.into() })
            }
            Codec::Wave | Codec::Vorbis | Codec::RadAudio | Codec::Other => Ok(Self::raw(audio)),
        }
    }
}

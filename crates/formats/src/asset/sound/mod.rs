//! Sounds: the contents of a `USoundWave`, and files of it that players open.
//!
//! ```text
//! payload   u32 flags │ cue points (since 5.4) │ streamed or resident
//! streamed  GUID │ i32 n │ Name format │ n × { u32 flags │ bulk data │ i32 size │ i32 size of its audio
//!           │ (flag 2) u32 first frame }
//! resident  i32 n │ n × { Name format │ bulk data } │ GUID
//! ```
//!
//! The audio of all chunks, concatenated, is a file. Some formats are files that players open, others are the
//! engine's own:
//!
//! | format | first bytes | file |
//! |---|---|---|
//! | PCM, ADPCM | `RIFF` | `.wav`, unchanged |
//! | OGG | `OggS` | `.ogg`, unchanged |
//! | OPUS | `UEOPUS`, `UE4OPUS` | `.opus`: the same packets in Ogg pages |
//! | BINKA | `ABEU` | `.wav`, decoded |
//! | RADA | `ADAR` | `.rada`, unchanged: no open decoder is known |
//!
//! Verified on sounds of 5.7 to 6.0. Source: the payload sheet.

mod bink;
mod file;
mod markers;
mod ogg;
mod opus;
mod payload;
mod seek;
mod summary;
mod vorbis;
mod wave;

pub use bink::Bink;
pub use file::{AudioFile, Codec, Facts};
pub use markers::{CuePoint, Markers};
pub use opus::Opus;
pub use payload::{Chunk, Encoding, Sound};
pub use summary::SoundSummary;
pub use vorbis::Vorbis;
pub use wave::{Samples, Wave};

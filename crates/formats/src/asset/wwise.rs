//! Audio of the Wwise engine in assets. Since Wwise 2022 it is in separate files.
//!
//! ```text
//! AkMediaAssetData   i32 n │ n × { bool32 is a prefetch │ bulk data }
//! AkAssetData, …     bulk data: a bank
//! ```
//!
//! Follows CUE4Parse: no real file was available. Source: the payload sheet.

use super::{Bulk, Payload};
use crate::property::{Object, Scope};
use crate::wire::{Fault, counted};
use std::fmt;

/// `UAkMediaAssetData`, `UAkAssetData`: a file of Wwise.
#[doc(alias = "UAkMediaAssetData")]
#[doc(alias = "UAkAssetData")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WwiseFile<'a> {
    /// Parts, to be concatenated.
    pub parts: Vec<Bulk<'a>>,
    /// Extension if the content does not tell: `wem` for audio, `bnk` for a bank.
    pub usual_extension: &'static str,
}

/// Bytes of the shortest chunk: a flag, and bulk data as an index.
const MIN_CHUNK: usize = 8;

impl<'a> WwiseFile<'a> {
    /// Reads audio in chunks.
    pub(super) fn read_media(payload: &mut Payload<'_, 'a>) -> Result<Self, Fault> {
        let count = payload.r.count("chunks of media", MIN_CHUNK)?;
        let mut chunks = Vec::with_capacity(count);
        for _ in 0..count {
            chunks.push((payload.r.bool32("chunk is a prefetch")?, payload.bulk()?));
        }
        // A prefetched part is repeated in a streamed chunk; without streamed chunks it is everything.
        let is_all_ahead = chunks.iter().all(|(is_prefetch, _)| *is_prefetch);
        let parts = chunks.into_iter().filter(|(is_prefetch, _)| !is_prefetch || is_all_ahead);
        Ok(Self { parts: parts.map(|(_, bulk)| bulk).collect(), usual_extension: "wem" })
    }

    /// Reads a bank.
    pub(super) fn read_bank(payload: &mut Payload<'_, 'a>) -> Result<Self, Fault> {
        Ok(Self { parts: vec![payload.bulk()?], usual_extension: "bnk" })
    }

    /// Returns the extension for a file that starts with these bytes.
    #[must_use]
    pub fn extension(&self, content: &[u8]) -> &'static str {
        match content.first_chunk() {
            Some(b"RIFF" | b"RIFX") => "wem",
            Some(b"BKHD") => "bnk",
            _ => self.usual_extension,
        }
    }
}

/// Summary of a Wwise file.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct WwiseSummary {
    /// Size of all parts, in bytes.
    pub bytes: u64,
}

impl WwiseFile<'_> {
    pub(crate) fn summary(&self, _: &Scope<'_>, _: &Object) -> WwiseSummary {
        let lens = self.parts.iter().map(|part| part.record.len);
        WwiseSummary { bytes: lens.fold(0, u64::saturating_add) }
    }
}

impl fmt::Display for WwiseSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Wwise file: {}", counted(self.bytes, "byte", "bytes"))
    }
}

//! Uncooked assets: the picture or sound that was imported, as the editor keeps it.
//!
//! ```text
//! texture   strip flags │ (5.0) editor bulk data, before bulk data │ strip flags │ bool32 cooked: 0
//! sound     u32 flags, not cooked │ the same │ GUID
//! ```
//!
//! What the data is, properties say: a PNG or JPEG file, or pixels; a WAV file.
//!
//! Source: the package sheet and CUE4Parse. No real file with such data was available: tested on bytes that are spelled out.

mod compressed;
mod editor_bulk;
mod error;
mod picture;

pub use compressed::{inflate, unwrap};
pub use editor_bulk::EditorBulk;
pub use error::SourceError;
pub use picture::SourcePicture;

use super::{Bulk, Payload};
use crate::property::{Object, Scope};
use crate::wire::{Fault, counted};
use std::fmt;

/// What an asset was made from.
#[derive(Debug, Clone, PartialEq)]
pub struct SourceData<'a> {
    /// What it is.
    pub kind: SourceKind,
    /// Where it is.
    pub place: SourcePlace<'a>,
}

/// What the source of an asset is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SourceKind {
    /// Of a texture.
    Picture(SourcePicture),
    /// Of a sound.
    Sound,
}

/// Where the source of an asset is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourcePlace<'a> {
    /// In bulk data.
    Bulk(Bulk<'a>),
    /// In bulk data of the editor (5.0).
    Editor(EditorBulk),
}

/// Bytes after the source of a sound: a GUID.
const GUID: usize = 16;

impl<'a> SourceData<'a> {
    /// Of a texture of any class.
    pub(super) fn read_texture(payload: &mut Payload<'_, 'a>) -> Result<Self, Fault> {
        payload.strip_flags()?;
        let place = if payload.versions.has_editor_bulk_data() {
            EditorBulk::read(&mut payload.r).map(SourcePlace::Editor)?
        } else {
            payload.bulk().map(SourcePlace::Bulk)?
        };
        payload.strip_flags()?;
        payload.expect("texture: cooked", 0)?;
        Ok(Self { kind: SourceKind::Picture(SourcePicture::new(payload)), place })
    }

    /// Of a sound. Which of both forms of bulk data it has, nothing says: only one of them fits.
    pub(super) fn read_sound(payload: &mut Payload<'_, 'a>) -> Result<Self, Fault> {
        payload.r.u32("flags of a sound")?;
        let start = payload.r.clone();
        let kind = SourceKind::Sound;
        if payload.versions.has_editor_bulk_data() {
            let found = EditorBulk::read(&mut payload.r);
            if let Ok(found) = found
                && payload.r.remaining() == GUID
            {
                payload.r.bytes("GUID of the audio", GUID)?;
                return Ok(Self { kind, place: SourcePlace::Editor(found) });
            }
            payload.r = start;
        }
        let found = payload.bulk()?;
        payload.r.bytes("GUID of the audio", GUID)?;
        Ok(Self { kind, place: SourcePlace::Bulk(found) })
    }
}

/// The source of an asset in a few numbers.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct SourceSummary {
    /// Format of its pixels, or `sound`.
    pub format: String,
    /// Pixels in a row; 0 for a sound.
    pub width: u32,
    /// Rows; 0 for a sound.
    pub height: u32,
    /// Its length.
    pub bytes: u64,
}

impl SourceData<'_> {
    pub(crate) fn summary(&self, _: &Scope<'_>, _: &Object) -> SourceSummary {
        let bytes = match &self.place {
            SourcePlace::Bulk(bulk) => bulk.record.raw_len,
            SourcePlace::Editor(bulk) => bulk.raw_len,
        };
        let (format, width, height) = match &self.kind {
            SourceKind::Picture(picture) => (picture.format.to_string(), picture.width, picture.height),
            SourceKind::Sound => ("sound".to_owned(), 0, 0),
        };
        SourceSummary { format, width, height, bytes }
    }
}

impl fmt::Display for SourceSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { format, width, height, bytes } = self;
        write!(f, "source: {format}")?;
        if (*width, *height) != (0, 0) {
            write!(f, " {width} x {height}")?;
        }
        write!(f, ", {}", counted(*bytes, "byte", "bytes"))
    }
}

//! Uncooked assets: the imported image or sound, as the editor keeps it.
//!
//! ```text
//! texture   strip flags │ (5.0) editor bulk data, before bulk data │ strip flags │ bool32 cooked: 0
//! sound     u32 flags, not cooked │ the same │ GUID
//! ```
//!
//! Properties describe the data: a PNG or JPEG file, or pixels; a WAV file.
//!
//! Verified on a texture of 4.27, and on the static meshes of 5.0 and 5.1, which use the same bulk data; the rest on
//! spelled-out bytes. Source: the package sheet and CUE4Parse.

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

/// Source of an asset: the imported data.
#[derive(Debug, Clone, PartialEq)]
pub struct SourceData<'a> {
    /// Kind and description.
    pub kind: SourceKind,
    /// Location.
    pub place: SourcePlace<'a>,
}

/// Kind of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SourceKind {
    /// Image of a texture.
    Picture(SourcePicture),
    /// Sound file.
    Sound,
}

/// Location of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourcePlace<'a> {
    /// Bulk data, before 5.0.
    Bulk(Bulk<'a>),
    /// Editor bulk data, since 5.0.
    Editor(EditorBulk),
}

/// Bytes after the source of a sound: a GUID.
const GUID: usize = 16;

impl<'a> SourceData<'a> {
    /// Reads the source of a texture of any class.
    pub(super) fn read_texture(payload: &mut Payload<'_, 'a>) -> Result<Self, Fault> {
        payload.strip_flags()?;
        let place = if payload.versions.has_editor_bulk_data() {
            EditorBulk::read(&mut payload.r).map(SourcePlace::Editor)?
        } else {
            payload.bulk().map(SourcePlace::Bulk)?
        };
        // The flags of the texture's own class, then the mark of an uncooked texture.
        payload.strip_flags()?;
        payload.expect("texture: cooked", 0)?;
        let picture = SourcePicture::of_texture(payload.scope, payload.object);
        Ok(Self { kind: SourceKind::Picture(picture), place })
    }

    /// Reads the source of a sound. Nothing records which form of bulk data it has, but only one of them
    /// fits.
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

/// Summary of a source.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct SourceSummary {
    /// Pixel format, or `sound`.
    pub format: String,
    /// Pixels in a row; 0 for a sound.
    pub width: u32,
    /// Rows; 0 for a sound.
    pub height: u32,
    /// Size after decompression, in bytes.
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

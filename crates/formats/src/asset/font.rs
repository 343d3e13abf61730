//! Font faces: TrueType and OpenType files.
//!
//! ```text
//! payload   (5.0) bool32 cooked │ bool32 inline │ inline: i32 n │ n bytes: the file │ (5.6) i32 n │ n × geometry
//! geometry  bool32 │ i32 n │ n × { i32 glyph, 21 bytes } │ i32 n, n bytes │ i32 n, n × i16
//! ```
//!
//! A font that is not inline is a `.ufont` file next to the package, which is the TrueType or OpenType file
//! itself.
//!
//! Follows CUE4Parse: no real file was available. Source: the payload sheet.

use super::Payload;
use crate::property::{Object, Scope};
use crate::wire::{Fault, FaultKind, counted};
use std::fmt;

/// `UFontFace`: a font file.
#[doc(alias = "UFontFace")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FontFace<'a> {
    /// Bytes of the font file; `None` if it is a file next to the package.
    pub inline: Option<&'a [u8]>,
}

/// Bytes of a glyph and its geometry.
const GLYPH: usize = 4 + 21;
/// Bytes of the shortest geometry: a flag and three empty lists.
const MIN_GEOMETRY: usize = 16;

impl<'a> FontFace<'a> {
    pub(crate) fn read(payload: &mut Payload<'_, 'a>) -> Result<Self, Fault> {
        let at = payload.r.clone();
        // Only cooked faces have the payload described above.
        if payload.versions.has_cooked_font_faces() && !payload.r.bool32("cooked")? {
            return Err(at.fault("cooked", FaultKind::Unsupported { found: 0 }));
        }
        if !payload.r.bool32("font is inline")? {
            return Ok(Self { inline: None });
        }
        let inline = payload.byte_array("font")?;
        // The geometry of glyphs is not needed to open the font.
        if payload.versions.has_font_geometry() {
            let count = payload.r.count("geometry of a font", MIN_GEOMETRY)?;
            (0..count).try_for_each(|_| geometry(payload))?;
        }
        Ok(Self { inline: Some(inline) })
    }

    /// Returns the extension for a font file, by its first bytes; `None` if it is no known font.
    #[must_use]
    pub fn extension(file: &[u8]) -> Option<&'static str> {
        match file.first_chunk()? {
            b"OTTO" => Some("otf"),
            b"ttcf" => Some("ttc"),
            b"\0\x01\0\0" | b"true" => Some("ttf"),
            _ => None,
        }
    }
}

fn geometry(payload: &mut Payload<'_, '_>) -> Result<(), Fault> {
    payload.r.bool32("geometry of a font")?;
    for (field, unit) in [("glyphs of a font", GLYPH), ("flags of glyphs", 1), ("points of glyphs", 2)] {
        let count = payload.r.count(field, unit)?;
        payload.r.bytes(field, count.saturating_mul(unit))?;
    }
    Ok(())
}

/// Summary of a font.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct FontSummary {
    /// Size of the font file in bytes; `None` if it is a file next to the package.
    pub bytes: Option<usize>,
}

impl FontFace<'_> {
    pub(crate) fn summary(&self, _: &Scope<'_>, _: &Object) -> FontSummary {
        FontSummary { bytes: self.inline.map(<[u8]>::len) }
    }
}

impl fmt::Display for FontSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.bytes {
            Some(bytes) => write!(f, "font: {}", counted(bytes as u64, "byte", "bytes")),
            None => f.write_str("font: in a .ufont beside its package"),
        }
    }
}

//! Fonts as TrueType or OpenType files.

use super::files::Files;
use super::source::Source;
use crate::asset::FontFace;
use crate::error::Result;
use std::borrow::Cow;

/// Writes a font. The text says what was not written, and why.
pub(super) fn write(
    source: &Source<'_, '_>,
    font: &FontFace<'_>,
    files: &mut Files<'_>,
) -> Result<Option<String>> {
    // Fonts are embedded, or lazily loaded from a `.ufont` beside the package.
    let file: Cow<'_, [u8]> = match font.inline {
        Some(bytes) => bytes.into(),
        None => match source.job.library.font_beside(source.item)? {
            Some(bytes) => bytes.into(),
            None => {
                return Ok(Some("its font, a .ufont beside its package, was not found".to_owned()));
            }
        },
    };
    let Some(extension) = FontFace::extension(&file) else {
        return Ok(Some("its font is neither TrueType nor OpenType".to_owned()));
    };
    files.put("", extension, &file)?;
    Ok(None)
}

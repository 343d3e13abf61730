//! Source data of uncooked assets: the file or pixels they were imported from.

use super::files::Files;
use super::options::ExportForm;
use super::source::Source;
use super::texture::{exr, png, slices};
use crate::asset::Bulk;
use crate::asset::sound::AudioFile;
use crate::asset::source_data::{SourceData, SourceError, SourceKind, SourcePicture, SourcePlace, inflate};
use crate::asset::texture::Shape;
use crate::error::{Error, Result};
use crate::image::Picture;
use crate::package::bulk::{BulkCompression, BulkRecord};
use std::borrow::Cow;

/// Magic bytes of imported picture files, with extension and form.
const FILES: [(&[u8], &str, ExportForm); 2] =
    [(b"\x89PNG", "png", ExportForm::Png), (b"\xFF\xD8\xFF", "jpg", ExportForm::Raw)];

/// Writes the source of an asset. The text says what was not written, and why.
pub(super) fn write<'a>(
    source: &Source<'_, 'a>,
    found: &SourceData<'a>,
    files: &mut Files<'_>,
) -> Result<Option<String>> {
    let bytes = match bytes(source, &found.place)? {
        Ok(bytes) => bytes,
        Err(why) => return Ok(Some(why.to_owned())),
    };
    match &found.kind {
        SourceKind::Picture(picture) => self::picture(source, picture, &bytes, files),
        SourceKind::Sound => {
            let file = AudioFile::raw(&bytes);
            let form = if file.extension == "wav" { ExportForm::Wav } else { ExportForm::Raw };
            if source.options.forms.wants(form, true) {
                files.put("", file.extension, &bytes)?;
            }
            Ok(None)
        }
    }
}

/// The source bytes, or the reason why they are not available.
pub(super) fn bytes<'a>(
    source: &Source<'_, 'a>,
    place: &SourcePlace<'a>,
) -> Result<std::result::Result<Cow<'a, [u8]>, &'static str>> {
    let loaded = source.loaded;
    let malformed = || Error::malformed("source of an asset", &loaded.path);
    let limit = source.job.library.packages().limit();
    match place {
        SourcePlace::Bulk(bulk) => {
            // The record says that the bytes are compressed. Read them as stored, and decompress them here.
            let is_zlib = bulk.record.compression == BulkCompression::Zlib;
            let stored = if is_zlib { BulkCompression::None } else { bulk.record.compression };
            let record = BulkRecord { compression: stored, ..bulk.record };
            let Some(bytes) = source.bulk(&Bulk { record, ..*bulk })? else {
                return Ok(Err("its source was not found"));
            };
            // A record may have no payload at all, which is no damage.
            if bytes.is_empty() {
                return Ok(Err("it has no source"));
            }
            let bytes = if is_zlib { inflate(&bytes, limit).map_err(malformed())?.into() } else { bytes };
            Ok(Ok(bytes))
        }
        SourcePlace::Editor(bulk) => {
            let trailer = loaded.trailer().map_err(Error::malformed("package trailer", &loaded.path))?;
            match bulk.bytes(loaded.data(), trailer.as_ref(), limit) {
                Ok(bytes) => Ok(Ok(bytes.into())),
                Err(SourceError::Fault(fault)) => Err(malformed()(fault)),
                Err(SourceError::Obstacle(why)) => Ok(Err(why)),
                Err(_) => Ok(Err("its source cannot be read")),
            }
        }
    }
}

/// Writes the imported file, or its pixels as a picture.
fn picture(
    source: &Source<'_, '_>,
    picture: &SourcePicture,
    bytes: &[u8],
    files: &mut Files<'_>,
) -> Result<Option<String>> {
    let forms = &source.options.forms;
    // The source may still be compressed as PNG or JPEG; such a file is written unchanged.
    if let Some((_, extension, form)) = FILES.iter().find(|(start, ..)| bytes.starts_with(start)) {
        if forms.wants(*form, true) {
            files.put("", extension, bytes)?;
        }
        return Ok(None);
    }
    let Some(format) = picture.pixel_format() else {
        if forms.wants(ExportForm::Raw, false) {
            files.put("", "raw", bytes)?;
        }
        return Ok(Some(format!(
            "its source has pixels in the format {:?}, which is not read; only its bytes can be written, as raw data",
            picture.format
        )));
    };
    if forms.wants(ExportForm::Raw, false) {
        files.put("", "raw", bytes)?;
    }
    let form = if format.layout().is_float() { ExportForm::Exr } else { ExportForm::Png };
    if !forms.wants(form, true) {
        return Ok(None);
    }
    if picture.width == 0 || picture.height == 0 {
        return Ok(Some("its properties, which have the size of its source, are not known".to_owned()));
    }
    let error = |source_of: crate::image::ImageError| Error::Image {
        object: source.object.clone(),
        source: source_of,
        path: source.loaded.path.clone(),
    };
    // A property at its default is not stored, and the default is sRGB.
    let encoding = match source.fields.get::<bool>(source.scope, "SRGB") {
        Some(false) => png::Encoding::Linear,
        _ => png::Encoding::Srgb,
    };
    let shape = if picture.slices > 1 { Shape::Array } else { Shape::Flat };
    let len = usize::try_from(format.byte_len(picture.width, picture.height)).unwrap_or(usize::MAX);
    for slice in 0..picture.slices.max(1) {
        // Slices follow each other without padding. A short source leaves the last ones empty, which `Picture::new`
        // reports.
        let start = len.saturating_mul(slice as usize).min(bytes.len());
        let own = bytes.get(start..).unwrap_or_default();
        let image = Picture::new(format, picture.width, picture.height, own).and_then(|own| own.decode());
        let image = image.map_err(error)?;
        let suffix = slices::suffix(shape, slice);
        let failed = |error: std::io::Error| Error::io("encode the picture of", &source.loaded.path)(error);
        if form == ExportForm::Exr {
            let file = exr::encode(&image).map_err(|error| failed(std::io::Error::other(error)))?;
            files.put(&suffix, "exr", &file)?;
        } else {
            let file = png::encode(&image, encoding, source.cpu)
                .map_err(|error| failed(std::io::Error::other(error)))?;
            files.put(&suffix, "png", &file)?;
        }
    }
    Ok(None)
}

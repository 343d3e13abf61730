//! Textures as pictures.

mod dds;
#[cfg(feature = "exr")]
pub(crate) mod exr;
#[cfg(not(feature = "exr"))]
#[path = "no_exr.rs"]
pub(crate) mod exr;
mod lent;
mod opacity;
pub(super) mod png;
pub(super) mod slices;
mod tiles;

pub(super) use lent::write as write_lent;

use super::files::Files;
use super::options::{CubeForm, ExportForm, Levels};
use super::source::Source;
use crate::asset::Bulk;
use crate::asset::texture::{Mip, Shape, Texture};
use crate::error::{Error, Result};
use crate::image::{BAND, Band, Image, ImageError, PixelFormat, equirectangular};
use crate::wire::counted;
use std::borrow::Cow;

/// Writes a texture in all requested forms. The text says what was not written, and why.
pub(super) fn write<'a>(
    source: &Source<'_, 'a>,
    texture: &Texture<'a>,
    files: &mut Files<'_>,
) -> Result<Option<String>> {
    let writer = Writer { source, texture };
    if let Some(found) = &texture.virtual_texture {
        return writer.tiles(found, files);
    }
    if texture.mips.is_empty() {
        return Ok(Some("it has no mips".to_owned()));
    }
    writer.mips(files)
}

struct Writer<'w, 's, 'a> {
    source: &'w Source<'s, 'a>,
    texture: &'w Texture<'a>,
}

impl<'a> Writer<'_, '_, 'a> {
    fn mips(&self, files: &mut Files<'_>) -> Result<Option<String>> {
        let options = self.source.options;
        let mut note = None;
        // DDS and raw data are stored formats, written only on request; pictures are the usual form.
        if options.forms.wants(ExportForm::Dds, false) {
            note = self.dds(files)?;
        }
        if options.forms.wants(ExportForm::Raw, false) {
            self.raw(files)?;
        }
        let pictures = self.pictures(files)?;
        Ok(note.or(pictures))
    }

    /// True for PNG and for EXR, if the form is requested.
    fn picture_forms(&self) -> [bool; 2] {
        [ExportForm::Png, ExportForm::Exr].map(|form| self.source.options.forms.wants(form, true))
    }

    /// Suffix of a mip in file names.
    fn mip_suffix(&self, at: usize) -> String {
        self.source.options.mips.suffix("mip", at)
    }

    fn chosen(&self) -> impl Iterator<Item = (usize, &Mip<'a>)> {
        self.texture.mips.iter().enumerate().filter(|(at, _)| self.source.options.mips.may_want(*at))
    }

    fn pictures(&self, files: &mut Files<'_>) -> Result<Option<String>> {
        if self.picture_forms() == [false; 2] {
            return Ok(None);
        }
        if self.chosen().next().is_none() {
            let mips = counted(self.texture.mips.len() as u64, "mip", "mips");
            return Ok(Some(format!("it has only {mips}")));
        }
        let (mut note, mut missing) = (None, 0_usize);
        for (at, mip) in self.chosen() {
            let Some(bytes) = self.bulk(&mip.data)? else {
                // Optional bulk data is often not shipped; a smaller mip is better than none.
                missing += 1;
                continue;
            };
            let left = self.slices(mip, &bytes, &self.mip_suffix(at), files)?;
            note = note.or(left);
            if self.source.options.mips == Levels::Best {
                break;
            }
        }
        if missing == self.chosen().count() {
            note = Some("the data of its mips was not found".to_owned());
        } else if missing > 0 {
            let mips = counted(missing as u64, "mip", "mips");
            note = Some(format!("smaller mips were written, since the data of {mips} was not found"));
        }
        Ok(note)
    }

    fn slices(
        &self,
        mip: &Mip<'_>,
        bytes: &[u8],
        suffix: &str,
        files: &mut Files<'_>,
    ) -> Result<Option<String>> {
        // A cube map has six slices per cube, in the order of `slices::FACES`.
        let is_cube = matches!(self.texture.shape, Shape::Cube | Shape::CubeArray);
        if is_cube && self.source.options.cubes == CubeForm::Equirectangular {
            return self.cubes(mip, bytes, suffix, files);
        }
        let format = self.texture.format;
        let mut note = None;
        for slice in 0..mip.slices {
            let image = self.look(mip, slice, bytes)?;
            let name = slices::suffix(self.texture.shape, slice);
            note = note.or(self.picture(&image, format, &format!("{name}{suffix}"), files)?);
        }
        Ok(note)
    }

    /// Writes each cube as one equirectangular picture.
    fn cubes(
        &self,
        mip: &Mip<'_>,
        bytes: &[u8],
        suffix: &str,
        files: &mut Files<'_>,
    ) -> Result<Option<String>> {
        let mut note = None;
        for cube in 0..mip.slices / 6 {
            let faces: Vec<Image> =
                (cube * 6..cube * 6 + 6).map(|slice| self.look(mip, slice, bytes)).collect::<Result<_>>()?;
            let Some(image) = faces.first_chunk::<6>().and_then(equirectangular) else {
                return Ok(Some("its faces are not squares, so they do not make one picture".to_owned()));
            };
            let name = slices::cube_suffix(self.texture.shape, cube);
            note = note.or(self.picture(&image, self.texture.format, &format!("{name}{suffix}"), files)?);
        }
        Ok(note)
    }

    /// Decodes a slice. Large ones are decoded on all idle threads.
    fn look(&self, mip: &Mip<'_>, slice: u32, bytes: &[u8]) -> Result<Image> {
        let all = |bands: Vec<Band<'_, '_>>| drop(self.source.cpu.map(bands, Band::decode));
        self.texture.look_by(mip, slice, bytes, (BAND, all)).map_err(|source| self.error(source))
    }

    /// Writes a decoded picture.
    fn picture(
        &self,
        image: &Image,
        format: PixelFormat,
        suffix: &str,
        files: &mut Files<'_>,
    ) -> Result<Option<String>> {
        let [png, exr] = self.picture_forms();
        // Floats are never clamped into a PNG.
        if image.is_float() {
            if !exr {
                return Ok(Some("its pixels are floats, which PNG does not have: exr and dds do".to_owned()));
            }
            files.put(suffix, "exr", &exr::encode(image).map_err(self.encode_error())?)?;
        } else if png {
            let encoding =
                if self.texture.is_srgb(format) { png::Encoding::Srgb } else { png::Encoding::Linear };
            files.put(
                suffix,
                "png",
                &png::encode(image, encoding, self.source.cpu).map_err(self.encode_error())?,
            )?;
        // Only EXR is requested, which can hold integers as floats.
        } else {
            files.put(suffix, "exr", &exr::encode(image).map_err(self.encode_error())?)?;
        }
        Ok(None)
    }

    /// Writes the texture as a DDS file, with all mips whose data is available.
    fn dds(&self, files: &mut Files<'_>) -> Result<Option<String>> {
        let Some(form) = dds::form(self.texture) else {
            return Ok(Some(format!("DDS has no pixel format {}", self.texture.format)));
        };
        let mut levels = Vec::new();
        for mip in &self.texture.mips {
            match self.bulk(&mip.data)? {
                Some(bytes) => levels.push((mip, self.whole(mip, bytes)?)),
                // The largest mips may be missing, but DDS mips must follow each other without gaps.
                None if levels.is_empty() => {}
                None => break,
            }
        }
        if levels.is_empty() {
            return Ok(Some("the data of its mips is missing".to_owned()));
        }
        files.put("", "dds", &dds::encode(form, self.texture, &levels))?;
        Ok(None)
    }

    fn raw(&self, files: &mut Files<'_>) -> Result<()> {
        for (at, mip) in self.chosen() {
            let Some(bytes) = self.bulk(&mip.data)? else { continue };
            let name = format!("_mip{at}_{}x{}_{}", mip.width, mip.height, self.texture.format);
            files.put(&name, "raw", &bytes)?;
            if self.source.options.mips == Levels::Best {
                break;
            }
        }
        Ok(())
    }

    /// The bytes of a mip, without platform-specific padding.
    fn whole<'b>(&self, mip: &Mip<'_>, bytes: Cow<'b, [u8]>) -> Result<Cow<'b, [u8]>> {
        let (found, expected) = (bytes.len() as u64, mip.byte_len(self.texture.format));
        let len = usize::try_from(expected).unwrap_or(usize::MAX);
        if bytes.len() < len {
            let (format, width, height) = (self.texture.format, mip.width, mip.height);
            return Err(self.error(ImageError::Short { format, width, height, found, expected }));
        }
        Ok(match bytes {
            Cow::Borrowed(bytes) => Cow::Borrowed(bytes.get(..len).unwrap_or_default()),
            Cow::Owned(mut bytes) => {
                bytes.truncate(len);
                Cow::Owned(bytes)
            }
        })
    }

    /// A piece of bulk data; `None` if it does not exist. Cookers leave large mips out with a length of zero.
    fn bulk(&self, bulk: &Bulk<'a>) -> Result<Option<Cow<'a, [u8]>>> {
        if bulk.record.len == 0 { Ok(None) } else { self.source.bulk(bulk) }
    }

    fn error(&self, source: ImageError) -> Error {
        Error::Image { object: self.source.object.clone(), source, path: self.source.loaded.path.clone() }
    }

    fn encode_error<E: std::error::Error + Send + Sync + 'static>(&self) -> impl FnOnce(E) -> Error {
        let path = self.source.loaded.path.clone();
        move |error| Error::io("encode the picture of", path)(std::io::Error::other(error))
    }
}

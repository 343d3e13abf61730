//! Virtual textures: their tiles joined to pictures.

use super::Writer;
use crate::asset::texture::{AssembleError, VirtualTexture};
use crate::error::{Error, Result, UnsupportedFeature};
use crate::export::files::Files;
use crate::export::options::Levels;
use crate::image::Image;
use std::borrow::Cow;

impl<'a> Writer<'_, '_, 'a> {
    /// Writes the requested mips of all layers; each block of a texture of several (UDIM) gets its own file.
    pub(super) fn tiles(
        &self,
        texture: &VirtualTexture<'a>,
        files: &mut Files<'_>,
    ) -> Result<Option<String>> {
        let [png, exr] = self.picture_forms();
        if !png && !exr {
            return Ok(Some(
                "virtual textures consist of tiles: only png and exr have them as pictures".to_owned(),
            ));
        }
        let chunks = self.chunks(texture)?;
        let mut note = None;
        for (at, _) in
            texture.mips.iter().enumerate().filter(|(at, _)| self.source.options.mips.may_want(*at))
        {
            // A mip counts as available only if all its layers are.
            let mut is_there = true;
            for layer in 0..texture.layers.len() {
                let image = match texture.assemble(at, layer, &chunks) {
                    Ok(image) => image,
                    Err(AssembleError::Empty) => {
                        is_there = false;
                        note = Some(format!("the data of mip {at} was not found"));
                        continue;
                    }
                    Err(error) => return Err(self.malformed(error)),
                };
                note = note.or(self.layer(texture, image, (at, layer), files)?);
            }
            if is_there && self.source.options.mips == Levels::Best {
                break;
            }
        }
        Ok(note)
    }

    /// The largest available picture of the first layer.
    pub(super) fn first_layer(&self, texture: &VirtualTexture<'a>) -> Result<Option<Image>> {
        let chunks = self.chunks(texture)?;
        for at in 0..texture.mips.len() {
            match texture.assemble(at, 0, &chunks) {
                Ok(image) => return Ok(Some(image)),
                Err(AssembleError::Empty) => {}
                Err(error) => return Err(self.malformed(error)),
            }
        }
        Ok(None)
    }

    fn chunks(&self, texture: &VirtualTexture<'a>) -> Result<Vec<Option<Cow<'a, [u8]>>>> {
        texture.chunks.iter().map(|chunk| self.bulk(&chunk.data)).collect()
    }

    fn layer(
        &self,
        texture: &VirtualTexture<'_>,
        mut image: Image,
        (mip, layer): (usize, usize),
        files: &mut Files<'_>,
    ) -> Result<Option<String>> {
        let name = if layer == 0 { String::new() } else { format!("_layer{layer}") };
        let suffix = format!("{name}{}", self.mip_suffix(mip));
        let Some(kind) = texture.layers.get(layer) else { return Ok(None) };
        self.texture.complete(&mut image, kind.format);
        let [across, down] = texture.blocks.map(|count| count.max(1));
        if (across, down) == (1, 1) {
            return self.picture(&image, kind.format, &suffix, files);
        }
        // Mips may be smaller than the number of blocks; do not divide down to nothing.
        let part = [(image.width / across).max(1), (image.height / down).max(1)];
        let [width, height] = part;
        let mut note = None;
        for (row, column) in (0..down).flat_map(|row| (0..across).map(move |column| (row, column))) {
            if let Some(part) = image.crop([column * width, row * height], part) {
                // UDIM numbers start at 1001 and count columns by one, rows by ten.
                let number = 1001 + column + 10 * row;
                note = note.or(self.picture(&part, kind.format, &format!(".{number}{suffix}"), files)?);
            }
        }
        Ok(note)
    }

    fn malformed(&self, source: AssembleError) -> Error {
        let what =
            UnsupportedFeature::VirtualTexture { object: self.source.object.clone(), source: source.into() };
        Error::Unsupported { what, path: self.source.loaded.path.clone() }
    }
}

//! All textures of a package, in a time and a memory that the length of the package bounds.

use super::TextureError;
use super::pixels::{pixels, png};
use crate::package::classic::{Export, ObjectIndex, Package};
use std::collections::HashMap;

/// A picture as a PNG file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// The file.
    pub png: Vec<u8>,
}

/// The textures of a package, each decoded when it is asked for. See [`Package::textures`].
#[derive(Debug)]
pub struct Textures<'a> {
    package: &'a Package,
    bytes: &'a [u8],
    exports: std::slice::Iter<'a, Export>,
    /// Bytes of objects that may still be read.
    left: u64,
    /// Palettes that were read: many textures may have the same one.
    palettes: HashMap<ObjectIndex, Result<Vec<[u8; 4]>, TextureError>>,
}

impl Package {
    /// The textures of the package, each in its largest size, one after the other; those without an image are left out.
    ///
    /// Objects do not share their bytes. Where tables say otherwise, a small file would have as many large pictures as it has
    /// exports; so once the objects that were read are longer than the package, the others are errors.
    #[must_use]
    pub fn textures<'a>(&'a self, content: &'a [u8]) -> Textures<'a> {
        Textures {
            package: self,
            bytes: content,
            exports: self.exports.iter(),
            left: content.len() as u64,
            palettes: HashMap::new(),
        }
    }
}

impl<'a> Iterator for Textures<'a> {
    type Item = (&'a Export, Result<Picture, TextureError>);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let export = self.exports.find(|export| self.package.class_of(export).ends_with("Texture"))?;
            if let Some(picture) = self.picture(export).transpose() {
                return Some((export, picture));
            }
        }
    }
}

impl Textures<'_> {
    /// The largest image of a texture, if it has one.
    fn picture(&mut self, export: &Export) -> Result<Option<Picture>, TextureError> {
        self.pay(export)?;
        let (package, bytes) = (self.package, self.bytes);
        let texture = package.texture(bytes, export)?;
        let Some(mip) = texture.mips.first() else { return Ok(None) };
        let pixels = pixels(bytes, &texture, mip, || {
            let index = texture.palette.ok_or(TextureError::NoPalette)?;
            if let Some(known) = self.palettes.get(&index) {
                return known.clone();
            }
            let palette = self.palette(index);
            self.palettes.insert(index, palette.clone());
            palette
        })?;
        Ok(Some(Picture { width: mip.width, height: mip.height, png: png(mip, &pixels)? }))
    }

    /// The colors of a palette, as many as there are numbers for.
    fn palette(&mut self, index: ObjectIndex) -> Result<Vec<[u8; 4]>, TextureError> {
        let export = self.package.export(index).ok_or(TextureError::NoPalette)?;
        self.pay(export)?;
        let mut colors = self.package.palette(self.bytes, export)?;
        colors.truncate(256);
        colors.shrink_to_fit();
        Ok(colors)
    }

    /// Takes the bytes of an object from those that may be read.
    fn pay(&mut self, export: &Export) -> Result<(), TextureError> {
        self.left = self.left.checked_sub(export.serial_len.into()).ok_or(TextureError::Overlap)?;
        Ok(())
    }
}

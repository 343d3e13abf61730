//! All textures of a package, in time and memory bounded by the length of the package.

use super::TextureError;
use super::pixels::{pixels, png};
use crate::package::classic::{Export, ObjectIndex, Package};
use std::collections::HashMap;

/// An image as a PNG file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// PNG file.
    pub png: Vec<u8>,
}

/// Iterator over the textures of a package, decoding each on demand. See [`Package::textures`].
#[derive(Debug)]
pub struct Textures<'a> {
    package: &'a Package,
    bytes: &'a [u8],
    exports: std::slice::Iter<'a, Export>,
    /// Bytes of objects that may still be read.
    left: u64,
    /// Palettes read so far: many textures may share one.
    palettes: HashMap<ObjectIndex, Result<Vec<[u8; 4]>, TextureError>>,
}

impl Package {
    /// Returns the textures of the package one by one, each in its largest size; textures without an image
    /// are skipped.
    ///
    /// Objects never share bytes. In a hostile file they could, and every export would yield a large picture;
    /// so once the objects read are longer than the package, the remaining ones are errors.
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
            // Subclasses count, too; their names end the same way.
            let export = self.exports.find(|export| self.package.class_of(export).ends_with("Texture"))?;
            if let Some(picture) = self.picture(export).transpose() {
                return Some((export, picture));
            }
        }
    }
}

impl Textures<'_> {
    /// Decodes the largest image of a texture, if it has one.
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
            // Failures are kept, too, so that a broken palette is paid for only once.
            self.palettes.insert(index, palette.clone());
            palette
        })?;
        Ok(Some(Picture { width: mip.width, height: mip.height, png: png(mip, &pixels)? }))
    }

    /// Reads a palette of at most 256 colors, which is all that an index byte can address.
    fn palette(&mut self, index: ObjectIndex) -> Result<Vec<[u8; 4]>, TextureError> {
        let export = self.package.export(index).ok_or(TextureError::NoPalette)?;
        self.pay(export)?;
        let mut colors = self.package.palette(self.bytes, export)?;
        colors.truncate(256);
        colors.shrink_to_fit();
        Ok(colors)
    }

    /// Charges the bytes of an object to the total that may be read.
    fn pay(&mut self, export: &Export) -> Result<(), TextureError> {
        self.left = self.left.checked_sub(export.serial_len.into()).ok_or(TextureError::Overlap)?;
        Ok(())
    }
}

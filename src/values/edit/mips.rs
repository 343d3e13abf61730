//! Mips of a package's textures, each by itself, so that versions of one texture can be compared and put together.

use super::change::Editing;
use super::kept::Files;
use crate::asset::texture::{NewMip, Texture};
use crate::asset::{self, Asset};
use crate::error::Result;
use crate::property::{Object, Scope};
use crate::values::inputs::PackageInput;
use crate::values::loaded::Loaded;

/// A texture, its pixels apart from the rest.
#[derive(Debug)]
pub struct TextureMips {
    /// Path of the object in its package.
    pub object: String,
    /// Hash of the texture with its pixels blank: its data in the package, and the files beside it.
    pub frame: blake3::Hash,
    /// Its mips, the largest first.
    pub mips: Vec<NewMip>,
}

impl Editing {
    /// The textures of a package. Those whose mips cannot be replaced by others one by one, such as virtual textures, are left out.
    pub fn texture_mips(&self, input: usize) -> Result<Vec<TextureMips>> {
        let (item, raw) = self.raw(input)?;
        let loaded = self.opened(&raw, &item)?;
        let scope = self.scope(&loaded);
        let mut found = Vec::new();
        for (at, export) in (0..).zip(&scope.package.exports) {
            if !asset::is_texture(&scope, export) {
                continue;
            }
            let object = Object::read(&scope, export);
            let Some(Ok(read)) = asset::read(&scope, export, &object) else { continue };
            let Asset::Texture(texture) = &read.asset else { continue };
            let path = crate::package::legacy::PackageIndex::export(at)
                .and_then(|index| scope.package.path(index, scope.name()))
                .map_or_else(String::new, |path| path.in_package("").to_string());
            if let Some((frame, mips)) = self.apart(&scope, (&item, &loaded), texture)? {
                found.push(TextureMips { object: path, frame, mips });
            }
        }
        Ok(found)
    }

    /// The hash of a texture without its pixels, and its mips.
    fn apart(
        &self,
        scope: &Scope<'_>,
        (item, loaded): (&PackageInput, &Loaded),
        texture: &Texture<'_>,
    ) -> Result<Option<(blake3::Hash, Vec<NewMip>)>> {
        let (mut mips, mut files) = (Vec::new(), Files::new());
        for mip in &texture.mips {
            let Some(bytes) = self.library.bulk(item, loaded, &mip.data)? else { return Ok(None) };
            let bytes = bytes.into_owned();
            mips.push(NewMip { width: mip.width, height: mip.height, slices: mip.slices, bytes });
        }
        for key in texture.files() {
            let Some((bytes, _)) = self.library.bulk_file(item, key)? else { return Ok(None) };
            files.insert(key, bytes);
        }
        let blank: Vec<NewMip> =
            mips.iter().map(|mip| NewMip { bytes: vec![0; mip.bytes.len()], ..*mip }).collect();
        let entries = scope.package.data_resources.as_ref().map_or(0, |table| table.entries.len());
        let Ok(rest) = texture.replace(&blank, entries, &files) else { return Ok(None) };
        let mut hasher = blake3::Hasher::new();
        hasher.update(&rest.payload);
        for (key, file) in &rest.files {
            hasher.update(key.extension().as_bytes());
            hasher.update(&(file.len() as u64).to_le_bytes());
            hasher.update(file);
        }
        Ok(Some((hasher.finalize(), mips)))
    }
}

//! Textures of a package that get other pictures.

use super::change::{Changed, Edited, Editing, Files, rebuild, refused};
use crate::asset::texture::{FileKey, Mip, NewMip, NewPicture, Texture};
use crate::asset::{self, Asset};
use crate::error::Result;
use crate::package::rebuild::{Changes, NewBulk, NewHeader};
use crate::property::{Object, Scope};
use crate::values::inputs::PackageInput;
use crate::values::load::{Loaded, RawPackage};
use crate::wire::counted;
use std::borrow::Cow;

/// A texture that gets a picture.
#[derive(Debug, Clone)]
pub struct TextureWish<'p> {
    /// The name of its object; without it, the texture that is called like the package, or the only one.
    pub object: Option<String>,
    /// The picture.
    pub picture: NewPicture<'p>,
}

/// What was made of a package so far.
#[derive(Default)]
struct Made {
    changes: Changes,
    files: Files,
    changed: Vec<Changed>,
    textures: Vec<(usize, Vec<NewMip>)>,
}

impl Editing {
    /// Gives textures of one of the packages other pictures. Those that look like their picture already stay as they are.
    /// Nothing is written.
    pub fn replace_textures(&self, input: usize, wishes: &[TextureWish<'_>]) -> Result<Edited> {
        let (item, raw) = self.raw(input)?;
        let loaded = self.library.open(raw.clone(), &item)?;
        let scope = self.scope(&loaded);
        let mut made = Made::default();
        for wish in wishes {
            self.replace(&scope, &item, &loaded, wish, &mut made)?;
        }
        let path = item.name.clone();
        let exports = made.textures.len();
        let raw = if made.changes.is_empty() { raw } else { rebuild(raw, &loaded, &made.changes)? };
        self.check_textures(&raw, &item, &made)?;
        let Made { files, changed, .. } = made;
        Ok(Edited { path, changes: changed, exports, names: 0, raw, item, files })
    }

    fn replace(
        &self,
        scope: &Scope<'_>,
        item: &PackageInput,
        loaded: &Loaded,
        wish: &TextureWish<'_>,
        made: &mut Made,
    ) -> Result<()> {
        let at = find(scope, wish.object.as_deref(), &item.file_stem())
            .map_err(|reason| refused(&reason, loaded))?;
        let Some(export) = scope.package.exports.get(at) else { return Ok(()) };
        let name = scope.package.text(export.name).to_string();
        let refused = |reason: &dyn std::fmt::Display| refused(&format!("{name}: {reason}"), loaded);
        if made.textures.iter().any(|(other, _)| *other == at) {
            return Err(refused(&"two pictures are for it, expected one"));
        }
        let object = Object::read(scope, export);
        let found = match asset::read(scope, export, &object) {
            Some(Ok(found)) => found,
            Some(Err(error)) => return Err(refused(&error)),
            None => return Err(refused(&"it is no texture")),
        };
        let Asset::Texture(texture) = &found.asset else { return Err(refused(&"it is no texture")) };
        if self.looks_like(texture, item, loaded, &wish.picture)? {
            return Ok(());
        }
        let mips = texture.new_mips(&wish.picture).map_err(|error| refused(&error))?;
        for key in texture.files() {
            if !made.files.contains_key(&key)
                && let Some((bytes, mismatch)) = self.library.bulk_file(item, key)?
            {
                if let Some(damage) = mismatch {
                    return Err(damage);
                }
                made.files.insert(key, bytes);
            }
        }
        let entries = made.changes.bulk_entries.unwrap_or_else(|| entries(scope));
        let new = texture.replace(&mips, entries, &made.files).map_err(|error| refused(&error))?;
        let old = scope.bytes(export).unwrap_or_default();
        let start = found.payload_at;
        let data = [old.get(..start).unwrap_or_default(), &new.payload].concat();
        let is_same_file = |(key, bytes): (&FileKey, &Vec<u8>)| made.files.get(key) == Some(bytes);
        if data == old && new.files.iter().all(is_same_file) {
            return Ok(());
        }
        if data != old {
            made.changes.exports.insert(at, data);
            made.changes.bulk.insert(at, new.bulk.iter().map(|piece| moved(*piece, start)).collect());
            made.changes.bulk_entries = Some(new.entries);
        }
        made.files.extend(new.files);
        let first = mips.first().map_or((0, 0), |mip| (mip.width, mip.height));
        made.changed.push(Changed {
            address: name,
            from: Some(described(texture, (texture.width, texture.height), texture.mips.len())),
            to: described(texture, first, mips.len()),
        });
        made.textures.push((at, mips));
        Ok(())
    }

    /// Whether a texture looks like a picture already: what was exported and not changed stays what it is.
    fn looks_like(
        &self,
        texture: &Texture<'_>,
        item: &PackageInput,
        loaded: &Loaded,
        picture: &NewPicture<'_>,
    ) -> Result<bool> {
        let (NewPicture::Image(image), Some(mip)) = (picture, texture.mips.first()) else { return Ok(false) };
        if [mip.width, mip.height] != [image.width, image.height] || mip.slices != 1 {
            return Ok(false);
        }
        let bytes = self.library.bulk(item, loaded, &mip.data)?;
        let look = bytes.and_then(|bytes| texture.look(mip, 0, &bytes).ok());
        Ok(look.is_some_and(|look| look.has_pixels_of(image)))
    }

    /// What was written has to be what is read.
    fn check_textures(&self, raw: &RawPackage, item: &PackageInput, made: &Made) -> Result<()> {
        let again = self.library.open(raw.clone(), item)?;
        let scope = self.scope(&again);
        for (at, mips) in &made.textures {
            let Some(export) = scope.package.exports.get(*at) else { continue };
            let name = scope.package.text(export.name);
            let refused = |reason: &dyn std::fmt::Display| {
                refused(&format!("{name} would not be read again: {reason}"), &again)
            };
            let found = asset::read(&scope, export, &Object::read(&scope, export));
            let found = found.transpose().map_err(|error| refused(&error))?;
            let Some(Asset::Texture(texture)) = found.map(|found| found.asset) else {
                return Err(refused(&"it is no texture any more"));
            };
            let is_same = |(old, new): (&Mip<'_>, &NewMip)| {
                (old.width, old.height, old.slices) == (new.width, new.height, new.slices)
                    && stored(old, &made.files).as_deref() == Some(&new.bytes)
            };
            if texture.mips.len() != mips.len() || !texture.mips.iter().zip(mips).all(is_same) {
                return Err(refused(&"other mips are read from it than were written"));
            }
        }
        Ok(())
    }
}

/// The bytes of a mip, in the export or in new content of files.
fn stored<'a>(mip: &Mip<'a>, files: &'a Files) -> Option<Cow<'a, [u8]>> {
    let record = &mip.data.record;
    if let Some(inline) = mip.data.inline {
        return Some(inline.into());
    }
    let file = files.get(&FileKey { place: record.place, cooked_index: record.cooked_index })?;
    let start = usize::try_from(record.offset).ok()?;
    file.get(start..start.checked_add(usize::try_from(record.len).ok()?)?).map(Into::into)
}

/// A piece of bulk data whose places count from the start of its export.
fn moved(piece: NewBulk, start: usize) -> NewBulk {
    let header = match piece.header {
        NewHeader::Offset { at, is_absolute } => NewHeader::Offset { at: at + start, is_absolute },
        header @ NewHeader::Entry(_) => header,
    };
    let start = i64::try_from(start).unwrap_or(i64::MAX);
    let offset = if piece.is_inline { piece.offset.saturating_add(start) } else { piece.offset };
    NewBulk { header, offset, ..piece }
}

/// Entries of the bulk data table.
fn entries(scope: &Scope<'_>) -> usize {
    scope.package.data_resources.as_ref().map_or(0, |table| table.entries.len())
}

/// The place of a texture.
fn find(scope: &Scope<'_>, object: Option<&str>, package: &str) -> Result<usize, String> {
    let name = |at: usize| {
        let export = scope.package.exports.get(at);
        export.map(|export| scope.package.text(export.name).to_string()).unwrap_or_default()
    };
    let textures: Vec<usize> = scope
        .package
        .exports
        .iter()
        .enumerate()
        .filter(|(_, export)| asset::is_texture(scope, export))
        .map(|(at, _)| at)
        .collect();
    let wanted = object.unwrap_or(package);
    if let Some(found) = textures.iter().find(|at| name(**at).eq_ignore_ascii_case(wanted)) {
        return Ok(*found);
    }
    if let (None, [only]) = (object, &textures[..]) {
        return Ok(*only);
    }
    let names: Vec<String> = textures.iter().map(|at| name(*at)).collect();
    let list = match &names[..] {
        [] => "it has none".to_owned(),
        names => format!("it has {}", names.join(", ")),
    };
    Err(format!("there is no texture {wanted}: {list}"))
}

fn described(texture: &Texture<'_>, (width, height): (u32, u32), mips: usize) -> String {
    format!("{} {width} x {height}, {}", texture.format, counted(mips as u64, "mip", "mips"))
}

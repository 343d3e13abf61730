//! Replaces the pictures of a package's textures.

use super::change::Editing;
use super::edited::{Changed, Edited};
use super::kept::Files;
use super::rebuilding::{names, rebuild, refused};
use crate::asset::texture::{FileKey, Mip, NewMip, NewPicture, ReplaceError, Texture};
use crate::asset::{self, Asset};
use crate::error::{Bound, ChangeProblem, Error, ReadBackProblem, Result, TextureProblem};
use crate::image::{BAND, Band, RowTask};
use crate::job::Cpu;
use crate::package::rebuild::{Changes, NewBulk, NewHeader};
use crate::property::edit::{Address, Editor, Names};
use crate::property::{Object, Scope};
use crate::values::inputs::PackageInput;
use crate::values::loaded::Loaded;
use crate::values::raw_package::RawPackage;
use crate::wire::{Writer, counted};
use std::borrow::Cow;

/// A texture to replace, and its new picture.
#[derive(Debug, Clone)]
pub struct TextureWish<'p> {
    /// Object name; `None` for the texture named like the package, or the only one.
    pub object: Option<String>,
    /// The picture.
    pub picture: NewPicture<'p>,
    /// Ignore a missing texture.
    pub is_optional: bool,
}

/// Intermediate result for a package.
#[derive(Default)]
struct Made {
    changes: Changes,
    /// Current content of the files beside it.
    known: Files,
    /// Files whose content changed.
    files: Files,
    changed: Vec<Changed>,
    textures: Vec<(usize, Vec<NewMip>)>,
    missing: usize,
}

impl Editing {
    /// Replaces the pictures of textures in a package. Textures that already look like their picture stay as they are.
    /// Nothing is written to disk.
    pub fn replace_textures(&self, input: usize, wishes: &[TextureWish<'_>]) -> Result<Edited> {
        let (item, raw) = self.raw(input)?;
        self.replace_in(item, raw, wishes)
    }

    /// Replaces the pictures of textures in a package that was edited before, other than by pictures.
    pub fn replace_textures_again(&self, before: Edited, wishes: &[TextureWish<'_>]) -> Result<Edited> {
        let raw = before.raw()?;
        let item = before.item.clone();
        Ok(before.and(self.replace_in(item, raw, wishes)?))
    }

    fn replace_in(&self, item: PackageInput, raw: RawPackage, wishes: &[TextureWish<'_>]) -> Result<Edited> {
        let loaded = self.opened(&raw, &item)?;
        let scope = self.scope(&loaded);
        let mut made = Made::default();
        for wish in wishes {
            self.replace(&scope, &item, (&raw, &loaded), wish, &mut made)?;
        }
        let exports = made.textures.len();
        let raw = if made.changes.is_empty() {
            self.check_textures(&loaded, &made)?;
            raw
        } else {
            let raw = rebuild(raw, &loaded, &made.changes)?;
            self.check_textures(&self.library.open(&raw, &item)?, &made)?;
            raw
        };
        let Made { files, changed, missing, .. } = made;
        Ok(Edited { changes: changed, exports, missing, ..self.keep(item, raw, files)? })
    }

    fn replace(
        &self,
        scope: &Scope<'_>,
        item: &PackageInput,
        (raw, loaded): (&RawPackage, &Loaded),
        wish: &TextureWish<'_>,
        made: &mut Made,
    ) -> Result<()> {
        let found = find(scope, wish.object.as_deref(), &item.file_stem());
        let at = match found {
            Ok(at) => at,
            Err(_) if wish.is_optional => {
                made.missing += 1;
                return Ok(());
            }
            Err(problem) => return Err(refused(problem, loaded)),
        };
        let Some(export) = scope.package.exports.get(at) else { return Ok(()) };
        let name = scope.package.text(export.name).to_string();
        let refused = |source| refused(ChangeProblem::Texture { object: name.clone(), source }, loaded);
        // Two pictures for one texture: the second would silently undo the first.
        if made.textures.iter().any(|(other, _)| *other == at) {
            return Err(refused(TextureProblem::TwoPictures));
        }
        let object = Object::read(scope, export);
        let found = match asset::read(scope, export, &object) {
            Some(Ok(found)) => found,
            Some(Err(error)) => return Err(refused(error.into())),
            None => return Err(refused(TextureProblem::OtherClass)),
        };
        let Asset::Texture(texture) = &found.asset else {
            return Err(refused(TextureProblem::OtherClass));
        };
        let (price, limit) = (texture.price(&wish.picture), self.library.packages().limit());
        if price > limit {
            let (what, path) = ("memory for the new picture", loaded.path.clone());
            return Err(Error::Limit { what, found: price, limit, bound: Bound::Memory, path });
        }
        // Encoding a picture again loses quality, so exported and unchanged ones are left alone.
        if self.looks_like(texture, item, loaded, &wish.picture)? {
            return Ok(());
        }
        let run = |tasks: Vec<RowTask<'_>>| drop(self.cpu().map(tasks, RowTask::run));
        let mips = texture.new_mips_by(&wish.picture, &run).map_err(|error| refused(error.into()))?;
        for key in texture.files() {
            // The files have to be read before they are rewritten: other textures may have data in them.
            if !made.known.contains_key(&key)
                && let Some((bytes, mismatch)) = self.library.bulk_file(item, key)?
            {
                if let Some(damage) = mismatch {
                    return Err(damage);
                }
                made.known.insert(key, bytes);
            }
        }
        let place = PackagePlace { at, payload_at: found.payload_at, object: &object };
        let names = names(raw, loaded)?;
        let changed = made.put(scope, &place, names, texture, &mips);
        let changed = changed.map_err(|error| refused(error.into()))?;
        if changed {
            let first = mips.first().map_or((0, 0), |mip| (mip.width, mip.height));
            made.changed.push(Changed {
                address: name,
                from: Some(described(texture, (texture.width, texture.height), texture.mips.len())),
                to: Some(described(texture, first, mips.len())),
            });
            made.textures.push((at, mips));
        }
        Ok(())
    }

    /// True if a texture already looks like a picture, for example one exported and not changed.
    fn looks_like(
        &self,
        texture: &Texture<'_>,
        item: &PackageInput,
        loaded: &Loaded,
        picture: &NewPicture<'_>,
    ) -> Result<bool> {
        let NewPicture::Image(image) = picture else { return Ok(false) };
        // The tiles of a virtual texture have to be put together before they can be compared.
        if let Some(tiles) = &texture.virtual_texture {
            let chunks = tiles.chunks.iter().map(|chunk| self.library.bulk(item, loaded, &chunk.data));
            let chunks = chunks.collect::<Result<Vec<_>>>()?;
            let format = tiles.layers.first().map_or(texture.format, |layer| layer.format);
            let look = tiles.assemble(0, 0, &chunks).map(|mut look| {
                texture.complete(&mut look, format);
                look
            });
            return Ok(look.is_ok_and(|look| look.has_pixels_of(image)));
        }
        let Some(mip) = texture.mips.first() else { return Ok(false) };
        if [mip.width, mip.height] != [image.width, image.height] || mip.slices != 1 {
            return Ok(false);
        }
        let bytes = self.library.bulk(item, loaded, &mip.data)?;
        let all = |bands: Vec<Band<'_, '_>>| drop(self.cpu().map(bands, Band::decode));
        let look = bytes.and_then(|bytes| texture.look_by(mip, 0, &bytes, (BAND, all)).ok());
        Ok(look.is_some_and(|look| look.has_pixels_of(image)))
    }

    fn cpu(&self) -> &Cpu {
        self.library.packages().store().cpu()
    }

    /// Checks that the mips written read back equal.
    fn check_textures(&self, again: &Loaded, made: &Made) -> Result<()> {
        let scope = self.scope(again);
        for (at, mips) in &made.textures {
            let Some(export) = scope.package.exports.get(*at) else { continue };
            let name = scope.package.text(export.name);
            let refused =
                |source| refused(ChangeProblem::ReadBack { object: name.to_string(), source }, again);
            let found = asset::read(&scope, export, &Object::read(&scope, export));
            let found = found.transpose().map_err(|error| refused(error.into()))?;
            let Some(Asset::Texture(texture)) = found.map(|found| found.asset) else {
                return Err(refused(ReadBackProblem::OtherClass));
            };
            let is_same = |(old, new): (&Mip<'_>, &NewMip)| {
                (old.width, old.height, old.slices) == (new.width, new.height, new.slices)
                    && stored(old, &made.files).as_deref() == Some(&new.bytes)
            };
            if texture.mips.len() != mips.len() || !texture.mips.iter().zip(mips).all(is_same) {
                return Err(refused(ReadBackProblem::Mips));
            }
        }
        Ok(())
    }
}

/// The properties of a resized texture, which also record its size; `None` if they do not.
fn resized(scope: &Scope<'_>, names: Names, place: &PackagePlace<'_>, mips: &[NewMip]) -> Option<Vec<u8>> {
    const SIZE: &str = "ImportedSize";
    place.object.find(scope, SIZE)?;
    let first = mips.first()?;
    // Without the payload, which is replaced anyway: writing yields just the properties.
    let mut object = Object { rest: Box::default(), ..place.object.clone() };
    let address: Address = format!("#{}.{SIZE}", place.at).parse().ok()?;
    let value = format!("{{\"X\": {}, \"Y\": {}}}", first.width, first.height);
    Editor::new(scope, names).set(&mut object, &address, &value).ok()?;
    let mut w = Writer::new();
    object.write(&mut w).ok()?;
    Some(w.into_bytes())
}

/// The export of a texture.
struct PackagePlace<'o> {
    at: usize,
    payload_at: usize,
    object: &'o Object,
}

impl Made {
    /// Puts mips into a texture; `true` if that changes anything.
    fn put(
        &mut self,
        scope: &Scope<'_>,
        place: &PackagePlace<'_>,
        names: Names,
        texture: &Texture<'_>,
        mips: &[NewMip],
    ) -> std::result::Result<bool, ReplaceError> {
        let entries = || scope.package.data_resources.as_ref().map_or(0, |table| table.entries.len());
        let new = texture.replace(mips, self.changes.bulk_entries.unwrap_or_else(entries), &self.known)?;
        let export = scope.package.exports.get(place.at).ok_or(ReplaceError::NoMips)?;
        let (old, start) = (scope.bytes(export).unwrap_or_default(), place.payload_at);
        let is_as_large =
            mips.first().is_some_and(|mip| (mip.width, mip.height) == (texture.width, texture.height));
        let front = if is_as_large { None } else { resized(scope, names, place, mips) };
        // The payload starts where it did before; properties of another length would shift it, so the old ones stay.
        let front = front.filter(|front| front.len() == start);
        let front = front.as_deref().or_else(|| old.get(..start)).unwrap_or_default();
        // Offsets of bulk data count from the start of the export, see `moved`.
        let data = [front, &new.payload].concat();
        let is_same_file = |(key, bytes): (&FileKey, &Vec<u8>)| self.known.get(key) == Some(bytes);
        let is_same = data == old;
        // Neither the export nor a file differs: nothing to report as a change.
        if is_same && new.files.iter().all(is_same_file) {
            return Ok(false);
        }
        if !is_same {
            self.changes.exports.insert(place.at, data);
            let bulk = new.bulk.iter().map(|piece| moved(*piece, start)).collect();
            self.changes.bulk.insert(place.at, bulk);
            self.changes.bulk_entries = Some(new.entries);
        }
        self.known.extend(new.files.clone());
        self.files.extend(new.files);
        Ok(true)
    }
}

/// The bytes of a mip, from the export or from new file content.
fn stored<'a>(mip: &Mip<'a>, files: &'a Files) -> Option<Cow<'a, [u8]>> {
    let record = &mip.data.record;
    if let Some(inline) = mip.data.inline {
        return Some(inline.into());
    }
    let file = files.get(&FileKey { place: record.place, cooked_index: record.cooked_index })?;
    let start = usize::try_from(record.offset).ok()?;
    file.get(start..start.checked_add(usize::try_from(record.len).ok()?)?).map(Into::into)
}

/// Shifts the offsets of a piece of bulk data from the start of its payload to that of its export.
fn moved(piece: NewBulk, start: usize) -> NewBulk {
    let header = match piece.header {
        NewHeader::Offset { at, is_absolute } => NewHeader::Offset { at: at + start, is_absolute },
        header @ NewHeader::Entry(_) => header,
    };
    let start = i64::try_from(start).unwrap_or(i64::MAX);
    let offset = if piece.is_inline { piece.offset.saturating_add(start) } else { piece.offset };
    NewBulk { header, offset, ..piece }
}

/// Finds the export of a texture.
fn find(scope: &Scope<'_>, object: Option<&str>, package: &str) -> Result<usize, ChangeProblem> {
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
    // A name decides; without one, a single texture can only be the one meant.
    if let Some(found) = textures.iter().find(|at| name(**at).eq_ignore_ascii_case(wanted)) {
        return Ok(*found);
    }
    if let (None, [only]) = (object, &textures[..]) {
        return Ok(*only);
    }
    let there = textures.iter().map(|at| name(*at)).collect();
    Err(ChangeProblem::NoTexture { wanted: wanted.to_owned(), there })
}

fn described(texture: &Texture<'_>, (width, height): (u32, u32), mips: usize) -> String {
    format!("{} {width} x {height}, {}", texture.format, counted(mips as u64, "mip", "mips"))
}

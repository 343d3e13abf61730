//! Mips of textures that a merged package takes from other mods.

use super::{MergeError, Merging};
use crate::asset::texture::{NewMip, NewPicture};
use crate::changes::{MergedPackage, TakenMip};
use crate::error::Result;
use crate::game::Game;
use crate::game::conflicts::Side;
use crate::values::edit::{Edited, Editing, TextureMips, TextureWish};
use std::collections::{BTreeMap, HashMap};

impl Merging<'_> {
    /// Puts the mips of other mods into the textures of a package.
    pub(super) fn with_mips(
        &self,
        package: &MergedPackage,
        (editing, place): (&Editing, usize),
        mut edited: Edited,
    ) -> Result<Edited, MergeError> {
        let mut by_texture: BTreeMap<&str, Vec<&TakenMip>> = BTreeMap::new();
        for taken in &package.mips {
            by_texture.entry(&taken.object).or_default().push(taken);
        }
        let (mut own, mut others) = (editing.texture_mips(place)?, HashMap::new());
        for (object, taken) in by_texture {
            let lost = || lost(package, object);
            let mips = &mut texture(&mut own, object).ok_or_else(lost)?.mips;
            for TakenMip { mod_at, level, .. } in taken {
                if !others.contains_key(mod_at) {
                    others.insert(*mod_at, self.texture_mips(*mod_at, &package.path)?);
                }
                let new =
                    others.get_mut(mod_at).and_then(|of| texture(of, object)?.mips.get(*level).cloned());
                *mips.get_mut(*level).ok_or_else(lost)? = new.ok_or_else(lost)?;
            }
            let name = object.rsplit(['.', ':']).next().unwrap_or_default().to_owned();
            let picture = NewPicture::Mips(std::mem::take(mips));
            let wish = TextureWish { object: Some(name), picture, is_optional: false };
            let refused =
                |error| MergeError::Value { package: package.path.clone(), source: Box::new(error) };
            edited = editing.replace_textures_again(edited, &[wish]).map_err(refused)?;
        }
        Ok(edited)
    }

    /// A texture of a merged package that lacks a mip which it takes.
    pub(super) fn lost_mip(&self, package: &MergedPackage, merged: &Game) -> Result<Option<String>> {
        if package.mips.is_empty() {
            return Ok(None);
        }
        let mut found = Side::new(merged).texture_mips(&package.path, &self.options.values)?;
        let mut others = HashMap::new();
        for TakenMip { mod_at, object, level } in &package.mips {
            if !others.contains_key(mod_at) {
                others.insert(*mod_at, self.texture_mips(*mod_at, &package.path)?);
            }
            let mip = |of: &mut Vec<TextureMips>| -> Option<NewMip> {
                texture(of, object)?.mips.get(*level).cloned()
            };
            if others.get_mut(mod_at).and_then(mip) != mip(&mut found) {
                return Ok(Some(object.clone()));
            }
        }
        Ok(None)
    }

    fn texture_mips(&self, mod_at: usize, package: &str) -> Result<Vec<TextureMips>> {
        let of = self.mods.get(mod_at).map(Side::new);
        of.map_or_else(|| Ok(Vec::new()), |side| side.texture_mips(package, &self.options.values))
    }
}

fn texture<'t>(textures: &'t mut [TextureMips], object: &str) -> Option<&'t mut TextureMips> {
    textures.iter_mut().find(|texture| texture.object.eq_ignore_ascii_case(object))
}

fn lost(package: &MergedPackage, object: &str) -> MergeError {
    let (package, object) = (package.path.clone(), object.to_owned());
    MergeError::Lost { package, object, property: "Mips".to_owned() }
}

//! Sprites as pictures, cut out of their textures.

use super::files::Files;
use super::materials::Materials;
use super::source::Source;
use crate::asset::Sprite;

/// Asks for the picture of a sprite: those of one texture are cut together. The text says what was not written, and why.
pub(super) fn write(
    source: &Source<'_, '_>,
    sprite: &Sprite,
    materials: &Materials,
    files: &mut Files<'_>,
) -> Option<String> {
    if source.fields.properties.is_none() {
        return Some(source.no_properties());
    }
    let Some(texture) = &sprite.texture else { return Some("it has no texture".to_owned()) };
    let is_found = materials.cut(source, (texture, sprite.at, sprite.size), files);
    (!is_found).then(|| format!("its texture {texture} was not found, or has no pixels for a PNG"))
}

//! Materials as JSON: what they and their parents set, and the pictures of their textures.

use super::files::Files;
use super::materials::{Materials, Whole};
use super::options::ExportForm;
use super::source::Source;
use super::wanted::Purpose;
use crate::asset::Material;
use crate::error::Result;
use crate::package::ObjectPath;
use serde::{Serialize, Serializer};
use std::collections::HashSet;
use std::sync::Arc;

/// A document.
#[derive(Serialize)]
struct Document<'d> {
    schema: &'static str,
    material: String,
    class: &'d str,
    /// The parent comes first, its own parent next.
    parents: Vec<String>,
    /// The next parent, which was not found: its values are missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    missing_parent: Option<String>,
    domain: Option<&'d str>,
    blend_mode: Option<&'d str>,
    shading_model: Option<&'d str>,
    two_sided: Option<bool>,
    opacity_mask_clip_value: Option<f32>,
    textures: Parameters<'d, Texture>,
    scalars: Parameters<'d, f32>,
    vectors: Parameters<'d, [f32; 4]>,
    switches: Parameters<'d, bool>,
    component_masks: Parameters<'d, [bool; 4]>,
    /// Textures that are not parameters.
    other_textures: Vec<Texture>,
    /// Parameters that the material sets itself.
    own: Vec<&'d str>,
}

/// Values by the name of their parameter.
struct Parameters<'d, T>(Vec<(&'d str, T)>);

impl<T: Serialize> Serialize for Parameters<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl<'d, T> Parameters<'d, T> {
    fn new<F>(found: &'d [(Arc<str>, F)], value: impl Fn(&'d F) -> T) -> Self {
        Self(found.iter().map(|(name, found)| (&**name, value(found))).collect())
    }
}

/// A texture.
#[derive(Serialize)]
struct Texture {
    texture: String,
    /// Its picture, relative to the document.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
}

/// Values of a base material that says nothing else.
const BASE: Base = Base {
    domain: "MD_Surface",
    blend_mode: "BLEND_Opaque",
    shading_model: "MSM_DefaultLit",
    is_two_sided: false,
    opacity_clip: 0.3333,
};

struct Base {
    domain: &'static str,
    blend_mode: &'static str,
    shading_model: &'static str,
    is_two_sided: bool,
    opacity_clip: f32,
}

/// Writes a material. The text says what was not written, and why.
pub(super) fn write(
    source: &Source<'_, '_>,
    own: &Material,
    materials: &Materials,
    files: &mut Files<'_>,
) -> Result<Option<String>> {
    if source.fields.properties.is_none() {
        return Ok(Some(source.no_properties()));
    }
    let whole = Whole::new(source.job, &ObjectPath::from_text(&source.full_path()), own.clone());
    let target = files.target;
    let texture = |path: &ObjectPath| {
        // Whoever asks for documents alone gets no pictures.
        let with_pictures = source.options.forms.wants(ExportForm::Png, true);
        let file =
            with_pictures.then(|| materials.picture(&source.asker(target), path, &Purpose::Color)).flatten();
        Texture { texture: path.to_string(), file }
    };
    files.put_json(&document(source, (own, &whole), texture), &source.loaded.path)?;
    Ok(whole
        .missing
        .map(|parent| format!("its parent {parent} was not found: what only that says is missing")))
}

fn document<'d>(
    source: &'d Source<'_, '_>,
    (own, whole): (&'d Material, &'d Whole),
    texture: impl Fn(&ObjectPath) -> Texture,
) -> Document<'d> {
    let Whole { material, parents, missing } = whole;
    // What nobody sets is as the engine's base material has it.
    let base = missing.is_none().then_some(BASE);
    let base = base.as_ref();
    let mut known: HashSet<&ObjectPath> = material.textures.iter().map(|(_, texture)| texture).collect();
    let others = material.others.iter().filter(|texture| known.insert(texture));
    let names = |list: &mut dyn Iterator<Item = &'d Arc<str>>| list.map(|name| &**name).collect::<Vec<_>>();
    Document {
        schema: "uncask.material/1",
        material: source.full_path(),
        class: &source.class,
        parents: parents.iter().map(ToString::to_string).collect(),
        missing_parent: missing.as_ref().map(ToString::to_string),
        domain: material.domain.as_deref().or(base.map(|base| base.domain)),
        blend_mode: material.blend_mode.as_deref().or(base.map(|base| base.blend_mode)),
        shading_model: material.shading_model.as_deref().or(base.map(|base| base.shading_model)),
        two_sided: material.is_two_sided.or(base.map(|base| base.is_two_sided)),
        opacity_mask_clip_value: material.opacity_clip.or(base.map(|base| base.opacity_clip)),
        textures: Parameters::new(&material.textures, &texture),
        scalars: Parameters::new(&material.scalars, |value| *value),
        vectors: Parameters::new(&material.vectors, |value| *value),
        switches: Parameters::new(&material.switches, |value| *value),
        component_masks: Parameters::new(&material.masks, |value| *value),
        other_textures: others.map(texture).collect(),
        own: [
            names(&mut own.textures.iter().map(|(name, _)| name)),
            names(&mut own.scalars.iter().map(|(name, _)| name)),
            names(&mut own.vectors.iter().map(|(name, _)| name)),
            names(&mut own.switches.iter().map(|(name, _)| name)),
            names(&mut own.masks.iter().map(|(name, _)| name)),
        ]
        .concat(),
    }
}

//! Appearance of a material, guessed from the names of its parameters and textures.

use super::parameters::Material;
use crate::package::ObjectPath;
use std::collections::HashSet;
use std::sync::Arc;

/// Appearance of a material: a guess by the names that most games use.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Look {
    /// Texture of its colour.
    pub base_color: Option<ObjectPath>,
    /// Texture of its normals.
    pub normal: Option<ObjectPath>,
    /// Texture of its roughness, and the meaning of its channels.
    pub surface: Option<(ObjectPath, Packing)>,
    /// Texture of ambient occlusion.
    pub occlusion: Option<ObjectPath>,
    /// Texture of emitted light.
    pub emissive: Option<ObjectPath>,
    /// Texture of the opacity of a material that is not opaque, unless that is the alpha of its colour.
    pub opacity_map: Option<ObjectPath>,
    /// Colour, or a factor of its texture.
    pub color: Option<[f32; 4]>,
    /// Opacity, from 0 to 1, of a material that is not opaque.
    pub opacity: Option<f32>,
    /// Roughness, from 0 to 1.
    pub roughness: Option<f32>,
    /// Metalness, from 0 to 1.
    pub metallic: Option<f32>,
    /// Transparency.
    pub blend: Blend,
    /// True if both sides are drawn.
    pub is_two_sided: bool,
}

/// Meaning of the channels of a texture with roughness.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Packing {
    /// Occlusion, roughness, metalness: glTF's own layout.
    Orm,
    /// Metalness, roughness, occlusion.
    Mra,
    /// Roughness, metalness, occlusion.
    Rma,
    /// Roughness alone.
    Roughness,
}

/// `EBlendMode`, as far as glTF distinguishes modes.
#[doc(alias = "EBlendMode")]
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Blend {
    /// Not transparent.
    #[default]
    Opaque,
    /// Invisible where alpha is below this value, opaque elsewhere.
    Masked(f32),
    /// Transparent by alpha.
    Translucent,
}

/// Role of a texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    BaseColor,
    Normal,
    Surface(Packing),
    Occlusion,
    Emissive,
    Opacity,
}

/// Words by which parameters are recognised. The more specific ones come first: an emissive colour is no base
/// colour, and a base colour with opacity is one.
const WORDS: [(&str, Role); 26] = [
    ("emissive", Role::Emissive),
    ("emission", Role::Emissive),
    ("glow", Role::Emissive),
    ("normal", Role::Normal),
    ("bump", Role::Normal),
    ("orm", Role::Surface(Packing::Orm)),
    ("arm", Role::Surface(Packing::Orm)),
    ("mra", Role::Surface(Packing::Mra)),
    ("rma", Role::Surface(Packing::Rma)),
    ("packed", Role::Surface(Packing::Orm)),
    ("masks", Role::Surface(Packing::Orm)),
    ("roughness", Role::Surface(Packing::Roughness)),
    ("ao", Role::Occlusion),
    ("occlusion", Role::Occlusion),
    ("basecolor", Role::BaseColor),
    ("base", Role::BaseColor),
    ("diffuse", Role::BaseColor),
    ("albedo", Role::BaseColor),
    ("opacity", Role::Opacity),
    ("alpha", Role::Opacity),
    ("color", Role::BaseColor),
    ("colour", Role::BaseColor),
    ("d", Role::BaseColor),
    ("bc", Role::BaseColor),
    ("n", Role::Normal),
    ("e", Role::Emissive),
];

/// Limit of textures with meaningless names that are opened.
const MAX_OTHERS: usize = 16;
/// Default of `OpacityMaskClipValue`.
const USUAL_CLIP: f32 = 0.3333;

impl Material {
    /// Guesses the appearance. `is_normal_map` and `is_color` tell whether a texture holds directions, or
    /// colours.
    pub fn look(
        &self,
        is_normal_map: impl Fn(&ObjectPath) -> bool,
        is_color: impl Fn(&ObjectPath) -> bool,
    ) -> Look {
        let mut look = Look {
            color: self.vector(&["basecolor", "color", "colour", "tint", "albedo", "diffuse"]),
            opacity: self.scalar("opacity").filter(|_| self.is_translucent()),
            roughness: self.scalar("roughness"),
            metallic: self.scalar("metallic"),
            blend: match self.blend_mode.as_deref() {
                Some("BLEND_Masked") => Blend::Masked(self.opacity_clip.unwrap_or(USUAL_CLIP)),
                None | Some("BLEND_Opaque") => Blend::Opaque,
                // Additive and modulated modes need what lies behind as well; glTF has no nearer mode.
                Some(_) => Blend::Translucent,
            },
            is_two_sided: self.is_two_sided.unwrap_or(false),
            ..Look::default()
        };
        let (mut rest, mut known) = (Vec::new(), HashSet::new());
        for (name, texture) in &self.textures {
            match role(name) {
                Some(role) => {
                    look.take(role, texture);
                    known.insert(texture);
                }
                None => rest.push(texture),
            }
        }
        // The name of the texture is the fallback for parameters that say nothing.
        rest.extend(&self.others);
        // A texture may be in both lists: its parameter has already decided.
        rest.retain(|texture| !known.contains(texture));
        rest.retain(|texture| match role_of_texture(texture.name()) {
            Some(role) => {
                look.take(role, texture);
                false
            }
            None => true,
        });
        // The rest has to be opened, which is slow, so only a few are.
        rest.truncate(MAX_OTHERS);
        if look.normal.is_none() {
            look.normal = rest.iter().find(|texture| is_normal_map(texture)).map(|found| (*found).clone());
        }
        // Most textures are colours, so this test comes last, and normal maps must not pass it.
        if look.base_color.is_none() {
            let found = rest.iter().find(|texture| is_color(texture) && !is_normal_map(texture));
            look.base_color = found.map(|found| (*found).clone());
        }
        if look.blend == Blend::Opaque || look.opacity_map == look.base_color {
            look.opacity_map = None;
        }
        look
    }

    fn is_translucent(&self) -> bool {
        !matches!(self.blend_mode.as_deref(), None | Some("BLEND_Opaque" | "BLEND_Masked"))
    }

    fn scalar(&self, word: &str) -> Option<f32> {
        let found = self.scalars.iter().find(|(name, _)| words(name).any(|found| found == word))?;
        // Games use factors beyond 1; glTF allows 0 to 1.
        Some(found.1.clamp(0.0, 1.0)).filter(|number| number.is_finite())
    }

    fn vector(&self, wanted: &[&str]) -> Option<[f32; 4]> {
        let is_it = |(name, _): &&(Arc<str>, [f32; 4])| {
            // An emissive tint must not become the base colour.
            role(name) != Some(Role::Emissive) && words(name).any(|found| wanted.contains(&&*found))
        };
        let (_, color) = self.vectors.iter().find(is_it)?;
        let color = color.map(|part| part.clamp(0.0, 1.0));
        color.iter().all(|part| part.is_finite()).then_some(color)
    }
}

impl Look {
    /// Assigns a texture to a role. The first one wins, except that packed channels replace roughness alone.
    fn take(&mut self, role: Role, texture: &ObjectPath) {
        let place = match role {
            Role::BaseColor => &mut self.base_color,
            Role::Normal => &mut self.normal,
            Role::Occlusion => &mut self.occlusion,
            Role::Emissive => &mut self.emissive,
            Role::Opacity => &mut self.opacity_map,
            Role::Surface(packing) => {
                let is_better = match self.surface {
                    None => true,
                    Some((_, Packing::Roughness)) => packing != Packing::Roughness,
                    Some(_) => false,
                };
                if is_better {
                    self.surface = Some((texture.clone(), packing));
                }
                return;
            }
        };
        place.get_or_insert_with(|| texture.clone());
    }
}

/// Returns the role of a parameter by its name.
fn role(name: &str) -> Option<Role> {
    let whole: String = words(name).collect();
    let found = |(word, _): &&(&str, Role)| {
        // Short words must match whole: "ao" is not in "chaos".
        if word.len() > 4 { whole.contains(word) } else { words(name).any(|found| found == *word) }
    };
    WORDS.iter().find(found).map(|(_, role)| *role)
}

/// Returns the role of a texture by the last word of its name.
fn role_of_texture(name: &str) -> Option<Role> {
    let (_, last) = name.rsplit_once('_')?;
    let last = last.to_lowercase();
    WORDS.iter().find(|(word, _)| *word == last).map(|(_, role)| *role)
}

/// Splits a name into lower-case words: a new one starts at a capital, a digit and anything that is no
/// letter.
fn words(name: &str) -> impl Iterator<Item = String> {
    let letters: Vec<char> = name.chars().collect();
    let mut words = vec![String::new()];
    for (at, letter) in letters.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|before| letters.get(before));
        let after = letters.get(at + 1);
        // A capital starts a word after a small letter ("baseColor") or before one ("ORMTexture").
        let is_start = letter.is_uppercase()
            && (before.is_some_and(|before| before.is_lowercase())
                || after.is_some_and(|after| after.is_lowercase()));
        if is_start || !letter.is_alphabetic() {
            words.push(String::new());
        }
        if letter.is_alphabetic()
            && let Some(word) = words.last_mut()
        {
            word.extend(letter.to_lowercase());
        }
    }
    words.into_iter().filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_known_by_their_words() {
        for (name, expected) in [
            ("BaseColor", Some(Role::BaseColor)),
            ("Base Color Texture", Some(Role::BaseColor)),
            ("T_Rock_D", Some(Role::BaseColor)),
            ("EmissiveColor", Some(Role::Emissive)),
            ("NormalMap", Some(Role::Normal)),
            ("ORM", Some(Role::Surface(Packing::Orm))),
            ("TexMRA", Some(Role::Surface(Packing::Mra))),
            ("RoughnessMap", Some(Role::Surface(Packing::Roughness))),
            ("ChaosMask", None),
            ("Detail", None),
            ("AO", Some(Role::Occlusion)),
            ("Opacity Mask", Some(Role::Opacity)),
            ("BaseColorOpacity", Some(Role::BaseColor)),
            ("Formation", None),
        ] {
            assert_eq!(role(name), expected, "{name}: {:?}", words(name).collect::<Vec<_>>());
        }
        assert_eq!(role_of_texture("T_Rock_N"), Some(Role::Normal));
        assert_eq!(role_of_texture("T_Rock_ORM"), Some(Role::Surface(Packing::Orm)));
        assert_eq!(role_of_texture("Normal"), None, "there is nothing in front of it");
    }

    fn path(text: &str) -> ObjectPath {
        ObjectPath::from_text(text)
    }

    #[test]
    fn what_parameters_do_not_tell_names_of_textures_tell() {
        let textures = ["/Game/T_A_N.T_A_N", "/Game/T_A_BC.T_A_BC", "/Game/T_Noise.T_Noise"].map(path);
        let [normal, color, noise] = textures.clone();
        let material = Material {
            textures: vec![
                ("Layer1".into(), noise),
                ("Layer2".into(), normal.clone()),
                ("Roughness".into(), path("/Game/R.R")),
            ],
            others: vec![color.clone()],
            scalars: vec![("Roughness Scale".into(), 3.0), ("Metallic".into(), f32::NAN)],
            vectors: vec![("Emissive Color".into(), [1.0; 4]), ("Tint".into(), [0.5, 2.0, 0.0, 1.0])],
            blend_mode: Some("BLEND_Masked".into()),
            ..Material::default()
        };
        let look = material.look(|_| false, |_| true);
        assert_eq!((look.base_color, look.normal), (Some(color), Some(normal)));
        assert_eq!(look.surface, Some((path("/Game/R.R"), Packing::Roughness)));
        assert_eq!(
            (look.roughness, look.metallic, look.color),
            (Some(1.0), None, Some([0.5, 1.0, 0.0, 1.0]))
        );
        assert_eq!(look.blend, Blend::Masked(0.3333));
    }

    #[test]
    fn opacity_counts_where_a_material_is_not_opaque() {
        let [color, opacity] = ["/Game/C.C", "/Game/O.O"].map(path);
        let material = |blend: &str, opacity: &ObjectPath| Material {
            textures: vec![("Opacity".into(), opacity.clone()), ("Diffuse".into(), color.clone())],
            blend_mode: Some(blend.into()),
            ..Material::default()
        };
        let map = |material: Material| material.look(|_| false, |_| true).opacity_map;
        assert_eq!(map(material("BLEND_Masked", &opacity)), Some(opacity.clone()));
        assert_eq!(map(material("BLEND_Opaque", &opacity)), None);
        assert_eq!(map(material("BLEND_Translucent", &color)), None, "the alpha of the colour");
    }

    #[test]
    fn what_an_instance_says_comes_before_its_parent() {
        let mut own = Material { scalars: vec![("roughness".into(), 0.5)], ..Material::default() };
        let parent = Material {
            scalars: vec![("Roughness".into(), 0.1), ("Metallic".into(), 1.0)],
            is_two_sided: Some(true),
            parent: Some(path("/Game/M.M")),
            ..Material::default()
        };
        own.inherit(parent);
        assert_eq!(own.scalars, [("roughness".into(), 0.5), ("Metallic".into(), 1.0)]);
        assert_eq!((own.is_two_sided, own.parent), (Some(true), Some(path("/Game/M.M"))));
    }
}

//! Materials, with images in separate files.

use super::super::material::{Blend, Look};
use super::builder::{Builder, push};
use super::document::{self, Image, Pbr, Texture, TextureInfo};
use serde_json::Value;
use std::fmt::Write as _;

/// Material of a file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Material {
    /// Its name.
    pub name: String,
    /// Appearance, if known.
    pub look: Option<Look>,
    /// Images: paths relative to the file, with `/`.
    pub pictures: Pictures,
    /// Further facts, for programs that look for them.
    pub extras: Option<Value>,
}

/// Images of a material, with the channels that glTF expects.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pictures {
    /// Colour; white if only the opacity has a texture. Alpha is opacity.
    pub base_color: Option<String>,
    /// Normals; green points up.
    pub normal: Option<String>,
    /// Roughness in green and metalness in blue; red may hold occlusion.
    pub metallic_roughness: Option<String>,
    /// Ambient occlusion in red.
    pub occlusion: Option<String>,
    /// Emitted light.
    pub emissive: Option<String>,
}

/// Roughness if it is unknown.
const USUAL_ROUGHNESS: f32 = 0.5;

impl Material {
    /// Material of which only the name is known.
    #[must_use]
    pub fn named(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }
}

impl Builder {
    /// Adds a material.
    pub(super) fn material(&mut self, material: &Material) {
        let Material { name, look, pictures, extras } = material;
        let mut made =
            document::Material { name: name.clone(), extras: extras.clone(), ..Default::default() };
        if let Some(look) = look {
            // Factors multiply textures, so a texture of metalness and roughness needs factors of 1.
            let has_surface = pictures.metallic_roughness.is_some();
            made.pbr_metallic_roughness = Some(Pbr {
                base_color_texture: self.texture(pictures.base_color.as_deref()),
                // The image holds the colour already; a parameter that looks like a tint may be something
                // else.
                base_color_factor: factor(look, pictures.base_color.is_some() && look.base_color.is_some()),
                metallic_roughness_texture: self.texture(pictures.metallic_roughness.as_deref()),
                metallic_factor: if has_surface { 1.0 } else { look.metallic.unwrap_or(0.0) },
                roughness_factor: if has_surface { 1.0 } else { look.roughness.unwrap_or(USUAL_ROUGHNESS) },
            });
            made.normal_texture = self.texture(pictures.normal.as_deref());
            made.occlusion_texture = self.texture(pictures.occlusion.as_deref());
            made.emissive_texture = self.texture(pictures.emissive.as_deref());
            // The factor defaults to black, which would hide the texture.
            made.emissive_factor = made.emissive_texture.is_some().then_some([1.0; 3]);
            (made.alpha_mode, made.alpha_cutoff) = match look.blend {
                Blend::Opaque => (None, None),
                Blend::Masked(below) => (Some("MASK"), Some(below)),
                Blend::Translucent => (Some("BLEND"), None),
            };
            made.double_sided = look.is_two_sided;
        }
        self.document.materials.push(made);
    }

    /// Adds a texture with an image; equal paths share one.
    fn texture(&mut self, path: Option<&str>) -> Option<TextureInfo> {
        let uri = encoded(path?);
        let document = &mut self.document;
        let index = *self.textures.entry(uri).or_insert_with_key(|uri| {
            let source = push(&mut document.images, Image { uri: uri.clone() });
            push(&mut document.textures, Texture { source })
        });
        Some(TextureInfo { index })
    }
}

/// Encodes a path as a URI: everything but letters, digits and a few signs is percent-encoded.
pub(super) fn encoded(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte) {
            uri.push(byte.into());
        } else {
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    uri
}

/// Returns the factor of the colour. With an image of it only opacity counts.
fn factor(look: &Look, has_image: bool) -> Option<[f32; 4]> {
    let color = look.color.filter(|_| !has_image);
    let Some(opacity) = look.opacity else { return color };
    let [red, green, blue, _] = color.unwrap_or([1.0; 4]);
    Some([red, green, blue, opacity])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_uris() {
        assert_eq!(encoded("../T_Fels 1#ü.png"), "../T_Fels%201%23%C3%BC.png");
    }

    #[test]
    fn a_picture_is_there_once() {
        let mut builder = Builder::new();
        let pictures = Pictures {
            metallic_roughness: Some("a.png".to_owned()),
            occlusion: Some("a.png".to_owned()),
            normal: Some("b.png".to_owned()),
            ..Pictures::default()
        };
        builder.material(&Material { look: Some(Look::default()), pictures, ..Material::named("M") });
        builder.material(&Material::named("Unknown"));
        let json = serde_json::to_value(&builder.document).unwrap();
        assert_eq!(json["images"], serde_json::json!([{ "uri": "a.png" }, { "uri": "b.png" }]));
        let pbr = serde_json::json!({
            "metallicRoughnessTexture": { "index": 0 }, "metallicFactor": 1.0, "roughnessFactor": 1.0,
        });
        let made = serde_json::json!({
            "name": "M", "pbrMetallicRoughness": pbr, "normalTexture": { "index": 1 }, "occlusionTexture": { "index": 0 },
        });
        assert_eq!(json["materials"], serde_json::json!([made, { "name": "Unknown" }]));
    }

    #[test]
    fn opacity_is_the_alpha_of_the_colour() {
        let look = |color, opacity| Look { color, opacity, ..Look::default() };
        let red = Some([1.0, 0.0, 0.0, 1.0]);
        assert_eq!(factor(&look(red, Some(0.25)), false), Some([1.0, 0.0, 0.0, 0.25]));
        assert_eq!(factor(&look(red, Some(0.25)), true), Some([1.0, 1.0, 1.0, 0.25]));
        assert_eq!((factor(&look(red, None), true), factor(&look(red, None), false)), (None, red));
    }
}

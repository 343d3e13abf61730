//! Materials, with pictures in files beside.

use super::super::material::{Blend, Look};
use super::builder::{Builder, push};
use super::document::{self, Image, Pbr, Texture, TextureInfo};
use serde_json::Value;
use std::fmt::Write as _;

/// A material of a file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Material {
    /// Its name.
    pub name: String,
    /// What it looks like, if that is known.
    pub look: Option<Look>,
    /// Its pictures: paths relative to the file, with `/`.
    pub pictures: Pictures,
    /// What else is known of it, for programs that look for it.
    pub extras: Option<Value>,
}

/// The pictures of a material, as glTF wants them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pictures {
    /// Its colour.
    pub base_color: Option<String>,
    /// Its normals; green points up.
    pub normal: Option<String>,
    /// Green is how rough it is, blue how much of a metal; red may be occlusion.
    pub metallic_roughness: Option<String>,
    /// Red is how much light gets there.
    pub occlusion: Option<String>,
    /// Its own light.
    pub emissive: Option<String>,
}

/// How rough a material is of which nothing says it.
const USUAL_ROUGHNESS: f32 = 0.5;

impl Material {
    /// One of which only the name is known.
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
            let has_surface = pictures.metallic_roughness.is_some();
            made.pbr_metallic_roughness = Some(Pbr {
                base_color_texture: self.texture(pictures.base_color.as_deref()),
                // A picture has the colour already; what looks like a tint may be something else.
                base_color_factor: look.color.filter(|_| pictures.base_color.is_none()),
                metallic_roughness_texture: self.texture(pictures.metallic_roughness.as_deref()),
                metallic_factor: if has_surface { 1.0 } else { look.metallic.unwrap_or(0.0) },
                roughness_factor: if has_surface { 1.0 } else { look.roughness.unwrap_or(USUAL_ROUGHNESS) },
            });
            made.normal_texture = self.texture(pictures.normal.as_deref());
            made.occlusion_texture = self.texture(pictures.occlusion.as_deref());
            made.emissive_texture = self.texture(pictures.emissive.as_deref());
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

    /// Adds a texture with a picture; pictures of one path are one.
    fn texture(&mut self, path: Option<&str>) -> Option<TextureInfo> {
        let uri = encoded(path?);
        let document = &mut self.document;
        let known = document.images.iter().position(|image| image.uri == uri);
        let index = known.unwrap_or_else(|| {
            let source = push(&mut document.images, Image { uri });
            push(&mut document.textures, Texture { source })
        });
        Some(TextureInfo { index })
    }
}

/// A path as a URI: everything but letters, digits and some signs is written as bytes.
fn encoded(path: &str) -> String {
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
}

//! Materials, as preview surfaces.

use super::super::document::{Document, Material, TextureInfo};
use super::text::{asset, quoted, tuple};
use std::fmt::{self, Write};

/// Writes a material. `path` is its own.
pub(super) fn material(
    out: &mut dyn Write,
    document: &Document,
    (of, path, name): (&Material, &str, &str),
) -> fmt::Result {
    writeln!(
        out,
        "        def Material \"{name}\" (\n            displayName = {}\n        )\n        {{",
        quoted(&of.name)
    )?;
    writeln!(out, "            token outputs:surface.connect = <{path}/Surface.outputs:surface>\n")?;
    writeln!(out, "            def Shader \"Surface\"\n            {{")?;
    writeln!(out, "                uniform token info:id = \"UsdPreviewSurface\"")?;
    let (pbr, mut used) = (of.pbr_metallic_roughness.as_ref(), Vec::new());
    let mut connect = |out: &mut dyn Write,
                       input: &str,
                       texture: Option<&TextureInfo>,
                       (shader, output): (&'static str, &str)| {
        let Some(file) = texture.and_then(|texture| file(document, texture)) else { return Ok(false) };
        writeln!(out, "                {input}.connect = <{path}/{shader}.outputs:{output}>")?;
        if !used.iter().any(|(known, _)| *known == shader) {
            used.push((shader, file));
        }
        Ok::<bool, fmt::Error>(true)
    };
    let color = pbr.and_then(|pbr| pbr.base_color_texture.as_ref());
    let factor = pbr.and_then(|pbr| pbr.base_color_factor);
    if !connect(out, "color3f inputs:diffuseColor", color, ("BaseColor", "rgb"))?
        && let Some([red, green, blue, _]) = factor
    {
        writeln!(out, "                color3f inputs:diffuseColor = {}", tuple([red, green, blue]))?;
    }
    if of.alpha_mode.is_some() && !connect(out, "float inputs:opacity", color, ("BaseColor", "a"))? {
        let [.., alpha] = factor.unwrap_or([1.0; 4]);
        writeln!(out, "                float inputs:opacity = {alpha}")?;
    }
    if let Some(below) = of.alpha_cutoff {
        writeln!(out, "                float inputs:opacityThreshold = {below}")?;
    }
    let surface = pbr.and_then(|pbr| pbr.metallic_roughness_texture.as_ref());
    if !connect(out, "float inputs:roughness", surface, ("Surfaces", "g"))?
        && let Some(pbr) = pbr
    {
        writeln!(out, "                float inputs:roughness = {}", pbr.roughness_factor)?;
    }
    if !connect(out, "float inputs:metallic", surface, ("Surfaces", "b"))?
        && let Some(pbr) = pbr
    {
        writeln!(out, "                float inputs:metallic = {}", pbr.metallic_factor)?;
    }
    connect(out, "float inputs:occlusion", of.occlusion_texture.as_ref(), ("Occlusion", "r"))?;
    connect(out, "normal3f inputs:normal", of.normal_texture.as_ref(), ("Normal", "rgb"))?;
    connect(out, "color3f inputs:emissiveColor", of.emissive_texture.as_ref(), ("Emissive", "rgb"))?;
    writeln!(out, "                token outputs:surface\n            }}")?;
    for (shader, file) in &used {
        texture(out, path, (shader, file))?;
    }
    if !used.is_empty() {
        writeln!(out, "\n            def Shader \"Uv\"\n            {{")?;
        writeln!(out, "                uniform token info:id = \"UsdPrimvarReader_float2\"")?;
        writeln!(
            out,
            "                string inputs:varname = \"st\"\n                float2 outputs:result\n            }}"
        )?;
    }
    writeln!(out, "        }}\n")
}

/// Writes the shader of a picture.
fn texture(out: &mut dyn Write, path: &str, (shader, file): (&str, &str)) -> fmt::Result {
    // Colours are as monitors show them; all others are numbers.
    let is_color = matches!(shader, "BaseColor" | "Emissive");
    writeln!(out, "\n            def Shader \"{shader}\"\n            {{")?;
    writeln!(out, "                uniform token info:id = \"UsdUVTexture\"")?;
    writeln!(out, "                asset inputs:file = {}", asset(file))?;
    let space = if is_color { "sRGB" } else { "raw" };
    writeln!(out, "                token inputs:sourceColorSpace = \"{space}\"")?;
    if shader == "Normal" {
        // From −1 to 1, which the picture has from 0 to 1.
        writeln!(
            out,
            "                float4 inputs:scale = (2, 2, 2, 1)\n                float4 inputs:bias = (-1, -1, -1, 0)"
        )?;
    }
    writeln!(out, "                float2 inputs:st.connect = <{path}/Uv.outputs:result>")?;
    writeln!(
        out,
        "                token inputs:wrapS = \"repeat\"\n                token inputs:wrapT = \"repeat\""
    )?;
    writeln!(out, "                float3 outputs:rgb")?;
    for channel in ["r", "g", "b", "a"] {
        writeln!(out, "                float outputs:{channel}")?;
    }
    writeln!(out, "            }}")
}

/// The path of the image of a texture.
fn file(document: &Document, texture: &TextureInfo) -> Option<String> {
    let source = document.textures.get(texture.index)?.source;
    Some(decoded(&document.images.get(source)?.uri))
}

/// The path that a URI has.
fn decoded(uri: &str) -> String {
    let (mut path, mut bytes) = (Vec::with_capacity(uri.len()), uri.bytes());
    while let Some(byte) = bytes.next() {
        let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
        let escaped = if byte == b'%' { digit(bytes.next()).zip(digit(bytes.next())) } else { None };
        path.push(escaped.and_then(|(high, low)| u8::try_from(high * 16 + low).ok()).unwrap_or(byte));
    }
    String::from_utf8_lossy(&path).into_owned()
}

#[cfg(test)]
mod tests {
    use super::super::super::material::encoded;
    use super::*;

    #[test]
    fn paths_of_pictures_are_no_uris() {
        assert_eq!(decoded(&encoded("../T_Fels 1#ü.png")), "../T_Fels 1#ü.png");
    }
}

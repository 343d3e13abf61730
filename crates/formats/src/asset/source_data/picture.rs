use crate::image::PixelFormat;
use crate::property::{List, Object, Scope, Value};
use std::sync::Arc;

/// `FTextureSource`: description of the image that a texture was made from.
#[doc(alias = "FTextureSource")]
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SourcePicture {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Number of images, one after the other.
    pub slices: u32,
    /// Number of mips, the largest one first.
    pub mips: u32,
    /// Engine's name of the pixel format, such as `TSF_BGRA8`; empty if it is unknown.
    pub format: Arc<str>,
}

/// Source formats of plain pixels, and the equal formats of textures.
const FORMATS: [(&str, &str); 9] = [
    ("TSF_G8", "PF_G8"),
    ("TSF_BGRA8", "PF_B8G8R8A8"),
    ("TSF_RGBA8", "PF_R8G8B8A8"),
    ("TSF_RGBA16", "PF_A16B16G16R16"),
    ("TSF_RGBA16F", "PF_FloatRGBA"),
    ("TSF_G16", "PF_G16"),
    ("TSF_RGBA32F", "PF_A32B32G32R32F"),
    ("TSF_R16F", "PF_R16F"),
    ("TSF_R32F", "PF_R32_FLOAT"),
];

impl SourcePicture {
    /// Reads the description from the properties of a texture that the editor saved; all zero if there is none.
    #[must_use]
    pub fn of_texture(scope: &Scope<'_>, texture: &Object) -> Self {
        let value = texture.find(scope, "Source").and_then(|member| member.value);
        value.and_then(Value::properties).map(|fields| Self::new(scope, fields)).unwrap_or_default()
    }

    fn new(scope: &Scope<'_>, fields: &List) -> Self {
        let find = |name: &str| fields.find(scope.package, name);
        let number = |name: &str| find(name).and_then(|member| member.get::<u32>()).unwrap_or_default();
        let format = find("Format").and_then(|member| match member.value? {
            Value::Enum(name) | Value::Name(name) => Some(scope.shared(*name)),
            value => value.text(scope).map(|text| text.as_ref().into()),
        });
        let format = format.unwrap_or_default();
        Self {
            width: number("SizeX"),
            height: number("SizeY"),
            slices: number("NumSlices"),
            mips: number("NumMips"),
            format: format.rsplit("::").next().unwrap_or_default().into(),
        }
    }

    /// Returns the equal pixel format of textures; `None` if there is none.
    #[must_use]
    pub fn pixel_format(&self) -> Option<PixelFormat> {
        let (_, name) = FORMATS.iter().find(|(name, _)| *name == &*self.format)?;
        PixelFormat::from_name(name)
    }
}

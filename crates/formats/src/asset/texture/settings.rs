use crate::asset::payload::Payload;

/// What the properties of a texture say about its pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Settings {
    /// `SRGB`: its values are encoded as sRGB.
    pub srgb: bool,
    /// `CompressionSettings`; `None` if the properties are not known.
    pub compression: Option<Compression>,
}

/// `TextureCompressionSettings`: what the pixels are for, as far as it matters to what is made of them.
#[doc(alias = "TextureCompressionSettings")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub enum Compression {
    /// `TC_Normalmap`: directions.
    NormalMap,
    /// Anything else.
    Other,
}

/// The number of `TC_Normalmap`.
const NORMAL_MAP: i64 = 1;

impl Settings {
    pub(super) fn new(p: &Payload<'_, '_>) -> Self {
        let is_normal_map = || {
            let name = p.enum_property("CompressionSettings");
            let number = p.property::<i64>("CompressionSettings");
            name.as_deref() == Some("TC_Normalmap") || number == Some(NORMAL_MAP)
        };
        let compression = p
            .object
            .properties
            .is_some()
            .then(|| if is_normal_map() { Compression::NormalMap } else { Compression::Other });
        Self { srgb: p.property("SRGB").unwrap_or(true), compression }
    }
}

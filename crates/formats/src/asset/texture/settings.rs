use crate::asset::payload::Payload;

/// Properties of a texture that describe its pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Settings {
    /// `SRGB`: true if values are encoded as sRGB.
    pub srgb: bool,
    /// `CompressionSettings`; `None` without properties.
    pub compression: Option<Compression>,
}

/// `TextureCompressionSettings`, reduced to what matters for decoding.
#[doc(alias = "TextureCompressionSettings")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub enum Compression {
    /// `TC_Normalmap`: directions.
    NormalMap,
    /// Any other setting.
    Other,
}

/// Numeric value of `TC_Normalmap`, used where names are unknown.
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

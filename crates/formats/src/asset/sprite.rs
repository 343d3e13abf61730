//! `UPaperSprite`: a rectangle of a texture.
//!
//! ```text
//! properties   BakedSourceTexture, BakedSourceUV, BakedSourceDimension: after packing into an atlas
//!              SourceTexture, SourceUV, SourceDimension: before
//! ```
//!
//! Verified on 5.8. Source: the properties of that sprite.

use super::reference::path;
use super::{Payload, socket};
use crate::package::ObjectPath;
use crate::property::{FromValue, Object, Scope, Struct};
use crate::wire::Fault;
use std::fmt;

/// `UPaperSprite`: a rectangle of a texture.
#[doc(alias = "UPaperSprite")]
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sprite {
    /// The texture.
    pub texture: Option<ObjectPath>,
    /// Left and top edge in the texture, in pixels.
    pub at: [u32; 2],
    /// Width and height, in pixels.
    pub size: [u32; 2],
}

impl Sprite {
    pub(super) fn read(payload: &mut Payload<'_, '_>) -> Result<Self, Fault> {
        payload.r.bytes("payload of values", payload.r.remaining())?;
        let (scope, object) = (payload.scope, payload.object);
        let value = |name: &str| object.find(scope, name)?.value;
        let texture = |name: &str| value(name).and_then(|value| path(scope, value));
        // Cooked sprites have the baked ones. The corner of a texture is the default, which is not stored.
        let prefix = if texture("BakedSourceTexture").is_some() { "BakedSource" } else { "Source" };
        let pair = |name: &str| {
            let found = value(&format!("{prefix}{name}")).and_then(<&Struct>::from_value);
            found.map_or([0; 2], |found| ["X", "Y"].map(|axis| pixels(socket::number(scope, found, axis))))
        };
        Ok(Self { texture: texture(&format!("{prefix}Texture")), at: pair("UV"), size: pair("Dimension") })
    }
}

/// Returns a length as whole pixels; 0 if it is none.
fn pixels(length: f64) -> u32 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked")]
    if length.is_finite() && (0.0..=f64::from(u16::MAX)).contains(&length) {
        length.round() as u32
    } else {
        0
    }
}

/// Summary of a sprite.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct SpriteSummary {
    /// Path of its texture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub texture: Option<String>,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
}

impl Sprite {
    pub(crate) fn summary(&self, _: &Scope<'_>, _: &Object) -> SpriteSummary {
        let [width, height] = self.size;
        SpriteSummary { texture: self.texture.as_ref().map(ToString::to_string), width, height }
    }
}

impl fmt::Display for SpriteSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sprite: {} x {}", self.width, self.height)
    }
}

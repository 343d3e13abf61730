//! Lights and cameras of the engine, as glTF has them.

use crate::asset::gltf::{SceneCamera, SceneLight};
use crate::level::{Camera, CameraValues, Light, LightKind, LightValues};
use serde_json::{Value, json};

/// A light, and what glTF cannot say about it.
pub(super) fn light(kind: LightKind, of: &LightValues) -> (SceneLight, Value) {
    let light = Light::new(kind, of);
    let name = match kind {
        LightKind::Directional => "directional",
        // There are no rectangles.
        LightKind::Point | LightKind::Rect => "point",
        LightKind::Spot => "spot",
    };
    let made = SceneLight {
        kind: name,
        color: light.color,
        intensity: light.intensity,
        range: light.range,
        cone: light.cone,
    };
    let mut extras = json!({ "intensity": of.intensity, "units": of.units, "temperature": of.temperature });
    if let (Some(size), Some(extras)) = (light.size, extras.as_object_mut()) {
        extras.insert("size".to_owned(), json!(size));
    }
    if let Some(extras) = extras.as_object_mut() {
        extras.retain(|_, value| !value.is_null());
    }
    (made, extras)
}

/// A camera, and width divided by height.
pub(super) fn camera(of: &CameraValues) -> (SceneCamera, f64) {
    match Camera::new(of) {
        Camera::Perspective { vertical_angle, aspect } => (SceneCamera::Perspective(vertical_angle), aspect),
        Camera::Orthographic { width, aspect } => (SceneCamera::Orthographic(width), aspect),
    }
}

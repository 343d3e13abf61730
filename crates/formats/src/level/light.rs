//! Lights, with what the engine takes for values that no component on the way to the native class sets.

use super::values::LightValues;

/// Form of a light.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LightKind {
    /// A sun.
    Directional,
    /// In all directions.
    Point,
    /// In a cone.
    Spot,
    /// From a rectangle.
    Rect,
}

/// A light. It shines along its X axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Light {
    /// Its form.
    pub kind: LightKind,
    /// Linear red, green and blue.
    pub color: [f64; 3],
    /// Candelas, or lux for a sun.
    pub intensity: f64,
    /// Distance in centimetres where it ends; `None` for a sun.
    pub range: Option<f64>,
    /// Half the angles of full brightness and of the end of the cone, in radians; of a spot light.
    pub cone: Option<[f64; 2]>,
    /// Width and height in centimetres, of a rectangle.
    pub size: Option<[f64; 2]>,
}

impl Light {
    /// A light of some values; `by_default` are the units where none are set: a project may choose them.
    #[must_use]
    pub fn new(kind: LightKind, of: &LightValues) -> Self {
        // Half angles of the native classes, in degrees.
        const INNER: f64 = 0.0;
        const OUTER: f64 = 44.0;
        const WIDEST: f64 = 80.0;
        let outer = of.outer_cone.unwrap_or(OUTER).clamp(1.0, WIDEST);
        // glTF demands that the inner angle is less than the outer one.
        let inner = of.inner_cone.unwrap_or(INNER).clamp(0.0, outer - 0.001);
        let cone = [inner, outer].map(f64::to_radians);
        let is_sun = kind == LightKind::Directional;
        let color = of.color.unwrap_or([1.0; 4]);
        let [red, green, blue, _] = color.map(linear);
        let mut color = [red, green, blue];
        if of.uses_temperature == Some(true) {
            let tint = black_body(of.temperature.unwrap_or(6500.0));
            for (part, tint) in color.iter_mut().zip(tint) {
                *part *= tint;
            }
        }
        Self {
            kind,
            color,
            intensity: if is_sun { of.intensity.unwrap_or(SUN) } else { candelas(kind, of, cone) }.max(0.0),
            range: (!is_sun).then(|| of.radius.unwrap_or(1000.0)),
            cone: (kind == LightKind::Spot).then_some(cone),
            size: (kind == LightKind::Rect).then(|| [of.width, of.height].map(|side| side.unwrap_or(64.0))),
        }
    }
}

/// Intensity of a sun, in lux.
const SUN: f64 = 10.0;
/// Intensity of other lights without units.
const LIGHT: f64 = 5000.0;

/// The intensity in candelas. The engine's own unit is a 625th of one.
fn candelas(kind: LightKind, of: &LightValues, [_, outer]: [f64; 2]) -> f64 {
    use std::f64::consts::PI;
    let intensity = of.intensity.unwrap_or(LIGHT);
    match of.units.as_deref() {
        Some("Candelas" | "1") => intensity,
        // All that a light sends out, by the solid angle into which it does.
        Some("Lumens" | "2") => match kind {
            LightKind::Spot => intensity / (2.0 * PI * (1.0 - outer.cos())),
            LightKind::Rect => intensity / PI,
            LightKind::Point | LightKind::Directional => intensity / (4.0 * PI),
        },
        Some("EV" | "3") => intensity.exp2(),
        _ => intensity * 16.0 / 10_000.0,
    }
}

/// An sRGB fraction as a linear one.
fn linear(part: f64) -> f64 {
    if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
}

/// The colour of a black body of so many kelvins, in linear sRGB, as bright as white. The chromaticity is the usual
/// approximation of the Planckian locus in CIE 1960 coordinates.
fn black_body(kelvins: f64) -> [f64; 3] {
    let t = kelvins.clamp(1000.0, 15_000.0);
    let u = (0.860_117_757 + 1.541_182_54e-4 * t + 1.286_412_12e-7 * t * t)
        / (1.0 + 8.424_202_35e-4 * t + 7.081_451_63e-7 * t * t);
    let v = (0.317_398_726 + 4.228_062_45e-5 * t + 4.204_816_91e-8 * t * t)
        / (1.0 - 2.897_418_16e-5 * t + 1.614_560_53e-7 * t * t);
    let x = 3.0 * u / (2.0 * u - 8.0 * v + 4.0);
    let y = 2.0 * v / (2.0 * u - 8.0 * v + 4.0);
    let [big_x, big_z] = [x / y, (1.0 - x - y) / y];
    [
        3.240_479 * big_x - 1.537_15 - 0.498_535 * big_z,
        -0.969_256 * big_x + 1.875_991 + 0.041_556 * big_z,
        0.055_648 * big_x - 0.204_043 + 1.057_311 * big_z,
    ]
    .map(|part| part.max(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() <= 1e-3 * expected.abs().max(1.0), "{found}, not {expected}");
    }

    #[test]
    fn intensities_are_candelas() {
        let of = |units: &str| LightValues {
            intensity: Some(1000.0),
            units: Some(units.to_owned()),
            outer_cone: Some(60.0),
            ..LightValues::default()
        };
        near(Light::new(LightKind::Point, &of("Candelas")).intensity, 1000.0);
        near(Light::new(LightKind::Point, &of("Lumens")).intensity, 79.577);
        // A cone of 60 degrees to each side is a quarter of the sphere.
        near(Light::new(LightKind::Spot, &of("Lumens")).intensity, 318.31);
        near(Light::new(LightKind::Point, &of("Unitless")).intensity, 1.6);
        near(Light::new(LightKind::Directional, &of("Unitless")).intensity, 1000.0);
    }

    #[test]
    fn angles_are_half_ones_and_the_inner_is_the_smaller() {
        let values = LightValues { inner_cone: Some(50.0), outer_cone: Some(30.0), ..LightValues::default() };
        let [inner, outer] = Light::new(LightKind::Spot, &values).cone.unwrap();
        near(outer, 30_f64.to_radians());
        assert!(inner < outer);
        let [inner, outer] = Light::new(LightKind::Spot, &LightValues::default()).cone.unwrap();
        near(outer, 44_f64.to_radians());
        assert!(inner.abs() < 1e-9);
    }

    #[test]
    fn daylight_is_nearly_white_and_candles_are_red() {
        let [red, green, blue] = black_body(6500.0);
        assert!([red, green, blue].iter().all(|part| (part - 1.0).abs() < 0.06), "{red} {green} {blue}");
        let [red, green, blue] = black_body(1900.0);
        assert!(red > green && green > blue, "{red} {green} {blue}");
    }
}

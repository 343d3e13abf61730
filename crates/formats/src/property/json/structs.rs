//! Structs in FModel's form. Some show computed fields.

use super::shown::Shown;
use crate::property::from_value::FromValue;
use crate::property::value::{Body, Record, Struct, Value};
use crate::property::{Scope, shown_names};
use serde::ser::{Serialize, SerializeMap, Serializer};

impl Serialize for Shown<'_, '_, Struct> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let scope = self.scope;
        let record = match &self.value.body {
            Body::List(list) => return Shown { scope, value: list }.serialize(serializer),
            Body::Empty => return serializer.serialize_map(Some(0))?.end(),
            Body::Native(record) => record,
        };
        let name = self.value.name.as_deref().unwrap_or_default();
        // FModel shows an instanced struct as its contents, without the wrapper.
        if let Some(data) = record.get("Data").filter(|_| name.ends_with("InstancedStruct")) {
            return instanced(scope, data, serializer);
        }
        let mut map = serializer.serialize_map(None)?;
        for (field, value) in &record.fields {
            match curve_enum(name, field, value) {
                Some(text) => map.serialize_entry(field, text)?,
                // Filler bytes.
                None if matches!(value, Value::Fixed(_)) => {}
                None => map.serialize_entry(field, &Shown { scope, value })?,
            }
        }
        more(name, record, &mut map)?;
        map.end()
    }
}

/// An instanced struct: its contents, or null.
fn instanced<S: Serializer>(scope: &Scope<'_>, data: &Value, serializer: S) -> Result<S::Ok, S::Error> {
    match data {
        Value::Sized(inner) if matches!(&**inner, Value::Struct(found) if found.body == Body::Empty) => {
            serializer.serialize_none()
        }
        data => Shown { scope, value: data }.serialize(serializer),
    }
}

/// Adds the fields that FModel computes.
fn more<M: SerializeMap>(name: &str, record: &Record, map: &mut M) -> Result<(), M::Error> {
    let number = |field| record.get(field).and_then(f64::from_value).unwrap_or_default();
    match name {
        "Color" => {
            let byte = |field| record.get(field).and_then(u8::from_value).unwrap_or_default();
            map.serialize_entry("Hex", &hex([byte("R"), byte("G"), byte("B"), byte("A")]))
        }
        "LinearColor" => {
            // Colours are shown in sRGB, as in an image editor; alpha is linear.
            let [r, g, b] = ["R", "G", "B"].map(|field| to_byte(to_srgb(number(field))));
            map.serialize_entry("Hex", &hex([r, g, b, to_byte(number("A"))]))
        }
        "Quat" | "Quat4f" | "Quat4d" => {
            let squared: f64 = ["X", "Y", "Z", "W"].into_iter().map(|field| number(field).powi(2)).sum();
            // The engine's own tolerance for quaternions.
            map.serialize_entry("IsNormalized", &((1.0 - squared).abs() < 0.01))?;
            map.serialize_entry("Size", &squared.sqrt())?;
            map.serialize_entry("SizeSquared", &squared)
        }
        _ => Ok(()),
    }
}

/// `RRGGBB`; `AARRGGBB` unless fully opaque or transparent.
fn hex([r, g, b, a]: [u8; 4]) -> String {
    match a {
        0 | 255 => format!("{r:02X}{g:02X}{b:02X}"),
        a => format!("{a:02X}{r:02X}{g:02X}{b:02X}"),
    }
}

fn to_srgb(linear: f64) -> f64 {
    let linear = linear.clamp(0.0, 1.0);
    // The sRGB transfer function: linear near zero, a power above.
    if linear <= 0.003_130_8 { linear * 12.92 } else { linear.powf(1.0 / 2.4) * 1.055 - 0.055 }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to a byte")]
fn to_byte(value: f64) -> u8 {
    // Just below 256, so that each byte value has an equal share of the range.
    (value.clamp(0.0, 1.0) * 255.999).floor() as u8
}

/// The name of an enum value in a curve key.
fn curve_enum(name: &str, field: &str, value: &Value) -> Option<&'static str> {
    let names = shown_names::of_field(name, field)?;
    names.get(usize::from(u8::from_value(value)?)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_are_shown_as_they_look() {
        assert_eq!(hex([18, 52, 86, 120]), "78123456");
        assert_eq!(hex([18, 52, 86, 255]), "123456");
        assert_eq!([0.0, 0.5, 1.0, 7.0].map(|value| to_byte(to_srgb(value))), [0, 188, 255, 255]);
    }
}

//! Values as text that keeps its type in JSON.

use crate::property::Value;
use serde::{Serialize, Serializer};
use std::fmt;

/// The text of a value. In JSON, numbers and bools are themselves, and all others are strings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownValue {
    /// The text.
    pub text: String,
    /// True if the text is that of a number or bool.
    pub is_bare: bool,
}

impl ShownValue {
    /// A value that is displayed as this text.
    pub(super) fn new(value: &Value, text: String) -> Self {
        // An enumerator is a number in the file, but is displayed by its name.
        let is_number =
            value.whole().is_some() && !matches!(value, Value::Enumerator(_)) || is_float_or_bool(value);
        Self { text, is_bare: is_number }
    }

    /// A text that is no value of a file, such as the name of a class.
    pub(crate) const fn word(text: String) -> Self {
        Self { text, is_bare: false }
    }
}

const fn is_float_or_bool(value: &Value) -> bool {
    matches!(value, Value::Float(_) | Value::Double(_) | Value::Bool(_) | Value::Bool32(_))
}

impl fmt::Display for ShownValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Serialize for ShownValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Parsed from the text, so that 0.1 as `f32` stays 0.1. JSON has no infinities: they stay texts.
        let bare = self.is_bare.then(|| serde_json::from_str::<serde_json::Value>(&self.text).ok()).flatten();
        match bare {
            Some(bare) => bare.serialize(serializer),
            None => serializer.serialize_str(&self.text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_bools_keep_their_type() {
        let shown = |value: Value, text: &str| {
            serde_json::to_string(&ShownValue::new(&value, text.to_owned())).unwrap()
        };
        assert_eq!(shown(Value::Float(0.1), "0.1"), "0.1");
        assert_eq!(shown(Value::Int64(i64::MIN), "-9223372036854775808"), "-9223372036854775808");
        assert_eq!(shown(Value::UInt64(u64::MAX), "18446744073709551615"), "18446744073709551615");
        assert_eq!(shown(Value::Bool(true), "true"), "true");
        assert_eq!(shown(Value::Double(f64::INFINITY), "inf"), "\"inf\"");
        assert_eq!(shown(Value::Utf8("7".into()), "7"), "\"7\"");
        assert_eq!(serde_json::to_string(&ShownValue::word("1".to_owned())).unwrap(), "\"1\"");
    }
}

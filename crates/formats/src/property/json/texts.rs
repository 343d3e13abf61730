//! Texts in FModel's form: the history, without its type and flags.

use super::shown::Shown;
use crate::property::from_value::FromValue;
use crate::property::shown_names::ARGUMENTS;
use crate::property::value::{Record, Value};
use crate::property::{Scope, Text};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// Histories with named arguments.
const NAMED: [i8; 2] = [1, 3];

impl Serialize for Shown<'_, '_, Text> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (scope, text) = (self.scope, self.value);
        let mut map = serializer.serialize_map(None)?;
        for (name, value) in &text.fields.fields {
            match (*name, value) {
                ("Arguments", Value::Array(items)) => {
                    map.serialize_entry(
                        name,
                        &Arguments { scope, items, named: NAMED.contains(&text.history) },
                    )?;
                }
                // The number, percentage or amount of money that a text formats.
                ("SourceValue", Value::Struct(_)) => {
                    let argument = value.record().map(|record| Argument { scope, record });
                    map.serialize_entry(name, &argument)?;
                }
                ("CultureInvariantString", Value::Optional(found)) => {
                    let found = found.as_deref().and_then(<&str>::from_value);
                    map.serialize_entry(name, &found.unwrap_or_default())?;
                }
                _ => map.serialize_entry(name, &Shown { scope, value })?,
            }
        }
        match text.history_name() {
            // FModel shows a translation here. Without one, the source is displayed.
            "Base" => map.serialize_entry("LocalizedString", &text.source().unwrap_or_default())?,
            // The string is in the table, which is another asset.
            "StringTableEntry" => {
                map.serialize_entry("SourceString", "")?;
                map.serialize_entry("LocalizedString", "")?;
            }
            // Older versions write nothing for this history, but FModel shows the key.
            "None" if text.fields.fields.is_empty() => map.serialize_entry("CultureInvariantString", "")?,
            _ => {}
        }
        map.end()
    }
}

/// The arguments of a format: an object by name, or an array.
struct Arguments<'s, 'a> {
    scope: &'s Scope<'a>,
    items: &'s [Value],
    named: bool,
}

impl Serialize for Arguments<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let scope = self.scope;
        let records = self.items.iter().filter_map(Value::record);
        if !self.named {
            return serializer.collect_seq(records.map(|record| Argument { scope, record }));
        }
        let mut map = serializer.serialize_map(None)?;
        for record in records {
            let name = record.get("Name").and_then(<&str>::from_value).unwrap_or_default();
            let argument = record.get("Argument").and_then(Value::record);
            map.serialize_entry(name, &argument.map(|record| Argument { scope, record }))?;
        }
        map.end()
    }
}

/// A value inserted into a text.
struct Argument<'s, 'a> {
    scope: &'s Scope<'a>,
    record: &'s Record,
}

impl Serialize for Argument<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let kind = self.record.get("Type").and_then(u8::from_value).unwrap_or_default();
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("Type", ARGUMENTS.get(usize::from(kind)).copied().unwrap_or("Int"))?;
        let value = self.record.get("Value");
        map.serialize_entry("Value", &value.map(|value| Shown { scope: self.scope, value }))?;
        map.end()
    }
}

//! JSON documents that people edit.

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use std::fmt;

/// Parses a document in which no object has a key twice: of two values, one would be lost unseen.
pub(crate) fn parse(text: &str) -> serde_json::Result<Value> {
    serde_json::from_str::<Strict>(text).map(|Strict(value)| value)
}

/// Bytes of memory that a document takes at most, together with the objects that are made of it. Nothing is kept of it
/// meanwhile, so that a document that takes too much is never parsed.
pub(crate) fn price(text: &str) -> serde_json::Result<u64> {
    serde_json::from_str::<Price>(text).map(|Price(bytes)| bytes)
}

/// Describes an error of the parser in words for people who edit documents.
pub(crate) fn fault(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let plain = [
        ("expected ident", "found a word that is no value"),
        ("expected value", "found something that is no value"),
        ("key must be a string", "found a key without quotation marks"),
        ("EOF while parsing", "it ends within"),
        ("trailing characters", "found more after its end"),
    ];
    let plain = plain.iter().find_map(|(from, to)| text.strip_prefix(from).map(|rest| format!("{to}{rest}")));
    format!("not JSON: {}", plain.unwrap_or(text))
}

/// Bytes for a value, twice: a list grows by doubling, and so does the property that is made of it.
const OF_VALUE: u64 = 4 * size_of::<Value>() as u64;
/// Bytes for a member of an object beside its value: the key, and its share of the tree of keys.
const OF_MEMBER: u64 = 96;

struct Price(u64);

impl<'de> Deserialize<'de> for Price {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PriceVisitor).map(Self)
    }
}

struct PriceVisitor;

impl<'de> Visitor<'de> for PriceVisitor {
    type Value = u64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<u64, E> {
        Ok(OF_VALUE)
    }

    fn visit_bool<E>(self, _: bool) -> Result<u64, E> {
        Ok(OF_VALUE)
    }

    fn visit_i64<E>(self, _: i64) -> Result<u64, E> {
        Ok(OF_VALUE)
    }

    fn visit_u64<E>(self, _: u64) -> Result<u64, E> {
        Ok(OF_VALUE)
    }

    fn visit_f64<E>(self, _: f64) -> Result<u64, E> {
        Ok(OF_VALUE)
    }

    fn visit_str<E>(self, value: &str) -> Result<u64, E> {
        Ok(OF_VALUE + 2 * value.len() as u64)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<u64, A::Error> {
        let mut bytes = OF_VALUE;
        while let Some(Price(item)) = items.next_element()? {
            bytes += item;
        }
        Ok(bytes)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<u64, A::Error> {
        let mut bytes = OF_VALUE;
        while let Some((Price(key), Price(value))) = entries.next_entry()? {
            bytes += OF_MEMBER + key + value;
        }
        Ok(bytes)
    }
}

struct Strict(Value);

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(StrictVisitor).map(Self)
    }
}

struct StrictVisitor;

impl<'de> Visitor<'de> for StrictVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        // JSON has no numbers that are not finite, so there is always one.
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(Strict(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some((key, Strict(value))) = entries.next_entry::<String, Strict>()? {
            if object.contains_key(&key) {
                return Err(A::Error::custom(format_args!("an object has {key:?} twice")));
            }
            object.insert(key, value);
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::{OF_MEMBER, OF_VALUE, fault, parse, price};

    #[test]
    fn faults_are_in_plain_words() {
        for (text, expected) in [
            ("{\"a\": nope}", "not JSON: found a word that is no value at line 1 column 8"),
            ("{a: 1}", "not JSON: found a key without quotation marks at line 1 column 2"),
            ("[1", "not JSON: it ends within a list at line 1 column 2"),
            ("1 2", "not JSON: found more after its end at line 1 column 3"),
            ("[,]", "not JSON: found something that is no value at line 1 column 2"),
        ] {
            assert_eq!(fault(&parse(text).unwrap_err()), expected, "{text}");
        }
    }

    #[test]
    fn documents_are_read_as_they_are() {
        let text = r#"{"a": [null, true, -1, 18446744073709551615, 0.1, "x\u0007"], "b": {"a": {}}}"#;
        assert_eq!(parse(text).unwrap(), serde_json::from_str::<serde_json::Value>(text).unwrap());
    }

    #[test]
    fn a_document_is_paid_for_by_its_values() {
        assert_eq!(price("[0,1.5,null]").unwrap(), 4 * OF_VALUE);
        assert_eq!(price(r#"{"ab": "cde"}"#).unwrap(), 3 * OF_VALUE + OF_MEMBER + 2 * 5);
        assert!(price("[1").is_err());
    }

    #[test]
    fn no_value_is_lost() {
        let error = parse("{\n\"a\": {\"b\": 1, \"c\": 2,\n\"b\": 1}}").unwrap_err();
        assert_eq!(error.to_string(), "an object has \"b\" twice at line 3 column 7");
        assert!(parse("[1").is_err());
    }
}

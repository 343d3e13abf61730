//! Values of TOML as JSON, and back.

use serde_json::{Map, Number, Value as Json};
use toml::Value as Toml;

/// The same value as JSON; `None` for dates and numbers that JSON does not have.
pub(super) fn to_json(value: &Toml) -> Option<Json> {
    Some(match value {
        Toml::String(text) => Json::String(text.clone()),
        Toml::Integer(number) => Json::from(*number),
        Toml::Float(number) => Json::Number(Number::from_f64(*number)?),
        Toml::Boolean(truth) => Json::Bool(*truth),
        Toml::Datetime(_) => return None,
        Toml::Array(items) => Json::Array(items.iter().map(to_json).collect::<Option<_>>()?),
        Toml::Table(members) => {
            let member = |(name, value): (&String, &Toml)| Some((name.clone(), to_json(value)?));
            Json::Object(members.iter().map(member).collect::<Option<Map<_, _>>>()?)
        }
    })
}

/// The same value as TOML. What TOML does not have, such as null, is the text of the JSON.
pub(super) fn from_json(value: &Json) -> Toml {
    convert(value).unwrap_or_else(|| Toml::String(value.to_string()))
}

fn convert(value: &Json) -> Option<Toml> {
    Some(match value {
        Json::Null => return None,
        Json::Bool(truth) => Toml::Boolean(*truth),
        Json::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(whole), _) => Toml::Integer(whole),
            // Whole numbers beyond 64 bits with sign would lose digits.
            (None, Some(float)) if !number.is_u64() => Toml::Float(float),
            _ => return None,
        },
        Json::String(text) => Toml::String(text.clone()),
        Json::Array(items) => Toml::Array(items.iter().map(convert).collect::<Option<_>>()?),
        Json::Object(members) => {
            let member = |(name, value): (&String, &Json)| Some((name.clone(), convert(value)?));
            Toml::Table(members.iter().map(member).collect::<Option<toml::map::Map<_, _>>>()?)
        }
    })
}

/// The text that sets a value: texts as such, all others as JSON.
pub(crate) fn set_text(value: &Json) -> String {
    match value {
        Json::String(text) => text.clone(),
        value => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_survive_the_way_through_toml() {
        for json in
            [json!(1), json!(0.5), json!("a"), json!([1, {"A": true}]), json!(u64::MAX), json!({"A": null})]
        {
            let text = from_json(&json).to_string();
            let toml: toml::Table = format!("a = {text}").parse().unwrap();
            let back = to_json(&toml["a"]).unwrap();
            let back = match back {
                Json::String(text) => serde_json::from_str(&text).unwrap_or(Json::String(text)),
                other => other,
            };
            assert_eq!(back, json, "{text}");
        }
    }
}

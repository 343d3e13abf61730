//! Documents in FModel's form, held against the values that the independent reader found.

use crate::sets::{Others, all, corpus, say};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::Path;
use uncask_formats::property::json::{FModel, Tree};

/// Properties that the two write in forms too different to compare: keys of maps that are objects, soft paths by their indices,
/// flags of a bag, numbers of enums that one of the mappings does not have, formatted texts inside of structs.
const OTHER_FORMS: [&str; 10] = [
    "InstancedRecipes",
    "Justification",
    "Justify",
    "LastEditedDocuments",
    "NewVariables",
    "ObjectReferences",
    "SkeletalMesh",
    "TemplateAsset",
    "TextHistories",
    "Variables",
];

#[test]
fn values_are_those_of_an_independent_reader() {
    let Some(corpus) = corpus() else { return };
    let (mut files, mut equal, mut other_forms) = (0, 0, 0);
    let mut different: BTreeMap<String, usize> = BTreeMap::new();
    for set in all(&corpus) {
        let others = Others::new(&set);
        for file in &set.files {
            let stem = file.path.rsplit_once('.').unwrap().0;
            let Some(expected) = read(&set.expected.join(format!("{stem}.json"))) else { continue };
            files += 1;
            let loaded = set.load(file);
            let scope = loaded.scope(&others);
            let found = serde_json::to_value(FModel::new(&scope)).unwrap();
            let pairs = expected.as_array().unwrap().iter().zip(found.as_array().unwrap());
            for (expected, found) in pairs {
                let class = found["Type"].as_str().unwrap();
                let expected_list = expected.get("Properties").and_then(Value::as_object);
                let empty = Map::new();
                let found_list = found.get("Properties").and_then(Value::as_object).unwrap_or(&empty);
                for (name, value) in expected_list.into_iter().flatten() {
                    match get(found_list, name) {
                        Some(found) if is_same(value, found) => equal += 1,
                        Some(_) if OTHER_FORMS.contains(&&**name) => other_forms += 1,
                        found => {
                            let found = found.map_or_else(|| "nothing".to_owned(), short);
                            let what = format!("{} {class}.{name}: {} / {found}", set.name, short(value));
                            *different.entry(what).or_default() += 1;
                        }
                    }
                }
                if let Some(rows) = expected.get("Rows").and_then(Value::as_array) {
                    for row in rows {
                        let name = row["Name"].as_str().unwrap();
                        let found = found["Rows"].as_object().and_then(|rows| get(rows, name));
                        if found.is_some_and(|found| is_same(&row["Value"], found)) {
                            equal += 1;
                        } else {
                            *different.entry(format!("{} {class} row {name}", set.name)).or_default() += 1;
                        }
                    }
                }
            }
            // The other form takes every package, too.
            assert!(serde_json::to_value(Tree::new(&scope)).unwrap()["exports"].is_array());
        }
    }
    say(&format!("{files} documents, {equal} values are equal, {} are not", different.len()));
    for (what, count) in different.iter().take(60) {
        say(&format!("    {count} × {what}"));
    }
    assert!(files >= 349 && equal >= 22_000, "{files} documents, {equal} values");
    assert!(different.is_empty(), "{} values differ", different.len());
    assert!(other_forms < 30, "{other_forms}");
}

fn read(path: &Path) -> Option<Value> {
    if let Ok(text) = std::fs::read(path) {
        return Some(serde_json::from_slice(&text).unwrap());
    }
    let packed = std::fs::File::open(path.with_extension("json.gz")).ok()?;
    let mut text = Vec::new();
    flate2::read::GzDecoder::new(packed).read_to_end(&mut text).unwrap();
    Some(serde_json::from_slice(&text).unwrap())
}

fn get<'a>(map: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    map.get(name)
        .or_else(|| map.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value))
}

fn short(value: &Value) -> String {
    value.to_string().chars().take(200).collect()
}

/// What the independent reader shows and FModel does not.
const HIDDEN: [&str; 8] = ["Flags", "HistoryType", "Has", "k", "Type", "bIsCooked", "DevNotes", "__type"];

/// What FModel computes from other fields.
const COMPUTED: [&str; 6] = ["Hex", "IsNormalized", "Size", "SizeSquared", "LocalizedString", "SourceString"];

/// All that a value holds, in no order and without the names of fields: the independent reader has other names for the fields of
/// structs with their own serializer.
fn leaves(value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    collect(value, &mut found);
    found.sort();
    found
}

fn collect(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Null => {}
        Value::Bool(value) => found.push(u8::from(*value).to_string()),
        Value::Number(number) => found.push(format!("{:.5e}", number.as_f64().unwrap())),
        Value::String(text) if text.is_empty() => {}
        Value::String(text) => found.push(leaf(text)),
        Value::Array(items) => items.iter().for_each(|item| collect(item, found)),
        Value::Object(fields) => {
            let ignored = |key: &str| HIDDEN.contains(&key) || COMPUTED.contains(&key);
            let shown = fields.iter().filter(|(key, _)| !ignored(key));
            shown.for_each(|(_, value)| collect(value, found));
        }
    }
}

/// Names of values of curves by their numbers, which the independent reader shows.
const NUMBERED: [&str; 12] = [
    "RCIM_Linear",
    "RCIM_Constant",
    "RCIM_Cubic",
    "RCIM_None",
    "RCTM_Auto",
    "RCTM_User",
    "RCTM_Break",
    "RCTM_None",
    "RCTWM_WeightedNone",
    "RCTWM_WeightedArrive",
    "RCTWM_WeightedLeave",
    "RCTWM_WeightedBoth",
];

fn leaf(text: &str) -> String {
    if let Some(at) = NUMBERED.iter().position(|name| *name == text) {
        return format!("{:.5e}", f64::from(u8::try_from(at % 4).unwrap()));
    }
    // The independent reader did not know in which folder of a game some packages are.
    let last =
        text.rsplit("::").next().unwrap_or_default().rsplit('/').next().unwrap_or_default().to_lowercase();
    let bare = last.strip_suffix(".?").unwrap_or(&last).to_owned();
    bare.parse().map_or(bare, |number: f64| format!("{number:.5e}"))
}

fn is_zero(leaf: &str) -> bool {
    leaf.chars().all(|c| matches!(c, '0' | '.' | 'e' | '-')) || leaf == "none"
}

/// Whether two values say the same, each in its own form.
pub(crate) fn is_same(expected: &Value, found: &Value) -> bool {
    match (expected, found) {
        (Value::Object(a), _) if a.contains_key("__raw") => {
            found["Problem"].as_str().is_some_and(|reason| reason.contains(": "))
        }
        (Value::String(text), found) if text == "__zero" => leaves(found).iter().all(|leaf| is_zero(leaf)),
        (Value::Object(a), Value::Object(b)) if a.contains_key("ObjectPath") => {
            let path = |map: &Map<String, Value>| leaf(map["ObjectPath"].as_str().unwrap());
            a["ObjectName"] == b["ObjectName"] && path(a) == path(b)
        }
        (Value::Object(a), Value::Object(b)) => {
            let mut shown = a.iter().filter(|(key, _)| !HIDDEN.contains(&key.as_str()));
            shown.all(|(key, value)| get(b, key).is_some_and(|found| is_same(value, found)))
                || leaves(expected) == leaves(found)
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b))
        }
        (Value::Number(a), Value::Number(b)) => {
            let (a, b) = (a.as_f64().unwrap(), b.as_f64().unwrap());
            (a - b).abs() <= 1e-6 * a.abs().max(b.abs())
        }
        (Value::String(a), Value::String(b)) => {
            let last = |text: &str| text.rsplit("::").next().unwrap_or_default().to_lowercase();
            a == b || last(a) == last(b)
        }
        // Keys of maps are texts in FModel's form.
        (a, Value::String(b)) => a.to_string().trim_matches('"').eq_ignore_ascii_case(b),
        (a, b) => a == b,
    }
}

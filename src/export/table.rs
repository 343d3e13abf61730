//! Tables as CSV, for spreadsheets: data tables, curve tables, string tables, curves and enums.
//!
//! | class | columns |
//! |---|---|
//! | data table | `RowName`, then the properties of its rows; structs and lists are JSON |
//! | curve table | `RowName`, then the times of all keys |
//! | string table | `Key`, `SourceString`, as the engine imports it |
//! | curve | `Time`, then `Value`, or a column for each axis or channel |
//! | enum | `Name`, `Value`, `DisplayName` |

use crate::error::{Error, Result};
use crate::package::legacy::Export;
use crate::property::json::{FModel, value_text};
use crate::property::{Object, Record, Scope, Value};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::{Map, Value as Json};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

/// Classes of curves, and the columns of their values.
const CURVES: [(&str, &[&str]); 3] = [
    ("CurveFloat", &["Value"]),
    ("CurveVector", &["X", "Y", "Z"]),
    ("CurveLinearColor", &["R", "G", "B", "A"]),
];

/// True for an object that may be a table, by its class.
pub(super) fn is_table(scope: &Scope<'_>, export: &Export) -> bool {
    let class = scope.package.class_path(export);
    let class = class.rsplit(['.', ':', '/']).next().unwrap_or_default();
    // Games derive classes from these, and keep the ends of their names.
    let ends = ["DataTable", "CurveTable", "StringTable", "UserDefinedEnum"];
    ends.iter().any(|end| class.ends_with(end)) || columns_of(scope, export).is_some()
}

/// A table as CSV; `None` for an object that has none, such as the default object of its class.
pub(super) fn csv(
    scope: &Scope<'_>,
    export: &Export,
    fields: &Object,
    path: &Path,
) -> Result<Option<Vec<u8>>> {
    let mut out = csv::Writer::from_writer(MARK.to_vec());
    let tail = &fields.tail;
    let written = if let Some(rows) = tail.get("Rows").and_then(Value::items) {
        write_rows(scope, rows, &mut out)
    } else if tail.get("RowCount").is_some() {
        write_curve_table(scope, tail, &mut out)
    } else if tail.get("TableNamespace").is_some() {
        write_texts(tail, &mut out)
    } else if let Some(names) = tail.get("Names").and_then(Value::items) {
        write_enum(scope, fields, names, &mut out)
    } else if let Some(columns) = columns_of(scope, export).filter(|_| fields.has_all_properties()) {
        write_curves(scope, columns, fields, &mut out)
    } else {
        return Ok(None);
    };
    let broken = |error: csv::Error| Error::io("write a table to", path)(std::io::Error::other(error));
    written.map_err(broken)?;
    let bytes = out.into_inner().map_err(|error| Error::io("write a table to", path)(error.into_error()))?;
    Ok(Some(bytes))
}

/// The columns of the values of a curve; `None` for other classes.
fn columns_of(scope: &Scope<'_>, export: &Export) -> Option<&'static [&'static str]> {
    let class = scope.package.class_path(export);
    let class = class.rsplit(['.', ':', '/']).next().unwrap_or_default();
    CURVES.iter().find(|(curve, _)| *curve == class).map(|(_, columns)| *columns)
}

/// The mark of UTF-8, without which spreadsheets take the text for that of an old code page.
const MARK: &[u8] = "\u{FEFF}".as_bytes();

type Out = csv::Writer<Vec<u8>>;

/// Name and fields of a row.
fn row<'r>(scope: &Scope<'_>, record: &'r Record) -> Option<(String, &'r Value)> {
    let Value::Name(name) = record.get("Name")? else { return None };
    Some((scope.package.text(*name).to_string(), record.get("Value")?))
}

/// The members of a struct in FModel's form, in the order of the file.
fn members(scope: &Scope<'_>, value: &Value) -> Vec<(String, Json)> {
    serde_json::from_str(&value_text(scope, value)).map_or_else(|_| Vec::new(), |InOrder(members)| members)
}

/// The entries of an object, in its own order: the maps of `serde_json` are sorted.
struct InOrder(Vec<(String, Json)>);

impl<'de> Deserialize<'de> for InOrder {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        deserializer.deserialize_map(EntriesVisitor)
    }
}

struct EntriesVisitor;

impl<'de> Visitor<'de> for EntriesVisitor {
    type Value = InOrder;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<InOrder, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(InOrder(entries))
    }
}

fn write_rows(scope: &Scope<'_>, rows: &[Value], out: &mut Out) -> csv::Result<()> {
    let rows: Vec<(String, &Value)> =
        rows.iter().filter_map(Value::record).filter_map(|record| row(scope, record)).collect();
    // Rows leave out what has its default, so the columns are those of all rows.
    let (mut columns, mut places) = (Vec::new(), HashMap::new());
    for (_, value) in &rows {
        for (name, _) in members(scope, value) {
            places.entry(name).or_insert_with_key(|name| {
                columns.push(name.clone());
                columns.len() - 1
            });
        }
    }
    out.write_record(std::iter::once("RowName").chain(titles(&columns)))?;
    for (name, value) in rows {
        let mut cells = vec![String::new(); columns.len()];
        for (column, value) in members(scope, value) {
            if let Some(at) = places.get(&column).and_then(|place| cells.get_mut(*place)) {
                *at = cell(&value);
            }
        }
        out.write_record(std::iter::once(name).chain(cells))?;
    }
    Ok(())
}

/// Titles of columns. Members of a blueprint's struct are called `Price_4_0123456789ABCDEF0123456789ABCDEF`: the part for
/// people is enough, unless two have the same.
fn titles(columns: &[String]) -> Vec<&str> {
    let short = |name: &'_ str| -> Option<usize> {
        let (rest, guid) = name.rsplit_once('_')?;
        let (short, number) = rest.rsplit_once('_')?;
        let is_guid = guid.len() == 32 && guid.bytes().all(|byte| byte.is_ascii_hexdigit());
        (is_guid && number.parse::<u32>().is_ok()).then_some(short.len())
    };
    let titles: Vec<&str> =
        columns.iter().map(|name| short(name).and_then(|len| name.get(..len)).unwrap_or(name)).collect();
    let mut seen: HashMap<&str, u32> = HashMap::new();
    for title in &titles {
        *seen.entry(title).or_default() += 1;
    }
    let is_only = |title: &&str| seen.get(title) == Some(&1);
    titles.iter().zip(columns).map(|(title, name)| if is_only(title) { title } else { &**name }).collect()
}

/// A value in a cell: plain where it is plain.
fn cell(value: &Json) -> String {
    let text = |name: &str| value.get(name).and_then(Json::as_str);
    match value {
        Json::Null => String::new(),
        Json::String(text) => text.clone(),
        Json::Object(_) => {
            // Texts and references are what they say, or lead to.
            let shown = ["LocalizedString", "SourceString", "CultureInvariantString", "AssetPathName"];
            match (shown.into_iter().find_map(text), text("ObjectName"), text("ObjectPath")) {
                (Some(shown), ..) => shown.to_owned(),
                (None, Some(name), Some(path)) => reference(name, path),
                _ => value.to_string(),
            }
        }
        value => value.to_string(),
    }
}

/// A reference as the engine writes it: `Texture2D'/Game/Textures/T_Rock.T_Rock'`. FModel's form has the place of an export
/// behind the package.
fn reference(name: &str, path: &str) -> String {
    let package = match path.rsplit_once('.') {
        Some((package, place)) if place.bytes().all(|byte| byte.is_ascii_digit()) => package,
        _ => path,
    };
    match name.split_once('\'') {
        Some((class, object)) => format!("{class}'{package}.{object}"),
        None => format!("{package}.{name}"),
    }
}

/// Values of a curve by time. Times are compared by their bits, with which equal ones are equal.
#[derive(Default)]
struct Keys(BTreeMap<i64, (f64, String)>);

impl Keys {
    /// The keys of a curve in FModel's form.
    fn of(curve: Option<&Json>) -> Self {
        let keys = curve.and_then(|curve| curve.get("Keys")).and_then(Json::as_array).into_iter().flatten();
        let key = |key: &Json| {
            let time = key.get("Time")?.as_f64()?;
            Some((order(time), (time, key.get("Value")?.to_string())))
        };
        Self(keys.filter_map(key).collect())
    }

    fn at(&self, order: i64) -> String {
        self.0.get(&order).map(|(_, value)| value.clone()).unwrap_or_default()
    }
}

/// A number whose order is that of times.
fn order(time: f64) -> i64 {
    let bits = time.to_bits().cast_signed();
    if bits < 0 { i64::MIN.wrapping_sub(bits) } else { bits }
}

/// The times of all keys of some curves, in order.
fn times<'k>(curves: impl Iterator<Item = &'k Keys>) -> BTreeMap<i64, f64> {
    curves.flat_map(|Keys(keys)| keys.iter().map(|(order, (time, _))| (*order, *time))).collect()
}

fn write_curve_table(scope: &Scope<'_>, tail: &Record, out: &mut Out) -> csv::Result<()> {
    let rows = tail.fields.iter().filter(|(name, _)| *name == "Row").filter_map(|(_, row)| row.record());
    let curve = |(name, value)| {
        let curve: Option<Json> = serde_json::from_str(&value_text(scope, value)).ok();
        (name, Keys::of(curve.as_ref()))
    };
    let curves: Vec<(String, Keys)> = rows.filter_map(|record| row(scope, record)).map(curve).collect();
    let times = times(curves.iter().map(|(_, keys)| keys));
    out.write_record(std::iter::once("RowName".to_owned()).chain(times.values().map(f64::to_string)))?;
    for (name, keys) in curves {
        out.write_record(std::iter::once(name).chain(times.keys().map(|order| keys.at(*order))))?;
    }
    Ok(())
}

fn write_texts(tail: &Record, out: &mut Out) -> csv::Result<()> {
    out.write_record(["Key", "SourceString"])?;
    for entry in tail.records("KeysToEntries") {
        let text = |name: &str| match entry.get(name) {
            Some(Value::Str(text)) => text.as_str(),
            _ => "",
        };
        out.write_record([text("Key"), text("Value")])?;
    }
    Ok(())
}

fn write_enum(scope: &Scope<'_>, fields: &Object, names: &[Value], out: &mut Out) -> csv::Result<()> {
    let properties = properties(scope, fields);
    let shown = properties.get("DisplayNameMap").and_then(Json::as_array);
    let shown_of = |name: &str| {
        let pair = shown?.iter().find(|pair| pair.get("Key").and_then(Json::as_str) == Some(name))?;
        pair.get("Value").map(cell)
    };
    out.write_record(["Name", "Value", "DisplayName"])?;
    for (name, value) in names.iter().filter_map(Value::record).filter_map(|record| row(scope, record)) {
        let short = name.rsplit("::").next().unwrap_or(&name);
        let shown = shown_of(short).unwrap_or_default();
        out.write_record([short, &value_text(scope, value), &shown])?;
    }
    Ok(())
}

/// Curves as properties: `FloatCurve`, or `FloatCurves[1]` for an axis.
fn write_curves(scope: &Scope<'_>, columns: &[&str], fields: &Object, out: &mut Out) -> csv::Result<()> {
    let properties = properties(scope, fields);
    let curve = |at: usize| {
        let names = [format!("FloatCurves[{at}]"), "FloatCurves".to_owned(), "FloatCurve".to_owned()];
        // The first element of an array may have no number.
        let names = names.iter().take(if at == 0 { 3 } else { 1 });
        names
            .map(|name| Keys::of(properties.get(name)))
            .find(|Keys(keys)| !keys.is_empty())
            .unwrap_or_default()
    };
    let curves: Vec<Keys> = (0..columns.len()).map(curve).collect();
    out.write_record(std::iter::once(&"Time").chain(columns))?;
    for (order, time) in times(curves.iter()) {
        let values = curves.iter().map(|keys| keys.at(order));
        out.write_record(std::iter::once(time.to_string()).chain(values))?;
    }
    Ok(())
}

fn properties(scope: &Scope<'_>, fields: &Object) -> Map<String, Json> {
    let forms = FModel::new(scope);
    let list = fields.properties.as_ref().and_then(|list| serde_json::to_value(forms.properties(list)).ok());
    match list {
        Some(Json::Object(properties)) => properties,
        _ => Map::new(),
    }
}

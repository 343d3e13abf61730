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
    let (mut columns, mut places, mut values) = (Vec::new(), HashMap::new(), 0);
    for (_, value) in &rows {
        for (name, _) in members(scope, value) {
            values += 1;
            places.entry(name).or_insert_with_key(|name| {
                columns.push(name.clone());
                columns.len() - 1
            });
        }
    }
    check_cells(rows.len(), columns.len(), values)?;
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

/// Cells for each value of a table, and for a small table in all.
const MAX_CELLS: (usize, usize) = (64, 1 << 20);

/// Checks that a table is not nearly empty: rows without a common column would have cells in the square of their number.
fn check_cells(rows: usize, columns: usize, values: usize) -> csv::Result<()> {
    let cells = rows.saturating_mul(columns);
    if cells <= values.saturating_mul(MAX_CELLS.0).saturating_add(MAX_CELLS.1) {
        return Ok(());
    }
    let text = format!("{cells} cells for {values} values, which have too few columns in common");
    Err(std::io::Error::new(std::io::ErrorKind::FileTooLarge, text).into())
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
    check_cells(curves.len(), times.len(), curves.iter().map(|(_, Keys(keys))| keys.len()).sum())?;
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
    let pairs = properties.get("DisplayNameMap").and_then(Json::as_array).into_iter().flatten();
    let shown: HashMap<&str, String> =
        pairs.filter_map(|pair| Some((pair.get("Key")?.as_str()?, cell(pair.get("Value")?)))).collect();
    out.write_record(["Name", "Value", "DisplayName"])?;
    for (name, value) in names.iter().filter_map(Value::record).filter_map(|record| row(scope, record)) {
        let short = name.rsplit("::").next().unwrap_or(&name);
        let shown = shown.get(short).map_or("", String::as_str);
        out.write_record([short, &value_text(scope, value), shown])?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearly_empty_tables_are_refused_and_large_full_ones_are_not() {
        assert!(check_cells(1 << 20, 100, 100 << 20).is_ok(), "full");
        assert!(check_cells(1000, 1000, 1000).is_ok(), "small");
        let error = check_cells(100_000, 100_000, 100_000).unwrap_err().to_string();
        assert!(error.contains("10000000000 cells for 100000 values"), "{error}");
    }

    #[test]
    fn times_are_in_order_whatever_their_sign() {
        let mut numbers = [3.5, -0.25, f64::MIN, 0.0, 1e-300, -1e300, f64::MAX, -2.0];
        numbers.sort_by_key(|time| order(*time));
        assert!(numbers.is_sorted(), "{numbers:?}");
    }

    #[test]
    fn titles_are_short_unless_two_are_the_same() {
        let [first, second] = ["A1", "B2"].map(|end| format!("Price_4_{}", end.repeat(16)));
        let columns = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        assert_eq!(titles(&columns(&[&first, "Mass", "Level_2"])), ["Price", "Mass", "Level_2"]);
        assert_eq!(titles(&columns(&[&first, &second])), [&first, &second]);
    }

    #[test]
    fn references_are_written_as_the_engine_writes_them() {
        assert_eq!(reference("Texture2D'T'", "/Game/T"), "Texture2D'/Game/T.T'");
        assert_eq!(reference("Door_C'D'", "/Game/Door.12"), "Door_C'/Game/Door.D'");
    }
}

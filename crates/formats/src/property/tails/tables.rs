//! Tails of data tables, curve tables and string tables.

use super::context::{Context, Read};
use crate::package::legacy::PackageIndex;
use crate::property::decode::Decoder;
use crate::property::from_value::FromValue;
use crate::property::kind::StructName;
use crate::property::structs::{Field, add};
use crate::property::value::{Record, Value};
use crate::wire::{Fault, FaultKind};

pub(super) const TABLE: &[(&str, Read)] =
    &[("DataTable", data_table), ("CurveTable", curve_table), ("StringTable", string_table)];

/// Least bytes of a row: a name, and an empty list of two bytes.
const MIN_ROW: usize = 10;

fn data_table(d: &mut Decoder<'_, '_>, tail: &mut Record, context: &Context<'_>) -> Result<(), Fault> {
    if context.is_default {
        return Ok(());
    }
    let row_struct = context.list.and_then(|list| list.find(d.scope.package, "RowStruct"));
    let of = row_struct.and_then(|member| PackageIndex::from_value(member.value?));
    let name = of.and_then(|of| d.scope.struct_name(of));
    // `CommonGenericInputActionDataTable` does not record the struct, as all its rows are alike.
    let name = name.unwrap_or_else(|| StructName::new("CommonInputActionDataBase"));
    tail.push("Rows", rows(d, &name)?);
    Ok(())
}

fn rows(d: &mut Decoder<'_, '_>, of: &StructName) -> Result<Value, Fault> {
    d.list("rows of a table", MIN_ROW, |d| {
        let mut row = Record::default();
        row.push("Name", d.name("name of a row")?);
        row.push("Value", d.enter(|d| d.plain_struct(of))?);
        Ok(Value::of_record(row))
    })
}

fn curve_table(d: &mut Decoder<'_, '_>, tail: &mut Record, context: &Context<'_>) -> Result<(), Fault> {
    const SIMPLE: u8 = 1;
    const RICH: u8 = 2;
    if context.is_default {
        return Ok(());
    }
    let count = d.r.count("rows of a curve table", MIN_ROW)?;
    // Kept because `CurveTableMode` and the rows follow without an array around them.
    tail.push("RowCount", Value::Int(i32::try_from(count).unwrap_or(i32::MAX)));
    // Before 4.22 all curves were rich.
    let mut mode = if count > 0 { RICH } else { 0 };
    if d.scope.versions.has_curve_table_mode() {
        let at = d.r.clone();
        mode = d.r.u8("mode of a curve table")?;
        // Only 0 to 2 exist.
        if mode > RICH {
            let kind = FaultKind::TooLarge { found: mode.into(), limit: RICH.into() };
            return Err(at.fault("mode of a curve table", kind));
        }
        tail.push("CurveTableMode", Value::Byte(mode));
    }
    let of = StructName::new(if mode == SIMPLE { "SimpleCurve" } else { "RichCurve" });
    for _ in 0..count {
        // Counted here, since this loop does not go through `values`.
        d.step()?;
        let mut row = Record::default();
        row.push("Name", d.name("name of a row")?);
        row.push("Value", d.enter(|d| d.plain_struct(&of))?);
        tail.push("Row", Value::of_record(row));
    }
    Ok(())
}

fn string_table(d: &mut Decoder<'_, '_>, tail: &mut Record, context: &Context<'_>) -> Result<(), Fault> {
    const ENTRY: &[(&str, Field)] = &[("Key", Field::Str), ("Value", Field::Str)];
    const METADATA: &[(&str, Field)] =
        &[("Key", Field::Str), ("Value", Field::List(12, &[("Key", Field::Name), ("Value", Field::Str)]))];
    if context.is_default {
        return Ok(());
    }
    let table = &[
        ("TableNamespace", Field::Str),
        ("KeysToEntries", Field::List(8, ENTRY)),
        ("KeysToMetaData", Field::List(8, METADATA)),
    ];
    add(d, tail, table)
}

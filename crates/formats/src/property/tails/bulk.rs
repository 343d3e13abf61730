//! `TArray::BulkSerialize`: the size of an element, a count, and the elements.

use crate::property::decode::Decoder;
use crate::property::structs::Field;
use crate::property::value::{Record, Value};
use crate::wire::{Fault, FaultKind};

/// Reads the size of an element, which must be `expected`.
pub(super) fn element_size(
    d: &mut Decoder<'_, '_>,
    record: &mut Record,
    name: &'static str,
    expected: u32,
) -> Result<(), Fault> {
    let at = d.r.clone();
    let found = d.r.clone().u32("size of an element")?;
    if found != expected {
        let kind = FaultKind::Unexpected { found: found.into(), expected: expected.into() };
        return Err(at.fault("size of an element", kind));
    }
    record.push(name, d.uint32()?);
    Ok(())
}

/// Reads an array of structs of `size` bytes. `names` are those of the size and of the array.
pub(super) fn bulk_list(
    d: &mut Decoder<'_, '_>,
    record: &mut Record,
    [of_size, name]: [&'static str; 2],
    size: u32,
    fields: &'static [(&'static str, Field)],
) -> Result<(), Fault> {
    element_size(d, record, of_size, size)?;
    record.push(name, Field::List(size as usize, fields).read(d)?);
    Ok(())
}

/// Reads a count, and that many elements of the size that was read last, as bytes.
pub(super) fn bulk(d: &mut Decoder<'_, '_>, record: &Record) -> Result<Value, Fault> {
    let unit = match record.fields.last() {
        Some((_, Value::UInt32(size))) => *size as usize,
        _ => 0,
    };
    let len = d.r.clone().count("elements", unit)?.saturating_mul(unit);
    let mut elements = Record::default();
    elements.push("Count", d.uint32()?);
    elements.push("Bytes", d.fixed("elements", len)?);
    Ok(Value::of_record(elements))
}

//! Bytes: of arrays, of fillers, and of values that are not understood.

use super::prelude::*;
use crate::property::edit::bytes_of;
use crate::property::json::problem;
use crate::property::value::Raw;
use crate::property::words::bytes_text;

describe! {
    BytesValue(Box<[u8]>): leaf;
    write(bytes, w) { counted(w, bytes)?; }
    text(bytes, _) { Some(bytes_text(bytes).into()) }
    shown(bytes, _, s) { s.collect_seq(bytes.iter()) }
    tree(bytes, _, tag, s) { one(s, tag, &hex::encode(bytes)) }
    from_tree(_, part, _) { part.bytes().map(|bytes| Value::Bytes(bytes.into())) }
    assign(bytes, _, wish) {
        let expected = "hex digits, or a list of numbers to 255";
        *bytes = bytes_of(wish.given).ok_or_else(|| wish.refused(expected))?;
    }
    is_zero(_, _) { false }
}

/// Refuses to change bytes of unknown meaning.
fn keep(wish: &Wish<'_>) -> Result<(), EditError> {
    Err(wish.refused("a value of another property: this one is kept as bytes"))
}

describe! {
    FixedValue(Box<[u8]>): leaf;
    write(bytes, w) { w.bytes(bytes); }
    text(bytes, _) { Some(bytes_text(bytes).into()) }
    shown(bytes, _, s) { s.collect_seq(bytes.iter()) }
    tree(bytes, _, tag, s) { one(s, tag, &hex::encode(bytes)) }
    from_tree(_, part, _) { part.bytes().map(|bytes| Value::Fixed(bytes.into())) }
    assign(_, _, wish) { keep(wish)?; }
    is_zero(_, _) { false }
}

describe! {
    RawValue(Box<Raw>): leaf;
    write(raw, w) { w.bytes(&raw.bytes); }
    text(raw, _) { Some(format!("{} that were not understood", bytes_text(&raw.bytes)).into()) }
    shown(raw, _, s) { problem(format_args!("{raw}"), s) }
    tree(raw, _, tag, s) { one(s, tag, &(hex::encode(&raw.bytes), raw.reason.to_string())) }
    // The reason is for readers; only the bytes are written.
    from_tree(_, part, _) {
        part.element(0, |bytes| bytes.bytes()).map(|bytes| Value::Fixed(bytes.into()))
    }
    assign(_, _, wish) { keep(wish)?; }
    is_zero(_, _) { false }
}
